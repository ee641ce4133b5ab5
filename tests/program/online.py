"""Online learning: labels and features appear while it learns, the same however rows are cut into runs; two classes
become three as a reference has them; a line in gives a line out; what --resume takes, and what --fixed refuses."""
import json
import random
import resource
import select
import shutil
import subprocess

from cli import OUT, PROGRAM, check, finish, get, must, plainly, put, refused, run, skip, train

draw = random.Random(5)


# ---- Rows ----

def messages(count, labels=("ham", "spam", "news"), first=2):
    """Lines of texts; only `first` of the labels come in the first half, and later words are mostly new."""
    lines = []
    for k in range(count):
        label = draw.choice(labels[:first] if 2 * k < count else labels)
        words = [f"{label[0] if draw.random() < 0.7 else 'x'}{draw.randrange(3 + k // 2)}" for _ in range(6)]
        lines.append(f"{label}\t{' '.join(words)}")
    return lines


def sparse(count, classes=4):
    """libsvm lines with small integers, so that sums are exact; indices grow, labels come one by one."""
    lines = []
    for k in range(count):
        label = draw.randrange(min(classes, 1 + k // 6))
        some = sorted(draw.sample(range(1, 8 + k // 2), 4))
        lines.append(f"{7 - label} " + " ".join(f"{j}:{draw.choice((-2, -1, 1, 2, label + 1))}" for j in some))
    return lines


def table(count, texts=True):
    lines = []
    for k in range(count):
        label = draw.choice(("no", "yes", "maybe")[:2 + (k > count // 2)])
        colour = draw.choice(("red", "blue", f"tone{k // 4}")) if texts else draw.randrange(9)
        lines.append(f"{colour},{draw.gauss(label == 'yes', 1):.2f},{label}")
    return lines


def text(lines):
    return "\n".join(lines) + "\n"


def online(lines, *options, model="m", header=(), resume=None):
    going_on = ("--resume", resume) if resume else ()
    return train(put(f"rows {model}", text([*header, *lines])), "--online", *going_on, *options, model=model)


# ---- Cuts ----

KINDS = {"text": (messages(90), ("--text",), ()), "ngrams": (messages(60), ("--text", "--ngrams", "2"), ()),
         "hash": (messages(60), ("--text", "--hash", "6"), ()), "libsvm": (sparse(90), (), ()),
         "dense": (sparse(60), ("--rows", "dense"), ()),
         "table": (table(80), ("--sort",) * 0, ("colour,size,kind",)), "numbers": (table(80, False), (), ()),
         "named": (table(80, False), (), ("colour,size,kind",))}
LEARNERS = ("-a averaged", "-a perceptron", "-a arow", "-a arow --decision averaged --normalize l2", "--rule pa1 --margin 0.5",
            "--update others --weight spam=2 --weight 5=3", "-a perceptron --update one-vs-rest -B 0",
            "--zero-class negative", "--binarize --zero-update predicted")


def test_cuts():
    for kind, (lines, options, header) in KINDS.items():
        for learner in LEARNERS:
            words = (*options, *learner.split())
            again = [w for w in words if w in ("--weight", "spam=2", "5=3")]  # each file is read with what M remembers
            whole = get(online(lines, *words, header=header, model="whole"))
            for cuts in ([1], [2], [7, 8, 9], [len(lines) // 2], sorted(draw.sample(range(1, len(lines)), 5))):
                at, part = 0, None
                for k, end in enumerate([*cuts, len(lines)]):
                    part = online(lines[at:end], *(words if k == 0 else ()), header=header, model=f"part{k % 2}",
                                  resume=part)
                    at = end
                check(get(part) == whole, f"{kind} {learner} cut at {cuts} {again}")


# ---- What it learns ----

class TwoClasses:
    """Rosenblatt's rule for classes from the start, in Python: K weight vectors, the lowest of equal scores."""

    def __init__(self):
        self.labels, self.w, self.mistakes = [], [{}, {}], 0

    def learn(self, label, x):
        if label not in self.labels:
            self.labels.append(label)
            if len(self.labels) > 2:
                self.w.append({})
            elif len(self.labels) == 2 and self.labels[0] > label:  # two have the order of their labels
                self.labels.reverse()
                self.w.reverse()
        scores = [sum(w.get(j, 0) * v for j, v in x.items()) for w in self.w]
        true = self.labels.index(label)
        rivals = [s for k, s in enumerate(scores) if k != true]
        if scores[true] > max(rivals):
            return
        best = max((k for k in range(len(scores)) if k != true), key=lambda k: (scores[k], -k))
        for j, v in x.items():
            self.w[true][j] = self.w[true].get(j, 0) + v
            self.w[best][j] = self.w[best].get(j, 0) - v


def weights_of(model):
    """{(feature, label): weight}"""
    lines = must("show", "--csv", model).splitlines()[1:]
    return {tuple(line.rsplit(",", 1)[0].split(",")): float(line.rsplit(",", 1)[1]) for line in lines}


def test_third_label():
    lines, whole = sparse(120), TwoClasses()
    for k, line in enumerate(lines):
        label, *pairs = line.split()
        row = {p.split(":")[0]: int(p.split(":")[1]) for p in pairs}
        whole.learn(label, row | {"(bias)": 1})
        if k in (5, 11, 13, 30, 119):
            mine = weights_of(online(lines[:k + 1], "-a", "perceptron", model="exact"))
            theirs = {(j, label): w for label, ws in zip(whole.labels, whole.w) for j, w in ws.items()}
            if len(whole.labels) == 2:
                theirs = {at: w for at, w in theirs.items() if at[1] == max(whole.labels)}
            if len(whole.labels) == 1:
                continue
            wrong = {at for at in mine.keys() | theirs.keys() if mine.get(at, 0) != theirs.get(at, 0)}
            check(mine and not wrong, f"row {k + 1}, {len(whole.labels)} labels: {sorted(wrong)[:5]}")


def test_order_of_labels():
    shown = json.loads(must("show", "--json", online(["b\tx", "a\ty", "c\tz"], "--text")))
    check(shown["labels"] == ["a", "b", "c"], f"shown by label: {shown['labels']}")
    two = online(["b\tx", "a\ty"], "--text", "-a", "perceptron", model="two")
    check(must("predict", "-s", "-", two, stdin=b"x\ny\n").split("\n")[0] == "label b", "the greater is positive")
    check(must("predict", "-q", "-", two, stdin=b"x\ny\n") == "b\na\n", "what was learned for b changes its sign")
    given = online(["b\tx", "a\ty"], "--text", "--classes", "a,b,c", model="given")
    check(json.loads(must("show", "--json", given))["labels"] == ["a", "b", "c"], "--classes lists them beforehand")
    one = online(["b\tx", "b\ty"], "--text", model="one")
    check(must("predict", "-q", "-", one, stdin=b"x\nz\n") == "b\nb\n", "one label is all that it can say")
    check("none yet" in must("show", one), "show")
    refused(2, "one label only", "export", one, OUT + "/e")


# ---- Before learning ----

def test_progressive():
    """Each prediction is that of a model of the rows before; averaged models predict by their mean."""
    compared = 0
    for kind, (lines, options, header) in KINDS.items():
        for learner in ("-a averaged", "-a perceptron", "-a arow --decision averaged"):
            words = (*options, *learner.split())
            rows = lines[:40]
            status, out, said = run("train", "--online", "--json", "--predict", OUT + "/answers", *words,
                                   put("p", text([*header, *rows])), OUT + "/m")
            answers = get(OUT + "/answers").decode().split("\n")[:-1]
            check(status == 0 and len(answers) == len(rows) and answers[0] == "", f"{kind} {learner}: {said}")
            if "\t" in rows[0]:
                label_of = lambda row: row.split("\t")[0]
            elif "," in rows[0]:
                label_of = lambda row: row.split(",")[-1]
            else:
                label_of = lambda row: row.split()[0]
            for k in (1, 2, 5, 11, 25, 39):
                before = online(rows[:k], *words, header=header, model="before")
                status, says, err = run("predict", "-q", put("row", text([*header, rows[k]])), before)
                if status:
                    check("no value is of a feature that" in err, err)
                    continue
                says, compared = says.strip(), compared + 1
                check(answers[k] == says, f"{kind} {learner}: row {k + 1}: {answers[k]}, predict says {says}")
            errors = sum(answer != label_of(row) for answer, row in zip(answers, rows))
            found = json.loads(out)["progressive"]
            check(found == {"errors": errors, "accuracy": found["accuracy"]} and
                  abs(found["accuracy"] - (1 - errors / 40)) < 1e-6, f"{found}: {errors} errors")
            said = run("train", "--online", "--predict", OUT + "/answers", *words, OUT + "/p", OUT + "/m")[2]
            check(f"predicted before they were learned: {errors} of 40 wrong" in said, f"summary: {said}")
    check(compared > 100, f"{compared} predictions were compared")
    rows = [f"{k % 3},{k % 5},{'ab'[k * k % 7 % 2]}" for k in range(30)]  # a model that stores them
    must("train", "-q", "--online", "-a", "kernel", "--gamma", "1", "--predict", OUT + "/answers", put("p", text(rows)), OUT + "/m")
    for k in 5, 29:
        before = online(rows[:k], "-a", "kernel", "--gamma", "1", model="before")
        check(get(OUT + "/answers").decode().split("\n")[k] == must("predict", "-q", put("row", rows[k] + "\n"), before).strip(),
              f"kernel: row {k + 1}")


def test_said():
    out = json.loads(must("train", "--online", "--json", "-q", "--text", put("a", "x\ta b\ny\tc\n"), OUT + "/m"))
    check(out["new_labels"] == 2 and out["new_features"] == 3 and out["rows"] == 2, f"json: {out}")
    out = json.loads(must("train", "--online", "--json", "-q", "--resume", OUT + "/m", put("b", "z\ta d\n"), OUT + "/n"))
    check(out["new_labels"] == 1 and out["new_features"] == 1 and out["classes"] == 3, f"json: {out}")
    err = run("train", "--resume", OUT + "/m", put("b", "z\ta d\n"), OUT + "/n")[2]
    check("new: 1 label, 1 feature\n" in err, f"summary: {err}")
    err = run("train", "--resume", OUT + "/n", OUT + "/b", OUT + "/o")[2]
    check("new: 0 labels, 0 features\n" in err, f"nothing is new: {err}")
    err = subprocess.run(["sh", "-c", f"(cat '{OUT}/a'; sleep 1.2; for k in 1 2 3 4; do cat '{OUT}/a'; done) | {PROGRAM} train --force "
                          f"--online --text - '{OUT}/m'"], capture_output=True, text=True).stderr.split("\n")
    check(err[0].split() == "rows updates error so far error since".split() and "%" in err[1], f"progress: {err}")
    told = [line.replace("%", "").split() for line in err[1:] if line.endswith("%")]  # how many rows come at once is chance
    check(told and all(float(so_far) == round(200 / int(rows), 2) for rows, _, so_far, _ in told) and
          told[0][2] == told[0][3] and all(since == "0.00" for *_, since in told[1:]), f"the first two rows are wrong: {err}")


# ---- Pipes ----

def answer_in_turn(arguments, lines, silent=()):
    """Lines go in one by one, and each must be answered before the next. The answers, or where there was none."""
    child = subprocess.Popen([PROGRAM, *plainly(arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, bufsize=0)
    answers = []
    for k, line in enumerate(lines):
        child.stdin.write((line + "\n").encode())
        if k in silent:
            continue
        if not select.select([child.stdout], [], [], 10)[0]:
            answers.append(None)
            break
        answers.append(child.stdout.readline().decode().rstrip("\n"))
    child.stdin.close()
    child.stdout.read()
    check(child.wait() == 0, f"{arguments} ends well")
    return answers


def test_pipes():
    for kind, (lines, options, header) in KINDS.items():
        model = online(lines, *options, header=header, model="piped")
        rows, silent = [*header, *lines[:5]], (0,) * bool(header)
        want = must("predict", "-q", put("p", text(rows)), model).split()
        for threads in ("1", "2"):
            got = answer_in_turn(["predict", "--threads", threads, "-", model], rows, silent)
            check(got == want, f"predict - {kind} by {threads}: {got}, not {want}")
        got = answer_in_turn(["train", "--force", "--online", "--predict", "-", *options, "-", OUT + "/t"], rows, silent)
        check(len(got) == 5 and got[0] == "" and None not in got, f"--online {kind}: {got}")
        check(get(online(lines[:5], *options, header=header, model="same")) == get(OUT + "/t"), f"{kind}: what is learned")


def test_free_for_files():
    """Of a file the answers are written when the buffer is full."""
    if not shutil.which("strace"):
        skip("strace is not installed (Debian: apt-get install strace)")
        return
    model = online(KINDS["text"][0], "--text")
    data = put("many", text(KINDS["text"][0] * 2000))
    for words in (["predict", data, model], ["train", "--online", "--text", "--predict", "-", data, OUT + "/n"]):
        log = OUT + "/strace"
        subprocess.run(["strace", "-f", "-e", "trace=write", "-o", log, PROGRAM, *plainly(words), *["--force"][:words[0] == "train"]],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        writes = [line for line in get(log).decode(errors="replace").split("\n") if "write(1," in line]
        check(len(writes) < 700, f"{words[:2]}: {len(writes)} writes of 180,000 lines")


# ---- Growth ----

def used(what, *arguments):
    """What the system counts of a run."""
    before = getattr(resource.getrusage(resource.RUSAGE_CHILDREN), what)
    must(*arguments)
    return getattr(resource.getrusage(resource.RUSAGE_CHILDREN), what) - before


def test_new_labels():
    """Each brings a class, and seldom new memory: its pages would come again and again."""
    data = put("new labels", "".join(f"l{k}\tword{k % 300}\n" for k in range(2000)))
    pages = used("ru_minflt", "train", "-q", "--online", "--classes", "2000", "--text", data, OUT + "/grown")
    check(pages < 20000, f"pages that came: {pages}")
    check(json.loads(must("show", "--json", "--top", "1", OUT + "/grown"))["classes"] == 2000, "all labels are there")


def test_wide_time():
    """Four times the columns of texts: some four times the work; and of lines longer than the buffer, too."""
    least = {}
    for n in (10000, 40000, 60000):
        data = put("wide", ",".join(f"column{i}" for i in range(n)) + ",y\n" + ("a," * n + "p\n" + "b," * n + "q\n") * 2)
        least[n] = min(used("ru_utime", "train", "-q", "-e", "1", data, OUT + "/wide.model") for _ in range(2))
        shown = json.loads(must("show", "--json", "--top", "1", OUT + "/wide.model"))
        check(shown["features"] == 2 * n, f"{n} columns of two texts: {shown['features']} features")
    check(least[40000] < 10 * least[10000] + 0.2, f"seconds of the processor by columns: {least}")


def test_linear_time():
    """Ten times the rows, each of which brings a word: some ten times the work of the processor, not a hundred."""
    least = {}
    for n in (10000, 100000):
        data = put(f"new {n}", "".join(f"{'yn'[k % 2]}\tword{k} {'ab'[k % 2]}\n" for k in range(n)))
        command = ["train", "-q", "--online", "--text", data, OUT + "/grown"]
        least[n] = min(used("ru_utime", *command) for _ in range(3))
        shown = json.loads(must("show", "--json", "--top", "1", OUT + "/grown"))
        check(shown["features"] == n + 2 and shown["rows"] == n, f"{n} rows bring {shown['features']} words")
        check(shown["bytes"] < 45 * n, f"{shown['bytes']} bytes: room that was not used is not saved")
    check(least[100000] < 40 * least[10000] + 0.1, f"seconds of the processor by rows: {least}")


# ---- Going on ----

def test_resume_takes():
    """As if the rows had been read at once, but for what is not known at first."""
    first, more = ["ham\tsee you", "spam\twin cash"], ["spam\tbitcoin cash", "ham\toffice you", "news\tbitcoin rises"]
    model = train(put("a", text(first)), "--text", model="first")
    for words in ([], ["-e", "1", "--order", "file"], ["--order", "file", "-e", "3"], ["--shards", "2"]):
        for data, given in ((put("b", text(more)), b""), ("-", text(more).encode())):
            on = train(data, "--resume", model, *words, model="on", stdin=given)
            shown = json.loads(must("show", "--json", on))
            check(shown["labels"] == ["ham", "news", "spam"] and shown["features"] == 7, f"{words}: {shown}")
            check(must("predict", "-q", "-", on, stdin=b"bitcoin rises\n") == "news\n", "what is new is learned")
    for options, rows, new in (((), ["a 1:1", "b 2:1"], ["c 5:1", "a 1:1"]),
                               (("--rows", "dense"), ["a 1:1", "b 2:1"], ["c 5:1", "a 1:1"]),
                               (("--normalize", "maxabs"), ["a 1:4", "b 2:2"], ["c 1:4 5:8", "a 1:1"])):
        model = train(put("a", text(rows)), "--word-labels", *options, model="indices")
        for words in ([], ["-e", "1", "--order", "file"]):
            on = train(put("b", text(new)), "--resume", model, *words, model="on")
            shown = json.loads(must("show", "--json", on))
            check(shown["labels"] == ["a", "b", "c"] and shown["features"] == 5, f"{options} {words}: {shown}")
            check(must("predict", "-q", "-", on, stdin=b"c 5:8\n") == "c\n", f"{options} {words} predicts")
    model = train(put("a.csv", "kind,size,y\nred,1,no\nblue,2,yes\n"), "--missing", "mean", model="csv")
    on = train(put("b.csv", "kind,size,y\ngreen,NA,maybe\nred,1,no\n"), "--resume", model, model="on")
    shown = json.loads(must("show", "--json", on))
    check(shown["labels"] == ["maybe", "no", "yes"] and shown["features"] == 4, f"categories: {shown}")
    check(must("predict", "-q", put("c.csv", "kind,size\ngreen,NA\n"), on) == "maybe\n", "a new category is learned")


def test_same_steps():
    """One epoch of --resume in the order of the file is what --online does."""
    lines = sparse(80)
    model = online(lines[:40], "-a", "perceptron", model="half")
    data = put("rest", text(lines[40:]))
    one = train(data, "--resume", model, "-e", "1", "--order", "file", model="one")
    two = train(data, "--resume", model, "--online", model="two")
    check(weights_of(one) == weights_of(two), "the same weights")
    each = lambda *options: train(data, "-e", "1", "--order", "each", *options, model=f"each{len(options)}")
    check(weights_of(each("--resume", each())) == weights_of(train(data, "-e", "2", model="one")), "two shuffled epochs")


def test_refused():
    a, new = put("a", "ham\tsee you\nspam\twin cash\n"), put("b", "ham\tsee bitcoin\n")
    model, data = train(a, "--text", model="first"), OUT + "/a"
    for options, words in (("-e 5", "each row is learned once"), ("--order each", "leave --order out"),
                           ("--stop clean", "leave --stop out"), ("--checkpoint 2", "cut the rows into runs"),
                           ("--shards 2", "one learner"), ("--batch 3", "leave --batch out"),
                           ("--validate 0.2", "--predict tests each"), ("--patience 2", "leave --patience out"),
                           ("--pocket", "-a averaged"), ("--measure", "works without --online"),
                           ("--folds 3", "works without --online"), ("--normalize maxabs", "take standard or l2"), ("--missing mean", "take --missing zero"),
                           ("-a kernel", "give --gamma")):
        target = [] if "--folds" in options else [OUT + "/x"]
        refused(1, words, "train", "--online", "--text", *options.split(), data, *target)
    refused(1, "--predict needs --online", "train", "--predict", OUT + "/p", data, OUT + "/x")
    refused(1, "--fixed needs --resume", "train", "--fixed", data, OUT + "/x")
    refused(1, "the predictions and --json", "train", "--online", "--json", "--predict", "-", data, OUT + "/x")
    refused(1, "the predictions and the model", "train", "--online", "--predict", "-", data, "-")
    refused(1, "--force replaces it", "train", "--online", "--text", "--predict", put("old", "x\n"), data, OUT + "/x",
            force=False)
    refused(1, "/a", "train", "--online", "--text", "--predict", data, data, OUT + "/x")
    three = put("c", "ham\tsee you\nspam\twin cash\nnews\tsee cash\n")
    for how in (("--online", "--text"), ("-e", "1", "--text"), ("--resume", model), ("--resume", model, "-e", "1"), ("--text",)):
        refused(2, "c:3: label news is one more than 2 labels: --classes", "train", *how, "--classes", "2", three, OUT + "/x")
    for how in ("--online",), ("-e", "1"), ():
        refused(2, "c:3: label news is not one of the --classes", "train", *how, "--text", "--classes", "ham,spam", three,
                OUT + "/x")
    many = put("many", "".join(f"label{k}\tword\n" for k in range(1001)))
    refused(2, "many:1001: label label1000 is one more than 1000 labels", "train", "--online", "--text", many, OUT + "/x")
    must("train", "-q", "--online", "--text", "--classes", "1001", many, OUT + "/x1001")
    refused(2, "c:2: more than 2 features (--max-dim)", "train", "--online", "--text", "--max-dim", "2", three, OUT + "/x")
    refused(2, "b:1: more than 4 features (--max-dim)", "train", "--resume", model, "--max-dim", "4", new, OUT + "/x")
    refused(2, "b:1: 'bitcoin' is not one of the model's features: --fixed takes nothing new", "train", "--resume", model,
            "--fixed", new, OUT + "/x")
    refused(2, "c:3: label news is not one of the model's: --fixed takes nothing new", "train", "--online", "--resume",
            model, "--fixed", three, OUT + "/x")
    for learner in ("-a winnow", "-a balanced-winnow", "-a kernel --gamma 1", "-a voted"):
        hashed = ["--online", "--text", "--hash", "5", *learner.split()]
        refused(2, "c:3: label news is a third one", "train", *hashed, three, OUT + "/x")
        refused(2, "c:2: there are 4 features now", "train", "--online", "--text", *learner.split(), three, OUT + "/x")
        two = train(data, *hashed, model="hashed")
        refused(2, "c:3: label news is not one of the model's: its learner takes nothing new", "train", "--resume", two,
                three, OUT + "/x")
        words = train(data, "--text", *learner.split(), model="words")
        refused(2, "b:1: 'bitcoin' is not one of the model's features: its learner", "train", "--resume", words, new,
                OUT + "/x")
    scaled = train(data, "--text", "--normalize", "maxabs", model="scaled")
    refused(2, "go on without --online", "train", "--online", "--resume", scaled, new, OUT + "/x")
    numbers = train(put("n.csv", "1,2,a\n2,3,b\n"), model="numbers")
    refused(2, "4 columns and no name that the model knows: it was trained on 3", "train", "--resume", numbers, put("o.csv", "3,2,3,a\n1,2,3,b\n"),
            "--label", "4", OUT + "/x")
    refused(2, "no row has any feature", "train", "--online", "--text", put("none", "ham\t!\nspam\t!\n"), OUT + "/x")
    refused(2, "no examples", "train", "--online", "--text", put("none", ""), OUT + "/x")
    refused(2, "none:3: NaN", "train", "--online", put("none", "1 1:1\n2 1:-3e38 2:3e38\n3 1:3e38\n"), OUT + "/x")


for test in (test_order_of_labels, test_third_label, test_same_steps, test_said, test_resume_takes, test_refused,
             test_progressive, test_pipes, test_free_for_files, test_new_labels, test_wide_time, test_linear_time,
             test_cuts):
    test()
finish()
