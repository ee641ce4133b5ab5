"""Links of the pages lead somewhere, their tables are what a tool printed, no file has a path of a machine, and the
lists of known things fit the code.

From the project's root; writes only to build/. `python3 tests/tools/tree.py FOLDER` looks at another tree, which is how
this file tests itself.
"""
import os
import re
import shutil
import subprocess
import sys

try:
    import yaml
except ImportError:
    yaml = None

sys.path.insert(0, "tests/bench")
import results
from cli import OUT, check, finish, skip

TOP = {"perceptron.h", "tests", "examples", "Makefile", "README.md", "LICENSE"}
MACHINE = re.compile(rb"(?<![\w}])/(?:work|root|home|Users)/[A-Za-z.]|[A-Z]:\\\\Users")
THIRD_PARTY = re.compile(rb"copyright \(c\)|\(c\) \d{4}|all rights reserved|@author|gnu general public", re.I)
ALLOWED = {"LICENSE", "tests/tools/tree.py"}  # what they name is meant


def git(root, *arguments):
    return subprocess.run(["git", "-C", root, *arguments], check=True, capture_output=True).stdout.decode()


def tracked(root):
    """(mode, name) of all files that git knows here."""
    lines = git(root, "ls-files", "--stage", "-z").split("\0")[:-1]
    return [(line.split(" ", 1)[0], line.split("\t", 1)[1]) for line in lines]


def anchors(text):
    """Where a link can lead in a page, as GitHub makes them from headings."""
    headings = re.findall(r"^#+ +(.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_links(root, page):
    with open(os.path.join(root, page), encoding="utf-8") as f:
        text = f.read()
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        name, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", name):
            continue
        target = os.path.join(root, os.path.dirname(page), name) if name else os.path.join(root, page)
        if not os.path.exists(target):
            yield f"{page}: nothing is at {link}"
        elif anchor and target.endswith(".md"):
            with open(target, encoding="utf-8") as f:
                if anchor not in anchors(f.read()):
                    yield f"{page}: {link} has no such heading"


def has_figures(table):
    """Are a third of what stands beside the rows' names numbers, and two or more?"""
    cells = [cell.strip() for row in table.splitlines()[2:] for cell in row.strip("| ").split(" | ")[1:]]
    numbers = [cell for cell in cells if re.fullmatch(r"(> )?\d[\d.,]*( [%\w]+)?", cell)]
    return len(numbers) >= max(2, len(cells) / 3)


def wrong_tables(root, page):
    """A table of figures has a mark above it that says which test compares it: with what a tool has kept, with what a
    command prints, or in a script that names the mark."""
    with open(os.path.join(root, page), encoding="utf-8") as f:
        text = re.sub(r"^```.*?^```", "", f.read(), flags=re.M | re.S)
    for mark, table in re.findall(r"^(?:<!-- (.*?) -->\n)?((?:\|.*\n)+)", text + "\n", re.M):
        kind, _, name = mark.partition(": ")
        if kind == "results":
            kept = results.read(os.path.join(root, results.FILE)).get(name, ("", ""))[1]
            if table != kept:
                yield f"{page}: the table '{name}' is not that of {results.FILE}: python3 tests/bench/results.py"
        elif kind == "prints":
            if table != subprocess.run(name.split(), cwd=root, capture_output=True, text=True).stdout:
                yield f"{page}: the table is not what '{name}' prints"
        elif has_figures(table) and not (mark and in_scripts(root, kind)):
            yield f"{page}: no test compares the table of figures that begins with {table.splitlines()[0][:60]}"


def unquoted(root):
    """Tables that are kept, but that no page quotes."""
    if os.path.exists(os.path.join(root, results.FILE)):
        pages = [os.path.join(root, name) for _, name in tracked(root) if name.endswith(".md")]
        quoted = {name for page in pages if os.path.exists(page) for name in results.quoted(page)}
        for name in results.read(os.path.join(root, results.FILE)):
            if name not in quoted:
                yield f"{results.FILE}: no page quotes the table '{name}'"


# What the lists of known things quote of a source line, behind '- '.
LISTS = {"analyze": r"\S+ \S+: (.*)", "mutants": "(.*)", "coverage": r"(?!never )(?:\w+\.[ch]: )?(.*)"}


def plain(line):
    """Without what stands around a line's code: blanks, a comment behind it, a backslash at its end."""
    return re.sub(r"\s*(/\*.*\*/|\\)$", "", line.strip())


def gone_lines(root):
    """Lines that the lists quote, but no C file has."""
    lists = [(f"tests/tools/{name}.txt", pattern) for name, pattern in LISTS.items()]
    lists = [entry for entry in lists if os.path.exists(os.path.join(root, entry[0]))]
    source = set()
    for _, name in tracked(root) if lists else ():
        if re.search(r"\.[ch]$", name) and os.path.exists(os.path.join(root, name)):
            with open(os.path.join(root, name), encoding="utf-8") as f:
                source |= {plain(line) for line in f}
    for name, pattern in lists:
        with open(os.path.join(root, name), encoding="utf-8") as f:
            for line in re.findall(f"^- {pattern}$", f.read(), re.M):
                if plain(line) not in source:
                    yield f"{name}: no source has the line {line}"


def in_scripts(root, mark):
    names = [name for _, name in tracked(root) if re.match(r"tests/(targets|others)/.*\.(sh|py)$", name)]
    return any(mark in open(os.path.join(root, name), encoding="utf-8").read() for name in names)


def faults(root):
    """What is wrong with a tree, a line each."""
    for mode, name in tracked(root):
        path, top = os.path.join(root, name), name.split("/", 1)[0]
        if top not in TOP and not top.startswith("."):
            yield f"{name}: nothing but {', '.join(sorted(TOP))} and dot-files lies at the top"
        if mode == "120000":
            yield f"{name}: a symbolic link"
            continue
        if not os.path.exists(path) or name in ALLOWED:
            continue  # deleted, but not yet committed
        with open(path, "rb") as f:
            data = f.read()
        for pattern, what in ((MACHINE, "a path of a machine"), (THIRD_PARTY, "somebody's notice of copyright")):
            found = b"\0" not in data and pattern.search(data)
            if found:
                yield f"{name}: {what}: {found[0].decode(errors='replace')}"
        if name.endswith(".yml") and top == ".github" and yaml:
            try:
                yaml.safe_load(data)
            except yaml.YAMLError as error:
                yield f"{name}: is no YAML: {' '.join(str(error).split())}"
        if name.endswith(".md"):
            yield from dead_links(root, name)
            yield from wrong_tables(root, name)
    yield from gone_lines(root)
    yield from unquoted(root)


MOST_TARGETS = 12


def test_help():
    """make help names what one needs, and make help-all every target that is one's own to call, with a purpose."""
    with open("Makefile", encoding="utf-8") as f:
        text = f.read()
    phony = set(re.search(r"^\.PHONY: (.*?[^\\])\n", text, re.M | re.S)[1].replace("\\", " ").split())
    phony = {name for name in phony if not name.startswith("check-")} - {"help"}
    if not shutil.which("make"):
        return skip("make is not installed (Debian: apt-get install make)")
    few, every = ([line.split()[1] for line in subprocess.run(["make", "-s", target], capture_output=True, text=True).stdout.splitlines()
                   if line.startswith("  make ")] for target in ("help", "help-all"))
    check(6 < len(few) <= MOST_TARGETS, f"make help has {len(few)} targets: {few}")
    check(set(few) <= set(every) and set(every) == phony, f"make help-all: {set(every) ^ phony}")


def plant(root, name, text):
    os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
    with open(os.path.join(root, name), "w", encoding="utf-8") as f:
        f.write(text)
    git(root, "add", "-A")


def test_itself():
    """Each fault, planted into a small tree, is found, and nothing else."""
    root = OUT + "/planted"
    subprocess.run(["rm", "-rf", root], check=True)
    os.makedirs(root)
    git(root, "init", "-q")
    plant(root, "README.md", "# A page\n\n[itself](#a-page), [a test](tests/a.c), [elsewhere](https://example.org/x)\n")
    plant(root, "tests/a.c", "/* build/ and /tmp are no paths of a machine */\n")
    plant(root, ".gitignore", "build\n")
    table = "| s | ours | theirs |\n|---|---|---|\n| a | 0.1 | > 20 |\n"
    kept = f"## speed\nmake bench; 2026-11-23\n\n{table}"
    plant(root, results.FILE, kept)
    plant(root, "tests/README.md", "\n".join(
        f"<!-- {mark} -->\n{table}" for mark in ("results: speed", "prints: cat tests/t", "sizes")))
    plant(root, "tests/targets/size.sh", "quotes sizes\n")
    plant(root, "tests/t", table)
    plant(root, "examples/d.c", "int main(void)\n{\n    return 0; /* well */\n}\n")
    plant(root, "tests/tools/analyze.txt", "- examples/d.c warning: return 0;\n= known\n")
    check(list(faults(root)) == [], f"a tree without a fault: {list(faults(root))}")
    for name, text, wanted in (
            ("notes.txt", "", "lies at the top"),
            *([(".github/ci.yml", "on: [push\njobs:", "is no YAML")] if yaml else []),
            ("tests/b.c", '#include "/' + 'home/me/x.h"\n', "a path of a machine"),
            ("tests/c.c", "/* Copy" + "right (c) 2020 Somebody */\n", "notice of copyright"),
            ("examples/README.md", "[gone](gone.c)\n", "nothing is at gone.c"),
            ("examples/README.md", "[gone](../README.md#gone)\n", "no such heading"),
            ("examples/README.md", "<!-- results: speed -->\n" + table.replace("0.1", "0.2"), "is not that of"),
            ("examples/README.md", "<!-- results: spee -->\n" + table, "is not that of"),
            ("examples/README.md", "<!-- prints: cat tests/t -->\n" + table.replace("20", "21"), "is not what"),
            ("examples/README.md", "<!-- lengths -->\n" + table, "no test compares"),
            ("examples/README.md", "A text.\n\n" + table, "no test compares"),
            ("tests/tools/mutants.txt", "- return 1;\n+ return 0;\n= known\n", "no source has the line return 1;")):
        plant(root, name, text)
        found = list(faults(root))
        check(len(found) == 1 and wanted in found[0], f"{name} with {text!r} gives {found}")
        os.remove(os.path.join(root, name))
        git(root, "add", "-A")
    plant(root, results.FILE, kept + f"\n## old\nmake bench\n\n{table}")
    found = list(faults(root))
    check(len(found) == 1 and "no page quotes the table 'old'" in found[0], f"a table too many gives {found}")
    plant(root, results.FILE, kept)
    os.symlink("a.c", root + "/tests/link.c")
    git(root, "add", "-A")
    found = list(faults(root))
    check(len(found) == 1 and "a symbolic link" in found[0], f"a link gives {found}")


if len(sys.argv) > 1:
    print("\n".join(faults(sys.argv[1])))
    sys.exit()
test_help()
try:
    tracked(".")
except (OSError, subprocess.CalledProcessError):
    skip("this is no clone, or git is not installed (Debian: apt-get install git)")
    finish()
if not yaml:
    skip("workflows are not parsed (Debian: apt-get install python3-yaml)")
test_itself()
wrong = list(faults("."))
check(not wrong, "\n".join(wrong))
finish()
