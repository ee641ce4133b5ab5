"""Columns whose last digits floats do not hold: dates, times, small differences of large numbers. They are learned as the
same numbers less a constant are, bit for bit, in whatever way they are read; where that cannot be, a sentence says why."""
import itertools
import json
import os
import random
import re
import struct
import subprocess

from cli import OUT, PROGRAM, check, fewer, finish, get, image, must, predictions, put, refused, run, section, stored, train, with_section

DATES = [20261101 + i for i in range(30)]
LATE = DATES[15]


def csv(name, rows, names="x,y"):
    return put(name, names + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))


def labelled(values, bound, seed=1, count=300):
    draw = random.Random(seed)
    rows = [[x := draw.choice(values), "late" if x >= bound else "early"] for _ in range(count)]
    return rows


def offsets(model):
    return {entry["feature"]: entry["offset"] for entry in json.loads(must("show", "--json", model)).get("offsets", [])}


def right(data, *options, model="m"):
    """The share of right answers of a model on its own rows, as train -t says."""
    out = must("train", "-q", *options, data, os.path.join(OUT, model), "-t", data, plain=False)
    return float(re.search(r"Accuracy = (\S+)%", out).group(1))


# ---- Files that were half right ----

def test_columns():
    """Each is learned like the small numbers that it has beside a constant."""
    for name, values, bound in (
            ("date", DATES, LATE), ("time", [1700000000 + i for i in range(0, 300, 7)], 1700000147),
            ("micro", [1700000000000000 + i for i in range(0, 3000, 7)], 1700000000001470),
            ("negative", [-1700000000 + i for i in range(0, 300, 7)], -1699999853),
            ("700000", [700000, 700001], 700001), ("500000", [500000, 500001], 500001),
            ("cents", ["700000.01", "700000.02"], "700000.02"), ("near 9", ["9.0000001", "9.0000002"], "9.0000002"),
            ("milli", [f"1700000000.{i:03}" for i in range(0, 900, 7)], "1700000000.441"),
            ("year", [20260000 + 100 * m + d for m in range(1, 13) for d in range(1, 29)], 20260701)):
        data = csv(f"{name}.csv", labelled(values, bound, count=1000))
        check(right(data) == 100, f"{name}: {right(data)}")
        shifts = name not in ("700000", "500000")
        check(len(offsets(OUT + "/m")) == shifts, f"{name}: {offsets(OUT + '/m')}")


def test_month():
    """The defect: days of a month with the month and the year before them."""
    for before in ("", "11", "202611"):
        data = csv("month.csv", [[f"{before}{d:02}", "late" if d > 15 else "early"] for d in range(1, 31)] * 10)
        check(right(data) == 100, f"{before}: {right(data)}")


def less(rows, columns):
    """Rows as if these numbers had been subtracted from the first columns."""
    return [[*(x if x == "" else int(x) - c for x, c in zip(row, columns)), *row[len(columns):]] for row in rows]


def mixed(count, gaps=False, seed=3):
    """A date, a time, an ordinary number, a word."""
    draw = random.Random(seed)
    rows = []
    for _ in range(count):
        date, time = draw.choice(DATES), 1700000000 + draw.randrange(600)
        score = (date - LATE) / 15 + (time - 1700000300) / 300 + draw.gauss(0, 0.2)
        rows.append([date if not gaps or draw.random() > 0.1 else "", time, round(draw.gauss(0, 3), 2), draw.choice("uvw"),
                     "late" if score > 0 else "early"])
    return rows


NAMES = "date,time,n,word,y"


def test_bits():
    """Rows with offsets are those of the file less these, bit for bit: tables with a word (sparse) and without."""
    for i, (options, words, gaps) in enumerate((
            ((), 1, 0), ((), 0, 0), (("--missing", "mean"), 1, 1), (("--missing", "mean"), 0, 1), (("--missing", "drop"), 1, 1),
            (("--normalize", "maxabs"), 1, 0), (("--normalize", "none"), 0, 0), (("--normalize", "standard-l2"), 0, 0),
            (("-a", "arow", "--decision", "averaged"), 0, 0), (("--shards", "3", "--threads", "2"), 0, 0), (("--validate", "0.2"), 1, 0),
            (("-a", "kernel", "-e", "2"), 0, 0), (("--products", "date*time"), 1, 0), (("--nominal", "n"), 0, 0),
            (("--probabilities",), 0, 0), (("--online",), 0, 0), (("--online",), 1, 0), (("-e", "1"), 1, 0))):
        keep = [0, 1, 2, 3, 4] if words else [0, 1, 2, 4]
        rows = [[row[k] for k in keep] for row in mixed(120, gaps)]
        names = ",".join(NAMES.split(",")[k] for k in keep)
        model = train(csv("bits.csv", rows, names), *options, plain=False)
        found = offsets(model)
        check(sorted(found) == ["date", "time"] and 20261100 < found["date"] < 20261131 and 0 <= found["time"] - 1700000000 < 700,
              f"{options}: {found}")
        if not found:
            continue
        small = csv("bits.less.csv", less(rows, (found["date"], found["time"])), names)
        plain = train(small, *options, model="less", plain=False)
        check(image(model) == image(plain), f"{options}: the weights of small numbers")
        check(offsets(plain) == {}, f"{options}: small numbers have none")
        check(len(section(model)) == len(section(plain)) + 4 + 2 * 12, "the section has a count, two features, two doubles")
        check(predictions(OUT + "/bits.csv", model, *(("--missing", "mean") if gaps else ())) ==
              predictions(small, plain, *(("--missing", "mean") if gaps else ())), f"{options}: the same answers")


def test_ways():
    """A file, a pipe, folds, threads and columns in another order."""
    rows = mixed(150)
    data = csv("ways.csv", rows, NAMES)
    model = train(data, plain=False)
    with open(data, "rb") as f:
        piped = subprocess.run([PROGRAM, "train", "--force", "-q", "-", OUT + "/piped"], stdin=f)
    check(piped.returncode == 0 and get(OUT + "/piped") == get(model), "standard input that is a file")
    status, _, err = run("train", "-q", "-", OUT + "/piped", stdin=get(data), plain=False)
    check(status == 0 and get(OUT + "/piped") == get(model), f"a pipe: {err}")
    turned = csv("turned.csv", [row[::-1] for row in rows], ",".join(NAMES.split(",")[::-1]))
    check(predictions(turned, model) == predictions(data, model), "columns in another order")
    found = offsets(model)
    small = csv("ways.less.csv", less(rows, (found["date"], found["time"])), NAMES)
    for command in (("train", "--folds", "5"), ("train", "--folds", "5", "--shards", "2")):
        check(must(*command, data, plain=False) == must(*command, small, plain=False), f"{command}")
    out = must("train", "-q", data, OUT + "/m2", "-t", turned, plain=False)
    check(float(re.search(r"Accuracy = (\S+)%", out).group(1)) > 90, f"rows of -t: {out}")


def test_resume():
    """A model keeps its offsets, whatever the new rows would have."""
    first, then = mixed(100), [[row[0] + 100, row[1] + 86400, *row[2:]] for row in mixed(100, seed=4)]
    model = train(csv("first.csv", first, NAMES), plain=False)
    found = tuple(offsets(model).values())
    on = csv("then.csv", then, NAMES)
    plain = train(csv("first.less.csv", less(first, found), NAMES), model="less", plain=False)
    for options in ((), ("--online",)):
        must("train", "-q", "--resume", model, *options, on, OUT + "/more", plain=False)
        must("train", "-q", "--resume", plain, *options, csv("then.less.csv", less(then, found), NAMES), OUT + "/more.less", plain=False)
        check(image(OUT + "/more") == image(OUT + "/more.less"), f"--resume {options}")
        check(tuple(offsets(OUT + "/more").values()) == found, "the offsets stay")
    whole = train(OUT + "/first.csv", "-e", "15", model="whole", plain=False)
    must("train", "-q", "--resume", model, "-e", "5", OUT + "/first.csv", OUT + "/more", plain=False)
    check(get(OUT + "/more") == get(whole), "ten epochs and five are fifteen")


def test_missing():
    """--missing zero is a written 0; a column that the file lacks is 0, too."""
    data = csv("gap.csv", [[20261101 + i % 30, i % 7, "late" if i % 30 > 15 else "early"] for i in range(90)], "date,n,y")
    for options in ((), ("--normalize", "none"), ("--nominal", "n")):
        model = train(data, "--missing", "zero", *options, plain=False)
        scores = [must("predict", "--scores", "-q", put("gap.test", text), model) for text in
                  ("date,n\n0,3\n0,5\n", "date,n\nNA,3\n,5\n", "n,z\n3,1\n5,1\n")]
        check(scores[0] == scores[1] == scores[2] and len(scores[0].splitlines()) == 3, f"{options}: {scores}")


def test_libsvm():
    """libsvm text gives the rows that a table gives; what is absent is 0, not the offset."""
    rows = [[row[0], row[1], row[2] or 1, int(row[4] == "late")] for row in mixed(120)]
    data = put("rows.svm", "".join(f"{y} 1:{a} 2:{b} 3:{c}\n" for a, b, c, y in rows))
    csv_data = csv("rows.csv", rows, "a,b,c,y")
    bare = put("bare.csv", get(csv_data).split(b"\n", 1)[1])
    model, table = train(data, plain=False), train(bare, "--header=no", model="table", plain=False)
    check(image(model) == image(table) and len(offsets(model)) == 2, "the same weights")
    check(predictions(data, table) == predictions(bare, table), "libsvm text for the model of a table")
    mess = put("mess.svm", "".join(f"{y} 3:{c} 2:{b}  9:1 1:{a} # 1:5\n" for a, b, c, y in rows))
    check(predictions(mess, model, "--sort") == predictions(data, model), "indices in any order, unknown ones and remarks")
    for options in ((), ("--rows", "sparse", "--normalize", "none")):
        model = train(data, *options, plain=False)
        score = [must("predict", "-q", "--scores", put("absent.svm", text), model) for text in ("0 2:0 3:1\n", "0 1:0 2:0 3:1\n", "0 3:1\n")]
        check(score[0] == score[1] == score[2], f"absent: {score}")


def test_products():
    """They may be large themselves, and are no columns; libsvm text is learned as it was."""
    data = csv("prod.csv", [[x, 3000 + i % 7, "u", y] for i, (x, y) in enumerate(labelled(DATES, LATE, count=100))], "x,n,w,y")
    for products in ("x*x", "x*n", "n*n", "all"):
        check(list(offsets(train(data, "--products", products, plain=False))) == ["x"], products)
    rows = put("prod.svm", "".join(f"{int(y == 'late')} 3:{x} 7:1\n" for x, y in labelled(DATES, LATE, count=50)))
    model = train(rows, "--products", "3*7", plain=False)
    check(offsets(model) == {} and predictions(rows, model), "libsvm text")


def test_outliers():
    """Half of the values decide: zeros and wild dates leave the offset."""
    for zeros, nines, least in ((2, 1, 98), (50, 30, 0)):
        data = csv("outliers.csv", labelled(DATES, LATE, count=200) + [[0, "early"]] * zeros + [[99999999, "late"]] * nines)
        check(right(data) >= least and 20261100 < list(offsets(OUT + "/m").values())[0] < 20261131, f"zeros and nines: {right(data)}")


# ---- Ordinary files ----

def test_ordinary():
    """No offset where floats lose nothing that counts: decimals, large sizes, ids below 2^24, constants, words."""
    draw = random.Random(5)
    for name, value in (("decimals", lambda: draw.choice(("0.1", "0.3"))), ("long", lambda: repr(draw.gauss(100, 1))),
                        ("longer", lambda: repr(draw.random())), ("sizes", lambda: int(10**draw.uniform(2, 9.5))),
                        ("constant", lambda: 16777217), ("ids", lambda: 5000000 + draw.randrange(1000)),
                        ("hundreds", lambda: 100000000 + 512 * draw.randrange(100)), ("pressure", lambda: round(draw.gauss(1013, 9), 2)),
                        ("ones", lambda: 1), ("years", lambda: draw.randrange(1990, 2027)),
                        ("times", lambda: draw.randrange(10**9))):
        rows = [[value(), "1.23456789012", draw.choice("pq"), draw.choice("uv")] for _ in range(400)]
        for options in ((), ("--normalize", "none")):
            model = train(csv("ordinary.csv", rows, "a,b,w,y"), *options, plain=False)
            check(offsets(model) == {}, f"{name} {options}: {offsets(model)}")


def test_random():
    """Whole numbers anywhere below 2^53, close together or not: right wherever the small ones are."""
    draw = random.Random(9)
    for _ in range(fewer(12, 200, "sets of whole numbers")):
        at, wide = int(2**draw.uniform(20, 52.9)) * draw.choice((1, -1)), draw.choice((2, 5, 30, 1000))
        values = [at + draw.randrange(wide) for _ in range(200)]
        bound = at + wide // 2
        big = csv("big.csv", [[x, "late" if x >= bound else "early"] for x in values])
        tiny = csv("tiny.csv", [[x - at, "late" if x >= bound else "early"] for x in values])
        if len({x >= bound for x in values}) == 2:
            a, b = right(big), right(tiny, model="tiny")
            check(a >= b - 0.5, f"{at} + 0 .. {wide}: {a} %, small {b} %")


# ---- What is said, and refused ----

def test_ids():
    """Whole numbers beyond 2^53 in rows to learn from: where, and what to do. To be predicted they are numbers."""
    ids = [[697107975612345671 + i, i % 5, "pq"[i % 2]] for i in range(20)]
    text = "id_str,x,y\n" + "".join(f"{a},{b},{c}\n" for a, b, c in ids)
    for options in ((), ("--online",), ("-e", "1"), ("--normalize", "none"), ("--normalize", "maxabs"), ("--folds", "5")):
        outputs = () if "--folds" in options else (OUT + "/m",)
        refused(2, "ids.csv:2:1: 697107975612345671 is a whole number beyond 2^53, whose last digits would be lost: --ignore 'id_str' "
                "leaves the column out, --nominal 'id_str' takes its values as texts", "train", "-q", *options, put("ids.csv", text), *outputs,
                plain=False)
    for option in ("--ignore", "--nominal"):
        train(OUT + "/ids.csv", option, "id_str", plain=False)
    refused(2, "late.csv:4:3: -9007199254740993 is a whole number beyond", "train", "-q",
            put("late.csv", "a,b,y\n1,1,p\n2,2,q\n3,-9007199254740993,p\n"), OUT + "/m", plain=False)
    train(put("below.csv", "a,b,y\n1,9007199254740991,p\n2,9007199254740990,q\n3,9007199254740991,p\n"), plain=False)
    model = train(put("real.csv", "a,b,y\n1,1.5e17,p\n2,2e17,q\n3,1.5e17,p\n"), "--normalize", "none", plain=False)
    check(predictions(put("id.csv", "a,b\n1,697107975612345671\n"), model) in (["p"], ["q"]), "a row to predict")


def test_refused():
    data = csv("r.csv", labelled(DATES, LATE))
    for options in ((), ("--online",)):
        refused(2, "r.csv: floats do not hold the last digits of feature x, and Winnow takes values as they are: subtract a constant from it, "
                "or leave it out", "train", "-q", "-a", "balanced-winnow", *options, data, OUT + "/m", plain=False)
    refused(2, "rows.svm: floats do not hold the last digits of feature 1, and Winnow", "train", "-q", "-a", "winnow",
            put("rows.svm", "".join(f"{int(y == 'late')} 1:{x} 2:1\n" for x, y in labelled(DATES, LATE))), OUT + "/m", plain=False)
    check(right(data, "-a", "winnow", "--binarize") < 60, "0 or 1 needs no digits")


def test_export():
    """Rows of floats that a device has lack the digits: --bits, products and kernels have NAME_row, all else is refused."""
    model, why = train(csv("e.csv", labelled(DATES, LATE)), plain=False), "a row of floats does not hold the last digits of x, which was learned less "
    for options in ((), ("--as", "raw"), ("--as", "arrays"), ("--as", "arrays", "--predict"),
                    ("--as", "arrays", "--progmem")):
        refused(1, why, "export", *options, model, OUT + "/e.h")
    for target in ("liblinear", "libsvm"):
        numbers = train(csv("n.csv", [[x, int(y == "late")] for x, y in labelled(DATES, LATE)]), model="n", plain=False)
        refused(1, why, "export", "--format", target, numbers, OUT + "/e.h")
    for options in (("--normalize", "maxabs"), ("--normalize", "none"), ("--normalize", "l2", "--products", "x*x")):
        other = train(OUT + "/e.csv", *options, model="other", plain=False)
        refused(1, "train with --normalize standard, and --as arrays --bits 16 has a function that takes rows so", "export",
                other, OUT + "/e.h")
        check(get(other)[:4] == b"PCNM", "C programs do not open it, since rows are prepared")
    header = must("export", "--as", "arrays", "--bits", "8", "--test", OUT + "/e.csv", model, OUT + "/e.h")
    check("8 bits: Accuracy = 100% (300/300)" in header, f"--test counts right: {header}")
    text, (offset,) = get(OUT + "/e.h").decode(), offsets(model).values()
    check(f'"x" less {offset}\n' in text and "model_OFFSETS = 1 }" in text and f"model_offset[model_OFFSETS] = {{\n    {offset},\n}};" in text and
          "Rows to predict: what model_row makes of the values less model_offset." in text, f"the header says it: {text[:600]}")


def test_shown():
    model = train(csv("s.csv", labelled(DATES, LATE)), plain=False)
    (offset,) = offsets(model).values()
    check(f"\nless       {offset} from x\n" in must("show", model), f"show: {must('show', model)}")
    out = must("predict", "--explain", put("s.test", f"x\n{offset + 3}\n"), model)
    found = re.search(rf"^x less {offset} +3 +(\S+) +(\S+)$", out, re.M)
    check(found and abs(3 * float(found.group(1)) - float(found.group(2))) < 1e-4, f"--explain: {out}")
    entry = json.loads(must("predict", "--explain", "--json", OUT + "/s.test", model).splitlines()[0])["features"][0]
    check(entry["less"] == offset and entry["value"] == 3, f"{entry}")
    weights = json.loads(must("show", "--json", model))["weights"][0]
    unit, bias = weights["for"][0]["per_unit"], weights["bias_per_unit"]
    score = float(must("predict", "-q", "--scores", OUT + "/s.test", model).split()[-1])
    check(abs(unit * (offset + 3) + bias - score) < 4, f"per unit, for values as written: {unit} {bias} {score}")


def test_forged():
    """What is no offset is no model."""
    model = train(csv("f.csv", labelled(DATES, LATE)), plain=False)
    (offset,) = offsets(model).values()
    content, number = section(model), struct.pack("<d", offset)
    at = content.index(number)
    check(content[at - 8:at] == struct.pack("<II", 1, 0), "one offset, of feature 0")
    for place, old, new in ((at - 8, 4, struct.pack("<I", 0)), (at - 8, 4, struct.pack("<I", 2)), (at - 4, 4, struct.pack("<I", 1)),
                            *((at, 8, struct.pack("<d", x)) for x in (0.0, float("inf"), float("nan")))):
        forged = with_section(stored(model), content[:place] + new + content[place + old:])
        refused(2, "damaged", "show", forged)
        refused(2, "damaged", "predict", OUT + "/f.csv", forged)
    forged = with_section(stored(model), content[:at] + struct.pack("<d", offset + 1) + content[at + 8:])
    check(list(offsets(forged).values()) == [offset + 1], "another number is another offset")


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
    finish()


if __name__ == "__main__":
    main()
