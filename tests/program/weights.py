"""Weights of rows, from a column or a file: beside a perceptron in this file and --weight LABEL=W; rows of weight 0 are as
if they were not there; what is no weight, or no weight for each row, is refused."""
import json
import random
import re

from cli import OUT, check, finish, get, image, must, put, refused, run, train

draw = random.Random(11)


# ---- Rows ----

def text(lines):
    return "\n".join(lines) + "\n"


def column(lines, weights, at=2):
    """CSV lines with the weights as a column."""
    out = []
    for line, weight in zip(lines, weights):
        fields = line.split(",")
        out.append(",".join([*fields[:at], str(weight), *fields[at:]]))
    return out


def table(count, classes=2):
    """Lines of four numbers and a label."""
    lines = []
    for _ in range(count):
        label = draw.randrange(classes)
        values = [round(draw.gauss(label * (j % 2) - label * (j // 2) / 2, 1.2), 2) for j in range(4)]
        lines.append(",".join(map(str, values)) + "," + "abc"[label])
    return lines


def sparse(count):
    return [f"{draw.choice((-1, 1))} " + " ".join(f"{j}:{draw.choice((-2, -1, 1, 2))}"
                                                  for j in sorted(draw.sample(range(1, 20), 5))) for _ in range(count)]


def messages(count):
    return [f"{label}\t" + " ".join(draw.choice(label + "xyz") + str(draw.randrange(9)) for _ in range(5))
            for label in (draw.choice("ab") for _ in range(count))]


NAMES = "p,q,r,s,kind"
HOW = ("", "-e 1", "-e 1 --classes a,b", "--online", "-a perceptron", "-a arow", "-a arow -e 1", "--rule pa1 -C 0.1", "--rule pa2",
       "--update others", "-a winnow", "-a kernel", "-a voted", "--shards 3", "--batch 4", "--normalize maxabs",
       "--normalize l2", "--validate 0.3", "--pocket -a perceptron", "--final", "--threads 1 -e 1", "--rows sparse",
       "--order file", "--features 4 --classes 2", "--missing drop", "--measure")


# ---- Steps ----

def perceptron(rows, weights):
    """One pass of the fixed rule, without bias; integers, so that it is exact."""
    w = {}
    for line, weight in zip(rows, weights):
        label, *pairs = line.split()
        x = {int(j): int(v) for j, v in (pair.split(":") for pair in pairs)}
        if weight and int(label) * sum(w.get(j, 0) * v for j, v in x.items()) <= 0:
            for j, v in x.items():
                w[j] = w.get(j, 0) + int(label) * weight * v
    return w


def test_reference():
    for trial in range(20):
        rows = sparse(30)
        weights = [draw.choice((0, 1, 1, 2, 3)) for _ in rows]
        model = train(put("r", text(rows)), "-a", "perceptron", "-e", "1", "-B", "0", "--weights",
                      put("r.w", text(map(str, weights))))
        got = {int(j): float(v) for j, v in re.findall(r"^(\d+),.*,(.*)$", must("show", "--csv", model), re.M)}
        want = perceptron(rows, weights)
        check({j: v for j, v in got.items() if v} == {j: v for j, v in want.items() if v}, f"trial {trial}: {got} {want}")


def test_labels():
    """A weight for each row by its label is --weight LABEL=W."""
    rows = table(60)
    weights = [{"a": 1, "b": 2.5}[line[-1]] for line in rows]
    plain = put("plain.csv", text([NAMES, *rows]))
    with_column = put("column.csv", text([NAMES.replace("r,", "w,r,"), *column(rows, weights)]))
    file = put("labels.w", text(map(str, weights)))
    for how in HOW:
        if "drop" in how:
            continue
        want = image(train(plain, "--weight", "b=2.5", *how.split(), model="by label"))
        for words in ((plain, "--weights", file), (with_column, "--weight-column", "w"),
                      (with_column, "--weight-column", "3")):
            check(image(train(*words, *how.split())) == want, f"{words} {how}: the same as --weight b=2.5")
        check(want != image(train(plain, *how.split())), f"{how}: weights have an effect")
        double = train(plain, "--weight", "b=2.5", "--weights", put("two.w", "2\n" * 60), *how.split())
        check(image(double) == image(train(plain, "--weight", "b=5", "--weight", "a=2", *how.split(), model="n")),
              f"{how}: both multiply")


def test_ones():
    rows = table(50, 3)
    plain = put("ones.csv", text(rows))
    for how in HOW[:2] + HOW[3:9]:
        want = train(plain, *how.split(), model="plain")
        check(get(train(plain, "--weights", put("ones.w", " 1.0 \r\n" * 50), *how.split())) == get(want), f"{how}: a file")
        ones = train(put("ones too.csv", text(column(rows, [1] * 50))), "--weight-column", "3", *how.split())
        check(image(ones) == image(want), f"{how}: a column")


NEXT_TO_NOTHING = "1e-45"  # a quarter of it is 0


def weights_of(model):
    return [float(line.rsplit(",", 1)[1]) for line in must("show", "--csv", model).splitlines()[1:]]


def test_next_to_nothing():
    """A row whose step becomes 0 counts, but moves nothing, though it be the first that is learned. A mean over more rows,
    of which the weights before the first were 0, is that much smaller."""
    first, rows = table(5), table(40)
    files = put("first.w", text([NEXT_TO_NOTHING] * 5 + ["1"] * 40)), put("rest.w", text(["1"] * 40))
    data = put("first.csv", text([NAMES, *first, *rows])), put("rest.csv", text([NAMES, *rows]))
    for how in ("-a perceptron --rate 0.25", "-a perceptron --rule pa1 -C 0.25", "-a perceptron --rule pa2 -C 0.25",
                "-a arow --r 4", "-a winnow --alpha 1.1", "--rate 0.25", "--rule pa1 -C 0.25",
                "--shards 2 -a perceptron --rate 0.25"):
        once = [*how.split(), "-e", "1", "--order", "file"]
        made = [train(name, "--weights", weights, *once, model=f"n{k}") for k, (name, weights) in enumerate(zip(data, files))]
        got, want = map(weights_of, made)
        share = 41 / 46 if "-a" not in how else 1
        check("shards" in how or all(abs(v - share * w) <= 1e-5 for v, w in zip(got, want, strict=True)) and any(want),
              f"{how}: {got}, {want}")
        check(json.loads(must("show", "--json", made[0]))["rows"] == 45, f"{how}: all rows count")
        more = [train(name, "--weights", weights, "--resume", made[1], "-e", "1", "--order", "file", model=f"m{k}")
                for k, (name, weights) in enumerate(zip(data, files))]
        check("-a perceptron" not in how or "shards" in how or weights_of(more[0]) == weights_of(more[1]),
              f"{how}: --resume begins with such rows")
    for how in ("-a kernel --rule pa1 -C 0.25", "-a voted --rate 0.25", "--online -a averaged --rule pa1 -C 0.25"):
        said = json.loads(must("train", "--json", *how.split(), *([] if "online" in how else ["-e", "1", "--order", "file"]),
                               "--weights", files[0], data[0], OUT + "/x"))
        check(said.get("rows") == 45, f"{how}: {said}")


# ---- Rows that are left out ----

def test_zeros():
    """The model, its counts and what is printed are those of the data without these rows, whatever stands there."""
    odd = ["9e9,9e9,9e9,9e9,zzz", "NA,1,2,3,b", "1,2,3,4,NA"]
    rows = table(70)
    weights = [draw.choice((0, 0.5, 1, 2)) for _ in rows]
    weights[0], weights[7], weights[8], weights[9] = 0, 0, 0, 0
    rows[7:10] = odd
    kept = [(line, weight) for line, weight in zip(rows, weights) if weight]
    few, few_weights = [line for line, _ in kept], [weight for _, weight in kept]
    for header in (False, True):
        names = [NAMES] * header
        data = put("all.csv", text([*names, *rows])), put("few.csv", text([*names, *few]))
        files = put("all.w", text(map(str, weights))), put("few.w", text(map(str, few_weights)))
        named = [NAMES.replace("r,", "w,r,")] * header
        both = (put("all column.csv", text([*named, *column(rows, weights)])),
                put("few column.csv", text([*named, *column(few, few_weights)])))
        for how in HOW:
            for a, b in (((data[0], "--weights", files[0]), (data[1], "--weights", files[1])),
                         tuple((name, "--weight-column", "w" if header else "3") for name in both)):
                printed = [must("train", "--json", *how.split(), *words, OUT + f"/z{k}") for k, words in enumerate((a, b))]
                printed = [re.sub(r'"(\w*seconds": \{.*?\}|\w*seconds": [\d.e-]+|model": ".*?")', "", p) for p in printed]
                check(get(OUT + "/z0") == get(OUT + "/z1"), f"{a} {how}: the model of the other rows")
                check(printed[0] == printed[1], f"{a} {how}: {printed}")
            folds = [json.loads(must("train", "--json", "--folds", "4", *words)) for words in (a, b)]
            check(folds[0]["folds"] == folds[1]["folds"] and folds[0]["rows"] == len(few), "folds have no such row")


def test_zeros_elsewhere():
    """Words, indices and labels of such a row are not there; a quoted field may go over lines; gaps are of the rest."""
    for lines, bad, options in ((messages(40), "new\tnobody knows", ("--text",)), (sparse(40), "7 1:1 99:x", ()),
                                (sparse(40), "7 5:1 3:2 3:2", ("-e", "1")),
                                (table(40), '"odd\n,line",x,y,z,q', ("--nominal", "1")),
                                (table(40), '"odd\n,line",x,y,z,q', ("--nominal", "1", "-e", "1", "--threads", "1"))):
        places = sorted(draw.sample(range(1, 40), 3))
        rows, weights = list(lines), [2 if k % 3 else 1 for k in range(40)]
        for at in places:
            rows.insert(at, bad)
            weights.insert(at, 0)
        whole = put("w", text(rows)), put("w.w", text(map(str, weights)))
        part = put("v", text(lines)), put("v.w", text(str(w) for w in weights if w))
        for more in ((), ("--online",)):
            if more and "-e" in options:
                continue
            made = [train(data, "--weights", file, *options, *more, model=f"e{k}") for k, (data, file) in
                    enumerate((whole, part))]
            check(get(made[0]) == get(made[1]), f"{bad!r} {options} {more}")
    gaps = ["1,NA,a", "2,4,b", "7,1000,b", "3,NA,b"]
    made = [train(put(f"g{k}", text(lines)), "--weights", put(f"g{k}.w", text(weights)), "--missing", "mean", model=f"g{k}m")
            for k, (lines, weights) in enumerate(((gaps, "1101"), (gaps[:2] + gaps[3:], "111")))]
    check(get(made[0]) == get(made[1]), "means are of the other rows")


# ---- Later runs ----

def test_later():
    rows = table(60, 3)
    weights = [draw.choice((0, 1, 2)) for _ in rows]
    weights[0] = 1
    header = NAMES.replace("r,", "w,r,")
    lines = column(rows, weights)
    for name in ("w", "3"):
        data = put("c.csv", text([header, *lines]))
        model = train(data, "--weight-column", name, "-e", "2", model="two")
        check(get(train(data, "--resume", model, "-e", "3", model="five")) ==
              get(train(data, "--weight-column", name, "-e", "5", model="whole")), f"--resume knows the column {name}")
        swapped = put("s.csv", text([",".join(line.split(",")[k] for k in (0, 1, 3, 2, 4, 5)) for line in [header, *lines]]))
        check(get(train(swapped, "--resume", model, "-e", "3", model="x")) == get(OUT + "/five"), "by its name")
        want = must("predict", "-s", put("n.csv", text([NAMES, *rows])), model)
        for other in (data, swapped):
            status, out, err = run("predict", "-s", other, model)
            check((status, out) == (0, want) and "were" not in err, f"predict leaves the column out: {err}")
        check(json.loads(must("predict", "--json", data, model))["rows"] == 60, "all rows are predicted")
        refused(2, "no column 'w' of weights", "train", "--resume", model, put("n.csv", text([NAMES, *rows])), OUT + "/x")
        must("train", "-q", "--resume", model, "--weights", put("c.w", text(map(str, weights))), OUT + "/n.csv", OUT + "/x")
        whole = get(train(data, "--online", "--weight-column", name, model="online"))
        part = None
        for k, (at, end) in enumerate(((0, 1), (1, 20), (20, 60))):
            part = train(put("part", text([header, *lines[at:end]])), "--online",
                         *(("--resume", part) if part else ("--weight-column", name)), model=f"part{k % 2}")
        check(get(part) == whole, f"--online in three runs, column {name}")
    known = train(put("n.csv", text([NAMES, *rows])), model="known")
    ones = put("p.csv", text([NAMES, *column([line.split(",", 1)[1] for line in rows], [1] * 60, 0)]))
    check(image(train(ones, "--resume", known, "--weight-column", "1")) ==
          image(train(ones, "--resume", known, "--ignore", "1", model="n")), "a feature that weighs now is none")
    bare, model = put("bare.csv", text(lines)), OUT + "/bare"
    must("train", "-q", "--weight-column", "3", bare, model)
    plain = train(put("no.csv", text(rows)), "--weights", OUT + "/c.w", model="plain")
    check(must("predict", "-s", bare, model) == must("predict", "-s", OUT + "/no.csv", plain), "without a header")
    tested = json.loads(must("train", "--json", "-t", bare, "--weight-column", "3", bare, OUT + "/x"))
    check(tested["test"]["rows"] == 60, f"test rows count once each: {tested['test']}")


def test_online_answers():
    rows = messages(30)
    weights = [1, 1, 0, 2] * 7 + [0, 1]
    must("train", "--online", "--text", "--predict", OUT + "/answers", "--weights", put("o.w", text(map(str, weights))),
         put("o", text(rows)), OUT + "/x")
    found = get(OUT + "/answers").split(b"\n")[:-1]
    check(len(found) == len(weights), f"an answer for each row, of weight 0, too: {len(found)}")
    kept = [row for row, weight in zip(rows, weights) if weight]
    must("train", "--online", "--text", "--predict", OUT + "/answers", "--weights", put("o.w", text(str(w) for w in weights if w)),
         put("o", text(kept)), OUT + "/y")
    check([a for a, w in zip(found, weights) if w] == get(OUT + "/answers").split(b"\n")[:-1] and get(OUT + "/x") == get(OUT + "/y"),
          "a row of weight 0 changes nothing else")


# ---- Refusals ----

def test_refused():
    rows = table(5)
    data, none = put("five.csv", text(rows)), OUT + "/none"
    for count, lines in ((4, "1\n" * 4), (6, "1\n" * 6), (0, ""), (2, "1\n1")):
        for how in ("", "-e 1", "--online", "--folds 2", "-e 1 --classes a,b --features 4"):
            target = [] if "folds" in how else [none]
            refused(2, f"few has {count} lines, {data} 5 rows", "train", "-q", *how.split(), "--weights",
                    put("few", lines), data, *target)
    refused(2, "row 5, and ", "train", "-q", "--weights", put("few", "1\n" * 4), "-", none, stdin=text(rows).encode())
    for bad, says in (("-1", "the weight -1 is negative: 0 leaves the row out"), ("", "no weight here ('')"),
                      ("NA", "no weight here ('NA')"), ("nan", "no weight here"), ("inf", "the weight 'inf' is not a finite"),
                      ("1e99", "the weight '1e99' is not a finite"), ("x", "the weight 'x' is not a finite"),
                      ("1 2", "the weight '1 2' is not"), ("0x1", "the weight '0x1' is not")):
        for at in range(3):
            weights = ["1", "2", "1", "0", "1"]
            weights[at] = bad
            refused(2, f"bad:{at + 1}:1: {says}", "train", "--weights", put("bad", text(weights)), data, none)
            name = put("bad.csv", text(column(rows, weights)))
            place = len(",".join(rows[at].split(",")[:2])) + 2
            for how in ("", "-e 1", "--online", "--missing drop"):
                refused(2, f"bad.csv:{at + 1}:{place}: {says}", "train", "-q", "--weight-column", "3", *how.split(), name,
                        none)
    ones = put("ones", "1\n" * 5)
    refused(1, "--weights and --weight-column both", "train", "--weights", ones, "--weight-column", "3", data, none)
    refused(1, "--weights -: only rows", "train", "--weights", "-", data, none)
    refused(3, "no-such-file", "train", "--weights", OUT + "/no-such-file", data, none)
    refused(2, "no column 'w' of weights among 5 columns", "train", "--weight-column", "w", data, none)
    refused(2, "no column '6' of weights among 5 columns", "train", "--weight-column", "6", data, none)
    refused(2, "--weight-column 5: this is the label", "train", "--weight-column", "5", "--label", "5", data, none)
    refused(1, "--weight-column needs rows of CSV", "train", "--weight-column", "3", put("l", text(sparse(5))), none)
    for rule in ("absolute", "pa"):
        refused(1, "--weights needs -a arow, Winnow, or a --rule", "train", "--weights", ones, "--rule", rule, data, none)
        refused(1, "--weight-column needs", "train", "--weight-column", "3", "--rule", rule, data, none)
    refused(2, "no examples", "train", "--weights", put("zeros", "0\n" * 5), data, none)
    refused(1, "is not an option of predict", "predict", "--weight-column", "3", data, none)
    kept = put("kept", "1\n" * 5)
    status, out, err = run("train", "--weights", kept, data, kept)
    check(status == 1 and get(kept) == b"1\n" * 5, f"a file of weights as the model: {err}")


def test_measure():
    """Bound and proof are of steps of one size."""
    rows = put("or.csv", "a,b,y\n0,0,0\n0,1,1\n1,0,1\n1,1,1\n")
    words = "train", "-q", "-a", "perceptron", "--order", "file", "--measure", rows, OUT + "/x"
    check("Novikoff's bound:               27 updates" in must(*words), "without weights")
    out = must(*words[:-2], "--weights", put("or.w", "1\n2\n1\n1\n"), *words[-2:])
    check("bound:               27" not in out and "separable:                      yes" in out, f"with weights: {out}")
    xor = put("xor.csv", "a,b,y\n0,0,0\n0,1,1\n1,0,1\n1,1,0\n")
    words = *words[:-2], xor, OUT + "/x"
    check("proved inseparable" in must(*words), "xor without weights")
    out = must(*words[:-2], "--weights", put("xor.w", "0.1\n0.1\n0.1\n0.1\n"), *words[-2:])
    check("proved inseparable" not in out, f"sums of tenths are not exact: {out}")


test_reference()
test_labels()
test_ones()
test_next_to_nothing()
test_zeros()
test_zeros_elsewhere()
test_later()
test_online_answers()
test_refused()
test_measure()
finish()
