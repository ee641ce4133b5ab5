"""The program's counts on larger sets are those of an independent float64 implementation: updates of every epoch, test
errors of last and averaged weights.

Of Winnow: last weights. The data lie in the folder PCN_DATA (reference/*.json beside the sets); without it the tests
are skipped. A count is not compared where the reference met a score so small, beside its largest, that rounding to 32
bits decides: min_abs_score below 2^-18 of max_abs_score.
"""
import json
import math
import os
import random
import subprocess
import sys

sys.path.insert(0, "tests/bench")
from cli import OUT, PROGRAM, WHOLE, as_table, check, finish, short, skip
from errors import find

DATA = os.environ.get("PCN_DATA")
LARGE = "rcv1small", "sms_tfidf", "agaricus", "ewt", "shuttle", "UD English", "diamonds", "Diamonds", "a plane"  # not in the short form
COMMON = ["--textbook", "--order", "file", "--stop", "never", "--json", "-q"]
KINDS = {
    "binary": ["--zero-class", "negative"],
    "top": ["--update", "predicted", "--zero-update", "predicted"],
    "uni": ["--update", "uniform"],
    "ovr": ["--update", "one-vs-rest", "--zero-class", "negative"],
}
FEATURES = {"agaricus": 127, "sms": 7823}
WINNOW = {
    "winnow1": ["--zero-update", "predicted", "--binarize"],
    "winnow2": ["--zero-update", "predicted", "--binarize"],
    "bwinnow": ["-a", "balanced-winnow", "--zero-class", "negative", "--binarize"],
    "winexp": ["-a", "winnow", "--zero-class", "negative"],
    "egpm": ["-a", "balanced-winnow", "--zero-class", "negative"],
}


def is_left_out(name):
    return not WHOLE and any(large in name for large in LARGE)


def equal(what, got, expected):
    check(got == expected, f"{what}: {got}, the reference has {expected}")


def train(arguments, data, test):
    arguments = [PROGRAM, "train"] + arguments + (["-t", find(test)] if test else [])
    run = subprocess.run(arguments + [find(data), OUT + "/model"], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{arguments}: {run.stderr}")
    return json.loads(run.stdout)


def compare(name, reference):
    """All biases, updates and numbers of epochs of one reference file."""
    for case, runs in reference.items():
        if not isinstance(runs, dict):
            continue
        bias, _, update = case.partition("_")
        options = COMMON + KINDS[update or "binary"] + ["-B", "1" if bias == "bias" else "0"]
        for epochs, expected in runs.items():
            what = f"{name} {case} {epochs}"
            lowest = expected.get("min_abs_score", expected.get("min_abs_margin"))
            if lowest < expected["max_abs_score"] * 2.0**-18:
                skip(f"{what}: rounding decides there")
                continue
            arguments = options + ["-e", epochs.partition("_")[2]]
            test = reference["test"]
            last = train(arguments + ["-a", "perceptron"], reference["train"], test)
            equal(what, [e["updates"] for e in last["epochs"]], expected["per_epoch"])
            if test:
                mean = train(arguments + ["-a", "averaged"], reference["train"], test)
                equal(what + " averaged updates", [e["updates"] for e in mean["epochs"]],
                      expected["per_epoch"])
                equal(what + " test", last["test"]["errors"], expected["test_err"])
                equal(what + " averaged test", mean["test"]["errors"], expected["avg_test_err"])
            if test and "voted_test_err" in expected:
                voted = train(arguments + ["-a", "voted"], reference["train"], test)
                equal(what + " voted updates", [e["updates"] for e in voted["epochs"]],
                      expected["per_epoch"])
                equal(what + " voted test", voted["test"]["errors"], expected["voted_test_err"])


def compare_kernel(reference):
    """Cases named set_poly_D or set_rbf_G."""
    for case, runs in reference.items():
        if not isinstance(runs, dict):
            continue
        data, kernel, number = case.rsplit("_", 2)
        options = ["-a", "kernel", "-B", "0", "--zero-class", "negative", "--kernel", kernel]
        options += (["--degree", number, "--gamma", "1", "--coef0", "1"] if kernel == "poly" else
                    ["--gamma", number])
        names = ["heart_scale.svm"] * 2
        if data != "heart_scale":
            names = [f"{data}.{part}.svm" for part in ("train", "test")]
        for epochs, expected in runs.items():
            what = f"{case} {epochs}"
            for decision, errors in (("last", "test_err"), ("averaged", "avg_test_err")):
                result = train(COMMON + options + ["-e", epochs.partition("_")[2], "--decision",
                                                   decision], *names)
                equal(f"{what} {decision} test", result["test"]["errors"], expected[errors])
            equal(what, [e["updates"] for e in result["epochs"]], expected["per_epoch"])
            equal(what + " vectors", result["support_vectors"], expected["support_vectors"])


def signed(name, features):
    """A copy of a set of 0/1 features with -1 for every absent one."""
    with open(find(name)) as rows:
        lines = [row.split() for row in rows]
    copy = os.path.abspath(os.path.join(OUT, "signed." + name))
    with open(copy, "w") as out:
        for label, *words in lines:
            present = {int(word.partition(":")[0]) for word in words}
            values = (f"{i}:{1 if i in present else -1}" for i in range(1, features + 1))
            out.write(label + " " + " ".join(values) + "\n")
    return copy


def compare_winnow(reference):
    """Cases named set_kind_aA_tT: A the factor or eta, T the threshold as a share of the features."""
    for case, runs in reference.items():
        if not isinstance(runs, dict):
            continue
        data, kind, step, share = case.split("_")
        features = FEATURES[data]
        options = WINNOW[kind] + ["--alpha" if kind in ("winnow1", "winnow2", "bwinnow") else "--eta",
                                  step[1:], "--threshold", repr(float(share[1:]) * features)]
        if kind in ("winnow1", "winnow2"):
            options += ["-a", kind]
        names = [f"{data}.{part}.svm" for part in ("train", "test")]
        if kind == "winexp":
            names = [signed(name, features) for name in names]
        for epochs, expected in runs.items():
            last = train(COMMON + options + ["-e", epochs.partition("_")[2]], *names)
            what = f"{case} {epochs}"
            equal(what, [e["updates"] for e in last["epochs"]], expected["per_epoch"])
            equal(what + " test", last["test"]["errors"], expected["test_err"])


def page_table():
    """The table of test errors of the program's page is what training by its options gives."""
    with open("examples/data/digits.csv", encoding="ascii") as f:
        rows = f.readlines()
    for part, of in ("train", [row for i, row in enumerate(rows) if i % 6]), ("test", rows[::6]):
        with open(f"{OUT}/digits.{part}.csv", "w", encoding="ascii") as f:
            f.writelines(of)
    digits = [os.path.abspath(f"{OUT}/digits.{part}.csv") for part in ("train", "test")]
    files = {"digits": digits, "Diamonds": ["diamonds.train.csv", "diamonds.test.csv"],
             "UD English EWT": ["ewt.train.svm", "ewt.dev.svm"], "Spambase": ["spam.train.svm", "spam.test.svm"]}
    with open("examples/perceptron/README.md", encoding="utf-8") as f:
        table = f.read().split("<!-- page_table: tests/others/references.py -->\n")[1].split("\n\n")[0]
    for what, options, error in (row.strip("| ").split(" | ") for row in table.splitlines()[2:]):
        if what != "the same":
            data = next(names for start, names in files.items() if what.startswith(start))
        if is_left_out(data[0]):
            continue
        told = train(["--json", "-q", *(options.split("`")[1].split() if "`" in options else [])], *data)
        equal(f"the page's {data[0]}, {options}", f"{100 * (1 - told['test']['accuracy']):.2f} %", error)
        if what != "the same":
            of = f"({told['rows']:,} / {told['test']['rows']:,})"
            equal(f"the page's rows of {data[0]}", of, what[what.index("("):])


def streams():
    """The streams of the page's table of two learners: what they are called there, and their rows."""
    def table(name, features):
        with open(find(name), encoding="ascii") as f:
            return [line.split(",") for line in as_table(f.read(), features).splitlines()]

    def text(rows):
        return "".join(",".join(row) + "\n" for row in rows)
    draw, letter, runs = random.Random(1), table("letter.train.svm", 16), {}
    for row in letter:
        runs.setdefault(row[-1], []).append(row)
    runs = [some[i:i + 100] for some in runs.values() for i in range(0, len(some), 100)]
    draw.shuffle(runs)
    yield "letter in", text(letter)
    yield "letter, runs", text(row for some in runs for row in some)
    with open(find("ewt.train.svm"), encoding="ascii") as f:
        yield "UD English EWT", f.read()
    yield "shuttle by time", text(sorted(table("shuttle.train.svm", 9), key=lambda row: float(row[0])))
    yield "Spambase by", text(sorted(table("spam.train.svm", 57), key=lambda row: float(row[56])))
    with open(find("diamonds.train.csv"), encoding="ascii") as f:
        names, *rows = f.read().splitlines(True)
    swap = {"Ideal": "Fair", "Fair": "Ideal"}
    half = [line.rstrip("\n").rpartition(",") for line in rows[20000:]]
    yield "diamonds, whose", names + "".join(rows[:20000]) + "".join(f"{x},{swap.get(y, y)}\n" for x, _, y in half)
    a, b = ([draw.gauss(0, 1) for _ in range(8)] for _ in "ab")
    lines = []
    for k in range(30000):
        x, turn = [draw.gauss(0, 1) for _ in range(8)], math.pi / 2 * k / 2000
        side = sum((math.cos(turn) * u + math.sin(turn) * v) * w for u, v, w in zip(a, b, x)) > 0
        lines.append(f"{int(side != (draw.random() < 0.1))} " + " ".join(f"{j + 1}:{v:.4f}" for j, v in enumerate(x)) + "\n")
    yield "a plane that turns", "".join(lines)


def streams_table():
    """The table of streams of the program's page is what their progressive errors are."""
    with open("examples/perceptron/README.md", encoding="utf-8") as f:
        table = f.read().split("<!-- streams_table: tests/others/references.py -->\n")[1].split("\n\n")[0]
    rows = [row.strip("| ").split(" | ") for row in table.splitlines()[2:]]
    for (start, text), (what, *errors) in zip(streams(), rows, strict=True):
        with open(OUT + "/stream", "w", encoding="utf-8") as f:
            f.write(text)
        if is_left_out(start):
            continue
        got = []
        for learner in ["-a", "arow"], ["-a", "averaged"], []:
            told = train(["--force", "--json", "-q", "--online", "--predict", OUT + "/said", *learner], os.path.abspath(OUT + "/stream"), None)
            got.append(f"{100 * told['progressive']['errors'] / told['rows']:.2f}")
        check(what.startswith(start), f"the page's streams: {what}, not {start}")
        equal(f"the page's stream {what}", got, errors)


def main():
    if not DATA:
        skip("PCN_DATA names no folder with reference data")
        finish()
    short(f"sets without {', '.join(LARGE)}")
    folder = os.path.join(DATA, "reference")
    for name in sorted(os.listdir(folder)):
        if name.startswith(("bin_", "mul_")) and not is_left_out(name):
            with open(os.path.join(folder, name)) as f:
                compare(name, json.load(f))
    with open(os.path.join(folder, "winnow.json")) as f:
        compare_winnow(json.load(f))
    with open(os.path.join(folder, "kernel.json")) as f:
        compare_kernel(json.load(f))
    page_table()
    streams_table()
    finish()


main()
