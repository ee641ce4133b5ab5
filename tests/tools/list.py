"""Which test holds what: the tables of tests/README.md, made from the first paragraph of each test's first comment.

    python3 tests/tools/list.py FOLDER          the table of tests/FOLDER
    python3 tests/tools/list.py --write         all tables anew, in tests/README.md (make tests-list)
    python3 tests/tools/list.py --find WORD...  the cases, functions of tests, that have all of the words (make tests-list W=...)
"""
import os
import re
import subprocess
import sys

PAGE = "tests/README.md"
MARK = "<!-- prints: python3 tests/tools/list.py {} -->"


def jobs(part):
    """The names of the tests that a part of tests/run.sh has."""
    said = subprocess.run(["sh", "tests/run.sh", "jobs", part], capture_output=True, text=True, check=True).stdout
    return {job.split(":")[0] for job in said.split()}


def text_of(name):
    with open(name, encoding="utf-8") as f:
        return f.read()


def plain(comment):
    """A comment's paragraphs, each in one line."""
    lines = [re.sub(r"^ ?[*#] ?", "", line).strip() for line in comment.strip().split("\n")]
    return [" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", "\n".join(lines)) if paragraph.strip()]


def first_comment(name):
    text = re.sub(r"^#!.*\n", "", text_of(name))
    if name.endswith(".sh"):
        found = re.match(r"((?:#.*\n)+)", text)
        return plain("\n".join(line[1:] for line in found[1].split("\n"))) if found else []
    found = re.search(r'"""(.*?)"""' if name.endswith(".py") else r"/\*(.*?)\*/", text, re.S)
    return plain(found[1]) if found else []


def tests(folder):
    """(name, file) of the tests of a folder; a name may have a script and what it runs."""
    names = jobs("all")
    for file in sorted(os.listdir(f"tests/{folder}")):
        name, kind = os.path.splitext(file)
        scripted = any(os.path.exists(f"tests/{folder}/{name}{other}") for other in (".sh", ".py"))
        if name in names and kind in (".sh", ".py", ".c") and not (kind == ".c" and scripted):
            yield name, f"tests/{folder}/{file}"


def table(folder):
    fast = jobs("test")
    yield "| what has to be so | test |\n|---|---|\n"
    for name, file in tests(folder):
        what = (first_comment(file) or [""])[0].replace("|", "\\|")
        yield f"| {what} | `{name}`{'' if name in fast else ' *'} |\n"


# Where a case begins: its comment, its name.
CASE = {
    ".py": r'^def (?P<name>\w+)\(.*\):\n(?: +"""(?P<says>[^"]*)""")?',
    ".sh": r"^(?P<says># .*\n(?:# .*\n)*)?(?P<name>\w+)\(\) \{",
    ".c": r"^(?:/\*(?P<says>(?:[^*]|\*(?!/))*)\*/\n)?static [^=;{}]*?(?P<name>\w+)\([^;{]*\)\n\{",
}


def cases(name):
    """(line, function, comment, its text) of a test; first what the test itself says."""
    text = text_of(name)
    found = list(re.finditer(CASE[os.path.splitext(name)[1]], text, re.M))
    yield 1, "", " ".join(first_comment(name)[:1]), ""
    for m, after in zip(found, [m.start() for m in found[1:]] + [len(text)]):
        yield text.count("\n", 0, m.start()) + 1, m["name"], " ".join(plain(m["says"] or "")), text[m.start():after]


def find(words):
    for folder in sorted(os.listdir("tests")):
        for _, file in tests(folder) if os.path.isdir(f"tests/{folder}") else ():
            for line, function, comment, body in cases(file):
                if all(word.lower() in f"{comment} {body}".lower() for word in words):
                    print(f"{file}:{line}: {': '.join(filter(None, (function, comment)))}")


def write():
    text = text_of(PAGE)
    for folder in re.findall(MARK.format(r"(\w+)"), text):
        mark = MARK.format(folder)
        text = re.sub(re.escape(mark) + r"\n(?:\|.*\n)*", lambda _: mark + "\n" + "".join(table(folder)), text)
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(text)


if __name__ == "__main__":
    if sys.argv[1] == "--find":
        find(sys.argv[2:])
    elif sys.argv[1] == "--write":
        write()
    else:
        print("".join(table(sys.argv[1])), end="")
