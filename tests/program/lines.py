"""Line k of the answers belongs to line k of the data: every way to predict beside each row alone, with empty lines, CRLF,
a last line without its end, and pipes that wait; labels with a line break; what learning leaves out."""
import csv
import io
import itertools
import json
import re
import select
import subprocess

from cli import OUT, PROGRAM, WHOLE, check, finish, get, must, plainly, put, refused, run, short, train

# ---- What is predicted ----

MAIL = ["ham\tsee you at lunch", "spam\twin free cash", "ham\tlunch at one", "spam\tfree cash now", "news\tcash is king"]
PAIRS = ["7 1:2 3:1", "-3 2:1", "7 1:1", "-3 2:3 3:1", "7 3:2", "-3 1:1 2:2"]
FULL = ["1 1:2 2:5", "2 1:1 2:6", "1 1:4 2:1", "2 1:3 2:7", "3 1:9 2:2"]
ONE = ["a,y", "1,p", "2,q", "NA,p", "4,q", "0,p"]
SUBJECT = ["subject,y", "win free cash,spam", "see you,ham", "free lunch,spam", "at one,ham"]
COLOUR = ["colour,y", "red,p", "blue,q", "red,p", "green,q"]
TABLE = ["a,w,y", "1,red,p", "2,blue,q", "3,red,p", "2,green,r"]
NUMBERS = ["1,5,p", "2,6,q", "3,1,p", "2,9,q"]
# name: (lines to learn, options, names above the rows, rows to predict, what an empty line is like; None: no row)
KINDS = {
    "text": (MAIL, ["--text"], [], ["lunch", "ham\tfree cash", "now"], "..."),
    "hashed": (MAIL, ["--text", "--hash", "8"], [], ["lunch", "spam\tlunch", "now"], "..."),
    "fasttext": (["__label__" + line.replace("\t", " ") for line in MAIL], ["--text"], [], ["win", "__label__ham see"], "..."),
    "libsvm": (PAIRS, [], [], ["1:2", "-3 2:1", "7 3:9"], "7"),
    "scaled": (FULL, ["--normalize", "standard"], [], ["1:2", "2 2:1", "3 1:9 2:2"], "1"),
    "mean": (ONE, ["--missing", "mean"], ["a"], ["1", "2", "NA", "7"], "NA"),
    "zero": (ONE, ["--missing", "zero", "--normalize", "none"], ["a"], ["1", "2", "-7"], "?"),
    "drop": (ONE, ["--missing", "drop"], ["a"], ["1", "2", "-7"], '""'),
    "headless": (ONE[1:], ["--missing", "mean", "--header=no"], [], ["1", "2", "7"], "NA"),
    "subject": (SUBJECT, ["--text-column", "subject"], ["subject"], ["free", "see you", '"free, at"'], '""'),
    "colour": (COLOUR, ["--header", "--missing", "mean"], ["colour"], ["red", "blue", "green"], "NA"),
    "table": (TABLE, [], ["w,a"], ["red,1", "blue,3", "red,2"], None),
    "labelled": (TABLE, ["--missing", "zero"], ["a,w,y"], ["1,red,p", "2,blue,r", "NA,red,p"], None),
    "numbers": (NUMBERS, ["--header=no"], [], ["1,2", "3,9", "7,7"], None),
    "column": (ONE[:3] + ONE[4:], [], ["a"], ["1", "2", "-7"], None),  # no value may be missing
}
FORMS = {"plain": [], "scores": ["--scores", "--no-header"], "top": ["--scores", "--top", "1"],
         "probabilities": ["--probabilities", "--no-header"], "probabilities in JSON": ["--probabilities", "--json"],
         "explained": ["--explain"], "explained in JSON": ["--explain", "--json"], "refused": ["--refuse", "0.01"]}


def models():
    return {kind: train(put("learn " + kind, "\n".join(lines) + "\n"), "--probabilities", *options, model=kind)
            for kind, (lines, options, *_) in KINDS.items()}


def answers(form, out):
    """The answers in an output, without the numbers of their rows."""
    if form == "explained":
        parts = re.split(r"^row (\d+): ", out, flags=re.M)
        numbers, found = parts[1::2], parts[2::2]
    elif form.endswith("JSON"):
        rows = [json.loads(line) for line in out.splitlines() if '{"row"' in line]
        numbers, found = [row.pop("row") for row in rows], rows
    else:
        return out.split("\n")[:-1]
    check([int(n) for n in numbers] == list(range(1, len(numbers) + 1)), f"{form}: the numbers of rows: {numbers}")
    return found


def nothing(form):
    """The answer to an empty line that is no row."""
    names = {"explained": "an empty line\n\n", "explained in JSON": {"class": None}, "probabilities in JSON": {"label": None}}
    return names.get(form, "")


def of_rows(kind, form, model):
    """The answer to each row alone; of "" that to an empty line."""
    names, rows, empty = KINDS[kind][2:]
    found = {"": nothing(form)}
    for row, line in [*((row, row) for row in rows), *([("", empty)] if empty else [])]:
        out = must("predict", "--ignore-labels", *FORMS[form], put("alone", "\n".join([*names, line]) + "\n"), model)
        found[row] = answers(form, out)[0]
    return found


ENDS = ("\n", True), ("\r\n", False), ("\r\n", True), ("\n", False)  # of lines; is there one behind the last?


def orders(rows):
    a, b = rows[:2]
    return [[a, "", *rows[1:]], ["", *rows], [*rows, ""], ["", "", a, "", "", b, ""]]


def test_files():
    for (kind, model), form in itertools.product(models().items(), FORMS):
        names, rows, empty = KINDS[kind][2:]
        if form.startswith("explained") and kind == "hashed":
            continue
        want = of_rows(kind, form, model)
        for k, lines in enumerate(orders(rows)):
            expected = [want[line] for line in lines]
            for end, last in ENDS if WHOLE else ENDS[k % 2::2]:
                whole = end.join([*names, *lines]) + (end if last or lines[-1] == "" else "")
                status, out, err = run("predict", "--ignore-labels", *FORMS[form], put("lines", whole), model)
                got = answers(form, out)
                check(status == 0 and got == expected, f"{kind}, {form}, {lines}, {end!r} {last}: {status} {got}, not {expected} {err}")
                said = re.findall(r"^empty lines, which are no rows .*: (\d+)$", err, re.M)
                check(said == ([] if empty else [str(lines.count(""))]), f"{kind}, {form}: {err}")


# ---- Pipes ----

def in_turn(arguments, lines, silent, form):
    """Each line is answered before the next one is written."""
    child = subprocess.Popen([PROGRAM, *plainly(arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, bufsize=0)
    got = b""
    for k, line in enumerate(lines):
        child.stdin.write(line.encode())
        if k < silent:
            continue
        if not select.select([child.stdout], [], [], 10)[0]:
            child.kill()
            break
        got += child.stdout.read(1 << 16)
    child.stdin.close()
    got += child.stdout.read()
    child.stdout.close()
    child.wait()
    return answers(form, got.decode()), k + 1 == len(lines)


def test_pipes():
    for kind, model in models().items():
        names, rows, empty = KINDS[kind][2:]
        first = [] if names or empty and kind != "headless" else rows[:1]  # of a table: the names, or a row
        for form, threads, end in ("plain", "1", "\n"), ("scores", "2", "\n"), ("plain", "2", "\r\n"), ("explained", "1", "\n"):
            if form == "explained" and kind == "hashed":
                continue
            want = of_rows(kind, form, model)
            lines = [*first, "", rows[1], "", "", rows[0], ""]
            got, whole = in_turn(["predict", "--ignore-labels", "--threads", threads, *FORMS[form], "-", model],
                                 [line + end for line in [*names, *lines]], len(names), form)
            check(whole and got == [want[line] for line in lines], f"{kind}, {form}, {threads} threads: {whole} {got}")


def test_comments():
    """Of libsvm text they are no lines of data, and keep no answer back."""
    model = train(put("l.svm", "\n".join(PAIRS) + "\n"), model="l")
    lines = ["# made by hand\n", "1:2\n", "# more\n  # and more\n", "2:1\n", "\n"]
    want = must("predict", "-q", put("p", "1:2\n2:1\n\n"), model)
    check(want.count("\n") == 3 and must("predict", "-q", put("p", "".join(lines)), model) == want, "comments in a file")
    for threads in "1", "2":
        child = subprocess.Popen([PROGRAM, "predict", "-q", "--threads", threads, "-", model], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, bufsize=0)
        child.stdin.write(b"1:2\n# more\n")
        check(select.select([child.stdout], [], [], 10)[0], f"{threads} threads: a comment behind a row")
        child.communicate()


# ---- Learning as rows arrive ----

# name: (lines, options, lines that are not learned, each at its place)
ARRIVING = {
    "text": (MAIL, ["--text"], {0: "", 2: "", 4: "", 5: ""}),
    "hashed": (MAIL, ["--text", "--hash", "6"], {1: "", 3: ""}),
    "libsvm": (PAIRS, [], {0: "", 1: "", 3: "", 6: ""}),
    "dense": (PAIRS, ["--rows", "dense"], {1: "", 3: ""}),
    "table": (TABLE, [], {1: "", 3: "", 5: ""}),
    "unlabelled": (TABLE, ["--header", "--missing", "zero"], {1: "5,red,", 2: "5,pink,NA", 4: ",red,?", 5: ""}),
    "dropped": (TABLE, ["--header", "--missing", "drop"], {1: "NA,red,p", 2: "5,,z", 3: "2,red,", 4: ""}),
    "scaled": (TABLE, ["--missing", "mean", "--normalize", "standard"], {2: "NA,red,", 3: "5,red,"}),
    "weights": ([line + "," + str(i + 1) if i else line + ",n" for i, line in enumerate(TABLE)],
                ["--label", "y", "--weight-column", "n"], {1: "9,pink,z,0", 2: "1,red,p,0", 4: "", 5: "2,red,p,0"}),
    "numbers": (NUMBERS, ["--header=no"], {0: "", 2: "", 4: ""}),
    "products": (TABLE, ["--products", "all", "--missing", "zero"], {2: "5,pink,", 3: ""}),
}


def mixed(lines, other):
    """The lines, with the others between them: (line, is it learned?)."""
    found = []
    for k, line in enumerate([*lines, None]):
        if k in other:
            found.append((other[k], False))
        if line is not None:
            found.append((line, True))
    return found


def test_arriving():
    for (kind, (lines, options, other)), end in itertools.product(ARRIVING.items(), ("\n", "\r\n")):
        names = len(lines[0].split(",")) > 1 and not lines[0][0].isdigit()
        how = ["train", "--force", "--online", "-a", "perceptron", *options]
        whole = mixed(lines, other)
        above = sum(not learned for _, learned in whole[:whole.index((lines[0], True))]) if names else 0
        clean = must(*how, "--predict", "-", put("clean", "\n".join(lines) + "\n"), OUT + "/clean.model").split("\n")[:-1]
        status, out, err = run(*how, "--predict", "-", put("mixed", end.join(line for line, _ in whole) + end), OUT + "/m.model")
        got, behind = out.split("\n")[:-1], whole[above + names:]
        check(status == 0 and len(got) == len(behind), f"{kind} {end!r}: {len(got)} answers to {len(behind)} lines: {err}")
        check([a for a, (_, learned) in zip(got, behind) if learned] == clean, f"{kind}: {got}, of what is learned {clean}")
        check(get(OUT + "/clean.model") == get(OUT + "/m.model"), f"{kind}: what is not learned changes the model")
        empty = sum(line == "" for line, _ in whole)
        check(f"empty lines that were left out: {empty}\n" in err if empty else "empty lines" not in err, f"{kind}: {err}")
        check(re.findall(r"learned: (\d+ of \d+)", err) == re.findall(r"learned: (\d+ of \d+)", run(
            *how, "--predict", "-", OUT + "/clean", OUT + "/m.model")[2]), f"{kind}: what is measured: {err}")
        check_before(kind, how, lines[:names], behind, got)


def check_before(kind, how, names, behind, got):
    """What is not learned has the answer of the model as it was then."""
    for k, (line, learned) in enumerate(behind):
        before = [*names, *(row for row, was in behind[:k] if was)]
        if learned or len({row.split("\t")[0] if "\t" in row else row.split(" ")[0] if ":" in row else row for row in before}) < 3:
            continue
        run(*how, put("before", "\n".join(before) + "\n"), OUT + "/before.model")
        row = [*names, line] if line or kind not in ("table", "numbers", "unlabelled", "dropped", "weights", "products") else None
        want = must("predict", "-q", "--ignore-labels", put("row", "\n".join(row) + "\n"), OUT + "/before.model") if row else "\n"
        check(got[k] + "\n" == want, f"{kind}, line {k}, {line!r}: {got[k]!r}, not {want!r}")


def test_arriving_pipes():
    for kind, (lines, options, other) in ARRIVING.items():
        names = len(lines[0].split(",")) > 1 and not lines[0][0].isdigit()
        rows = [line + "\n" for line in [*lines[:names + 1], *(line for line, _ in mixed(lines[names + 1:], {1: "", 2: ""}))]]
        rows[names:names + 1] = ["".join(rows[names:names + 2])] if kind == "numbers" else rows[names:names + 1]
        for threads in "1", "2":
            got, whole = in_turn(["train", "--force", "--online", "--predict", "-", "--threads", threads, *options, "-",
                                  OUT + "/m.model"], rows, int(names), "plain")
            check(whole and len(got) == len("".join(rows).splitlines()) - names, f"{kind}, {threads} threads: {whole} {got}")


def test_weights_of_a_file():
    data = put("w.tsv", "ham\tsee you\n\nspam\tfree cash\nspam\tnever heard\n\nham\tyou\n")
    plain = put("v.tsv", "ham\tsee you\nspam\tfree cash\nham\tyou\n")
    for some, rows, model in ("1 2 0 1", data, "m"), ("1 2 1", plain, "clean"):
        out = must("train", "-q", "--online", "--text", "--predict", "-", "--weights", put("w", some.replace(" ", "\n") + "\n"),
                   rows, OUT + "/" + model)
        check(out.count("\n") == get(rows).count(b"\n"), f"--weights: {out!r}")
    check(get(OUT + "/m") == get(OUT + "/clean"), "--weights: a row of weight 0 is not learned")


def test_resumed():
    """Before the first row of a run the model knows what it has learned."""
    model = train(put("one.tsv", "\n".join(MAIL) + "\n"), "--online", "--text", model="one")
    bias = must("predict", "-q", put("p", "\n"), model)
    out = must("train", "-q", "--online", "--resume", model, "--predict", "-", put("two.tsv", "\n\nham\tyou\n"), OUT + "/two")
    check(out.split("\n")[:2] == 2 * bias.split("\n")[:1], f"--resume: {out!r}, not {bias!r}")


# ---- What is counted, and what is left out ----

def test_measured():
    model = train(put("t.tsv", "\n".join(MAIL) + "\n"), "--text", model="t")
    plain, spaced = put("plain", "\n".join(MAIL) + "\n"), put("spaced", "\n\n".join(["", *MAIL]) + "\n")
    one, two = (json.loads(must("predict", "--json", "--report", data, model)) for data in (plain, spaced))
    check(two.pop("rows") == one.pop("rows") + 6 and two.pop("empty_lines") == one.pop("empty_lines") == 0, f"{one} {two}")
    for report in one, two:
        report.pop("seconds")
    check(two == {**one, "unlabelled": 6} or one == two, f"an empty line is measured: {one} {two}")
    check("6 rows without a label are not counted" in run("predict", spaced, model)[2], "they are told of")
    table = train(put("t.csv", "\n".join(TABLE) + "\n"), model="c")
    found = json.loads(must("predict", "--json", put("e.csv", "\n\n".join(TABLE) + "\n"), table))
    check((found["rows"], found["empty_lines"]) == (4, 4), f"no rows of a table: {found}")
    check("empty" not in run("predict", "-q", OUT + "/e.csv", table)[2], "-q says nothing")
    refused(2, "no examples", "predict", put("n.csv", "a,w,y\n\n\n"), table)
    refused(2, "no examples", "predict", put("n.csv", "\n\n"), table)
    refused(2, "no examples", "predict", put("n.tsv", ""), model)
    check(must("predict", "-q", put("n.tsv", "\n\n"), model) == 2 * must("predict", "-q", put("n.tsv", "\n"), model), "nothing else")
    pairs = train(put("l.svm", "\n".join(PAIRS) + "\n"), model="l")
    refused(2, "no row has a value or a label", "predict", "--format", "libsvm", "--word-labels", put("tab", "\n3;a\n\n4;b\n"), pairs)
    check(must("predict", "-q", "--format", "libsvm", put("zeros", "0\n\n0\n"), pairs).count("\n") == 3, "rows of zeros, no labels")


def test_left_out():
    for kind, (lines, options, *_) in KINDS.items():
        plain, spaced = put("plain", "\n".join(lines) + "\n"), put("spaced", "\r\n\r\n".join(["", *lines]) + "\n")
        for more in [], ["-e", "1"], *[["--online"]] * (kind != "scaled" and "mean" not in options):
            status, _, err = run("train", *more, *options, spaced, OUT + "/m")
            check(status == 0 and f"spaced: empty lines that were left out: {len(lines) + 1}\n" in err, f"{kind} {more}: {err}")
            must("train", "-q", *more, *options, plain, OUT + "/n")
            check(get(OUT + "/m") == get(OUT + "/n"), f"{kind} {more}: empty lines change the model")
    check("empty" not in run("train", "-q", "--header=no", spaced, OUT + "/m")[2], "-q says nothing")
    for command in (["compare", "--text"], ["train", "--text", "--folds", "2"], ["train", "--text", "-t", OUT + "/s.tsv"]):
        err = run(*command, put("s.tsv", "\n".join([*MAIL, ""] * 9) + "\n"), *[OUT + "/m"][:"-t" in command])[2]
        check(err.count("s.tsv: empty lines that were left out: 9\n") == 1 + ("-t" in command), f"{command}: {err}")
    model = train(put("l.svm", "\n".join(PAIRS) + "\n"), model="l")
    err = run("export", "--bits", "16", "--test", put("p", "\n".join(["", *PAIRS, ""]) + "\n"), model, OUT + "/l.h")[2]
    check("p: empty lines that were left out: 2\n" in err, f"export --test: {err}")


# ---- Labels with a line break ----

def test_broken_labels():
    rows = [["1", "p\nx"], ["2", "q"], ["3", "q"], ["0", "p\nx"], ["2", 's "t"\r\nu']]
    data = io.StringIO()
    csv.writer(data, lineterminator="\n").writerows([["a", "y"], *rows])
    data = put("nl.csv", data.getvalue())
    model = train(data, "-e", "50", model="nl")
    labels = {label.replace("\r", "") for _, label in rows}
    for form in "plain", "scores":
        out = OUT + "/answers"
        for force in False, False, True:
            must("predict", "-q", *FORMS[form], data, model, out, force=force)
        found = [row[0] for row in csv.reader(io.StringIO(get(out).decode(), newline=""), delimiter=" " if form == "scores" else ",")]
        check(len(found) == 5 and set(found) <= labels and "p\nx" in found, f"{form}: {found}")
    refused(1, "no predictions", "predict", data, model, put("others", '"p\ny"\n'), force=False)
    refused(1, "no predictions", "predict", data, model, put("others", '"p\n'), force=False)
    check(must("predict", "-q", "--explain", data, model).count("\nrow ") == 4, "--explain")
    out = must("train", "-q", "--online", "-a", "perceptron", "--predict", "-", data, OUT + "/m")
    found = list(csv.reader(io.StringIO(out)))
    check(len(found) == 5 and ["p\nx"] in found, f"--online: {found}")
    plain = train(put("q.tsv", '"ham"\tyou\n"spam"\tfree cash\n'), "--text", model="q")
    check(must("predict", "-q", put("p", "you\nfree\n"), plain) == '"ham"\n"spam"\n', "other labels are as they are")


def main():
    short("each order of lines with one of two ways to end them")
    for name, function in list(globals().items()):
        if name.startswith("test_"):
            function()
    finish()


main()
