"""Log-loss of train --probabilities beside scikit-learn's LogisticRegression, on the sets of the folder PCN_DATA and on
made ones, and what the probabilities of made rows are worth. From the project's root:
    PCN_DATA=/folder python3 tests/bench/probability.py [SET...]
Both learn and are tested on the same rows. LogisticRegression has its defaults (C = 1, lbfgs), until it converges. Its
columns have mean 0 and deviation 1, its words are 0 or 1 in tables, and tf-idf of texts. A run of all sets keeps the
page's tables in results.txt."""
import collections
import csv
import itertools
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
MADE_ROWS = 300, 1500, 5000, 20000
IN_BIN = 2500  # of 100,000 tested rows
Result = collections.namedtuple("Result", "name kind count rows labels ratio bins")  # count: of rows as asked for, 0 is all
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
        for told, wrong, rare in ("", 0, 0), (", 10 % drawn anew", 0.1, 0), (", 20 % drawn anew", 0.2, 0), (", one of 95 %, 10 % drawn anew", 0.1, 0.05):
            yield (f"made, {classes} labels{told}", "csv", made(classes, wrong, MADE_ROWS[-1], 1, rare), made(classes, wrong, 100000, 2, rare),
                   MADE_ROWS)


def cells():
    """(name, how many rows are asked for, kind, rows to learn from, those to test on)"""
    for name, kind, learned, test, counts in itertools.chain(given_sets(), made_sets()):
        for count in counts:
            yield name, count, kind, drawn(learned, count), test if name.startswith("made") else drawn(test, 12000, 2)


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
    probabilities, of those with IN_BIN rows or more."""
    worst = 0.0
    for k, name in enumerate(names):
        bins = [[0, 0.0, 0] for _ in range(10)]
        for label, row in zip(truth, p, strict=True):
            of = bins[min(int(10 * row[k]), 9)]
            of[0] += 1
            of[1] += row[k]
            of[2] += label == name
        worst = max([worst, *(abs(sure - so) / n for n, sure, so in bins if n >= IN_BIN)])
    return worst


# ---- Tables ----

def measure(only):
    """A result of each set."""
    for name, count, kind, learned, test in cells():
        if only and not any(name.startswith(some) for some in only):
            continue
        files = put("learned", kind, learned), put("test", kind, test)
        truth, known = labels_of(kind, test), set(labels_of(kind, learned))
        both = ours(kind, *files), theirs(kind, *files)
        losses = [log_loss(truth, *said, known) for said in both]
        bins = [furthest_bin(truth, *said) for said in both] if name.startswith("made") else []
        print(f"{name}, {len(learned)} rows, {len(known)} labels: {losses[0]:.4f} and {losses[1]:.4f}, {losses[0] / losses[1]:.3f}",
              *(f"{b:.3f}" for b in bins), flush=True)
        yield Result(name, kind, count, len(learned), len(known), losses[0] / losses[1], bins)


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def of_sets(found):
    yield ["log-loss, times that of LogisticRegression", "sets", "mean", "worst", "which"]
    yield "|---" * 5 + "|"
    table, given = lambda r: r.kind in ("dense", "csv"), [r for r in found if not r.name.startswith("made")]
    for name, fits in (("tables of two labels, 1,500 rows or more", lambda r: table(r) and r.rows >= LEAST and r.labels == 2),
                       ("tables of several, 1,500 rows or more", lambda r: table(r) and r.rows >= LEAST and r.labels > 2),
                       ("tables of fewer rows", lambda r: table(r) and r.rows < LEAST),
                       ("texts and sparse rows", lambda r: not table(r)), ("all", lambda r: True)):
        some = [r for r in given if fits(r)]
        worst = max(some, key=lambda r: r.ratio)
        yield [name, str(len(some)), f"{mean([r.ratio for r in some]):.3f}", f"{worst.ratio:.3f}", f"{worst.name}, {worst.rows} rows"]


def of_made(found):
    """With all rows also how far bins are off, and those of LogisticRegression."""
    counts = MADE_ROWS
    yield ["made rows", *(f"{count:,} rows" for count in counts), *(f"bins, {count:,}" for count in counts), f"LogisticRegression, {counts[-1]:,}"]
    yield "|---" * (2 + 2 * len(counts)) + "|"
    for name in dict.fromkeys(r.name for r in found if r.name.startswith("made")):
        some = {r.count: r for r in found if r.name == name}
        yield [name.removeprefix("made, "), *(f"{some[c].ratio:.3f}" for c in counts), *(f"{some[c].bins[0]:.3f}" for c in counts),
               f"{some[counts[-1]].bins[1]:.3f}"]


def main(only):
    if "PCN_DATA" not in os.environ:
        sys.exit("probability.py: PCN_DATA must name the folder with the data sets")
    os.makedirs(OUT, exist_ok=True)
    found, how = list(measure(only)), "PCN_DATA=/folder python3 tests/bench/probability.py; " + results.here()
    if not only:
        results.keep("log-loss", list(of_sets(found)), how)
        results.keep("log-loss, made", list(of_made(found)), how)


if __name__ == "__main__":
    main(sys.argv[1:])
