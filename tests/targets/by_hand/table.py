"""Tables of ratio.sh from its figures: the library over the loops by hand, and all over plain loops. Fails if a ratio is
above its limit, if bits differ, or if another loop predicts worse. A limit is what the design aims at; an aim that was missed
stands in REACHED with the ratio that holds."""
import sys

JOBS = ["predict, 4 classes", "predict, 4 classes, 8 bits", "learn two", "learn four", "learn two, integers"]
WHAT = ["predict", "learn, no update", "learn, update"]
TIME = [1.25, 1.25, 1.6, 1.6, 1.5]  # of each job, everywhere
FLASH = {(0, "AVR"): 1.2, (2, "M4F"): 1.8, (2, "AVR"): 2.2,
         (4, "M0"): 1.3, (4, "M4F"): 1.5, (4, "RV32"): 1.8, (4, "AVR"): 1.8}
SMALLEST = {(2, "M4F"): 1.5, (2, "AVR"): 1.8}
REACHED = {
    ("predict", 1, "AVR"): 1.3, ("learn, update", 2, "M4F"): 1.7, ("learn, update", 3, "M4F"): 1.62,
    ("predict", 4, "M4F"): 1.65, ("learn, no update", 4, "M4F"): 1.85, ("learn, no update", 4, "RV32"): 1.68,
    ("learn, update", 4, "RV32"): 1.53,
    ("flash", 0, "AVR"): 1.34, ("flash", 2, "M4F"): 2.54, ("flash", 2, "AVR"): 2.67,
    ("smallest", 2, "M4F"): 1.76, ("smallest", 2, "AVR"): 1.9,
    ("flash", 4, "M0"): 1.66, ("flash", 4, "M4F"): 1.92, ("flash", 4, "RV32"): 3, ("flash", 4, "AVR"): 2.95,
}
OURS = "hand", "library", "smallest", "unrolled", "fast"  # the same bits
# The rows of the comparison with a plain loop, which is each job's first: job, program, label, label in README.md.
PLAIN = [
    (0, "plain", "**predict, 4 classes**: plain loop", ""),
    (0, "hand", "our order by hand", ""),
    (0, "library", "library", "predict four classes"),
    (0, "unrolled", "library, `PERCEPTRON_UNROLL`", ""),
    (0, "fast", "library, `-O2`", ""),
    (0, "exported", "`export --as arrays --predict`", ""),
    (0, "double", "an expression a class, in double (m2cgen)", "predict by code as m2cgen writes it"),
    (0, "float", "the same in float", ""),
    (0, "varargs", "variable arguments (micromlgen)", ""),
    (1, "hand", "**predict, 4 classes, 8 bits**: plain loop", ""),
    (1, "library", "library", ""),
    (1, "exported", "`export --as arrays --predict --bits 8`", ""),
    (2, "plain", "**learn two classes**: plain loop", ""),
    (2, "hand", "our checks and order by hand", ""),
    (2, "library", "library", ""),
    (2, "unrolled", "library, `PERCEPTRON_UNROLL`", ""),
    (3, "plain", "**learn four classes**: plain loop", ""),
    (3, "hand", "our checks and order by hand", ""),
    (3, "library", "library", "learn four classes"),
    (3, "unrolled", "library, `PERCEPTRON_UNROLL`", "the same, `PERCEPTRON_UNROLL`"),
    (3, "fast", "library, `-O2`", ""),
    (4, "plain", "**learn two classes, integers**: plain loop, sums of 64 bits", ""),
    (4, "plain_32", "plain loop, sums of 32 bits, which may overflow", ""),
    (4, "hand", "our checks by hand", ""),
    (4, "library", "library", "learn two classes, integers only"),
]


def figures_of(folder):
    """Of each target, job and program: flash, RAM, and the time of WHAT; of each job all bits that came out; and of each
    target and job how many rows each program predicted rightly."""
    figures, empty, bits, right = {}, {}, {}, {}
    for line in open(folder + "/figures"):
        target, job, whose, *rest = line.split()
        if job == "empty":
            empty[target] = [int(n) for n in rest]
            continue
        numbers = [int(n) for n in rest[:5]]
        figures[target, int(job) - 1, whose] = [n - e for n, e in zip(numbers, empty[target])] + numbers[2:]
        if whose in OURS:
            bits.setdefault(job, set()).add(tuple(rest[5:7]))
        if whose != "exported":  # it has a model of its own
            right.setdefault((target, job), {})[whose] = int(rest[7])
    return figures, list(empty), bits, right


def plain_tables(figures):
    """Lines of the comparison with plain loops, and of the short one."""
    head = " | M0: instructions | flash | M4F: instructions | flash |", "|---|---|---|---|---|"
    lines, short = ["| a row; below a plain loop: times" + head[0], head[1]], ["| times a plain loop" + head[0], head[1]]
    first = {}
    for job, whose, label, brief in PLAIN:
        cells = []
        for target in "M0", "M4F":
            of = figures.get((target, job, whose), figures[target, job, "library"])  # on an M0 the switch does nothing
            took = of[2] if job < 2 else (of[3] + of[4]) / 2
            if (target, job) in first:
                plain, flash = first[target, job]
                cells += [f"{took / plain:.2f}", f"{of[0] / flash:.2f}"]
            else:
                first[target, job] = took, of[0]
                cells += [f"{round(took):,}", f"{of[0]:,}"]
        lines.append(f"| {label} | " + " | ".join(cells) + " |")
        if brief:
            short.append(f"| {brief} | " + " | ".join(cells) + " |")
    return lines, short


def main(folder):
    figures, targets, bits, right = figures_of(folder)
    bad = [f"job {job}: bits {sorted(b)}" for job, b in bits.items() if len(b) != 1]
    bad += [f"{target}, job {job}: rows right {r}" for (target, job), r in right.items() if min(r.values()) < r["hand"] - 8]

    def ratio(target, job, column, whose, aim, label):
        """As a cell; over its limit it is bad."""
        here, hand = figures[target, job, whose][column], figures[target, job, "hand"][column]
        limit = REACHED.get((label, job, target), aim)
        if limit and here > limit * hand:
            bad.append(f"{label}, {JOBS[job]}, {target}: {here} : {hand} = {here / hand:.2f}, more than {limit}")
        missed = aim is not None and here > aim * hand
        return f"{here / hand:.2f}" + (f" (aim {aim:g})" if missed else "")

    def table(name, rows):
        lines = ["| | " + " | ".join(targets) + " |", "|" + "---|" * (len(targets) + 1)]
        lines += [f"| {label} | " + " | ".join(cells) + " |" for label, cells in rows]
        with open(f"{folder}/{name}", "w") as file:
            file.write("\n".join(lines) + "\n")

    rows = [(f"{name}: {what}" if job > 1 else name, [ratio(t, job, 2 + i, "library", TIME[job], what) for t in targets])
            for job, name in enumerate(JOBS) for i, what in enumerate(WHAT) if job > 1 or i == 0]
    rows += [(f"{name}, exported", [ratio(t, job, 2, "exported", TIME[job], "exported") for t in targets])
             for job, name in enumerate(JOBS[:2])]
    table("time", rows)
    table("flash", [(name + ("" if whose == "library" else ", `PERCEPTRON_SMALLEST`"),
                     [ratio(t, job, 0, whose, aims.get((job, t)), "flash" if whose == "library" else whose)
                      for t in targets])
                    for job, name in enumerate(JOBS)
                    for whose, aims in (("library", FLASH), ("smallest", SMALLEST))])
    table("ram", [(name, [f"{figures[t, job, 'library'][1]} : {figures[t, job, 'hand'][1]}" for t in targets])
                  for job, name in enumerate(JOBS) if job > 1])
    for name, lines in zip(("plain", "short"), plain_tables(figures)):
        with open(f"{folder}/{name}", "w") as file:
            file.write("\n".join(lines) + "\n")
    print("\n".join(bad))
    return 1 if bad else 0


sys.exit(main(sys.argv[1]))
