"""Training on sparse rows, AROW too, has the bits of the same training written anew in Python, which rounds every
number to 32 bits in the order of sums that examples/GUIDE.md describes; means lie within their bound.

Whoever doubts the golden hash of sparse rows in bits.sh finds its order here, in another language.
"""
import random
import struct
from fractions import Fraction

from cli import check, finish, put, run

FEATURES, ROWS, EPOCHS, CLASSES = 3000, 250, 3, 17
UNIT = struct.Struct("f")


def f32(number):
    """To the nearest float. Of two floats, + - * and / of Python round to more than twice their bits first: that is
    as one rounding."""
    return UNIT.unpack(UNIT.pack(number))[0]


def add(a, b):
    return f32(a + b)


def times(a, b):
    return f32(a * b)


def total(products):
    """Four partial sums, which take products in turn."""
    parts = [0.0] * 4
    for k, product in enumerate(products):
        parts[k % 4] = add(parts[k % 4], product)
    return add(add(parts[0], parts[2]), add(parts[1], parts[3]))


class Model:
    """Weights by feature, and the bias under None: one set for each score. A row is a list of (feature, value)."""

    def __init__(self, scores):
        self.w = [{None: 0.0} for _ in range(scores)]
        self.seen = [dict() for _ in range(scores)]  # exact sums of all weights but the present ones, and their rows
        self.rows, self.updates = 0, 0

    def score(self, c, x):
        w = self.w[c]
        return add(total(times(w.get(j, 0.0), v) for j, v in x), w[None])

    def put(self, c, j, weight):
        before, since = self.w[c].get(j, 0.0), self.seen[c].get(j, (Fraction(0), 0))
        self.seen[c][j] = since[0] + Fraction(before) * (self.rows - since[1]), self.rows
        self.w[c][j] = weight

    def mean(self, c, j):
        """The exact mean of all weights so far, those before the first row included."""
        before, since = self.seen[c].get(j, (Fraction(0), 0))
        return (before + Fraction(self.w[c].get(j, 0.0)) * (self.rows + 1 - since)) / (self.rows + 1)

    def step(self, moves, x, gap):
        return 1.0

    def move(self, c, step, x):
        for j, v in x + [(None, 1.0)]:
            self.put(c, j, add(self.w[c].get(j, 0.0), times(step, v)))

    def learn(self, y, x, margin=0.0):
        scores = [self.score(c, x) for c in range(len(self.w))]
        if len(scores) == 1:
            moves = [(0, 1 if y else -1)]
            m = scores[0] if y else -scores[0]
        else:
            rival = max((c for c in range(len(scores)) if c != y), key=lambda c: (scores[c], -c))
            moves = [(y, 1), (rival, -1)]
            m = add(scores[y], -scores[rival])
        self.rows += 1
        if m > margin:
            return
        step = self.step(moves, x, add(margin, -m))
        self.updates += step != 0
        for c, sign in moves:
            self.move(c, sign * step, x)


class Passive(Model):
    """PA-I with C = 0.1: a step of gap / |X|^2 for each class that moves, at most C."""

    def learn(self, y, x, margin=1.0):
        super().learn(y, x, margin)

    def step(self, moves, x, gap):
        norm2 = add(total(times(v, v) for _, v in x), 1.0)
        return min(f32(gap / times(float(len(moves)), norm2)), f32(0.1))


class Arow(Passive):
    """s: variances. The program gives C = 1 / (2 r) to the rule; 1 / r is 2 C here and there."""

    def __init__(self, scores, r=1.0):
        super().__init__(scores)
        c = f32(0.5 / f32(r))
        self.r, self.precision = f32(0.5 / c), add(c, c)
        self.least = 0  # how often a variance was the least that it may be
        self.s = [{} for _ in range(scores)]

    def slope(self, c, x):
        s = self.s[c]
        return add(total(times(times(s.get(j, 1.0), v), v) for j, v in x), s.get(None, 1.0))

    def step(self, moves, x, gap):
        slope = self.slope(moves[0][0], x)
        for c, _ in moves[1:]:
            slope = add(slope, self.slope(c, x))
        step = f32(gap / add(slope, self.r))
        self.shrink = f32(step / gap)
        return step

    def move(self, c, step, x):
        s = self.s[c]
        for j, v in x + [(None, 1.0)]:
            g = times(s.get(j, 1.0), v)
            self.put(c, j, add(self.w[c].get(j, 0.0), times(step, g)))
            least = max(f32(s.get(j, 1.0) / add(times(times(g, v), self.precision), 1.0)), 2.0**-126)
            falls = add(s.get(j, 1.0), -times(self.shrink, times(g, g)))
            self.least += falls < least
            s[j] = max(falls, least)


class UnscaledArow(Arow):
    """With r = 0.1."""

    def __init__(self, scores):
        super().__init__(scores, 0.1)


def draw(classes, ones, seed, unscaled):
    """[(label, row)]: a class has features of its own, and shares many. unscaled: some are a million times as large."""
    chance, rows = random.Random(seed), []
    scale = [1e6 if unscaled and j % 20 == 0 else 1.0 for j in range(FEATURES)]
    for _ in range(ROWS):
        y = chance.randrange(classes)
        names = {y * 20 + chance.randrange(20) for _ in range(3)}
        names |= {400 + int((FEATURES - 400) * chance.random() ** 3) for _ in range(chance.randrange(1, 12))}
        rows.append((y, [(j, 1.0 if ones else f32(chance.uniform(-2, 2) * scale[j])) for j in sorted(names)]))
    return rows


def weights_of(model):
    """{(label, feature): weight}, features from 0, None the bias."""
    status, text, _ = run("show", "--csv", "--zero-based", model)
    check(status == 0, "show --csv")
    weights = {}
    for line in text.splitlines()[1:]:
        feature, label, weight = line.split(",")
        weights[int(label), None if feature == "(bias)" else int(feature)] = f32(float(weight))
    return weights


def compare(name, kind, options, classes, ones):
    rows = draw(classes, ones, len(name), kind is UnscaledArow)
    text = "".join(f"{y} " + " ".join(f"{j + 1}:{v!r}" for j, v in x) + "\n" for y, x in rows)
    data, path = put("rows.svm", text), put("model", "")
    scores = 1 if classes == 2 else classes
    model = kind(scores)
    for _ in range(EPOCHS):
        for y, x in rows:
            model.learn(y, x)
    status, _, errors = run("train", "-q", "--order", "file", "--stop", "never", "-e", str(EPOCHS), *options, data, path)
    check(status == 0, f"{name}: trains {errors}")
    check(model.updates > 10, f"{name}: {model.updates} updates")
    weights, labels = weights_of(path), [1] if classes == 2 else range(classes)
    used = {j for _, x in rows for j, _ in x} | {None}
    mine = {(label, j): model.w[c].get(j, 0.0) for c, label in enumerate(labels) for j in used}
    if "averaged" in options:
        largest = max(abs(w) for w in mine.values())
        far = 0
        for c, label in enumerate(labels):
            for j in used:
                exact = model.mean(c, j)
                far += abs(Fraction(weights[label, j]) - exact) > abs(exact) / 2**23 + Fraction(2 * largest) / 2**34
                model.w[c][j] = weights[label, j]
        check(far == 0, f"{name}: {far} means are too far off")
    else:
        check({key: w for key, w in weights.items() if key in mine} == mine, f"{name}: other weights")
    status, text, _ = run("predict", "-q", "-s", "--no-header", data, path)
    said = [[f32(float(word)) for word in line.split()[1:]] for line in text.splitlines()]
    expected = [[model.score(c, x) for c in range(scores)] for _, x in rows]
    check(said == expected, f"{name}: other scores")
    if kind is UnscaledArow and classes == 2:  # of two scores that share v, neither variance is most of it
        check(model.least > 20, f"{name}: {model.least} variances at their least")


def main():
    for classes in 2, CLASSES:
        for ones in True, False:
            kind = f"{classes} classes, {'ones' if ones else 'values'}"
            compare(f"perceptron, {kind}", Model, ["-a", "perceptron"], classes, ones)
            compare(f"averaged, {kind}", Model, ["-a", "averaged"], classes, ones)
            compare(f"PA-I, {kind}", Passive, ["-a", "perceptron", "--rule", "pa1", "-C", "0.1"], classes, ones)
            compare(f"AROW, {kind}", Arow, ["-a", "arow", "--r", "1", "--decision", "last"], classes, ones)
        compare(f"AROW, {classes} classes, unscaled", UnscaledArow, ["-a", "arow", "--r", "0.1", "--decision", "last"],
                classes, False)
    finish()


main()
