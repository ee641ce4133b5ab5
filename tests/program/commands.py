"""The program's commands read every form of data and labels, stream, go on with models, write files whole, and end
with the status that the README lists."""
import csv
import io
import itertools
import json
import math
import os
import random
import re
import shutil
import struct
import subprocess
import time
import zlib

from cli import (DIGITS, OUT, PROGRAM, as_table, check, digits_parts, digits_svm, finish, get, image, must, noisy, plainly, predictions,
                 put, refused, report, run, section, skip, stored, train)


# ---- The libsvm reader: each case is line 3 behind two good lines ----

BASE = b"-1 1:1 2:0.5\n+1 1:-1 3:2\n"
ACCEPTED = [
    b"", b"+1 1:1 2:2", b"+1 1:1 2:2\r\n", b"+1\r\n", b"+1 1:1 2:2   \n", b"+1\t1:1\t2:2\n",
    b"  +1 1:1\n", b"\n", b"   \n", b"-1\n", b"+1 1:1 # hello\n", b"+1 1:1 # a:b\n", b"+1 2:2#x\n",
    b"# hello\n", b"+1 1:1e-320\n", b"+1 1:1e-400\n", b"+1 1:.5\n", b"+1 1:5.\n",
    b"1.0 1:1\n", b"+1 1:-0.0 2:+3E+2\n", b"+1 1:0000000000000000000000000000000001\n",
]
REJECTED = [  # input, column, words
    (b"+1 1: 2\n", 6, "finite"), (b"+1 1 :2\n", 4, "index:value"), (b"+1 sid:3 1:1\n", 4, "index:value"),
    (b"+1 qid:3 1:1\n", 4, "qid:3: groups of rows, for ranking, are not learned: sed 's/ qid:[0-9]*//' leaves them out"),
    (b"+1 \tqid:x#c\n", 5, "qid:x: groups"), (b"+1 1:1 qid:3\n", 8, "index:value"),
    (b"+1 0:1 1:1\n", 4, "index 0"), (b"+1 -1:1\n", 4, "index:value"),
    (b"+1 3:1 1:1\n", 8, "does not rise"), (b"+1 2:1 2:3\n", 8, "does not rise"),
    (b"+1 +1:1\n", 4, "index:value"), (b"+1 1.0:1\n", 4, "index:value"),
    (b"+1 2147483647:1\n", 4, "limit"), (b"+1 2147483648:1\n", 4, "limit"),
    (b"+1 4294967297:1\n", 4, "limit"), (b"+1 99999999999999999999999:1\n", 4, "limit"),
    (b"+1 1:nan\n", 6, "finite"), (b"+1 1:inf\n", 6, "finite"), (b"+1 1:-inf\n", 6, "finite"),
    (b"+1 1:1e400\n", 6, "overflows"), (b"+1 1:1e39\n", 6, "overflows"), (b"+1 1:0x1p3\n", 6, "finite"),
    (b"+1 1:1,5\n", 6, "decimal comma"), (b"+1 1:\n", 6, "finite"), (b"+1 1:2:3\n", 6, "finite"),
    (b"+1 1:-\n", 6, "finite"), (b"+1 1:1e\n", 6, "finite"), (b"+1 1:.\n", 6, "finite"),
    (b"+1 5\n", 4, "index:value"), (b"+1 1:1 5 6:1\n", 8, "index:value"),
    (b"1.5 1:1\n", 1, "not an integer"), (b"nan 1:1\n", 1, "not an integer"),
    (b"A 1:1\n", 1, "--word-labels"), (b"1,2 1:1\n", 1, "several labels"), (b"1:1 2:2\n", 1, "no label"),
    (b"3000000000 1:1\n", 1, "32 bits"), (b"+1 1:1 \0 2:2\n", 8, "NUL"),
    (b"+1 1:1\r-1 2:1\r", 7, "carriage return"), (b"+1 1:1\v2:2\n", 6, "finite"),
]


def test_libsvm():
    for text in ACCEPTED:
        for content in (BASE + text, text + b"\n" + BASE):
            collected = get(train("-", "-e", "1", "--order", "file", stdin=content))
            check(get(train(put("d", content), "-e", "1", "--order", "file")) == collected, f"one epoch: {content}")
    for text, column, words in REJECTED:
        path = put("d", BASE + text)
        refused(2, words, "train", path, OUT + "/m")
        refused(2, f"{path}:3:{column}: ", "train", path, OUT + "/m")
        refused(2, f"{path}:3:{column}: ", "train", "-e", "1", path, OUT + "/m")
    must("train", "-q", put("d", b"\xef\xbb\xbf" + BASE), OUT + "/m")
    long_row = b"+1 " + b" ".join(b"%d:1" % i for i in range(1, 200001)) + b"\n"
    must("train", "-q", put("d", BASE + long_row), OUT + "/m")
    for empty in (b"", b"\n\n", b"# nothing\n"):
        refused(2, "no examples", "train", put("d", empty), OUT + "/m")
    refused(2, "no row has any feature", "train", put("d", "1\n-1\n"), OUT + "/m")
    refused(2, "all rows have the label 1; two classes are needed\n", "train", put("d", "1 1:1\n1 2:1\n"), OUT + "/m")
    for options in ([], ["-e", "1"], ["-a", "kernel"], ["--normalize", "l2"], ["-e", "1", "--normalize", "l2"]):
        refused(2, "all rows have the label no; two classes are needed: --label says which column the label is in", "train",
                *options, put("d.csv", "a,b\n1,no\n2,no\n"), OUT + "/m")
        for name, text in ("d.csv", "a,b,y\n0,0.0,x\n0,-0,z\n0,0,x\n"), ("d", "-1 1:0\n1 2:0 3:0\n"):
            status, _, err = run("train", *options, put(name, text), OUT + "/m")
            check(status == 0 and err.count("advice: all values are 0, so every row is predicted alike\n") == 1, err)
            check(run("train", "-q", *options, OUT + "/" + name, OUT + "/m")[2] == "", "quiet")
        err = run("train", *options, put("late.csv", "a,y\n" + "0,x\n0,z\n" * 2000 + "1,x\n"), OUT + "/m")[2]
        check("all values" not in err, f"a late value: {err}")
    for command in "train", "compare":
        err = run(command, "--folds", "2", OUT + "/d.csv")[2]
        check(err.count("all values are 0") == 1, f"{command}: {err}")
    zero = put("d", "+1 0:1 1:1\n-1 2:1\n")
    plain = put("e", "+1 1:1 2:1\n-1 3:1\n")
    check(image(train(zero, "--zero-based")) == image(train(plain, model="n")), "--zero-based")
    mixed = put("d", "+1 2:1 1:1\n-1 3:1\n")
    check(image(train(mixed, "--sort")) == image(train(plain, model="n")), "--sort")
    for row in ("2:1 2:1", " ".join(f"{j}:1" for j in range(200, 0, -1)) + " 2:1"):  # a row is sorted in two ways
        refused(2, "index 2 stands twice", "train", "--sort", put("d", f"1 {row}\n-1 1:1\n"), OUT + "/m")
    refused(2, "limit of 2 features", "train", "--max-dim", "2", plain, OUT + "/m")
    counts = put("d", "+1 1:7 2:0\n-1 3:0.5\n")
    ones = put("e", "+1 1:1\n-1 3:1\n")
    check(predictions(ones, train(counts, "--binarize")) == predictions(ones, train(ones)), "--binarize")


# ---- CSV ----

def test_csv():
    flowers = ("length,kind,width\n1.0,setosa,0.5\n\"1.5\",\"setosa\",0.5\n4,virginica, 2.5 \n"
               "4.5,virginica,2\r\n")
    model = train(put("f.csv", flowers), "--label", "kind")
    unlabelled = put("u.csv", "width,length\n0.5,1\n2.5,4\n")
    check(predictions(unlabelled, model) == ["setosa", "virginica"], "columns go by their names")
    extra = put("u.csv", "width,colour,length\n0.5,9,1\n2.5,9,4\n")
    out = must("predict", "-q", "--label", "colour", extra, model)
    check(out.split() == ["setosa", "virginica"], "a label column by name")
    by_number = train(put("g.csv", flowers), "--label", "2")
    check(get(model) == get(by_number), "a label column by number")
    semicolons = put("s.csv", flowers.replace(",", ";"))
    check(image(model) == image(train(semicolons, "--sep", ";", "--label", "kind")), "--sep")
    tabs = put("s.csv", flowers.replace(",", "\t"))
    check(image(model) == image(train(tabs, "--sep", "tab", "--label", "kind")), "--sep tab")
    quoted = put("q.csv", '"a ""b""\nc",y\n1,"x, ""1"""\n-1,"two\nlines"\n')
    csv = ["--format", "csv"]
    check(predictions(quoted, train(quoted, *csv), *csv) == ['x, "1"', '"two', 'lines"'], "quotes")
    bom = put("b.csv", b"\xef\xbb\xbf1,2,0\n2,1,1\n")
    check(predictions(bom, train(bom)) == ["0", "1"], "a byte order mark")
    plain = put("p.csv", "1,2,-1\n2,1,1\n")
    check(predictions(put("u.csv", "1,2\n2,1\n"), train(plain)) == ["-1", "1"], "no label column")
    for text, where, words in [
            ("1,2,0\n1,1\n", "2:3:", "2 fields"), ("1,2,0\n1,x,1\n", "2:3:", "finite"),
            ("1,2,0\n1,,1\n", "2:3:", "no value"), ("1,2,0\n1,nan,1\n", "2:3:", "no value"),
            ("1,2,0\n1,1e39,1\n", "2:3:", "overflows"), ("1,2,0\n1,\"2,1\n", "2:3:", "never closed"),
            ("1,2,0\n1,\"2\"x,1\n", "2:6:", "closing quote"), ("1,2,0\n1,2\"x,1\n", "2:4:", "inside"),
            ("1,2,0\n1,2,\n", "2:5:", "no label here"),
            ("1,2,0\n1,2,1,\n", "2:7:", "4 fields")]:
        path = put("d.csv", text)
        refused(2, f"{path}:{where} ", "train", path, OUT + "/m")
        refused(2, words, "train", path, OUT + "/m")
    refused(2, "no label column 'x'", "train", "--label", "x", put("d.csv", "a,b\n1,0\n"), OUT + "/m")
    refused(2, "no examples", "train", "--header", put("d.csv", "1,2,3\n"), OUT + "/m")
    path = digits_svm()
    check(predictions(DIGITS, train(DIGITS)) == predictions(path, train(path)), "CSV == libsvm")


# ---- Labels ----

def test_labels():
    for names in (("0", "1"), ("-1", "1"), ("7", "1000"), ("-5", "-3"), ("10", "9"), ("ham", "spam")):
        words = ["--word-labels"] if names[0] == "ham" else []
        data = put("d", "".join(f"{names[i % 2]} 1:{1 - 2 * (i % 2)} 2:{i % 3}\n" for i in range(9)))
        model = train(data, *words)
        check(predictions(data, model, *words) == [names[i % 2] for i in range(9)], f"labels {names}")
        high = max(names, key=lambda t: (len(words) and t, int(t) if not words else 0))
        first = must("predict", "-q", "-s", "--no-header", *words, data, model).split("\n")[:2]
        for line in first:
            label, score = line.split()
            check((float(score) > 0) == (label == high), f"the greater label {names} is positive")
    same = put("d", "+1 1:1\n1.0 1:2\n1 1:3\n01 1:1\n0 2:1\n")
    check(json.loads(must("train", "--json", "-q", same, OUT + "/m"))["classes"] == 2,
          "one label, four spellings")
    many = put("d", "".join(f"{k} {k}:1\n" for k in (10, 9, 100, 2)))
    lines = predictions(many, train(many), "-s", "--no-header")
    check([line.split()[0] for line in lines] == ["10", "9", "100", "2"], "labels are kept")
    check(max(range(4), key=lambda k: float(lines[2].split()[1 + k])) == 3, "classes ascend: 2 9 10 100")
    refused(2, "label 3 is not one of the model's: --fixed", "train", "--fixed", "--resume", OUT + "/m",
            put("e", "3 1:1\n"), OUT + "/n")
    unknown = put("e", "5 10:1\n10 10:1\n")
    check(json.loads(must("predict", "--json", unknown, OUT + "/m"))["errors"] == 1,
          "a label that the model does not know is an error of it")


def labels_of(model):
    return json.loads(must("show", "--json", model))["labels"]


def test_labels_are_texts():
    """01, 1, +1 and 1.0 are four labels in CSV and text, and one in libsvm text."""
    spelt = ["+1", "01", "1", "1.0"]
    table = put("spelt.csv", "x,zip\n" + "".join(f"{k},{spelt[k]}\n" for k in range(4)) * 9)
    text = put("spelt.txt", "".join(f"{spelt[k]}\tword{k} word\n" for k in range(4)))
    for data, options in ((table, ["-e", "2"]), (table, ["-e", "1"]), (text, ["--text"])):
        check(labels_of(train(data, *options)) == spelt, f"{options}: a label is its text")
    model = train(text, "--text", "-e", "20")
    check(predictions(text, model) == spelt, "and is predicted so")
    again = OUT + "/again"
    plain = train(put("plain.csv", "x,y\n1,1\n2,-1\n"), model="plain")
    check("50% (2/4)" in must("predict", put("near.csv", "x,y\n1,1\n1,+1\n2,-1\n2,-01\n"), plain, OUT + "/p"),
          "other spellings of a label are other labels")
    refused(2, "near.csv:3: label +1 is not one of the model's", "train", "--fixed", "--resume", plain, OUT + "/near.csv", again)
    check(labels_of(train(table, "--classes", "1.0,1,01,+1")) == spelt, "--classes takes texts")
    refused(2, "label 01 is not one of the --classes", "train", "--classes", "+1,1", table, again)
    refused(1, "--weight 1.00=2: no such label", "train", "--weight", "1.00=2", table, again)
    train(table, "--weight", "1.0=2", "--weight", "01=3")
    rows = put("rows.svm", "+1 1:1\n1.0 1:2\n01 1:1\n-1 2:1\n")
    for options in ([], ["--classes", "+1,-01"], ["--weight", "01=2"], ["-e", "1"], ["-e", "9"]):
        check(labels_of(train(rows, *options, model="rows")) == ["-1", "1"], f"libsvm {options}: labels are numbers")
    mixed = put("p.csv", "a,b,y\n1,0,+1\n1,0,01\n0,1,-1\n0,1,-1.0\n")
    check("100% (4/4)" in must("predict", mixed, OUT + "/rows", OUT + "/p"),
          "a model of libsvm text has numbers as labels, whatever it reads")
    must("train", "-q", "--resume", OUT + "/rows", mixed, again)
    check("100% (4/4)" in must("predict", mixed, again, OUT + "/p"), "also after going on with CSV")
    refused(1, "labels '+1' and '01' are one number", "export", "--format", "liblinear", train(table), OUT + "/e")
    check(section(plain)[:8] == struct.pack("<II", 5, 1), "a model says that its labels are texts")


def test_labels_like_values():
    """Numbers that hardly ever come again, however many they are, and numbers that are not whole, however often."""
    says = "labels of 2000 rows look like values"
    for name, row, more in (("values.csv", "{0},{1:.3f}\n", "by --label"),
                            ("values.svm", "{1:.0f} 1:{0}\n", "ranges")):
        many = put(name, "".join(row.format(k % 7, 3.001 * k) for k in range(2000)))
        status, _, err = run("train", "-e", "1", "--order", "file", many, OUT + "/m")
        check(status == 0 and f"2000 different numbers as {says}" in err and more in err, f"{name}: {err}")
        check("advice" not in run("train", "-q", "-e", "1", many, OUT + "/m")[2], f"{name}: not with -q")
    wide = put("some.csv", "".join(63 * "0," + f"{k % 7},{k}\n" for k in range(600)))
    err = run("train", "-e", "1", wide, OUT + "/m")[2]
    check(err.count("look like values") == 1, f"a stream is advised upon once: {err}")
    wide = put("some.csv", "".join(f"{k % 7},{k}\n" for k in range(2000)))
    refused(2, "label 1000 is one more than 1000 labels, and values are not estimated, each is a class: --classes",
            "train", "-e", "1", wide, OUT + "/m")
    for labels, rows, value in ((20, 400, 0), (20, 399, 1), (100, 2000, 0), (100, 1999, 1), (19, 30, 0)):
        some = put("some.csv", "".join(f"{k % 7},{k % labels}\n" for k in range(rows)))
        for options in ([some, OUT + "/m"], ["-e", "1", some, OUT + "/m"], ["--folds", "2", some]):
            err = run("train", *options)[2]
            check((f"{labels} different numbers as labels of {rows} rows look like values" in err) == value,
                  f"{labels} labels in {rows} rows, {options}: {err}")
    for labels, value in ((20, 1), (19, 0)):
        some = put("some.csv", "".join(f"{k % 7},{k % labels / 2}\n" for k in range(600)))
        err = run("train", "-e", "1", some, OUT + "/m")[2]
        check(("look like values" in err) == value, f"{labels} labels that are not whole, {value}: {err}")
    err = run("train", "-e", "1", put("some.csv", "".join(f"{k % 7},c{k // 2}\n" for k in range(200))), OUT + "/m")[2]
    check("look like values" not in err and "of its own" not in err, f"words: {err}")


def test_labels_of_their_own():
    """As many labels as rows: nothing comes again that could be learned."""
    text = "l,text\n" + "".join(f"{k % 2},no {k}\n" for k in range(20))
    for options in ([], ["-e", "1"]):
        err = run("train", *options, put("own.csv", text), OUT + "/m")[2]
        check("advice: each of the 20 rows has a label of its own, so none is seen twice; --label says which column" in err, err)
        err = run("train", *options, put("own.csv", text + "1,no 7\n"), OUT + "/m")[2]
        check("of its own" not in err, f"not all differ: {err}")
    err = run("train", "--text", put("own.tsv", "a\tx\nb\ty\nc\tz\n"), OUT + "/m")[2]
    check("advice: each of the 3 rows has a label of its own, so none is seen twice\n" in err, f"texts: {err}")
    check("advice" not in run("train", put("own.csv", "1,a\n2,b\n"), OUT + "/m")[2], "two rows are a textbook's")


def test_missing_labels():
    """NA, NaN, ? and nothing are no labels, unless the model knows them as such."""
    rows, model = "a,b,y\n1,2,x\n2,1,{0}\n3,1,z\n", OUT + "/m"
    for text in ("NA", "na", "NaN", "?", "", " NA ", '"NA"', '""'):
        data = put("l.csv", rows.format(text))
        bare = text.strip(' "')
        refused(2, f"l.csv:3:5: no label here ('{bare}'): --missing zero, mean or drop leaves such rows out", "train", data, model)
        for how in ("zero", "mean", "drop"):
            for options in ([], ["-e", "1"]):
                status, _, err = run("train", "--missing", how, *options, data, model)
                check(status == 0 and labels_of(model) == ["x", "z"], f"{text!r}: --missing {how}: {err}")
                check(f"rows with {'missing values' if how == 'drop' else 'no label'} that were left out: 1\n" in err, err)
        for options in ([], ["-t", data]):
            out = must("train", "-q", "--missing", "drop", *options, data, model)
            check(not options or "(2/2)" in out, f"{text!r} among test rows: {out}")
        result = json.loads(must("predict", "--json", data, model))
        check(result["unlabelled"] == 1 and result["errors"] == 0, f"{text!r} is predicted only: {result}")
    remarks = put("remarks.csv", "a,kind,remark\n1,x,good\n2,y,NA\n3,x,bad\n4,y,\n5,x,NA\n")
    for options, advised in ([], True), (["--label", "remark"], False), (["--label", "kind"], False), (["-e", "1"], True):
        err = run("train", "--missing", "zero", *options, remarks, model)[2]
        check(("advice: most rows have no label: is another column than the last meant?" in err) == advised, f"{options}: {err}")
    for name in ("no", "nab", "??", "n", "NaNs"):
        check(labels_of(train(put("l.csv", rows.format(name)))) == sorted([name, "x", "z"]), f"{name} is a label")
    known = train(put("l.svm", "x 1:1 2:2\nNA 1:2 2:1\nz 1:3 2:1\n"), "--word-labels", model="known")
    result = json.loads(must("predict", "--json", put("l.csv", rows.format("NA").split("\n", 1)[1]), known))
    check((result["rows"], result["unlabelled"]) == (3, 0), f"a label of the model: {result}")
    must("train", "-q", "--resume", known, OUT + "/l.csv", model)


# ---- Predicting ----

def test_predict():
    model = train(put("d", "1 1:1\n-1 2:1\n"))
    out, err = run("predict", put("e", "1:1\n2:1 7:1 9:1\n"), model)[1:]
    check(out == "1\n-1\n", "rows without labels")
    check("2 values" in err and "ignored" in err, "unseen features are counted")
    report = json.loads(must("predict", "--json", OUT + "/e", model))
    check(report["ignored"] == 2 and report["errors"] is None, "also in JSON")
    status, out, err = run("predict", OUT + "/d", model, OUT + "/o")
    check(out == "Accuracy = 100% (2/2)\n" and get(OUT + "/o") == b"1\n-1\n", "LIBLINEAR's line")
    report = json.loads(must("predict", "--json", OUT + "/d", model))
    check(report["rows"] == 2 and report["errors"] == 0 and report["accuracy"] == 1 and
          report["seconds"] >= 0, "JSON of predict")
    before = get(model)
    must("predict", "-q", "-s", OUT + "/d", model, OUT + "/o")
    check(get(model) == before, "predict leaves the model alone")


# ---- Training ----

def test_training():
    rest, test = digits_parts()
    result = report(rest, test=test)
    check(result["test"]["accuracy"] >= 0.93, "digits: 93 %")
    check(set(result) == {"algorithm", "rows", "features", "classes", "epochs", "model_bytes",
                          "normalize", "seconds", "test"}, "keys of the JSON")
    check(result["rows"] == 1497 and result["features"] == 64 and result["classes"] == 10 and
          result["model_bytes"] == os.path.getsize(OUT + "/m"), "numbers of the JSON")
    check([e["epoch"] for e in result["epochs"]] == list(range(1, 11)), "epochs of the JSON")
    status, out, err = run("train", "-t", test, rest, OUT + "/m")
    right = result["test"]["rows"] - result["test"]["errors"]
    check(out == f"Accuracy = {100 * right / 300:g}% ({right}/300)\n", "LIBLINEAR's line of train")
    for rule in ("absolute", "fractional", "pa", "pa1", "pa2"):
        for update in ("predicted", "others", "uniform", "one-vs-rest"):
            accuracy = report(rest, "--rule", rule, "--update", update, "--normalize", "maxabs",
                              test=test)["test"]["accuracy"]
            check(accuracy >= 0.89, f"digits by {rule}, {update}: {accuracy}")
    data, held = put("d", noisy(600, 8, 1)), put("t", noisy(600, 8, 2))
    last = report(data, "-a", "perceptron", test=data)["test"]["errors"]
    pocket = report(data, "-a", "perceptron", "--pocket", test=data)["test"]["errors"]
    check(pocket < last, f"the pocket makes fewer errors: {pocket}, {last}")
    for options in ([], ["-e", "1"], ["-e", "1", "-a", "perceptron"], ["-a", "balanced-winnow"]):
        check_final(data, *options)
    refused(1, "--final needs a linear model", "train", "--final", "-a", "voted", data, OUT + "/m")
    result = report(data, "--validate", "0.2", "--patience", "2", "-e", "50", test=held)
    errors = [e["held_out_errors"] for e in result["epochs"]]
    check(result["rows"] == 480 and len(errors) < 50 and errors.index(min(errors)) == len(errors) - 3,
          f"patience ends two epochs after the best: {errors}")
    report(data, "--weight", "1=5", "--rule", "pa1", "-C", "0.01", test=data)
    must("predict", "-q", data, OUT + "/m", OUT + "/o")
    many = get(OUT + "/o").split().count(b"1")
    report(data, "--weight", "-1=5", "--rule", "pa1", "-C", "0.01")
    must("predict", "-q", data, OUT + "/m", OUT + "/o")
    check(many > get(OUT + "/o").split().count(b"1") + 50, "--weight shifts the balance")
    one = must("predict", "-q", "-s", data, train(data, "--batch", "1"))
    check(one == must("predict", "-q", "-s", data, train(data)), "--batch 1 is online learning")
    whole = report(data, "--batch", "600", "--order", "file", "-e", "1")
    check(whole["epochs"][0]["updates"] == 600, "--batch: every row meets zero weights")
    separable = put("s", "1 1:1\n-1 2:1\n1 1:2\n-1 2:3\n")
    check(len(report(separable, "--stop", "clean")["epochs"]) == 2, "--stop clean")
    uneven = re.sub(r" 2:(\S+)", lambda m: f" 2:{1000 * float(m[1])}", noisy(300, 8, 3))
    for how, text in (("l2", noisy(300, 8, 3)), ("maxabs", uneven)):
        scaled = put("e", text)
        accuracy = report(scaled, "--normalize", how, test=scaled)["test"]["accuracy"]
        check(accuracy > 0.8, f"--normalize {how}: {accuracy}")
    a, b = (get(train(data, "--seed", s)) for s in ("1", "2"))
    check(a != b and a == get(train(data)), "--seed")


# ---- The pocket ----

def whole_numbers(rows, features, seed, noise):
    """Small whole numbers, so that every sum of a few epochs is exact, and labels that no plane divides."""
    draw = random.Random(seed)
    found = []
    for _ in range(rows):
        x = [draw.randint(-3, 3) for _ in range(features)]
        found.append((x, 1 if (sum(x[:2]) > 0) != (draw.random() < noise) else -1))
    return found


def pocket(rows, epochs, zero):
    """Gallant's algorithm: weights of a run longer than that of those in the pocket go there if they also make
    fewer errors; so do, by their errors alone, the last ones. zero: the class at a score of 0. Returns bias and
    weights of the pocket, its errors and those of the last weights."""
    w, run, best, best_run, least = [0] * (len(rows[0][0]) + 1), 0, None, 0, len(rows) + 1
    score = lambda x: w[0] + sum(a * b for a, b in zip(w[1:], x))
    errors = lambda: sum((score(x) > 0 or (score(x) == 0 and zero > 0)) != (y > 0) for x, y in rows)
    for _ in range(epochs):
        for x, y in rows:
            if y * score(x) <= 0:
                w, run = [a + y * b for a, b in zip(w, [1] + x)], 0
                continue
            run += 1
            if run > best_run and errors() < least:
                best, best_run, least = w, run, errors()
    last = errors()
    return (w, last, last) if last < least else (best, least, last)


def test_pocket():
    seen = set()
    for seed, zero, epochs in itertools.product(range(12), (1, -1), (1, 2, 7)):
        rows = whole_numbers(40, 4, seed, 0.2)
        data = put("whole", "".join(f"{y:+d}" + "".join(f" {j + 1}:{v}" for j, v in enumerate(x) if v) + "\n"
                                    for x, y in rows))
        options = ["-a", "perceptron", "-e", str(epochs), "--order", "file"]
        options += ["--zero-class", "negative"] if zero < 0 else []
        expected, least, last = pocket(rows, epochs, zero)
        got = report(data, *options, "--pocket", test=data)["test"]["errors"]
        bias, w = weights(OUT + "/m", 4)
        check([bias, *w] == expected and got == least, f"pocket {seed} {zero} {epochs}: {bias} {w} {got}, {expected} {least}")
        check(report(data, *options, test=data)["test"]["errors"] == last, f"last weights {seed} {zero} {epochs}")
        seen.add((least > last) - (least < last))
    check(seen == {0, -1}, f"the pocket is better, and sometimes the last weights are as good: {seen}")
    for seed in range(20):
        data = put("d", noisy(150, 8, 100 + seed))
        for options in ([], ["-e", "1", "--order", "each"], ["--rule", "pa1"], ["--batch", "4"], ["--zero-class", "negative"]):
            options = ["-a", "perceptron", "--seed", str(seed), *options]
            kept, last = (report(data, *options, *more, test=data)["test"]["errors"] for more in (["--pocket"], []))
            check(kept <= last, f"the pocket makes no more errors: {options} {kept}, {last}")
    three = put("three", "".join(f"{k} {k}:1 {k + 1}:{v}\n" for k in (1, 2, 3) for v in (0.5, 1.5, 2.5)))
    kept, last = (report(three, "-a", "perceptron", *more, test=three)["test"]["errors"] for more in (["--pocket"], []))
    check(kept <= last, f"of three classes, too: {kept}, {last}")
    one = put("one", "+1 1:1\n-1 1:1\n")  # every row is an update: no run, but for the last weights no pocket
    model = train(one, "-a", "perceptron", "-e", "3", "--order", "file", "--pocket")
    check(image_kind(get(model)) == 1, "weights that never had a run")


# ---- The class at a score of 0 ----

def image_word(model, place):
    return struct.unpack_from("<I", model, place)[0]


def image_kind(model):
    return image_word(model, 8)


def with_word(model, place, word):
    """The same model file with another word in its image, and its checksum."""
    section = image_word(model, len(model) - 8)
    end = len(model) - 12 - section
    changed = bytearray(model)
    struct.pack_into("<I", changed, place, word)
    struct.pack_into("<I", changed, end - 4, zlib.crc32(bytes(changed[:end - 4])))
    return bytes(changed)


def test_zero_class():
    data = put("d", noisy(200, 6, 8))
    nothing = put("nothing", "+1\n-1\n")  # without a bias their score is 0
    for options in (["-a", "perceptron"], ["-a", "averaged"], ["-a", "averaged", "--final"],
                    ["-a", "perceptron", "--pocket"], ["-a", "perceptron", "--validate", "0.2"],
                    ["-a", "balanced-winnow", "--eta", "0.1"], ["-a", "voted"], ["-a", "kernel", "--kernel", "poly", "--coef0", "0"],
                    ["-a", "kernel", "--kernel", "poly", "--coef0", "0", "--budget", "9", "--policy", "oldest"]):
        options += [] if "winnow" in options[1] else ["-B", "0"]
        budget = options[options.index("--budget"):][:4] if "--budget" in options else []
        for zero, label in (("positive", "1"), ("negative", "-1")):
            model = train(data, "-e", "2", "--zero-class", zero, *options, model="zero")
            scores = [] if "voted" in options else ["-s", "--no-header"]  # votes of scores of 0 are not 0
            check(predictions(nothing, model, *scores) == [label + " 0" * bool(scores)] * 2,
                  f"a score of 0 {options} {zero}")
            content, negative = get(model), zero == "negative"
            kernel = image_kind(content) == 3
            place, bit = (84, 2) if kernel else (12, 512)
            check((image_word(content, place) & bit != 0) == negative, f"the image says it {options} {zero}")
            more = get(train(data, "-e", "1", *budget, "--resume", model, model="more"))
            check(image_word(more, place) & bit == image_word(content, place) & bit, f"and goes on {options} {zero}")
    still = put("still", "1 1:0\n-1 1:0\n")  # rows that no rule but the fixed one learns from
    for decision in ("last", "averaged", "voted"):
        model = train(still, "-a", "voted", "-B", "0", "--rule", "pa", "--decision", decision)
        check(predictions(still, model, "-s", "--no-header") == ["1 0"] * 2, f"nothing learned, {decision}")


# ---- Winnow ----

WINNOW = ("winnow", "winnow1", "winnow2", "balanced-winnow")


def words(rows, features, seed, absent=False, noise=0):
    """Rows of 0/1 features, or of signs: positive if feature 1 or 2 is on, now and then turned round."""
    draw = random.Random(seed)
    lines = []
    for _ in range(rows):
        on = {j for j in range(1, features + 1) if draw.random() < 0.2}
        y = 1 if (on & {1, 2} != set()) != (draw.random() < noise) else -1
        present = (j if j in on else -j if absent else 0 for j in range(1, features + 1))
        lines.append(f"{y:+d}" + "".join(f" {abs(j)}:{1 if j > 0 else -1}" for j in present if j))
    return "\n".join(lines) + "\n"


def weights(model, features):
    """The score of a row without features, and the weight of each feature."""
    rows = put("rows", "+1\n" + "".join(f"+1 {j}:1\n" for j in range(1, features + 1)))
    lines = predictions(rows, model, "-s", "--no-header")
    nothing, *one = (float(line.split()[1]) for line in lines)
    return nothing, [score - nothing for score in one]


def check_final(data, *options):
    """--final: the same predictions from a smaller file, which is a start to learn from."""
    whole, final = train(data, *options, model="whole"), train(data, "--final", *options, model="final")
    check(predictions(data, whole, "--scores") == predictions(data, final, "--scores"), f"--final {options}")
    nothing_more = "perceptron" in options
    check((os.path.getsize(final) < os.path.getsize(whole)) != nothing_more, f"--final {options}: smaller")
    must("train", "-q", "-e", "1", "--resume", final, data, OUT + "/more")


def check_kept(name, *keep):
    """Weights kept without their exponents: the next update multiplies them as it would have."""
    data = put("d", words(400, 9, 4, noise=0.05))
    kept = train(data, "-a", name, "--threshold", "0", *keep, model="kept")
    one = put("one", "+1 1:1 2:1 9:1\n")
    after = train(one, "-e", "1", "--margin", "1e9", "--resume", kept, model="after")
    step = 0.1 / math.log(2) if name == "winnow" else 1
    for j, (old, new) in enumerate(zip(weights(kept, 9)[1], weights(after, 9)[1])):
        want = old
        if j in (0, 1, 8):
            e = math.asinh(old / 2) / math.log(2) + step
            want = 2**e - 2**-e if name == "balanced-winnow" else old * 2**step
        check(abs(new - want) <= 1e-5 * max(1, abs(want)), f"{name} {keep} {j}: {old} to {new}, {want}")


def test_winnow():
    for name in WINNOW:
        absent = name == "winnow"  # all its weights are positive, so there must be negative values
        data, held = put("w", words(800, 30, 1, absent)), put("t", words(400, 30, 2, absent))
        result = report(data, "-a", name, test=held)
        enough = 0.8 if name == "winnow" else 0.95
        check(result["algorithm"] == name and result["test"]["accuracy"] > enough,
              f"{name} learns: {result['test']}")
        threshold = 30 if name in ("winnow1", "winnow2") else 0
        check(weights(OUT + "/m", 30)[0] == -threshold, f"{name}: threshold {threshold}")
        check(weights(train(data, "-a", name, "--threshold", "2.5"), 30)[0] == -2.5, "--threshold")
        for keep in (["--pocket"], ["--validate", "0.2", "--patience", "3"]):
            check_kept(name, *keep)
        stream = train("-", "--online", "--classes=-1,1", "--features", "30", "-a", name, stdin=get(data))
        collected = train(data, "-a", name, "-e", "1", "--order", "file")
        check(weights(stream, 30) == weights(collected, 30), f"{name} in a stream")
        for wrong in (["--rule", "pa"], ["--rate", "2"], ["-B", "1"], ["--alpha", "1"],
                      ["--alpha", "2", "--eta", "1"]):
            check(run("train", "-a", name, *wrong, data, OUT + "/m")[0] == 1, f"{name} {wrong}")
        refused(1, "takes it from the model", "train", "--threshold", "1", "--resume", OUT + "/kept", data)
        refused(1, "threshold", "train", "-B", "1", "--resume", OUT + "/kept", data, OUT + "/m")
    factor = [image(train(data, "-a", "winnow2", *o)) for o in (["--alpha", "2"], [],
                                                            ["--eta", "0.6931471805599453"])]
    check(factor[0] == factor[1] == factor[2], "--alpha 2 is the default and --eta ln 2")
    for option in ("--alpha", "--eta", "--threshold"):
        refused(1, "Winnow", "train", option, "2", data, OUT + "/m")
    three = put("d", "".join(f"{k} {k}:1 {k + 3}:1 9:1\n" for k in (1, 2, 3)) * 9)
    refused(2, "two classes", "train", "-a", "winnow1", three, OUT + "/m")
    for name in ("winnow", "winnow2", "balanced-winnow"):
        for update in ("predicted", "others", "uniform", "one-vs-rest"):
            check(report(three, "-a", name, "--update", update, test=three)["test"]["errors"] == 0,
                  f"three classes by {name}, {update}")


# ---- Going on, and streaming ----

def test_resume():
    binary = put("d", noisy(500, 20, 5))
    for data, *options in ((DIGITS,), (binary, "-B", "2", "--zero-class", "negative"), (digits_svm(), "--batch", "7")):
        whole = get(train(data, "-e", "6", *options, model="whole"))
        half = train(data, "-e", "2", *options, model="half")
        check(get(train(data, "-e", "4", "--resume", half, model="more")) == whole, f"resume {data} {options}")
    lines = get(binary).split(b"\n")[:-1]
    known = ["-e", "1", "--classes=-1,1", "--features", "20", "--rows", "sparse"]
    whole = image(train("-", *known, stdin=get(binary), model="whole"))
    check(image(train(binary, *known, "--order", "file")) == whole, "a file that is read whole")
    part = train("-", *known, stdin=b"\n".join(lines[:300]) + b"\n", model="part")
    rest = train("-", "-e", "1", "--order", "file", "--resume", part,
                 stdin=b"\n".join(lines[300:]) + b"\n", model="rest")
    check(image(rest) == whole, "a stream in two parts")
    seen = json.loads(must("train", "--json", "-q", *known, "-", OUT + "/m", stdin=get(binary)))
    check(seen["rows"] == 500 and len(seen["epochs"]) == 1, "JSON of a stream")
    refused(2, "standard input:1:", "train", "-q", "--features", "3", "--classes", "2", "-", OUT + "/m",
            stdin=b"1 4:1\n")
    refused(2, "label 3 is one more than 2", "train", "-q", "--features", "3", "--classes", "2", "-", OUT + "/m",
            stdin=b"1 1:1\n2 1:1\n3 1:1\n")
    train("-", "--features", "3", "--classes", "3", stdin=b"1 1:1\n2 1:1\n")  # a bound


def test_order_goes_on():
    """--resume keeps the order that the model was trained in, for one more epoch, too, where an anew begun one is that of
    the file. Order matters: the rows are sorted by their labels."""
    rows = "".join(sorted(noisy(400, 9, 8).splitlines(keepends=True)))
    data = put("sorted", rows)
    for options in ([], ["-a", "perceptron", "--seed", "5"], ["--order", "once"], ["--order", "file"], ["-a", "kernel"],
                    ["--stop", "clean"], ["--shards", "3"], ["-a", "arow", "--seed", "2"]):
        whole = get(train(data, "-e", "4", *options, model="whole"))
        three = train(data, "-e", "3", *options, model="three")
        check(get(train(data, "-e", "1", "--resume", three, model="four")) == whole, f"-e 3, and -e 1 more: {options}")
        check(get(train("-", "-e", "1", "--resume", three, model="four", stdin=rows.encode())) == whole,
              f"through a pipe: {options}")
    three, one = train(data, "-e", "3", model="three"), train(data, "-e", "1", model="one")
    in_turn = train(data, "--resume", three, "-e", "1", "--order", "file", model="turn")
    check(image(in_turn) != image(train(data, "--resume", three, "-e", "1")), "the order makes a difference")
    check(image(train(data, "--resume", in_turn, "-e", "1")) ==
          image(train(data, "--resume", in_turn, "-e", "1", "--order", "file")), "asked for, it is the model's")
    check(image(train(data, "--resume", three, "--online")) == image(in_turn), "--online keeps no rows")
    check(image(train(data, "--resume", one, "-e", "1")) ==
          image(train(data, "--resume", one, "-e", "1", "--order", "file")), "one epoch, and one more, are of the file")
    drawn, later = train(data, "-e", "2", "--seed", "5", model="drawn"), OUT + "/later"
    train(data, "--online", "--resume", drawn, model="later")
    check(b"seed=5" in get(later), "a pass in the order of the file forgets no seed")


def test_bytes_with_test_rows():
    """-t FILE reads other rows and counts errors, and changes no byte of the model."""
    draw = random.Random(4)
    few = "1 1:1 2:1 3:2\n2 1:1 2:2 4:1\n"  # half of the values: the first rows alone would be dense
    wide = put("wide", few + "".join(f"{draw.choice('12')} " + " ".join(
        f"{j}:{draw.randint(1, 9)}" for j in sorted(draw.sample(range(1, 90), 4))) + "\n" for _ in range(200)))
    other = put("other", "1 1:1 300:2\n2 2:1\n")
    table = put("a.csv", "a,kind,y\n" + "".join(f"{k % 7},{'xyz'[k % 3]},{'pq'[k % 5 > 1]}\n" for k in range(90)))
    strange = put("b.csv", "y,a,kind\nq,3,new\n")
    for data, test, name in itertools.product((wide, DIGITS, table), (0, 1), ("averaged", "arow", "balanced-winnow", "kernel")):
        test = (data, {wide: other, table: strange}.get(data, data))[test]
        for more in (["-e", "1"], ["-e", "3"], ["-e", "1", "--normalize", "l2"], ["-e", "3", "--normalize", "maxabs"]):
            options = ["-a", name, *more, *(["--binarize"] if "winnow" in name else [])]
            check(get(train(data, *options, model="alone")) == get(train(data, *options, "-t", test, model="tested")),
                  f"-t {test} changes the model of {data} {options}")


def peak(rows, *arguments):
    """Peak memory in KiB while learning that many rows through a pipe, but for the last 64 KiB."""
    child = subprocess.Popen([PROGRAM, *plainly(["train", "-q", *arguments, "-", OUT + "/m"])],
                             stdin=subprocess.PIPE)
    block = noisy(200, 20, 9).encode()
    for _ in range(rows // 200):
        child.stdin.write(block)
    with open(f"/proc/{child.pid}/status") as status:
        memory = [int(line.split()[1]) for line in status if line.startswith("VmHWM")][0]
    child.stdin.close()
    check(child.wait() == 0, f"streaming {arguments}")
    return memory


def test_memory():
    if not os.path.exists("/proc/self/status"):
        return skip("peak memory needs /proc")
    known = ["-e", "1"]
    few, many = peak(2000, *known), peak(100000, *known)
    check(many < few + 500, f"a stream is learned in constant memory: {few}, {many} KiB")
    check(peak(100000) > few + 5000, "collecting takes more, so the check above can fail")
    block = noisy(200, 20, 9).encode()
    data = put("large", block * 100)
    few = peak_of_file(data, "-e", "1")
    data = put("large", block * (40000000 // len(block)))
    many = peak_of_file(data, "-e", "1")
    check(many < few + 500 and many < 8000, f"one epoch keeps no rows: {few}, {many} KiB")
    check(peak_of_file(data, "-e", "2") > 20000, "two epochs do")
    names = ",".join(f"f{i}" for i in range(5000))
    wide = names + ",y\n" + "0," * 5000 + "0\n" + "1," * 5000 + "1\n"
    model = train(put("large", wide), "-e", "1", "--missing", "zero", model="wide")
    narrow = ("f1,y\n" + "0,0\n1,1\n" * 2000).encode()
    memory = peak_of_file(put("large", narrow), "-e", "1", "--resume", model, test=narrow[:13])
    check(memory < 12000, f"blocks of rows that are longer than their text: {memory} KiB")
    os.remove(data)


def peak_of_file(data, *arguments, test=BASE):
    """Peak memory in KiB of learning from a file, at the time when the test rows are asked for."""
    queue = OUT + "/queue"
    if os.path.exists(queue):
        os.remove(queue)
    os.mkfifo(queue)
    child = subprocess.Popen([PROGRAM, *plainly(["train", "-q", *arguments, "-t", queue, data, OUT + "/m"])],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        try:
            file = os.open(queue, os.O_WRONLY | os.O_NONBLOCK)
            break
        except OSError:  # nobody reads yet
            if child.poll() is not None:
                check(False, f"one epoch {arguments} ends before it asks for test rows")
                return 0
            time.sleep(0.001)
    with os.fdopen(file, "wb") as rows:
        with open(f"/proc/{child.pid}/status") as status:
            memory = [int(line.split()[1]) for line in status if line.startswith("VmHWM")][0]
        rows.write(test)
    check(child.wait() == 0, f"one epoch {arguments}")
    os.remove(queue)
    return memory


def test_arrival():
    """Rows are learned as they arrive: an error of learning ends the program while the pipe is open."""
    known = ["-e", "1", "--features", "2"]
    csv = ["--format", "csv", *known]
    rows = b"1 1:1\n0 1:3e38\n1 1:3e38\n"
    cases = ((known, rows), (known, rows + b"1 1:"), (csv, b"1,1,1\n3e38,1,0\n3e38,1,1\n\"1\n"))
    for (options, text), threads in itertools.product(cases, "12"):
        command = [PROGRAM, *plainly(["train", "-q", "--threads", threads, *options, "-", OUT + "/m"])]
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        child.stdin.write(text)
        child.stdin.flush()
        try:
            status = child.wait(timeout=20)
        except subprocess.TimeoutExpired:
            status = "none"
            child.kill()
        check(status == 2 and b"standard input:2: NaN" in child.stderr.read(), f"{text} in time, {threads} threads: {status}")
        child.communicate()


def test_no_thread():
    """Where no second thread can be had, the first one reads: stacks of 1 GB do not fit into half of it."""
    limits = "ulimit -s 1000000 && ulimit -v 500000 && exec "
    if subprocess.run(["sh", "-c", limits + "true"], stderr=subprocess.DEVNULL).returncode != 0:
        return skip("threads that cannot be had: the limit of the stack cannot be raised")
    if not os.path.exists("/proc/self/task"):
        return skip("threads that cannot be had: to count threads needs /proc")
    text = noisy(4000, 20, 5).encode()
    expected, threads = get(train(put("d", text), "-e", "1")), []
    for limit in ("exec ", limits):
        command = f"{limit}{PROGRAM} train --textbook -a averaged --stop never --force -q -e 1 --threads 2 - {OUT}/m"
        child = subprocess.Popen(["sh", "-c", command], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        child.stdin.write(text)
        child.stdin.flush()
        threads.append(len(os.listdir(f"/proc/{child.pid}/task")))
        _, err = child.communicate()
        check(child.returncode == 0 and err == b"" and get(OUT + "/m") == expected,
              f"{threads[-1]} threads: status {child.returncode} {err}")
    check(threads == [2, 1], f"threads with and without limits: {threads}")


# ---- Errors ----

def test_errors():
    named = put("named.csv", "a,b,y\n1,2,u\n2,1,v\n")
    refused(2, "the first line names 2 features: leave --features 8 out", "train", "--features", "8", named, OUT + "/m")
    bare = put("bare.csv", "1,2,u\n2,1,v\n")
    for way in [], ["-e", "1"], ["--online"]:  # predict would not take the file that was learned
        refused(2, "each row has 2 features: leave --features 8 out", "train", *way, "--features", "8", bare, OUT + "/m")
    good = put("d", BASE)
    for arguments in ([], ["train"], ["train", "a", "b", "c"], ["train", "-e", "x", good], ["train", "-e", "0", good],
                      ["train", "-a", "winno", good], ["train", "--rule", "pa3", good], ["train", "--bias", "-1", good],
                      ["train", "--bias", "nan", good], ["train", "-"], ["predict", good], ["train", "--features", "0", good],
                      ["train", "--classes", "1", good], ["train", "--pocket", good],
                      ["train", "--weight", "1=2", "--rule", "pa", good],
                      ["train", "-t", "-", "-", OUT + "/m"], ["predict", "-", "-"]):
        status, out, err = run(*arguments, cwd=".")
        check(status == 1 and out == "" and err != "", f"{arguments} is a usage error: {status} {err}")
    refused(3, "No such file", "train", OUT + "/absent", OUT + "/m")
    refused(3, "Is a directory", "train", OUT, OUT + "/m")
    refused(3, "absent", "train", good, OUT + "/absent/m")
    refused(3, "No such file", "predict", good, OUT + "/absent")
    model = train(good)
    if os.path.exists("/dev/full"):
        refused(3, "No space", "train", "-q", good, "/dev/full")
        refused(3, "No space", "predict", "-q", good, model, "/dev/full")
        with open("/dev/full", "w") as full:
            for arguments in (["predict", "-q", good, model], ["train", "-q", good, "-"],
                              ["predict", "--json", good, model]):
                done = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE)
                check(done.returncode == 3, f"{arguments} to a full disk")
    kept = get(model)
    refused(2, "finite", "train", put("bad", BASE + b"1 1:x\n"), model)
    check(get(model) == kept, "bad input leaves the old model")
    must("train", "-q", "-a", "perceptron", good, "-")
    check(sorted(os.listdir(OUT)) == sorted(n for n in os.listdir(OUT) if ".m" not in n and
                                            not n.startswith("m.")), "no temporary file is left")
    limited = "ulimit -v 100000; exec " + PROGRAM + " train -q --max-dim 2000000000 "
    huge = put("huge", "1 1999999999:1\n-1 1:1\n")
    done = subprocess.run(["sh", "-c", limited + huge + " " + model], capture_output=True, text=True)
    check(done.returncode == 4 and "out of memory" in done.stderr and get(model) == kept,
          f"out of memory: {done.returncode} {done.stderr}")
    overflow = put("o", "1 1:3e38\n-1 1:3e38\n1 1:3e38\n-1 1:2e38\n")
    refused(2, "row 1 of the data: NaN, infinity or overflow", "train", "--order", "file", overflow, model)
    check(get(model) == kept, "and the old model stays")


def test_outputs():
    """A file is replaced only by its like, and no input ever."""
    data, text = put("d", BASE), "1,2,y\n3,4,z\n"
    model, rows = train(data), put("rows.csv", text)
    refused(1, "rows.csv is no model; test rows go after -t", "train", data, rows, force=False)
    refused(1, "is no model", "import", put("text", "x"), rows, force=False)
    refused(1, "is no export", "export", model, rows, force=False)
    refused(1, "is no export", "export", "--format", "libsvm", model, rows, force=False)
    refused(1, "holds no predictions", "predict", data, model, rows, force=False)
    refused(1, "holds no predictions", "predict", data, model, put("p", "1\n-1 0.5 2 3 4 5\n"), force=False)
    check(get(rows).decode() == text, "the rows are still there")
    os.path.exists(OUT + "/link") or os.link(data, OUT + "/link")
    kept = get(model)
    for force in ([], ["--force"]):
        for inputs in (["train", data, data], ["train", data, OUT + "/link"], ["train", "-t", data, rows, data],
                       ["predict", data, model, data],
                       ["predict", data, model, model], ["export", model, model], ["import", rows, rows]):
            refused(1, "is an input", *inputs[:1], *force, *inputs[1:], force=False)
    os.unlink(OUT + "/link")
    check(get(data) == BASE and get(model) == kept, "inputs stay")
    for old in ("", "1\n-1\n", "1 0.5\n-1 -1e-05\n"):
        must("predict", "-q", data, model, put("p", old), force=False)
    must("predict", "-q", "--force", data, model, put("p", text), force=False)
    must("export", "--force", model, rows, force=False)
    must("export", model, rows, force=False)
    must("train", "-q", "--resume", model, data, model, force=False)
    must("train", "-q", "--force", data, rows, force=False)
    must("train", "-q", data, rows, force=False)


def test_links():
    """The file that a link names is written, and the link stays, whether that file is there or not."""
    data, folder = put("d", BASE), OUT + "/linked"
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder + "/there")
    links = {"near": "there/m", "chain": "near", "whole": os.path.abspath(folder + "/there/whole"),
             "lost": "absent/m", "round": "round"}
    for name, target in links.items():
        os.symlink(target, f"{folder}/{name}")
    expected = get(train(data))
    for _ in range(2):  # no file, then one to be replaced
        for name in ("chain", "whole"):
            must("train", "-q", data, f"{folder}/{name}", force=False)
        check(get(folder + "/there/m") == get(folder + "/there/whole") == expected, "the files are written")
        put("linked/there/m", b"")
    refused(3, "lost: No such file or directory", "train", data, folder + "/lost")
    refused(3, "round: Too many levels of symbolic links", "train", data, folder + "/round")
    refused(1, "is to hold two outputs", "train", "--plot", folder + "/near", data, folder + "/chain")
    check({name: os.readlink(f"{folder}/{name}") for name in links} == links and
          sorted(os.listdir(folder)) == sorted([*links, "there"]) and
          sorted(os.listdir(folder + "/there")) == ["m", "whole"], "links stay, and nothing else is there")


def leftovers():
    """Temporary files of outputs."""
    return [name for name in os.listdir(OUT) if re.search(r"\.perceptron-\w{6}$", name)]


def test_hints():
    """What is shown is no terminal's command, long fields leave room for the hint, and near misses are named."""
    odd = put("esc.csv", "a\033[31mRED,b,y\n1,\"foo\nbar\",x\n2,\033]0;pwn\007q,z\n3,\302\233x\177,\tq\033c\n")
    status, out, err = run("train", odd, OUT + "/m")
    shown = must("show", OUT + "/m") + must("show", train(odd, "-a", "kernel", "--ignore", "a\033[31mRED")) + err
    check(status == 0 and not re.search("[\0-\x09\x0b-\x1f\x7f-\x9f]", shown), f"control characters: {shown!r}")
    check("a\\x1b[31mRED" in shown and "b=foo\\nbar" in shown and "\\x1b]0;pwn\\x07q" in shown, f"shown as: {shown}")
    check("\\xc2\\x9bx\\x7f" in shown and "for q\\x1bc" in shown, f"and as: {shown}")
    check("b=caf\u00e9" in must("show", train(put("e.csv", "a,b,y\n1,caf\u00e9,x\n2,u,z\n"))), "letters stay")
    refused(2, "label q\\x1b[c is not one of the model's", "train", "--fixed", "--resume", train(odd),
            put("e.csv", "a\033[31mRED,b,y\n1,\"foo\nbar\",q\033[c\n"), OUT + "/n")
    refused(2, "'b=\\x1b[1' is not one of the model's features", "train", "--fixed", "--resume", train(odd),
            put("e.csv", "a\033[31mRED,b,y\n1,\033[1,x\n"), OUT + "/n")
    long = put("e.csv", "x,l\n1,a\n" + "y" * 500 + ",b\n")
    refused(2, "'" + "y" * 60 + " ...' is not a finite decimal number: --ignore 'x' leaves the column out, "
            "--nominal 'x' takes its values as texts", "train", "--header", long, OUT + "/m")
    name = "n" * 3000
    refused(2, "--ignore 1 leaves the column out", "train", "--header", put("e.csv", f"{name},l\n1,a\ny,b\n"), OUT + "/m")
    long = put("e.csv", "x,l\n1,a\n" + "\u00e9" * 99 + ",b\n")
    refused(2, "'" + "\u00e9" * 30 + " ...' is not", "train", "--header", long, OUT + "/m")
    for bad, says in (("9" * 99 + ":1", "index " + "9" * 60 + " ... is above"),
                      ("z" * 99, "'" + "z" * 60 + " ...' is not"),
                      ("1:" + "z" * 99, "'" + "z" * 60 + " ...' is not a finite"),
                      ("1:1,5", "'1,5' has a decimal comma")):
        refused(2, says, "train", put("e", BASE + f"1 {bad}\n".encode()), OUT + "/m")
    data = put("d", BASE)
    model = train(data)
    refused(1, f"DATA comes before MODEL: perceptron predict {data} {model}", "predict", model, data)
    refused(2, "a model file, where rows are wanted", "predict", model, model)
    for word, command in (("trian", "train"), ("pedict", "predict"), ("shwo", "show"), ("exprt", "export"),
                          ("Train", "train")):
        refused(1, f"'{word}' is not a command: is {command} meant?", word, data)
    refused(1, "'walk' is not a command: train, compare, predict", "walk", data)
    refused(1, "'walk' is not a command: train, compare, predict", "help", "walk")
    check(must("help") == must("--help") and must("help", "show") == must("show", "--help"), "help")


def test_idle_options():
    """What changes nothing that anybody could mean is accepted, and leaves no trace; what misleads is refused."""
    two, three = put("d", BASE * 9), put("e", BASE * 9 + b"7 2:1\n")
    for data, words, *idle in (
            (two, ["-e", "1"], ["--stop", "clean"], ["--stop", "window"], ["--checkpoint", "3"], ["--seed", "7"],
             ["--validate", "0.3", "--patience", "3"]),
            (two, [], ["--update", "others"], ["--update", "uniform"], ["--update", "one-vs-rest"], ["--threads", "7"]),
            (two, ["-a", "arow"], ["--update", "one-vs-rest"]),
            (three, [], ["--zero-class", "negative"]),
            (two, ["-a", "perceptron", "--pocket"], ["--final"]), (two, ["--validate", "0.3"], ["--final"]),
            (two, ["--order", "file"], ["--seed", "7"]),
            (DIGITS, ["-e", "1"], ["--sort"], ["--word-labels"])):
        for more in idle:
            base = words + more[:-2] if "--patience" in more else words
            check(get(train(data, *base)) == get(train(data, *words, *more, model="n")), f"{words} {more}")
    model = train(three)
    check(must("predict", "-q", "--no-header", three, model) == must("predict", "-q", three, model), "--no-header")
    check("errors" in json.loads(must("predict", "--json", "-q", three, model)), "predict --json -q")
    named = train(put("named.csv", "a,b,y\n1,2,x\n2,1,z\n"), model="named")
    export = "export", "--bits", "8", "-t", OUT + "/named.csv", "--test-format", "csv"
    check(must(*export, named, OUT + "/x.h") == must(*export, "--sort", "--word-labels", named, OUT + "/x.h"), "of export, too")
    check(must("show", named) == must("show", "--zero-based", named), "show --zero-based")
    for says, data, *words in (("--rate needs --rule fixed", two, "--rule", "pa", "--rate", "2"),
                               ("--update needs more than two labels, and", two, "-a", "arow", "--update", "others"),
                               ("--patience needs --validate", two, "--patience", "3"),
                               ("--report needs --test", two, "--report"), ("--label needs rows of CSV", two, "--label", "1"),
                               ("--zero-based needs rows of libsvm", DIGITS, "--zero-based"),
                               ("--final needs a linear model", two, "-a", "voted", "--final"),
                               ("--validate 0.01 of 18 rows leaves one side empty: hold back", two, "--validate", "0.01")):
        refused(1, says, "train", *words, data, OUT + "/none")
    refused(1, "--algorithm cannot be given with --resume, which takes it from the model: leave it out", "train",
            "--resume", model, "-a", "arow", three, OUT + "/none")
    refused(1, "this one has them: leave it out", "show", "--names", two, named)


def test_long_rows():
    """The time of a row that is not sorted grows as its length, and a little more."""
    seconds = []
    for n in (20000, 200000):
        descending = put("d", "1 " + " ".join(f"{i}:{i % 7}" for i in range(n, 0, -1)) + "\n-1 1:1\n")
        before = os.times()
        model = train(descending, "--sort", "-e", "1")
        seconds.append(os.times().children_user - before.children_user)
    check(seconds[1] < 0.5 + 30 * seconds[0], f"a row of ten times as many values: {seconds}")
    ascending = put("e", "1 " + " ".join(f"{i}:{i % 7}" for i in range(1, n + 1)) + "\n-1 1:1\n")
    check(image(model) == image(train(ascending, "-e", "1", model="n")), "the same rows")


def test_leftovers():
    """What a run that was killed leaves, the next one with this output removes; nothing else."""
    data, model = put("d", BASE), OUT + "/killed.model"
    others = [OUT + "/" + name for name in (
        "killed.model.backup", "killed.model.perceptron-12345", "killed.model.perceptron",
        "killed.model.perceptron-1234567", "other.model.perceptron-123456", "killed.model-perceptron-123456")]
    for path in others:
        put(os.path.basename(path), "kept")
    os.makedirs(OUT + "/killed.model.perceptron-folder", exist_ok=True)
    before = leftovers()
    pipe = subprocess.Popen([PROGRAM, *plainly(["train", "-q", "--force", "-", model])], stdin=subprocess.PIPE)
    while leftovers() == before:
        time.sleep(0.01)
    alive = leftovers()
    must("train", "-q", data, model)
    check(leftovers() == alive, "that of a run that lives stays")
    pipe.kill()
    pipe.wait()
    check(leftovers() == alive, "a killed run leaves its own")
    must("train", "-q", data, model)
    check(leftovers() == before, f"the next one removes it: {leftovers()}")
    check(all(os.path.exists(path) for path in others) and os.path.isdir(OUT + "/killed.model.perceptron-folder"),
          "and nothing else")
    for path in others:
        os.unlink(path)
    os.unlink(model)
    os.rmdir(OUT + "/killed.model.perceptron-folder")


def test_lost():
    """An output that cannot be finished: the old one stays, and nothing else."""
    data = put("d", noisy(3000, 20, 5))
    bad = put("e", get(data) + b"1 1:x\n")
    model = train(data)
    kept, rows = get(model), put("p", b"1\n")
    for threads in "12":
        refused(2, "e:3001:5: ", "predict", "-q", "--threads", threads, bad, model, rows)
        refused(2, "e:3001:5: ", "train", "-q", "-e", "1", "--threads", threads, bad, model)
    check(get(rows) == b"1\n" and get(model) == kept and not leftovers(), f"after errors in text: {leftovers()}")
    seen = set()
    for limit, threads in itertools.product(range(3000, 9000, 100), "12"):
        if subprocess.run(["sh", "-c", f"ulimit -v {limit}; exec {PROGRAM} --version"], capture_output=True).returncode != 0:
            continue  # the loader has no room
        limited = f"ulimit -v {limit}; exec {PROGRAM} predict --force -q --threads {threads} {data} {model} {rows}"
        done = subprocess.run(["sh", "-c", limited], capture_output=True, text=True)
        begun = f"ulimit -v {limit}; exec {PROGRAM} --version"
        if done.returncode not in (0, 4) and subprocess.run(["sh", "-c", begun], capture_output=True).returncode:
            continue  # there is no room for the program itself
        seen.add(4 if "Cannot allocate memory" in done.stderr else done.returncode)
        check(done.returncode != 4 or done.stderr.startswith("perceptron: out of memory"), f"{limit}: {done.stderr}")
    check(seen == {0, 4} and not leftovers(), f"after errors of memory: {seen} {leftovers()}")
    source = put("unsafe.c", "#include <errno.h>\nint fsync(int file) { errno = EIO; return -(file >= 0); }\n")
    library = OUT + "/unsafe.so"
    if not shutil.which("gcc") or subprocess.run(["gcc", "-shared", "-fPIC", source, "-o", library]).returncode != 0:
        return skip("a disk that cannot keep what was written: needs gcc")
    unsafe = {**os.environ, "LD_PRELOAD": os.path.abspath(library)}
    kept = [put("p", b"1\n"), model]
    content = [get(path) for path in kept]
    refused(3, "m: Input/output error", "train", "-q", "-e", "3", data, model, env=unsafe)
    refused(3, "p: Input/output error", "predict", "-q", data, model, rows, env=unsafe)
    check([get(path) for path in kept] == content and not leftovers(), f"no name before it is safe: {leftovers()}")
    check(len(must("predict", "-q", data, model, "-", env=unsafe)) > 3000, "standard output is not waited for")


def test_damage():
    model = train(put("d", noisy(50, 6, 4)), "--normalize", "maxabs")
    content = get(model)
    for size in range(len(content)):
        status, out, err = run("predict", OUT + "/d", put("damaged", content[:size]))
        check(status == 2 and "cut short" in err, f"a model cut at {size}: {status} {err}")
    for bit in range(0, 8 * len(content), 3):
        flipped = bytearray(content)
        flipped[bit // 8] ^= 1 << bit % 8
        status, out, err = run("predict", OUT + "/d", put("damaged", bytes(flipped)))
        check(status == 2 and out == "", f"a model with bit {bit} flipped: {status}")
    refused(2, "not a model", "train", "--resume", OUT + "/d", OUT + "/d", OUT + "/m")
    check(run("predict", "-q", OUT + "/d", put("longer", content + b"x"))[0] == 2, "a longer model")


# ---- Voted and kernel models ----

def test_kernel():
    rings = "".join(f"{(i % 2) * 2 - 1} 1:{(1 + i % 2) * x:.4f} 2:{(1 + i % 2) * y:.4f}\n"
                    for i, (x, y) in enumerate((math.cos(t * 2.4), math.sin(t * 2.4)) for t in range(200)))
    data = put("rings", rings)
    table = put("rings.csv", as_table(rings, 2))
    linear = report(data, "-a", "voted", test=data)["test"]["accuracy"]
    result = report(data, "-a", "kernel", "--gamma", "1", test=data)
    check(linear < 0.8 and result["test"]["accuracy"] == 1 and 0 < result["support_vectors"] < 100,
          f"rings: {linear}, {result['test']}")
    check(predictions(data, train(data, "-a", "kernel")) ==
          predictions(table, train(table, "-a", "kernel", model="n")), "libsvm == CSV for kernels")
    model = train(data, "-a", "kernel", "--kernel", "poly", "--degree", "2")
    several = {d: must("predict", "-q", "-s", "--decision", d, data, model)
               for d in ("last", "averaged", "voted")}
    check(len(set(several.values())) == 3, "three decisions from one model")
    check(several["last"] == must("predict", "-q", "-s", data, model), "kernel: last is the default")
    for policy in ("stop", "oldest", "random", "forgetron", "projectron"):
        for rows in (data, table):
            check(report(rows, "-a", "kernel", "--budget", "9", "--policy", policy)["support_vectors"] <= 9, f"{policy} keeps the budget")
    many = put("many", "".join(f"{k} {k}:1 {k + 1}:0.5\n" for k in (3, 1, 2)) * 3)
    check(predictions(many, train(many, "-a", "voted")) == ["3", "1", "2"] * 3, "voted, three classes")
    forgets = train(data, "-a", "kernel", "--budget", "9", "--policy", "oldest")
    for arguments in (["predict", "--decision", "voted", data, forgets],
                      ["predict", "--decision", "last", data, train(data, model="n")],
                      ["train", "--kernel", "rbf", data], ["train", "--budget", "3", data],
                      ["train", "-a", "kernel", "--policy", "oldest", data],
                      ["train", "-a", "kernel", "--batch", "3", data],
                      ["train", "-a", "kernel", "--kernel", "cubic", data],
                      ["train", "-a", "voted", "--budget", "9", "--policy", "random", "--decision",
                       "voted", data]):
        check(run(*arguments)[0] == 1, f"{arguments} is a usage error")
    check_slots(table)
    check_many_features(data, table)
    refused(1, "two labels", "train", "-a", "kernel", "--budget", "9", "--policy", "forgetron", many, OUT + "/m")


def check_slots(table):
    """Stored vectors that do not stand where they should, under a right checksum: in dense models one behind
    the other, each with all features."""
    model = train(table, "-a", "kernel", "--gamma", "1", "--budget", "4", "--policy", "oldest", model="slots")
    content = get(model)
    features, last = image_word(content, 16), image_word(content, 24) - 1
    check(last == 3 and [image_word(content, 104 + 12 * s) for s in range(4)] == [s * features for s in range(4)],
          "four slots")
    for slot, start, count in ((1, 1, features), (0, 0, 1), (last, features * last, features - 1), (1, features + 1, features),
                               (0, 0, 0), (0, 0, features + 1), (0, 2**32 - 1, features), (last, 2**32 - 2, 2**32 - 1),
                               (1, 0, features)):
        bad = put("slots", with_word(with_word(content, 104 + 12 * slot, start), 108 + 12 * slot, count))
        for arguments in (["predict", "-q", table, bad, "/dev/null"], ["export", bad, OUT + "/slots.h"],
                          ["export", "--format", "libsvm", bad, OUT + "/slots.svm"],
                          ["train", "-q", "--resume", bad, table, OUT + "/n"]):
            refused(2, "not an image, cut short, or damaged", *arguments)


def check_many_features(data, table):
    """An image that says it has many features costs no more memory than it is long."""
    def limited(rows, content):
        command = ["sh", "-c", f"ulimit -v 300000; exec {PROGRAM} predict -q {rows} {put('many_features', content)}"]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr
    for options in ([], ["--budget", "9", "--policy", "oldest"]):
        model = train(data, "-a", "kernel", "--gamma", "1", *options, "--rows", "sparse", model="k")
        got = limited(data, with_word(get(model), 16, 2 ** 32 - 1))
        check(got == (0, must("predict", "-q", data, model), ""), f"sparse vectors {options}: {got[::2]}")
        model = train(table, "-a", "kernel", "--gamma", "1", *options, model="k")
        for features in 2 ** 32 - 1, 2 ** 20 + 1 + image_word(get(model), 88):
            status, _, err = limited(table, with_word(get(model), 16, features))
            check(status == 2 and f"damaged: rows of {features} numbers, of which it has stored" in err, f"{status} {err}")
    still = put("still", "1 1:0\n-1 1:0\n")
    model = get(train(still, "-a", "voted", "-B", "0", "--rule", "pa", "--rows", "dense"))
    for features, status in ((2 ** 20, 0), (2 ** 20 + 1, 2)):
        check(image_word(model, 24) == 0 and limited(still, with_word(model, 16, features))[0] == status,
              f"{features} features, and nothing stored")


# ---- Showing ----

def show(model, *options, **more):
    return json.loads(must("show", "--json", *options, model, **more))


def exported(model):
    """Of the LIBLINEAR export: the weights and the bias of each label; of two labels, of the greater one."""
    head, body = must("export", "--format", "liblinear", model).split("\nw\n")
    labels = re.search("\nlabel (.*)", head)[1].split()
    rows = [[float(w) for w in line.split()] for line in body.splitlines()]
    biases = rows.pop() if "\nbias 1" in head else [0] * len(rows[0])
    if len(labels) == 2:
        sign = 1 if int(labels[0]) > int(labels[1]) else -1
        return {max(labels, key=int): ([sign * row[0] for row in rows], sign * biases[0])}
    return {label: ([row[c] for row in rows], biases[c]) for c, label in enumerate(labels)}


def csv_rows(text):
    lines = text.splitlines()
    check(lines[0] == "feature,label,weight", "head of --csv")
    return [line.split(",") for line in lines[1:]]


def check_weights(model, top, what, first=1):
    """The lists, the lines of --csv and the text against the LIBLINEAR export."""
    expected, shown = exported(model), show(model, "--top", str(top), *([] if first else ["--zero-based"]))
    text = must("show", "--top", str(top), *([] if first else ["--zero-based"]), model)
    check([w["label"] for w in shown["weights"]] == list(expected), f"{what}: labels of the weights")
    for entry in shown["weights"]:
        w, bias = expected[entry["label"]]
        check(math.isclose(entry["bias"], bias, rel_tol=1e-8), f"{what}: bias of {entry['label']}")
        for key, sign in (("for", 1), ("against", -1)):
            order = sorted((-sign * v, j) for j, v in enumerate(w) if sign * v > 0)[:top]
            check([f["feature"] for f in entry[key]] == [str(j + first) for _, j in order], f"{what}: {key} {entry}")
            check(all(math.isclose(f["weight"], -sign * v, rel_tol=1e-8) for f, (v, _) in zip(entry[key], order)),
                  f"{what}: weights {key} {entry['label']}")
            lines = "".join(f"  {-sign * v:12g}  {j + first}\n" for v, j in order)
            check(f"\n{key} {entry['label']}" + ("\n" + lines if lines else ": no feature\n") in text,
                  f"{what}: text {key} {entry['label']}")
    rows = csv_rows(must("show", "--csv", *([] if first else ["--zero-based"]), model))
    names = [str(j + first) for j in range(shown["features"])] + ["(bias)"]
    check([row[:2] for row in rows] == [[name, label] for name in names for label in expected], f"{what}: --csv")
    numbers = [v for row in zip(*(w + [bias] for w, bias in expected.values())) for v in row]
    check(all(math.isclose(float(row[2]), v, rel_tol=1e-8) for row, v in zip(rows, numbers)),
          f"{what}: weights of --csv")


def test_show():
    data = put("d", noisy(300, 12, 5))
    for options in ([], ["-a", "perceptron"], ["--zero-class", "negative"], ["--final"], ["-a", "winnow"],
                    ["-a", "balanced-winnow"], ["-a", "perceptron", "--pocket"], ["--validate", "0.2"], ["-B", "0"], ["--normalize", "l2"]):
        check_weights(train(data, *options), 5, f"show {options}")
    model = train(data)
    check_weights(model, 1000, "more than there are")
    check_weights(model, 3, "--zero-based", first=0)
    check_weights(train(DIGITS), 10, "digits")
    several = "".join(f"{k} {k}:1 {k + 1}:0.5\n" for k in (3, 1, 2))
    check_weights(train(put("many", several)), 2, "sparse rows of three classes")
    liblinear = OUT + "/liblinear"
    must("export", "--format", "liblinear", train(DIGITS, "--final"), liblinear)
    must("import", liblinear, OUT + "/n")
    check(show(OUT + "/n")["weights"] == show(OUT + "/m")["weights"], "an imported model")
    check_show_head(data)
    check_show_names()
    check_show_scale()
    check_show_vectors()
    check_show_zero_based()
    check_show_errors()


def check_show_head(data):
    counts = report(data, "--normalize", "l2", "--binarize", "--seed", "7", "-B", "0.5")
    shown = show(OUT + "/m")
    check(set(shown) == {"algorithm", "options", "rows", "updates", "mistakes", "labels", "features", "classes",
                         "bytes", "weights"}, "keys of show")
    check(shown["algorithm"] == "averaged" and shown["labels"] == ["-1", "1"] and shown["features"] == 12 and
          shown["classes"] == 2 and shown["bytes"] == os.path.getsize(OUT + "/m") == counts["model_bytes"],
          f"numbers of show: {shown}")
    check(shown["rows"] == 3000 and all(shown[k] == sum(e[k] for e in counts["epochs"])
                                        for k in ("updates", "mistakes")), "counts of show")
    check(shown["options"] == {"zero-class": "positive", "normalize": "l2", "binarize": True, "seed": 7,
                               "order": "each", "stop": "never", "bias": 0.5, "rule": "fixed", "rate": 1, "zero-update": "always",
                               "rows": "dense"},
          f"options: {shown['options']}")
    text = must("show", OUT + "/m")
    check(text.startswith("algorithm  averaged\noptions    --zero-class positive --normalize l2 --binarize --order each --seed 7 "
                          "--stop never --bias 0.5 --rule fixed --rate 1 --zero-update always --rows dense\n"
                          f"learned    3000 rows, {shown['updates']} updates, "
                          f"{shown['mistakes']} mistakes\nclasses    2: -1 1\nfeatures   12\n"
                          f"bytes      {shown['bytes']}\n"), f"text of show: {text}")
    check(must("show", "-", stdin=get(OUT + "/m")) == text, "a model from standard input")
    again = text.splitlines()[1].split()[1:] # they train the same model
    check(get(train(data, *again, model="n")) == get(OUT + "/m"), "the options train the same model")
    shown = show(train(data, "--final"))
    check(shown["rows"] is shown["updates"] is shown["mistakes"] is None,
          "weights alone")
    check("weights alone" in must("show", OUT + "/m"), "weights alone, in text")
    shown = show(train(data, "-a", "winnow", "--alpha", "4", "--threshold", "3"))
    check(shown["options"]["alpha"] == 4 and shown["options"]["threshold"] == 3 and shown["weights"][0]["bias"] == -3,
          f"Winnow: {shown['options']}")


def check_show_zero_based():
    """Features have the indices of the file that the model was trained on, wherever they are shown."""
    zero, one = put("zero", "0 0:1 2:5\n1 0:2 2:4000\n0 0:1 1:1\n1 0:3\n"), put("one", "0 1:1 3:5\n1 1:2 3:4000\n0 1:1 2:1\n1 1:3\n")
    model, other = train(zero, "--zero-based"), train(one, model="n")
    check(show(model)["weights"] == show(other, "--zero-based")["weights"], "show --json")
    check(must("show", "--csv", model) == must("show", "--csv", "--zero-based", other), "show --csv")
    check(must("show", model).split("\nbias ")[1] == must("show", "--zero-based", other).split("\nbias ")[1], "show")
    check([row.split(",")[0] for row in must("show", "--csv", model).split()[1:]] == ["0", "1", "2", "(bias)"], "show --csv")
    check(must("show", model) == must("show", "--zero-based", model), "show --zero-based of such a model")
    check("w(0)  w(1)  w(2)" in must("train", "--zero-based", "--textbook", "--trace", zero, OUT + "/k"), "--trace")
    check(must("predict", "-q", "--explain", zero, model).splitlines()[2].split()[0] in "02", "--explain")
    advice = run("train", "--zero-based", "--normalize", "none", zero, OUT + "/k")[2]
    check("feature 2 is up to 4000 in size, feature 1 only 1;" in advice, f"advice: {advice}")
    states = show(train(zero, "--zero-based", "-a", "voted", model="k"), "--list")["list"]
    check(list(states[0]["w"]["1"]) == ["(bias)", "0", "1", "2"], f"show --list: {states[0]}")
    vectors = show(train(zero, "--zero-based", "-a", "kernel", model="k"))["vectors"]
    check({f["feature"] for v in vectors for f in v["features"]} <= set("012"), f"vectors: {vectors}")
    for tool in "liblinear", "libsvm":
        files = OUT + "/k.zero", OUT + "/k.one"
        said = [run("export", "--format", tool, of, file)[2] for of, file in ((model, files[0]), (other, files[1]))]
        check(get(files[0]) == get(files[1]), f"{tool} counts from 1")
        check(said == [f"{tool.upper()} counts features from 1, this model from 0: add 1 to the indices of rows for it.\n", ""], f"{tool}: {said}")
    must("export", "--as", "raw", model, OUT + "/k.raw")


def check_show_names():
    table = put("f.csv", 'a,"b,""c",kind\n1,0,"x,y"\n0,1,z\n2,0,"x,y"\n')
    model = train(table, "--label", "kind")
    check([row for row in must("show", "--csv", model).splitlines()[1:]][1].startswith('"b,""c",z,'), "quotes of --csv")
    entry = show(model)["weights"][0]
    check({f["feature"] for f in entry["for"] + entry["against"]} == {"a", 'b,"c'}, f"names of CSV: {entry}")
    check(show(model)["labels"] == ["x,y", "z"], "labels that are words")
    model = train(put("d", "-1 1:1\n+1 2:1\n"), model="n")
    for content in ("ham\nspam\n", "ham\r\nspam", "ham\nspam\neggs\n\n"):
        entry = show(model, "--names", put("names", content))["weights"][0]
        check([f["feature"] for f in entry["for"]] == ["spam"] and [f["feature"] for f in entry["against"]] == ["ham"],
              f"--names {content!r}: {entry}")
    check("  spam\n" in must("show", "--names", "-", model, stdin=b"ham\nspam\n"), "names from standard input")
    check(must("show", "--csv", "--names", OUT + "/names", model).startswith("feature,label,weight\nham,1,"),
          "--csv with --names")


def check_show_scale():
    """Under maxabs the export has the scale multiplied in."""
    rows = [(1, 8, 0.5), (-1, 2, -4), (1, 6, 2), (-1, 1, 1)]
    model = train(put("d", "".join(f"{y} 1:{a} 2:{b}\n" for y, a, b in rows)), "--normalize", "maxabs")
    (w, bias), = exported(model).values()
    got = [float(row[2]) for row in csv_rows(must("show", "--csv", model))]
    check(all(math.isclose(g, e, rel_tol=1e-6) for g, e in zip(got, (w[0] * 8, w[1] * 4, bias))), f"maxabs: {got} {w}")


def check_show_vectors():
    data = put("d", noisy(200, 9, 8))
    rows = [line.split() for line in get(data).decode().splitlines()]
    for options in ([], ["--decision", "averaged"], ["--kernel", "poly", "--degree", "2"],
                    ["--budget", "20", "--policy", "oldest"], ["-B", "1", "--zero-class", "negative"]):
        model = train(data, "-a", "kernel", *options)
        shown = show(model, "--top", "1000")
        head, body = must("export", "--format", "libsvm", model).split("\nSV\n")
        sign = 1 if "label 1 " in head else -1
        expected = {}
        for line in body.splitlines():
            expected[tuple(float(v.split(":")[1]) for v in line.split()[1:])] = sign * float(line.split()[0])
        check(shown["support_vectors"] >= len(shown["vectors"]) == len(expected), f"vectors {options}")
        sizes = []
        for v in shown["vectors"]:
            row = rows[v["row"] - 1]
            stored = [f"{f['feature']}:{f['value']:g}" for f in v["features"]]
            check(stored == [f"{i}:{float(x):g}" for i, x in (e.split(":") for e in row[1:6])],
                  f"row {v['row']}: {stored}")
            (c,) = v["coefficients"]
            values = [struct.unpack("f", struct.pack("f", float(e.split(":")[1])))[0] for e in row[1:]]
            check(c["label"] == "1" and math.isclose(c["coefficient"], expected[tuple(values)], rel_tol=1e-6),
                  f"coefficient of row {v['row']} {options}")
            sizes.append(abs(c["coefficient"]))
        check(all(a >= b * (1 - 1e-6) for a, b in zip(sizes, sizes[1:])), f"the heaviest first {options}")
        v = shown["vectors"][0]
        c = v["coefficients"][0]["coefficient"]
        check(f"\n  row {v['row']}, {abs(c):g} for {1 if c > 0 else -1}: " in must("show", "--top", "1", model),
              f"text of vectors {options}")
    model = train(DIGITS, "-a", "kernel")
    shown = show(model, "--top", "4")
    digits = [line.split(",") for line in get(DIGITS).decode().splitlines()]
    check(len(shown["vectors"]) == 4 and shown["options"]["kernel"] == "rbf" and shown["options"]["gamma"] == 1 / 64,
          "vectors of ten classes")
    for v in shown["vectors"]:
        row = digits[v["row"] - 1]
        own = [c["coefficient"] for c in v["coefficients"] if c["label"] == row[-1]]
        check(own and own[0] > 0 and sum(c["coefficient"] for c in v["coefficients"]) == 0, f"signs of row {v['row']}")
        check([(f["feature"], f["value"]) for f in v["features"]] ==
              [(str(j + 1), float(x)) for j, x in enumerate(row[:-1]) if float(x)][:5], f"features of row {v['row']}")
    check(re.search(r"row \d+, 1 for \d, 1 against \d: \d+:\d+ .* \.\.\.\n", must("show", model)), "for and against")
    train("-", "-a", "voted", "--online", "--features", "9", stdin=get(data))
    check(show(OUT + "/m")["vectors"][0]["row"] is None and "\n  a row, " in must("show", OUT + "/m"),
          "rows that were not kept have no number")
    check(" free:" in must("show", "--names", put("names", "free\n" * 9), OUT + "/m"), "vectors and --names")


def check_show_errors():
    linear, kernel = train(put("d", BASE)), train(OUT + "/d", "-a", "kernel", model="k")
    named, names = train(OUT + "/f.csv", "--label", "kind", model="n"), put("names", "a\nb\nc\n")
    for words, *arguments in [
            ("show takes MODEL",), ("show takes MODEL", linear, linear), ("--top 0", "--top", "0", linear),
            ("--top 1001", "--top", "1001", linear), ("--top x", "--top", "x", linear),
            ("not an option", "--walk", linear), ("no --csv", "--csv", "--json", linear),
            ("--top needs no --csv", "--csv", "--top", "3", linear), ("for linear models", "--csv", kernel),
            ("choose one", "--names", names, "--zero-based", linear),
            ("--names is for models without names", "--names", names, named),
            ("cannot both be standard input", "--names", "-", "-")]:
        refused(1, words, "show", *arguments)
    refused(2, "1 names are too few, the model has 3 features", "show", "--names", put("e", "a\n"), linear)
    refused(2, "/e:2: no name on this line", "show", "--names", put("e", "a\n\nb\n"), linear)
    refused(2, "a NUL byte", "show", "--names", put("e", b"a\nb\0\nc\n"), linear)
    refused(3, "No such file", "show", "--names", OUT + "/absent", linear)
    refused(3, "No such file", "show", OUT + "/absent")
    refused(2, "not a model file", "show", OUT + "/d")
    must("export", "--bits", "8", linear, OUT + "/bits.h")
    refused(2, "not a model file", "show", OUT + "/bits.h")
    for model in (linear, kernel):
        content = get(model)
        refused(2, "damaged", "show", put("damaged", content[:40] + bytes([content[40] ^ 1]) + content[41:]))
    check(run("show", "--help")[1].startswith("usage: perceptron show"), "help of show")
    if os.path.exists("/dev/full"):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "show", linear], stdout=full, stderr=subprocess.PIPE)
            check(done.returncode == 3, "show to a full disk")


def test_formulas():
    """Names that a spreadsheet would obey are texts in --csv; without the apostrophe they are as they were."""
    names = ["=1+1", "-x", "+a,b", "@SUM(1)", "'q", "''", "-inf", "-0x1", "=", '-"', "-2", "+3.5", "-.5e3", "plain", "a=b", "\u2212x"]
    rows = [[str((i + j) % 3) for j in range(len(names))] + [label] for i, label in enumerate(["=cmd", "-1", "-", "y"] * 2)]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([*[[*names, "y"]], *rows])
    out = must("show", "--csv", train(put("formulas.csv", text.getvalue()), "--header"))
    head, *lines = csv.reader(io.StringIO(out))
    check(head == ["feature", "label", "weight"], f"head of --csv: {head}")
    check([line[0].removeprefix("'") for line in lines[::4]] == [*names, "(bias)"], f"features: {lines[::4]}")
    check({line[1].removeprefix("'") for line in lines} == {"=cmd", "-1", "-", "y"}, f"labels: {lines[:4]}")
    shown = {field for line in lines for field in line[:2]}
    check({field for field in shown if re.match("[=+@-]", field)} == {"-2", "+3.5", "-.5e3", "-1"}, f"numbers alone: {shown}")
    must("train", "-q", "--label", "label", "--nominal", "feature", put("weights.csv", out), OUT + "/n")


def test_json_bytes():
    """Any bytes in labels and names: Python's surrogateescape is the rule, and gives them back."""
    draw = random.Random(4)
    rare = [b"\xe4", b"\xc3", b"\xc3\xa4", b"\xc0\xaf", b"\xe0\x9f\xbf", b"\xe0\xa0\x80", b"\xed\x9f\xbf",
            b"\xed\xa0\x80", b"\xee\x80\x80", b"\xf0\x8f\xbf\xbf", b"\xf0\x90\x80\x80", b"\xf4\x8f\xbf\xbf",
            b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xe2\x82", b"\xff", b"\x80", b"\x01", b"\x7f", b'"', b"\\", b"z"]
    labels = {b"x" + b"".join(draw.choices(rare, k=draw.randint(1, 4))) for _ in range(300)}
    labels |= {b"x" + bytes([a, b]) for a in range(0x80, 0x100) for b in (0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0)}
    data = put("bytes.tsv", b"".join(b"%s\t%d\n" % (label, i % 9) for i, label in enumerate(sorted(labels))))
    model = train(data, "--text", "-e", "1", "--order", "file", "--rows", "sparse")
    for said in (show(model)["labels"],
                 [one["label"] for one in json.loads(must("predict", "--json", "--report", data, model))["report"]["classes"]]):
        check({text.encode("utf-8", "surrogateescape") for text in said} == labels, "json.loads gives the bytes back")
        check({label.decode("utf-8", "surrogateescape") for label in labels} == set(said), "as Python reads them")
    status, out, _ = run("show", "--json", b"build/absent\xe4")
    check(status == 3 and json.loads(out)["error"].startswith("build/absent\udce4: "), f"an error: {out}")


# ---- The same file from every build ----

def main():
    for test in (test_libsvm, test_csv, test_labels, test_labels_are_texts, test_labels_like_values,
                 test_labels_of_their_own,
                 test_missing_labels, test_hints, test_idle_options, test_long_rows, test_predict,
                 test_training, test_pocket, test_zero_class, test_winnow, test_resume, test_order_goes_on,
                 test_bytes_with_test_rows, test_memory, test_arrival, test_no_thread, test_errors, test_outputs, test_links, test_leftovers, test_lost, test_damage,
                 test_kernel, test_show, test_formulas, test_json_bytes):
        test()
    finish()


main()
