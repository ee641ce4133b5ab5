"""The pictures of the five texts (examples/literature/figures.c) show numbers that plain arithmetic gives, and the
page shows each of the files that make figures writes."""
import os
import re
import shlex
import subprocess
from math import cos, hypot, isclose, pi, sin, sqrt

from cli import OUT, check, finish, get, run
from exact import dot, nearest

PROGRAM = OUT + "/draw_figures"
FOLDER = OUT + "/pictures"
OTHERS = {"proof": "plane", "committee": "committee", "kernels": "kernels", "digits": "digits"}


def picture(name):
    return get(f"{FOLDER}/{name}.svg").decode()


def points(text):
    """(x, y, label), in order."""
    found = re.findall(r"<g data-x='(.*?)' data-y='(.*?)' data-label='(.*?)'>", text)
    return [tuple(map(float, point)) for point in found]


def lines(text):
    """(w1, w2, b, score)"""
    found = re.findall(r"<g data-w1='(.*?)' data-w2='(.*?)' data-b='(.*?)' data-score='(.*?)'>", text)
    return [tuple(map(float, line)) for line in found]


def curves(text):
    """{name: values}"""
    return {name: list(map(float, y.split())) for name, y in re.findall(r"data-name='(.*?)' data-y='(.*?)'", text)}


def learn(rows, bias, epochs):
    """The perceptron, weights after each update; the rows are met in their order."""
    w, after = [0.0, 0.0, 0.0], [(0.0, 0.0, 0.0)]
    for _ in range(epochs):
        before = len(after)
        for x1, x2, y in rows:
            x = (x1, x2, bias)
            if y * sum(a * b for a, b in zip(w, x)) <= 0:
                w = [a + y * b for a, b in zip(w, x)]
                after.append(tuple(w))
        if len(after) == before:
            break
    return after


def wrong(rows, w):
    return sum(y * (w[0] * x1 + w[1] * x2 + w[2]) <= 0 for x1, x2, y in rows)


def near(a, b):
    return all(isclose(u, v, rel_tol=1e-4, abs_tol=1e-4) for u, v in zip(a, b)) and len(a) == len(b)


def test_page():
    page = get(FOLDER + "/index.html").decode()
    shown = re.findall(r"<img src='(.*?)\.svg'", page)
    with open("Makefile", encoding="utf-8") as f:
        recipe = f.read()
    for name in set(shown) - set(OTHERS):
        text = picture(name)
        check("<title" in text and "<desc" in text and not re.search(r"\b(nan|inf)\b", text, re.I), f"{name}.svg")
        check(not re.search(r">[^<]{130,}</text>", text), f"{name}.svg: a line of text is too long")
    for name, program in OTHERS.items():
        made = re.search(rf"^\tbuild/{program} .*build/figures/{name}\.svg", recipe, re.M)
        check(name in shown and made, f"{name}.svg")
    drawn = {name[:-4] for name in os.listdir(FOLDER) if name.endswith(".svg")}
    check(drawn | set(OTHERS) == set(shown) and len(drawn) == 14, f"drawn {drawn}, shown {shown}")
    texts = re.findall(r"<h2>(.*?)[:,]", page)
    check(texts == ["Su", "Lecture 7", "Eaton", "Honavar", "CIML"], f"the order of the texts: {texts}")


def test_neuron():
    text = picture("neuron")
    inputs = [tuple(map(float, g)) for g in re.findall(r"data-value='(.*?)' data-weight='(.*?)'", text)]
    total = float(re.search(r"data-sum='(.*?)'", text)[1])
    check(len(inputs) == 6 and total == sum(x * w for x, w in inputs) < 0, f"neuron: {inputs}, sum {total}")


def test_losses():
    of = curves(picture("losses"))
    ys = [-1e-6 if i == 59 else (i - 60) / 20 for i in range(121)]
    want = {"0/1 loss": [s < 0 for s in ys], "perceptron: max(0, -y s)": [max(0, -s) for s in ys],
            "hinge: max(0, 1 - y s)": [max(0, 1 - s) for s in ys]}
    check(of.keys() == want.keys() and all(near(of[name], want[name]) for name in want), f"losses: {of}")


def test_margin():
    text = picture("margin")
    rows, (found, plane, below, above) = points(text), lines(text)
    check(near(found[:3], learn(rows, 1, 100)[-1]), f"margin: the perceptron's line {found}")
    p = nearest([(y * x1, y * x2, y) for x1, x2, y in rows])
    w = [float(v / dot(p, p)) for v in p]  # the least y (w.x + b) is 1
    length = sqrt(sum(v * v for v in w))
    scale = sqrt(sum(v * v for v in plane[:3])) / length
    check(all(isclose(a, b * scale, rel_tol=2e-3, abs_tol=2e-3) for a, b in zip(plane[:3], w)), f"margin: {plane}, not {w}")
    low, high = map(float, re.search(r"padded points \(b is a weight\): between (.*?) and (.*?)<", text).groups())
    check(low <= 1 / length <= high, f"margin: {1 / length} is not between {low} and {high}")
    least = min(y * (plane[0] * x1 + plane[1] * x2 + plane[2]) for x1, x2, y in rows)
    check(near((above[3], -below[3]), (least, least)), f"margin: {above} {below}, least y s {least}")
    check(f"&#947; = {least / hypot(*plane[:2]):.4f}" in text, f"margin: {least / hypot(*plane[:2])}")


def test_risk():
    of = curves(picture("risk"))
    rows = points(picture("bias"))
    steps, loss = of["0/1 risk: the share of wrong rows"], of["perceptron: the mean of max(0, -y w.x)"]
    for i in range(0, 721, 7):
        w = cos(pi * (i - 360) / 360), sin(pi * (i - 360) / 360)
        ys = [y * (w[0] * x1 + w[1] * x2) for x1, x2, y in rows]
        check(isclose(loss[i], sum(max(0, -s) for s in ys) / len(ys), rel_tol=1e-3, abs_tol=1e-3) and
              (min(map(abs, ys)) < 1e-6 or isclose(steps[i], sum(s < 0 for s in ys) / len(ys), rel_tol=1e-3)),
              f"risk at step {i}: {steps[i]} {loss[i]} {ys}")


def test_projection():
    text = picture("projection")
    x1, x2, along = map(float, re.search(r"data-x='(.*?)' data-y='(.*?)' data-along='(.*?)'", text).groups())
    w = learn(points(picture("bias")), 0, 100)[-1]
    check(near((along,), ((w[0] * x1 + w[1] * x2) / hypot(*w[:2]),)) and f"|w| = {hypot(*w[:2]):.4f}" in text, f"projection: {along}")


def test_separable():
    text = picture("separable")
    rows, found = points(text), lines(text)[::2]  # between them is the best line of the left ones
    said = re.findall(r">(\d+) updates in (\d+) epochs, (\d+) points on the wrong side<", text)
    for k, epochs in ((0, 20), (1, 20)):
        part = rows[12 * k:12 * k + 12]
        after = learn(part, 1, epochs)
        want = (len(after) - 1, wrong(part, after[-1]))
        check(near(found[k][:3], after[-1]) and (int(said[k][0]), int(said[k][2])) == want,
              f"separable {k}: {found[k]} {said[k]} {after[-1]} {want}")
    low, high = map(float, re.search(r"points, between (.*?) and (.*?)<", text).groups())
    w = learn(rows[:12], 1, 20)[-1]
    check(min(y * (w[0] * x1 + w[1] * x2 + w[2]) for x1, x2, y in rows[:12]) / sqrt(sum(v * v for v in w)) <= high and
          0 < low <= high < 1.01 * low and "no line separates them by more than" in text, f"separable: {low} {high}")


def test_weights():
    text = picture("weights")
    rows = points(text)[:7]
    w = learn(rows, 0, 100)[-1]
    along = [tuple(map(float, g)) for g in re.findall(r"data-along='(.*?)' data-label='(.*?)'", text)]
    want = [((w[0] * x1 + w[1] * x2) / hypot(*w[:2]), y) for x1, x2, y in rows]
    check(len(along) == 7 and all(near(a, b) for a, b in zip(along, want)), f"projections: {along} {want}")
    check(all(a * y > 0 for a, y in along) and near(lines(text)[0], (*w[:2], 0, 0)), f"weights: {lines(text)} {w}")
    shifts = [-b / hypot(w1, w2) for w1, w2, b, _ in lines(picture("bias"))]
    check(near(shifts, [1, 0, -1]), f"bias: {shifts}")


def test_update():
    text = picture("update")
    (before, after), ((x1, x2, y),) = lines(text), points(text)
    check(near(after[:2], (before[0] + y * x1, before[1] + y * x2)), f"update: {before} {x1} {x2} {y} {after}")
    check(y * (before[0] * x1 + before[1] * x2) <= 0 < y * (after[0] * x1 + after[1] * x2), "update: wrong, then right")


def test_spaces():
    text = picture("spaces")
    rows = points(text)[:7]
    found = re.findall(r"data-update='.*?' data-w1='(.*?)' data-w2='(.*?)' data-x=", text)
    path = [tuple(map(float, w)) for w in found]
    want = [w[:2] for w in learn(rows, 0, 100)]
    check(len(path) == len(want) > 3 and all(near(a, b) for a, b in zip(path, want)), f"weight space: {path} {want}")


def test_xor():
    text = picture("xor")
    rows, (flat, corner) = points(text)[:4], lines(text)
    for x1, x2, y in rows:
        w1, w2, b, _ = corner if x1 * x2 else flat
        check(y * (w1 * x1 + w2 * x2 + b) > 0, f"xor: {x1} {x2} {y} by {flat} and {corner}")
    check(sorted(rows) == [(0, 0, -1), (0, 1, 1), (1, 0, 1), (1, 1, -1)], f"xor: {rows}")


def test_outlier():
    """The weights of each moment, voted and averaged by hand."""
    text = picture("outlier")
    rows = points(text)
    w, all_w = [0.0] * 3, []
    for _ in range(3):
        for x1, x2, y in rows:
            if y * (w[0] * x1 + w[1] * x2 + w[2]) <= 0:
                w = [w[0] + y * x1, w[1] + y * x2, w[2] + y]
            all_w.append(w)
    mean = [sum(v) / len(all_w) for v in zip(*all_w)]
    score = {"last weights": lambda x1, x2: w[0] * x1 + w[1] * x2 + w[2],
             "averaged": lambda x1, x2: mean[0] * x1 + mean[1] * x2 + mean[2],
             "voted": lambda x1, x2: sum(1 if a * x1 + b * x2 + c >= 0 else -1 for a, b, c in all_w)}
    for name, of in score.items():
        errors = sum(y * (1 if of(x1, x2) >= 0 else -1) < 0 for x1, x2, y in rows[:-1])
        check(f"{name}: {errors} of the 14 others wrong" in text, f"outlier: {name} {errors}")


def test_epochs():
    stop, text = curves(picture("stopping")), picture("stopping")
    best = min(stop["test error"])
    check(f"stop here: {best:.1f} % at epoch {stop['test error'].index(best) + 1};" in text, f"stopping: {stop}")
    check(len(stop["test error"]) == 30, f"stopping: {stop}")
    check(stop["training error"][-1] < stop["training error"][0] and best < stop["test error"][-1], f"stopping: {stop}")
    orders = curves(picture("permuting"))
    check(len(orders) == 6 and all(len(y) == 30 for y in orders.values()), f"permuting: {list(orders)}")
    check(orders["in order, training"][0] > orders["permuted each epoch, training"][0], f"permuting: {orders}")
    clean = dict(re.findall(r">([a-z ]+): an epoch without errors after (\S+) epochs in the mean", picture("permuting")))
    once, each, none = (float(clean[name]) for name in ("permuted once", "permuted each epoch", "in order"))
    check(each < 0.95 * once and each < 0.7 * none, f"permuting: {clean}, CIML 4.4 says each epoch anew is best")


subprocess.run([*shlex.split(os.environ.get("CC") or "cc"), "-std=c99", "-O1", "-fsanitize=address,undefined",
                "-fno-sanitize-recover=all", "-DPERCEPTRON_STATIC", "-I.", "examples/literature/figures.c", "-o", PROGRAM,
                "-lm"], check=True)
os.makedirs(FOLDER, exist_ok=True)
os.environ.pop("LD_PRELOAD", None)  # the sanitizer comes first
status, out, err = run(FOLDER, program=PROGRAM)
check(status == 0 and out == err == "", f"status {status}: {err[:500]}")
check(run(program=PROGRAM)[::2] == (1, "usage: figures FOLDER\n"), "without a folder")
status, out, err = run(FOLDER + "/none", program=PROGRAM)
check(status == 3 and "neuron.svg cannot be written" in err, f"a folder that is not there: {status} {err}")
for test in (test_page, test_neuron, test_losses, test_margin, test_separable, test_weights, test_update, test_spaces,
             test_xor, test_outlier, test_epochs, test_risk, test_projection):
    test()
finish()
