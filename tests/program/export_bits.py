"""perceptron export --bits: quantised models predict as whole numbers computed here say, in C and C++ here and on
an emulated Cortex-M4F, and the program counts right what they cost."""
import json
import math
import operator
import os
import random
import re
import struct

from cli import DIGITS, OUT, check, finish, get, put, refused, run, section, skip, stored, train, with_section
from exported import *

# ---- Quantised models, by whole numbers of our own ----

def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def unit_length(row):
    """As the program divides, in single precision: 32 partial sums of squares, then a halving tree."""
    sums = [0.0] * 32
    for i, v in enumerate(row):
        sums[i % 32] = single(sums[i % 32] + single(v * v))
    for half in (16, 8, 4, 2, 1):
        sums = [single(a + b) for a, b in zip(sums[:half], sums[half:])]
    length = single(sums[0]**0.5)
    return [single(v / length) for v in row] if length > 0 else row


def device_rows(path, options, features):
    """The values that a device has before it divides by the unit: those of features that the model has."""
    rows = [[single(v) for v in row[:features]] for row in dense_rows(path, features_of(path))]
    if "--binarize" in options:
        rows = [[float(v != 0) for v in row] for row in rows]
    if "l2" in options:
        rows = [unit_length(row) for row in rows]
    return [row[:features] + [0.0] * (features - len(row)) for row in rows]


def default_unit(rows, options):
    """1, or the least power of two that fits."""
    most, unit = max(abs(v) for row in rows for v in row), 2.0**-14
    if {"l2", "maxabs"} & set(options) or all(v.is_integer() and -32768 <= v <= 32767 for row in rows for v in row):
        return unit if {"l2", "maxabs"} & set(options) else 1.0
    while 32767 * unit < most:
        unit *= 2
    while 32767 * unit / 2 >= most:
        unit /= 2
    return unit


def in_units(rows, unit):
    """Rows of int16, and how many values had to be cut."""
    whole = [[v and int(math.copysign(math.floor(abs(single(v / unit)) + 0.5), v)) for v in row] for row in rows]
    return ([[max(-32768, min(32767, v)) for v in map(int, row)] for row in whole],
            sum(not -32768 <= v <= 32767 for row in whole for v in row))


def numbers(header, what, kind=int):
    """The numbers of an array in a header."""
    found = re.search(r"_%s\[[^]]*\] = \{([^}]*)\}" % what, header).group(1)
    return [kind(word.rstrip("f")) for word in found.replace(",", " ").split()]


def dot(a, b):
    return sum(map(operator.mul, a, b))


class Quantised:
    """What the arrays of a header say. That the weights are the nearest is the matter of header/quantized.c."""

    def __init__(self, header, options):
        self.bits = int(re.search(r"const int(\d+)_t \w+_weight\[", header).group(1))
        self.unit = single(float(re.search(r"_unit = (\S+)f;", header).group(1)))
        self.bias, self.scale = numbers(header, "bias"), numbers(header, "scale")
        weights, classes = numbers(header, "weight"), len(self.bias)
        self.features = len(weights) // classes
        self.weight = [weights[c * self.features:][:self.features] for c in range(classes)]
        self.lowest_positive = 1 if "negative" in options else 0
        # of maxabs: the device multiplies each column by a power of two of its own
        self.factor = [2.0**s * self.unit for s in numbers(header, "shift")] if "maxabs" in options else [1] * self.features

    def predict(self, x):
        scores = [(dot(w, x) + b) * s for w, b, s in zip(self.weight, self.bias, self.scale)]
        return scores.index(max(scores)) if len(scores) > 1 else int(scores[0] >= self.lowest_positive)


QUANTISED = [  # set, options of training, unit
    ("digits", (), None), ("letter", ("-e", "2"), None), ("shuttle", ("-e", "1", "--normalize", "maxabs"), None),
    ("noisy", (), None), ("noisy", ("--normalize", "maxabs"), None), ("noisy", (), "0.003"), ("noisy", ("--normalize", "l2"), None),
    ("small", ("--normalize", "l2", "--binarize"), None), ("noisy", ("-a", "balanced-winnow"), None),
    ("noisy 4", ("--normalize", "maxabs"), None), ("heart", ("--rule", "pa1"), None), ("vehicle", (), "0.01"),
    ("small", ("-a", "perceptron", "-e", "1", "-B", "0", *FILE), None),
    ("small", ("-a", "perceptron", "-e", "1", "-B", "0", "--zero-class", "negative", *FILE), None),
    ("small", ("-a", "winnow2", "--binarize", "-e", "1", *FILE), None),
    ("small 3", ("-a", "perceptron", "-e", "1", "-B", "0", *FILE), None),
    ("sparse 3", ("--normalize", "l2", "-e", "2"), None), ("sparse 3", ("-e", "2"), None),
]


def export_quantised(model, bits, form, unit, test):
    """The header in one form, and what the program says of it."""
    alone = ("--predict",) if form == "arrays" else ()
    path = f"{OUT}/{form}{bits}.h"
    status, out, err = run("export", "--bits", str(bits), "--as", form, *alone, *(("--unit", unit) if unit else ()),
                           "--name", f"{form}{bits}", "--json", "-t", test, model, path)
    check(status == 0, f"export of {form} of {bits} bits ends with {status}: {err}")
    return get(path).decode(), json.loads(out or "{}")


def check_report(what, q, image, said, also, before, after, truth, cut):
    """What the program says of the image and of the arrays, and what stands in the comment."""
    differ = lambda a, b: sum(map(operator.ne, a, b))
    size = len(re.findall(r"\d+,", image[image.index("= {{"):]))
    report = {"bits": q.bits, "unit": float(f"{q.unit:.9g}"), "rows": len(truth),
              "errors_float": differ(before, truth), "errors_quantized": differ(after, truth),
              "changed": differ(before, after), "saturated": cut, "bytes": size}
    check(said == report, f"{what}: {said}, {report} expected")
    report["bytes"] = len(q.bias) * (q.features * q.bits // 8 + 6) + ("_shift[" in image) * q.features
    check(also == report, f"{what}: {also}, {report} expected")
    comment = (f"Measured on {len(truth)} rows: {report['changed']} predictions other than in floats, {cut} values "
               f"outside, {report['errors_quantized']} errors (in floats {report['errors_float']}).")
    check(comment in " ".join(image.replace(" * ", " ").split()), f"{what}: the comment has the numbers")
    print(f"{what}: {len(truth)} rows, {report['errors_float']} wrong in floats, {report['errors_quantized']} in "
          f"{q.bits} bits, {report['changed']} predictions change")


def c_sources(headers, values, count):
    """Name -> source and the ways in it: headers image8, arrays8, image16, arrays16."""
    functions, ways, own, alone = "", [], "", []
    for name, text in headers.items():
        functions += by_manual(text, name, values, "int16_t")
        ways.append("by_" + name)
    for bits in ("8", "16"):
        code, names = by_predict("arrays" + bits, "int16_t", values)
        functions += SAME_SCORES.replace("$", bits) + code
        ways += ["same_scores_" + bits] + names
        own, alone = own + code, alone + names
    files = [name + ".h" for name in headers]
    return {"with": (c_program(["perceptron.h"] + files, functions, ways, "image8", count, "int16_t"), ways),
            "without": (c_program(["arrays8.h", "arrays16.h"], own, alone, "arrays8", count, "int16_t"), alone)}


def test_quantised_set(name, options, unit, train_file, test, machines):
    """Both sizes in all forms against whole numbers of our own. Returns which labels a score of 0 gets, and how
    many values saturate."""
    what = f"quantised {name} {' '.join(options)}"
    model, labels, features = train(train_file, *options), labels_of(train_file), features_of(train_file)
    truth = [str(int(line.split()[0])) for line in get(test).decode().split("\n")[:-1]]
    before, rows = predictions(test, model), device_rows(test, options, features)
    headers, expected = {}, {}
    for bits in (8, 16):
        headers[f"image{bits}"], said = export_quantised(model, bits, "image", unit, test)
        headers[f"arrays{bits}"], also = export_quantised(model, bits, "arrays", unit, test)
        q = Quantised(headers[f"arrays{bits}"], options)
        check(q.bits == bits and q.features == features, f"{what}: shape")
        check(q.unit == (single(float(unit)) if unit else default_unit(rows, options)), f"{what}: unit {q.unit}")
        shifted = [[v * f for v, f in zip(row, q.factor)] for row in rows]
        whole, cut = in_units(shifted, q.unit)
        after = [labels[q.predict(x)] for x in whole]
        check_report(what, q, headers[f"image{bits}"], said, also, before, after, truth, cut)
        expected.update({way: after for way in (f"by_image{bits}", f"by_arrays{bits}", f"dense_arrays{bits}",
                                                f"sparse_arrays{bits}")})
    sources = c_sources(headers, put_rows(whole, "h", features), len(rows))
    machines.run(what, sources, labels, features, expected)
    return {a for a, x in zip(after, whole) if len(q.bias) == 1 and dot(q.weight[0], x) + q.bias[0] == 0}, cut


def test_quantised(data, machines):
    zeros, cuts = set(), 0
    for name, options, unit in QUANTISED:
        if name in data:
            zero, cut = test_quantised_set(name, options, unit, *data[name], machines)
            zeros |= {(name, label) for label in zero}
            cuts += cut > 0
    check({("small", "3"), ("small", "8")} <= zeros, f"scores of 0 are among the rows: {zeros}")
    check(cuts > 0, "values saturate somewhere")


def test_report(data):
    """The same numbers as text, from CSV, from standard input and without labels."""
    rows, test = data["digits"]
    model = train(rows)
    header, said = export_quantised(model, 8, "image", None, test)
    options, path = ("export", "--bits", "8", "--name", "image8"), OUT + "/again.h"
    text = "".join(f"{what}: Accuracy = {100 * (1 - said[key] / said['rows']):g}% ({said['rows'] - said[key]}/"
                   f"{said['rows']})\n" for what, key in (("Floats", "errors_float"), ("8 bits", "errors_quantized")))
    last = (f"{said['changed']} of {said['rows']} predictions differ; 0 values saturated in units of 1; "
            f"{said['bytes']} bytes\n")
    text += last
    check(run(*options, "-t", test, model, path) == (0, text, "") and get(path).decode() == header, "report as text")
    check(run(*options, "-t", test, model) == (0, header, text), "report beside a header on standard output")
    check(run(*options, "-t", "-", model, path, stdin=get(test)) == (0, text, ""), "rows from standard input")
    check(run(*options, "-t", test, "-", path, stdin=get(model)) == (0, text, ""), "model from standard input")
    table = put("table", b"".join(get(DIGITS).splitlines(True)[0::6]))
    for more in ((), ("--test-format", "csv")):
        check(run(*options, *more, "-t", table, model, path) == (0, text, ""), f"rows from CSV {more}")
    check("Measured" not in must(*options, model) and "_unit = 1.0f;" in must(*options, model), "without --test")
    bare = put("bare", b"".join(line.split(b" ", 1)[1] for line in get(test).splitlines(True)))
    check(run(*options, "-t", bare, model, path) == (0, last, ""), "rows without labels as text")
    check("Measured" in get(path).decode() and "errors" not in get(path).decode(), "no errors without labels")
    said.update(errors_float=None, errors_quantized=None)
    check(export_quantised(model, 8, "image", None, bare)[1] == said, "rows without labels")


def test_units():
    """The default unit, and what counts: worked by hand. Weights of 1 for feature 1, -1 for feature 2."""
    model = imported(BINARY.replace("-2", "-1"))
    for rows, unit, saturated, errors in [
            ("1 1:1\n-1 2:1\n", 1, 0, 0), ("1 1:32767 2:-32768\n", 1, 0, 0), ("1 1:32768\n", 2, 0, 0),
            ("1 1:32767.5\n", 2, 0, 0), ("1 1:0.5\n", 2**-15, 0, 0), ("1 1:-1.5 2:-9\n", 2**-11, 0, 0),
            ("1 1:65534\n", 2, 0, 0), ("1 1:65536\n", 4, 0, 0), ("-1 1:0\n", 1, 0, 0), ("-1\n", 1, 0, 0),
            ("1 1:1 100:0.5\n", 1, 0, 0), ("7 1:1\n", 1, 0, 1), ("1 1:1e-42 2:1e-43\n", 2.0**-126, 0, 1),
            ("1 1:3e38\n", 2.0**113, 0, 0)]:
        said = export_quantised(model, 16, "image", None, put("rows", rows))[1]
        got = said["unit"], said["saturated"], said["errors_quantized"]
        expected = float(f"{unit:.9g}"), saturated, errors
        check(got == expected, f"{rows!r}: {got}, {expected} expected")
    for rows, unit, saturated, changed in [
            ("1 1:32767.49\n", "1", 0, 0), ("1 1:32767.5\n", "1", 1, 0), ("1 2:-32768.49\n", "1", 0, 0),
            ("1 2:-32768.5\n", "1", 1, 0), ("1 1:3e38 2:-3e38\n", "1e-30", 2, 0), ("1 1:40000 2:39000\n", "1", 2, 1),
            ("1 1:1 100:1e9\n", "1", 0, 0), # the model has not that feature
            ("-1 1:39000 2:40000\n", "1", 2, 0), ("1 1:3 2:2\n", "10", 0, 1), ("1 1:5 2:4\n", "10", 0, 0)]:
        said = export_quantised(model, 8, "image", unit, put("rows", rows))[1]
        check((said["saturated"], said["changed"]) == (saturated, changed), f"{rows!r} in units of {unit}: {said}")
    check("_unit = 0.100000001f;" in must("export", "--bits", "8", "--unit", "0.1", model), "unit without --test")
    refused(2, "does not say how large the values were that it was trained on: --test DATA", "export", "--bits", "8",
            model, force=False)
    long = train(put("d", small(30, 4, (1, 2), 1)), "--normalize", "l2")
    check("_unit = 6.10351562e-05f;" in must("export", "--bits", "8", long, says="prepared"), "unit of l2")


# ---- Without rows: from what the model knows of its training ----

def exported_unit(model, *options):
    """And whether a sentence says what gets lost."""
    status, header, err = run("export", "--bits", "16", *options, model)
    check(status == 0 and err.count("\n") < 3, f"export of {model} ends with {status}: {err}")
    return float((re.findall(r"_unit = (\S+)f;", header) or ["nan"])[0]), "become 0" in err


def power(most):
    """The least power of two of which 32,767 reach it, as a header has it."""
    return float(f"{2.0**math.ceil(math.log2(most / 32767)):.9g}")


def test_units_of_training():
    """However the rows come, the model remembers the greatest size of their values, and if they are whole."""
    lines = noisy(200, 5, (1, -1), 9).splitlines()
    rows = put("values", "\n".join(lines + ["1 3:-421.5", "-1 2:0.25"]) + "\n")
    one = put("values 1", "\n".join(lines[:90]) + "\n")
    two = put("values 2", "\n".join([*lines[90:], "1 3:-421.5"]) + "\n")
    table = put("values.csv", "a,b,kind\n1,-9,p\n4,,q\n4.5,70,p\n3,0,q\n")
    unit = (power(421.5), True)
    for options in ((), ("-e", "1", *FILE), ("-e", "1", *FILE, "--test", one), ("--classes", "2", "--features", "5"),
                    ("--shards", "2"), ("--online",), ("-a", "arow"), ("--validate", "0.5"), ("--final",),
                    ("--rows", "dense"), ("--batch", "4")):
        check(exported_unit(train(rows, *options)) == unit, f"unit after {options}")
    check(exported_unit(train(rows, "--normalize", "maxabs")) == (power(1), False), "unit after maxabs")
    check(exported_unit(train(rows, "--normalize", "standard")) == (2.0**-9, False), "unit after standard")
    train("-", "--classes", "1,-1", "--features", "5", stdin=get(rows))
    check(exported_unit(OUT + "/m") == unit, "unit after a pipe")
    for first, then in ((one, two), (two, one)):
        for more in ((), ("--online",), ("-e", "1", *FILE), ("--fixed", "-e", "1", *FILE)):
            train(first, model="first")
            train(then, "--resume", OUT + "/first", *more)
            check(exported_unit(OUT + "/m") == unit, f"unit after {then} {more} follows {first}")
    for options, unit in (((), (power(70), True)), (("--binarize",), (1, False)), (("--ignore", "a"), (1, False)),
                          (("--normalize", "l2"), (power(1), False))):
        for missing in ("zero", "drop", "mean"):  # the mean of b is 61 / 3, or 2 / 3
            got = exported_unit(train(table, "--missing", missing, *options))
            uneven = missing == "mean" and options[:1] != ("--normalize",)
            expected = (power(1 if "--binarize" in options else 70), True) if uneven else unit
            check(got == expected, f"unit after {options} --missing {missing}: {got}, {expected} expected")
    for text, options, unit in (("1 1:32767\n-1 2:1\n", (), (1, False)), ("1 1:32768\n-1 2:1\n", (), (2, True)),
                                ("1 1:0.5\n-1 2:1\n", (), (power(1), True)),
                                ("p\ta b\nq\tc\n", ("--text",), (1, False))):
        check(exported_unit(train(put("few", text), *options)) == unit, f"unit after {text!r}")
    shown = must("show", train(rows))
    check("features   5, values of up to 421.5\n" in shown, f"show has the greatest value: {shown[:400]}")
    check(json.loads(must("show", "--json", OUT + "/m"))["greatest_value"] == 421.5, "show --json, too")
    check("values" not in must("show", "--top", "1", train(rows, "--normalize", "l2")), "rows of unit length have 1")


def with_values(model, numbers):
    """A model file that says otherwise how large the values were; 0: it does not know, as an imported one."""
    return with_section(stored(model), section(model)[:-16] + numbers + section(model)[-8:], "other.model")


def test_unknown_values():
    rows = put("values", noisy(200, 5, (1, -1), 9))
    model = train(rows)
    most = max(abs(v) for row in dense_rows(rows, 5) for v in row)
    check(section(model)[-16:-8] == struct.pack("<ff", most, 1), "where the greatest value stands")
    mute = with_values(model, bytes(8))
    check(predictions(rows, mute) == predictions(rows, model), "a model that does not say it predicts the same")
    refused(2, f"{mute} does not say how large the values were", "export", "--bits", "16", mute, force=False)
    must("export", "--bits", "16", "--unit", "0.01", mute)
    must("export", "--bits", "16", "--test", rows, mute, OUT + "/mute.h")
    train(rows, "--resume", mute, model="new")
    check(exported_unit(OUT + "/new") == (power(most), True), "train --resume makes one that says it")
    for numbers in ((-3, 0), (math.inf, 0), (3, math.nan)):
        refused(2, "damaged", "show", with_values(model, struct.pack("<ff", *numbers)))


def test_refused_loss():
    """What may turn predictions into chance is refused, and exported all the same with rows that show it."""
    draw, lines = random.Random(3), []
    for _ in range(400):
        a, b, c, size = draw.randrange(2), draw.randrange(2), draw.randrange(2), draw.randrange(1, 100001)
        lines.append(f"{size},{a},{b},{c},{int(a + b + c + (size > 60000) > 1)}")
    table = put("huge.csv", "\n".join(lines) + "\n")
    scaled = train(table, "--header=no", "--normalize", "maxabs", model="scaled.model")
    said = export_quantised(scaled, 8, "image", None, table)[1]
    check(said["errors_quantized"] < 10, f"a shift for each column: {said}")
    # The same weights for rows as they are: that of size is 100,000 times smaller than the others, and 0 in 16 bits.
    rows = put("huge.svm", "".join(svm_line(line[-1], line.split(",")[:4]) for line in lines))
    alike = imported(must("export", "--format", "liblinear", scaled))
    model = train(put("right.svm", "1 1:99000 2:1 3:1 4:1\n"), "--resume", alike, "-e", "1") # nothing to learn from it
    for bits, more in (("8", "Take --bits 16, or train with --normalize"), ("16", "Train with --normalize standard")):
        said = export_quantised(model, int(bits), "image", None, rows)[1]
        check(said["errors_quantized"] > 200 > 40 > said["errors_float"], f"it is worth nothing indeed: {said}")
        lost = (said["errors_quantized"] - said["errors_float"]) / 4
        keep = put("keep.h", "/* A trained classifier, written by perceptron export */")
        refused(2, f"{bits} bits lose {lost:.3g} points: of 400 rows {said['errors_quantized']} are wrong, in floats "
                f"{said['errors_float']}. {more}", "export", "--bits", bits, "-t", rows, model, keep, force=False)
        check(len(get(keep)) < 99, "the old file stays")
        refused_json = run("export", "--bits", bits, "-t", rows, "--json", model, keep, force=False)
        check(refused_json[0] == 2 and "points" in json.loads(refused_json[1])["error"], f"JSON: {refused_json}")
    narrow = imported(BINARY.replace("-2", "-1"), "narrow")
    for lost, status in ((2, 0), (3, 2)): # in units of 10 these become 0; a point is not more than a point
        rows = put("lost", "1 1:3 2:2\n" * lost + "1 1:50\n" * (200 - lost))
        got = run("export", "--bits", "16", "--unit", "10", "-t", rows, narrow, put("lost.h", ""), force=False)
        check(got[0] == status and ("lose 1.5 points: of 200 rows 3" in got[2]) == (status == 2) and
              ("Leave --unit out" in got[2]) == (status == 2), f"{lost} of 200: {got}")
    tenths = put("tenths", "".join(svm_line(k, [draw.randrange(1, 30) / 30 * (j % 3 == k) for j in range(9)])
                                   for k in [draw.randrange(3) for _ in range(100)]))
    model = train(tenths)
    for unit, works in (("1", False), ("1e-9", False), ("0.01", True), ("0.001", True), ("3e-5", True),
                        ("1e-5", False)):
        if works:
            must("export", "--bits", "8", "--unit", unit, model)
        else:
            refused(2, "take --bits 16, or leave --unit out", "export", "--bits", "8", "--unit", unit, model)
    refused(2, "what tells label 0 from 1 may get lost: leave --unit out", "export", "--bits", "16", "--unit", "1",
            model)
    must("export", "--bits", "16", "--unit", "1", "--test", tenths, model, OUT + "/tenths.h")
    # by hand: in 8 bits the least step is 1000 / 127, and 3 becomes 0, 8 nearly 8
    wide = train(put("wide", "1 1:1\n-1 1:-1\n"), "-a", "perceptron", "-B", "0", "-e", "1", model="wide.model")
    for weights, lost in (((1000, 1), None), ((1000, 3, 3, 3), None), ((1000, *[3] * 120), "26 %"),
                          ((1000, *[3] * 600), "64 %"), ((1000, *[-8] * 600), None)):
        text = BINARY.replace("nr_feature 2", f"nr_feature {len(weights)}").replace("1 \n-2 \n", "")
        model = imported(text + "".join(f"{w} \n" for w in weights))
        if lost:
            refused(2, f"up to {lost}", "export", "--bits", "8", "--unit", "1", model)
        else:
            must("export", "--bits", "8", "--unit", "1", model)
    must("export", "--bits", "8", wide)


def test_rcv1():
    if not DATA:
        return skip("PCN_DATA names no folder with rcv1")
    rows, test = (os.path.join(DATA, f"rcv1small.{part}.svm") for part in ("train", "test"))
    model = train(rows)
    unit = exported_unit(model)[0]
    said = export_quantised(model, 8, "image", str(unit), test)[1]
    check(abs(said["errors_quantized"] - said["errors_float"]) < 5, f"rcv1 in 8 bits: {said}")


def test_names():
    """Columns are matched by name, as in predict."""
    model = train(put("d.csv", "a,b,y\n1,0,p\n0,1,q\n2,1,p\n1,3,q\n"), "--label", "y")
    report = lambda text, *more: run("export", "--bits", "8", "--json", *more, "-t", put("t.csv", text), model,
                                     OUT + "/names.h")[1]
    first = json.loads(report("a,b,y\n5,1,p\n1,5,q\n", "--label", "y"))
    check((first["rows"], first["errors_float"], first["errors_quantized"]) == (2, 0, 0), f"CSV with names: {first}")
    check(json.loads(report("b;y;a\n1;p;5\n5;q;1\n", "--label", "y", "--sep", ";")) == first, "another order")


def test_wide():
    """More features than a row may have values."""
    model = train(put("wide", "1 1:1 70000:2\n-1 2:1 70000:-2\n"), model="wide.model")
    header, said = export_quantised(model, 16, "image", None, OUT + "/wide")
    check((said["rows"], said["changed"], said["errors_quantized"]) == (2, 0, 0), f"70,000 features: {said}")
    check("pcn_isparse(index, x, n);" in header, "a sparse row in the manual")
    must("export", "--bits", "8", "--as", "arrays", model)
    alone = must("export", "--bits", "16", "--as", "arrays", "--predict", model)
    check("count is at most 65535." in alone, "the comment of the function says how many values it takes")
    row = "1" + "".join(f" {i}:1" for i in range(1, 65537)) + "\n"
    for text, status in ((row.replace(" 65536:1", ""), 0), (row, 2)):
        got, out, err = run("export", "--bits", "16", "-t", put("full", text), model, OUT + "/wide.h")
        check(got == status and ("full:1: more than 65535 values" in err) == (status == 2), f"{got} {err}")


data = sets()
test_quantised(data, Machines())
test_report(data)
test_units()
test_units_of_training()
test_unknown_values()
test_refused_loss()
test_rcv1()
test_names()
test_wide()
finish()
