"""What train does when nobody says: how rows are prepared, by what rule and learner; beside plain Python. And --textbook."""
import json
import math
import os
import random
import re

from cli import DIGITS, OUT, check, finish, get, must, predictions, put, refused, run, skip, train

draw = random.Random(11)
FIRST = ("-a", "perceptron", "--rule", "fixed", "--order", "file", "--trace", "-e", "1")


def learned_rows(data, *options, **more):
    """The rows as the learner meets them: {feature: value} each, by --trace."""
    out = must("train", "-q", "--json", *FIRST, *options, data, OUT + "/traced", plain=False, **more)
    steps = [step for step in map(json.loads, out.splitlines()) if "x" in step]
    for step in steps:  # few features are all printed, with zeros
        if isinstance(step["x"], dict) and "--text" in options or "--text-column" in options:
            step["x"] = {f: v for f, v in step["x"].items() if v}
    return steps


def options_of(model):
    return json.loads(must("show", "--json", model))["options"]


def by_default(data, *options, model="m", **more):
    return train(data, *options, model=model, plain=False, **more)


# ---- Tables ----

def robust(values):
    """Mean and standard deviation, values beyond 5 of these counted as that, until the latter stays."""
    m = sum(values) / len(values)
    s = math.sqrt(sum((v - m) ** 2 for v in values) / len(values))
    ordered = sorted(values)
    if ordered[len(values) // 10] == ordered[len(values) - 1 - len(values) // 10]:
        return m, s
    if max(abs(v - m) for v in values) <= 5 * s:
        return m, s
    for _ in range(30):
        cut = [min(max(v, m - 5 * s), m + 5 * s) for v in values]
        m, before = sum(cut) / len(cut), s
        s = math.sqrt(sum((v - m) ** 2 for v in cut) / len(cut))
        if abs(s - before) < before / 100:
            break
    return m, s


def columns_table(rows):
    """Columns of unlike size, a constant one, a wild value, one that is mostly 0, a text, gaps."""
    lines = []
    for k in range(rows):
        y = draw.randrange(2)
        fields = [draw.gauss(y, 1), 1e6 * draw.gauss(y, 1) + 3e6, 7, draw.expovariate(1) if k != 17 else 1e5,
                  draw.randrange(9) if draw.random() < 0.05 else 0, draw.choice(("red", "green"))]
        lines.append([f"{v:.6g}" if not isinstance(v, str) else v for v in fields] + ["ny"[y]])
    return lines


def test_standard():
    lines = columns_table(200)
    plain = [line[:5] + line[6:] for line in lines]
    for rows, name in ((plain, "numbers"), (lines, "with a text")):
        numbers = [list(map(float, row[:5])) for row in rows]
        moments = [robust([row[j] for row in numbers]) for j in range(5)]
        data = put("t.csv", "".join(",".join(row) + "\n" for row in rows))
        got = learned_rows(data)
        check(len(got) == 200, f"{name}: {len(got)} rows")
        worst = 0
        for row, step in zip(numbers, got):
            x = step["x"]
            for j, (m, s) in enumerate(moments):
                want = 0 if s <= abs(m) / 2 ** 20 else max(-64, min(64, (row[j] - m) / s))
                worst = max(worst, abs(value(x, j) - want))
            if name != "numbers":
                check(set(values_behind(x, 5)) <= {0, 1}, f"{name}: a text has the value 1: {x}")
        check(worst < 2e-5, f"{name}: rows differ by {worst}")
    check(options_of(by_default(put("t.csv", "".join(",".join(row) + "\n" for row in plain))))["normalize"] == "standard",
          "the model says standard")


def test_standard_goes_on():
    """A model that goes on in a stream counts on from its own rows; else m and s stay. show has w / s and b - m w / s."""
    values = [draw.uniform(0, 4) for _ in range(60)]
    first, then = (put(name, "".join(f"{v!r},{'ny'[v < 2]}\n" for v in part))
                   for name, part in (("first.csv", values[:40]), ("then.csv", values[15:])))
    for how, counted in ("-e 1 --order file", values[:40] + values[15:]), ("-e 1", values[:40]), ("-e 2", values[:40]):
        model = by_default(then, "--resume", by_default(first, model="half"), *how.split())
        shown = json.loads(must("show", "--json", model))
        (one,) = (weights := shown["weights"][0])["for"] + weights["against"]
        got = (weights["bias"] - weights["bias_per_unit"]) / one["per_unit"], one["weight"] / one["per_unit"]
        m, s = robust(counted)
        check(math.dist(got, (m, s)) < 1e-4, f"{how}: mean and deviation are {got}, not {m}, {s}")


def value(x, j):
    return x[j] if isinstance(x, list) else x.get(str(j + 1), x.get(list(x)[j] if j < len(x) else "", 0))


def values_behind(x, n):
    return (x[n:] if isinstance(x, list) else list(x.values())[n:])


def test_gaps():
    """A gap is an error until --missing is given; with mean it is the mean, 0."""
    data = put("g.csv", "a,b,y\n1,10,n\n2,NA,y\n3,30,n\n4,50,y\n")
    refused(2, "--missing zero, mean or drop", "train", "--header", data, OUT + "/m", plain=False)
    got = learned_rows(data, "--header", "--missing", "mean")
    check(value(got[1]["x"], 1) == 0, f"a gap is the mean: {got[1]}")
    model = by_default(data, "--header", "--missing", "mean")
    score = lambda text: must("predict", "-q", "-s", "--no-header", put("p.csv", text), model).split()[1]
    check(score("a,b\n2,NA\n") == score("a,b\n2,30\n") == score("a\n2\n"), "predicted, too, and where the column is missing")
    rows = "".join(f"{1e5 + draw.gauss(0, 10):.1f},{v:.2f},{'ny'[v > 0]}\n" for v in (draw.gauss(0, 1) for _ in range(50)))
    model = by_default(put("far.csv", "far,b,y\n" + rows), "--header", "--missing", "drop")
    check(score("far,b\nNA,2\n") == score("b\n2\n"), "of a model that drops rows a gap is the mean when it is predicted")
    model = by_default(OUT + "/far.csv", "--header", "--missing", "zero")
    check(score("far,b\nNA,2\n") == score("far,b\n0,2\n") == score("b\n2\n"), "zero is a value of 0, missing column or not")
    refused(2, "all 3 rows have missing values: --ignore", "train", "--missing", "drop",
            put("all.csv", "1,,n\n2,,y\n3,,n\n"), OUT + "/m", plain=False)
    refused(2, "no value here", "predict", put("p.csv", "a,b\n2,NA\n"), by_default(put("h.csv", "a,b,y\n1,10,n\n2,9,y\n"), "--header"))


def test_auto():
    """What is scaled, and what not."""
    full = "".join(f"{k % 2} 1:{k} 2:{k % 3 + 1} 3:{k % 5 + 1}\n" for k in range(1, 20))
    thin = "".join(f"{k % 2} {k % 7 + 1}:{k} {k % 3 + 8}:1\n" for k in range(1, 40))
    table = "a,b,y\n" + "".join(f"{k},{k % 3},{'ny'[k % 2]}\n" for k in range(20))
    for name, text, options, want in (
            ("full", full, (), "standard"), ("thin", thin, (), "none"), ("full", full, ("-e", "1"), "none"),
            ("full", full, ("--online",), "none"), ("full", full, ("--rows", "sparse"), "none"),
            ("t.csv", table, (), "standard"), ("t.csv", table, ("-a", "winnow"), "none"),
            ("t.csv", table, ("-a", "kernel"), "standard"), ("t.csv", table, ("-a", "voted"), "standard"),
            ("t.csv", table, ("-a", "arow"), "standard"), ("t.csv", table, ("--binarize",), "none"),
            ("t.csv", table, ("--products", "a*b"), "maxabs"), ("t.csv", table, ("--products", "a*b", "-e", "1"), "none"),
            ("t.csv", table, ("-e", "1"), "standard"), ("t.csv", table, ("--online",), "standard"),
            ("t.csv", table, ("--normalize", "l2"), "l2"), ("t.csv", table, ("--normalize", "standard-l2"), "standard-l2"),
            ("t.csv", table, ("--normalize", "none"), "none"), ("t.csv", table, ("--textbook",), "none")):
        names = ("--header",) if name == "t.csv" else ()
        check(options_of(by_default(put(name, text), *names, *options))["normalize"] == want, f"{name} {options}: {want}")
    half = "1 1:1 2:1 4:1\n0 3:1\n1 1:2 2:3 3:4 4:5\n"  # 8 of 12 values; without the last, 4 of 8; without one more, 3 of 8
    for text, want in ((half, "standard"), (half[:half.index("1 1:2")], "standard"),
                       ("1 1:1 4:1\n0 3:1\n", "none")):
        check(options_of(by_default(put("half", text)))["normalize"] == want, f"{text!r}: {want}")


# ---- Texts ----

TEXTS = ["ham\tsee you at the talk talk talk", "spam\twin win cash now", "ham\tthe talk is at one", "spam\tcash prize now now",
         "ham\tyou see", "spam\tyou win the prize"]


def weighed(lines, seen=None):
    """tf-idf: (1 + ln count) (ln((1 + N) / (1 + df)) + 1), then length 1. seen: frequencies are those of the rows up to
    each one, otherwise those of all."""
    texts = [re.findall(r"[a-z]+", line.split("\t")[1]) for line in lines]
    rows = []
    for k, words in enumerate(texts):
        among = texts[:k + 1] if seen else texts
        df = {w: sum(w in other for other in among) for w in words}
        v = {w: (1 + math.log(words.count(w))) * (math.log((1 + len(among)) / (1 + df[w])) + 1) for w in words}
        length = math.sqrt(sum(x * x for x in v.values()))
        rows.append({w: x / length for w, x in v.items()})
    return rows


def test_tfidf():
    data = put("texts", "\n".join(TEXTS) + "\n")
    for step, want in zip(learned_rows(data, "--text"), weighed(TEXTS)):
        x = step["x"]
        check(len(x) == len(want) and all(abs(x[w] - want[w]) < 1e-5 for w in want), f"{x}, expected {want}")
    table = put("mixed.csv", "size,note,y\n" + "".join(f"{k},{line.split(chr(9))[1]},{line.split(chr(9))[0]}\n"
                                                       for k, line in enumerate(TEXTS)))
    got = learned_rows(table, "--text-column", "note")
    m, s = robust(list(range(6)))
    for k, (step, want) in enumerate(zip(got, weighed(TEXTS))):
        x = dict(step["x"])
        check(abs(x.pop("size", 0) - (k - m) / s) < 1e-5 and len(x) == len(want) and
              all(abs(x["note:" + w] - want[w]) < 1e-5 for w in want), f"numbers beside words: {step['x']}")
    model = by_default(data, "--text")
    score = lambda text: must("predict", "-q", "-s", "--no-header", "-", model, stdin=text.encode()).split()[1]
    check(score("win cash\n") == score("win cash unheard-of\n"), "unknown words are left out, of the length, too")
    check(score("win win cash\n") != score("win cash\n"), "counts count")
    for words, want in (("binary", {1}), ("counts", {1, 2, 3})):
        values = {v for step in learned_rows(data, "--text", "--words", words) for v in step["x"].values()}
        check(values == want, f"--words {words}: {values}")
    log = learned_rows(data, "--text", "--words", "log")[0]["x"]
    length = math.sqrt(4 * math.log(2) ** 2 + math.log(4) ** 2)
    check(abs(log["talk"] - math.log(4) / length) < 1e-5 and abs(log["see"] - math.log(2) / length) < 1e-5, f"log: {log}")
    hashed = learned_rows(data, "--text", "--hash", "12")
    check(all(abs(a - b) < 1e-5 for a, b in zip(sorted(hashed[1]["x"].values()), sorted(weighed(TEXTS)[1].values()))), "hashed")


# ---- Streams ----

def flips(kind, rows=10000):
    """40 features; from row 5,000 on 8 of their weights, or all, change sign."""
    w = [draw.gauss(0, 1) for _ in range(40)]
    lines = []
    for k in range(rows):
        if k == rows // 2:
            w = [-v if kind == "total" or j < 8 else v for j, v in enumerate(w)]
        x = [draw.gauss(0, 1) for _ in w]
        lines.append(",".join(f"{v:.4f}" for v in x) + "," + "ny"[sum(a * b for a, b in zip(w, x)) > 0])
    return lines


def test_streams():
    data = put("texts", "\n".join(TEXTS) + "\n")
    for words, learner in ((("--online", "--text"), "arow"), (("-e", "1", "--text"), "arow"), (("-e", "1"), "averaged"),
                           (("--online",), "arow"), (("--online", "-a", "averaged"), "averaged")):
        rows = data if "--text" in words else put("n.csv", "1,n\n2,y\n4,n\n")
        model = by_default(rows, *words)
        said = options_of(model)
        check(json.loads(must("show", "--json", model))["algorithm"] == learner, f"{words}: {learner}")
        check(said.get("decision") in (None, "averaged"), f"{words}: the mean predicts: {said}")
        check(said.get("regrow", 0) == (0.003 if "--online" in words and learner == "arow" else 0), f"{words}: {said}")
        check(bool(said.get("follow")) == ("--online" in words), f"{words}: follows: {said}")
        if learner == "arow":
            check(said["r"] == (0.1 if "--text" in words else 1), f"{words}: {said}")
    for kind in "mild", "total":
        lines = flips(kind)
        data = put("flips.csv", "\n".join(lines) + "\n")
        must("train", "-q", "--online", "--predict", OUT + "/said", data, OUT + "/m", plain=False)
        said = get(OUT + "/said").decode().split("\n")
        late = sum(line[-1] != word for line, word in list(zip(lines, said))[7500:]) / 2500
        check(late <= 0.05, f"{kind} flips: {100 * late:.1f} % wrong from 2,500 rows behind on")
    err = run("train", "--online", "-a", "averaged", "--textbook", "--predict", OUT + "/said", data, OUT + "/m")[2]
    check("advice: the mean of the weights was wrong" in err and "--follow" in err, f"the target changes: {err}")
    for more in ("--follow",), ("-a", "perceptron"), ("-q",):
        check("--follow begins" not in run("train", "--online", "-a", "averaged", "--textbook", *more, "--predict", OUT + "/said",
                                           data, OUT + "/m")[2], f"{more}: no advice")
    for options, text in ((("--text",), "\n".join(TEXTS * 30)), ((), "\n".join(lines[:300]))):
        rows = text.split("\n")
        whole = by_default(put("whole", text + "\n"), "--online", *options, model="whole.m")
        for cut in (1, 2, len(rows) // 2, len(rows) - 1):
            part = by_default(put("part", "\n".join(rows[:cut]) + "\n"), "--online", *options, model="part.m")
            on = by_default(put("rest", "\n".join(rows[cut:]) + "\n"), "--online", "--resume", part, model="on.m")
            check(get(on) == get(whole), f"{options}: cut after {cut} rows, the same bytes")


def test_running_frequencies():
    """The first row of a stream is weighed by itself, all that come by what was before: scores of the mean of AROW."""
    data = put("texts", "\n".join(TEXTS) + "\n")
    model = by_default(data, "-e", "1", "--text", "-a", "perceptron", "--rule", "fixed", "-B", "0")
    rows, w = weighed(TEXTS, True), {}
    for line, x in zip(TEXTS, rows):
        y = 1 if line.startswith("spam") else -1
        if y * sum(w.get(word, 0) * v for word, v in x.items()) <= 0:
            for word, v in x.items():
                w[word] = w.get(word, 0) + y * v
    got = {f: float(v) for f, v in re.findall(r"^([a-z]+),(?:ham|spam),(.*)$", must("show", "--csv", model), re.M)}
    check(set(got) >= set(w) and all(abs(got[word] - w[word]) < 1e-5 for word in w), f"weights {got}, expected {w}")


# ---- Textbook ----

def test_textbook():
    old = "-a perceptron --rule fixed --normalize none --words binary --marks no --order file --stop clean".split()
    for data, more in ((DIGITS, ()), (put("texts", "\n".join(TEXTS) + "\n"), ("--text",))):
        words = old if more else [w for w in old if w not in ("--words", "binary", "--marks", "no")]
        check(get(by_default(data, "--textbook", *more, model="one")) == get(by_default(data, *words, *more, model="two")),
              f"--textbook {more}: what it stands for")
    averaged = by_default(DIGITS, "-a", "averaged", "--textbook", model="one")
    check(json.loads(must("show", "--json", averaged))["algorithm"] == "averaged", "options named before it override, too")
    refused(1, "--textbook cannot be given with --resume", "train", "--textbook", "--resume", averaged, DIGITS, OUT + "/m",
            plain=False)
    said = options_of(by_default(DIGITS, "--resume", averaged, "-e", "2", model="on"))
    check((said["rule"], said["normalize"]) == ("fixed", "none"), f"by its own rule, on its own rows: {said}")


def test_said():
    """One sentence of the summary says what was done to the rows; JSON has it, too."""
    data = put("texts", "\n".join(TEXTS) + "\n")
    for words, want, names in (((DIGITS,), "columns of numbers have mean 0 and deviation 1 (--normalize standard)", ("standard", None)),
                               (("--text", data), "words are weighted, those of a row have length 1 (--words tfidf)", ("none", "tfidf")),
                               (("--normalize", "maxabs", DIGITS), "divided by its greatest value", ("maxabs", None)),
                               (("--textbook", DIGITS), None, ("none", None))):
        err = run("train", *words, OUT + "/m", plain=False)[2]
        check(want in err if want else "(--normalize" not in err, f"{words}: {err}")
        got = json.loads(must("train", "--json", "-q", *words, OUT + "/m", plain=False))
        check((got["normalize"], got.get("words")) == names, f"{words}: {got['normalize']} {got.get('words')}")


def test_resume():
    """Means and frequencies of a model that goes on stay; new words are in none of the rows before."""
    for options, data, more in (((), DIGITS, DIGITS), (("--text",), put("texts", "\n".join(TEXTS) + "\n"), OUT + "/texts")):
        whole = by_default(data, "-e", "4", *options, model="whole")
        half = by_default(data, "-e", "2", *options, model="half")
        on = by_default(more, "--resume", half, "-e", "2", model="on")
        check(get(on) == get(whole), f"{options}: 2 epochs and 2 more are 4")
    on = by_default(put("new", "ham\tbitcoin rises\nspam\twin bitcoin\n"), "--resume", half, "-e", "3", model="on")
    check(predictions(put("new", "ham\tbitcoin rises\n"), on) == ["ham"], "new words are learned")


def test_weights():
    """With weights of rows or labels AROW learns where no rule is named: a step of pa1 has no need of its limit."""
    data = put("w.csv", "".join(f"{draw.gauss(k % 4 == 0, 1):.3f},{'ba'[k % 4 == 0]}\n" for k in range(400)))
    model = by_default(data, "--weight", "balanced")
    check(json.loads(must("show", "--json", model))["algorithm"] == "arow", "--weight balanced")
    found = [predictions(data, by_default(data, *options)).count("a") for options in ((), ("--weight", "balanced"))]
    check(found[1] > 1.5 * found[0], f"the rare label is predicted more often: {found}")
    check(json.loads(must("show", "--json", by_default(data, "--weight", "balanced", "--rule", "fixed")))["algorithm"] ==
          "averaged", "not where a rule is named")


# ---- Refused ----

def test_refused():
    texts, thin = put("texts", "\n".join(TEXTS) + "\n"), put("thin", "1 1:1 9:2\n0 3:1\n1 4:1\n")
    refused(1, "--normalize standard scales columns of numbers", "train", "--normalize", "standard", "--text", texts,
            OUT + "/m", plain=False)
    refused(1, "--features says how many", "train", "--online", "--normalize", "standard", thin, OUT + "/m", plain=False)
    refused(1, "leave --rows sparse out", "train", "--normalize", "standard", "--rows", "sparse", thin, OUT + "/m",
            plain=False)
    refused(2, "beyond 2^53", "train", put("far.csv", "1,a\n2,b\n1e17,a\n"), OUT + "/m", plain=False)
    refused(2, "far.csv:3: ", "train", "--online", put("far.csv", "1,a\n2,b\n1e17,a\n"), OUT + "/m", plain=False)
    refused(1, "--words needs --text", "train", "--words", "tfidf", thin, OUT + "/m", plain=False)
    refused(1, "--regrow needs -a arow", "train", "--regrow", "0.1", "-a", "averaged", thin, OUT + "/m", plain=False)
    refused(1, "--follow needs weights whose mean decides", "train", "--follow", "-a", "perceptron", thin, OUT + "/m",
            plain=False)
    model = by_default(put("t.csv", "a,b,kind,y\n1,2,red,n\n3,1,blue,y\n2,2,red,n\n"), "--header")
    refused(2, "scales 2 columns, which such rows lack", "predict", "--format", "libsvm", put("row", "1 1:3\n"), model)
    wild = put("wild.csv", "".join(f"{draw.gauss(k % 2, 0.1) if k != 5 else 1e4:.4f},{k % 2}\n" for k in range(100)))
    check(json.loads(must("predict", "--json", wild, by_default(wild)))["accuracy"] > 0.95, "one wild value spoils nothing")
    plain = by_default(put("s.svm", "".join(f"{k % 2} 1:{k} 2:{k % 3 + 1}\n" for k in range(1, 30))), "--online",
                       "--normalize", "standard", "--features", "2")
    check(options_of(plain)["normalize"] == "standard", "named, with --features, libsvm text is scaled as it comes")
    refused(2, "for which --normalize has no scale", "train", "--online", "--resume", plain, put("s", "1 3:1\n0 1:1\n"),
            OUT + "/m", plain=False)


# ---- Larger data ----

def test_data():
    """Percent wrong as measured when the defaults were chosen, and half a point."""
    folder = os.environ.get("PCN_DATA")
    if not folder or not os.path.exists(folder + "/shuttle.train.svm"):
        skip("larger data: PCN_DATA names no folder that has them")
        return
    for name, most in (("shuttle", 2.5), ("vehicle", 22.9), ("letter", 23.5), ("sms", 1.5), ("rcv1small", 12.7), ("spam", 6.8),
                       ("agaricus", 0.1)):
        model = by_default(f"{folder}/{name}.train.svm")
        wrong = 100 * (1 - json.loads(must("predict", "--json", f"{folder}/{name}.test.svm", model))["accuracy"])
        check(wrong <= most + 0.5, f"{name}: {wrong:.2f} % wrong, at most {most} wanted")


test_standard()
test_standard_goes_on()
test_gaps()
test_auto()
test_tfidf()
test_streams()
test_running_frequencies()
test_textbook()
test_said()
test_resume()
test_weights()
test_refused()
test_data()
finish()
