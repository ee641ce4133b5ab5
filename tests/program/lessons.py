"""train --trace writes exercises: tables with empty cells and their key, in three forms, and the columns y.s, u, c and
angle beside fractions and doubles."""
import json
import random
import re
import shutil
import subprocess
from fractions import Fraction
from math import acos, degrees, isclose, sqrt

from cli import OUT, check, finish, must, put, refused, skip

OR, AND = "examples/data/or.csv", "examples/data/and.csv"
TRACE = "train", "-q", "--textbook", "--trace"
ODD = put("odd.csv", 'a_b,c|d,"e&f%$#{}~^\\<>",y\n1,0,2,up_|\n0,-3,1,down\n-1,2,-2.5,up_|\n2,2,0,down\n')
# W.X before and w, u, c after each row of OR in two epochs by Algorithm 7 (u of the bias is beta), by hand
SEVEN = [[0, (-1, 0, 0), (-1, 0, 0), 2], [-1, (0, 0, 1), (1, 0, 2), 3], [0, (1, 1, 1), (4, 3, 2), 4],
         [3, (1, 1, 1), (4, 3, 2), 5], [1, (0, 1, 1), (-1, 3, 2), 6], [1, (0, 1, 1), (-1, 3, 2), 7],
         [1, (0, 1, 1), (-1, 3, 2), 8], [2, (0, 1, 1), (-1, 3, 2), 9]]
BEST = {OR: (-1, 2, 2), AND: (-3, 2, 2)}  # by hand: the rows on the margin are as far from each other as can be


# ---- From a table back to its cells ----

def plain(text):
    head, *lines = text.splitlines()
    ends = [m.end() for m in re.finditer(r"\S+(?: \S+)*", head)]  # all columns end at the right
    return [[line[a:b].strip() for a, b in zip([0, *ends], ends)] for line in (head, *lines)]


def unmarked(cell):
    return re.sub(r"\\([^a-zA-Z0-9\s])", r"\1", cell).strip()


def markdown(text):
    head, rule, *lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines()]
    check(len(rule) == len(head) and all(re.fullmatch("---|--:", cell) for cell in rule), f"a rule: {rule}")
    return [[unmarked(cell) for cell in line] for line in (head, *lines)]


def latex(text):
    begin, *lines, end = text.splitlines()
    columns = re.fullmatch(r"\\begin\{tabular\}\{([lr]+)\}", begin)
    check(columns and end == r"\end{tabular}" and lines.pop(1) == r"\hline", f"a tabular: {begin} {end}")
    cells = []
    for line in lines:
        check(line.endswith(r" \\"), f"a line of a tabular: {line}")
        cells.append([cell.replace("$-$", "-").strip() for cell in re.split(r"(?<!\\)&", line[:-3])])
        check(len(cells[-1]) == len(columns[1]), f"as many cells as columns: {line}")
    return [[unmarked(re.sub(r"\\texttt\{\\char(\d+)\}", lambda m: "\\" + chr(int(m[1])), cell)) for cell in line]
            for line in cells]


FORMS = {"plain": plain, "markdown": markdown, "latex": latex}


def parts(*options):
    """The table, and the key if there is one."""
    return must(*TRACE, *options, OUT + "/m").rstrip("\n").split("\n\n")


# ---- Tests ----

def filled(form, n, *options):
    """Empty cells as the key says; what is given, and what follows from nothing, is never empty."""
    whole = plain(parts(*options)[0])
    check(FORMS[form](parts("--as", form, *options)[0]) == whole, f"{form} {options}: the same table")
    table, key = parts("--as", form, "--blank", str(n), "--key", *options)
    check(parts("--as", form, "--blank", str(n), *options) == [table], f"{form} {options}: the key alone is new")
    table = FORMS[form](table)
    key = [re.split(r"\s{2,}", line.strip()) for line in key.splitlines()] if form == "plain" else FORMS[form](key)
    check(key.pop(0) == ["line", "column", "answer"] and len(key) == n, f"{form} {options}: a key of {n} lines: {key}")
    given = whole[0].index(next(name for name in whole[0] if name.startswith("W.X")))
    for line, column, answer in key:
        at = table[0].index(column)
        check(at >= given and table[int(line)][at] == ("_" if form == "plain" else ""), f"{form} {options}: {line} {column}")
        table[int(line)][at] = answer
    check(table == whole, f"{form} {options}: with its key the table is whole: {table} {whole}")
    return key


def test_blanks():
    for form in FORMS:
        for options in (("-e", "2", OR), ("--ys", "-e", "3", AND),
                        ("-a", "averaged", "--stop", "never", "-e", "2", "--sums", OR), ("-e", "2", ODD),
                        ("-e", "1", "examples/data/classes.csv"), ("-a", "arow", "-e", "2", OR),
                        ("-a", "winnow", "-e", "2", OR), ("--batch", "2", "-e", "2", OR)):
            filled(form, 9, *options)
        filled(form, 4 * 7, "-e", "1", OR)  # all that follows from the rows
    refused(1, "--blank 29: of this table 28 cells can be computed", *TRACE, "--blank", "29", "-e", "1", OR, OUT + "/m")
    keys = [filled("plain", 6, "--seed", str(seed), OR) for seed in (1, 2, 3)]
    check(keys[0] != keys[1] != keys[2] and keys[0] == filled("plain", 6, OR), f"the seed draws: {keys}")
    many = put("many.csv", ",".join(f"x{j}" for j in range(13)) + ",y\n" + ",".join("0" * 12 + "1") + ",a\n" +
               ",".join("1" + "0" * 12) + ",b\n")
    wide = must(*TRACE, "-e", "1", "--blank", "10", "--key", many, OUT + "/m").split("\n\n")
    check(wide[0].count("_") == 10, f"lists are cells: {wide}")
    dual = must(*TRACE, "-a", "kernel", "--kernel", "linear", "-e", "2", "--blank", "5", "--key", OR, OUT + "/m")
    check(dual.split("\n\n")[0].count("_") == 5, f"coefficients: {dual}")
    long = put("long.csv", "x,y\n" + "1,1\n-1,0\n" * 600)
    for more in ("--blank", "5"), ("--as", "markdown"):
        check(must(*TRACE, "-e", "1", *more, long, OUT + "/m").count("epoch") == 1, f"one table, however long: {more}")


def test_columns():
    """Algorithm 7 on OR, by hand; y.s of two and of three labels; the angle to a w* that is known."""
    rows = [json.loads(line) for line in must(*TRACE, "--json", "-a", "averaged", "--stop", "never", "-e", "2",
                                              "--sums", "--ys", OR, OUT + "/m").splitlines()[:-1]]
    found = [[row["score"]["1"], tuple(row["w"]["1"].values()), tuple(row["u"]["1"].values()), row["c"]] for row in rows]
    check(found == [list(row) for row in SEVEN], f"Algorithm 7: {found}")
    check([row["ys"] for row in rows] == [row["score"]["1"] * (1 if row["label"] == "1" else -1) for row in rows], "y.s")
    w, u, c = SEVEN[-1][1:]
    mean = [Fraction(a) - Fraction(b, c) for a, b in zip(w, u)]
    shown = [float(line.split(",")[2]) for line in must("show", "--csv", OUT + "/m").splitlines()[1:]]
    check(all(isclose(a, b, rel_tol=1e-6) for a, b in zip(shown, [*mean[1:], mean[0]])), f"w - u / c: {shown} {mean}")
    draw = random.Random(4)
    drawn = [([draw.randint(-3, 3) for _ in range(3)], draw.choice((-1, 1))) for _ in range(9)]
    data = put("drawn.csv", "a,b,c,y\n" + "".join(",".join(map(str, (*x, y))) + "\n" for x, y in drawn))
    rows = [json.loads(line) for line in must(*TRACE, "--json", "-a", "averaged", "--rate", "0.5", "--stop", "never", "-e",
                                              "3", "--sums", data, OUT + "/m").splitlines()[:-1]]
    w, u = [Fraction(0)] * 4, [Fraction(0)] * 4
    for c, (row, (x, y)) in enumerate(zip(rows, drawn * 3), 1):
        if y * sum(a * b for a, b in zip(w, (1, *x))) <= 0:
            w = [a + Fraction(y, 2) * b for a, b in zip(w, (1, *x))]
            u = [a + Fraction(y, 2) * c * b for a, b in zip(u, (1, *x))]
        check(([*row["w"]["1"].values()], [*row["u"]["1"].values()], row["c"]) == (w, u, c + 1), f"u and c: {row} {w} {u}")
    rows = [json.loads(line) for line in must(*TRACE, "--json", "--ys", "-e", "9", "examples/data/classes.csv",
                                              OUT + "/m").splitlines()[:-1]]
    for row in rows:
        best = max(score for label, score in row["score"].items() if label != row["label"])
        check(row["ys"] == row["score"][row["label"]] - best and row["fires"] == (row["ys"] <= 0), f"three labels: {row}")
    for data, best in BEST.items():
        star, *rows = [json.loads(line) for line in must(*TRACE, "--json", "--angle", data, OUT + "/m").splitlines()[:-1]]
        length = sqrt(sum(v * v for v in best))
        check(all(isclose(a, b / length, abs_tol=2e-6) for a, b in zip(star["w*"]["1"].values(), best)), f"w*: {star}")
        for row in rows:
            w = list(row["w"]["1"].values())
            norm = sqrt(sum(v * v for v in w))
            cosine = sum(a * b for a, b in zip(w, best)) / (norm * length) if norm else None
            angle = None if cosine is None else degrees(acos(max(-1, min(1, cosine))))
            check(row["angle"] is None if angle is None else isclose(row["angle"], angle, abs_tol=0.006),
                  f"{data}: {row} {angle}")
        angles = [row["angle"] for row in rows]
        check(any(a < b for a, b in zip(angles, angles[1:])) and angles[-1] < angles[0], f"it may grow, too: {angles}")
    first = put("right.csv", "x,y\n0,0\n1,1\n")
    quiet = must(*TRACE, "--angle", "--zero-class", "negative", "--zero-update", "predicted", first, OUT + "/m")
    check(quiet.splitlines()[4].split()[-1] == "-", f"w = 0 has no angle: {quiet}")


def test_half_bias():
    """An input of the bias of 1/2: the angle is that of the padded rows."""
    padded = put("padded.csv", "".join(f"{line.rsplit(',', 1)[0]},{'h' if k == 0 else 0.5},{line.rsplit(',', 1)[1]}\n"
                                       for k, line in enumerate(open(AND, encoding="utf-8").read().splitlines())))
    angles = [[json.loads(line)["angle"] for line in must(*TRACE, "--json", "--angle", "-B", bias, "-e", "30", data,
                                                          OUT + "/m").splitlines()[1:-1]]
              for bias, data in (("0.5", AND), ("0", padded))]
    check(angles[0] == angles[1], f"-B 0.5: {angles}")


def test_latex():
    """LaTeX takes it."""
    if not shutil.which("pdflatex"):
        skip("pdflatex is not installed (Debian: apt-get install texlive-latex-base)")
        return
    body = must(*TRACE, "--as", "latex", "--blank", "5", "--key", "-e", "2", ODD, OUT + "/m")
    put("table.tex", "\\documentclass{article}\n\\begin{document}\n" + body + "\\end{document}\n")
    done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "table.tex"], cwd=OUT,
                          capture_output=True, text=True)
    check(done.returncode == 0, f"pdflatex: {done.stdout[-500:]}")


def test_refused():
    for says, *options in (
            ("--ys needs --trace", "--ys"), ("--angle needs --trace", "--angle"), ("--sums needs --trace", "--sums"),
            ("--as needs --trace without --json", "--as", "latex"), ("--as needs --trace", "--trace", "--json", "--as", "latex"),
            ("--blank needs --trace", "--blank", "3"), ("--blank needs --trace, and none of", "--trace", "--blank", "3", "--json"),
            ("--key needs --blank", "--trace", "--key"), ("--blank", "--trace", "--blank", "0"),
            ("--as", "--trace", "--as", "html"),
            ("--sums needs --trace, and weights whose mean decides", "--trace", "--sums"),
            ("--angle needs --trace, and weights that are sums", "--trace", "-a", "winnow", "--angle"),
            ("--angle needs --trace, and weights that are sums", "--trace", "-a", "kernel", "--angle")):
        refused(1, says, "train", "--textbook", *options, OR, OUT + "/n")
    refused(2, "--angle: no plane is known that divides these rows", *TRACE, "--angle", "examples/data/xor.csv", OUT + "/n")
    must("train", "-q", "--textbook", "-a", "averaged", OR, OUT + "/start")
    refused(1, "--blank needs", "train", "--resume", OUT + "/start", "--trace", "--blank", "3", OR, OUT + "/n")
    weighted = put("weights", "1\n2\n1\n1\n")
    refused(1, "--blank needs", *TRACE, "--weights", weighted, "--blank", "3", OR, OUT + "/n")


for test in (test_blanks, test_columns, test_half_bias, test_latex, test_refused):
    test()
finish()
