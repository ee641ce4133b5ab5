"""perceptron train: --measure beside computations with integers and fractions, --folds beside separate trainings,
advice, what the summary says, and what is refused before the first row."""
import csv
import json
import os
import random
import re
import shlex
import signal
import struct
import subprocess
import time
from fractions import Fraction
from math import isclose, sqrt

from cli import DIGITS, OUT, PROGRAM, check, finish, get, image, must, plainly, put, refused, run, train
from exact import dot, nearest


# ---- Data ----

def table(name, rows, label="{}"):
    """Rows of values and label as CSV."""
    return put(name, "".join(",".join(map(str, (*x, label.format(y)))) + "\n" for x, y in rows))


def separable(seed, rows, features):
    """Integer rows apart by a plane with integer weights."""
    draw = random.Random(seed)
    plane = [draw.randint(-3, 3) for _ in range(features)] + [1]
    found = []
    while len(found) < rows:
        x = [draw.randint(-5, 5) for _ in range(features)]
        s = sum(w * v for w, v in zip(plane, x + [1]))
        if abs(s) >= 3:
            found.append((x, 1 if s > 0 else -1))
    return found


def inseparable(seed, rows, features):
    """The first row is there with both labels."""
    found = separable(seed, rows, features)
    return found + [(found[0][0], -found[0][1])]


# ---- The perceptron with integers ----

def learn(rows, epochs, classes=1, bias=1):
    """Weights of each class after so many epochs in the order of the rows, updates, and after which epoch weights
    came back for the first time."""
    w = [[0] * (len(rows[0][0]) + 1) for _ in range(classes)]
    updates, seen, back = 0, {str(w)}, None
    for epoch in range(1, epochs + 1):
        before = updates
        for x, y in rows:
            x = [*x, bias]
            s = [sum(a * b for a, b in zip(c, x)) for c in w]
            if classes == 1:
                if y * s[0] > 0:
                    continue
                w[0] = [a + y * b for a, b in zip(w[0], x)]
            else:
                rival = max((k for k in range(classes) if k != y), key=lambda k: (s[k], -k))
                if s[y] - s[rival] > 0:
                    continue
                w[y] = [a + b for a, b in zip(w[y], x)]
                w[rival] = [a - b for a, b in zip(w[rival], x)]
            updates += 1
        if back is None and updates > before and str(w) in seen:
            back = epoch
        seen.add(str(w))
    return w, updates, back


def measures(rows, w, bias=1):
    """Risk, loss, margin, |W|^2 and R^2 as fractions."""
    margins, errors, radius2 = [], 0, 0
    for x, y in rows:
        x = [*x, bias]
        s = [sum(a * b for a, b in zip(c, x)) for c in w]
        if len(w) == 1:
            margins.append(y * s[0])
            errors += (1 if s[0] >= 0 else -1) != y
        else:
            margins.append(s[y] - max(v for k, v in enumerate(s) if k != y))
            errors += s.index(max(s)) != y
        radius2 = max(radius2, sum(v * v for v in x))
    norm2 = sum(v * v for c in w for v in c)
    return (Fraction(errors, len(rows)), Fraction(sum(max(0, -m) for m in margins), len(rows)), min(margins), norm2,
            radius2)


def near(a, b):
    return (a is None or b is None) and a is b or a is not None and b is not None and isclose(a, b, rel_tol=1e-5)


def check_measures(name, got, rows, w, updates, classes, bias=1):
    risk, loss, margin, norm2, radius2 = measures(rows, w, bias)
    bound = (1 if classes == 1 else 2) * Fraction(norm2 * radius2, margin * margin) if margin > 0 else None
    want = {"risk": risk, "loss": loss, "margin": margin, "padded_margin": margin / sqrt(norm2) if norm2 else None,
            "radius": sqrt(radius2), "bound": bound, "rows": len(rows), "errors": risk * len(rows), "updates": updates}
    for key, value in want.items():
        check(near(got[key], None if value is None else float(value)), f"{name}: {key} {got[key]}, not {value}")
    check(bound is None or updates <= bound, f"{name}: {updates} updates, bound {bound}")


def measured(data, *options, **more):
    return json.loads(must("train", "-q", "--json", "--measure", *options, data, OUT + "/measured", **more))["measure"]


def test_binary():
    for seed in range(6):
        for make in separable, inseparable:
            rows = make(seed, 40, 2 + seed % 3)
            name = f"{make.__name__} {seed}"
            w, updates, back = learn(rows, 60)
            got = measured(table("b.csv", rows), "-a", "perceptron", "--order", "file", "-e", "60")
            check_measures(name, got, rows, w, updates, 1)
            if make is separable:
                check(got["inseparable_after"] is None, f"{name}: no proof of what is not so")
                check(got["separable"] is True and got["best_margin"]["low"] > 0, f"{name}: {got['separable']}")
            else:
                check(back is None and got["inseparable_after"] is None or
                      back is not None and (got["inseparable_after"] is None or got["inseparable_after"] >= back),
                      f"{name}: proved after {got['inseparable_after']}, weights are back after {back}")
                check(got["separable"] is False and got["best_margin"]["high"] < 1e-6, f"{name}: separable")


def test_classes():
    for seed in range(4):
        draw = random.Random(seed)
        rows = [([draw.randint(-2, 2) + 6 * (y == 0), draw.randint(-2, 2) + 6 * (y == 1)], y)
                for y in (draw.randrange(3) for _ in range(60))]
        w, updates, _ = learn(rows, 40, classes=3)
        got = measured(table("three.csv", rows), "-a", "perceptron", "--order", "file", "-e", "40")
        check_measures(f"three classes {seed}", got, rows, w, updates, 3)
        check(got["separable"] is True, f"three classes {seed} are apart")
        check(measured(OUT + "/three.csv", "--update", "one-vs-rest")["bound"] is None, "no bound for one-vs-rest")
    got = measured(table("line.csv", [([-1], 0), ([0], 1), ([1], 2)]), "--update", "one-vs-rest", "--order", "file", "-e", "99")
    check(got["separable"] is True and got["inseparable_after"] is None, f"the middle is not apart from the rest: {got}")


XOR = [([0, 0], -1), ([0, 1], 1), ([1, 0], 1), ([1, 1], -1)]


def test_cycle():
    """XOR is back at zero weights after one epoch; without integers, order or the fixed rule the cycle proves nothing,
    and the best margin alone says that there is none."""
    data = table("xor.csv", XOR)
    fixed = "--order", "file", "-e", "20"
    for algorithm in "perceptron", "averaged":
        got = measured(data, "-a", algorithm, *fixed)
        check(got["inseparable_after"] == 1 and got["separable"] is False, f"XOR, {algorithm}: {got}")
    check(measured(data, "--order", "once", "-e", "99")["separable"] is False, "XOR in one drawn order")
    check(measured(data, "--rate", "3", *fixed)["inseparable_after"] == 1, "an integer rate")
    check(measured(data, "--rate", "0.5", "--weight", "1=2", "--weight", "-1=2", *fixed)["inseparable_after"] == 1,
          "half a step of weight 2")
    for options in (("--order", "each", "-e", "20"), (*fixed, "--rate", "0.5"), (*fixed, "--rule", "absolute"),
                    (*fixed, "-B", "0.3"), (*fixed, "--weight", "1=1.5"), (*fixed, "-a", "winnow"),
                    (*fixed, "--batch", "3")):
        got = measured(data, *options)
        check(got["separable"] is False and got["inseparable_after"] is None, f"XOR, {options}: no cycle")
    halves = table("halves.csv", [([v / 3 for v in x], y) for x, y in XOR])
    check(measured(halves, *fixed)["inseparable_after"] is None, "no cycle with fractions")
    check(measured(put("large.csv", "5e6,1\n5e6,-1\n"), *fixed)["inseparable_after"] == 1, "below 2^24")
    check(measured(put("large.csv", "16777216,1\n16777216,-1\n"), *fixed)["inseparable_after"] is None, "from 2^24 on")
    model = train(data, "-a", "perceptron", *fixed, model="xor.m")
    check(measured(data, "--resume", model, *fixed)["inseparable_after"] is None, "no cycle from other weights than 0")
    text = must("train", "--measure", *fixed, data, OUT + "/m")
    check(" no: proved inseparable after epoch 1\n" in text, text)
    check("  no plane separates these rows by more than " in text, text)
    text = must("train", "--measure", "-a", "winnow", put("or.csv", "0,0,0\n0,1,1\n1,0,1\n1,1,1\n"), OUT + "/m")
    check("between 0 and " in text and "-0" not in text.replace("e-0", ""), text)
    text = must("train", "--measure", data, OUT + "/m")
    check(" no: no plane separates these rows by more than " in text and " -0\n" not in text, text)


def test_known_margin():
    """Rows on a line, without bias: every weight above 0 has geometric margin 2, R = 3, bound 9/4."""
    data = table("line.csv", [([-3], -1), ([-2], -1), ([2], 1), ([3], 1)])
    for algorithm in "perceptron", "averaged":
        got = measured(data, "-a", algorithm, "-B", "0")
        check(near(got["distance"], 2) and near(got["padded_margin"], 2) and near(got["best_margin"]["high"], 2), f"{got}")
        check(near(got["radius"], 3) and near(got["bound"], 2.25), f"{got}")
        check(got["updates"] <= 2 and got["separable"] is True and got["risk"] == got["loss"] == 0, f"{got}")
    text = must("train", "--measure", "-B", "0", data, OUT + "/m")
    for line in ("0/1 risk:                       0 (0 errors)", "distance to the plane:          2",
                 "margin of the padded rows:      2", "best margin of the padded rows: between 2 and 2.001",
                 "R (longest row):                3",
                 "Novikoff's bound:               2.25 updates; from the best margin 2.25; made: 1",
                 "separable:                      yes, by these weights"):
        check(line + "\n" in text, f"{line} in {text}")
    rows = separable(3, 30, 3)
    w, updates, _ = learn(rows, 50, bias=2)
    got = measured(table("b.csv", rows), "-a", "perceptron", "--order", "file", "-e", "50", "-B", "2")
    check_measures("bias input 2", got, rows, w, updates, 1, bias=2)


def scores(data, model):
    lines = must("predict", "-s", data, model).splitlines()
    labels = lines[0].split()[1:]
    return labels, [[float(s) for s in line.split()[1:]] for line in lines[1:]]


def test_weights_that_predict():
    """The measures are those of the scores that predict gives, whatever the weights are."""
    with open(DIGITS) as f:
        truth = [row[-1] for row in csv.reader(f)]
    for options in ([], ["--pocket", "-a", "perceptron"], ["--normalize", "l2"], ["--final"], ["--batch", "7"],
                    ["-a", "winnow"], ["--rule", "pa1"], ["--margin", "5"], ["--binarize", "-a", "winnow2"]):
        got = measured(DIGITS, *options)
        labels, of_rows = scores(DIGITS, OUT + "/measured")
        margins = [s[labels.index(y)] - max(v for k, v in zip(labels, s) if k != y) for s, y in zip(of_rows, truth)]
        errors = sum(labels[s.index(max(s))] != y for s, y in zip(of_rows, truth))
        loss = sum(max(0, -m) for m in margins) / len(margins)
        check(got["errors"] == errors and near(got["margin"], min(margins)) and
              isclose(got["loss"], loss, rel_tol=1e-4), f"{options}: {got}, {errors}, {min(margins)}, {loss}")
    got = measured(DIGITS, "--validate", "0.25")
    check(got["rows"] == 1348, f"rows held back are not measured: {got['rows']}")
    plain = image(train(DIGITS, model="plain"))
    measured(DIGITS)
    check(image(OUT + "/measured") == plain, "--measure changes no weight")
    check(measured(DIGITS, "-e", "1")["rows"] == 1797, "one epoch: rows are kept")
    check(measured(DIGITS, "-e", "1", "--classes", "10", "--features", "64")["rows"] == 1797, "and not streamed")
    status, out, err = run("train", "-q", "--measure", DIGITS, "-")
    check(status == 0 and "Novikoff" in err, "a model on standard output, measures not")


# ---- The best margin, beside the exact one ----

def points_of(rows, classes):
    """y (1, x), or Kesler's points of more classes."""
    points = []
    for x, y in rows:
        x = [*map(Fraction, x), 1]
        for k in range(classes) if classes > 2 else [0]:
            if classes == 2:
                points.append([v if y > 0 else -v for v in x])
            elif k != y:
                points.append([v * ((c == y) - (c == k)) for c in range(classes) for v in x])
    return points


def problem(draw, kind):
    """A few rows: any labels; separable ones; of one class; rows twice; classes that touch in a plane."""
    classes = 3 if kind == 5 else 2
    features, span, unit = draw.randint(1, 4), draw.choice((1, 3, 50)), draw.choice((1, 4))
    x = [[draw.randint(-span, span) / unit for _ in range(features)] for _ in range(draw.randint(3, 12))]
    w = [[draw.randint(-3, 3) for _ in range(features)] for _ in range(classes)]
    any_label = [draw.randrange(3) if classes == 3 else draw.choice((-1, 1)) for _ in x]
    score = [[dot(c, v) for c in w] for v in x]
    if kind == 1:
        y = [1 if s[0] >= draw.random() else -1 for s in score]
    elif kind == 2:
        y = [any_label[0]] * len(x)
    elif kind == 4:
        y = [1 if s[0] > 0 else -1 if s[0] < 0 else any_label[i] for i, s in enumerate(score)]
    else:
        y = [s.index(max(s)) for s in score] if kind == 5 and draw.random() < 0.5 else any_label
    if kind == 3:
        x, y = x + x[:2], y + y[:2]
    if kind == 5:
        y[0] = 2
    return list(zip(x, y)), classes


def test_best_margin():
    """examples/literature/margin.c and --measure on random problems: the exact best margin lies between the bounds."""
    program = OUT + "/margin"
    subprocess.run([*shlex.split(os.environ.get("CC") or "cc"), "-std=c99", "-O1", "-DPERCEPTRON_STATIC", "-I.",
                    "examples/literature/margin.c", "-o", program, "-lm"], check=True)
    draw, separable_ones, closed = random.Random(31), 0, 0
    problems = [problem(draw, n % 6) for n in range(1000)]
    text = "\n".join("".join(f"{y} {' '.join(map(str, x))}\n" for x, y in rows) for rows, _ in problems)
    status, out, err = run(put("problems.txt", text), program=program)
    for wrong in ("x 1", "1", "9 1 2", "1 2 x", "1 " + "2 " * 17, "-1 1\n1 1 2"):
        check(run(put("wrong.txt", "-1 3 4\n" + wrong + "\n"), program=program)[0] == 2, f"margin takes {wrong}")
    check(status == 0 and len(out.splitlines()) == 1000, f"margin ends with {status}: {err}")
    for n, ((rows, classes), line) in enumerate(zip(problems, out.splitlines())):
        p = nearest(points_of(rows, classes))
        exact, words = sqrt(dot(p, p)), line.split()
        radius = sqrt(max(dot(x, x) + 1 for x, _ in rows))
        separable_ones += exact > 0
        if words[0] == "no":
            check(exact <= float(words[8].rstrip(":")) < radius * 2 ** -23, f"{rows}: {line}, exactly {exact}")
            closed += 1
        else:
            low, high = float(words[-3]), float(words[-1])
            check(low <= exact <= high and (exact == 0 or low > 0), f"{rows}: {line}, exactly {exact}")
            closed += high - low < 0.003 * high
        if n % 25 < 6 and n < 150 and len({y for _, y in rows}) == classes:
            check_best(rows, classes, exact, radius)
    check(closed > 990 and 300 < separable_ones < 800, f"{closed} brackets closed, {separable_ones} separable")


def check_best(rows, classes, exact, radius):
    got = measured(table("best.csv", rows), "-a", "perceptron", "-e", "20")
    best, slack = got["best_margin"], 1e-8 * radius
    check(best["low"] - slack <= exact <= best["high"] + slack, f"{rows}: {got}, exactly {exact}")
    check(got["separable"] is (exact > 0), f"{rows}: {got}, exactly {exact}")
    check(exact > 0 or got["bound"] is got["best_bound"] is None, f"{rows}: {got}")
    check(exact == 0 or got["updates"] <= got["best_bound"] < 1.01 * (classes - 1) * (radius / exact) ** 2,
          f"{rows}: {got}, exactly {exact}")
    if exact > 0:
        check("combination" not in got, f"{rows}: {got}")
        return
    points, terms, total = points_of([(x, y) for x, y in rows], classes), got["combination"], None
    for term in terms:
        x, y = rows[term["row"] - 1]
        check(int(term["label"]) == y, f"{term}")
        rival = int(term.get("rival", 0))
        point = points_of([(x, y)], classes)[rival - (rival > y) if classes > 2 else 0]
        check(point in points, f"{term}")
        part = [term["coefficient"] * float(v) for v in point]
        total = part if total is None else [a + b for a, b in zip(total, part)]
    check(isclose(sum(term["coefficient"] for term in terms), 1, abs_tol=1e-7), f"{terms}")
    check(sqrt(dot(total, total)) < 2 * radius * 2 ** -23, f"the sum of {terms}: {total}")


def test_measure_refused():
    for algorithm in "voted", "kernel":
        refused(1, "--measure needs weights", "train", "-a", algorithm, "--measure", DIGITS, OUT + "/m")


# ---- Folds ----

def mix(x):
    for shift, factor in (16, 0x7feb352d), (15, 0x846ca68b):
        x = (x ^ x >> shift) * factor & 0xffffffff
    return x ^ x >> 16


def drawn(n, seed, epoch=1):
    """The order of rows in an epoch of a pcn_pass, as perceptron.h describes it."""
    start = mix((mix(seed) + epoch) & 0xffffffff)
    key = [mix((start + k * 0x9e3779b9) & 0xffffffff) for k in range(1, 10)]
    bits = max(7, (n - 1).bit_length())
    low = bits // 2
    order = []
    for number in range(n):
        while True:
            a, b = number >> low, number % (1 << low)
            for k in range(0, 8, 2):
                a ^= (b * key[k] + key[k + 1] & 0xffffffff) >> 32 - (bits - low)
                b ^= (a * key[k + 1] + key[k + 2] & 0xffffffff) >> 32 - low
            number = a << low | b
            if number < n:
                break
        order.append(number)
    return order


def split(lines, k, seed=1):
    """Lines outside and inside each fold, in the order of the file."""
    fold = {row: i % k for i, row in enumerate(drawn(len(lines), seed))}
    for f in range(k):
        yield ("".join(line for i, line in enumerate(lines) if fold[i] != f),
               "".join(line for i, line in enumerate(lines) if fold[i] == f))


def folds(data, k, *options, **more):
    return json.loads(must("train", "--json", "--folds", str(k), *options, data, **more))


def separately(lines, k, options, seed=1):
    """Errors in each fold by the commands."""
    errors = []
    for outside, inside in split(lines, k, seed):
        model = train(put("outside", outside), *options, model="outside.m")
        errors.append(json.loads(must("predict", "--json", put("inside", inside), model, "/dev/null"))["errors"])
    return errors


def test_folds():
    lines = get(DIGITS).decode().splitlines(keepends=True)[:300]
    data = put("digits.csv", "".join(lines))
    for k, options in ((2, []), (5, []), (7, ["-a", "perceptron", "-e", "3"]),
                       (3, ["--normalize", "maxabs", "-e", "2"]), (3, ["-e", "1"]), (4, ["-a", "kernel", "-e", "2"]),
                       (3, ["-a", "voted", "-e", "2"]),
                       (3, ["--pocket", "-a", "perceptron"]), (3, ["--validate", "0.3", "--patience", "2"]),
                       (3, ["-a", "kernel", "--budget", "20", "--policy", "random"]), (3, ["--batch", "4"]),
                       (3, ["--binarize", "-a", "winnow2"]), (3, ["--rule", "pa1", "--weight", "3=2"])):
        got = folds(data, k, *options)
        want = separately(lines, k, options)
        check([f["errors"] for f in got["folds"]] == want, f"{k} folds, {options}: {got['folds']}, separately {want}")
        check(got["errors"] == sum(want) and sum(f["rows"] for f in got["folds"]) == 300, f"{k} folds: sums")
        accuracies = [1 - f["errors"] / f["rows"] for f in got["folds"]]
        mean = sum(accuracies) / k
        deviation = sqrt(sum((a - mean) ** 2 for a in accuracies) / (k - 1))
        check(near(got["accuracy"]["mean"], mean) and near(got["accuracy"]["deviation"], deviation),
              f"{k} folds: mean {mean}, deviation {deviation}")
    got = folds(data, 3, "--seed", "9")
    check([f["errors"] for f in got["folds"]] == separately(lines, 3, ["--seed", "9"], seed=9), "another seed")
    text = must("train", "--folds", "3", data)
    check(text.count("\n") == 4 and text.startswith("fold  1: ") and "mean accuracy" in text.splitlines()[3], text)
    check(text == must("train", "--folds", "3", data), "the same again")
    refused(1, "--folds needs a training without", "train", "--folds", "3", "--checkpoint", "1", data)


def test_folds_of_other_data():
    """Missing values get the mean of the rows outside; sparse rows; standard input; as many as rows."""
    draw = random.Random(5)
    rows = [([draw.gauss(y, 1), draw.gauss(-y, 1) * 50], y) for y in (draw.choice((-1, 1)) for _ in range(60))]
    gaps = [",".join(["" if draw.random() < 0.2 else f"{v:.3f}" for v in x] + [str(y)]) + "\n" for x, y in rows]
    options = ["--missing", "mean", "--normalize", "maxabs"]
    got = folds(put("gaps.csv", "".join(gaps)), 4, *options)
    check([f["errors"] for f in got["folds"]] == separately(gaps, 4, options), "means and scales are of rows outside")
    sparse = [f"{y} 1:{x[0]:.3f} 7:{x[1]:.3f} 99:1\n" for x, y in rows]
    path = put("sparse.txt", "".join(sparse))
    ones = [f"{y} " + " ".join(f"{j}:1" for j in sorted(draw.sample(range(1, 99), 5))) + " 99:1\n" for _, y in rows]
    for lines in sparse, ones:
        path = put("sparse.txt", "".join(lines))
        want = separately(lines, 5, [])
        got = folds(path, 5)
        check([f["errors"] for f in got["folds"]] == want, f"sparse rows: {got['folds']} {want}")
        got = folds("-", 5, stdin="".join(lines).encode())
        check([f["errors"] for f in got["folds"]] == want, "standard input")
    got = folds(path, 60, "-e", "1")
    check(len(got["folds"]) == 60 and all(f["rows"] == 1 for f in got["folds"]), "leave one out")


def test_folds_write_nothing():
    """No model; an interrupt ends all of it, since a part of the folds says nothing."""
    folder = OUT + "/empty"
    os.makedirs(folder, exist_ok=True)
    must("train", "--folds", "2", "../../../../" + DIGITS, cwd=folder, program=os.path.abspath(PROGRAM))
    check(os.listdir(folder) == [], f"--folds has written {os.listdir(folder)}")
    going = subprocess.Popen([PROGRAM, "train", "--folds", "2", "-e", "1000000", DIGITS], stderr=subprocess.PIPE,
                             stdout=subprocess.PIPE)
    time.sleep(0.3)
    going.send_signal(signal.SIGINT)
    try:
        going.wait(10)
    except subprocess.TimeoutExpired:
        going.kill()
    out, err = going.communicate()
    check(going.returncode in (130, -signal.SIGINT) and out == b"", f"interrupted: {going.returncode}, {out}, {err}")


def test_folds_refused():
    refused(1, "leave", "train", "--folds", "5", DIGITS, OUT + "/m")
    refused(1, "leaves folds empty", "train", "--folds", "9", table("xor.csv", XOR))
    model = train(DIGITS)
    for options in (["--resume", model], ["--test", DIGITS], ["--plot", OUT + "/p.svg"], ["--measure"], ["--final"]):
        refused(1, "--folds needs", "train", "--folds", "5", *options, DIGITS)
    for number in "1", "0", "x":
        refused(1, "folds", "train", "--folds", number, DIGITS)


# ---- Advice ----

def advice(*arguments, **more):
    status, out, err = run("train", *arguments, OUT + "/m", **more)
    check(status == 0, f"{arguments}: {err}")
    return [line for line in err.splitlines() if line.startswith("advice: ")]


def test_advice_on_order():
    draw = random.Random(1)
    rows = [([draw.randint(0, 9), draw.randint(0, 9)], y) for y in [0] * 40 + [1] * 40 + [2] * 40]
    data = table("sorted.csv", rows)
    draw.shuffle(rows)
    mixed = table("mixed.csv", rows)
    sorted_text = put("sorted.txt", "".join(f"{y} 1:{y + 1}\n" for y in range(3) for _ in range(40)))
    for options in (["-e", "1"], ["--order", "file"], ["-e", "1", "-t", data], ["-e", "1", "--classes", "3"],
                    ["--online"], ["-e", "1", "--classes", "0,1,2", "--features", "2"],
                    ["--order", "file", "-a", "kernel"]):
        said = advice(*options, data)
        check(len(said) == 1 and "sorted by label" in said[0] and "--order each" in said[0], f"{options}: {said}")
        check(advice(*options, mixed) == [], f"{options}: rows in any order")
        check(advice("-q", *options, data) == [], f"{options}: quiet")
    check(len(advice("-e", "1", sorted_text)) == 1, "libsvm text")
    check(advice(data) == [] and advice("-e", "1", "--order", "each", data) == [], "shuffled rows")
    check(advice("-e", "1", table("xor.csv", [([0], 0), ([1], 1)])) == [], "so few rows may be in any order")
    err = run("train", "--folds", "3", "-e", "1", data)[2]
    check(err.count("sorted by label") == 1, f"folds: once, {err}")


def test_advice_on_scales():
    draw = random.Random(2)
    rows = [([draw.randint(0, 9), draw.randint(1000, 9999)], y) for y in [0, 1] * 40]
    data = put("scales.csv", "small,large,kind\n" + "".join(f"{a},{b},{y}\n" for (a, b), y in rows))
    options = "--label", "kind"
    said = advice(*options, data)
    check(len(said) == 1 and "feature large is up to 9" in said[0] and "feature small only 9" in said[0] and
          "--normalize standard" in said[0], f"{said}")
    check(len(advice(*options, "-e", "1", data)) == 1, "rows that are learned as they are read")
    check(len(advice(*options, "-a", "kernel", data)) == 1, "a kernel model")
    for more in ["--normalize", "maxabs"], ["--normalize", "l2"], ["--binarize"], ["-a", "winnow"], ["-q"]:
        check(advice(*options, *more, data) == [], f"no advice with {more}")
    model = train(data, *options, model="scales.m")
    check(advice(*options, "--resume", model, data) == [], "the shape of a model to resume is settled")
    text = put("scales.txt", "1 1:1 3:5000\n0 1:2 3:4000\n" * 20)
    said = advice(text)
    check(len(said) == 1 and "feature 3 " in said[0] and "feature 1 " in said[0], f"numbers as in the file: {said}")
    check(advice(put("even.txt", "1 1:1 3:999\n0 1:1 3:500\n")) == [], "a factor below 1000, and a feature of zeros")
    status, out, err = run("train", "--folds", "4", *options, data)
    check(err.count("advice: ") == 1, f"folds: once, {err}")


def test_advice_on_texts():
    """A column whose texts hardly ever come again."""
    rows = [(f"C{i}", "ns"[i % 2], i % 9, i % 2) for i in range(60)]
    data = put("texts.csv", "id,pole,n,kind\n" + "".join(f"{a},{b},{n},{y}\n" for a, b, n, y in rows))
    said = "advice: column 'id' has 60 texts in 60 rows; --ignore 'id' leaves it out"
    for options in ([], ["-e", "1"], ["-a", "kernel"], ["-a", "winnow"]):
        check(advice(*options, data) == [said], f"{options}: {advice(*options, data)}")
    check(advice("--ignore", "id", data) == [] and advice("-q", data) == [], "without the column, and quiet")
    check(advice("-", stdin=b"".join(f"{a},{b},{y}\n".encode() for a, b, n, y in rows)) ==
          ["advice: column '1' has 60 texts in 60 rows; --ignore '1' leaves it out"], "without a header")
    half = put("half.csv", "id,kind\n" + "".join(f"C{i // 2},{i % 2}\n" for i in range(60)))
    check(advice(half) == [], "texts that come twice")
    for value in "${}", "{} %", "€ {}.5", "1,23{}.50", "'0.{}'":
        dear = put("dear.csv", "price,kind\n" + "".join(f'"{value.format(i % 6)}",{i % 2}\n' for i in range(60)))
        check(advice(dear) == [f"advice: column 'price' has 6 texts like '{value.format(0)}', each a feature of its own: as "
                               "numbers they need digits and a point alone"], f"{value}: {advice(dear)}")
    for value in "A{}", "1{}-2{}", "{}th", "1.2.{}", "10{}":
        names = put("names.csv", "group,kind\n" + "".join(f'"{value.format(i % 6, i % 6)}",{i % 2}\n' for i in range(60)))
        check(advice("--nominal", "group", names) == [], f"{value}: {advice('--nominal', 'group', names)}")
    few = put("few.csv", "id,kind\n" + "".join(f"C{i},{i % 2}\n" for i in range(9)))
    check(advice(few) == [], "too few rows to say")


def test_advice_on_capitals():
    """Labels that differ only in them; of one letter they may be meant so."""
    def said(*labels):
        return advice(put("capitals.csv", "a,kind\n" + "".join(f"{i * 37 % 11},{labels[i % 3]}\n" for i in range(60))))
    check(said("yes", "no", "Yes") == ["advice: 'Yes' and 'yes' are two labels here: capitals count"], "Yes and yes")
    check(said("yes", "no", "yes!") == said("a", "b", "A") == [], "others")


def test_advice_on_row_numbers():
    """Columns that rise by one, or have such a name and all values different."""
    def said(header, first, rows=60, options=()):
        lines = "".join(f"{first(i)},{'ab'[i * i % 7 % 2]},{i * 37 % 11},{i * i % 3 % 2}\n" for i in range(rows))
        return advice(*options, put("numbers.csv", header + lines))
    count, other = lambda i: i + 7, lambda i: i * 37 % 61
    line = "advice: column '{0}' seems to number the rows: --ignore '{0}' leaves it out"
    for name in "id", "Id", "ID", "index", "Unnamed: 0", "time":
        check(said(f"{name},p,n,y\n", count) == [line.format(name)], f"{name} rises: {said(f'{name},p,n,y' + chr(10), count)}")
        check(said(f"{name},p,n,y\n", other) == [line.format(name)] * (name != "time"), f"{name} has all values once")
    check(said("id,p,n,y\n", lambda i: i // 2) == [], "values that come again")
    check(said("id,p,n,y\n", lambda i: i + 0.5)[:1] == [line.format("id")], "a name is enough")
    check(said("t,p,n,y\n", lambda i: i + 0.5) == [], "no whole numbers")
    check(said("t,p,n,y\n", lambda i: i + (i == 59)) == [], "with a gap")
    check(said("t,p,n,y\n", lambda i: i + (i > 50) - 9, options=("--missing", "drop")) == [line.format("t")], "rows may be left out")
    check(said("t,p,n,y\n", lambda i: i * 37 % 60 + 5) == [line.format("t")], "in any order")
    check(said("t,p,n,y\n", lambda i: i + 7, options=("--validate", "0.2")) == [line.format("t")], "rows held back")
    check(said(",p,n,y\n", count) == ["advice: a column has no name, as row numbers have none: --ignore '' leaves it out"], "without a name")
    check(said("id,p,n,y\n", count, rows=20) == [], "too few rows to say")
    for options in ("-q",), ("--ignore", "id"):
        check(said("id,p,n,y\n", count, options=options) == [], f"{options}")
    check(said("", count, options=("--ignore", "2")) == [line.format("1")], "without names")
    rows = "".join(f"{i % 2},x,{i % 5},{i}\n" for i in range(60))
    check(advice("--label", "1", "--ignore", "2", put("numbers.csv", rows)) == [line.format("4")], "by the number in the file")
    check(advice(put("numbers.svm", "".join(f"{i % 2} 1:{i + 1}\n" for i in range(60)))) == [], "libsvm text has no columns")


def test_advice_on_telltales():
    """A column that gets 99.5 % right alone, and a model without it not: it may be known only afterwards."""
    draw = random.Random(5)

    def table(*columns, n=240, labels=None, head=None):
        """Columns are functions of the label and the row; two of noise stand before them. Returns labels, rows, a name."""
        y = labels or [draw.choice("ab") for _ in range(n)]
        rows = [[f"{draw.gauss(0, 1):.3f}", str(draw.randint(0, 9)), *[str(c(y[i], i)) for c in columns], y[i]] for i in range(len(y))]
        names = ["n", "m"] + [f"c{k}" for k in range(len(columns))] + ["y"] if head is None else head
        return put("tell.csv", "".join(",".join(row) + "\n" for row in ([names] if names else []) + rows))

    def said(*columns, options=(), **more):
        return [line for line in advice(*options, table(*columns, **more)) if "alone" in line]

    def names(*columns, **more):
        lines = said(*columns, **more)
        check(len(lines) < 2, f"one note: {lines}")
        return re.findall("'(.*?)'", lines[0].split(" alone ")[0]) if lines else []

    above = lambda y, i: (y == "a") + draw.random() * 0.9
    below = lambda y, i: -above(y, i) * 1000
    word = lambda y, i: {"a": "no", "b": "yes", "c": "-x"}[y]
    line = said(above)
    check(len(line) == 1 and re.fullmatch(r"advice: column 'c0' alone gets 100 % of the rows right, and a model without it [456]\S* %: "
                                          r"if it is not known when you predict, --ignore 'c0' leaves it out", line[0]), f"{line}")
    for column in above, below, word:
        check(names(column) == ["c0"], f"{names(column)}")
        for options in ("-q",), ("-e", "1"), ("--online",), ("--products", "n*m"):
            check(said(column, options=options) == [], f"{options}")
        model = get(train(table(column), "-q"))
        for command in ("train", "--folds", "2"), ("compare", "--seconds", "1"):
            err = run(*command, OUT + "/tell.csv")[2]
            check(err.count("'c0' alone gets 100 %") == 1, f"{command}: {err}")
        check(get(train(OUT + "/tell.csv")) == model, "the model stays as it is")
    for wrong, n, tells in (1, 200, 1), (2, 200, 0), (0, 199, 0), (6, 2000, 1), (30, 2000, 0):
        for column in above, word:
            found = names(lambda y, i: column("ab"[y == "a"] if i < wrong else y, i), n=n)
            check(found == ["c0"] * tells, f"{wrong} of {n} wrong: {found}")
    check(names(above, below) == ["c0", "c1"], "each would hide the other")
    check(names(*[above] * 3, word, word) == ["c0", "c1", "c2"] and "and more alone get" in said(*[above] * 3, word, word)[0], "many")
    check(names(*[lambda y, i: above(y, i) + draw.gauss(0, 0.3)] * 40, above, n=600) == [], "the others do as well")
    check(names(above, labels=["a"] * 285 + ["b"] * 15) == [], "one label has 95 %")
    check(names(above, labels=["a", "b", "c"] * 80) == [] and names(word, labels=["a", "b", "c"] * 80) == ["c0"], "three labels")
    check(names(above, labels=["a", "b"] * 150 + ["c"]) == ["c0"], "and a rare one")
    check(names(lambda y, i: y + str(i)) == [] and names(lambda y, i: i // 3) == [], "texts that come once; numbers")
    check(names(lambda y, i: y + str(i // 40)) == ["c0"], "texts that come again")
    check(names(lambda y, i: "NA" if y == "a" else draw.random(), options=("--missing", "mean")) == ["c0"], "a number only where b is")
    check(names(lambda y, i: "NA" if y == "a" else draw.choice("uvw"), options=("--missing", "zero")) == ["c0"], "a text only where b is")
    check(names(above, options=("--header=no", "--ignore", "1"), head=()) == ["3"], "by its number")
    check(names(word, options=("--text-column", "c0")) == [], "words of texts")
    check(names(word, options=("--rows", "dense")) == ["c0"], "dense rows")
    for first in 0, 1:
        rows = "".join(f"{i % 2} {first}:{draw.random():.3f} {first + 1}:{i % 2 + 1} {first + 2}:1\n" for i in range(300))
        for data in rows, rows.replace(f"{first + 1}:1 ", ""):
            line = advice(*[["--zero-based"], []][first], put("tell.svm", data))
            check(re.fullmatch(rf"advice: feature '{first + 1}' alone gets 100 % of the rows right, and a model without it [456]\S* %: "
                               "if it is not known when you predict, leave it out of the rows", line[0]), f"{line}")
    check([line for line in advice("-a", "kernel", table(above)) if "alone" in line] != [], "a kernel")


def test_advice_on_ngrams():
    """How many features there are, and what their weights take, before they are learned; a model file has little more."""
    text = put("grams.tsv", "ham\tsee you at lunch\nspam\twin free cash now\nnews\tcash is king\n" * 40)
    for options, features, arrays in ([], 18, 3), (["-e", "1"], 18, 3), (["-a", "perceptron"], 18, 1), (["-a", "arow"], 18, 2):
        said = advice("--text", "--ngrams", "2", *options, text)
        mb = f"{arrays * 4 * 3 * (features + 1) / 1e6:.4g}"
        check(said == [f"advice: with --ngrams 2 there are {features} features, {mb} MB of weights; --hash BITS sets how many "
                       "there are"], f"{options}: {said}")
        check(len(get(OUT + "/m")) > float(mb) * 1e6, f"{options}: the file")
        check(advice("-q", "--text", "--ngrams", "2", *options, text) == [], "quiet")
    check(advice("--text", "--ngrams", "2", "--hash", "4", text) ==
          ["advice: with --ngrams 2 there are 16 features, 0.000612 MB of weights"], "the size is set")
    column = put("grams.csv", "t,y\n" + "see you,0\nwin cash,1\n" * 20)
    check(advice("--text-column", "t", "--ngrams", "2", column) ==
          ["advice: with --ngrams 2 there are 6 features, 8.4e-05 MB of weights"], "--hash does not go with columns")
    for options in ["--text", text], ["--text", "--ngrams", "1", text], ["--text", "--ngrams", "2", "-a", "kernel", text]:
        check(advice(*options) == [], f"{options}")


def test_advice_on_winnow():
    for algorithm in "winnow1", "winnow2", "balanced-winnow":
        data = DIGITS
        if algorithm == "winnow1":
            data = table("two.csv", XOR[:2] + [([2, 0], 1)])
        said = advice("-a", algorithm, data)
        check(len(said) == 1 and algorithm in said[0] and "--binarize" in said[0] and "-a winnow" in said[0], f"{said}")
        check(advice("-a", algorithm, "--binarize", data) == [], f"{algorithm} with --binarize")
        check(advice("-a", algorithm, table("xor.csv", XOR)) == [], f"{algorithm} on 0 and 1")
    check(advice("-a", "winnow", DIGITS) == [], "winnow takes any values")
    check(len(advice("-a", "winnow2", put("minus.txt", "1 1:1 2:-1\n0 1:1\n"))) == 1, "-1 is another value")


# ---- The summary, and what comes before learning ----

def test_dropped():
    """As many rows as there were updates beyond the budget."""
    rows = separable(1, 50, 2)
    data = table("b.csv", rows)
    status, out, err = run("train", "--json", "-a", "kernel", "--budget", "2", "-e", "2", data, OUT + "/m")
    found = json.loads(out)
    check(status == 0 and found["support_vectors"] == 2 and found["dropped"] > 0, f"{found}")
    check("rows" not in err, f"the summary is JSON alone: {err}")
    err = run("train", "-a", "kernel", "--budget", "2", "-e", "2", data, OUT + "/m")[2]
    check(f", {found['dropped']} times no room for a row; {OUT}/m: {found['model_bytes']} bytes\n" in err, f"{err}")
    refit = json.loads(must("train", "--json", "-q", "-a", "kernel", "--budget", "999", data, OUT + "/m"))
    check(refit["dropped"] == 0, "room for all")
    check("no room" not in run("train", "-a", "kernel", data, OUT + "/m")[2], "nothing said when none is dropped")


def test_given_again():
    model = train(DIGITS, "--rate", "2", "--seed", "5", model="first.m")
    status, out, err = run("train", "--resume", model, "--rate", "3", "--seed", "5", DIGITS, OUT + "/m")
    check(status == 0 and err.count("\n") == 4, f"{err}")
    check(err.splitlines()[2] == "new: 0 labels, 0 features" and err.splitlines()[3].startswith("given again: ") and "--rate 3 in place of the model's 2" in err and
          "--seed" not in err, f"{err}")
    err = run("train", "--resume", model, "--margin", "2", "--weight", "3=2", DIGITS, OUT + "/m")[2]
    check("--margin 2 in place of the model's default" in err and "--weight 3=2 in place of" in err, f"{err}")
    err = run("train", "--resume", OUT + "/m", "--weight", "3=4", "--weight", "4=4", DIGITS, OUT + "/m2")[2]
    check(err.count("--weight 3=4 ... in place of the model's 3=2") == 1 and "default" not in err, f"{err}")
    check(run("train", "--resume", model, DIGITS, OUT + "/m")[2].count("\n") == 3, "nothing given again")
    found = json.loads(must("train", "--json", "--resume", model, "--rate", "3", "--margin", "2", DIGITS, OUT + "/m"))
    check(found["given_again"] == ["--rate 3 in place of the model's 2", "--margin 2 in place of the model's default"],
          f"{found}")
    found = json.loads(must("train", "--json", "--resume", model, DIGITS, OUT + "/m"))
    check("given_again" not in found, f"{found}")


def test_budget_to_resume():
    """A model that forgets goes on forgetting, one that does not goes on so, and no budget is raised in silence."""
    keeps = train(DIGITS, "-a", "kernel", "--budget", "900", model="keeps.m")
    for policy in "oldest", "projectron":
        forgets = train(DIGITS, "-a", "kernel", "--budget", "50", "--policy", policy, model="forgets.m")
        refused(1, "--budget 9 is less than the 50 vectors", "train", "--resume", forgets, "--budget", "9", DIGITS,
                OUT + "/none")
        refused(1, "--policy stop", "train", "--resume", forgets, "--policy", "stop", DIGITS, OUT + "/none")
        refused(1, f"--policy {policy}", "train", "--resume", keeps, "--policy", policy, DIGITS, OUT + "/none")
        must("train", "-q", "--resume", forgets, "--budget", "60", DIGITS, OUT + "/m")
        must("train", "-q", "--resume", forgets, DIGITS, OUT + "/m")
        must("predict", DIGITS, forgets, "/dev/null")


def test_before_learning():
    """What is wrong with options and test rows is said before a million epochs."""
    refused(3, "absent: No such file", "train", "-e", "1000000", "-t", OUT + "/absent", DIGITS, OUT + "/none", timeout=10)
    refused(1, "no such label", "train", "-e", "1000000", "--weight", "ten=2", DIGITS, OUT + "/none", timeout=10)
    check(not os.path.exists(OUT + "/none"), "a training that cannot be finished leaves no file")
    three = table("three.csv", [([y, 1], y) for y in (0, 1, 2)])
    refused(1, "two labels", "train", "-a", "kernel", "--budget", "9", "--policy", "forgetron", three, OUT + "/none")
    model = train(DIGITS, "-a", "kernel", model="kernel.m")
    for data in DIGITS, OUT + "/not there":
        refused(1, "--budget 3 is less than", "train", "--resume", model, "--budget", "3", data, OUT + "/none")


def test_arow():
    """Its variances are shown; its weights are exported."""
    for decision, other in ("last", "averaged"), ("averaged", "last"):
        whole = train(DIGITS, "-a", "arow", "--r", "0.5", "--decision", decision, "--order", "file", "-e", "5", model="whole.m")
        refused(1, "trained with another: leave it out, or", "train", "--resume", whole, "--decision", other, DIGITS,
                OUT + "/none")
        told = json.loads(must("show", "--json", whole))
        shown = [feature for part in told["weights"] for feature in part["for"]]
        check(told["options"]["decision"] == decision, f"show: {told['options']}")
        check(shown and all(0 < feature["variance"] <= 1 for feature in shown), f"variances of arow: {shown[:2]}")
        check("(variance 0." in must("show", whole), "variances of arow in the text")
        must("export", "--format", "liblinear", whole, OUT + "/arow.liblinear")
    final = train(DIGITS, "-a", "arow", "--final", model="final.m")
    check("variance" not in must("show", final), "--final keeps no variances")
    must("train", "-q", "--resume", final, "-e", "1", DIGITS, OUT + "/m")


def test_arow_refused():
    three = table("three.csv", [([y, 1], y) for y in (0, 1, 2)])
    for why, *options in (
            ("algorithm other than Winnow and arow", "--rule", "pa1"), ("--rule fixed", "--rate", "0.5"),
            ("other than arow", "--batch", "5"), ("predicted or one-vs-rest", "--update", "others"),
            ("predicted or one-vs-rest", "--update", "uniform"), ("no voted one", "--decision", "voted"),
            ("a margin of 0", "--zero-update", "predicted"), ("--rule pa1 or pa2", "-C", "1"),
            ("a Winnow algorithm", "--eta", "0.3")):
        refused(1, why, "train", "-a", "arow", *options, three, OUT + "/none")
    refused(1, "-a arow", "train", "--r", "0.5", three, OUT + "/none")
    refused(1, "no mean", "train", "-a", "arow", "--decision", "averaged", "--pocket", three, OUT + "/none")
    refused(1, "--r 0", "train", "-a", "arow", "--r", "0", three, OUT + "/none")


def floats(model, n):
    """The weights of a binary model in class-major order and its bias, from its image."""
    return struct.unpack(f"<{n + 1}f", image(model)[64:64 + 4 * (n + 1)])


def rounded(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def test_shards_by_hand():
    """Rows dealt by hand to trainings of their own, whose weights are mixed here, product then sum."""
    rows, n = inseparable(5, 67, 6), 6
    data = table("dealt.csv", rows)
    for shards in 2, 3, 4:
        parts = []
        for s in range(shards):
            own = [rows[i] for i in range(s, len(rows), shards)]
            model = train(table("part.csv", own), "-a", "perceptron", "--order", "file", "-e", "1", model="part.m")
            share = rounded(len(own) / len(rows))
            parts.append([rounded(share * w) for w in floats(model, n)])
        while len(parts) < 4:
            parts.append([0] * (n + 1))
        expected = tuple(rounded(rounded(a + c) + rounded(b + d)) for a, b, c, d in zip(*parts))
        mixed = train(data, "-a", "perceptron", "--order", "file", "-e", "1", "--shards", str(shards), model="mixed.m")
        check(floats(mixed, n) == expected, f"{shards} shards: {floats(mixed, n)}, by hand {expected}")


LEARNERS = (["-a", "perceptron"], [], ["-a", "arow"], ["-a", "arow", "--decision", "averaged"], ["-a", "winnow"],
            ["-a", "balanced-winnow", "--binarize"], ["--rule", "pa1", "--normalize", "l2"])


def test_shards():
    """Any number of threads gives the same bytes; one shard gives those of none."""
    for learner in LEARNERS:
        for order in "each", "once", "file":
            options = [*learner, "--order", order, "-e", "4"]
            whole = train(DIGITS, *options, "--shards", "5", "--threads", "1", model="whole.m")
            for threads in "2", "3", "9":
                other = train(DIGITS, *options, "--shards", "5", "--threads", threads, model="other.m")
                check(get(whole) == get(other), f"{options}: {threads} threads")
            one = train(DIGITS, *options, "--shards", "1", model="one.m")
            check(image(one) == image(train(DIGITS, *options)) != image(whole), f"{options}: one shard")
    few = table("few.csv", separable(1, 5, 3))
    check(get(train(few, "--shards", "9", "--threads", "2")) == get(train(few, "--shards", "9", "--threads", "1", model="n")),
          "more shards than rows")


def test_shards_learn():
    """Errors, counts and what stops a training."""
    rows = separable(2, 400, 4)
    data = table("shards.csv", rows)
    for learner in ["-a", "perceptron"], [], ["-a", "arow"]:
        told = json.loads(must("train", "--json", "-q", *learner, "--shards", "4", "-e", "60", "--stop", "clean", "-t", data,
                               data, OUT + "/m"))
        check(told["shards"] == 4 and told["rows"] == 400, f"{told}")
        check(told["test"]["errors"] <= (0 if learner else 12), f"{learner}: {told['test']}")
        if learner == ["-a", "perceptron"]:
            check(told["epochs"][-1]["updates"] == 0 < told["epochs"][-2]["updates"], "--stop clean")
        check(json.loads(must("show", "--json", OUT + "/m"))["options"]["shards"] == 4, "shards are remembered")
    status, out, err = run("train", "--shards", "4", data, OUT + "/m")
    check(status == 0 and "4 shards" in err and "mixing shards of 100 rows" in err, f"summary and advice: {err}")
    status, out, err = run("train", "--shards", "4", "-a", "arow", data, OUT + "/m")
    check(status == 0 and "advice" not in err, f"no advice: {err}")
    held = json.loads(must("train", "--json", "-q", "--shards", "3", "--validate", "0.2", "--patience", "2", data, OUT + "/m"))
    check(held["rows"] == 320 and "held_out_errors" in held["epochs"][0], f"--validate: {held}")
    check("mean accuracy" in must("train", "--shards", "3", "--folds", "4", data), "--folds")
    check("no proof" not in must("train", "--shards", "3", "--measure", data, OUT + "/m"), "--measure")


def test_shards_refused():
    data = table("bad.csv", separable(3, 50, 4))
    for why, *options in (
            ("voted and kernel models have not", "-a", "kernel"), ("no --stop window", "--stop", "window"),
            ("no --shards", "--batch", "5")):
        refused(1, why, "train", "--shards", "2", *options, data, OUT + "/none")
    refused(1, "--shards", "train", "--shards", "2", "-a", "perceptron", "--pocket", data, OUT + "/none")
    refused(1, "from 1 to 4096", "train", "--shards", "0", data, OUT + "/none")
    check(get(train(data)) == get(train(data, "--threads", "3")), "more threads than there is work for")
    must("predict", "-q", "--threads", "3", data, train(data), "/dev/null")
    rows = [([1, 2], 1), ([2, 1], -1)] * 20
    rows[31] = rows[12] = ([3e38, 3e38], 1)
    for shards in "2", "3", "5":
        for threads in "1", "2":
            refused(2, "row 13 of the data", "train", "-e", "1", "--shards", shards, "--threads", threads,
                    table("large.csv", rows), OUT + "/none")


for test in (test_shards_by_hand, test_shards, test_shards_learn, test_shards_refused, test_arow, test_arow_refused, test_binary, test_classes, test_cycle, test_known_margin, test_weights_that_predict, test_measure_refused,
             test_best_margin,
             test_folds, test_folds_of_other_data, test_folds_write_nothing, test_folds_refused,
             test_advice_on_order, test_advice_on_scales, test_advice_on_texts, test_advice_on_capitals, test_advice_on_row_numbers, test_advice_on_telltales, test_advice_on_ngrams, test_advice_on_winnow,
             test_dropped, test_given_again, test_budget_to_resume, test_before_learning):
    test()
finish()
