"""--online without a learner's name: arow and averaged side by side. Each learns what it would learn alone, and a counter of
who alone was right, computed here from the answers of the two, says who predicts. One file holds both; what names a
learner means one. Advice comes on labels in long runs."""
import json
import math
import random
import re
import signal
import struct
import subprocess

from cli import OUT, PROGRAM, check, finish, get, image, must, put, refused, run, section, stored, unpacked, with_section

MAGIC, HEAD = b"PCNM", 16


# ---- Streams ----

def by_default(*words, model="m", stdin=b""):
    path = f"{OUT}/{model}"
    must("train", "-q", *words, path, plain=False, stdin=stdin)
    return path


def normal(draw, count, classes, spread=1.2, size=6):
    """Rows of a table, the label last."""
    centre = [[draw.gauss(0, spread) for _ in range(size)] for _ in range(classes)]
    labels = [draw.randrange(classes) for _ in range(count)]
    return [[f"{c + draw.gauss(0, 1):.3f}" for c in centre[k]] + [f"c{k}"] for k in labels]


def blocks(draw, rows, size):
    """Runs of one label, in no order."""
    rows, by_label = draw.sample(rows, len(rows)), {}
    for row in rows:
        by_label.setdefault(row[-1], []).append(row)
    cut = [some[i:i + size] for some in by_label.values() for i in range(0, len(some), size)]
    return [row for some in draw.sample(cut, len(cut)) for row in some]


def csv(name, rows, names=""):
    return put(name, names + "".join(",".join(row) + "\n" for row in rows))


def planes(draw, count, target, noise):
    """libsvm text of two labels: 8 normal features, on which side of a plane that changes."""
    lines = []
    for t in range(count):
        x = [draw.gauss(0, 1) for _ in range(8)]
        side = sum(a * b for a, b in zip(x, target(t))) > 0
        label = side != (draw.random() < noise)
        lines.append(f"{int(label)} " + " ".join(f"{k + 1}:{v:.3f}" for k, v in enumerate(x)) + "\n")
    return "".join(lines)


def messages(draw, count):
    """Words that are mostly new, and labels one by one."""
    labels, lines = ("ham", "spam", "news", "ads"), []
    for k in range(count):
        label = draw.choice(labels[:1 + 5 * k // count])
        words = [f"{label[0] if draw.random() < 0.6 else 'x'}{draw.randrange(3 + k // 3)}" for _ in range(6)]
        lines.append(f"{label}\t{' '.join(words)}\n")
    return "".join(lines)


def streams():
    """(name, lines, first line or nothing, options)"""
    draw = random.Random(3)
    a = [draw.gauss(0, 1) for _ in range(8)]
    flip = planes(draw, 300, lambda t: a if t < 150 else [-v for v in a], 0).splitlines(True)
    runs = [",".join(row) + "\n" for row in blocks(draw, normal(draw, 400, 4), 30)]
    some = [",".join(row) + "\n" for row in normal(draw, 300, 5, 0.6)]
    gaps = [re.sub(",c.$", ",", line) if k % 7 == 3 else line for k, line in enumerate(runs)]
    return [("flip", flip, "", []), ("noise", planes(draw, 300, lambda t: a, 0.2).splitlines(True), "", []), ("runs", runs, "", []), ("table", some, "a,b,c,d,e,f,y\n", []),
            ("gaps", gaps, "", ["--missing", "mean"]), ("dense", flip, "", ["--rows", "dense", "--normalize", "l2"]),
            ("text", messages(draw, 250).splitlines(True), "", ["--text"]),
            ("listed", runs, "", ["--classes", "c3,c2,c1,c0", "--margin", "0.5", "-B", "2"]),
            ("rest", some, "", ["--update", "one-vs-rest"])]


def label_of(line, options):
    return line.split("\t")[0] if "--text" in options else line.rstrip("\n").split(",")[-1] if "," in line else line.split()[0]


# ---- The rule ----

def other_image(model):
    """Of the learner that does not predict: in the section."""
    content = section(model)
    at = content.index(MAGIC)
    packed, size = struct.unpack_from("<IQ", content, at + 4)
    return unpacked(content[at + HEAD:], size) if packed else content[at + HEAD:at + HEAD + size]


def said_by_rule(lines, options, arow, averaged):
    """What the leader says of each row, the counter, and how often the lead has changed."""
    lead, known, said, changes = 0, set(options[options.index("--classes") + 1].split(",") if "--classes" in options else ()), [], 0
    for line, first, second in zip(lines, arow, averaged):
        label, before = label_of(line, options), lead > 0
        said.append(second if lead > 0 else first)
        if label in known and len(known) > 1:
            lead = max(-16, min(16, lead + (second == label) - (first == label)))
        known |= {label} - {""}
        changes += (lead > 0) != before
    return said, lead, changes


def test_rule():
    """Both learn what they would alone, byte for byte, and the rule chooses among their answers."""
    leaders, draw = set(), random.Random(5)
    a, b = ([draw.gauss(0, 1) for _ in range(8)] for _ in "ab")
    later = planes(draw, 1600, lambda t: a if t < 1200 else [-v for v in a], 0.02)  # the mean begins anew
    turns = planes(draw, 1600, lambda t: [math.cos(t / 130) * u + math.sin(t / 130) * v for u, v in zip(a, b)], 0.02)
    more = [(name, rows.splitlines(True), "", []) for name, rows in (("later", later), ("turns", turns))]
    for name, lines, first, options in streams() + more:
        data = put(f"{name}.rows", first + "".join(lines))
        answers, models = {}, {}
        for learner in "arow", "averaged", "":
            more = ["-a", learner] if learner else []
            models[learner] = by_default("--online", "--predict", f"{OUT}/said", *options, *more, data, model=f"{name} {learner}.m")
            answers[learner] = get(OUT + "/said").decode().split("\n")[:-1]
        said, lead, changes = said_by_rule(lines, options, answers["arow"], answers["averaged"])
        check(answers[""] == said and len(said) == len(lines), f"{name}: answers")
        leader, other = ("arow", "averaged")[::1 if lead <= 0 else -1]
        leaders |= {(leader, changes > 0)}
        check(image(models[""]) == image(models[leader]), f"{name}: the image of the leader, {leader}")
        check(other_image(models[""]) == image(models[other]), f"{name}: the image of the other, {other}")
        shown = json.loads(must("show", "--json", models[""]))
        check((shown["algorithm"], shown["beside"], shown["ahead"]) == (leader, other, abs(lead)), f"{name}: show says {shown['algorithm']} {shown['ahead']}, not {leader} {lead}")
        first_line = must("show", models[""]).split("\n")[0]
        how = f"ahead by {abs(lead)} of 16" if lead else "neither is ahead"
        check(first_line == f"algorithm  arow and averaged; {leader} predicts ({how})", first_line)
        told = json.loads(must("train", "--json", "-q", "--online", "--predict", OUT + "/said", *options, data, OUT + "/m", plain=False))
        wrong = sum(a != label_of(line, options) for a, line in zip(said, lines) if label_of(line, options))
        check((told["algorithm"], told["beside"], told["ahead"], told["progressive"]["errors"]) == (leader, other, abs(lead), wrong), f"{name}: train says {told}")
        check(f"\narow and averaged; {leader} predicts ({how})\n" in "\n" + run("train", "--online", *options, data, OUT + "/m", plain=False)[2], f"{name}: the summary")
        alone = must("predict", "-q", "-s", "--ignore-labels", data, models[leader])
        check(must("predict", "-q", "-s", "--ignore-labels", data, models[""]) == alone, f"{name}: predict takes the leader")
    check(leaders >= {("arow", True), ("averaged", True)}, f"both lead, and hand over: {leaders}")


def test_cuts():
    """Any runs, with and without --predict, and any number of threads: the same bytes."""
    draw = random.Random(4)
    for name, lines, first, options in streams():
        for more in [], ["--probabilities"]:
            words = ["--online", *options, *more]
            whole = by_default(*words, "--threads", "1", put("whole.rows", first + "".join(lines)), model="whole.m")
            for threads in "1", "2", "5":
                check(get(by_default(*words, "--threads", threads, OUT + "/whole.rows", model="t.m")) == get(whole), f"{name} {more}: {threads} threads")
            for cuts in [1], [2], [len(lines) // 2], sorted(draw.sample(range(1, len(lines)), 6)):
                part = None
                for k, (at, end) in enumerate(zip([0, *cuts], [*cuts, len(lines)])):
                    way = ["--resume", part, "--online"] if part else words
                    way += ["--predict", OUT + "/said"] if k % 2 else []
                    part = by_default(*way, put("part.rows", first + "".join(lines[at:end])), model=f"part{k % 2}.m")
                check(get(part) == get(whole), f"{name} {more}: cut at {cuts}")


def test_probabilities():
    """Each learner has its own."""
    for name, lines, first, options in streams():
        data = put("p.rows", first + "".join(lines))
        both = by_default("--online", "--probabilities", *options, data, model="both.m")
        said = json.loads(must("show", "--json", both))
        alone = {a: by_default("--online", "--probabilities", "-a", a, *options, data, model=a) for a in ("arow", "averaged")}
        ask = ("predict", "-q", "--probabilities", "--ignore-labels", data)
        check(must(*ask, both) == must(*ask, alone[said["algorithm"]]), f"{name}: the leader's")
        mine, theirs = section(both), section(alone[said["beside"]])
        check(theirs[-60:] in mine[:-60] and theirs[-60:] != mine[-60:], f"{name}: the other's is in the file, too")


def test_interrupted():
    """All rows that have been answered are learned by both; going on gives the bytes of a run that nobody interrupted."""
    name, lines, first, options = streams()[2]
    for threads in "1", "2":
        for count in 90, 311:
            path = f"{OUT}/stopped.m"
            run_ = subprocess.Popen([PROGRAM, "train", "--force", "-q", "--online", "--threads", threads, "--predict", "-", *options, "-", path],
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            run_.stdin.write("".join(lines[:count]).encode())
            run_.stdin.flush()
            for _ in range(count):
                run_.stdout.readline()
            run_.send_signal(signal.SIGINT)
            run_.stdin.close()
            check(run_.wait() == 130, run_.stderr.read())
            run_.stdout.close(), run_.stderr.close()
            on = by_default("--online", "--resume", path, put("rest", "".join(lines[count:])), model="on.m")
            check(get(on) == get(by_default("--online", *options, put("all", "".join(lines)), model="all.m")), f"stopped after {count}")


def test_errors():
    """The first row that cannot be learned is named, by any number of threads."""
    draw = random.Random(12)
    lines = [f"{k % 2} " + " ".join(f"{j}:{(k % 2 - 0.5) * (1 + draw.random()):.3f}" for j in range(1, 9)) + "\n" for k in range(300)]
    for bad in (7,), (150, 200), (299,), (100, 101):
        rows = [re.sub(":-?[0-9.]+", ":3e38", line) if k in bad else line for k, line in enumerate(lines)]
        said = {run("train", "-q", "--online", "--threads", threads, put("bad", "".join(rows)), OUT + "/x", plain=False)[::2] for threads in "12"}
        check(said == {(2, f"perceptron: {OUT}/bad:{bad[0] + 1}: NaN, infinity or overflow in an example: mend the row, or scale the features\n")}, f"{bad}: {said}")


# ---- One learner ----

def test_names():
    """What names a learner, or suits one alone, means one: the same file as before there were two."""
    draw = random.Random(6)
    data, weights = csv("n.csv", normal(draw, 200, 3)), put("w", "1\n2\n" * 100)
    weighed = csv("w.csv", [["2" if k % 3 else "1", *row] for k, row in enumerate(normal(draw, 200, 3))])
    for words, learner in (("--r 0.3", "arow"), ("--regrow 0.01", "arow"), ("--decision averaged", "arow"), ("--decision last", "arow"),
                           ("--weight c1=2", "arow"), (f"--weights {weights}", "arow"), ("-C 0.5", "averaged"), ("--rule pa2", "averaged"),
                           ("--rule fixed --rate 2", "averaged"), ("--update others", "averaged"), ("--update uniform", "averaged"), ("--weight-column 1", "arow")):
        rows = weighed if "column" in words else data
        mine, named = (by_default("--online", *words.split(), *more, rows, model=f"{k}.m") for k, more in enumerate(([], ["-a", learner])))
        check(get(mine) == get(named), f"{words}: as -a {learner}")
        check("beside" not in json.loads(must("show", "--json", mine)), f"{words}: one learner")
    both = by_default("--online", data)
    for words in ("--weight c1=2", f"--weights {weights}", "--weight-column 1"):
        refused(1, "has two learners, and weights of rows and labels are for one: train anew, with -a arow", "train", "--online", "--resume", both, *words.split(), data, OUT + "/x")
    for words in ("--shards 2", "--batch 5", "-e 3", "--checkpoint 1", "--pocket"):
        refused(1, "does not go with --online", "train", "--online", *words.split(), data, OUT + "/x", plain=False)
    refused(1, "--update needs", "train", "--online", "--resume", both, "--update", "others", data, OUT + "/x")
    refused(1, "was trained with another", "train", "--online", "--resume", both, "--decision", "last", data, OUT + "/x")


def test_given_again():
    """What only one learner has can be given to go on, and is remembered."""
    draw = random.Random(8)
    rows = normal(draw, 300, 3)
    first, then, last = (csv(f"{k}.csv", rows[100 * k:100 * k + 100]) for k in range(3))
    for words, learner in (("--r 0.3 --regrow 0.1", "arow"), ("-C 0.01", "averaged"), ("--decision averaged --update one-vs-rest", "arow")):
        models = [first, *by_default("--online", first, model="a.m").split()]
        for k, (data, more) in enumerate(((then, words.split()), (last, []))):
            both, alone = models[-1] if k == 0 else both, by_default("--online", "-a", learner, first, model="alone.m") if k == 0 else alone
            both = by_default("--online", "--resume", both, *more, data, model=f"both{k}.m")
            alone = by_default("--online", "--resume", alone, *more, data, model=f"alone{k}.m")
        check(image(alone) in (image(both), other_image(both)), f"{words}")


def test_leader_alone():
    """Epochs, --final, exports and import --like take the leader, as where it has learned alone."""
    for name, lines, first, options in streams():
        data = put("l.rows", first + "".join(lines))
        both = by_default("--online", *options, data, model="both.m")
        leader = json.loads(must("show", "--json", both))["algorithm"]
        alone = by_default("--online", "-a", leader, *options, data, model="alone.m")
        check(get(both) != get(alone), f"{name}: two learners are in the file")
        said = run("train", "--resume", both, "-e", "2", data, OUT + "/two.m")[2]
        check(f"both.m has two learners: {leader}, which leads, goes on alone; --online goes on with both\n" in said, said)
        check(get(by_default("--resume", alone, "-e", "2", data)) == get(OUT + "/two.m"), f"{name}: epochs")
        check(run("train", "-q", "--resume", both, "-e", "2", data, OUT + "/two.m")[2] == "", "-q")
        final = [by_default("--online", "--final", *more, *options, data, model=f"final{k}.m") for k, more in enumerate(([], ["-a", leader]))]
        check(get(final[0]) == get(final[1]), f"{name}: --final")
        for how in ("arrays",), ("image",), ("arrays", "--predict"), ("trainer",), ("arrays", "--bits", "8"):
            said = [run("export", "--as", *how, "--name", "m", model, f"{OUT}/{k}.h", plain=False) for k, model in enumerate((both, alone))]
            check(said[0][0] == said[1][0] and (said[0][0] or get(OUT + "/0.h") == get(OUT + "/1.h")), f"{name}: export --as {how}: {said}")
        state = put("state", image(both))
        for model, to in (both, "/from.m"), (alone, "/to.m"):
            status = run("import", "--like", model, state, OUT + to)[0]
        check(status or get(OUT + "/from.m") == get(OUT + "/to.m"), f"{name}: import --like")


# ---- Damage ----

def test_damage():
    draw = random.Random(9)
    both = by_default("--online", csv("d.csv", normal(draw, 120, 3)), model="damaged.m")
    head, good = stored(both), section(both)
    number = struct.unpack_from("<I", good, 8)[0]
    at = good.index(MAGIC)
    lead = number >> 16
    check(0 <= lead <= 32 and number >> 8 & 255 in (2, 9), f"a learner of {number:x}")
    for what, section_ in (("another learner beside", good[:8] + struct.pack("<I", number ^ 0x100) + good[12:]),
                           ("a lead beyond 16", good[:8] + struct.pack("<I", number & 0xffff | 33 << 16) + good[12:]),
                           ("a lead without another", good[:8] + struct.pack("<I", number & 0xff00ff) + good[12:]),
                           ("the other one's lead", good[:8] + struct.pack("<I", number & 0xffff | (32 - lead if lead != 16 else 17) << 16) + good[12:]),
                           ("no image", good[:at] + b"PCNX" + good[at + 4:]), ("an image of another kind", good[:at + 4] + b"\7" + good[at + 5:]),
                           ("a length beyond the end", good[:at + 8] + struct.pack("<Q", 1 << 40) + good[at + 16:]), ("cut", good[:at + 40]),
                           ("more behind it", good + b"\1")):
        for command in ("show", with_section(head, section_)), ("train", "--online", "--resume", with_section(head, section_), OUT + "/d.csv", OUT + "/x"):
            refused(2, "the section behind the image is damaged", *command)
    at += HEAD
    forged = with_section(head, good[:at + 60] + bytes([good[at + 60] ^ 1]) + good[at + 61:])
    must("show", forged)  # which does not load it
    refused(2, "", "train", "--online", "--resume", forged, OUT + "/d.csv", OUT + "/x")
    other = by_default("--online", csv("e.csv", normal(draw, 120, 3, size=5)), model="e.m")
    place = section(other).index(MAGIC)
    longer = good[:at - HEAD] + section(other)[place:]
    refused(2, "damaged: what its second learner has learned", "train", "--online", "--resume", with_section(head, longer), OUT + "/d.csv", OUT + "/x")


# ---- Advice ----

def kinds(draw):
    """As a study has them: (name, file, options, do labels come in long runs?)"""
    n = 1500
    rows, wide = normal(draw, n, 5), normal(draw, n, 2, 0.6)
    rare = [row for row in normal(draw, 3 * n, 4) if row[-1] == "c0" or draw.random() < 0.04]
    for name, some in ("five", rows), ("two", wide), ("rare", rare):
        yield f"{name} file", csv("k.csv", some), [], False
        yield f"{name} col", csv("k.csv", sorted(some, key=lambda row: float(row[0]))), [], False
        for size in 10, 20, 100, 400:
            yield f"{name} blocks {size}", csv("k.csv", blocks(draw, some, size)), [], True
        yield f"{name} blocks 5", csv("k.csv", blocks(draw, some, 5)), [], False
        yield f"{name} sorted", csv("k.csv", sorted(some, key=lambda row: row[-1])), [], True
        half = blocks(draw, some[:len(some) // 2], 50)
        mixed = [row for k in range(0, len(half), 200) for row in some[len(half) + k:len(half) + k + 200] + half[k:k + 200]]
        yield f"{name} alt", csv("k.csv", mixed), [], False
        by_label, stay, now = {}, [], None
        for row in some:
            by_label.setdefault(row[-1], []).append(row)
        while by_label:
            if now not in by_label or draw.random() > 0.8:
                now = draw.choice(sorted(by_label))
            stay.append(by_label[now].pop())
            if not by_label[now]:
                del by_label[now]
        if name != "rare":  # where the others have run out, one is left
            yield f"{name} stay", csv("k.csv", stay), [], False
    swap = [row[:-1] + ["c" + str(4 - int(row[-1][1:]))] if k > n // 2 else row for k, row in enumerate(rows)]
    yield "swap", csv("k.csv", swap), [], False
    names = [[f"d{k // 50}", f"t{draw.randrange(n)}", *row] for k, row in enumerate(rows)]
    yield "names", csv("k.csv", names, "day,time,a,b,c,d,e,f,y\n"), ["--nominal", "day", "--nominal", "time"], False
    a, b = ([draw.gauss(0, 1) for _ in range(8)] for _ in "ab")
    turn = lambda over: lambda t: [math.cos(t / over) * u + math.sin(t / over) * v for u, v in zip(a, b)]
    for name, target, noise in (("mild", lambda t: a if t < n else a[:6] + [-v for v in a[6:]], 0.04), ("flip", lambda t: a if t < n else [-v for v in a], 0.04),
                                ("slow turn", turn(1300), 0), ("fast turn", turn(130), 0), ("fast turn, noise", turn(130), 0.1), ("slow turn, noise", turn(1300), 0.1),
                                ("recurring", lambda t: a if t // 500 % 2 else [-v for v in a], 0.1), ("recurring too", lambda t: a if t // 500 % 2 else b, 0),
                                ("stationary", lambda t: a, 0.1)):
        yield name, put("k.svm", planes(draw, 2 * n, target, noise)), [], False
    shift = [str(t // 500 % 4 if draw.random() < 0.8 else draw.randrange(4)) + f" 1:{draw.gauss(0, 1):.3f}\n" for t in range(2 * n)]
    yield "shift", put("k.svm", "".join(shift)), [], False
    texts = messages(draw, 800).splitlines(True)
    yield "texts", put("k.tsv", "".join(texts)), ["--text"], False
    yield "texts, reversed", put("k.tsv", "".join(texts[::-1])), ["--text"], False
    yield "texts, blocks", put("k.tsv", "".join("\t".join(row[::-1]) for row in blocks(draw, [line.split("\t")[::-1] for line in texts], 30))), ["--text"], True


def test_advice():
    draw, advice = random.Random(11), "advice: a label comes in "
    for name, data, options, comes in kinds(draw):
        said = run("train", "--online", *options, data, OUT + "/k.m", plain=False)[2]
        check((advice in said) == comes, f"{name}: {said}")
        if not comes:
            continue
        labels = [label_of(line, options) for line in get(data).decode().splitlines()]
        runs = 1 + sum(x != y for x, y in zip(labels, labels[1:]))
        check(f"{advice}{len(labels) / runs:.3g} rows one after another" in said, f"{name}: {runs} runs: {said}")
        check(advice not in run("train", "--online", "-q", *options, data, OUT + "/k.m", plain=False)[2], f"{name}: -q")
        must("train", "--online", "-a", "arow", "--regrow", "0", *options, data, OUT + "/k.m", plain=False)
        check(advice not in run("train", *options, data, OUT + "/k.m", plain=False)[2], f"{name}: without --online")


for test in (test_rule, test_cuts, test_probabilities, test_interrupted, test_errors, test_names, test_given_again, test_leader_alone, test_damage, test_advice):
    test()
finish()
