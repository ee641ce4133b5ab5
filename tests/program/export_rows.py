"""perceptron export of models whose rows are prepared: standard and maxabs are folded into weights of floats, and by
NAME_row into rows of int16; words carry idf and their counts. What C answers to rows and texts as they are is what
perceptron predict says; what an export cannot carry is refused, and so are integers that cost too much."""
import json
import math
import os
import random
import re
import struct
import subprocess

from cli import DIGITS, OUT, check, finish, get, must, predictions, put, refused, run, skip, train
from exported import DATA, EMULATOR, WARN, equal

draw = random.Random(40)
NONE = ("NA", "")


# ---- Tables ----

def table(name, rows, seed, columns, categories=0, gaps=0.0):
    """Columns of unlike size and place; the label is by their standardised sums."""
    draw, lines = random.Random(seed), []
    size = [10.0**(j % 7 - 3) for j in range(columns)]
    for _ in range(rows):
        z = [draw.gauss(0, 1) for _ in range(columns)]
        words = [draw.choice("xyz") for _ in range(categories)]
        best = max(range(3), key=lambda k: sum(z[k::3]) + words.count("xyz"[k]) + draw.gauss(0, 0.3))
        cells = ["NA" if draw.random() < gaps else f"{(v + j % 5 * 20) * size[j]:.6g}" for j, v in enumerate(z)]
        lines.append(",".join([*cells, *words, "abc"[best]]))
    names = [f"n{j}" for j in range(columns)] + [f"w{j}" for j in range(categories)] + ["kind"]
    return put(name, "\n".join([",".join(names), *lines]) + "\n")


def names_of(model):
    """The features, in their order."""
    lines = must("show", "--csv", model).splitlines()[1:]
    return list(dict.fromkeys(line.split(",")[0] for line in lines if not line.startswith("(bias)")))


def rows_of(path, names):
    """[(feature, value)] of each row as a device has them: numbers as they are, NaN for gaps, 1 for a word."""
    head, *lines = get(path).decode().splitlines()
    column, place = head.split(",")[:-1], {name: j for j, name in enumerate(names)}
    rows = []
    for line in lines:
        cells = dict(zip(column, line.split(",")))
        row = {}
        for name, cell in cells.items():
            if name in place:
                row[place[name]] = math.nan if cell in NONE else float(cell)
            elif f"{name}={cell}" in place:
                row[place[f"{name}={cell}"]] = 1.0
        rows.append(sorted(row.items()))
    return rows


ANSWER = """
#ifdef WITH
#include "perceptron.h"
#endif
#include "%(header)s"
#include <stdint.h>
#include <stdio.h>
#ifdef WITH
static int answer(const uint32_t *index, const %(type)s *x, unsigned long count)
{
    const uint32_t n = (uint32_t)count;
    (void)index;
    (void)n;
%(manual)s
    return k;
}
#endif
int main(void)
{
    uint32_t count, index[m_FEATURES];
    float value[m_FEATURES];
    %(type)s x[m_FEATURES];
    while (fread(&count, 4, 1, stdin) == 1) {
        if (fread(index, 4, count, stdin) != count || fread(value, 4, count, stdin) != count) return 1;
        %(row)s
#ifdef WITH
        puts(m_label[answer(index, x, count)]);
#else
        puts(m_label[m_predict(index, x, count)]);
#endif
    }
    return 0;
}
"""
COMPILERS = {"C99": ["gcc", "-std=c99", "-O1", *WARN], "C++11": ["g++", "-std=c++11", "-x", "c++", "-O1", *WARN]}


def manual(header):
    """The code in the comment of a header that finds k, where x is the row."""
    code = [line[3:] for line in header[:header.index("*/")].split("\n")
            if line.startswith(" *     ") and line.endswith(";") and "trainer" not in line]
    return "\n".join(code).replace("(index, value, count)", "(index, x, (uint32_t)count)")


def program(text, header, name, *flags):
    """What it answers, of each compiler."""
    put(f"{name}.h", header)
    source = put(f"{name}.c", text)
    library = OUT + "/library.o"
    if flags and not os.path.exists(library):
        put("library.c", '#define PERCEPTRON_IMPLEMENTATION\n#include "perceptron.h"\n')
        subprocess.run(["gcc", "-O1", "-I.", "-c", OUT + "/library.c", "-o", library], check=True)
    for standard, compiler in COMPILERS.items():
        if flags and standard != "C99":
            continue
        done = subprocess.run([*compiler, *flags, source, "-x", "none", *([library] if flags else []), "-I" + OUT, "-I.", "-lm",
                               "-o", f"{OUT}/{name}"], capture_output=True, text=True)
        check(done.returncode == 0, f"{name} in {standard}: {done.stderr[:600]}")
        if done.returncode == 0:
            yield standard, f"{OUT}/{name}"


def answers(model, name, data, names, *options):
    """The labels that exported C finds, by each compiler and with perceptron.h."""
    bits, image = "--bits" in options, "arrays" not in options
    header = must("export", "--name", "m", *options, *(() if image else ("--predict",)), model)
    makes = "static void m_row(" in header
    sparse = "m_row(const uint32_t *index" in header
    row = ("m_row(index, value, count, x);" if sparse else "m_row(value, x);") if makes else \
        "for (uint32_t i = 0; i < count; i++) x[i] = value[i];"
    text = ANSWER % {"header": name + ".h", "type": "int16_t" if bits else "float", "manual": manual(header), "row": row}
    rows = rows_of(data, names)
    cells = b"".join(struct.pack(f"<I{len(r)}I{len(r)}f", len(r), *(j for j, v in r), *(v for j, v in r)) for r in rows)
    for standard, path in program(text, header, name, *(("-DWITH",) if image else ())):
        done = subprocess.run([path], input=cells, capture_output=True)
        check(done.returncode == 0, f"{name} ends with {done.returncode}")
        yield standard, done.stdout.decode().splitlines()


def near(got, expected, share, what):
    """The same labels but for that share of the rows."""
    differ = sum(a != b for a, b in zip(got, expected))
    check(len(got) == len(expected) > 0 and differ <= share * len(got), f"{what}: {differ} of {len(got)} rows differ")


TABLES = [  # categories, options of training, options of export, rows that may differ
    (0, (), ("--as", "arrays"), 0), (0, (), ("--as", "image"), 0), (2, (), ("--as", "arrays"), 0),
    (0, ("--normalize", "maxabs"), ("--as", "arrays"), 0), (2, ("-a", "arow"), ("--as", "image"), 0),
    (0, ("--online",), ("--as", "arrays"), 0), (0, ("-a", "kernel", "-e", "2"), (), 0),
    (2, ("-a", "kernel", "-e", "2", "--kernel", "poly"), (), 0), (0, ("-a", "voted", "-e", "2"), (), 0),
    *((n, o, ("--bits", b, "--as", form), 0.02 if b == "8" else 0.002)
      for n in (0, 2) for o in ((), ("--normalize", "maxabs")) for b in ("8", "16") for form in ("arrays", "image")),
]


def test_tables():
    for categories in (0, 2):
        table(f"train{categories}.csv", 400, 1, 9, categories)
        table(f"test{categories}.csv", 1000, 2, 9, categories)
    names = {n: names_of(train(f"{OUT}/train{n}.csv", plain=False)) for n in (0, 2)}
    for i, (categories, options, form, share) in enumerate(TABLES):
        what, test = f"{categories} categories {options} {form}", f"{OUT}/test{categories}.csv"
        model = train(f"{OUT}/train{categories}.csv", *options, plain=False)
        expected = predictions(test, model)
        for standard, got in answers(model, f"table{i}", test, names[categories], *form):
            near(got, expected, share, f"{what} {standard}")


# ---- Texts ----

PREDICT = """
#include "%s"
#include <stdio.h>
#include <string.h>
int main(void)
{
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\\n")] = 0;
        puts(m_label[m_predict_text(line)]);
    }
    return 0;
}
"""


def text_lines(count, seed, labels):
    """Words that come again, some of them often; a few texts have more than 64 different ones, some none."""
    draw, lines = random.Random(seed), []
    for i in range(count):
        k = draw.randrange(len(labels))
        most = draw.choice((0, 3, 10, 30, 400))
        words = [f"w{int(draw.paretovariate(0.7)) % 300}" if draw.random() < 0.7 else f"{labels[k]}{draw.randrange(40)}"
                 for _ in range(most)]
        lines.append(f"{labels[k]}\t{' '.join(words)}")
    return "\n".join(lines) + "\n"


TEXTS = [  # labels, options of training, of export, rows that may differ
    *((n, o, (), 0.003) for n in ("ab", "abc") for o in ((), ("--words", "counts"), ("--words", "log"), ("--ngrams", "2"), ("--hash", "10"))),
    ("ab", ("-a", "arow"), (), 0.003), ("ab", ("--words", "binary"), (), 0), ("ab", ("--online",), (), 0.003),
    ("abc", ("--rows", "dense"), (), 0.003),
    *((n, o, ("--bits", b), 0.01) for n in ("ab", "abc") for o in ((), ("--hash", "10"), ("--words", "counts"))
      for b in ("8", "16")),
]


def test_texts():
    for i, (labels, options, form, share) in enumerate(TEXTS):
        model = train(put("learn", text_lines(400, 3, labels)), "--text", *options, plain=False)
        asked = [line.split("\t")[1] for line in text_lines(1000, 4, labels).splitlines()]
        expected = predictions(put("asked", "".join(f"\t{line}\n" for line in asked)), model)
        header = must("export", "--as", "arrays", "--predict", "--name", "m", *form, model)
        check(len(set(expected)) == len(labels), f"{options}: {set(expected)}")
        for standard, path in program(PREDICT % f"text{i}.h", header, f"text{i}"):
            done = subprocess.run([path], input="".join(line + "\n" for line in asked).encode(), capture_output=True)
            near(done.stdout.decode().splitlines(), expected, share, f"texts {labels} {options} {form} {standard}")


test_tables()
test_texts()
finish()
