"""train --trace prints what teaching texts print of learners, row by row, and what integers and fractions give; show
--list, drawn rows, and a batch of all rows."""
import csv
import json
import random
from fractions import Fraction
from math import exp, isclose, sqrt

from cli import DIGITS, OUT, check, finish, get, image, must, put, refused, run, train

SQUARE = [(0, 0), (0, 1), (1, 0), (1, 1)]
OR, AND, XOR = (put(name + ".csv", "a,b,y\n" + "".join(f"{a},{b},{int(f(a, b))}\n" for a, b in SQUARE)) for name, f in
                (("or", lambda a, b: a or b), ("and", lambda a, b: a and b), ("xor", lambda a, b: a != b)))


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
    for order, good in ("draw", True), ("each", False):
        options = "-q", "-a", "perceptron", "--order", order, "-e", "500", "--pocket", "-t", XOR
        right = [run("train", *options, "--seed", str(seed), XOR, OUT + "/m")[1] for seed in range(1, 9)]
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
    check("\nseparable:                      no: no plane" in said, f"XOR: {said}")
    said = run("train", *options, "--until", "1e-6", "-t", OR, OR, OUT + "/m")[2].splitlines()
    check(said[0].split() == "epoch updates mistakes mean step test error".split() and len(said) == 8 and
          said[1].split() == ["1", "4", "1", "0.866025", "25.00", "%"], f"the table: {said}")
    shown = must("show", OUT + "/m")
    check("--batch all --until 1e-06" in shown, f"the model remembers them: {shown}")
    refused(1, "--batch some: give a whole number from 1 to 4294967294, or all", "train", "--batch", "some", OR,
            OUT + "/n")
    refused(1, "--until needs --batch all, and --epochs of more than 1", "train", "--until", "0.1", OR, OUT + "/n")
    refused(1, "--until needs --batch all", "train", "--until", "0.1", "--batch", "2", OR, OUT + "/n")


# ---- Traces ----

HONAVAR = """
W.X1 = [0 0 0].[1 0 0] = 0 => o = 0 = c (no change in W)
W.X2 = [0 0 0].[1 0 1] = 0 => o = 0 != c, W = [1 0 1]
W.X3 = [1 0 1].[1 1 0] = 1 => o = 1 = c (no change in W)
W.X4 = [1 0 1].[1 1 1] = 2 => o = 1 = c (no change in W)
W.X1 = [1 0 1].[1 0 0] = 1 => o = 1 != c, W = [0 0 1]
W.X2 = [0 0 1].[1 0 1] = 1 => o = 1 = c (no change in W)
W.X3 = [0 0 1].[1 1 0] = 0 => o = 0 != c, W = [1 1 1]
W.X4 = [1 1 1].[1 1 1] = 3 => o = 1 = c (no change in W)
W.X1 = [1 1 1].[1 0 0] = 1 => o = 1 != c, W = [0 1 1]
W.X2 = [0 1 1].[1 0 1] = 1 => o = 1 = c (no change in W)
W.X3 = [0 1 1].[1 1 0] = 1 => o = 1 = c (no change in W)
W.X4 = [0 1 1].[1 1 1] = 2 => o = 1 = c (no change in W)
W.X1 = [0 1 1].[1 0 0] = 0 => o = 0 = c (no change in W)
""".strip().splitlines()  # as he prints it, but for what is not ASCII
THREE = [((1, 0), "red"), ((0, 1), "green"), ((1, 1), "blue")]
CLASSES = ["blue", "green", "red"]


def traced(data, *options):
    """The objects of --trace --json; the table has the same in its columns."""
    *lines, last = must("train", "-q", "--json", "--trace", *options, data, OUT + "/traced").splitlines()
    check("algorithm" in json.loads(last), f"{options}: the result comes last")
    found = [json.loads(line) for line in lines]
    plain = train(data, *options, model="plain")
    check(get(plain) == get(OUT + "/traced"), f"{options}: --trace changes nothing")
    head, *rows = must("train", "-q", "--trace", *options, data, OUT + "/m").splitlines()
    check(len(rows) == len(found) and len({len(line) for line in (head, *rows)}) == 1, f"{options}: lines and width")
    for line, row in zip(rows, found):
        flat = [row[name] for name in ("epoch", "row", "label")] + [*row["x"].values(), *row["score"].values()]
        flat += [row["output"], "yes" if row["fires"] else "no", *row.get("step", row.get("factor", {})).values()]
        for vectors in row.get("w", {}), row.get("variance", {}):
            flat += [number for vector in vectors.values() for number in vector.values()]
        flat += [" ".join(f"{name}:{value:g}" for name, value in vector.items())
                 for vector in row.get("coefficients", {}).values()]
        text = " ".join(value if isinstance(value, str) else f"{value:g}" for value in flat)
        check(" ".join(line.split()) == text, f"{options}: {line} for {row}")
    return found


def one(row, name, label="1"):
    return list(row[name][label].values())


def test_honavar():
    """Entry by entry."""
    found = traced(OR, "-a", "perceptron", "--order", "file", "--stop", "window", "--zero-class", "negative",
                   "--zero-update", "predicted")
    check(len(found) == len(HONAVAR), f"{len(found)} presentations")
    w = [0, 0, 0]
    for n, (row, line) in enumerate(zip(found, HONAVAR)):
        before, rest = line.split(" = [", 1)[1].split("].[")
        x, rest = rest.split("] = ")
        after = [float(v) for v in rest.split("W = [")[1][:-1].split()] if "W = [" in rest else w
        check([float(v) for v in before.split()] == w and [1, *row["x"].values()] == [int(v) for v in x.split()] and
              row["score"]["1"] == int(rest.split()[0]) and row["output"] == rest.split("o = ")[1][0] and
              row["fires"] == ("!=" in rest) and one(row, "w") == after and (row["epoch"], row["row"]) ==
              (n // 4 + 1, n % 4 + 1) and row["step"]["1"] == (after != w) * (1 if row["label"] == "1" else -1),
              f"{line}: {row}")
        w = after


def additive(rows, epochs, positive_at_0, always, rate=1):
    """Each presentation of the fixed rule: score, fires, W with the bias first, and the mean of Algorithm 7."""
    w, u, c = [0] * (len(rows[0][0]) + 1), [0] * (len(rows[0][0]) + 1), 1
    for x, y in rows * epochs:
        x = (1, *x)
        s = sum(a * b for a, b in zip(w, x))
        fires = y * s < 0 or (s == 0 and (always or (y > 0) != positive_at_0))
        if fires:
            w, u = [a + rate * y * b for a, b in zip(w, x)], [a + rate * y * c * b for a, b in zip(u, x)]
        c += 1
        yield s, fires, w, [Fraction(a) - Fraction(b, c) for a, b in zip(w, u)]


def test_additive():
    """Su's Algorithm 1, Eaton's, and Algorithms 5 to 7 of CIML: they differ in what they do at a score of 0."""
    points = [((0, 0), -1), ((0, 1), 1), ((1, 0), 1), ((1, 1), 1)]
    last = {("positive", "predicted"): [-1, 1, 1], ("positive", "always"): [-1, 2, 2],
            ("negative", "always"): [-1, 2, 2]}
    for (zero, update), want in last.items():
        for algorithm in "perceptron", "averaged":
            found = traced(OR, "-a", algorithm, "--order", "file", "-e", "6", "--zero-class", zero, "--zero-update",
                           update)
            steps = list(additive(points, 6, zero == "positive", update == "always"))
            check([(row["score"]["1"], row["fires"], one(row, "w")) for row in found] == [step[:3] for step in steps],
                  f"{algorithm} {zero} {update}: {found}")
            check(one(found[-1], "w") == want, f"{algorithm} {zero} {update} ends with {one(found[-1], 'w')}")
        mean = weights(OUT + "/traced")
        check(all(isclose(a, b, abs_tol=1e-6) for a, b in zip(mean, steps[-1][3])), f"the mean: {mean} {steps[-1][3]}")
    five = weights(train(OR, "--order", "file", "-e", "5", "--zero-class", "negative"))
    check(all(isclose(a, b, abs_tol=1e-6) for a, b in zip(five, (-2 / 7, 8 / 7, 10 / 7))), f"Algorithm 7: {five}")
    rows, data = integers("rate.csv", 5)
    found = traced(data, "-a", "perceptron", "--order", "draw", "--seed", "3", "-e", "3", "--rate", "0.5")
    order = [n + 1 for epoch in (1, 2, 3) for n in drawn(8, 3, epoch)]
    check([row["row"] for row in found] == order, "drawn rows have their numbers")
    steps = additive([rows[n - 1] for n in order], 1, True, True, Fraction(1, 2))
    check([one(row, "w") for row in found] == [step[2] for step in steps], "--rate 0.5")
    check({abs(row["step"]["1"]) for row in found} == {0, 0.5}, "steps of 0.5")


def test_classes():
    """Su's Algorithm 2, and the update that is usual."""
    data = put("three.csv", "a,b,y\n" + "".join(f"{a},{b},{y}\n" for (a, b), y in THREE))
    for update in "others", "predicted":
        w, want = [[0] * 3 for _ in CLASSES], []
        for x, label in THREE * 4:
            x, y = (1, *x), CLASSES.index(label)
            s = [sum(a * b for a, b in zip(v, x)) for v in w]
            rival = max((k for k in range(3) if k != y), key=lambda k: (s[k], -k))
            step = [0] * 3
            if s[y] <= s[rival]:
                step = [1 if k == y else -1 if update == "others" or k == rival else 0 for k in range(3)]
                w = [[a + step[k] * b for a, b in zip(v, x)] for k, v in enumerate(w)]
            want.append((s, CLASSES[s.index(max(s))], step, w))
        found = traced(data, "-a", "perceptron", "--order", "file", "-e", "4", "--update", update)
        check([(list(row["score"].values()), row["output"], list(row["step"].values()),
                [one(row, "w", k) for k in CLASSES]) for row in found] == want, f"--update {update}: {found}")
        check(found[0]["step"] == {"blue": -1, "green": -1 if update == "others" else 0, "red": 1}, "the first step")
    return data


def close(found, want):
    return len(found) == len(want) and all(isclose(a, b, rel_tol=1e-5, abs_tol=1e-6) for a, b in zip(found, want))


def test_winnow():
    """Su's Algorithm 3: weights begin with 1, and are multiplied by e^(eta y x)."""
    rows = [((1, -1, 1), -1), ((-1, -1, 1), -1), ((1, 1, -1), 1)]
    data = put("winnow.csv", "".join(",".join(map(str, (*x, y))) + "\n" for x, y in rows))
    w, eta = [1, 1, 1], 0.5
    found = traced(data, "-a", "winnow", "--eta", "0.5", "--order", "file", "-e", "5", "--zero-update", "predicted")
    for row, (x, y) in zip(found, rows * 5):
        s = sum(a * b for a, b in zip(w, x))
        fires = (1 if s >= 0 else -1) != y
        w = [a * exp(eta * y * b) for a, b in zip(w, x)] if fires else w
        check(row["fires"] == fires and close([row["score"]["1"], row["factor"]["1"], *one(row, "w")],
                                              [s, exp(eta * y) if fires else 1, 0, *w]), f"Algorithm 3: {w} {row}")
    check(any(row["fires"] for row in found), "it learns something")
    found = traced(OR, "-a", "winnow1", "--threshold", "1.5", "--order", "file", "-e", "2")
    check({row["factor"]["1"] for row in found} == {1, 2}, "winnow1")
    zero = put("zero.csv", "a,b,y\n1,1,0\n0,1,1\n")
    check(traced(zero, "-a", "winnow1", "--order", "file", "-e", "1")[0]["factor"]["1"] == 0, "weights that become 0")


def test_arow(data):
    w, v = {}, {}
    for row in traced(OR, "-a", "arow", "--order", "file", "-e", "3"):
        x, y = [1, *row["x"].values()], 1 if row["label"] == "1" else -1
        w, v = w or [0] * 3, v or [1] * 3
        s = sum(a * b for a, b in zip(w, x))
        beta = 1 / (sum(a * b * b for a, b in zip(v, x)) + 1)
        step = max(0, 1 - y * s) * beta * y
        w = [a + step * b * c for a, b, c in zip(w, v, x)]
        v = [b - (step != 0) * beta * (b * c) ** 2 for b, c in zip(v, x)]
        check(close([row["score"]["1"], row["step"]["1"], *one(row, "w"), *one(row, "variance")], [s, step, *w, *v]),
              f"AROW: {row} {w} {v}")
    found = traced(data, "-a", "arow", "--order", "file", "-e", "2")
    variance = found[0]["variance"]
    check(list(variance) == CLASSES and variance["red"] == variance["blue"], "variances of classes")


def test_kernels(data):
    """The coefficients of each row, of a kernel with bias 0; the perceptron by its scores."""
    points = [((0, 0), -1), ((0, 1), 1), ((1, 0), 1), ((1, 1), -1)]
    kernel = [[exp(-0.7 * sum((p - q) ** 2 for p, q in zip(a, b))) for b, _ in points] for a, _ in points]
    c, seen = [0] * 4, []
    for row in traced(XOR, "-a", "kernel", "--gamma", "0.7", "--order", "file", "-e", "4"):
        n = row["row"] - 1
        s, y = sum(a * b for a, b in zip(c, kernel[n])), points[n][1]
        c[n] += y * (y * s <= 0)
        seen += [n] * (c[n] != 0 and n not in seen)
        check(close([row["score"]["1"], row["step"]["1"]], [s, y * (y * s <= 0)]) and row["coefficients"]["1"] ==
              {str(k + 1): c[k] for k in seen}, f"kernel: {row} {c}")
    usual, dual = (traced(data, "-a", a, "--order", "file", "-e", "3") for a in ("perceptron", "voted"))
    check([(row["score"], row["step"]) for row in usual] == [(row["score"], row["step"]) for row in dual], "voted")
    traced(XOR, "-a", "kernel", "--budget", "2", "--policy", "oldest", "-e", "3")


def test_batched():
    """A row's line has the weights after its batch."""
    rows, data = integers("batched.csv", 6)
    for size, name in (3, "3"), (4, "4"), (8, "8"), (20, "20"), (8, "all"):
        found, w = traced(data, "-a", "perceptron", "--batch", name, "--order", "file", "-e", "3"), [Fraction(0)] * 4
        for begin in [8 * epoch + first for epoch in range(3) for first in range(0, 8, size)]:
            part = rows[begin % 8:begin % 8 + size]  # the last batch of an epoch may be shorter
            wrong = [((1, *x), y) for x, y in part if y * sum(a * b for a, b in zip(w, (1, *x))) <= 0]
            check(all(one(row, "w") == w for row in found[begin:begin + len(part) - 1]), f"--batch {name}: within")
            w = [a + Fraction(sum(y * x[j] for x, y in wrong), 8 if name == "all" else 1) for j, a in enumerate(w)]
            check(one(found[begin + len(part) - 1], "w") == w, f"--batch {name}: after")


def test_wide():
    """From 13 features on x and w are the row's own, and of 13 stored vectors and more the coefficient of the row."""
    twelve = put("12", "1 1:1 12:2\n-1 2:1\n")
    many = put("13", "1 1:1 12:2\n-1 2:1 13:3\n")
    check(len(must("train", "-q", "--trace", "-e", "1", twelve, OUT + "/m").splitlines()[0].split()) == 5 + 12 + 2 + 13,
          "twelve columns")
    said = must("train", "-q", "--trace", "-e", "2", "--order", "file", many, OUT + "/m").splitlines()
    check([" ".join(line.split()) for line in said[:3]] == [
        "epoch row label x W.X output fires step w", "1 1 1 1:1 12:2 0 1 yes 1 (bias):1 1:1 12:2",
        "1 2 -1 2:1 13:3 1 1 yes -1 (bias):0 2:-1 13:-3"], f"thirteen: {said}")
    first = json.loads(must("train", "-q", "--json", "--trace", "-e", "1", many, OUT + "/m").splitlines()[0])
    check(first["x"] == {"1": 1, "12": 2} and first["w"]["1"] == {"(bias)": 1, "1": 1, "12": 2}, f"in JSON: {first}")
    *lines, _ = must("train", "-q", "--json", "--trace", "-e", "1", "-a", "kernel", DIGITS, OUT + "/m").splitlines()
    check(len(lines) == 1797 and all(len(row["coefficients"]["3"]) <= max(12, 1) for row in map(json.loads, lines)),
          "digits by a kernel")
    table = must("train", "-q", "--trace", "-e", "1", DIGITS, OUT + "/m").splitlines()
    check(len(table) == 1797 + 2 and sum(line.startswith("epoch") for line in table) == 2, "a table of 1,000 lines")


def test_trace_refused():
    for says, *options in (
            ("--trace needs one learner: no --shards and no --folds", "--shards", "2"),
            ("--trace needs one learner", "--folds", "2"), ("--trace does not go with --online", "--online")):
        refused(1, says, "train", "--trace", *options, OR, *[OUT + "/n"] * ("--folds" not in options))
    refused(1, "'--trace' is not an option of compare", "compare", "--trace", OR)
    status, out, err = run("train", "-q", "--trace", "-e", "1", OR, "-")
    check(status == 0 and err.startswith("epoch") and "epoch" not in out, "the model is on standard output, it is not")
    large = put("large.csv", "a,y\n1,0\n1e30,1\n")
    status, out, err = run("train", "-q", "--trace", "--order", "file", large, OUT + "/n")
    check(status == 2 and "row 2 of the data" in err and len(out.splitlines()) == 2, f"up to a row that is wrong: {out}")


# ---- The list of a voted perceptron ----

def listed(model):
    head, *rows = [line.split() for line in must("show", "--list", model).splitlines() if line[:1] in " s"]
    found = json.loads(must("show", "--json", "--list", model))["list"]
    check([[f"{v:g}" for v in (row["state"], row["survived"], row["row"], *row["step"].values(),
                               *(v for w in row.get("w", {}).values() for v in w.values()))] for row in found] == rows,
          f"the list is the table: {found} {rows}")
    return found


def test_list(data):
    """Survival counts and weights of OR in each convention; the zero weights at the start have no vote."""
    points = [((0, 0), -1), ((0, 1), 1), ((1, 0), 1), ((1, 1), 1)]
    counts = {("negative", "predicted"): [3, 2, 2, 9], ("positive", "predicted"): [1, 3, 2, 2, 8],
              ("negative", "always"): [1, 1, 2, 4, 1, 3, 2, 2, 8]}
    for (zero, update), survived in counts.items():
        epochs = 6 if update == "always" else 4
        model = train(OR, "-a", "voted", "--order", "file", "-e", str(epochs), "--zero-class", zero, "--zero-update",
                      update)
        found, want = listed(model), []
        for _, fires, w, _ in additive(points, epochs, zero == "positive", update == "always"):
            want += [[w, 0]] if fires else []
            for state in want[-1:]:
                state[1] += 1
        check([[one(row, "w"), row["survived"]] for row in found] == want, f"{zero} {update}: {found} {want}")
        sums = [row["survived"] for row in found]
        check(sums == survived or sums[:-1] == survived[:-1], f"{zero} {update}: {sums} {survived}")
    steps = [row["step"] for row in traced(data, "-a", "voted", "--order", "file", "-e", "3") if row["fires"]]
    three = listed(OUT + "/traced")
    check([row["step"] for row in three] == steps and three[0]["w"]["red"] == {"(bias)": 1, "a": 1, "b": 0}, "classes")
    found = listed(train(XOR, "-a", "kernel", "--order", "file", "-e", "3"))
    check("w" not in found[0] and [row["row"] for row in found[:2]] == [1, 2], f"another kernel has no weights: {found}")
    refused(1, "--list is for voted and kernel models that remember", "show", "--list", train(OR))
    refused(1, "--list is for voted and kernel models", "show", "--list",
            train(XOR, "-a", "kernel", "--budget", "2", "--policy", "oldest"))
    refused(1, "--top needs no --csv and no --list", "show", "--list", "--top", "2", model)


for test in (test_draw, test_batch_all, test_honavar, test_additive, test_winnow, test_batched, test_wide,
             test_trace_refused):
    test()
three = test_classes()
for test in (test_arow, test_kernels, test_list):
    test(three)
finish()
