"""Tables that take too long to measure in a test, as they were measured last: results.txt beside this file. The tools
keep them there, the pages quote them below <!-- results: NAME -->, and tests/tools/tree.py compares. From the
project's root:
    python3 tests/bench/results.py      puts the kept tables into the pages"""
import datetime
import os
import re
import subprocess

FILE = "tests/bench/results.txt"
TABLE = re.compile(r"^(<!-- (.*?) -->)\n((?:\|.*\n)*)", re.M)  # in a page: the mark, its name, the lines below it


def read(path=FILE):
    """{name: (how it was measured, the table)}"""
    with open(path, encoding="utf-8") as f:
        parts = re.findall(r"^## (.*)\n(.*)\n\n((?:\|.*\n)+)", f.read(), re.M)
    return {name: (how, table) for name, how, table in parts}


def pages():
    return subprocess.run(["git", "ls-files", "*.md"], capture_output=True, text=True, check=True).stdout.split()


def quoted(page):
    """The names of the tables that a page quotes."""
    with open(page, encoding="utf-8") as f:
        return re.findall("^<!-- results: (.*?) -->$", f.read(), re.M)


def keep(name, rows, how):
    """Prints a table, and keeps it if a page quotes it. rows: its lines, or the cells of each. how: the command, version,
    machine; today's date is added."""
    lines = [row if isinstance(row, str) else "| " + " | ".join(row) + " |" for row in rows]
    print("\n".join([f"\n{name}:", *lines]))
    if not any(name in quoted(page) for page in pages()):
        return
    kept = read()
    kept[name] = f"{how}; {datetime.date.today().isoformat()}", "\n".join(lines) + "\n"
    with open(FILE, "w", encoding="utf-8") as f:
        f.write("\n".join(f"## {key}\n{told}\n\n{table}" for key, (told, table) in kept.items()))


def machine():
    try:
        with open("/proc/cpuinfo", encoding="ascii") as f:
            return next(line.split(":")[1].strip() for line in f if line.startswith("model name"))
    except (OSError, StopIteration):
        return "unknown"


def here():
    """The version and the machine."""
    told = subprocess.run(["build/perceptron", "--version"], capture_output=True, text=True, check=True).stdout
    return f"{told.splitlines()[0]}; {machine()}, {os.cpu_count()} processors"


def write_pages():
    kept = read()
    for page in pages():
        with open(page, encoding="utf-8") as f:
            old = f.read()
        new = TABLE.sub(lambda m: m[1] + "\n" + kept[m[2][9:]][1] if m[2].startswith("results: ") else m[0], old)
        if new != old:
            with open(page, "w", encoding="utf-8") as f:
                f.write(new)


if __name__ == "__main__":
    write_pages()
