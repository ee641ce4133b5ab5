"""perceptron compare: each row of its table beside train --folds with the same options; gains and standard errors beside
plain Python; chance on tables of noise; more than 10,000 rows; what is tried for which data; who leaves; the last line, as a
shell runs it; JSON; mistakes."""
import json
import math
import os
import pty
import random
import re
import shlex
import shutil
import subprocess

from cli import DIGITS, OUT, PROGRAM, WHOLE, check, fewer, finish, get, must, put, refused, run, skip

draw = random.Random(3)
AROW = "--algorithm=arow --decision=averaged"
OVR = "--update=one-vs-rest --epochs=50 --aggressive=0.1"
KERNEL = "--algorithm=kernel --decision=averaged"
TABLES = ("", "--aggressive=0.1", "--aggressive=0.01", "--rule=fixed", AROW, "--normalize=standard-l2 --aggressive=0.1",
          "--normalize=standard-l2 --epochs=50", "--normalize=maxabs", OVR, KERNEL)
OTHERS = ("", "--aggressive=0.1", "--epochs=30", "--rule=fixed", AROW + " --r=0.1", AROW + " --r=1", "--normalize=l2", OVR)
TEXTS = ("", "--aggressive=0.1", "--epochs=30", AROW + " --r=0.1", AROW + " --r=1", "--marks=no", "--words=log", "--words=binary",
         "--words=binary --rule=fixed", OVR)
BALANCED, R10, LONG = "--weight=balanced", AROW + " --r=10", "--aggressive=0.1 --epochs=30"
WORDS = "examples/data/languages.tsv"


def table(count, values=(0, 1, 2), classes=3):
    """Lines of six values and a label, which is odd at times."""
    lines = []
    for _ in range(count):
        label = draw.randrange(classes)
        x = [draw.choice(values) if draw.random() < 0.5 else values[(j + label) % len(values)] for j in range(6)]
        lines.append(",".join(map(str, x)) + f",{'abc'[label]}")
    return "\n".join(lines) + "\n"


def rows_of(out):
    """{options: what JSON would have of it, without seconds}, and the last line."""
    lines = out.splitlines()
    check(lines[0].split() == "setting error % less than default +- repeats seconds bytes".split(), f"the first line: {lines[0]}")
    check(lines[1].startswith("always the commonest label"), f"the second line: {lines[1]}")
    check(re.fullmatch(r"\d+ rows, tested (?:once|\d+ times) by models that learned from \d+ of them \(\d+ of \d+ parts\); .*",
                       lines[-3]), f"the third line from the end: {lines[-3]}")
    found = {}
    for line in lines[2:-3]:
        options, error, gain, deviation, rest = re.fullmatch(r"(.*?) +(\S+) +(\S+) +(\S+) +(left after fold \d+|\d+ .*)", line).groups()
        left = re.fullmatch(r"left after fold (\d+)", rest)
        repeats, _, size = rest.split()[:3] if not left else (0, 0, 0)
        found["" if options == "(default)" else options] = (error, gain, deviation, int(repeats), int(size), int(left[1]) if left else 0)
    return found, lines[-1]


def folds_of(data, k, options, seed):
    """Rows and errors of each fold, by train."""
    got = json.loads(must("train", "--json", "--folds", str(k), *options, "--seed", str(seed), data, plain=False))
    return [(fold["rows"], fold["errors"]) for fold in got["folds"]]


def share(folds):
    return sum(errors for _, errors in folds) / sum(rows for rows, _ in folds)


def test_errors():
    """Each error is the mean over train --folds with the seeds that follow --seed; what left is compared by its folds."""
    two = put("two.csv", table(90, (0, 1), 2))
    gaps = put("gaps.csv", re.sub(r"^(.),(.),2,", r"\1,\2,NA,", table(80), flags=re.M))
    names = put("names.csv", "r,s,t,u,v,w,kind\n" + table(60))
    semicolons = put("semicolons.csv", table(70).replace(",", ";"))
    sparse = put("sparse", "".join(f"{draw.choice((1, 2))} {j}:1 {j + draw.randrange(1, 4)}:1\n"
                                   for j in [draw.randrange(1, 9) for _ in range(50)]))
    three = put("three.csv", table(90))
    whole = left = 0
    some_digits = put("digits.csv", "".join(get(DIGITS).decode().splitlines(True)[::4]))
    for data, given, tried in ((some_digits, (), TABLES), (WORDS, ("--text",), TEXTS), (two, (), TABLES),
                               (three, ("--seed", "7"), TABLES),
                               (gaps, ("--missing", "mean"), TABLES), (gaps, ("--missing", "drop", "--threads", "1"), TABLES),
                               (names, ("--label", "kind", "--ignore", "s", "--nominal", "t"), TABLES),
                               (semicolons, ("--sep", ";"), TABLES), (sparse, (), OTHERS), (sparse, ("--zero-based",), OTHERS),
                               (WORDS, ("--text", "--ngrams", "2", "--hash", "9"), TEXTS),
                               (WORDS, ("--text", "--words", "counts"), OTHERS),
                               (two, ("--normalize", "maxabs"), TABLES), (two, ("--normalize", "l2"), TABLES),
                               (three, ("--binarize",), [words for words in TABLES if "standard" not in words]),
                               (two, ("--rows", "sparse", "--format", "csv"), TABLES)):
        taken = {option for option in given if option.startswith("--")}
        tried = [words for words in tried if not any(w.split("=")[0] in taken for w in words.split()) and
                 not (data in (two, sparse) and "one-vs-rest" in words)]
        k = draw.choice((3, 5))
        got = json.loads(must("compare", "--json", *given, "--folds", str(k), data))
        check([row["options"] for row in got["tried"]] == tried, f"{data} {given}: {got['tried']}, expected {tried}")
        seed, options = 7 if "--seed" in given else 1, [word for word in given if word not in ("--seed", "7")]
        gone = [row for row in got["tried"] if row["error"] is None]
        for row in got["tried"] if WHOLE else draw.sample(got["tried"], 1) + gone[:1]:
            words = [*row["options"].split(), *options]
            if row["error"] is None:
                some, left = row["left_after"], left + 1
                gain = share(folds_of(data, k, options, seed)[:some]) - share(folds_of(data, k, words, seed)[:some])
                check(abs(row["gain"] - gain) < 1e-6, f"{data} {given} {k}, {words} left: {row}, by train {gain}")
                continue
            whole += 1
            check(row["folds"] == row["repeats"] * k and (row["repeats"] == got["repeats"] or "kernel" in row["options"]), f"{row}")
            mean = sum(share(folds_of(data, k, words, seed + r)) for r in range(row["repeats"])) / row["repeats"]
            check(abs(row["error"] - mean) < 1e-6, f"{data} {given} {k}, {words}: {row}, by train {mean}")
        check(got["repeats"] == got["repeats_planned"] == min(10, 10000 // got["rows"]), f"repeats: {got}")
        check(got["learned"] == got["rows"] - -(-got["rows"] // k), f"rows learned: {got}")
        row = got["tried"][0]
        if tried[1] in TABLES and taken.isdisjoint(("--rows", "--ngrams")):  # models of texts are packed, by how many weights are 0
            must("train", "-q", *given, data, OUT + "/m", plain=False)
            check(data == WORDS or os.path.getsize(OUT + "/m") == row["model_bytes"], f"{data} {given}: bytes of the model")
    check(whole > 10 and left > 1, f"only {whole} settings and {left} that left are compared with train --folds")


HELPER = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
/* rows, seed: the drawn order. Or rows, folds, seed, then fold, label and score of each row: what each costs by log-loss. */
int main(int argc, char **argv)
{
    unsigned n = (unsigned)atol(argv[1]), folds = argc > 3 ? (unsigned)atol(argv[2]) : 0, row, i, k = 0, f;
    unsigned *order = malloc(n * sizeof *order), *fold = malloc(n * sizeof *fold), *label = malloc(n * sizeof *label);
    float *score = malloc(n * sizeof *score), p[2];
    pcn_pass draw;
    pcn_pass_init(&draw, n, 1, (unsigned)atol(argv[argc - 1]));
    while (pcn_pass_next(&draw, &row)) order[k++] = row;
    for (i = 0; !folds && i < n; i++) printf("%u\n", order[i]);
    for (i = 0; folds && i < n; i++)
        if (scanf("%u %u %f", &fold[i], &label[i], &score[i]) != 3) return 1;
    for (f = 0; f < folds; f++) {
        pcn_calibration c;
        pcn_calibration_init(&c);
        for (i = 0; i < n; i++) {
            row = order[i];
            if (fold[row] == f) continue;
            pcn_probabilities(&c, &score[row], 2, p);
            pcn_calibrate(&c, &score[row], 2, p, (int)label[row]);
        }
        for (i = 0; i < n; i++)
            if (fold[i] == f) {
                pcn_probabilities(&c, &score[i], 2, p);
                printf("%u %.9g\n", i, -log(fmax(p[label[i]], 0x1p-24)));
            }
    }
    return 0;
}
"""


def helper(*arguments, stdin=""):
    """The order of a pass, and calibrations: of the library, which has tests of its own."""
    path = OUT + "/helper"
    if not helper.made:
        compiler = shlex.split(os.environ.get("CC") or "cc")
        subprocess.run([*compiler, "-std=c99", "-w", "-I.", put("helper.c", HELPER), "-o", path, "-lm"], check=True)
        helper.made = True
    done = subprocess.run([path, *map(str, arguments)], input=stdin, capture_output=True, text=True, check=True)
    return [line.split() for line in done.stdout.splitlines()]


helper.made = False


def placed(scores, labels, rows, i):
    """The share of the other label's rows that are on the wrong side of row i."""
    others = [scores[j] for j in rows if labels[j] != labels[i]]
    wrong = sum((s > scores[i]) if labels[i] else (s < scores[i]) for s in others) + sum(s == scores[i] for s in others) / 2
    return wrong / len(others)


def mean_and_square(values):
    mean = sum(values) / len(values)
    return mean, sum((v - mean) ** 2 for v in values) / len(values) / len(values)


def test_gains():
    """Errors, AUC and log-loss, their gains and standard errors, from models that train makes of the rows outside each fold."""
    rows, seed, folds, options = 70, 5, 5, {"": [], "--rule=fixed": ["--rule", "fixed"]}
    lines = []
    for _ in range(rows):
        label = draw.randrange(2)
        lines.append(f"{draw.gauss(label, 1):.2f},{draw.gauss(0, 1):.2f},{draw.gauss(label / 2, 1):.1f},{'ab'[label]}\n")
    labels = ["ab".index(line[-2]) for line in lines]
    data = put("gains.csv", "".join(lines))
    got = {by: json.loads(must("compare", "--json", "--by", by, "--header=no", "--seed", str(seed), data)) for by in ("accuracy", "auc", "logloss")}
    cost = {(by, words): [0] * rows for by in got for words in options}
    for repeat in range(10):
        fold_of = [0] * rows
        for place, (row,) in enumerate(helper(rows, seed + repeat)):
            fold_of[int(row)] = place % folds
        for words, more in options.items():
            scores = [0.0] * rows
            for k in range(folds):
                inside = [i for i in range(rows) if fold_of[i] == k]
                learned = put("learned.csv", "".join(lines[i] for i in range(rows) if fold_of[i] != k))
                must("train", "-q", "--header=no", "--seed", str(seed + repeat), *more, learned, OUT + "/m", plain=False)
                said = must("predict", "--scores", "--header=no", put("tested.csv", "".join(lines[i] for i in inside)), OUT + "/m")
                for i, line in zip(inside, said.splitlines()[1:]):
                    scores[i] = float(line.split()[1])
                    cost["accuracy", words][i] += (line.split()[0] != "ab"[labels[i]]) / 10
                for i in inside:
                    cost["auc", words][i] += placed(scores, labels, inside, i) / 10
            numbers = "".join(f"{fold_of[i]} {labels[i]} {scores[i]:.9g}\n" for i in range(rows))
            for i, loss in helper(rows, folds, seed, stdin=numbers):
                cost["logloss", words][int(i)] += float(loss) / 10
    for by, name in ("accuracy", "error"), ("auc", "auc"), ("logloss", "log_loss"):
        tried = {row["options"]: row for row in got[by]["tried"]}
        groups = [[i for i in range(rows) if labels[i] == k] for k in (0, 1)] if by == "auc" else [range(rows)]
        for words in options:
            mean = sum(sum(cost[by, words][i] for i in group) / len(group) for group in groups) / len(groups)
            mean = 1 - mean if by == "auc" else mean
            check(abs(tried[words][name] - mean) < 1e-5, f"--by {by}, {words}: {tried[words]}, beside Python {mean}")
        parts = [mean_and_square([cost[by, ""][i] - cost[by, words][i] for i in group]) for group in groups]
        gain, error = sum(mean for mean, _ in parts) / len(parts), math.sqrt(sum(square for _, square in parts))
        row = tried[words]
        check(abs(row["gain"] - gain) < 1e-5 and abs(row["standard_error"] - error) < 1e-5 and
              abs(row["z"] - gain / error) < 0.01, f"--by {by}: {row}, beside Python {gain} {error}")
        most = max(labels.count(k) for k in (0, 1)) / rows
        base = {"accuracy": 1 - most, "auc": 0.5, "logloss": -most * math.log(most) - (1 - most) * math.log(1 - most)}[by]
        check(abs(got[by]["baseline"][name] - base) < 1e-6 and got[by]["asked"] == (3 if by == "auc" else 2.75), f"{by}: {got[by]['baseline']}")
    check([row["options"] for row in got["auc"]["tried"]] == [*TABLES[:5], R10, BALANCED, *TABLES[5:8], KERNEL], "tried by auc")
    check([row["options"] for row in got["logloss"]["tried"]] == [*TABLES[:3], LONG, *TABLES[3:5], R10, BALANCED, *TABLES[5:8], KERNEL],
          "tried by logloss")


# ---- Chance ----

def noise(kind, rows, labels, rare, seed):
    """Rows whose labels are a matter of chance. rare: the share of all labels but the first."""
    dice, lines = random.Random(f"{kind} {rows} {labels} {rare} {seed}"), []
    for row in range(rows):
        label = dice.randrange(labels)
        if rare:
            label = dice.randrange(1, labels) if dice.random() < rare else 0
        if row < 2:
            label = row  # there are two at least
        numbers = [f"{dice.gauss(0, 1):.3f}" for _ in range(5 if kind == "words" else 10)]
        words = [f"{name}{int(k * dice.random() ** 2)}" for name, k in (("p", 4), ("q", 12), ("r", 40)) if kind == "words"]
        text = " ".join(f"w{int(1 / (dice.random() + 0.001))}" for _ in range(dice.randrange(5, 26)))
        lines.append(f"L{label}\t{text}" if kind == "texts" else ",".join([*numbers, *words, f"L{label}"]))
    return "\n".join(lines) + "\n"


def test_noise():
    """Where no setting is really better, at most one table in 20 gets another named than the default."""
    cells = [(rows, labels, rare) for rows in (60, 200, 1000) for labels in (2, 5) for rare in (0, 0.1)]
    tables = fewer(1, 60, f"tables of noise of each size, in 3 sizes of {len(cells)}")
    if not WHOLE:
        cells = [(60, 2, 0), (60, 2, 0.1), (60, 5, 0)]
    for by in ("accuracy", "auc", "logloss"):
        all_named = count = 0
        for rows, labels, rare in cells:
            if (by == "auc" and labels > 2) or (by != "accuracy" and not rare and not WHOLE):
                continue
            for kind in ("numbers", "words", "texts"):
                named = 0
                for seed in range(tables):
                    data = put("noise", noise(kind, rows, labels, rare, seed))
                    got = json.loads(must("compare", "--json", "--by", by, "--seconds", "1000",
                                          "--text" if kind == "texts" else "--header=no", data))
                    named += got["best"] != ""
                    check(got["best"] == "" or (got["z"] > got["asked"] and got["baseline_z"] > 1), f"{by} {kind}: {got}")
                all_named += named
                count += tables
                check(not WHOLE or named <= tables // 10, f"--by {by}, {kind}, {rows} rows, {labels} labels {rare}: {named} of {tables}")
        check(all_named <= count / 20, f"--by {by}: {all_named} of {count} tables of noise get another setting")


def last_lines(*words):
    return must("compare", *words).splitlines()[-2:]


def test_choice():
    """Named is what is better beyond chance; what may be chance is a hint; what says one label is told of."""
    check(last_lines(put("noise.csv", noise("numbers", 200, 2, 0, 1)))[1] == f"perceptron train {OUT}/noise.csv", "noise")
    ring = "".join(f"{x:.3f},{y:.3f},{'in' if x * x + y * y < 1 else 'out'}\n"
                   for x, y in ((draw.gauss(0, 1), draw.gauss(0, 1)) for _ in range(400)))
    found, last = rows_of(must("compare", put("ring.csv", ring)))
    check(last == f"perceptron train {KERNEL} {OUT}/ring.csv", f"a ring: {last}")
    check(not found[""][5] and float(found[KERNEL][0]) < 10, f"a ring: the default never leaves, the kernel is right: {found}")
    got = json.loads(must("compare", "--json", OUT + "/ring.csv"))
    check(got["best"] == KERNEL and got["hint"] is None and got["z"] > 2.75 and got["baseline_z"] > 1, f"a ring: {got}")
    inside = ring.count(",in")
    check(abs(got["baseline"]["error"] - min(inside, 400 - inside) / 400) < 1e-9 and got["baseline"]["label"] == "out", f"{got['baseline']}")
    check(re.fullmatch(rf"better than the default by {got['z']:.1f} standard errors \(2.75 are asked\):", last_lines(OUT + "/ring.csv")[0]),
          f"a ring: {last_lines(OUT + '/ring.csv')}")
    same = put("same.csv", "1,a\n" * 30 + "1,b\n" * 12)
    out = must("compare", same).splitlines()
    check(out[-2:] == ["the default, but none predicts better than always a:", f"perceptron train {same}"], f"one value: {out}")
    told = [line for line in out if line.endswith(" always a")]
    got = json.loads(must("compare", "--json", same))
    check(len(told) == len(TABLES) - 1 and {row["always"] for row in got["tried"]} == {"a"} and got["baseline_z"] == 0, f"one value: {got}")
    hints = 0
    for seed in range(20):
        mild = "".join(f"{dice.gauss(k, 1.2):.3f},{dice.gauss(0, 1):.3f},{dice.gauss(k * k, 1):.3f},{'abc'[k]}\n"
                       for dice in [random.Random(seed)] for k in [dice.randrange(3) for _ in range(60)])
        got = json.loads(must("compare", "--json", put("mild.csv", mild)))
        if got["hint"] is None:
            continue
        hints += 1
        row = next(row for row in got["tried"] if row["options"] == got["hint"])
        check(got["best"] == "" and 1 < got["z"] <= 2.75 and got["z"] == row["z"] and
              row["error"] == min(row["error"] for row in got["tried"] if row["error"] is not None), f"a hint: {got}")
        check(last_lines(OUT + "/mild.csv") == [f"the default; {got['hint']} was wrong less often by {100 * row['gain']:.2f} points, "
                                                f"{got['z']:.1f} standard errors, which may be chance:",
                                                f"perceptron train {OUT}/mild.csv"], f"a hint: {last_lines(OUT + '/mild.csv')}")
        if hints == 3:
            break
    check(hints, "no table has a hint")
    refused(1, "--by auc needs two labels, and here are 3", "compare", "--by", "auc", OUT + "/mild.csv")
    for by, head in ("auc", "AUC more than default"), ("logloss", "log-loss less than default"):
        first, *_, last = must("compare", "--by", by, OUT + "/ring.csv").splitlines()
        check(first.split() == f"setting {head} +- repeats seconds bytes".split() and last.startswith("perceptron train --algorithm=kernel"),
              f"--by {by}: {first} {last}")


# ---- More than 10,000 rows ----

def many_rows(count, seed):
    dice, lines = random.Random(seed), []
    for _ in range(count):
        label = dice.randrange(3)
        lines.append(f"{dice.gauss(label, 1.5):.2f},{dice.gauss(0, 1):.2f},{'abc'[label]}")
    return "\n".join(lines) + "\n"


def test_many():
    """All learn 10,000 rows, the last more: their error is that of a model of all rows, within what chance makes of it."""
    count = fewer(20000, 200000, "rows")
    data, other = put("many.csv", many_rows(count, 1)), put("other.csv", many_rows(20000, 2))
    given = ("--header=no", "--folds", "2", "--seconds", "1000")
    got = json.loads(must("compare", "--json", *given, data))
    last, held = got["last"], min(10000, count // 10)
    check((got["rows"], got["drawn"], got["repeats"], got["learned"]) == (count, 10000, 1, 5000), f"part 1: {got}")
    check((last["learned"], last["held_out"], last["times"]) == (count - held, held, 5), f"part 2: {last}")
    check(last["tried"][0]["options"] == "" and 1 <= len(last["tried"]) <= 3, f"part 2: {last}")
    for row in last["tried"]:
        must("train", "-q", "--header=no", *row["options"].split(), data, OUT + "/m", plain=False)
        truth = 1 - json.loads(must("predict", "--json", "--header=no", other, OUT + "/m"))["accuracy"]
        chance = math.sqrt(truth * (1 - truth) * (1 / 20000 + 1 / (5 * held)))
        check(abs(row["error"] - truth) < 2 * chance, f"{row}: in truth {truth}, chance {chance}")
    out = must("compare", *given, data).splitlines()
    check(f"all {len(got['tried'])} settings on 10000 of {count} rows, tested once by models that learned from 5000 of them (1 of 2 parts)" in
          "\n".join(out), f"part 1: {out}")
    check(out[-3] == f"the last {len(last['tried'])}, tested 5 times on {held} rows by models that learned from {count - held} of the others",
          f"part 2: {out}")
    few = put("few.csv", many_rows(10001, 3))
    got = json.loads(must("compare", "--json", *given, "--by", "logloss", few))
    row = got["last"]["tried"][0]
    must("train", "-q", "--probabilities", "--header=no", few, OUT + "/m", plain=False)
    loss = json.loads(must("predict", "--json", "--report", "--header=no", other, OUT + "/m"))["report"]["probabilities"]["log_loss"]
    check(got["last"]["times"] == 5 and abs(row["log_loss"] - loss) < 0.03, f"by log-loss: {row}, of a model of all rows {loss}")


def test_pipe():
    """The rows are read once, and what would read them again is not tried."""
    status, out, error = run("compare", "--text", "-", stdin=get(WORDS))
    found, last = rows_of(out)
    check(status == 0 and "--marks no is not tried" in error, f"advice: {error}")
    want, line = rows_of(must("compare", "--text", WORDS))
    del want["--marks=no"]
    check(found == want, "a pipe is what a file is")
    check(last == line.replace(WORDS, "- best.model"), f"a pipe: {last}")


def test_kernel_rows():
    for count, tried in ((5000, True), (5001, False)):
        lines = "".join(f"{k % 2} 1:{k % 2}\n" for k in range(count))
        got = json.loads(must("compare", "--json", "--folds", "2", put("many", lines)))
        check(any("kernel" in row["options"] for row in got["tried"]) == tried, f"{count} rows: {got}")


def test_paste():
    """In a folder of its own, by a shell: it trains what --algorithm says, from the same rows."""
    folder = os.path.abspath(OUT + "/folder")
    os.makedirs(folder, exist_ok=True)
    shutil.copy(PROGRAM, folder + "/perceptron")
    path = {**os.environ, "PATH": folder + ":" + os.environ["PATH"]}
    plain, odd = table(24), "kind of it,$(touch bad),b\"x\"*,c,d,e,f g\n".replace('"', "'")
    for name, content, given in (("plain.csv", plain, ()), ("it's a * $(touch bad).csv", plain, ()), ("-x.csv", plain, ()),
                                 ("-x y", plain, ()), ("semicolons", plain.replace(",", ";"), ("--sep", ";")),
                                 ("a&b 'c'.csv", plain, ("--seed", "3")),
                                 *((f"a{special}b.csv", plain, ()) for special in "$*?~;|<>[]{}()#!&\\\"'` "),
                                 ("names.csv", odd + table(24), ("--label", "f g", "--ignore", "$(touch bad)",
                                                                "--ignore", "b'x'*", "--header"))):
        with open(f"{folder}/{name}", "w") as f:
            f.write(content)
        done = subprocess.run([folder + "/perceptron", "compare", *given, "--folds", "2", "--", name], cwd=folder,
                              capture_output=True, text=True)
        check(done.returncode == 0, f"{name}: {done.stderr}")
        command = done.stdout.splitlines()[-1]
        made = subprocess.run(command, shell=True, cwd=folder, env=path, capture_output=True, text=True)
        check(made.returncode == 0 and not os.path.exists(folder + "/bad"), f"{command}: {made.stderr}")
        shown = json.loads(must("show", "--json", f"{folder}/{name}.model"))
        check(shown["rows"] > 0, f"{command}: {shown}")
        best = json.loads(subprocess.run([folder + "/perceptron", "compare", "--json", *given, "--folds", "2", "--", name],
                                         cwd=folder, capture_output=True, check=True).stdout)["best"]
        words = ["train", "-q", *best.split(), *given, "--", name, "same"]
        subprocess.run([folder + "/perceptron", *words], cwd=folder, check=True)
        check(get(f"{folder}/{name}.model") == get(folder + "/same"), f"{command}: another model")
        os.remove(f"{folder}/{name}.model")
        os.remove(folder + "/same")


def test_json():
    got = json.loads(must("compare", "--json", "--text", WORDS))
    found, last = rows_of(must("compare", "--text", WORDS))
    check([row["options"] for row in got["tried"]] == list(found), f"tried: {got}")
    for row, (error, gain, deviation, repeats, size, left) in zip(got["tried"], found.values()):
        shown = ["-" if row[name] is None else f"{100 * row[name]:.2f}" for name in ("error", "gain", "standard_error")]
        check((*shown, row["repeats"]) == (error, gain, deviation, repeats) and row.get("model_bytes", 0) == size and
              row.get("left_after", 0) == left and row["seconds"] >= 0, f"{row}")
    check(shlex.split(last) == ["perceptron", "train", *got["best"].split(), "--text", WORDS], f"best: {got['best']}")


def slow(rows):
    """Rows of chance, most of which a kernel model stores."""
    return "".join(",".join(f"{draw.random():.3f}" for _ in range(60)) + f",{draw.choice('abc')}\n" for _ in range(rows))


def test_seconds():
    """What would take longer than is left is given up, and what it would take is said."""
    data = put("slow.csv", slow(5000))
    lines = must("compare", "--seconds", "1", data).splitlines()
    line = next(line for line in lines if "kernel" in line)
    given_up = re.fullmatch(r"--algorithm=kernel --decision=averaged +given up: it would take (\d+) seconds or more", line)
    check(given_up and int(given_up[1]) >= 1, f"given up: {lines}")
    check("--seconds" not in lines[-1], f"train has no such option: {lines[-1]}")
    got = json.loads(must("compare", "--json", "--seconds", "1", data))
    last = got["tried"][-1]
    check(last["options"].startswith("--algorithm=kernel") and last["error"] is None and last["expected_seconds"] > 0 and
          sum(row["seconds"] for row in got["tried"]) < 30 and got["best"] in TABLES, f"as JSON: {got}")
    plain, slower = (rows_of(must("compare", *given, WORDS, "--text"))[0] for given in ((), ("--seconds", "1000")))
    check(plain == slower, "a limit that is not reached changes nothing")
    wide = put("wide.svm", "".join(f"{k % 3} " + " ".join(f"{draw.randrange(1, 9) + 9 * j}:1" for j in range(400)) + "\n"
                                   for k in range(10001)))
    for words in ((), ("--json",)):
        status, out, err = run("compare", "--folds", "1000", "--seconds", "1", *words, wide)
        check((status, err) == (1, "perceptron: all take longer than --seconds 1: give more\n") and
              out.count("given up" if not words else "expected_seconds") == len(OTHERS), f"all are given up: {status} {out} {err}")
        check(words or "there was no time (--seconds) to learn more rows: with all of them the error is lower" in out, f"no part 2: {out}")
    check(json.loads(out)["best"] is None and json.loads(out)["last"] is None, "JSON is whole")
    out = must("compare", "--header=no", "--seconds", "2", put("hurried.csv", slow(20000)))
    last = re.search(r"^the last \d, tested (?:once|\d times) on 2000 rows by models that learned from (\d+) of the others(.*)$", out, re.M)
    if last:  # it depends on the machine
        check(last[2] == (": with all of them the error is lower" if int(last[1]) < 0.8 * 18000 else ""), f"more rows: {out}")
        check(8000 < int(last[1]) <= 18000, f"no fewer than before: {out}")
    else:
        check("there was no time (--seconds) to learn more rows" in out, f"more rows: {out}")
    for bad in ("0", "x"):
        refused(1, f"--seconds {bad}: give a whole number", "compare", "--seconds", bad, data)


def test_terminal():
    """On a terminal a line tells every second how far it is, and leaves nothing behind."""
    data = put("slow.csv", slow(4000))
    try:
        main, terminal = pty.openpty()
    except OSError:
        return skip("compare on a terminal: there are none here (mount /dev/pts)")
    with subprocess.Popen([PROGRAM, "compare", "--seconds", "9", data], stdout=subprocess.PIPE, stderr=terminal) as process:
        os.close(terminal)
        said = b""
        while True:
            try:
                part = os.read(main, 1000)
            except OSError:  # its end, as Linux says it
                break
            if not part:
                break
            said += part
        out = process.stdout.read().decode()
    os.close(main)
    lines = said.decode().split("\r")
    told = [re.fullmatch(r"fold (\d+) of 10, (\d+) seconds: (?:--|.def)\S.*", line) for line in lines[1:-2]]
    check(told and all(told) and lines[0] == "" and lines[-2].strip() == lines[-1] == "", f"lines: {lines}")
    seconds = [int(line[2]) for line in told]
    check(seconds[0] == 1 and sorted(set(seconds)) == seconds, f"seconds: {lines}")
    check(out.count("\n") == 15 and "fold 1" not in out, f"the table: {out}")


def test_mistakes():
    data = put("small.csv", table(4))
    refused(1, "--folds 5 of 4 rows leaves folds empty", "compare", data)
    status, out, err = run("compare", "--json", data)
    check((status, list(json.loads(out))) == (1, ["error", "status"]) and not run("compare", data)[1],
          f"an error before the first learner is all that is printed: {out}")
    refused(2, "all rows have the label", "compare", put("one.csv", "1,a\n2,a\n3,a\n4,a\n5,a\n"))
    refused(3, "no-such-file", "compare", "no-such-file")
    refused(1, "perceptron compare takes DATA", "compare", data, OUT + "/x")
    refused(1, "--folds 1: give a whole number", "compare", "--folds", "1", data)
    refused(1, "'--test' is not an option of compare", "compare", "--test", data, data)
    refused(1, "--ngrams needs --text", "compare", "--ngrams", "2", DIGITS)
    refused(1, "--zero-based needs rows of libsvm", "compare", "--zero-based", DIGITS)
    refused(2, "small.csv:1:", "compare", "--label", "none", data)
    before = sorted(os.listdir(OUT))
    status, out, err = run("compare", "--json", "--folds", "3", data, cwd=None)
    check(status == 0 and sorted(os.listdir(OUT)) == before, f"no file is written: {err}")
    check(run("compare", put("years.csv", "a,b,k\n" + "".join(f"{j * 1000},1,{j % 2}\n" for j in range(20))))[2].count("\n")
          <= 2, "advice on the rows comes once")


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
finish()
