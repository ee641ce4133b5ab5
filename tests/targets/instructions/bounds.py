"""Bounds of what bounds.c has counted, as formulas in n features and K scores: bounds.py TABLE M4F=FILE M0=FILE writes
the table. The slopes are the largest between the shapes SLOPES, and the constant is the least for which the shapes of
FITTED_N and FITTED_K are below; all that, and 2 % more. Then all other shapes must be below, too, and not far below."""
import math
import sys

ROWS = {"float:predict": "floats: predict", "float:keep": "floats: learn, no update", "float:move": "floats: learn, update",
        "averaged:predict": "averaged: predict by the mean", "averaged:keep": "averaged: learn, no update",
        "averaged:move": "averaged: learn, update", "integer:predict": "integers: predict",
        "integer:keep": "integers: learn, no update", "integer:move": "integers: learn, update",
        "bytes:predict": "8 bits: predict"}
SLOPES = (8, 32, 3, 8), (32, 64, 3, 8)  # n, n', K, K'
FITTED_N, FITTED_K = (1, 8, 32, 33, 64), (1, 3, 8)


def fit(t, moves):
    """a, b, c, d of a + b n + (c + d n) K; without an update b is 0."""
    d = max((t[m, l] - t[m, k] - t[n, l] + t[n, k]) / ((m - n) * (l - k)) for n, m, k, l in SLOPES)
    b = moves and max((t[m, k] - t[n, k]) / (m - n) - d * k for n, m, k, l in SLOPES)
    c = max(0, (t[8, 8] - t[8, 3]) / 5 - 8 * d)
    a = max(most - b * n - (c + d * n) * k for (n, k), most in t.items() if n in FITTED_N and k in FITTED_K)
    return [math.ceil(1.02 * max(0, x)) for x in (a, b, c, d)]


def formula(a, b, c, d):
    return f"{a} + {f'{b} n + ' if b else ''}({c} + {d} n) K"


def main():
    counted, passed, failed = {}, 0, 0
    for argument in sys.argv[2:]:
        cpu, file = argument.split("=")
        with open(file, encoding="utf-8") as f:
            for word in (line.split() for line in f if line.startswith("bound ")):
                counted.setdefault((cpu, word[1]), {})[int(word[2]), int(word[3])] = int(word[4])
    lines = ["| instructions a row, at most | M4F | M0 |", "|---|---|---|"]
    for row, label in ROWS.items():
        cells = []
        for cpu in ("M4F", "M0"):
            a, b, c, d = fit(counted[cpu, row], row.endswith("move"))
            cells.append(formula(a, b, c, d))
            for (n, k), most in counted[cpu, row].items():
                times = (a + b * n + (c + d * n) * k) / most
                if 1 <= times <= (1.2 if 8 <= n <= 32 and k > 1 else 2.5):
                    passed += 1
                else:
                    failed += 1
                    print(f"FAIL {cpu}, {label}: n {n}, K {k}: the bound is {times:.3f} of what was counted, {most}")
        lines.append(f"| {label} | " + " | ".join(cells) + " |")
    with open(sys.argv[1], "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    print("\n".join(lines))
    print(f"{passed} passed, {failed} failed")


main()
