"""Log-loss of train --probabilities beside scikit-learn's LogisticRegression, on the sets of the folder PCN_DATA and on
made ones, and what the probabilities of made rows are worth. From the project's root:
    PCN_DATA=/folder python3 tests/bench/probability.py [SET...]
Both learn and are tested on the same rows. LogisticRegression has its defaults (C = 1, lbfgs), until it converges. Its
columns have mean 0 and deviation 1, its words are 0 or 1 in tables, and tf-idf of texts. A run of all sets keeps the
page's tables in results.txt."""
import csv
import json
import lzma
import math
import os
import random
import subprocess
import sys

import results

OUT = "build/bench_probability"
LEAST = 1500  # rows from which the worst counts
SKLEARN = """
import csv, json, sys, warnings
import numpy
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_svmlight_files
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder, StandardScaler
warnings.filterwarnings("ignore")
kind, *files, out = sys.argv[1:]
if kind in ("dense", "sparse"):
    x, y, tx, ty = load_svmlight_files(files)
    if kind == "dense":
        scale = StandardScaler().fit(x.toarray())
        x, tx = (scale.transform(rows.toarray()) for rows in (x, tx))
    y = [str(int(v)) for v in y]
elif kind == "text":
    parts = [[line.rstrip("\\n").split("\\t", 1) for line in open(name, encoding="utf-8")] for name in files]
    weigh = TfidfVectorizer().fit([text for _, text in parts[0]])
    x, tx = (weigh.transform([text for _, text in rows]) for rows in parts)
    y = [label for label, _ in parts[0]]
else:
    parts = [numpy.array(list(csv.reader(open(name, encoding="utf-8")))[1:], dtype=object) for name in files]
    words = [j for j, v in enumerate(parts[0][0][:-1]) if not v.replace(".", "").replace("-", "").isdigit()]
    others = [j for j in range(len(parts[0][0]) - 1) if j not in words]
    make = ColumnTransformer([("n", StandardScaler(), others), ("w", OneHotEncoder(handle_unknown="ignore"), words)])
    x, tx = make.fit_transform(parts[0][:, :-1]), make.transform(parts[1][:, :-1])
    y = list(parts[0][:, -1])
if kind in ("sparse", "text"):
    learned = numpy.flatnonzero(x.getnnz(axis=0))  # what no row has gets no weight, and takes time
    x, tx = x[:, learned], tx[:, learned]
model = LogisticRegression(max_iter=2000).fit(x, y)
with open(out, "w") as f:
    json.dump([list(map(str, model.classes_)), model.predict_proba(tx).tolist()], f)
"""


# ---- Sets: a name, its kind, the lines to learn from and those to test on ----

def lines_of(name):
    path = os.path.join(os.environ["PCN_DATA"], name)
    with open(path, "rb") if os.path.exists(path) else lzma.open(path + ".xz") as f:
        return f.read().decode().splitlines()


def drawn(lines, count, seed=1):
    return random.Random(seed).sample(lines, min(count or len(lines), len(lines)))


def relabelled(lines, kind, name_of):
    """The same rows with other labels."""
    if kind == "csv":
        return [f"{rest},{name_of(label)}" for rest, label in (line.rsplit(",", 1) for line in lines)]
    blank = "\t" if kind == "text" else " "
    return [f"{name_of(label)}{blank}{rest}" for label, rest in (line.split(blank, 1) for line in lines)]


def parted(lines, test, seed):
    """A seventh, or so, for the test."""
    mixed = drawn(lines, 0, seed)
    return mixed[test:], mixed[:test]


def number(line):
    return str(int(float(line)))


def given_sets():
    """(name, kind, rows to learn from, those to test on, how many are learned: 0 is all)"""
    def part(name, test="test"):
        return lines_of(name.replace("*", "train")), lines_of(name.replace("*", test))
    letter, shuttle, spam, vehicle = (part(f"{name}.*.svm") for name in ("letter", "shuttle", "spam", "vehicle"))
    for name, (learned, test), counts in (("letter", letter, (300, 1500, 5000, 0)), ("shuttle", shuttle, (300, 1500, 5000, 0)),
                                          ("spam", spam, (300, 1500, 0)), ("vehicle", vehicle, (300, 0)),
                                          ("sonar", part("sonar.*.svm"), (0,))):
        yield name, "dense", learned, test, counts
    for name, file, test, counts in (("agaricus", "agaricus.*.svm", "test", (300, 1500)), ("rcv1small", "rcv1small.*.svm", "test", (300, 0)),
                                     ("sms", "sms.*.tfidf.svm", "test", (300, 1500, 0)), ("ewt", "ewt.*.svm", "dev", (300, 1500, 5000))):
        yield name, "sparse", *part(file, test), counts
    diamonds = [lines[1:] for lines in part("diamonds.*.csv")]
    yield "diamonds", "csv", *diamonds, (300, 1500, 5000, 0)
    digits = parted(lines_of("digits.csv"), 450, 5)
    yield "digits", "csv", *digits, (300, 0)
    texts = parted(lines_of("debstream.tsv"), 20000, 9)
    yield "debstream", "text", *texts, (1500, 5000)
    yield "heart", "dense", *parted(lines_of("heart_scale.svm"), 70, 5), (0,)
    for name, kind, parts, name_of, counts in (
            ("letter, first half", "dense", letter, lambda v: int(int(float(v)) <= 13), (500, 1500, 5000, 0)),
            ("letter, E", "dense", letter, lambda v: int(int(float(v)) == 5), (500, 1500, 5000, 0)),
            ("shuttle, 7", "dense", shuttle, lambda v: int(int(float(v)) == 7), (500, 1500, 5000)),
            ("diamonds, Ideal", "csv", diamonds, lambda v: "yes" if v == "Ideal" else "no", (500, 1500, 5000)),
            ("diamonds, Good", "csv", diamonds, lambda v: "yes" if v == "Good" else "no", (500, 1500, 5000)),
            ("debstream, python", "text", texts, lambda v: "yes" if v == "python" else "no", (1500, 5000)),
            ("digits, even", "csv", digits, lambda v: "yes" if v in "02468" else "no", (0,)),
            ("vehicle, 1", "dense", vehicle, lambda v: int(int(float(v)) == 1), (0,))):
        yield name, kind, *(relabelled(lines, kind, name_of) for lines in parts), counts
    for seed in 11, 12, 13:
        yield f"spam, split {seed}", "dense", *parted(spam[0] + spam[1], 2600, seed), (0,)


def made(classes, wrong, count, seed, rare=0):
    """Rows of a table: clouds with ten columns, a share of whose labels is drawn anew. rare: the share of all labels but one."""
    dice, at = random.Random(seed), random.Random(classes)
    centres = [[at.gauss(0, 0.7) for _ in range(10)] for _ in range(classes)]
    rows = []
    for _ in range(count):
        k = dice.choices(range(classes), [1 - rare, *[rare / (classes - 1)] * (classes - 1)] if rare else range(2, classes + 2))[0]
        x = [dice.gauss(c, 1) for c in centres[k]]
        if dice.random() < wrong:
            k = dice.randrange(classes)
        rows.append(",".join(f"{v:.3f}" for v in x) + f",{'abcdefgh'[k]}")
    return rows


def made_sets():
    for classes in 2, 3, 5:
        for wrong in 0, 0.1, 0.2:
            name = f"made, {classes} labels" + (f", {wrong:.0%} drawn" if wrong else "")
            yield name, "csv", made(classes, wrong, 20000, 1), made(classes, wrong, 40000, 2), (300, 1500, 5000, 0)
        yield f"made, {classes} labels, rare", "csv", made(classes, 0.1, 20000, 1, 0.05), made(classes, 0.1, 40000, 2, 0.05), (300, 1500, 5000)


def cells():
    """(name, kind, rows to learn from, those to test on)"""
    for name, kind, learned, test, counts in [*given_sets(), *made_sets()]:
        for count in counts:
            rows = drawn(learned, count)
            yield f"{name} {len(rows)}", kind, rows, drawn(test, 40000 if name.startswith("made") else 12000, 2)


# ---- What both say ----

def put(name, kind, lines):
    if kind == "csv":
        lines = [",".join([*(f"c{j}" for j in range(lines[0].count(","))), "label"]), *lines]
    with open(os.path.join(OUT, name), "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    return f.name


def labels_of(kind, lines):
    if kind in ("dense", "sparse"):
        return [number(line.split(" ", 1)[0]) for line in lines]
    return [line.rsplit(",", 1)[1] if kind == "csv" else line.split("\t", 1)[0] for line in lines]


def ours(kind, learned, test):
    """The labels, and the probabilities of each row."""
    given = ["--text"] if kind == "text" else []
    subprocess.run(["build/perceptron", "train", "-q", "--force", "--probabilities", *given, learned, OUT + "/model"], check=True,
                   stderr=subprocess.DEVNULL)
    told = subprocess.run(["build/perceptron", "predict", "-q", "--probabilities", test, OUT + "/model"], capture_output=True, text=True)
    head, *rows = csv.reader(told.stdout.splitlines(), delimiter=" ")
    names = [number(v) for v in head[1:]] if kind in ("dense", "sparse") else head[1:]
    return names, [list(map(float, row[1:])) for row in rows]


def theirs(kind, learned, test):
    subprocess.run(["/usr/bin/python3", "-c", SKLEARN, kind, learned, test, OUT + "/theirs"], check=True)
    with open(OUT + "/theirs", encoding="ascii") as f:
        return json.load(f)


def log_loss(truth, names, p, known):
    """Of rows whose label was learned."""
    of = {name: k for k, name in enumerate(names)}
    losses = [-math.log(max(row[of[label]], 1e-6)) for label, row in zip(truth, p, strict=True) if label in known]
    return sum(losses) / len(losses)


def furthest_bin(truth, names, p):
    """By how much the label of a row comes oftener or seldomer than its probability says: the worst tenth of all labels'
    probabilities, of those with 1,000 rows or more."""
    worst = 0.0
    for k, name in enumerate(names):
        bins = [[0, 0.0, 0] for _ in range(10)]
        for label, row in zip(truth, p, strict=True):
            of = bins[min(int(10 * row[k]), 9)]
            of[0] += 1
            of[1] += row[k]
            of[2] += label == name
        worst = max([worst, *(abs(sure - so) / n for n, sure, so in bins if n >= 1000)])
    return worst


# ---- Tables ----

def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def measure(only):
    """Rows of a table, and of each set its number of rows, of labels, and the ratio."""
    rows, found = [], []
    for name, kind, learned, test in cells():
        if only and not any(name.startswith(some) for some in only):
            continue
        files = put("learned", kind, learned), put("test", kind, test)
        truth, known = labels_of(kind, test), set(labels_of(kind, learned))
        said = ours(kind, *files)
        loss, other = (log_loss(truth, *both, known) for both in (said, theirs(kind, *files)))
        bins = f"{furthest_bin(truth, *said):.3f}" if name.startswith("made") else ""
        rows.append([name, str(len(known)), f"{loss:.4f}", f"{other:.4f}", f"{loss / other:.3f}", bins])
        found.append((len(learned), len(known), loss / other))
        print(" | ".join(rows[-1]), flush=True)
    return rows, found


def summary(found):
    yield ["log-loss, times that of LogisticRegression", "sets", "mean", "worst"]
    yield "|---" * 4 + "|"
    for name, fits in (("two labels, 1,500 rows or more", lambda n, k: n >= LEAST and k == 2),
                       ("several labels, 1,500 rows or more", lambda n, k: n >= LEAST and k > 2),
                       ("two labels, fewer rows", lambda n, k: n < LEAST and k == 2),
                       ("several labels, fewer rows", lambda n, k: n < LEAST and k > 2), ("all", lambda n, k: True)):
        ratios = [ratio for n, k, ratio in found if fits(n, k)]
        if ratios:
            yield [name, str(len(ratios)), f"{mean(ratios):.3f}", f"{max(ratios):.3f}"]


def main(only):
    if "PCN_DATA" not in os.environ:
        sys.exit("probability.py: PCN_DATA must name the folder with the data sets")
    os.makedirs(OUT, exist_ok=True)
    rows, found = measure(only)
    if not only:
        results.keep("log-loss", list(summary(found)), "PCN_DATA=/folder python3 tests/bench/probability.py; " + results.here())


if __name__ == "__main__":
    main(sys.argv[1:])
