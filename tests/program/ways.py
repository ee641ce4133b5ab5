"""Every way gives the same model: rows that are read into memory or learned as they come, tables and libsvm text,
dense and sparse rows, pipes, threads, shards, folds, models that go on."""
import itertools
import json
import random

from cli import (OUT, as_table, check, digits_svm, fewer, finish, get, image, must, noisy, predictions, put, refused, report,
                 train)

LEARNERS = (["-a", "perceptron"], ["--rule", "pa1"], ["--rule", "absolute"], ["--rule", "fractional"], ["-a", "arow"],
            ["--normalize", "l2"], ["--normalize", "maxabs"], ["-a", "balanced-winnow", "--binarize"], ["-a", "voted"],
            ["-a", "kernel", "--gamma", "0.01"], ["-a", "kernel", "--kernel", "poly", "--normalize", "l2"],
            ["-a", "kernel", "--gamma", "0.01", "--budget", "20", "--policy", "projectron"])
OTHERS = (["--rule", "pa2"], ["--binarize"], ["--batch", "7"], ["-a", "perceptron", "--weight", "1=3"], ["-a", "winnow"],
          ["-a", "balanced-winnow", "--binarize", "--batch", "3"])


def test_one_epoch():
    """Learned while it is read: where labels are known beforehand the same model as of rows in memory; the same errors."""
    data = put("d", noisy(2000, 20, 5))
    first = train(data, "-e", "2", model="first")
    for options in ([], ["--batch", "7"], ["--rule", "pa1"]):
        more = image(train(data, "-e", "1", "--resume", first, *options, model="more"))
        check(more == image(train(data, "-e", "1", "--resume", first, *options, "--measure")), f"one epoch more {options}")
    shuffled = image(train(data, "-e", "1", "--order", "each"))
    check(shuffled == image(train("-", "-e", "1", "--order", "each", stdin=get(data))) and
          shuffled != image(train(data, "-e", "1")), "--order each still shuffles")
    check(image(train(data, "-e", "1", "--features", "90")) ==
          image(train("-", "-e", "1", "--features", "90", stdin=get(data))) == image(train(data, "--online", "--features", "90")),
          "more features than there are")
    for style in ("%d:1", "%d:0.5"):  # rows shorter and longer than a block, which has 65,536 values
        lines = ["+1 " + " ".join(style % i for i in range(1 + k, n + 1)) + "\n-1 1:1\n" * 3
                 for k, n in enumerate((5, 200000, 70000, 140000, 65536, 3))]
        data = put("d", "".join(lines) * 2)
        how = ("-e", "1", "--rows", "sparse", "--classes=-1,1")
        check(image(train(data, *how)) == image(train("-", "--order", "file", *how, stdin=get(data))), "rows longer than a block")
    for options, text in (([], "1 1:1 9:1 # 12:1\n2 3:1\n"), ([], "256 1:1\n0 2:1\n-256 3:1\n512 1:2\n"),
                          (["--zero-based"], "1 0:1 9:1\n-0 3:1\n"), (["--sort"], "1 9:1 1:1\n2 3:1\n"),
                          (["--word-labels"], "b 1:1 2:1\na 3:1\n"), ([], "+1 1:1 2:1 \t\r\n\t\n\n02 1:1 4:1"),
                          (["--format", "csv", "--sep", " "], "1 2:1 0\n1 1:1 1\n".replace(":", "")),
                          (["--label", "1"], "1,2,7\n0,5,4\n"), (["--sep", "5"], "152\n05 2:1\n")):
        check(image(train(put("d", text), "-e", "1", *options)) ==
              image(train("-", "-e", "1", *options, stdin=text.encode())), f"labels and features of {text}")
    refused(2, "limit of 8", "train", "-e", "1", "--max-dim", "8", put("d", "1 8:1\n2 9:1\n"), OUT + "/m")
    refused(2, "two classes are needed", "train", "-e", "1", put("d", "1 1:1\n"), OUT + "/m")
    refused(2, "winnow1 tells two", "train", "-e", "1", "-a", "winnow1",
            put("d", "1 1:1\n2 1:1\n3 1:1\n"), OUT + "/m")
    many = put("many", "1 1:1\n-1 2:1\n" * 100000)
    result = report(many, "-e", "1", test=many)
    check(result["rows"] == 200000 and result["test"]["errors"] == 0, "blocks full of short rows")
    check(predictions(many, OUT + "/m") == ["1", "-1"] * 100000, "and predicted")

    kept = get(train(put("d", "-1 1:1 2:0.5\n+1 1:-1 3:2\n")))
    overflow = "1 1:3e38\n-1 1:3e38\n1 1:3e38\n"
    known = ["-e", "1", "--classes=-1,1", "--features", "2"]
    model = OUT + "/m"
    for count in (10, 40000):  # in the first block, and behind it
        rows = "1 1:1 2:1\n-1 2:1\n" * (count // 2)
        for options in (["-e", "1"], known, ["--online"]):
            path = put("d", rows + overflow + "1 1:x\n")
            refused(2, f"standard input:{count + 1}: NaN, infinity", "train", "-q", *options, "-", model, stdin=get(path))
            path = put("d", rows + overflow)
            refused(2, f"{path}:{count + 1}: NaN, infinity", "train", "-q", *options, path, model)
            path = put("d", rows + "1 1:x\n" + overflow)
            refused(2, f"{path}:{count + 1}:5: 'x'", "train", "-q", *options, path, model)
        path = put("d", rows + "1 1:1 3:1\n" + overflow)
        refused(2, f"{path}:{count + 1}: 3 features, --features says 2", "train", "-q", *known, path, model)
        refused(2, f"{path}:{count + 2}: NaN, infinity", "train", "-q", "-e", "1", path, model)
        path = put("d", rows + "3 1:1\n" + overflow)
        refused(2, f"{path}:{count + 1}: label 3 is not one of the --classes", "train", "-q", *known, path, model)
        refused(2, f"{path}:{count + 1}: label 3 is one more than 2 labels", "train", "-q", "-e", "1", "--classes", "2", path,
                model)
        refused(2, f"{path}:{count + 2}: NaN, infinity", "train", "-q", "-e", "1", path, model)
        refused(2, "two classes are needed", "train", "-e", "1", put("d", "1 1:1\n" * count), model)
        refused(1, "--weight 7=2: no such label in the data", "train", "-e", "1", "--weight", "7=2", put("d", rows), model)
    refused(2, "standard input:2: NaN", "train", "-q", "-e", "1", "-", model, stdin=b"1 1:1\n1 1:-3e38\n-1 1:1\n")
    refused(2, ":2: label 3 is not one of the model's: --fixed", "train", "-q", "-e", "1", "--fixed", "--resume", model,
            put("d", "1 1:1\n3 1:1\n"), OUT + "/n")
    refused(2, ":2: index 4 is not one of the model's 3 features: --fixed", "train", "-q", "-e", "1", "--fixed",
            "--resume", model, put("d", "1 1:1\n1 4:1\n"), OUT + "/n")
    refused(1, "--classes 1,2: the model has labels; a number says how many", "train", "--resume", model, "--classes", "1,2",
            put("d", "1 1:1\n"), OUT + "/n")
    for empty in (["--resume", model, "-e", "1"], known):
        refused(2, "no examples", "train", "-q", *empty, put("d", "\n"), model)
    check(get(model) == kept, "one epoch: errors leave the old model")


def test_growth():
    """Labels and features may come behind the first block; where they are in ascending order, or listed, the model is that of
    rows in memory."""
    rows, wide = "1 1:1 2:1\n-1 2:1 3:1\n" * 20000, "1 1:1 640:2\n-1 2:1 641:1\n" * 20000
    table, numbers = "1,2,a\n3,4,b\n" * 20000, "1,2,5\n3,4,6\n" * 20000
    blocks = "".join(f"{k} {k}:1 7:1\n" * 12000 for k in (5, 2, 6, 4))
    for text, options in ((rows, []), (rows + "3 1:1\n", []), (rows + "1 4:1\n", []), (rows + "3 9:1\n" + rows, []),
                          (rows + "1 4:1\n", ["-a", "perceptron", "--normalize", "l2"]), (wide, []),
                          (wide + "1 660:1\n", []), (wide + "1 661:1\n", []), (wide + "1 662:1\n" + wide, []),
                          (wide + "1 660:1\n", ["--binarize"]), (wide + "3 661:1\n", ["--zero-based"]),
                          (wide + "1 661:1 # 700:1\n", []), (wide + "x 661:1\n", ["--word-labels"]), (blocks, []),
                          (blocks + "1 4:1\n", ["--sort"]), (table, []), (table + "5,6,c\n", []),
                          ("x,y,z\n" + table, []), (numbers + "7,8,9\n", ["--label", "1"])):
        labels = sorted({(line.split(",")[0 if "--label" in options else -1] if "," in line else line.split()[0])
                         for line in text.splitlines()[text[0] == "x" and "," in text:]}, key=lambda k: (len(k), k))
        given = [*options, "--classes=" + ",".join(labels), "--rows", "dense" if "," in text else "sparse"]
        collected = image(train("-", "-e", "1", "--order", "file", *given, stdin=text.encode()))
        for threads in "12":
            check(image(train(put("d", text), "-e", "1", "--threads", threads, *given)) == collected,
                  f"{text[-20:]} {options} {threads}")
        check(image(train(OUT + "/d", "-e", "1", *options)) == image(train("-", "-e", "1", *options, stdin=text.encode())),
              f"not listed: {text[-20:]} {options}")
    data = put("d", rows + "3 9:1\n")
    result = report(data, "-e", "1", test=data)
    check(result["rows"] == 40001 and len(result["epochs"]) == 1 and result["epochs"][0]["mistakes"] < 10, "counted once")


def scattered(rows, features, classes, seed, full=0.3):
    """Libsvm text with so many of the features in a row, but few in the first."""
    draw = random.Random(seed)
    lines = [f"0 1:0.25 {features}:-1.5"]
    for _ in range(rows - 1):
        x = {j: round(draw.gauss(0, 1), 3) for j in range(1, features + 1) if draw.random() < full}
        y = draw.randrange(classes) if draw.random() < 0.1 else int(sum(x.values()) * 2) % classes
        lines.append(f"{y}" + "".join(f" {j}:{v}" for j, v in x.items() if v))
    return "\n".join(lines) + "\n"


def test_forms():
    """The form of rows belongs to the model: whatever they are read from, they are learned and predicted in it."""
    for name, text, features, own in (("digits", get(digits_svm()).decode(), 64, "dense"),
                                      ("noisy", noisy(300, 40, 9), 40, "dense"),
                                      ("scattered", scattered(300, 50, 2, 10), 50, "sparse"),
                                      ("of 3", scattered(300, 50, 3, 11), 50, "sparse")):
        data, table = put("form", text), put("form.csv", as_table(text, features))
        beyond = put("beyond", text.replace("\n", " 901:3 16000000:1\n"))
        differ = 0
        for options in LEARNERS + (["-e", "1"], ["-e", "1", "--batch", "3"], ["--pocket", "-a", "perceptron"],
                                   ["--validate", "0.2"]):
            options, of, scores = options if "-e" in options else ["-e", "2", *options], {}, {}
            if name == "digits" and "perceptron" in options + ["projectron"] and "--budget" in options:
                continue
            for form in "dense", "sparse":
                model, other = (train(read, "--rows", form, *options, model=of) for read, of in
                                ((data, "form_model"), (table, "other_model")))
                of[form], what = image(model), f"{name}, {form}, {options}"
                check(of[form] == image(other), f"a table and libsvm text: {what}")
                scores[form] = predictions(data, model, "-s")
                for rows in table, beyond:
                    check(scores[form] == predictions(rows, model, "-s"), f"scores of {rows}: {what}")
                check(scores[form] == predictions(data, other, "-s"), f"by the table's model: {what}")
            own_form = "sparse" if "-e 1" in " ".join(options) else own  # that of a stream
            check(image(train(data, *options)) == of[own_form] and image(train(table, *options)) == of["dense"],
                  f"the form when none is asked for: {name} {options}")
            differ += scores["dense"] != scores["sparse"]
        check(differ > 5, f"the forms differ in the last bits: {name}")
    check_first_row()
    refused(1, "--rows cannot be given with --resume", "train", "--resume", model, "--rows", "dense", data, OUT + "/m")


def check_first_row():
    """Of libsvm text in memory it tells the form: whether half of the features have values there. A stream is sparse."""
    for first, later, form in (("1:1 2:1", "1:2 4:1", "dense"), ("1:1", "1:2 2:1 3:1 4:1", "sparse"), ("", "1:1", "sparse"),
                               ("1:0 2:0", "4:1", "dense"), ("4:1", "1:1", "sparse"), ("2:1", "1:1", "dense")):
        text = f"1 {first}\n" + f"2 {later}\n3 1:3\n" * 3
        for rows in (text, "# of three\n\n" + text):
            for how in (["--measure"], ["--order", "file"], ["-e", "2", "--order", "file"]):
                model = image(train(put("first", rows), "-e", "1", *how))
                check(model[12] & 8 == (8 if form == "sparse" else 0), f"'{first}' before '{later}': {form}")
            for how in ([], ["--online"], ["-t", put("first", rows)]):
                check(image(train(put("first", rows), "-e", "1", *how))[12] & 8 == 8, f"a stream of '{first}' is sparse")
    two = train(put("first", "1 1:1 2:1\n0 1:2 2:1\n"), "--binarize")
    check("rows=dense" in get(two).decode(errors="replace"), "a model remembers the form")
    words = train(put("first", "yes\tno\nno\tyes\n"), "--text")
    check("rows=sparse" in get(words).decode(errors="replace"), "words are sparse")


def learned(content):
    """An image, but without the numbers that rows of a kernel model have if they may come again, and the checksum."""
    content = bytearray(content[:-4])
    for slot in range(int.from_bytes(content[24:28], "little") if content[8] == 3 else 0):
        content[112 + 12 * slot:116 + 12 * slot] = bytes(4)
    return bytes(content)


def known_of(text):
    """What a stream has to be told."""
    labels = sorted({line.split()[0] for line in text.splitlines()}, key=int)
    return ["--classes=" + ",".join(labels), "--features",
            str(max(int(pair.split(":")[0]) for line in text.splitlines() for pair in line.split()[1:]))]


def test_paths():
    """Every way to read gives the same model, and every way to predict the same scores."""
    full = scattered(150, 40, 3, 24, 0.9).split("\n", 1)[1]  # without the first row
    for name, text, other in (("full", noisy(150, 40, 21), "sparse"), ("scattered", scattered(150, 50, 2, 22), "dense"),
                              ("full 3", full, "sparse"), ("scattered 3", scattered(150, 50, 3, 23), "dense")):
        known = known_of(text)
        for form, options in [*itertools.product(("auto", other), LEARNERS), *(("auto", options) for options in OTHERS)]:
            data, what, rows = put("path", text), f"{name}, {form}, {options}", ["--rows", form]
            kernel = "--gamma" in options or "voted" in options or "poly" in options
            how = [*options, *rows]
            models = ways(data, *how, *known, *(["--order", "file"] if kernel else [])) + [image(train(data, "-e", "1", "--order", "file", *how, *known))]
            models.append(image(train("-", "-e", "1", "--order", "file", *how, *known, stdin=text.encode())))
            check(len(set(models)) == 1, f"ways to read: {what} {[models[0] == m for m in models]}")
            how += ["--order", "file"]
            if "--batch" not in options:  # the half ends within a batch
                check_way_on(text, known, how, what)
            check_tested(data, how, what)
            if not kernel and "--batch" not in options:
                sharded = [train(data, "-e", "2", "--shards", "3", *how, *more, model=f"shards{k}") for k, more in
                           enumerate(([], ["--threads", "1"]))]
                check(len({image(model) for model in sharded}) == 1, f"shards: {what}")
            folds = [must("train", "--folds", "3", *how, read, stdin=text.encode()) for read in (data, "-")]
            check(folds[0] == folds[1], f"folds: {what}")


def check_way_on(text, known, how, what):
    """A model that goes on is the one that learned all at once, whatever the rows to come are read from."""
    lines = text.splitlines(keepends=True)
    half, features = len(lines) // 2, int(known[-1])
    rest = "".join(lines[half:])
    begun = train(put("half", "".join(lines[:half])), "-e", "1", *how, *known, model="begun")
    whole = image(train(put("path", text), "-e", "1", *how, *known))
    table, data = put("rest.csv", as_table(rest, features)), put("rest", rest)
    if "maxabs" in how:
        whole = image(train(data, "--resume", begun, "-e", "1"))
    models = [image(train(read, "--resume", begun, "-e", "1", *more, model="on")) for read in (data, table)
              for more in ([], ["--threads", "1"], ["--measure"], ["--batch", "1"])
              if not ({"voted", "kernel"} & set(how) and more[:1] in (["--measure"], ["--batch"]) or
                      "arow" in how and "--batch" in more)]
    models.append(image(train("-", "--resume", begun, "-e", "1", stdin=rest.encode())))
    check(set(map(learned, models)) == {learned(whole)}, f"--resume: {what} {[model == whole for model in models]}")


def check_tested(data, how, what):
    """The rows of --test are scored as predict scores them."""
    got = report(data, "-e", "2", *how, "--report", test=data)["report"]
    want = json.loads(must("predict", "--json", "--report", data, OUT + "/m"))["report"]
    piped = must("predict", "-q", "-s", "-", OUT + "/m", stdin=get(data))
    check(got == want, f"--test: {what} {got} {want}")
    check(piped == must("predict", "-q", "-s", "--threads", "1", data, OUT + "/m"), f"scores of a pipe: {what}")


def ways(data, *options):
    """Models of one epoch, however the rows come to be learned; --measure needs all of them in memory."""
    all_rows = [] if {"voted", "kernel"} & set(options) else [["--measure"]]
    twice = [["-t", data]] + [["--weight", "1=1"]] * (not {"absolute", "fractional", "--weight"} & set(options))
    models = [image(train(data, "-e", "1", *options, *how)) for how in
              (["--threads", "1"], ["--threads", "2"], *twice, *all_rows)]
    if not {"voted", "kernel", "winnow", "balanced-winnow", "--batch", "maxabs"} & set(options):
        models.append(image(train(data, "--online", *options)))
    return models + [image(train("-", "-e", "1", *options, stdin=get(data)))]

# ---- Going on ----

SPLIT = (["-a", "averaged"], ["-a", "perceptron", "--rule", "pa1"], ["-a", "arow"], ["-a", "arow", "--update", "one-vs-rest"],
         ["-a", "arow", "--r", "0.5", "--decision", "averaged"], ["-a", "winnow", "--eta", "0.3"], ["-a", "winnow", "--batch", "3"],
         ["--normalize", "maxabs"], ["--products", "all"], ["-B", "2"],
         ["-a", "balanced-winnow", "--binarize"], ["-a", "winnow"], ["-a", "voted"], ["-a", "kernel", "--gamma", "0.4"],
         ["-a", "kernel", "--kernel", "poly", "--degree", "2", "--decision", "averaged"],
         ["-a", "kernel", "--budget", "12", "--policy", "oldest"], ["-a", "kernel", "--budget", "12", "--policy", "random"],
         ["-a", "kernel", "--budget", "9", "--policy", "projectron"], ["-a", "kernel", "--budget", "9"], ["--batch", "7"],
         ["-a", "kernel", "--budget", "9", "--policy", "forgetron"], ["-a", "kernel", "--kernel", "poly", "-B", "1"],
         ["-a", "winnow2", "--binarize", "--margin", "1"], ["-a", "balanced-winnow", "--binarize", "--alpha", "1.5"],
         ["--batch", "all"], ["--shards", "2"], ["--shards", "5", "-a", "arow"])
ORDERS = ("each", "once", "file", "draw")


def test_splits():
    """Some epochs and then some more are all of them at once, bit for bit: each learner a few times, with orders and splits that
    are drawn."""
    draw = random.Random(39)
    for k in range(fewer(50, 1000, "splits of epochs")):
        learner, order = SPLIT[k % len(SPLIT)], draw.choice(ORDERS)
        columns, classes = draw.randint(1, 4), "ab" if "forgetron" in learner else draw.choice("ab abc".split())
        rows = "".join(",".join(f"{draw.uniform(-3, 3):.3f}" for _ in range(columns)) + f",{draw.choice(classes)}\n"
                       for _ in range(30))
        data = put("split.csv", ",".join("wxyz"[:columns]) + ",label\n" + rows)
        first, then = draw.randint(1, 4), draw.randint(1, 4)
        how = [*learner, "--order", order]
        part = train(data, "-e", str(first), *how, model="split")
        check(image(train(data, "-e", str(then), "--resume", part, model="rest")) ==
              image(train(data, "-e", str(first + then), *how, model="all")), f"{first} + {then} epochs, {how}, seed {k}")


for test in (test_one_epoch, test_growth, test_forms, test_paths, test_splits):
    test()
finish()
