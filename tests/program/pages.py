"""Every command of the pages prints what stands below it, and their programs compile; the page of the five texts has
all that they have, each with a command; what pages count of data and limits is so.

Each command after '$ ' in a block of ```console runs; '...' is any text, in a line of its own any lines; lines after '>
' belong to the command. A block of C whose first line names a file in build/ is saved there. readme.py types README.md
and the first hours. From the project's root; writes only to build/.
"""
import os
import re
import shutil
import subprocess

from cli import OUT, check, finish, skip

TEACHING = "examples/teaching.md"
EXERCISES = "examples/exercises.md"
PAGES = ("examples/perceptron/README.md", "examples/firmware/there_and_back.md", EXERCISES, TEACHING)
ROOT = OUT + "/root"
LINES = 40  # of a program
# What has a number in the five texts, in their order. CIML has no figure 4.5.
TEXTS = (
    "(1), Figure 1, (2), Figure 2, Algorithm 1, Theorem 2.1, (3), Figure 3, Algorithm 2, Algorithm 3",
    "7.1, 7.2, 7.3, Theorem 1",
    "hyperplane, h(x), rules, α, Why, 0/1, Online, Batch, Improving, Voted, Averaged",
    "OR, (3.1), (3.2), Corollary, Weight space, Absolute, Fractional",
    "Figure 4.1, Figure 4.2, (4.1), (4.2), Algorithm 5, Algorithm 6, (4.3), (4.6), Figure 4.3, Figure 4.4, (4.7), Figure 4.6, "
    "Figure 4.7, Figure 4.8, Figure 4.9, Figure 4.10, Figure 4.11, (4.8), (4.9), Theorem 2, (4.17), (4.18), Algorithm 7, "
    "Figure 4.12")
QUESTIONS = 12  # in the margins of CIML


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def commands(block):
    """(command, what it prints) of a block."""
    parts = re.split(r"^\$ (.*\n(?:> .*\n)*)", block, flags=re.M)[1:]
    return [(command.replace("\n> ", "\n"), out) for command, out in zip(parts[::2], parts[1::2])]


def make_root():
    """A root of the project in which nothing has been built but the program."""
    shutil.rmtree(ROOT, ignore_errors=True)
    os.makedirs(ROOT + "/build")
    for name in ("perceptron.h", "examples", "Makefile", "build/perceptron"):
        os.symlink(os.path.abspath(name), os.path.join(ROOT, name))


def test_page(page):
    with open(page, encoding="utf-8") as f:
        text = f.read()
    make_root()
    named = [(re.match(r"// (build/[\w-]+\.[ch])\n", block), block) for block in blocks(text, "c")]
    names = re.findall(r"^cc .*?([\w-]+\.c)\b", text, re.M)
    programs = [block for name, block in named if not name and "int main(" in block]
    check(len(names) == len(programs), f"{page}: its programs are compiled: {names}")
    for name, program in [*zip(names, programs), *((name[1], block) for name, block in named if name)]:
        check(program.count("\n") < LINES, f"{page}: {name} has {program.count(chr(10))} lines, {LINES} or more")
        with open(os.path.join(ROOT, name), "w", encoding="utf-8") as f:
            f.write(program)
    found = re.findall(r"^```sh\n(cc [^\n]*\n)```\n\nIt prints:\n\n```\n(.*?)^```$", text, re.M | re.S)
    found += [pair for block in blocks(text, "console") for pair in commands(block)]
    check(found, f"{page} has commands")
    programs = os.path.abspath(ROOT + "/build")
    environment = dict(os.environ, PATH=programs + os.pathsep + os.environ["PATH"], CFLAGS="-O0")
    for command, expected in found:
        lacks = [tool for tool in ("cc", "make") if command.startswith(tool + " ") and not shutil.which(tool)]
        if lacks:
            skip(f"{lacks[0]} is not installed (Debian: apt-get install gcc make)")
            continue
        done = subprocess.run(command, shell=True, cwd=ROOT, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        missing = re.fullmatch(r"(.*\(Debian: apt-get install .*\)\.)\nmake: .*\n", done.stdout)
        if missing:
            skip(missing[1])
            continue
        pattern = re.escape(expected).replace("\\.\\.\\.\\\n", r"(?:.*\n)?").replace(r"\.\.\.", ".*")
        check(re.fullmatch(pattern, done.stdout, re.S), f"{page}: {command.strip()}\nprints\n{done.stdout}not\n{expected}")


def test_teaching():
    """A row begins with a bold title; what follows holds commands, or says that there is only text."""
    with open(TEACHING, encoding="utf-8") as f:
        text = f.read()
    for name in set(re.findall(r"`(build/figures/\S+)`", text)):
        check(not shutil.which("make") or os.path.exists(os.path.join(ROOT, name)), f"{TEACHING}: there is no {name}")
    sections = re.split(r"^## \d\. .*\n", text, flags=re.M)[1:]
    check(len(sections) == len(TEXTS), f"{TEACHING}: {len(sections)} texts")
    for section, labels in zip(sections, TEXTS):
        rows = re.split(r"^(?=\*\*)", section, flags=re.M)[1:]
        titles = [re.match(r"\*\*(.*?)\*\*", row, re.S)[1] for row in rows]
        for title, row in zip(titles, rows):
            check(bool(blocks(row, "console")) != ("Text only" in row), f"{TEACHING}: '{title}' has no command")
        at, all_titles = 0, " ".join(titles)
        for label in labels.split(", "):
            found = re.search(re.escape(label) + r"(?![\d.]*\d)", all_titles[at:])
            check(found, f"{TEACHING}: '{label}' does not stand in its place")
            at += found.start() if found else 0
    found = len(re.findall(r"\*\*.*?\bexercise\b", sections[-1], re.I))
    check(found == QUESTIONS, f"{TEACHING}: {found} of CIML's {QUESTIONS} exercises")


def test_exercises():
    """Twenty, each with a command that makes its data and one, folded away, that checks the answer; CIML's questions,
    folded away, too. Each of the five texts has some."""
    with open(EXERCISES, encoding="utf-8") as f:
        text = f.read()
    given, questions = text.split("\n## The twelve questions of CIML\n")
    exercises = re.split(r"^### (?=\d+\. )", given, flags=re.M)[1:]
    check([int(exercise.split(".")[0]) for exercise in exercises] == list(range(1, 21)), f"{EXERCISES}: 20 in their order")
    for exercise in exercises:
        parts = re.fullmatch(r"(.*?)\n<details><summary>Answer</summary>\n\n(.*?)\n</details>\n(?:\n## .*\n)?\n?", exercise, re.S)
        check(parts and all(blocks(part, "console") for part in parts.groups()), f"{EXERCISES}: {exercise[:40]}")
    titles = " ".join(exercise.split("\n")[0] for exercise in exercises)
    check(all(name in titles for name in ("Su", "Lecture 7", "Eaton", "Honavar", "CIML")), f"{EXERCISES}: {titles}")
    folded = re.findall(r"^<details><summary>(\d+)\. .*?</summary>\n\n(.*?)^</details>$", questions, re.M | re.S)
    check([int(number) for number, _ in folded] == list(range(1, QUESTIONS + 1)), f"{EXERCISES}: CIML's questions")
    check(all(blocks(answer, "console") for _, answer in folded), f"{EXERCISES}: each has a command")


def lines(name):
    with open(name, encoding="utf-8") as f:
        return f.read().splitlines()


def counts_agree(text, pattern, *numbers):
    """Does the text have the sentence, with these numbers?"""
    found = re.search(pattern.replace("N", r"([\d,]+)"), text)
    return bool(found) and found.groups() == tuple(f"{number:,}" for number in numbers)


def test_counts():
    digits, languages = lines("examples/data/digits.csv"), lines("examples/data/languages.tsv")
    penguins = lines("examples/data/penguins_raw.csv")
    names = "or", "and", "xor", "reviews", "classes", "outlier"
    tables = [len(lines(f"examples/data/{name}.csv")) - 1 for name in names]
    most = re.search(r"^MOST = (\S+)", "\n".join(lines("examples/playground/build.py")), re.M)
    windows = re.search(r"ROWS = (\d+)", "\n".join(lines("examples/firmware/factory.c")))
    for page, pattern, *numbers in (
            ("examples/data/README.md", "N handwritten digits, one a row, N whole", len(digits),
             digits[0].count(",") + 1),
            ("examples/data/README.md", "N penguins, one a row, and N columns", len(penguins) - 1, penguins[0].count(",") + 1),
            ("examples/data/README.md", r"N sentences for \S+, N in each of four", len(languages), len(languages) // 4),
            ("examples/data/README.md", "Tables of N to N rows", min(tables), max(tables)),
            ("examples/playground/README.md", "N handwritten digits", len(digits) - len(digits[::6])),
            ("examples/playground/README.md", "At N KB the build fails", int(most[1]) // 1000),
            ("examples/firmware/README.md", "makes N labelled windows", int(windows[1]))):
        text = "\n".join(lines(page))
        check(counts_agree(text, pattern, *numbers), f"{page}: '{pattern}' is not {numbers}")
        wrong = numbers[0] + 1, *numbers[1:]
        check(not counts_agree(text, pattern, *wrong), f"{page}: '{pattern}' agrees with anything")


def main():
    for page in PAGES:
        test_page(page)
    test_teaching()
    test_exercises()
    test_counts()
    finish()


if __name__ == "__main__":
    main()
