#!/usr/bin/env python3
"""Probabilities of a fit in exported C: what perceptron predict prints, byte for byte, from texts, tables and libsvm text, of
two labels and of more, by every compiler; near to it where the export scales columns, which it does in weights. Rows that
overflow; what is refused; images beside perceptron.h; which exports have the calibration instead."""
import collections
import csv
import json
import os
import random
import shutil
import subprocess

from cli import OUT, check, finish, must, names_of, put, run, skip, train
from exported import WARN

COMPILERS = {"gcc": ["gcc", "-std=c99", "-O2", "-march=native", "-ffp-contract=fast"], "gcc -O0": ["gcc", "-std=c99", "-O0"],
             "clang": ["clang", "-std=c99", "-O2", "-march=native", "-ffp-contract=fast"],
             "C++11": ["g++", "-std=c++11", "-x", "c++", "-O2"], "C++20": ["clang++", "-std=c++20", "-x", "c++", "-O1"]}
answers = collections.Counter()  # whether refused, of all
# A row is a line: of texts the text, else how many values, then the number and the value of each.
PROGRAM = r"""
#include <stdio.h>
#ifdef WITH
#include "perceptron.h"
#include <string.h>
#endif
#include "fit.h"

static void answer(int k, int refused, const float *p)
{
    int c;
    printf("%s", refused < 0 ? "?" : m_label[k]);
    for (c = 0; c < m_CLASSES; c++) printf(" %.9g", (double)p[c]);
    puts("");
}

#ifdef TEXT
int main(void)
{
    static char line[100000];
    float p[m_CLASSES];
    while (fgets(line, sizeof line, stdin)) {
        const int k = m_probabilities_text(line, p);
        answer(k, m_predict_or_refuse_text(line, m_gap(COST)), p);
        if (k != m_predict_text(line)) return 1;
    }
    return 0;
}
#else
int main(void)
{
    static uint32_t index[m_FEATURES + 9];
    static float value[m_FEATURES + 9], made[m_FEATURES + 9];
    unsigned long count, i;
    unsigned j;
    while (scanf("%lu", &count) == 1) {
        const uint32_t *at = index;
        const float *row = value;
        float p[m_CLASSES];
        int k;
        for (i = 0; i < count; i++) {
            if (scanf("%u %f", &j, &value[i]) != 2) return 1;
            index[i] = j;
        }
#ifdef ROW
        m_row(index, value, count, made);
        row = made;
#endif
#ifdef DENSE
        at = NULL;
#endif
        (void)made;
#ifdef WITH
        {
            const pcn_vec x = at ? pcn_sparse(at, row, (uint32_t)count) : pcn_dense(row, (uint32_t)count);
            float score[m_SCORES], q[m_CLASSES];
            pcn_linear model;
            if (pcn_linear_open(&model, m_image.byte, sizeof m_image.byte) < 0) return 1;
            pcn_linear_scores(&model, x, score);
            k = m_probable(score, m_norm2(at, row, count), p);
            if (pcn_linear_predict(&model, x) != k) return 1;
            answer(k, 0, p);
            m_probable(score, pcn_norm2(x), q);
            if (PLAIN && memcmp(p, q, sizeof p) != 0) return 1;
        }
#else
        k = m_probabilities(at, row, count, p);
        if (k != m_predict(at, row, count)) return 1;
        answer(k, m_predict_or_refuse(at, row, count, m_gap(COST)), p);
#endif
    }
    return 0;
}
#endif
"""


def library():
    path = put("library.c", '#define PERCEPTRON_IMPLEMENTATION\n#include "perceptron.h"\n')
    subprocess.run(["gcc", "-O1", "-I.", "-c", path, "-o", OUT + "/library.o"], check=True)
    return OUT + "/library.o"


LIBRARY = library()


def exported(model, rows, *form, flags=(), compilers=tuple(COMPILERS)):
    """What programs around an export print, by compiler."""
    put("fit.h", must("export", "--name", "m", *form, model))
    source = put("fit.c", PROGRAM)
    for name in compilers:
        compiler = COMPILERS[name]
        if not shutil.which(compiler[0]):
            skip(f"{compiler[0]} is not installed")
            continue
        strict = WARN if name in ("gcc", "C++11") and "-DWITH" not in flags else ()
        with_library = [LIBRARY] if "-DWITH" in flags else []
        done = subprocess.run([*compiler, *strict, "-DCOST=0.2f", *flags, "-I.", "-I" + OUT, source, *with_library, "-o", OUT + "/fit", "-lm"],
                              capture_output=True, text=True)
        check(done.returncode == 0, f"{form} {flags} by {name}: {done.stderr[:500]}")
        done = subprocess.run([OUT + "/fit"], input=rows.encode(), capture_output=True)
        check(done.returncode == 0, f"{form} {flags} by {name}: the program ends with {done.returncode}")
        yield name, done.stdout.decode().splitlines()


def has_fit(model):
    return "fit" in json.loads(must("show", "--json", model))


def wanted(data, model):
    """The lines that predict prints, and the same where it refuses."""
    lines = must("predict", "-q", "--no-header", "--probabilities", data, model).splitlines()
    refused = must("predict", "-q", "--no-header", "--probabilities", "--refuse", "0.2", data, model).splitlines()
    check(has_fit(model), "there is a fit")
    answers.update(line[0] == "?" for line in refused)
    return lines, refused


def near(got, expected):
    """Labels and probabilities; where columns are scaled, both may differ in the last digits."""
    pairs = [(a.split(), b.split()) for a, b in zip(got, expected)]
    off = [max(abs(float(v) - float(w)) for v, w in zip(a[1:], b[1:])) for a, b in pairs]
    other = sum(a[0] != b[0] for a, b in pairs)
    return len(got) == len(expected) and max(off) < 5e-6 and other <= len(pairs) // 200


# ---- Sets of data: a file to learn from, one to predict, its rows as lines for the program ----

def lines_of(rows):
    return "".join(f"{len(row)} " + " ".join(f"{j} {v}" for j, v in row) + "\n" for row in rows)


def svm(name, classes, features, given, seed, most=900):
    draw, parts = random.Random(seed), []
    for _ in range(2):
        rows, lines = [], []
        for _ in range(most):
            k = draw.randrange(classes)
            index = sorted(draw.sample(range(features), draw.randrange(given // 2, given + 1))) if given < features else range(features)
            size = draw.choice((1, 1, 3, 10))
            row = [(j, round(size * draw.gauss(1.2 * (j % classes == k), 1), 3)) for j in index]
            rows.append([(j, v) for j, v in row if v])
            lines.append(f"{k + 1} " + " ".join(f"{j + 1}:{v}" for j, v in rows[-1]))
        parts.append((put(f"{name}{len(parts)}", "\n".join(lines) + "\n"), rows))
    return parts[0][0], parts[1][0], parts[1][1]


def table(name, classes, seed, columns=4, words=2):
    """Numbers of unlike size and words; rows are cells."""
    draw, head = random.Random(seed), [f"n{j}" for j in range(columns)] + [f"w{j}" for j in range(words)]
    files, cells = [], []
    for _ in range(2):
        cells = []
        for _ in range(900):
            k = draw.randrange(classes)
            numbers = [f"{10.0**(j % 3) * draw.gauss(1.2 * (j % classes == k) + j % 2, 1):.4g}" for j in range(columns)]
            cells.append([*numbers, *("xyz"[min(draw.randrange(3), k)] for _ in range(words)), "abc"[k]])
        files.append(put(f"{name}{len(files)}.csv", "\n".join(map(",".join, [[*head, "kind"], *cells])) + "\n"))
    return *files, [dict(zip(head, row)) for row in cells]


def as_features(cells, model):
    """Rows of numbers, all of them, and of the words that the model knows; products are left to C."""
    place, rows = {name: j for j, name in enumerate(names_of(model))}, []
    for cell in cells:
        row = [(place[name], value) if name in place else (place.get(f"{name}={value}"), 1) for name, value in cell.items()]
        rows.append(sorted((j, v) for j, v in row if j is not None))
    return rows


def texts(name, classes, seed, repeated):
    draw, parts = random.Random(seed), []
    for _ in range(2):
        lines = []
        for _ in range(700):
            k, most = draw.randrange(classes), draw.choice((1, 4, 12, 200))
            words = [f"{draw.choice('abc'[:classes]) if draw.random() < 0.6 else 'abc'[k]}{draw.randrange(150)}" for _ in range(most)]
            lines.append(("abc"[k], " ".join(words if repeated else dict.fromkeys(words))))
        parts.append(lines)
    write = lambda part, lines: put(name + part, "".join(f"{label}\t{text}\n" for label, text in lines))
    return write("learn", parts[0]), write("ask", parts[1]), "".join(text + "\n" for _, text in parts[1])


# ---- Tests ----

def compare(what, model, data, rows, flags=(), form=("--as", "arrays", "--predict"), exact=True, compilers=("gcc -O0",)):
    lines, refused = wanted(data, model)
    for name, got in exported(model, rows, *form, flags=flags, compilers=compilers):
        some = [line for line in refused if line[0] == "?"]
        plain = ["?" + line[line.index(" "):] if a[0] == "?" else line for a, line in zip(refused, lines)]
        check(len(some) == sum(line[0] == "?" for line in plain), f"{what}: predict refuses labels alone")
        if "-DWITH" in flags:
            plain = lines
        same = got == plain if exact else near(got, plain)
        differ = [pair for pair in zip(got, plain) if pair[0] != pair[1]]
        check(same, f"{what} by {name}: {len(got)} of {len(plain)} lines, {len(differ)} differ: {differ[:2]}")


def test_rows():
    for classes in (2, 3):
        for features, options in (5, ("--rows", "dense")), (70, ("--rows", "dense")), (5, ("--rows", "sparse")), \
                (70, ("-a", "arow", "--rows", "sparse")):
            data, test, rows = svm("full", classes, features, features, features)
            model = train(data, "--probabilities", "--normalize", "none", *options, plain=False)
            dense = "dense" in options
            flags = ("-DDENSE",) if dense else ()
            whole = lines_of([[(j, dict(row).get(j, 0)) for j in range(features)] for row in rows])
            what = f"{classes} labels, {features} features {options}"
            compare(what, model, test, whole if dense else lines_of(rows), flags, compilers=tuple(COMPILERS))
            if not dense:
                compare(what + ", as dense rows", model, test, whole, ("-DDENSE",))
            compare(what + ", an image", model, test, whole if dense else lines_of(rows), (*flags, "-DWITH", "-DPLAIN=1"), ())
    data, test, rows = svm("scattered", 3, 2000, 12, 5)
    for form in (), ("--progmem",):
        model = train(data, "--probabilities", "--final", "--keep", "200", plain=False)
        compare(f"few weights {form}", model, test, lines_of(rows), form=("--as", "arrays", "--predict", *form))


def test_tables():
    for classes, seed in (2, 1), (3, 2):
        data, test, cells = table("cells", classes, seed)
        for options, exact in ((("--normalize", "none"), True), (("--normalize", "none", "--products", "n0*w0", "--products", "n1*n2"), True),
                               ((), False), (("--normalize", "maxabs"), False), (("--products", "n0*n1"), False),
                               (("--products", "n0*w0", "--normalize", "standard"), False)):
            model = train(data, "--probabilities", *options, plain=False)
            rows = lines_of(as_features(cells, model))
            compare(f"a table, {classes} labels {options}", model, test, rows, exact=exact,
                    compilers=tuple(COMPILERS) if exact else ("gcc -O0",))
            if "--products" not in options:
                compare(f"an image of a table, {classes} labels {options}", model, test, rows, ("-DWITH", f"-DPLAIN={int(exact)}"), (),
                        exact)
        data, test, cells = table("numbers", classes, seed, 40, 0)
        for normalize in "standard", "maxabs":
            for form in (), ("--rows", "sparse"):
                model = train(data, "--probabilities", "--normalize", normalize, *form, plain=False)
                compare(f"numbers, {classes} labels, {normalize} {form}", model, test, lines_of(as_features(cells, model)),
                        ("-DDENSE",) if not form else (), exact=False)


def test_missing_numbers():
    """A column that a sparse row leaves out is 0 before it is standardized."""
    data, test, cells = table("gaps", 2, 3)
    model = train(data, "--probabilities", plain=False)
    with open(test) as f:
        head, *lines = f.read().splitlines()
    zero = [[*line.split(",")] for line in lines]
    for row in zero:
        row[1] = row[3] = "0"
    test = put("zero.csv", "\n".join([head, *map(",".join, zero)]) + "\n")
    rows = as_features([{name: "0" if name in ("n1", "n3") else v for name, v in cell.items()} for cell in cells], model)
    compare("all numbers given", model, test, lines_of(rows), exact=False)
    compare("zeros left out", model, test, lines_of([[(j, v) for j, v in row if v != "0"] for row in rows]), exact=False)


def test_texts():
    for classes in (2, 3):
        for options in ((), ("--words", "counts"), ("--words", "binary"), ("--hash", "12"), ("--words", "binary", "--rows", "dense"),
                        ("--ngrams", "2", "--words", "binary"), ("--words", "binary", "--normalize", "none")):
            for repeated in (False, True):
                exact = "binary" in options or "counts" in options or not repeated and not options  # an idf of floats, times a logarithm
                data, test, rows = texts("text", classes, classes, repeated)
                model = train(data, "--text", "--probabilities", *options, plain=False)
                compare(f"texts, {classes} labels {options}", model, test, rows, ("-DTEXT",), exact=exact,
                        compilers=tuple(COMPILERS) if not repeated and classes == 3 else ("gcc -O0",))
    data, test, _ = texts("words", 2, 9, False)
    with open(data) as f, open(test) as g:
        tables = [list(csv.reader(part.read().splitlines(), delimiter="\t")) for part in (f, g)]
    write = lambda name, rows: put(name, "t,n,kind\n" + "".join(f"{text},{i % 7},{label}\n" for i, (label, text) in enumerate(rows)))
    model = train(write("tl.csv", tables[0]), "--text-column", "t", "--probabilities", plain=False)
    place = {name: j for j, name in enumerate(names_of(model))}
    rows = [sorted([(place["n"], i % 7)] + [(place[f"t:{word}"], 1) for word in text.split() if f"t:{word}" in place])
            for i, (_, text) in enumerate(tables[1])]
    compare("a column of texts", model, write("ta.csv", tables[1]), lines_of(rows), ("-DROW",), exact=False)


def test_not_finite():
    for classes in (2, 3):
        data, _, _ = svm("twice", classes, 3, 3, classes)
        with open(data) as f:
            lines = [line.split() for line in f]
        twice = "".join(f"{line[0]} " + " ".join(f"{i + 1}:{dict(c.split(':') for c in line[1:]).get(str(i % 3 + 1), 0)}" for i in range(6)) + "\n"
                        for line in lines)  # each column twice, so that sums overflow
        model = train(put("twice", twice), "--probabilities", "--normalize", "none", "--rule", "fixed", "--rate", "30", "--rows", "dense",
                      plain=False)
        wild = [(a, b, c) for a in ("1e20", "3e38", "-3e38", "1") for b in ("1e19", "3e38", "-1e10", "2") for c in ("1", "3e38", "-3e38")]
        test = put("wild", "".join("1 " + " ".join(f"{i + 1}:{v}" for i, v in enumerate(row + row)) + "\n" for row in wild * 3))
        lines = must("predict", "-q", "--no-header", "--probabilities", test, model).splitlines()
        check(not any("nan" in line for line in lines) and "nan" in must("predict", "-q", "--scores", test, model), "no p is NaN")
        compare(f"{classes} labels, values that overflow", model, test, lines_of([list(enumerate(row + row)) for row in wild * 3]), ("-DDENSE",))


def test_who_has_the_calibration():
    data = svm("plain", 2, 5, 5, 8)[0]
    model = train(data, "--probabilities", "--rows", "dense", plain=False)
    said = "Its probabilities come from the calibration: those of perceptron predict come from a fit.\n"
    for form, has in (((), 1), (("--as", "arrays"), 1), (("--as", "arrays", "--predict"), 1), (("--bits", "16"), 0),
                      (("--bits", "8", "--as", "arrays", "--predict"), 0), (("--as", "trainer"), 0)):
        status, out, err = run("export", *form, model)
        check(status == 0 and (said in err) != has and ("_fit[" in out) == has, f"{form}: {err}")
        check("model_calibration = {" in out or "trainer" in form, f"{form}: it has a calibration, too")
    plain = train(data, "--probabilities", "--shards", "2", plain=False)
    status, out, err = run("export", "--as", "arrays", "--predict", plain)
    check(status == 0 and "_fit[" not in out and err == "", f"without a fit: {err}")


for test_name, test_function in list(globals().items()):
    if test_name.startswith("test_"):
        test_function()
check(min(answers.values()) > 1000, f"some are refused, and others not: {answers}")
finish()
