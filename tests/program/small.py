#!/usr/bin/env python3
"""Models and exports as large as what they have learned: --keep beside a sort in Python, sparse exports beside predict."""
import csv
import json
import os
import random
import subprocess

from cli import DIGITS, OUT, check, finish, get, must, put, refused, run, train

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


test_keep()
test_keep_words()
if DATA:
    test_rcv1()
finish()
