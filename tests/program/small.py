#!/usr/bin/env python3
"""Models and exports as large as what they have learned: --keep beside a sort in Python, sparse exports beside predict."""
import csv
import json
import os
import random
import re
import resource
import subprocess

from cli import DIGITS, OUT, PROGRAM, check, finish, get, must, put, refused, run, train
from exported import TEXTS

DATA = os.environ.get("PCN_DATA")


def weights(model):
    """Of each feature and label, and the biases."""
    rows = list(csv.reader(must("show", "--csv", model).splitlines()))[1:]
    return ({(feature, label): float(weight) for feature, label, weight, *_ in rows if feature != "(bias)"},
            {label: weight for feature, label, weight, *_ in rows if feature == "(bias)"})


def check_kept(whole, kept, n, what):
    """n weights are as they were, and no other is larger."""
    (before, bias), (after, same) = weights(whole), weights(kept)
    stays = {name: weight for name, weight in after.items() if weight != 0}
    check(bias == same and all(before[name] == weight for name, weight in stays.items()), f"{what}: as they were")
    check(len(stays) == min(n, sum(weight != 0 for weight in before.values())), f"{what}: {len(stays)} stay")
    least = min(map(abs, stays.values()))
    check(all(abs(weight) <= least for name, weight in before.items() if name not in stays), f"{what}: the largest")


def test_keep():
    ties = put("ties.csv", "".join(f"{a},{b},{a - b},{'xy'[a > b]}\n" for a in range(5) for b in range(5) if a != b))
    for data in DIGITS, ties:
        whole = train(data, "--final", model="whole")
        for n in 1, 2, 20, 300, 4294967295:
            kept = train(data, "--final", "--keep", str(n), model="kept")
            check_kept(whole, kept, n, f"{data}, {n}")
            tested = json.loads(must("train", "--json", "--final", "--keep", str(n), "-t", data, data, OUT + "/tested"))
            check(get(OUT + "/tested") == get(kept), "a test changes nothing")
            said = json.loads(must("predict", "--json", data, kept))
            check(said["errors"] == tested["test"]["errors"], f"{data}, {n}: the test is of what is kept")
    for options in ["-a", "perceptron", "--pocket"], ["--validate", "0.2"]:
        check_kept(train(DIGITS, *options, model="whole"), train(DIGITS, *options, "--keep", "50", model="kept"), 50, options)
    refused(1, "--keep needs --final, --pocket or --validate", "train", "--keep", "5", DIGITS, OUT + "/m")
    refused(1, "--keep 0", "train", "--final", "--keep", "0", DIGITS, OUT + "/m")


def messages(seed, count, labels):
    draw = random.Random(seed)
    return "".join(f"{label}\t{label}ish {' '.join(map(str, draw.choices(range(200), k=9)))}\n"
                   for label in draw.choices(labels, k=count))


def test_keep_words():
    """Words without a weight leave the model, and with them their names."""
    for labels, *options in (["a", "b"],), (["a", "b", "c"],), (["a", "b", "c"], "--normalize", "maxabs"), (["a", "b"], "--hash", "12"):
        data, few = put("t.tsv", messages(1, 300, labels)), put("f.tsv", messages(2, 100, labels))
        whole = train(data, "--text", "--final", *options, model="whole")
        kept = OUT + "/kept"
        tested = json.loads(must("train", "--json", "--text", "--final", "--keep", "12", "-t", few, *options, data, kept))
        check_kept(whole, kept, 12, f"{labels} {options}")
        check("--hash" in options or len({name for name, _ in weights(kept)[0]}) <= 12, f"{labels}: other words are gone")
        said = json.loads(must("predict", "--json", few, kept))
        check(said["errors"] == tested["test"]["errors"] < 20, f"{labels} {options}: {said['errors']} errors")
        check(os.path.getsize(kept) < os.path.getsize(whole) / 2, f"{labels}: a small file")
    none = train(put("n.tsv", "a\tx y\nb\tx y\n" * 2), "--text", "--final", "--keep", "1", "-a", "perceptron", "--order", "file")
    check(len(weights(none)[0]) >= 1, "one word stays")


def test_rcv1():
    """A tenth of the weights."""
    train_, test = (f"{DATA}/rcv1small.{part}.svm" for part in ("train", "test"))
    errors = []
    for keep in [], ["--keep", "645"]:
        told = json.loads(must("train", "--json", "--final", "--normalize", "none", *keep, "-t", test, train_, OUT + "/rcv1"))
        errors.append(told["test"]["errors"])
    check(errors[1] <= errors[0] + 2, f"a tenth of the weights: {errors} errors of 500")
    check(os.path.getsize(OUT + "/rcv1") < 6000, f"{os.path.getsize(OUT + '/rcv1')} bytes")


ROWS = r"""
#include "small.h"
#include <stdio.h>

int main(void)
{
    float x[small_FEATURES];
    unsigned c, j = 0;
    while (scanf("%f,", &x[j]) == 1) {
        if (++j < small_FEATURES) continue;
        j = 0;
        if (scanf("%*[^\n]") < 0) return 1;
        printf("%s", small_label[small_predict(0, x, small_FEATURES)]);
        for (c = 0; c < small_SCORES; c++) printf(" %.9g", small_score(0, x, small_FEATURES, c));
        puts("");
    }
    return 0;
}
"""


def exported(model, program, stdin, *options):
    """What the exported C prints, and the bytes of its source and of its code and data."""
    must("export", "--as", "arrays", "--predict", "--name", "small", *options, model, OUT + "/small.h")
    put("small.c", program)
    subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-Os", "-c", OUT + "/small.c", "-o", OUT + "/small.o"], check=True)
    subprocess.run(["cc", OUT + "/small.o", "-o", OUT + "/small", "-lm"], check=True)
    said = subprocess.run([OUT + "/small"], input=stdin, stdout=subprocess.PIPE, check=True).stdout.decode()
    sizes = subprocess.run(["size", OUT + "/small.o"], stdout=subprocess.PIPE, check=True).stdout.split()
    return said, os.path.getsize(OUT + "/small.h"), int(sizes[-3])


def test_exports():
    """Weights of 0 are not written, and nothing else changes."""
    for labels, *options in (["a", "b"],), (["a", "b", "c"],), (["a", "b", "c"], "--normalize", "l2"), (["a"] * 9 + ["b"], "--ngrams", "2"):
        data = put("t.tsv", messages(3, 30, labels))
        texts = "".join(line.partition("\t")[2] for line in messages(4, 200, labels).splitlines(True))
        model = train(data, "--text", "--hash", "16", *options)
        want = must("predict", "-q", put("texts", texts), model)
        for bits in [], ["--bits", "8", "--force"], ["--bits", "16"]:
            said, source, size = exported(model, TEXTS.replace("NAME", "small"), texts.encode(), *bits)
            differ = sum(a != b for a, b in zip(said.split("\n"), want.split("\n")))
            check(differ <= (4 if bits else 0) and len(said.split()) == 200, f"{labels} {options} {bits}: {differ} differ")
            check(size < 20_000 and b"_weight_of" in get(OUT + "/small.h"), f"{labels} {options} {bits}: {size} bytes")
    model = train(put("n.tsv", "a\t!\nb\t?\n" * 2), "--text", "--hash", "10", "-e", "1", "-a", "perceptron", "--order", "file")
    check(exported(model, TEXTS.replace("NAME", "small"), b"x\ny\n")[0] == must("predict", "-q", put("texts", "x\ny\n"), model), "no weight at all")
    spam = put("spam.tsv", "spam\twin a free phone now\nham\tare we still meeting for lunch\nspam\tclaim the cash now\nham\tthe report is on your desk\n")
    said, source, size = exported(train(spam, "--text", "--hash", "18"), TEXTS.replace("NAME", "small"), b"free cash\nlunch report\n")
    check(said == "spam\nham\n" and size < 10_000, f"spam of 2^18 buckets: {size} bytes")


def test_exported_rows():
    """Rows of numbers, of which most features have no weight: scores have the bits of predict."""
    text = get(DIGITS)
    for n in 20, 60:
        model = train(DIGITS, "--normalize", "none", "--final", "--keep", str(n))
        said = exported(model, ROWS, text)[0]
        check(("_weight_of" in get(OUT + "/small.h").decode()) == (n == 20), f"{n} weights: few or all")
        scores = must("predict", "-q", "--scores", DIGITS, model).split("\n")[1:]
        check([[float(x) for x in line.split()] for line in said.split("\n")] ==
              [[float(x) for x in line.split()] for line in scores], f"{n} weights: scores")


def test_memory():
    """A sentence before weights take more than half of the memory, which a limit makes little."""
    def limited(*arguments):
        limit = 800 << 20
        done = subprocess.run([PROGRAM, "train", *arguments, OUT + "/large"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        return done.returncode, done.stderr.decode()
    texts, wide = put("t.tsv", messages(5, 20, "ab")), put("wide.svm", "1 1:1 40000000:1\n0 2:1 4:1\n" * 3)
    rest = "more than half of the 0.839 GB of memory that there are; "
    check(f"advice: the weights take 0.805 GB, {rest}--hash 25 would take 0.403 GB\n" in limited("--text", "--hash", "26", texts)[1],
          "a smaller --hash")
    less = rest + "fewer features or labels would take less"
    for size, end, *options in (("0.48", ", and -a perceptron a third\n",), ("0.64", ", and -a perceptron a third\n", "--batch", "3", "-e", "2"),
                                ("0.64", "\n", "-a", "arow", "--decision", "averaged"), (None, "\n", "-a", "perceptron"), (None, "\n", "-a", "arow")):
        said = limited("--normalize", "none", "--max-dim", "50000000", *options, wide)[1]
        check(f"advice: the weights take {size} GB, {less}{end}" in said if size else "advice" not in said, f"{options}: {said[:300]}")
    check("advice" not in limited("--text", "--hash", "25", texts)[1], "half is enough")
    check("advice" not in limited("-q", "--text", "--hash", "26", texts)[1], "-q")
    status, said = limited("--text", "--hash", "28", texts)
    check(status == 4 and "advice: the weights take 3.22 GB" in said and "out of memory" in said, f"too much: {status} {said[:300]}")


test_keep()
test_keep_words()
test_memory()
test_exports()
test_exported_rows()
if DATA:
    test_rcv1()
finish()
