"""What teaching texts say of learners, row by row: train --trace beside their own tables and beside integers and
fractions, the list of show --list, drawn rows, and a batch of all rows."""
import csv
import json
import random
from fractions import Fraction
from math import isclose, sqrt

from cli import DIGITS, OUT, check, finish, get, image, must, put, refused, run, train

OR, AND, XOR = (put(name + ".csv", "a,b,y\n" + "".join(f"{a},{b},{int(f(a, b))}\n" for a in (0, 1) for b in (0, 1)))
                for name, f in (("or", lambda a, b: a or b), ("and", lambda a, b: a and b), ("xor", lambda a, b: a != b)))


def weights(model):
    """The bias, then the weights, of a binary model."""
    found = [float(line[-1]) for line in csv.reader(must("show", "--csv", model).splitlines()[1:])]
    return found[-1:] + found[:-1]


def integers(name, seed, n=8):
    """Rows of three small integers and a label of -1 or 1, and a file of them."""
    draw = random.Random(seed)
    rows = [([draw.randint(-3, 3) for _ in range(3)], draw.choice((-1, 1))) for _ in range(n)]
    return rows, put(name, "a,b,c,y\n" + "".join(",".join(map(str, (*x, y))) + "\n" for x, y in rows))


# ---- Orders and batches ----

def mix(x):
    for shift, factor in (16, 0x7feb352d), (15, 0x846ca68b):
        x = (x ^ x >> shift) * factor & 0xffffffff
    return x ^ x >> 16


def drawn(n, seed, epoch):
    """The rows of an epoch of PCN_ORDER_DRAWN, as perceptron.h describes it."""
    start = mix((mix(seed) + epoch) & 0xffffffff)
    key = [mix((start + (k + 1) * 0x9e3779b9) & 0xffffffff) for k in (0, 1)]
    return [n * (mix((key[0] + i) & 0xffffffff) ^ mix((key[1] + i) & 0xffffffff)) >> 32 for i in range(n)]


def test_draw():
    rows, data = integers("drawn.csv", 1)
    w, twice = [0] * 4, 0
    for epoch in range(1, 6):
        order = drawn(len(rows), 7, epoch)
        twice += len(set(order)) < len(rows)
        for x, y in (rows[i] for i in order):
            if y * (w[0] + sum(a * b for a, b in zip(w[1:], x))) <= 0:
                w = [w[0] + y] + [a + y * b for a, b in zip(w[1:], x)]
    model = train(data, "-a", "perceptron", "--order", "draw", "--seed", "7", "-e", "5")
    check(twice and weights(model) == w, f"drawn rows: {weights(model)} {w}")
    half = train(data, "-a", "perceptron", "--order", "draw", "--seed", "7", "-e", "2", model="half")
    check(image(train(data, "--resume", half, "-e", "3", model="on")) == image(model), "--resume draws on")
    for order, good in ("draw", True), ("each", False):
        right = [run("train", "-q", "-a", "perceptron", "--order", order, "--seed", str(seed), "-e", "500", "--pocket", "-t",
                     XOR, XOR, OUT + "/m")[1] for seed in range(1, 9)]
        check(all("(3/4)" in line for line in right) == good, f"the pocket on XOR, --order {order}: {right}")


def batch(rows, epochs, until=0, rate=1):
    """Eaton's batch perceptron: weights, the bias first, and the length of each mean step."""
    w, lengths = [Fraction(0)] * (len(rows[0][0]) + 1), []
    for _ in range(epochs):
        wrong = [((1, *x), y) for x, y in rows if y * sum(a * b for a, b in zip(w, (1, *x))) <= 0]
        step = [Fraction(rate) * sum(y * x[j] for x, y in wrong) / len(rows) for j in range(len(w))]
        w = [a + b for a, b in zip(w, step)]
        lengths.append(sqrt(sum(v * v for v in step)))
        if lengths[-1] < until:
            break
    return w, lengths


def test_batch_all():
    """Eaton's ends on OR after five passes, on AND after ten, and on XOR at once, without a plane."""
    options = "-a", "perceptron", "--batch", "all", "--order", "file"
    cases = [([([int(v) for v in line.split(",")[:2]], 2 * int(line[4]) - 1) for line in
               get(data).decode().split()[1:]], data, 30, "1e-6", 1) for data in (OR, AND, XOR)]
    cases += [(*integers(f"all{seed}.csv", seed), 12, until, rate) for seed, until, rate in
              ((1, "1e-6", 1), (2, "0.9", 1), (3, "0.5", 1), (4, "0.3", Fraction(1, 2)))]
    passes = []
    for rows, data, epochs, until, rate in cases:
        out = json.loads(must("train", "-q", "--json", *options, "--rate", str(float(rate)), "--until", until, "-e",
                              str(epochs), data, OUT + "/m"))
        want, lengths = batch(rows, epochs, float(until), rate)
        found = [epoch["mean_step"] for epoch in out["epochs"]]
        passes.append(len(found))
        check(weights(OUT + "/m") == want, f"{data}: {weights(OUT + '/m')} {want}")
        check(len(found) == len(lengths) and all(isclose(*pair, rel_tol=1e-6) for pair in zip(found, lengths)),
              f"{data}: {found} {lengths}")
    check(passes[:3] == [5, 10, 1] and len(set(passes[3:])) > 1, f"passes: {passes}")
    said = run("train", "-q", *options, "--until", "1e-6", "--measure", XOR, OUT + "/m")[1]
    check("\nseparable           not known" in said, f"XOR: {said}")
    said = run("train", *options, "--until", "1e-6", "-t", OR, OR, OUT + "/m")[2].splitlines()
    check(said[0].split() == "epoch updates mistakes mean step test error".split() and len(said) == 8 and
          said[1].split() == ["1", "4", "1", "0.866025", "25.00", "%"], f"the table: {said}")
    shown = must("show", OUT + "/m")
    check("--batch all --until 1e-06" in shown, f"the model remembers them: {shown}")
    check(image(train(OR, "--resume", train(OR, *options, "-e", "2"), "-e", "2", model="on")) ==
          image(train(OR, *options, "-e", "4")), "--resume takes batches of all rows")
    refused(1, "--batch some: give a whole number from 1 to 4294967294, or all", "train", "--batch", "some", OR, OUT + "/n")
    refused(1, "--until needs --batch all, and --epochs of more than 1", "train", "--until", "0.1", OR, OUT + "/n")
    refused(1, "--until needs --batch all", "train", "--until", "0.1", "--batch", "2", OR, OUT + "/n")


for test in (test_draw, test_batch_all):
    test()
finish()
