"""Tables of ratio.sh from its figures: the library over the loops by hand. Fails if a ratio is above its limit, or if
bits differ. A limit is what the design aims at; an aim that was missed stands in REACHED with the ratio that holds."""
import sys

TARGETS = ["M0", "M4F", "RV32", "AVR"]
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


def figures_of(folder):
    """Of each target, job and program: flash, RAM, and the time of WHAT; and of each job all bits that came out."""
    figures, empty, bits = {}, {}, {}
    for line in open(folder + "/figures"):
        target, job, whose, *rest = line.split()
        if job == "empty":
            empty[target] = [int(n) for n in rest]
            continue
        numbers = [int(n) for n in rest[:5]]
        figures[target, int(job) - 1, whose] = [n - e for n, e in zip(numbers, empty[target])] + numbers[2:]
        if whose != "exported":  # it has a model of its own
            bits.setdefault(job, set()).add(tuple(rest[5:]))
    return figures, bits


def main(folder):
    figures, bits = figures_of(folder)
    bad = [f"job {job}: bits {sorted(b)}" for job, b in bits.items() if len(b) != 1]

    def ratio(target, job, column, whose, aim, label):
        """As a cell; over its limit it is bad."""
        here, hand = figures[target, job, whose][column], figures[target, job, "hand"][column]
        limit = REACHED.get((label, job, target), aim)
        if limit and here > limit * hand:
            bad.append(f"{label}, {JOBS[job]}, {target}: {here} : {hand} = {here / hand:.2f}, more than {limit}")
        missed = aim is not None and here > aim * hand
        return f"{here / hand:.2f}" + (f" (aim {aim:g})" if missed else "")

    def table(name, rows):
        lines = ["| | " + " | ".join(TARGETS) + " |", "|" + "---|" * (len(TARGETS) + 1)]
        lines += [f"| {label} | " + " | ".join(cells) + " |" for label, cells in rows]
        with open(f"{folder}/{name}", "w") as file:
            file.write("\n".join(lines) + "\n")

    rows = [(f"{name}: {what}" if job > 1 else name, [ratio(t, job, 2 + i, "library", TIME[job], what) for t in TARGETS])
            for job, name in enumerate(JOBS) for i, what in enumerate(WHAT) if job > 1 or i == 0]
    rows += [(f"{name}, exported", [ratio(t, job, 2, "exported", TIME[job], "exported") for t in TARGETS])
             for job, name in enumerate(JOBS[:2])]
    table("time", rows)
    table("flash", [(name + ("" if whose == "library" else ", `PERCEPTRON_SMALLEST`"),
                     [ratio(t, job, 0, whose, aims.get((job, t)), "flash" if whose == "library" else whose)
                      for t in TARGETS])
                    for job, name in enumerate(JOBS)
                    for whose, aims in (("library", FLASH), ("smallest", SMALLEST))])
    table("ram", [(name, [f"{figures[t, job, 'library'][1]} : {figures[t, job, 'hand'][1]}" for t in TARGETS])
                  for job, name in enumerate(JOBS) if job > 1])
    print("\n".join(bad))
    return 1 if bad else 0


sys.exit(main(sys.argv[1]))
