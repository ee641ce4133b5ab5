"""The READMEs keep their word. The README's programs compile and print what they should. Each command after '$ ' in a
block of ```console runs, and prints what stands below it: '...' is any text, in a line of its own any lines; lines
after '> ' belong to the command. From the project's root; writes only to build/."""
import os
import re
import shutil
import subprocess

from cli import OUT, check, finish, skip

PAGES = ("README.md", "examples/perceptron/README.md")
ROOT = OUT + "/root"
WORDS, LINES = 1400, 40  # of README.md, and of its programs


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
    for name in ("perceptron.h", "examples", "build/perceptron"):
        os.symlink(os.path.abspath(name), os.path.join(ROOT, name))


def test_page(page):
    with open(page, encoding="utf-8") as f:
        text = f.read()
    make_root()
    names = re.findall(r"^cc .*?([\w-]+\.c)\b", text, re.M)
    programs = [program for program in blocks(text, "c") if "int main(" in program]
    check(len(names) == len(programs), f"{page}: its programs are compiled: {names}")
    for name, program in zip(names, programs):
        check(program.count("\n") < LINES, f"{page}: {name} has {program.count(chr(10))} lines, {LINES} or more")
        with open(os.path.join(ROOT, name), "w", encoding="utf-8") as f:
            f.write(program)
    found = re.findall(r"^```sh\n(cc [^\n]*\n)```\n\nIt prints:\n\n```\n(.*?)^```$", text, re.M | re.S)
    found += [pair for block in blocks(text, "console") for pair in commands(block)]
    check(found, f"{page} has commands")
    for command, expected in found:
        if command.startswith("cc ") and not shutil.which("cc"):
            skip("cc is not installed (Debian: apt-get install gcc)")
            continue
        done = subprocess.run(command, shell=True, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        pattern = re.escape(expected).replace("\\.\\.\\.\\\n", r"(?:.*\n)?").replace(r"\.\.\.", ".*")
        check(re.fullmatch(pattern, done.stdout, re.S), f"{page}: {command.strip()}\nprints\n{done.stdout}not\n{expected}")


def test_length(page):
    """A word is what blanks divide, in code, too."""
    with open(page, encoding="utf-8") as f:
        words = len(f.read().split())
    check(words <= WORDS, f"{page} has {words} words, more than {WORDS}")


for readme in PAGES:
    test_page(readme)
test_length("README.md")
finish()
