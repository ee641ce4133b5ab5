#!/usr/bin/env python3
"""How sure predictions are: probabilities beside the formula, measures beside their definitions, what they are worth on
other rows beside a fit to these, refusals, exported C; --weight balanced."""
import glob
import itertools
import json
import math
import os
import random
import re
import signal
import struct
import subprocess
import time
import zlib

from cli import OUT, PROGRAM, check, finish, get, image, must, noisy, plainly, put, refused, run, short, skip, stored, train, with_section
from exported import WARN

DATA = os.environ.get("PCN_DATA")
FLOAT_MOST = 2.0**128 - 2.0**104


def halves(text, part=2):
    """Every part-th line for testing, the others for training."""
    lines = text.splitlines()
    name = f"set{zlib.crc32(text.encode()):x}"
    return (put(name + ".train", "".join(line + "\n" for i, line in enumerate(lines) if i % part)),
            put(name + ".test", "".join(lines[i] + "\n" for i in range(0, len(lines), part))))


def blobs(rows, classes, seed, spread=1.0):
    draw, lines = random.Random(seed), []
    for _ in range(rows):
        k = draw.choices(range(classes), range(1, classes + 1))[0]
        values = [round(draw.gauss(2 * (k == j), spread), 2) for j in range(classes)]
        lines.append(f"{k + 1} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(values)))
    return "\n".join(lines) + "\n"


def labels_of(path):
    return [line.split()[0].lstrip("+") for line in get(path).decode().splitlines()]


def numbers(data, model, *options):
    """The labels of the header, those predicted, and the numbers behind them."""
    head, *lines = [line.split(" ") for line in must("predict", "-q", *options, data, model).splitlines()]
    return head[1:], [line[0] for line in lines], [[float(v) for v in line[1:]] for line in lines]


def calibration(model):
    shown = json.loads(must("show", "--json", model))
    return shown["calibration_a"], shown["calibration_b"], shown.get("calibration_c", 0)


def bent(u, t):
    return u / math.sqrt(1 + t * u * u / 32)


def curve(a, b, c, scores):
    """The formula; scores: one of two labels, or of each."""
    if len(scores) == 1:
        z = bent(a * scores[0] + b, math.expm1(c))
        p = 1 / (1 + math.exp(-z)) if z > -700 else 0.0
        return [1 - p, p]
    t, u = math.expm1(abs(b)), [a * (s - max(scores)) for s in scores]
    e = [(1 + t) / (math.exp(min(-v, 700)) + t) if b > 0 else math.exp(bent(v, t)) for v in u]
    return [v / sum(e) for v in e]


def fit_of(model):
    return json.loads(must("show", "--json", model)).get("fit")


def says_no_fit(model):
    """Does show say that there is only the calibration?"""
    return json.loads(must("show", "--json", model))["fit"] is None and \
        "\nfitted     nothing: the line above gives all probabilities\n" in must("show", model)


def by_fit(fit, x, scores, label):
    """The formula of fit.h; x: the values of the row as it was learned; label: the number of the one predicted."""
    q = min(max(math.log(1 + sum(v * v for v in x)) / 2 - fit["q0"], fit["low"]), fit["high"])
    z = [slope * math.exp(fit["power"] * q) * score + offset + drift * q
         for slope, offset, drift, score in zip(fit["slope"], fit["offset"], fit["drift"], scores)]
    z = [0, *z] if len(z) == 1 else [min(v, z[label]) for v in z]
    e = [math.exp(v - max(z)) for v in z]
    return [(1 - fit["blur"]) * v / sum(e) + fit["blur"] / len(e) for v in e]


def log_loss(labels, names, p):
    return sum(-math.log(max(row[names.index(label)], 2**-24)) for label, row in zip(labels, p)) / len(p)


# ---- Probabilities and their measures ----

def test_formula():
    for classes in (2, 4):
        data, test = halves(blobs(3000, classes, classes))
        values = [[float(cell.split(":")[1]) for cell in line.split()[1:]] for line in get(test).decode().splitlines()]
        as_they_are = "--normalize", "none"
        for options in (as_they_are, ("-e", "1", *as_they_are), ("-a", "arow", *as_they_are), ("--online",),
                        ("-a", "kernel", "-e", "1"), ("--shards", "2"), ("-a", "winnow", *as_they_are)):
            model = train(data, "--probabilities", *options)
            names, labels, p = numbers(test, model, "--probabilities")
            _, by_scores, scores = numbers(test, model, "--scores")
            fit = fit_of(model)
            check((fit is not None) == (options in (as_they_are, ("-a", "arow", *as_they_are))), f"{options}: a fit, or none")
            wanted = [by_fit(fit, x, row, names.index(label)) for x, row, label in zip(values, scores, labels)] if fit else \
                [curve(*calibration(model), row) for row in scores]
            check(names == [str(k + 1) for k in range(classes)] and labels == by_scores and len(p) == 1500 and
                  all(abs(v - w) < 2e-5 for got, row in zip(p, wanted) for v, w in zip(got, row)),
                  f"{classes} {options}: the probabilities are those of the scores")
            check_measures(test, model, names, labels, p, f"{classes} {options}")


def check_measures(test, model, names, predicted, p, what):
    truth = labels_of(test)
    of = ["2"] * len(p) if len(names) == 2 else predicted
    sure = [row[names.index(label)] for row, label in zip(p, of)]
    so = [label == true for label, true in zip(of, truth)]
    square = [sum((v - (name == true))**2 for v, name in zip(row, names)) for row, true in zip(p, truth)]
    bins = [[i for i, v in enumerate(sure) if min(int(10 * v), 9) == k] for k in range(10)]
    ece = sum(abs(sum(sure[i] - so[i] for i in rows)) for rows in bins) / len(p)
    got = json.loads(must("predict", "--json", "--report", test, model))["report"]["probabilities"]
    wanted = {"log_loss": log_loss(truth, names, p), "brier": sum(square) / len(p) / (1 + (len(names) == 2)), "ece": ece}
    check(all(abs(got[name] - wanted[name]) < 1e-4 for name in wanted), f"{what}: {got} {wanted}")
    check([b["rows"] for b in got["reliability"]] == list(map(len, bins)), f"{what}: rows of bins")
    check(all(abs(b["mean"] - sum(sure[i] for i in rows) / len(rows)) < 1e-4 and
              abs(b["share"] - sum(so[i] for i in rows) / len(rows)) < 1e-9
              for b, rows in zip(got["reliability"], bins) if rows), f"{what}: bins")
    text = must("predict", "-q", "--report", test, model, OUT + "/none", force=True)
    check(f"Log-loss = {got['log_loss']:g}, Brier score = {got['brier']:g}, ECE = {got['ece']:g}" in text and
          sum(int(n) for n in re.findall(r"^0\.\d to [01]\.\d +(\d+)", text, re.M)) == len(p), f"{what}: {text}")


def test_not_finite():
    """Rows whose length or whose scores overflow have probabilities, too."""
    wild = ((1e20, 1, 1), (1e19, 1e19, 1e19), (3e38, 1, 1), (-3e38, 1, 1), (3e38, 3e38, 3e38), (-3e38, 3e38, -3e38))
    for classes, options in itertools.product((2, 3), ((), ("--shards", "2"))):
        draw, lines = random.Random(classes), []
        for _ in range(900):
            k = draw.randrange(classes)
            x = [round(draw.gauss(2 * (k == j), 1.5), 2) for j in range(3)]
            lines.append(",".join(map(str, (*x, *x, "abc"[k]))))  # each column twice, so that sums overflow
        model = train(put("twice.csv", "\n".join(lines) + "\n"), "--header=no", "--probabilities", "--normalize", "none",
                      "--rule", "fixed", "--rate", "30", *options)
        data, fit = put("wild.csv", "".join(",".join(map(str, (*x, *x))) + "\n" for x in wild)), fit_of(model)
        check((fit is None) == bool(options), f"{options}: a fit, or none")
        names, labels, p = numbers(data, model, "--probabilities")
        scores = numbers(data, model, "--scores")[2]
        refused_labels = must("predict", "-q", "--refuse", "0.4", data, model).split()
        met = set()
        for x, row, label, got, answer in zip(wild, scores, labels, p, refused_labels):
            met |= {str(abs(v)) for v in row if not math.isfinite(v)}
            finite = [min(max(v, -FLOAT_MOST), FLOAT_MOST) for v in row]
            wanted = [1 / classes] * classes if any(map(math.isnan, row)) else \
                by_fit(fit, x + x, finite, names.index(label)) if fit else curve(*calibration(model), finite)
            check(all(abs(v - w) < 2e-5 for v, w in zip(got, wanted)), f"{classes} {options} {x}: {got}, not {wanted}")
            check(answer == ("?" if 1 - max(got) > 0.4 else label), f"{classes} {options} {x}: {answer}")
        check(met == {"inf", "nan"}, f"{classes} {options}: scores that overflow, and their sums: {met}")


def fitted(truth, names, scores):
    """Log-loss of the a, b and c that suit these rows best: by descent, one after the other."""
    loss = lambda at: log_loss(truth, names, [curve(*at, row) for row in scores])
    size = sum(abs(v) for row in scores for v in row) / sum(map(len, scores)) or 1
    at, step = (1 / size, 0.0, 0.0), 1.0
    best = loss(at)
    while step > 0.01:
        a, b, c = at
        for near in ((a * (1 + step), b, c), (a / (1 + step), b, c), (a, b + step, c), (a, b - step, c),
                     *([(a, b, c + step), (a, b, max(c - step, 0))] if len(names) == 2 else [])):
            if (now := loss(near)) < best:
                at, best = near, now
                break
        else:
            step /= 2
    return best


def test_worth():
    """On rows that were not learned: near to the best fit to these very rows, and calibrated."""
    sets = {"noisy": halves(noisy(8000, 8, 3)), "four": halves(blobs(6000, 4, 9))}
    if DATA:
        if not short("noisy, four and spam of five sets that a fit in Python judges"):
            sets |= {name: (f"{DATA}/{name}.train.svm", f"{DATA}/{name}.test.svm") for name in ("letter", "shuttle")}
        lines = get(f"{DATA}/spam.train.svm").decode() + get(f"{DATA}/spam.test.svm").decode()
        lines = lines.splitlines()
        random.Random(1).shuffle(lines)
        sets["spam"] = halves("\n".join(lines) + "\n")
    for name, (data, test) in sets.items():
        for options in ((), ("-a", "arow"), ("--online",)):
            if name in ("letter", "shuttle") and options:
                continue  # the fit in Python takes its time
            model = train(data, "--probabilities", *options)
            got = json.loads(must("predict", "--json", "--report", test, model))["report"]["probabilities"]
            names, _, scores = numbers(test, model, "--scores")
            names = [str(label) for label in json.loads(must("show", "--json", model))["labels"]]
            best = fitted(labels_of(test), names, scores)
            check(len(scores) >= 1500 and got["log_loss"] - best < 0.01 + 0.02 * best * (len(names) > 2),
                  f"{name} {options}: log-loss {got['log_loss']}, of a fit afterwards {best}")
            # of this one, 2,300 rows, the fit afterwards has an ECE of 0.02, too
            check(len(names) > 2 or got["ece"] < (0.025 if (name, *options) == ("spam", "-a", "arow") else 0.021), f"{name} {options}: ECE {got['ece']}")


def test_not_of_own_rows():
    """Where there is nothing to learn, many features learn the rows by heart, and the probabilities say 1/2 of others.
    Rows that are sorted by label change nothing."""
    draw, lines = random.Random(5), []
    for _ in range(3000):
        lines.append(f"{draw.randrange(2)} " + " ".join(f"{j}:1" for j in sorted(draw.sample(range(1, 2000), 12))))
    data, test = halves("\n".join(lines) + "\n")
    for name, path in (("as it is", data), ("sorted", put("sorted", b"".join(sorted(get(data).splitlines(True)))))):
        model = train(path, "--probabilities")
        own, other = (json.loads(must("predict", "--json", "--report", rows, model)) for rows in (path, test))
        check(own["accuracy"] > 0.9 and other["accuracy"] < 0.6, f"{name}: learned by heart: {own['accuracy']} {other['accuracy']}")
        check(0.68 < other["report"]["probabilities"]["log_loss"] < 0.71, f"{name}: {other['report']['probabilities']}")


def newton(c, s, y):
    """A row of the header's definition, in doubles; c: a, b, c, the four sums, rows."""
    a, b, bend, ab, aa, bb, cc, n = c
    t, u = math.expm1(bend), a * s + b
    z, slope = bent(u, t), (1 + t * u * u / 32)**-1.5
    p = 1 / (1 + math.exp(-z)) if z > -700 else 0.0
    if (p if y else 1 - p) < 1e-9:
        return [a * 63 / 64, b * 63 / 64, *c[2:]]
    v, by_c = p * (1 - p), -(1 + t) / 64 * z**3
    g, h, f = ((p - y) * d for d in (s * slope, slope, by_c))
    n += 1
    keep, more = 1 - 2 / (n + 16), 1 + 1 / n
    ab, aa, bb, cc = (keep * old + (v * new + seen) / 2 for old, new, seen in
                      ((ab, s * slope**2, g * h), (aa, (s * slope)**2, g * g), (bb, slope**2, h * h), (cc, by_c**2, f * f)))
    det = aa * more * bb * more - ab * ab
    if not 0 < det < 1e38:
        return [*c[:7], n]
    return [max(a - (bb * more * g - ab * h) / det, 0), b - (aa * more * h - ab * g) / det,
            min(max(bend - f / (cc + 4), 0), 8), ab, aa, bb, cc, n]


def test_streams():
    """A stream scores each row before it is learned, also when it is cut into runs."""
    draw, rows = random.Random(2), []
    for _ in range(900):
        x = [draw.randrange(-3, 4) for _ in range(5)]
        rows.append((int(2 * x[0] - x[1] + draw.gauss(0, 3) > 0), x))
    w, c, known = [0] * 6, [0.0] * 8, set()
    for y, x in rows:
        s = sum(v * u for v, u in zip(w, [*x, 1]))
        if {0, 1} <= known:
            c = newton(c, s, y)
        known.add(y)
        if s * (2 * y - 1) <= 0:
            w = [v + (2 * y - 1) * u for v, u in zip(w, [*x, 1])]
    lines = [",".join(map(str, [*x, y])) + "\n" for y, x in rows]
    data, options = put("stream.csv", "".join(lines)), ("-a", "perceptron", "--probabilities", "--header=no")
    for way in (("--online",), ("-e", "1")):
        model = train(data, *options, *way)
        got = calibration(model)
        check(all(abs(v - w) < 2e-3 + 1e-3 * abs(w) for v, w in zip(got, c)), f"{way}: {got}, not {c[:3]}")
    whole = get(train(data, *options, "--online", model="whole"))
    part = train(put("part.csv", "".join(lines[:300])), *options, "--online", model="part")
    for k in (300, 600):
        train(put("part.csv", "".join(lines[k:k + 300])), "--resume", part, "--online", model="part")
    check(get(part) == whole, "the same model, however its rows are cut into runs")
    # the third label begins anew: there are more scores
    text = blobs(600, 3, 4).splitlines(True)
    two = put("two", "".join(line for line in text if line[0] != "3"))
    model = train(two, "--online", "--probabilities", model="grown")
    three = put("three", "".join(text))
    for how in ("-e", "2"), ("-e", "1", "--order", "file"), ("--online",):
        then = "begun anew" if "--online" in how else "none; --online begins anew"
        err = run("train", "--force", "--resume", model, *how, three, OUT + "/third")[2]
        check(f"a third label ends the probabilities of two: {then}\n" in err, f"{how}: {err}")
        check("from 0 rows" not in err, f"{how}: nothing is rough where nothing is: {err}")
        told = json.loads(must("show", "--json", OUT + "/third"))
        check(("calibration_a" in told) == ("--online" in how) == ("probabilities" in told["options"]), f"{how}: no longer kept")
    names, _, p = numbers(three, OUT + "/third", "--probabilities")
    check(len(names) == 3 and all(abs(sum(row) - 1) < 1e-5 for row in p), "a third label may come")


def test_end_of_fit():
    """What goes on learning has the calibration alone: predict takes it, and show says so."""
    for classes in (2, 4):
        data, test = halves(blobs(3000, classes, classes))
        model = train(data, "--probabilities", "--rows", "dense")
        check(fit_of(model) and not says_no_fit(model), "there is one at first")
        must("export", "--as", "trainer", model, OUT + "/end.h")
        words = re.search(r"_factory = \{\{(.*?)\}\}", get(OUT + "/end.h").decode(), re.S)[1]
        state = put("end.factory", bytes(int(word, 0) for word in re.findall(r"\w+", words)))
        must("import", "--like", model, state, OUT + "/end.import")
        train(test, "--resume", model, "--online", model="end.online")
        for ended in OUT + "/end.import", OUT + "/end.online":
            _, _, scores = numbers(test, ended, "--scores")
            _, _, p = numbers(test, ended, "--probabilities")
            check(says_no_fit(ended) and all(abs(v - w) < 2e-5 for row, got in zip(scores, p)
                                             for v, w in zip(got, curve(*calibration(ended), row))), f"{ended}: no fit")
        check(calibration(OUT + "/end.import") == calibration(model) != calibration(OUT + "/end.online"), "the calibration is left")
    fifth = put("fifth", get(data).decode() + "5 1:1\n" * 10)
    check(says_no_fit(train(fifth, "--resume", model, "-e", "1", "--order", "each", model="end.fifth")), "a new label ends it, too")
    plain = json.loads(must("show", "--json", train(data)))
    check("fit" not in plain and "fitted" not in must("show", OUT + "/m"), "without probabilities there is nothing to say")


def test_going_on():
    data, _ = halves(noisy(3000, 5, 1))
    plain, sure = train(data, model="plain"), train(data, "--probabilities", model="sure")
    check(image(plain) == image(sure), "the weights are the same with probabilities")
    refused(1, "--probabilities: " + plain + " may have learned these rows", "train", "--resume", plain, "--probabilities",
            data, OUT + "/m")
    more = train(data, "--resume", sure, "-e", "2", model="more")
    check(calibration(more) == calibration(sure) and image(more) != image(sure), "--resume keeps what was calibrated")
    check(fit_of(more) == fit_of(sure) != None and not says_no_fit(more), "and what was fitted")
    refused(1, "--probabilities needs no --folds", "train", "--probabilities", "--folds", "3", data)
    said = lambda *options: run("train", *options, "--probabilities", data, OUT + "/m")[2]
    check("probabilities: rows are scored by models without a fifth of them first, 5.0 trainings in all" in said(), said())
    large = put("large", noisy(6000, 5, 1))
    check("first, 4.2 trainings in all" in run("train", "--probabilities", large, OUT + "/m")[2], "fewer trainings")
    last = "advice: probabilities of the last weights depend on the rows that came last: -a averaged is steadier\n"
    check(last in said("-a", "perceptron") and last not in said() and last not in said("-a", "arow"), "last weights")
    check("the last state" in said("-a", "kernel", "-e", "1") and
          "the last state" not in said("-a", "kernel", "-e", "1", "--decision", "averaged"), "the last state")
    few = put("few", "".join(get(data).decode().splitlines(True)[:200]))
    for options in ((), ("-e", "1")):
        err = run("train", "--probabilities", *options, few, OUT + "/m")[2]
        check(re.search(r"advice: probabilities from (200|19\d) rows are rough", err), err)
    check("rough" not in said(), "1,500 rows are enough")
    shards = train(data, "--probabilities", "--shards", "3", model="shards")
    check(calibration(shards)[0] > 0, "shards are calibrated, too")
    tested = json.loads(must("train", "--json", "-q", "--report", "-t", data, "--probabilities", data, OUT + "/m"))
    check(tested["report"]["probabilities"]["log_loss"] > 0, "train --test reports it, too")
    refused(1, "--probabilities: " + sure, "predict", "--probabilities", "--decision", "last", data,
            train(data, "-a", "kernel", "-e", "1", "--decision", "averaged", "--probabilities", model="sure"))


def test_damage():
    """What a file says of it is checked; without it files are as they were."""
    data, _ = halves(noisy(3000, 5, 1))
    path = train(data, "--probabilities")
    model, start = get(path), len(stored(path))
    at = model.rindex(b"PCN\x1a")  # the calibration's image
    changed = lambda some, cut=0: with_section(some[:start], some[start:len(some) - 12 - cut], "bad")
    check(must("show", changed(model)) == must("show", put("good", model)), "the file made anew is the same")
    for bad in (changed(model, 1), changed(model[:at] + b"\0" + model[at + 1:]),
                changed(model[:at + 64] + struct.pack("<f", -1) + model[at + 68:])):
        refused(2, "damaged", "show", bad)
    some = model[:at + 64] + struct.pack("<f", math.nan) + model[at + 68:-16]
    refused(2, "damaged", "show", changed(some + struct.pack("<I", zlib.crc32(some[at:])) + model[-12:]))
    numbers_at = at - 4 * 8  # of two labels: five numbers, and a slope, an offset and a drift
    for k, value in ((0, math.nan), (1, 1e9), (2, -1e9), (3, 51), (4, 1.5), (4, -0.5), (6, math.inf)):
        refused(2, "damaged", "show",
                changed(model[:numbers_at + 4 * k] + struct.pack("<f", value) + model[numbers_at + 4 * k + 4:]))
    refused(2, "damaged", "show", changed(model[:numbers_at - 4] + struct.pack("<I", 7) + model[numbers_at:at - 4] + model[at:]))
    some = model[:numbers_at - 4 - 8] + bytes(8) + model[numbers_at - 4:]
    check(must("predict", "-q", "--probabilities", data, changed(some)) ==
          must("predict", "-q", "--probabilities", data, OUT + "/good"), "sizes of values need not be known")


def test_interrupted():
    """The model is saved, and goes on: with all that was calibrated, or, while rows are still scored, with what has been
    until then."""
    data, name = put("long", noisy(30000, 20, 1)), OUT + "/cut"
    words = ("--probabilities", "-e", "200", "--order", "file")
    began = time.monotonic()
    whole = train(data, *words, model="whole")
    took, met = time.monotonic() - began, set()
    for part in (0.25, 0.5, 0.7, 0.8, 0.9):  # of the time, of which 0.44 is the fifth's
        for left in glob.glob(name + "*"):
            os.unlink(left)
        with subprocess.Popen([PROGRAM, *plainly(["train", "--force", *words, data, name])], stderr=subprocess.PIPE) as process:
            time.sleep(part * took)
            process.send_signal(signal.SIGINT)
            said = process.stderr.read().decode()
        met.add(process.returncode)
        if process.returncode == 130:
            check("--resume" in said and "--probabilities" not in said[said.index("--resume"):], f"the model has it: {said}")
            scored = "while rows were scored" not in said
            check(not scored or (calibration(name) == calibration(whole) and fit_of(name) == fit_of(whole)), "and what was calibrated")
        elif process.returncode:
            check(process.returncode == -signal.SIGINT and not glob.glob(name + "*"), f"no model: {process.returncode}")
    if 130 not in met:
        skip(f"the signal came at other times: {met}")


# ---- Lines ----

def test_lines():
    data, test = halves(blobs(3000, 3, 8))
    model = train(data, "--probabilities")
    names, labels, p = numbers(test, model, "--probabilities")
    _, _, scores = numbers(test, model, "-s")
    for option, value in (("--probabilities", p), ("-s", scores)):
        for top in (1, 2, 9):
            lines = must("predict", "-q", option, "--top", str(top), test, model).splitlines()
            wanted = [[f"{names[k]} {row[k]:.9g}" for k in sorted(range(3), key=lambda k: (names[k] != label, -row[k], k))]
                      for label, row in zip(labels, value)]
            check(lines == [" ".join(parts[:top]) for parts in wanted], f"{option} --top {top}")
    bare = must("predict", "-q", "--probabilities", "--no-header", test, model)
    check(bare == must("predict", "-q", "--probabilities", test, model).split("\n", 1)[1], "--no-header")
    *rows, summary = map(json.loads, must("predict", "--json", "--probabilities", test, model).splitlines())
    check([r["label"] for r in rows] == labels and [r["row"] for r in rows] == list(range(1, 1501)) and
          all(list(r["probabilities"]) == names and abs(r["probabilities"]["2"] - row[1]) < 1e-6 for r, row in zip(rows, p)) and
          summary["rows"] == 1500, "an object a line, then the summary")
    best = json.loads(must("predict", "--json", "--probabilities", "--top", "1", test, model).split("\n")[0])
    check(list(best["probabilities"]) == labels[:1], best)
    two, test2 = halves(noisy(3000, 5, 1))
    pair = train(two, "--probabilities", model="pair")
    lines = must("predict", "-q", "-s", "--top", "2", test2, pair).splitlines()
    check(all(float(one) == -float(other) and {x, y} == {"1", "-1"} and float(one) >= 0
              for x, one, y, other in map(str.split, lines)), "two labels have opposite scores")
    lone = train(put("lone", "1 1:1\n"), "--online", model="one")
    check(must("predict", "-q", "-s", OUT + "/lone", lone).split("\n")[1] == must(
        "predict", "-q", "-s", "--top", "1", OUT + "/lone", lone)[:-1] != "1", "a model of one label has its score")
    plain = train(data, model="plain")
    for words, why in ((("--probabilities",), "--probabilities: " + plain + " has no probabilities: train --probabilities"),
                       (("--refuse", "0.1"), "--refuse: " + plain + " has no probabilities")):
        refused(1, why, "predict", *words, test, plain)
    for words, why in ((("--top", "2"), "--top needs --explain, --scores or --probabilities"),
                       (("-s", "--probabilities"), "choose one"),
                       (("--refuse", "0.1", "--refuse-share", "0.1"), "choose one"),
                       (("--explain", "--probabilities"), "--probabilities needs no --explain"),
                       (("--explain", "--refuse", "0.1"), "--refuse needs no --explain")):
        refused(1, why, "predict", *words, test, model)
    marks = train(put("marks.tsv", "a\tone\n?\ttwo\n" * 4), "--text", model="marks")
    refused(1, "'?' is a label of " + marks, "predict", "--refuse-share", "0.1", OUT + "/marks.tsv", marks)
    # an old output of any form is replaced, anything else is not
    for words in ((), ("-s",), ("--probabilities",), ("--probabilities", "--top", "2"), ("--refuse", "0.2"),
                  ("--refuse", "0.2", "--probabilities", "--top", "2"), ("--no-header", "--probabilities")):
        old = put("old", must("predict", "-q", *words, test, model))
        must("predict", "-q", test, model, old, force=False)
    for old in ("1 0.5 0.5 3 4 5 6 7 8 9\n", "1 x\n", "0.5 1\n", "? ?x\n", "1 2:0.5\n"):
        refused(1, "holds no predictions", "predict", test, model, put("old", old), force=False)
    refused(1, "holds no such predictions", "predict", "--json", "--probabilities", test, model, put("old", "1\n"), force=False)
    must("predict", "--json", "--probabilities", test, model, put("old", '{"row": 1, "label"'), force=False)


# ---- Refusals ----

def test_refusals():
    for classes in (2, 3):
        data, test = halves(blobs(4000, classes, 8, 1.5))
        model, truth = train(data, "--probabilities"), labels_of(test)
        names, labels, p = numbers(test, model, "--probabilities")
        for cost in (0.05, 0.2):
            wanted = ["?" if 1 - row[names.index(label)] > cost else label for label, row in zip(labels, p)]
            got = must("predict", "-q", "--refuse", str(cost), test, model).splitlines()
            near = [i for i, (label, row) in enumerate(zip(labels, p)) if abs(1 - row[names.index(label)] - cost) < 1e-6]
            check(len(got) == 2000 and all(a == b or i in near for i, (a, b) in enumerate(zip(got, wanted))), "Chow's rule")
            check_refusals(("--refuse", str(cost)), test, model, truth, labels, got)
        plain = train(data, model="plain")
        for share in (0.05, 0.3):
            got = must("predict", "-q", "--refuse-share", str(share), test, plain).splitlines()
            check(abs(got.count("?") / 2000 - share) < 0.02, f"--refuse-share {share}: {got.count('?')} of 2000")
            check_refusals(("--refuse-share", str(share)), test, plain, truth,
                           must("predict", "-q", test, plain).splitlines(), got)
        draw, text = random.Random(classes), blobs(3000, classes, 8).splitlines()
        wrong = put("wrong", "".join((str(draw.randrange(classes) + 1) + line[1:] if draw.random() < 0.2 else line) + "\n" for line in text))
        model = train(wrong, "--probabilities")
        names, labels, p = numbers(wrong, model, "--probabilities")
        most = max(row[names.index(label)] for label, row in zip(labels, p))
        fit = fit_of(model)
        check(0.75 < most <= 1 - fit["blur"] + fit["blur"] / classes + 1e-6 < 0.95, f"a fifth is wrong: {most}, {fit}")
        for cost, said in (("0.01", f"All rows are refused: no label has a probability above {most:.4g}, and --refuse 0.01 asks for 0.99\n"),
                           ("0.99", "No row is refused: no error is likelier than 0.99\n"), ("0.2", "")):
            text = run("predict", "--refuse", cost, wrong, model, OUT + "/p")[1]
            check((said or "Coverage") in text and text.count(" refused: ") == (said != ""), f"{cost}: {text}")
            check(run("predict", "-q", "--refuse", cost, wrong, model, OUT + "/p")[1] == "", "-q says nothing")
        check("\nsure       probabilities of " in must("show", model), "show says which curve")
        model = train(data, "--probabilities")
    same = put("same", "1 1:1\n" * 1000)
    got = must("predict", "-q", "--refuse-share", "0.1", same, model).splitlines()
    check(90 <= got.count("?") <= 110, f"of equal rows {got.count('?')} of 1000")
    got = must("predict", "-q", "--refuse-share", "0.1", "--ignore-labels", same, model, OUT + "/p").splitlines()
    check(got == [], "-q says nothing")
    said = json.loads(must("predict", "--json", "--refuse-share", "0.1", put("none", "0 1:1\n0 2:1\n"), model))["refusal"]
    check(said["errors"] is None and said["refused_errors"] is None, f"one unknown label in all rows is none: {said}")
    text = run("predict", "--refuse-share", "0.1", "--ignore-labels", same, model, OUT + "/p")[1]
    check(text.startswith("Coverage = ") and "Errors" not in text, text)


def check_refusals(words, test, model, truth, labels, got):
    left = [i for i, label in enumerate(got) if label == "?"]
    errors = {i for i, label in enumerate(labels) if label != truth[i]}
    said = json.loads(must("predict", "--json", *words, test, model))
    check(said["refusal"] == {"answered": 2000 - len(left), "errors": len(errors - set(left)),
                              "refused_errors": len(errors & set(left))} and said["errors"] == len(errors), f"{words}: {said}")
    share = lambda what, part, all_: f"{what} = {100 * (1 - (all_ - part) / all_):g}% ({part}/{all_})\n"
    text = must("predict", *words, test, model, OUT + "/p")
    check(share("Coverage", 2000 - len(left), 2000) in text and
          share("Errors among those answered", len(errors - set(left)), 2000 - len(left)) in text and
          share("Errors among those left out", len(errors & set(left)), len(left)) in text, text)
    check(len(errors - set(left)) / (2000 - len(left)) < len(errors & set(left)) / len(left), "those left out are worse")


# ---- Exported C ----

PROGRAM_C = """#include <stdio.h>
#include "NAME.h"
#ifdef TEXT
#define ROW line
#define OF(function) function##_text
#else
#define ROW 0, x, NAME_FEATURES
#define OF(function) function
#endif
int main(void)
{
    char line[4096];
    (void)line;
    for (;;) {
        float p[sizeof NAME_label / sizeof *NAME_label];
        size_t k;
        int cls;
#ifdef TEXT
        if (!fgets(line, sizeof line, stdin)) return 0;
#else
        TYPE x[NAME_FEATURES];
        for (k = 0; k < NAME_FEATURES; k++) {
            double v;
            if (scanf("%lf", &v) != 1) return 0;
            x[k] = (TYPE)v;
        }
#endif
        cls = OF(NAME_probabilities)(ROW, p);
        if (cls != OF(NAME_predict)(ROW)) return 1;
        printf("%s %d", NAME_label[cls], OF(NAME_predict_or_refuse)(ROW, NAME_gap(COST)));
        for (k = 0; k < sizeof p / sizeof *p; k++) printf(" %.9g", (double)p[k]);
        printf("\\n");
    }
}
"""


def exported_rows(name, stdin, type_, *more, cost=0.2):
    """Label, what is refused, probabilities of each row by an exported header."""
    source = put("c.c", PROGRAM_C.replace("NAME", name).replace("TYPE", type_))
    flags = ["-std=c99", *WARN, *more, f"-DCOST={cost}f", "-I" + OUT]
    subprocess.run([os.environ.get("CC", "cc").split()[0], *flags, source, "-o", OUT + "/c", "-lm"], check=True)
    out = subprocess.run([OUT + "/c"], input=stdin.encode(), capture_output=True, check=True, text=False).stdout.decode()
    return [(line.split()[0], int(line.split()[1]), [float(v) for v in line.split()[2:]]) for line in out.splitlines()]


def close_to(rows, labels, p, near):
    return len(rows) == len(p) > 0 and all(label == wanted and all(abs(v - w) < near for v, w in zip(got, row))
                                           for (label, _, got), wanted, row in zip(rows, labels, p))


def refusals(rows, names, model, cost):
    """How many are refused: of two labels where an error is likelier than cost; of more where the best rival is too near,
    as if the others were as far behind as can be."""
    _, b, _ = calibration(model)
    far = (len(names) - 2) * math.exp(-math.sqrt(32 / math.expm1(-b))) if len(names) > 2 and b < 0 else 0
    limit, count = cost / (1 - cost) - far, 0
    for label, answer, p in rows:
        at = names.index(label)
        rival = max(v for k, v in enumerate(p) if k != at) / p[at]
        if abs(rival - limit) > 1e-4:
            check(answer == (-1 if rival > limit else at), f"cost {cost}: {label} {answer} {p}")
        count += answer < 0
    return count


def test_exported():
    seen = set()
    for classes, noise in ((2, 0), (3, 0), (2, 0.1), (3, 0.1)):
        draw, lines = random.Random(classes), []
        for _ in range(3000):
            k = draw.randrange(classes)
            x = [round(10 * draw.gauss(2 * (j == k), 1.5)) for j in range(4)]
            if not noise and classes == 3:
                x = [v // 40 * 40 + draw.randrange(9) for v in x]
            lines.append([*x, "abc"[k if draw.random() >= noise else draw.randrange(classes)]])
        table = put("rows.csv", "".join(",".join(map(str, line)) + "\n" for line in lines))
        model = train(table, "--probabilities", "--header=no", "--shards", "2")  # no fit: C has the calibration alone
        names, labels, p = numbers(table, model, "--probabilities")
        rows = "\n".join(" ".join(map(str, line[:-1])) for line in lines)
        put("real.h", must("export", "--as", "arrays", "--predict", "--name", "real", model))
        got = exported_rows("real", rows, "float")
        check(close_to(got, labels, p, 2e-6), f"{classes}: probabilities of exported C")
        seen.add((classes, calibration(model)[1] > 0))
        check(10 < refusals(got, names, model, 0.2) < 2990, "some are refused")
        for cost in (0.001, 0.3, 0.95):
            refused_rows = refusals(exported_rows("real", rows, "float", cost=cost), names, model, cost)
            check(cost > 0.001 or not noise or refused_rows == 3000, "nobody is so sure where labels are wrong")
            check(cost < 0.95 or refused_rows == 0, "all are answered")
        put("narrow.h", must("export", "--as", "arrays", "--predict", "--bits", "8", "-t", table, "--name", "narrow", model))
        narrow = exported_rows("narrow", rows, "int16_t")
        truth = [line[-1] for line in lines]
        loss, wanted = (log_loss(truth, names, q) for q in ([row for _, _, row in narrow], p))
        check(abs(loss - wanted) < 0.01, f"{classes}: log-loss {loss} in 8 bits, {wanted} in floats")
        check(0.01 < sum(answer < 0 for _, answer, _ in narrow) / 3000 < 0.8, "8 bits refuse some")
        check_by_header(model, table, names, labels, p)
    check({(3, True), (3, False)} < seen, f"flat and bounded: {seen}")
    for format_ in ("liblinear", "libsvm"):
        status, _, err = run("export", "--format", format_, train(put("s.svm", noisy(2000, 4, 1)), "--probabilities"), OUT + "/e")
        a, b, c = calibration(OUT + "/m")
        said = re.search(r"Probabilities stay behind: as a pcn_calibration of perceptron.h they are a = (\S+), b = (\S+), c = (\S+)\.", err)
        check(status == 0 and said and [float(v) for v in said.groups()] == [a, b, c], err)


def check_by_header(model, table, names, labels, p):
    """An exported image, and perceptron.h."""
    put("image.h", must("export", "--name", "image", model))
    source = put("h.c", """#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include <stdio.h>
#include "image.h"
int main(void)
{
    pcn_linear m;
    float x[image_FEATURES], score[image_SCORES], p[image_CLASSES];
    uint32_t k;
    char label;
    if (pcn_linear_open(&m, image_image.byte, sizeof image_image.byte) < 0) return 1;
    for (;;) {
        for (k = 0; k < image_FEATURES; k++)
            if (scanf("%f,", &x[k]) != 1) return 0;
        if (scanf("%c", &label) != 1) return 1;
        pcn_linear_scores(&m, pcn_dense(x, image_FEATURES), score);
        pcn_probabilities(&image_calibration, score, image_CLASSES, p);
        for (k = 0; k < image_CLASSES; k++) printf("%.9g%c", (double)p[k], k + 1 < image_CLASSES ? ' ' : '\\n');
    }
}
""")
    subprocess.run(["cc", "-std=c99", "-I.", "-I" + OUT, source, "-o", OUT + "/h", "-lm"], check=True)
    out = subprocess.run([OUT + "/h"], input=get(table), capture_output=True, check=True).stdout.splitlines()
    check(len(out) == len(p) and all(abs(float(v) - w) < 1e-7 for line, row in zip(out, p)
                                     for v, w in zip(line.split(), row, strict=True)), "pcn_probabilities of an image")


def test_exported_texts():
    draw, lines = random.Random(6), []
    for _ in range(1500):
        spam = draw.random() < 0.4
        words = draw.choices("lunch meeting train desk".split() if not spam else "free prize cash now".split(), k=3) + \
            draw.choices("you the a call lunch free".split(), k=4)
        lines.append(("spam" if spam else "ham", " ".join(words)))
    data = put("texts", "".join(f"{label}\t{text}\n" for label, text in lines))
    for normalize in ("none", "l2"):
        model = train(data, "--text", "--probabilities", "--normalize", normalize, "--shards", "2")
        texts = "\n".join(text for _, text in lines) + "\n"
        names, labels, p = numbers(put("only", texts), model, "--probabilities")
        put("text.h", run("export", "--as", "arrays", "--predict", "--name", "text", model)[1])
        got = exported_rows("text", texts, "float", "-DTEXT")
        check(close_to(got, labels, p, 1e-5) and {answer for _, answer, _ in got} == {-1, 0, 1}, f"texts, {normalize}")


# ---- Labels of different number ----

def test_balanced():
    lines = noisy(900, 4, 3).splitlines(True)
    data = put("uneven", "".join([line for line in lines if line[0] == "+"][:100] + [line for line in lines if line[0] == "-"][:300]))
    shape = ("-a", "arow")
    for way in ((), ("-e", "1"), ("--shards", "2")):
        balanced = train(data, *shape, *way, "--weight", "balanced", model="balanced")
        named = ("--weight", "1=2", "--weight", f"-1={400 / 600:.9g}")
        collected = ("--order", "file") if way == ("-e", "1") else ()
        check(image(balanced) == image(train(data, *shape, *way, *collected, *named, model="named")), f"{way}: the same weights")
    both = train(data, *shape, "--weight", "balanced", "--weight", "1=3", model="balanced")
    check(image(both) == image(train(data, *shape, "--weight", "1=6", "--weight", f"-1={400 / 600:.9g}", model="named")),
          "LABEL=W multiplies")
    refused(1, "--weight balanced counts the labels of all rows", "train", "--online", "--weight", "balanced", data, OUT + "/m")
    refused(1, "give LABEL=W with W > 0, or balanced", "train", "--weight", "even", data, OUT + "/m")
    folds = must("train", "-q", "--folds", "4", *shape, "--weight", "balanced", data)
    check(folds == must("train", "-q", "--folds", "4", *shape, "--weight", "1=2", "--weight", f"-1={400 / 600:.9g}", data), "folds")


def test_strange_labels():
    """Some labels that the model does not know."""
    rows = [(i % 7, "ab"[i % 7 > 3]) for i in range(200)]
    model = train(put("known", "".join(f"{x},{y}\n" for x, y in rows)), "--header=no")
    strange = put("strange", "".join(f"{x},{y if i % 4 else 'B'}\n" for i, (x, y) in enumerate(rows)))
    said = "advice: in 50 of 200 rows the label is none of the model's (perceptron show lists them): such a row counts as an " \
        "error\n"
    check(run("predict", "--header=no", strange, model, OUT + "/strange.out")[2] == said, "predict")
    check(said in run("train", "-t", strange, "--header=no", OUT + "/known", OUT + "/m")[2], "train")
    check(run("predict", "--header=no", OUT + "/known", model, OUT + "/strange.out")[2] == "", "none of them")


def test_majority():
    draw, shape = random.Random(7), ("--header=no", "--label", "1", "-a", "perceptron")
    rows = [(draw.choice("abbb"), draw.randrange(9), draw.randrange(9)) for _ in range(2000)]
    most = sum(row[0] == "b" for row in rows)
    data = put("major", "".join(f"{label},{x},{y}\n" for label, x, y in rows))
    advice = f"advice: 'b' for every row would be right more often, in {most} of 2000: perceptron compare looks for a better " \
        "learner\n"
    for words, wanted in (((), 1), (("--weight", "a=9"), 0)):
        model = train(data, *shape, *words)
        errors = json.loads(must("predict", "--json", data, model))["errors"]
        check(errors > 2045 - most and run("predict", data, model)[2].count(advice) == wanted, f"{words}: {errors} errors")
        check(run("train", "-t", data, *shape, *words, data, OUT + "/m")[2].count(advice) == wanted, f"{words}: train")
        check("advice" not in run("predict", "-q", data, model)[2] + run("predict", "--json", data, model)[2], "-q and --json")
    good = train(put("easy", "".join(f"{label},{ord(label)}\n" for label, _, _ in rows)), *shape, "-B", "100", "-e", "100")
    check(json.loads(must("predict", "--json", OUT + "/easy", good))["errors"] == 0 and
          "advice" not in run("predict", OUT + "/easy", good)[2], "none of a good model")


def test_one_label():
    """A model that predicts one label for rows that have several is told of, by -t, predict and in JSON; not of few rows."""
    data = put("alike", "a,1\n" * 60 + "b,1\n" * 30)
    shape = ("--header=no", "--label", "1")
    said = "advice: 'a' is predicted for every row, of which 30 of 90 have another label: perceptron compare looks for a learner " \
        "that tells them apart\n"
    model = train(data, *shape)
    check(run("predict", "--header=no", data, model, OUT + "/alike.out")[2] == said, "predict")
    check(said in run("train", "-t", data, *shape, data, OUT + "/m")[2], "train -t")
    check(run("train", "-t", data, *shape, "--weight", "a=2", data, OUT + "/m")[2].count(said) == 1, "with weights, too")
    check(json.loads(must("predict", "--json", "--header=no", data, model))["always"] == "a", "predict --json")
    check(json.loads(must("train", "--json", "-t", data, *shape, data, OUT + "/m"))["test"]["always"] == "a", "train --json")
    for name, content in ("few", "a,1\n" * 9 + "b,1\n" * 9), ("all a", "a,1\n" * 90):
        path = put(name, content)
        check(run("predict", "--header=no", path, model, OUT + "/alike.out")[2] == "", f"{name}: nothing to say")
        check(json.loads(must("predict", "--json", "--header=no", path, model))["always"] is None, f"{name}: nothing to say in JSON")
    both = train(put("apart", "a,1\n" * 60 + "b,9\n" * 30), *shape)
    check(run("predict", "--header=no", OUT + "/apart", both, OUT + "/alike.out")[2] == "", "of a model that tells them apart")


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
finish()
