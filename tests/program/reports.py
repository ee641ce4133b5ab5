"""What predict and test say of a model is what its definition says: accuracy, confusion, ROC curves, scores and their
header, thresholds."""
import csv
import glob
import io
import json
import math
import os
import random
import re
import subprocess
import xml.etree.ElementTree as xml
from fractions import Fraction

from cli import OUT, check, finish, get, must, put, refused, run, train

CSV = ("--label", "kind")
SVG = "{http://www.w3.org/2000/svg}"


def table(name, rows):
    """A CSV file of (label, values)."""
    text = io.StringIO()
    wide = csv.writer(text, lineterminator="\n")
    wide.writerow(["kind"] + [f"f{j}" for j in range(len(rows[0][1]))])
    for label, values in rows:
        wide.writerow([label, *values])
    return put(name, text.getvalue())


def one_of(n, k):
    return [int(j == k) for j in range(n)]


def teach(names, *options, model="m"):
    """A model that predicts names[k] for the row one_of(k)."""
    rows = [(name, one_of(len(names), k)) for k, name in enumerate(names)]
    return train(table("names.csv", rows * 4), *CSV, *options, model=model)


def ask(name, names, pairs):
    """Rows (label, predicted) for a model of teach."""
    return table(name, [(label, one_of(len(names), names.index(predicted))) for label, predicted in pairs])


def report(data, model, *options):
    return json.loads(must("predict", "--json", "--report", *CSV, *options, data, model))["report"]


def close(a, b):
    return a is b if a is None or b is None else abs(a - b) < 1e-8


# ---- Measures, beside plain counting ----

def divide(a, b):
    return a / b if b else None


def macro(names, pairs, k):
    """As scikit-learn counts: the labels that are given or predicted, of those the model knows; undefined is 0."""
    occur = {p for pair in pairs for p in pair} & set(names)
    return divide(sum(Fraction(c[k] or 0) for c in expected(names, pairs) if c["label"] in occur), len(occur))


def expected(names, pairs):
    classes = []
    for name in names:
        right = sum(l == p == name for l, p in pairs)
        rows = sum(l == name for l, _ in pairs)
        predicted = sum(p == name for _, p in pairs)
        classes.append({"label": name, "rows": rows, "predicted": predicted, "precision": divide(right, predicted),
                        "recall": divide(right, rows), "f1": divide(2 * right, rows + predicted)})
    return classes


def compare(what, names, pairs, got):
    classes = expected(names, pairs)
    check(got["labels"] == names, f"{what}: labels {got['labels']}")
    check(got["matrix"] == [[pairs.count((l, p)) for p in names] for l in names], f"{what}: matrix")
    check(got["unknown_labels"] == [sum(l not in names and p == q for l, q in pairs) for p in names],
          f"{what}: unknown labels")
    for mine, its in zip(classes, got["classes"], strict=True):
        check(mine.keys() == its.keys() and all(mine[k] == its[k] for k in ("label", "rows", "predicted")) and
              all(close(mine[k], its[k]) for k in ("precision", "recall", "f1")), f"{what}: {mine}, not {its}")
    for k in ("precision", "recall", "f1"):
        check(close(macro(names, pairs, k), got["macro"][k]), f"{what}: macro {k}")
    most = max(c["rows"] for c in classes)
    check(close(got["accuracy"], sum(l == p for l, p in pairs) / len(pairs)), f"{what}: accuracy")
    check(close(got["baseline"]["accuracy"], most / len(pairs)) and
          got["baseline"]["label"] == next((c["label"] for c in classes if c["rows"] == most and most), None),
          f"{what}: baseline {got['baseline']}")


def test_measures():
    names = ["blue", "green", "red"]
    model = teach(names)
    chance = random.Random(1)
    for what, labels in (("mixed", names), ("unknown", names + ["pink", "grey"]), ("one", ["red"])):
        pairs = [(chance.choice(labels), chance.choice(names)) for _ in range(200)]
        compare(what, names, pairs, report(ask("d.csv", names, pairs), model))
    pairs = [("blue", "red"), ("blue", "blue"), ("pink", "red")]  # green is nowhere, red has no rows
    got = report(ask("d.csv", names, pairs), model)
    compare("undefined", names, pairs, got)
    check(all(map(close, got["macro"].values(), [1 / 2, 1 / 4, 1 / 3])), f"a class that is nowhere does not count: {got['macro']}")
    check(got["classes"][1]["f1"] is None and got["classes"][2]["recall"] is None and got["auc"] is None,
          "0/0 is null, and so is the AUC of three classes")
    check([c["f1"] for c in got["classes"]][2] == 0, "predicted, never right: F1 is 0, not undefined")
    # The example of scikit-learn's precision_score: precisions [1/3, 0, 0], two of them of 0/0.
    pairs = [(label, "blue") for label in 2 * names]
    got = report(ask("d.csv", names, pairs), model)
    compare("one for all", names, pairs, got)
    check(close(got["macro"]["precision"], 1 / 9) and close(got["macro"]["recall"], 1 / 3) and
          close(got["macro"]["f1"], 1 / 6), f"classes that are never predicted count as 0: {got['macro']}")
    check("report" not in json.loads(must("predict", "--json", *CSV, OUT + "/d.csv", model)), "only when asked for")


def test_text():
    names = ["blue", "green", "red"]
    model = teach(names)
    data = ask("d.csv", names, [("blue", "red"), ("blue", "blue"), ("pink", "red")])
    status, out, err = run("predict", "--report", *CSV, data, model, OUT + "/o")
    check(status == 0 and err.startswith("advice: in 1 of 3 rows the label is none of the model's") and out ==
          "Rows by label (down) and prediction (across):\n"
          "           blue  green  red\n"
          "blue          1      .    1\n"
          "green         .      .    .\n"
          "red           .      .    .\n"
          "(unknown)     .      .    1\n"
          "\n"
          "label          rows  predicted  precision  recall      F1\n"
          "blue              2          1     1.0000  0.5000  0.6667\n"
          "green             0          0          -       -       -\n"
          "red               0          2     0.0000       -  0.0000\n"
          "macro average                      0.5000  0.2500  0.3333\n"
          "\n"
          "Accuracy = 33.3333% (1/3)\n"
          "Baseline = 66.6667% (2/3), always blue\n", f"the report, on standard output: {out}")
    check(get(OUT + "/o") == b"red\nblue\nred\n", "beside OUTPUT")
    out, err = run("predict", "-q", "--report", *CSV, data, model)[1:]
    check(out == "red\nblue\nred\n" and err.startswith("Rows by label") and "always blue" in err,
          "on standard error, where predictions are on standard output")
    bare = put("bare.csv", "f0,f1,f2\n1,0,0\n")
    check(run("predict", "--report", bare, model, OUT + "/o")[1] == "No row has a label: there is nothing to report\n",
          "no labels, no report")
    got = json.loads(must("predict", "--json", "--report", bare, model))["report"]
    check(got["accuracy"] is None and got["baseline"] == {"label": None, "accuracy": None}, "and nulls")


def matrix_of(names, pairs):
    """The lines of the matrix, or of the list in its place; what follows is checked for lining up."""
    data, model = ask("d.csv", names, pairs), teach(names)
    parts = run("predict", "-q", "--report", *CSV, data, model, OUT + "/o")[1].split("\n\n")
    classes = parts[1].split("\n")
    check(len(classes) == len(names) + 2 and len(set(map(len, classes))) == 1,
          f"a line for each of {len(names)} classes")
    return parts[0].split("\n")


def test_layout():
    chance = random.Random(2)
    for names in ([f"{k}" for k in range(10)], [chr(97 + k) for k in range(26)], ["größer", "kleiner", "日本"],
                  ["yes", "a label as long as the one of this row, which is cut", "no"]):
        names.sort()
        pairs = [(n, n) for n in names for _ in range(99)] + [(names[0], names[1])] * 1234
        lines = matrix_of(names, pairs)
        check(len(set(map(len, lines[1:]))) == 1 and len(lines[1]) <= 120 and len(lines) == len(names) + 2,
              f"{len(names)} classes line up")
        check(lines[2].split()[-len(names):][1] == "1234", "and tell the counts")
    check("a label as long as the one ..." in "".join(lines), "a long label is cut")
    names = [f"a rather long label of class {k:02}" for k in range(10)]
    lines = matrix_of(names, [(n, n) for n in names])
    check(lines[1].split() == [f"#{k}" for k in range(1, 11)] and len(set(map(len, lines[1:]))) == 1 and
          lines[2].startswith("#1 a rather long label"), "numbers instead of long heads")
    for last, heads in (("name of 11", 9), ("name of 011", 0)): # 8 labels of 10 letters and 1 of 11 just fit
        names = [f"name no. {k}" for k in range(7)] + [last, "name of 11+"]
        lines = matrix_of(names, [(n, n) for n in names])
        check((len(lines[1]) == 120) == bool(heads) and lines[1].count("name") == heads, f"120 columns are a page: {lines[1]}")
    names = sorted(f"c{k}" for k in range(100))
    pairs = [(n, n) for n in names] + [("c3", "c4")] * 3 + [("c5", "c6")] * 7
    pairs += [(chance.choice(names), "c7") for _ in range(90)]
    lines = matrix_of(names, pairs)
    check("too wide" in lines[0] and lines[1].split() == ["label", "predicted", "rows"], "100 classes: a list")
    check(lines[2].split() == ["c5", "c6", "7"] and len(lines) == 22 and len(set(map(len, lines[1:]))) == 1,
          "of the commonest mistakes")


# ---- Scores ----

def two_classes(name, n, seed, labels=("ham", "spam"), digits=0):
    chance = random.Random(seed)
    rows = []
    for _ in range(n):
        y = chance.random() < 0.4
        rows.append((labels[y], [round(chance.gauss(1.5 * y, 1), digits) for _ in range(3)]))
    return table(name, rows)


def scores_of(data, model, *options):
    out = must("predict", "-q", "-s", "--no-header", *CSV, *options, data, model)
    return [float(line.split(" ")[-1]) for line in out.split("\n")[:-1]]


def labels_of(data):
    with open(data, encoding="utf-8") as f:
        return [row["kind"] for row in csv.DictReader(f)]


def pairwise(data, model):
    """The AUC by its definition."""
    scored = list(zip(labels_of(data), scores_of(data, model), strict=True))
    positive, negative = ([s for l, s in scored if l == label] for label in ("spam", "ham"))
    won = sum(Fraction((p > n) - (p < n) + 1, 2) for p in positive for n in negative)
    return won / (len(positive) * len(negative)), len(set(positive) & set(negative))


def test_auc():
    model = train(two_classes("t.csv", 300, 1), *CSV, model="two")
    for seed, digits in ((2, 0), (3, 0), (4, 3)):
        data = two_classes("d.csv", 400, seed, digits=digits)
        area, ties = pairwise(data, model)
        check(digits or ties > 5, "there are ties")
        check(close(report(data, model)["auc"], float(area)), f"AUC {float(area)}, {ties} ties")
        check(f"AUC = {float(area):.6g}\n" in run("predict", "--report", *CSV, data, model, OUT + "/o")[1], "as text")
    data = table("d.csv", [("ham", [0, 0, 0]), ("spam", [0, 0, 0])])
    check(report(data, model)["auc"] == 0.5, "equal scores count half")
    both = [("ham", [-9, -9, -9]), ("spam", [9, 9, 9])]
    check(report(table("d.csv", both + [("beef", [99, 99, 99])]), model)["auc"] == 1, "unknown labels are left out")
    data = table("d.csv", both[1:])
    check(report(data, model)["auc"] is None, "one label alone has no AUC")
    check("AUC = -\n" in run("predict", "--report", *CSV, data, model, OUT + "/o")[1], "nor as text")
    odd = train(put("n.svm", "1 1:2\n-1 2:2\n"), model="odd")
    data = put("n.svm", "1 1:3e38 2:3e38\n-1 1:1e38 2:3e38\n1 1:1\n")
    result = json.loads(must("predict", "--json", "--report", data, odd))["report"]["auc"]
    scores = [float(s.split()[1]) for s in must("predict", "-s", "-q", "--no-header", data, odd).split("\n")[:-1]]
    low = [-math.inf if math.isnan(s) else s for s in scores]
    check(result == sum(((low[i] > low[1]) + (low[i] >= low[1])) / 2 for i in (0, 2)) / 2,
          f"scores without order: {scores}")


def test_header():
    two = train(two_classes("t.csv", 50, 1), *CSV, model="two")
    data = two_classes("d.csv", 3, 5)
    lines = must("predict", "-q", "-s", *CSV, data, two).split("\n")
    check(lines[0] == "label spam" and len(lines) == 5, "the score is of the positive label")
    check("\n".join(lines[1:]) == must("predict", "-q", "-s", "--no-header", *CSV, data, two), "--no-header")
    names = ["New York", "Rome", 'a "b"']
    data = ask("d.csv", names, [(n, n) for n in names])
    model = teach(names)
    read = list(csv.reader(must("predict", "-q", "-s", *CSV, data, model).split("\n")[:-1], delimiter=" "))
    check(read[0] == ["label", *names], f"the header as CSV: {read[0]}")
    for k, line in enumerate(read[1:]):
        check(line[0] == names[k] and max(range(3), key=lambda c: float(line[1 + c])) == k, f"and its rows: {line}")
    check(must("predict", "-q", *CSV, data, model).split("\n")[:-1] == names, "labels alone are as they are")
    for options in ([], ["-s"], ["-s", "--no-header"]):
        must("predict", "-q", *options, *CSV, data, model, OUT + "/old")
        must("predict", "-q", *CSV, data, model, OUT + "/old", force=False)
    for old in ("New York 1 2 3\n", 'Rome 1 2 3\nlabel "New York" Rome "a ""b"""\n', "Rome 1 x\n"):
        refused(1, "holds no predictions", "predict", *CSV, data, model, put("old", old), force=False)


def test_threshold():
    data, model = two_classes("d.csv", 200, 6), train(two_classes("t.csv", 200, 7), *CSV, model="two")
    labels, scores = labels_of(data), scores_of(data, model)
    plain = json.loads(must("predict", "--json", "--report", *CSV, data, model))
    middle = sorted(scores)[120]
    for t in (0, 1.5, -2.25, middle):
        got = must("predict", "-q", f"--threshold={t!r}", *CSV, data, model).split("\n")[:-1]
        check(got == ["spam" if s >= t else "ham" for s in scores], f"--threshold {t}")
        result = json.loads(must("predict", "--json", "--report", f"--threshold={t!r}", *CSV, data, model))
        check(result["errors"] == sum(a != b for a, b in zip(labels, got)) and
              result["report"]["auc"] == plain["report"]["auc"], "errors go by it, the AUC does not")
        compare(f"--threshold {t}", ["ham", "spam"], list(zip(labels, got)), result["report"])
    check(scores_of(data, model, "--threshold", "3") == scores, "nor do scores")
    negative = train(OUT + "/t.csv", *CSV, "--zero-class", "negative", model="negative")
    scores = scores_of(data, negative)
    middle = sorted(scores)[120]
    got = must("predict", "-q", f"--threshold={middle!r}", *CSV, data, negative).split("\n")[:-1]
    check(got == ["spam" if s > middle else "ham" for s in scores], "at T itself the zero class decides")
    three = teach(["a", "b", "c"])
    refused(1, "--threshold needs a model of two labels", "predict", "--threshold", "1", *CSV, data, three)
    refused(1, "--threshold", "predict", "--threshold", "nan", *CSV, data, model)


def test_unlabelled():
    model = train(put("d", "1 1:1\n-1 2:1\n"))
    data = put("e", "1 1:1\n1:1\n-1 1:1\n2:1\n2:1\n")
    for options in ([], ["--report"]):
        out = run("predict", *options, data, model, OUT + "/o")[1]
        check("Accuracy = 50% (1/2)\n3 rows without a label are not counted\n" in out, f"left out and said {options}")
    result = json.loads(must("predict", "--json", "--report", data, model))
    check(result["rows"] == 5 and result["unlabelled"] == 3 and result["errors"] == 1 and
          sum(map(sum, result["report"]["matrix"])) == 2, "also in JSON")
    check("1 row without a label is not counted" in run("predict", put("e", "1 1:1\n1:1\n"), model, OUT + "/o")[1],
          "one row")
    check(run("predict", put("e", "1:1\n"), model, OUT + "/o")[1:] == ("", ""), "no labels at all: nothing to count")


# ---- The curve ----

def points_of(path):
    """Of an SVG path, (x, y) each."""
    return [tuple(map(float, p)) for p in re.findall(r"[ML]([-\d.]+) ([-\d.]+)", path.get("d"))]


def read_chart(path):
    """Points of its curve from 0 to 1 each, and all its texts."""
    content = get(path)
    check(content.startswith(b"<!-- A chart by perceptron -->\n"), "how a chart begins")
    top = xml.fromstring(content)
    points = points_of(next(p for p in top.iter(SVG + "path") if p.get("class") == "blue"))
    (x0, y0), (x1, y1) = points[0], points[-1]
    return [((x - x0) / (x1 - x0), (y - y0) / (y1 - y0)) for x, y in points], [t.text for t in top.iter(SVG + "text")]


def test_curve():
    model = train(two_classes("t.csv", 300, 1), *CSV, model="two")
    path = OUT + "/roc.svg"
    for n, digits in ((12, 3), (400, 0), (60000, 3)):
        data = two_classes("d.csv", n, n, digits=digits)
        out = must("predict", "-q", "--roc", path, *CSV, data, model)
        check(out == must("predict", "-q", *CSV, data, model), "predictions are as without")
        points, texts = read_chart(path)
        auc = report(data, model)["auc"]
        area = sum((x - v) * (y + w) / 2 for (v, w), (x, y) in zip(points, points[1:]))
        check(abs(area - auc) < 0.002, f"{n} rows: area {area}, AUC {auc}")
        check(all(a <= c and b <= d for (a, b), (c, d) in zip(points, points[1:])), "the curve goes up")
        check(len(points) <= 1200, f"no more points than can be seen: {len(points)}")
        check(any(t.startswith(f"AUC = {auc:.4f}: ") for t in texts), f"the caption: {texts}")
        ham = labels_of(data).count("ham")
        for t in (f"false positive rate ({ham} rows: ham)", f"true positive rate ({n - ham} rows: spam)", "ROC curve",
                  "chance", "0", "0.2", "1"):
            check(t in texts, f"a text '{t}'")
    ones = [(label, [value] * 3) for label, value in (("ham", -9), ("ham", 9), ("spam", -9), ("spam", 9), ("spam", 9))]
    must("predict", "-q", "--roc", path, *CSV, table("d.csv", ones), model)
    points = read_chart(path)[0]
    steps = [(0, 0), (1 / 2, 2 / 3), (1, 1)]
    check(len(points) == 3 and all(math.dist(p, q) < 0.001 for p, q in zip(points, steps)),
          f"ties are one step: {points}")
    odd = ("a<b & 'c'", 'z "d" ' + 40 * "é")
    data = two_classes("t.csv", 50, 1, labels=odd)
    must("predict", "-q", "--roc", path, *CSV, data, train(data, *CSV))
    check("a<b & 'c'" in " ".join(read_chart(path)[1]), "any label may stand in the caption")
    data = put("t.csv", get(data).replace("é".encode(), b"\xe9").replace(b"a<b", b"a\x01b"))
    must("predict", "-q", "--roc", path, *CSV, data, train(data, *CSV))
    check("???..." in " ".join(read_chart(path)[1]), "even one that is no UTF-8")


def test_curve_refused():
    data = two_classes("d.csv", 30, 1)
    model = train(data, *CSV, model="two")
    path = OUT + "/new.svg"
    if os.path.exists(path):
        os.remove(path)
    three = teach(["a", "b", "c"])
    refused(1, "--roc needs a model of two labels", "predict", "--roc", path, *CSV, data, three)
    refused(1, "standard output", "predict", "--roc", "-", *CSV, data, model)
    refused(1, "cannot be the same file", "predict", "--roc", path, *CSV, data, model, path)
    refused(1, "is an input", "predict", "--roc", data, *CSV, data, model)
    refused(1, "is an input", "predict", "--roc", model, *CSV, data, model)
    other = put("other.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>\n")
    refused(1, "no chart of this program", "predict", "--roc", other, *CSV, data, model, force=False)
    refused(3, "No such file", "predict", "--roc", OUT + "/absent/x.svg", *CSV, data, model)
    ham = table("ham.csv", [("ham", [0, 0, 0])])
    status, out, err = run("predict", "-q", "--roc", path, *CSV, ham, model)
    check(status == 2 and out and "no row with label spam" in err, f"a curve needs both labels: {err}")
    check(not [f for f in os.listdir(OUT) if f.startswith("new.svg")], "nothing is left behind")
    must("predict", "-q", "--roc", path, *CSV, data, model, force=False)
    must("predict", "-q", "--roc", path, *CSV, data, model, force=False)
    check(get(path).startswith(b"<!--"), "one chart takes the place of another")
    must("predict", "-q", "--roc", other, "--force", *CSV, data, model, force=False)
    status, out, err = run("predict", "-q", "--roc", "/dev/full", *CSV, data, model)
    check(status == 3 and "No space" in err, "a full disk")


CHART = """
#include "report/svg.h"
int main(int argc, char **argv)
{
    enum { MOST = 100000 };
    static double x[MOST], up[MOST], down[MOST];
    size_t n = strtoul(argv[1], NULL, 10), i;
    svg_line a[] = {{"zigzag", x, up, 0, SVG_BLUE}, {"noise", x, down, 0, SVG_GREY}},
             b[] = {{"test", x, down, 0, SVG_ORANGE}};
    svg_panel panel[] = {{{"Counts", "", 1}, 200, a, 2}, {{"Errors", " %", 0}, 200, b, 1}};
    svg_chart chart = {"Title", "Subtitle", {"epoch", "", 1}, 500, panel, 2};
    output o;
    for (i = 0; i < n; i++) {
        x[i] = (double)i + 1;
        up[i] = i == n / 2 ? 1999 : (double)(i % 2);
        down[i] = i % 3 == 0 ? 0.3 : 0.31;
    }
    a[0].count = a[1].count = b[0].count = n;
    svg_open(&o, argv[argc - 1], 1);
    svg_draw(o.file, &chart);
    output_close(&o);
    return 0;
}
"""


def test_panels():
    source, chart, path = put("chart.c", CHART), OUT + "/chart", OUT + "/chart.svg"
    flags = os.environ.get("STB") or "-isystem /usr/include/stb"
    command = [*os.environ.get("CC", "cc").split(), "-std=gnu99", "-I.", "-Iexamples/perceptron", *flags.split(),
               source, "examples/perceptron/report/svg.c", *glob.glob("examples/perceptron/cli/*.c"), "-o", chart, "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    check(done.returncode == 0, f"a chart compiles: {done.stderr}")
    for n in (1, 2, 10, 100000):
        status, out, err = run(str(n), path, program=chart)
        check(status == 0, f"{n} points: {err}")
        texts = [t.text for t in xml.fromstring(get(path)).iter(SVG + "text")]
        paths = {p.get("class").replace(" dot", ""): p.get("d") for p in xml.fromstring(get(path)).iter(SVG + "path")}
        for t in ("Title", "Subtitle", "Counts", "Errors", "epoch", "zigzag", "noise", "test", "0", "2000", "0 %",
                  f"0.{3 + (n > 1)} %", str(n)):
            check(t in texts, f"{n} points: a text '{t}' in {texts}")
        check(not any(re.fullmatch(r"\d+\.\d+", t) for t in texts), "epochs and counts are whole")
        y = [float(v) for v in re.findall(r"[ML][-\d.]+ ([-\d.]+)", paths["blue"])]
        check(len(y) <= 4 * 501 and abs(max(y) - min(y) - (199.9 if n > 1 else 0)) < 0.11,
              f"{n} points: no more than can be seen, the highest among them")
        check((b"'blue dot'" in get(path)) == (n == 1), "one point is a dot")


def test_epochs():
    """Each curve of --plot stands over the axis as high as --json says, in one panel to one scale."""
    data, path = two_classes("t.csv", 60, 1), OUT + "/epochs.svg"
    got = json.loads(must("train", "--json", "-q", "-a", "perceptron", "-e", "4", "-t", data, "--plot", path, *CSV, data,
                          OUT + "/plotted"))["epochs"]
    top = xml.fromstring(get(path))
    check("1 2 3 4 epoch" in " ".join(t.text for t in top.iter(SVG + "text")), "epochs count from 1")
    curves = {p.get("class"): points_of(p) for p in top.iter(SVG + "path")}
    for names in {"orange": "updates", "grey": "mistakes"}, {"blue": "test_error"}:
        points = [(epoch[name], *xy) for colour, name in names.items() for epoch, xy in zip(got, curves[colour])]
        (least, _, low), (most, _, high) = min(points), max(points)
        check(most > least and all(abs(y - low - (high - low) * (value - least) / (most - least)) < 0.2
                                   for value, _, y in points), f"{names}: {points}")
        x = [x for _, x, _ in points]
        check(len(x) == 4 * len(names) and x[:4] == sorted(set(x)), f"{names}: epochs go to the right: {points}")


def explained(model, data, *options):
    """The rows of --explain --json, and what it says of all."""
    *rows, summary = map(json.loads, must("predict", "--explain", "--json", *options, data, model).splitlines())
    check(summary["rows"] == len(rows), "the last line is what --json says without --explain")
    return rows


def weights_of(model, column=-1):
    """{label: {feature: weight}}, with the bias: per unit, which is the last column; column 2: as they were learned."""
    found = {}
    for line in list(csv.reader(io.StringIO(must("show", "--csv", model))))[1:]:
        found.setdefault(line[1], {})[line[0]] = float(line[column])
    return found


def check_per_unit(model, rows, what):
    """Weights per unit are those of deviations over these; the bias takes the means in."""
    learned, plain = weights_of(model, 2), weights_of(model)
    for label, weights in plain.items():
        columns = list(zip(*(x for _, x in rows)))
        mean = [sum(c) / len(c) for c in columns]
        size = [math.sqrt(sum((v - m)**2 for v in c) / len(c)) for c, m in zip(columns, mean)]
        bias = learned[label]["(bias)"] - sum(learned[label][f"f{j}"] / s * m for j, (s, m) in enumerate(zip(size, mean)))
        good = all(math.isclose(weights[f"f{j}"] * s, learned[label][f"f{j}"], rel_tol=1e-5, abs_tol=1e-7)
                   for j, s in enumerate(size))
        check(good and math.isclose(weights["(bias)"], bias, rel_tol=1e-5, abs_tol=1e-5), f"{what}: per unit, {label}")
    shown = json.loads(must("show", "--json", model))["weights"]
    for one, label in zip(shown, plain):
        check(all(math.isclose(term["per_unit"], plain[label][term["feature"]], rel_tol=1e-6) for term in one["for"]) and
              math.isclose(one["bias_per_unit"], plain[label]["(bias)"], rel_tol=1e-6), f"{what}: show --json: {one}")
    check(f"(per unit {shown[0]['for'][0]['per_unit']:g})" in must("show", model), f"{what}: show")


def check_words_per_unit():
    """A word of a text column has none, since what it adds depends on its row; a category has its weight."""
    model = train(put("t.csv", "x,kind,t,k\n1,p,win cash,s\n2,q,see you,h\n3,p,free cash,s\n4,q,meet you,h\n"), "--text-column", "t",
                  "--normalize", "standard", "--words", "tfidf")
    lines = {line["feature"]: line for line in csv.DictReader(io.StringIO(must("show", "--csv", model)))}
    check(lines["kind=p"]["per_unit"] == lines["kind=p"]["weight"] and lines["x"]["per_unit"] not in ("", lines["x"]["weight"]) and
          lines["t:cash"]["per_unit"] == "" != lines["(bias)"]["per_unit"], f"{lines}")
    weights = json.loads(must("show", "--json", model))["weights"][0]
    check(all(("per_unit" in one) != one["feature"].startswith("t:") for one in weights["for"] + weights["against"]), f"{weights}")
    check(re.search(r"t:cash\n", must("show", model)), "show leaves it out, too")


def check_explained(row, values, weights, scores, top, what):
    """values: {feature: value as written}; weights, per unit of these, and scores: by label."""
    w, b = weights[row["for"]], weights.get(row.get("against"), {})
    terms = {name: value * (w[name] - b.get(name, 0)) for name, value in values.items() if name in w}
    order = [name for name in sorted(terms, key=lambda name: -abs(terms[name])) if terms[name]]
    shown = row["features"]
    near = lambda a, b: abs(a - b) <= 1e-5 * max(1, abs(a))
    check(len(shown) == min(top, len(order)) and row["more"] == len(order) - len(shown) and
          near(row["more_sum"], sum(terms[name] for name in order[top:])), f"{what}: --top {top} of {len(order)}: {row}")
    for term, name in zip(shown, order):
        check(near(abs(term["product"]), abs(terms[name])) and near(term["product"], terms[term["feature"]]) and
              near(term["value"], values[term["feature"]]) and near(term["product"], term["value"] * term["weight"]),
              f"{what}: {term}, expected {name}: {terms[name]}")
    sums = scores[row["for"]] - scores.get(row.get("against"), 0)
    bias = w["(bias)"] - b.get("(bias)", 0)
    check(near(row["bias"], bias) and near(row["sum"], sums) and near(sum(terms.values()) + bias, sums),
          f"{what}: bias {bias}, sum {sums}: {row}")


def test_explain():
    """By the weights and scores that show and predict print, and rows prepared here."""
    check_words_per_unit()
    draw = random.Random(3)
    line = lambda: [draw.choice((0, 1, -2.5, 40)) for _ in range(6)]
    for labels in ("ab", "abcd"):
        rows = [(draw.choice(labels), line()) for _ in range(60)]
        for options in ((), ("--normalize", "maxabs"), ("--normalize", "l2"), ("--binarize",), ("-a", "arow"),
                        ("--rows", "sparse"), ("--normalize", "standard")):
            model, what = train(table("d", rows), *CSV, *options), f"{labels} {options}"
            head, *lines = must("predict", "-q", "-s", *CSV, OUT + "/d", model).splitlines()
            weights = weights_of(model)
            if "standard" in options:
                check_per_unit(model, rows, what)
            most = [max(abs(x[j]) for _, x in rows) for j in range(6)]
            for (label, x), said, row in zip(rows, lines, explained(model, OUT + "/d", *CSV, "--top", "3")):
                length = math.sqrt(sum(v * v for v in x)) or 1
                x = [float(v != 0) for v in x] if "--binarize" in options else x
                scores = dict(zip(head.split()[1:], map(float, said.split()[1:])))
                best = sorted(scores, key=lambda k: -scores[k])
                check(row["class"] == said.split()[0] and row["label"] == label and row["for"] == best[0] and
                      (len(labels) == 2) == ("against" not in row) and row.get("against") == (best + [None])[1],
                      f"{what}: who against whom: {row}")
                by = most if "maxabs" in options else [length if "l2" in options else 1] * 6
                met = {k: {f: w / by[int(f[1])] if f != "(bias)" else w for f, w in v.items()} for k, v in weights.items()}
                check_explained(row, {f"f{j}": v for j, v in enumerate(x)}, met, scores, 3, what)
    words = put("d", "ham\tlunch at one\nspam\tfree cash\n")
    model = train(words, "--text", "-a", "perceptron", "--order", "file", "--words", "tfidf")
    row, idf = explained(model, put("e", "cash for cash lunch\n"))[0], math.log(3 / 2) + 1
    parts = {"cash": (2, (math.log(2) + 1) * idf), "lunch": (1, idf)}
    length = math.hypot(*(v for _, v in parts.values()))
    check({t["feature"]: (t["value"], round(t["product"], 5)) for t in row["features"]} ==
          {f: (n, round(weights_of(model)["spam"][f] * v / length, 5)) for f, (n, v) in parts.items()} and
          all(math.isclose(t["value"] * t["weight"], t["product"], rel_tol=1e-5) for t in row["features"]),
          f"counts of words, which idf and the length weigh: {row}")
    gaps = put("g", "a,y\n1,p\n,q\n3,q\n4,p\n9,q\n")
    model = train(gaps, "--normalize", "standard", "--missing", "mean")
    rows, mean = explained(model, put("e", "a\n\"\"\n1e6\n4\n")), 17 / 4
    adds_up = lambda row: math.isclose(sum(t["product"] for t in row["features"]) + row["bias"], row["sum"], rel_tol=1e-4,
                                       abs_tol=1e-5)
    for row, value in zip(rows, (mean, 1e6, 4)):
        check(all(math.isclose(t["value"], value, rel_tol=1e-5) for t in row["features"]) and adds_up(row),
              f"a gap is the mean: {value}: {row}")
    check(abs(rows[1]["sum"]) < 70 * abs(weights_of(model, 2)["q"]["a"]), f"what is wild stops at 64 deviations: {rows[1]}")
    model = train(put("g", "a,b,y\n1,7,p\n2,5,q\n3,4,q\n4,9,p\n9,1,q\n"), "--normalize", "standard-l2")
    for row, values in zip(explained(model, OUT + "/g"), ((1, 7), (2, 5), (3, 4), (4, 9), (9, 1))):
        check({t["feature"]: t["value"] for t in row["features"]} == dict(zip("ab", values)) and adds_up(row) and
              all(math.isclose(t["value"] * t["weight"], t["product"], rel_tol=1e-5) for t in row["features"]),
              f"scaled, then of length 1: {row}")
    model = train(words, "--text", "-a", "perceptron", "--order", "file")
    row = explained(model, put("e", "cash for lunch\n"))[0]
    check({t["feature"]: (t["value"], t["product"]) for t in row["features"]} ==
          {name: (1, weights_of(model)["spam"][name]) for name in ("cash", "lunch")} and "label" not in row,
          f"words, no label: {row}")
    check(must("predict", "-q", "--explain", put("e", "ham\tcash now\n"), model) ==
          "row 1: spam (its label: ham)\nfor spam  value  weight  value x weight\n"
          "cash          1       1               1\n(bias)                                0\n"
          "(sum)                                 1\n\n",
          "as text")
    data = put("d", "1 0:1\n-1 3:2\n")
    rows = explained(train(data, "--zero-based"), data)
    check([row["features"][0]["feature"] for row in rows] == ["0", "3"], "features are numbered as in the file")
    data = put("d", "1 1:1\n-1 4:2\n")
    refused(1, "--explain is for weights of features", "predict", "--explain", data, train(data, "-a", "kernel"))
    refused(1, "--top needs --explain", "predict", "--top", "3", data, model)
    model, file = train(data), put("o", "")
    for options in ((), ("--json",)):
        os.remove(file)
        for _ in range(2):
            must("predict", "--explain", *options, data, model, file, force=False)
        other = put("p", "notes\n")
        refused(1, "holds no such explanations", "predict", "--explain", *options, data, model, other, force=False)


def test_other_labels():
    """Labels that are none of the model's: predicted all the same, then said; one alone in all rows counts as none."""
    pairs = "1 1:1\n-1 2:1\n1 1:2\n-1 2:3\n"
    model = train(put("signs", pairs))
    want = must("predict", "-q", OUT + "/signs", model)
    said = "labels of other rows: '{}' is none of the model's, of which the first is '-1': --ignore-labels does without"
    for labels, first in ((("3", "4"), "3"), (("1", "0"), "0"), (("4", "0"), "4")):
        data = put("d", pairs.replace("-1 ", "B ").replace("1 ", labels[0] + " ").replace("B ", labels[1] + " ").replace(
            f"{labels[0]} 1:{labels[0]} ", f"{labels[0]} 1:1 "))
        for options in (), ("-q",), ("--report",), ("--roc", OUT + "/roc.svg"):
            status, out, err = run("predict", *options, data, model)
            check((status, out) == (2, want) and said.format(first) in err and err.count("\n") == 1, f"{labels} {options}: {err}")
        status, out, err = run("predict", "--json", data, model, OUT + "/o")
        check(status == 2 and said.format(first) in json.loads(out)["error"] and get(OUT + "/o").decode() == want,
              f"JSON: {status} {out}")
        status, out, err = run("predict", "--ignore-labels", data, model)
        check((status, out, err) == (0, want, ""), f"--ignore-labels: {err}")
        check(json.loads(must("predict", "--ignore-labels", "--json", data, model))["unlabelled"] == 4, "none is counted")
        if "1" not in labels:
            refused(2, "d: no row with a label of the model, such as '-1'", "train", "-t", data, OUT + "/signs", OUT + "/m")
    zeros = train(put("zero rows", pairs.replace("-1 ", "0 ")), model="zeros")
    status, out, err = run("predict", OUT + "/signs", zeros)
    check(status == 2 and "'-1' is none of the model's, of which the first is '0'" in err, f"the reverse: {err}")
    for label in "0", "7":
        data = put("d", "".join(f"{label} {line.split()[1]}\n" for line in pairs.splitlines()))
        status, out, err = run("predict", data, model)
        check((status, out, err) == (0, want, ""), f"one label, {label}: {err}")
        check("No row has a label: there is nothing to report" in run("predict", "--report", data, model)[2], "no report")
        found = json.loads(must("predict", "--json", "--report", data, model))
        check(found["errors"] is None and found["accuracy"] is None and found["unlabelled"] == 4, f"{found}")
    data = put("d", pairs + "5 1:1\n")
    check("(4/5)" in run("predict", data, model)[2], "one label of many is an error, and counted")
    check("(2/4)" in run("predict", put("d", pairs.replace("-1 ", "3 ")), model)[2], "one of two, which is no other sign")
    table = put("d.csv", "a,y,z\n1,p,u\n2,q,v\n")
    words = train(put("t.csv", "a,y\n1,p\n2,q\n"), model="words")
    refused_after = run("predict", "-q", "--label", "z", table, words)
    check(refused_after[0] == 2 and "'u' is none of the model's, of which the first is 'p': --ignore-labels does without, --label "
          "says which column has them" in refused_after[2], f"{refused_after}")
    names = put("d", "x 1:1\n")
    check(run("predict", "--ignore-labels", names, model)[:2] == (0, "1\n"), "labels may be of another kind")
    for option in ("--report",), ("--roc", OUT + "/roc.svg"):
        refused(1, "no --ignore-labels", "predict", "--ignore-labels", *option, OUT + "/signs", model)


if __name__ == "__main__":
    for test in (test_measures, test_text, test_layout, test_auc, test_header, test_threshold, test_unlabelled,
                 test_curve, test_curve_refused, test_panels, test_epochs, test_explain, test_other_labels):
        test()
    finish()
