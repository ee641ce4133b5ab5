"""perceptron export of models whose rows are prepared: standard and maxabs are folded into weights of floats, and by
NAME_row into rows of int16; words carry idf and their counts. What C answers to rows and texts as they are is what
perceptron predict says; what an export cannot carry is refused, and so are integers that cost too much."""
import json
import math
import os
import random
import re
import shutil
import struct
import subprocess
import threading
from datetime import datetime, timedelta

from cli import DIGITS, OUT, check, finish, get, must, predictions, put, refused, run, skip, train
from exported import DATA, TEXTS, WARN

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
    if flags and (not os.path.exists(library) or os.path.getmtime(library) < os.path.getmtime("perceptron.h")):
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


def answers(model, name, rows, *options):
    """The labels that exported C finds, by each compiler and with perceptron.h."""
    bits, image = "--bits" in options, "arrays" not in options
    header = must("export", "--name", "m", *options, *(() if image else ("--predict",)), model)
    makes = "static void m_row(" in header
    sparse = "m_row(const uint32_t *index" in header
    row = ("m_row(index, value, count, x);" if sparse else "m_row(value, x);") if makes else \
        "for (uint32_t i = 0; i < count; i++) x[i] = value[i];"
    text = ANSWER % {"header": name + ".h", "type": "int16_t" if bits else "float", "manual": manual(header), "row": row}
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
        for standard, got in answers(model, f"table{i}", rows_of(test, names[categories]), *form):
            near(got, expected, share, f"{what} {standard}")


def test_gaps():
    """A NaN is a gap for NAME_row; where weights are folded, the comment has the mean that stands for it."""
    data, test = table("gaps.csv", 400, 1, 9, gaps=0.1), table("gaps.test.csv", 500, 2, 9, gaps=0.2)
    for i, (how, options, form, share) in enumerate((
            ("mean", (), ("--bits", "8", "--as", "arrays"), 0.02), ("mean", ("-a", "kernel", "-e", "2"), (), 0),
            ("mean", (), ("--as", "arrays"), 0.003), ("zero", (), ("--bits", "16", "--as", "arrays"), 0.02),
            ("zero", ("-a", "kernel", "-e", "2"), (), 0))):
        model = train(data, "--missing", how, *options, plain=False)
        rows = rows_of(test, [f"n{j}" for j in range(9)])
        if form == ("--as", "arrays"):
            said = re.findall(r'^ \*     (\d+) "n\d" \(where it is missing: (\S+)\)$', must("export", *form, model), re.M)
            check([int(j) for j, _ in said] == list(range(9)), f"the comment has means: {said}")
            rows = [[(j, float(said[j][1]) if math.isnan(v) else v) for j, v in row] for row in rows]
        for standard, got in answers(model, f"gaps{i}", rows, *form):
            near(got, predictions(test, model), share, f"gaps {options} {form} {standard}")


def test_liblinear():
    """The weights of the text, times rows as they are, in doubles."""
    lines = get(table("l.csv", 300, 5, 9)).decode().replace(",c\n", ",b\n")
    data = put("l.csv", lines.replace(",a\n", ",-1\n").replace(",b\n", ",1\n"))
    for options in ((), ("--normalize", "maxabs")):
        model = train(data, *options, plain=False)
        for form in ("liblinear", "libsvm"):
            text = must("export", "--format", form, model)
            if form == "liblinear":
                weights = [float(line) for line in text[text.index("\nw\n") + 3:].split()]
            else:
                alpha, *values = text[text.index("\nSV\n") + 4:].split()
                weights = [float(alpha) * float(v.split(":")[1]) for v in values]
                weights.append(-float(re.search(r"^rho (\S+)", text, re.M).group(1)))
            first, second = re.search(r"^label (\S+) (\S+)", text, re.M).groups()
            got = [first if sum(w * v for w, (_, v) in zip(weights, [*row, (9, 1)])) > 0 else second
                   for row in rows_of(data, names_of(model))]
            near(got, predictions(data, model), 0, f"{form} {options}")


def test_digits_lost():
    """A column whose mean is thousands of deviations: only NAME_row of --bits and of kernels subtracts it before it is lost."""
    lines = "".join(f"{1e6 + i % 7},{i % 3},{'pq'[i % 7 > 3]}\n" for i in range(60))
    model = train(put("far.csv", "when,b,y\n" + lines), plain=False)
    for form in ((), ("--as", "arrays"), ("--as", "raw"), ("--as", "arrays", "--predict"), ("--as", "arrays", "--progmem")):
        refused(1, "scores of rows as they are lose digits: the mean of when, 1e+06, is 502732 times", "export", *form, model, OUT + "/far.h")
    must("export", "--bits", "8", "--test", OUT + "/far.csv", model, OUT + "/far8.h", force=False)
    rows = rows_of(OUT + "/far.csv", names_of(model))
    for form in (("--bits", "8"), ("--bits", "8", "--as", "arrays"), ("--bits", "16", "--as", "arrays")):
        for standard, got in answers(model, "far", rows, *form):
            near(got, predictions(OUT + "/far.csv", model), 0, f"{form} {standard}")


def test_offsets():
    """What a model subtracts before values are floats is the caller's matter; NAME_row takes the difference."""
    draw = random.Random(8)
    lines = [[20261101 + draw.randrange(30), 1700000000 + draw.randrange(600), draw.choice(("NA", 1, 2))] for _ in range(200)]
    table = put("dates.csv", "date,time,n,y\n" + "".join(f"{a},{b},{c},{'pq'[a > 20261115]}\n" for a, b, c in lines))
    words = put("words.csv", "date,time,n,t,y\n" + "".join(f"{a},{b},{c},u{a % 3} v{b % 2},{'pq'[a > 20261115]}\n" for a, b, c in lines))
    for i, (data, options, form, share) in enumerate((
            (table, (), ("--bits", "8", "--as", "arrays"), 0.02), (table, (), ("--bits", "16"), 0.01), (table, ("-a", "kernel", "-e", "2"), (), 0),
            (words, ("--text-column", "t"), ("--as", "arrays"), 0.01), (words, ("--text-column", "t"), ("--bits", "16", "--as", "arrays"), 0.01))):
        model = train(data, "--missing", "mean", *options, plain=False)
        names = names_of(train(data, "--missing", "mean", *options[:2 * (options[:1] == ("--text-column",))], model="linear", plain=False))
        header = must("export", *form, model)
        offset = [float(word) for word in re.search(r"model_offset\[model_OFFSETS\] = \{([^}]*)\}", header).group(1).split(",") if word.strip()]
        check(len(offset) == 2 and all(f'{i} "{n}" less {offset[i]:.0f}' in header for i, n in enumerate(("date", "time"))), f"{offset}")
        rows = [[(0, a - offset[0]), (1, b - offset[1]), (2, math.nan if c == "NA" else c)] for a, b, c in lines]
        if data == words:
            rows = [sorted([*row, *((names.index(f"t:{w}"), 1.0) for w in (f"u{a % 3}", f"v{b % 2}"))]) for row, (a, b, _) in zip(rows, lines)]
        for standard, got in answers(model, f"dates{i}", rows, *form):
            near(got, predictions(data, model), share, f"{options} {form} {standard}")


def test_dates():
    """NAME_row, and rows of floats, take the number of days; the comments say so."""
    epoch, draw = datetime(1970, 1, 1), random.Random(12)
    days = [epoch + timedelta(days=draw.randrange(20000, 21000)) for _ in range(150)]
    hours = [datetime(2026, 11, 28) + timedelta(seconds=draw.randrange(3600)) for _ in range(150)]
    for i, (moments, options, form, share) in enumerate((
            (days, (), ("--as", "arrays", "--bits", "16"), 0.02), (days, (), ("--as", "arrays", "--predict"), 0.02), (days, ("-a", "kernel", "-e", "2"), (), 0),
            (days, ("--products", "day*n"), ("--as", "arrays"), 0.02), (hours, (), ("--as", "arrays", "--bits", "16"), 0.02))):
        bound = sorted(moments)[75]
        rows = [(moment, draw.choice((1, 2, 3))) for moment in moments]
        data = put("day.csv", "n,day,y\n" + "".join(f"{n},{moment:%d.%m.%Y %H:%M:%S},{'pq'[moment > bound]}\n" for moment, n in rows))
        model = train(data, *options, plain=False)
        header = must("export", *form, model)
        offset = next(iter(json.loads(must("show", "--json", model)).get("offsets", [])), {"offset": 0})["offset"]
        less = f" less {offset:.17g}" * (offset != 0)
        check((offset != 0) == (moments == hours) and f' *     1 "day", a date: days since 1970-01-01{less}\n' in header, f"{options}: {header[:500]}")
        makes = " model_row(const" in header
        comment = re.search(r"/\*((?:(?!\*/).)*)\*/\n[^\n]* model_row\(const", header, re.S)
        check(makes == bool(comment) and (not makes or "Dates are days since 1970-01-01." in comment[1]), f"{form}: NAME_row says it")
        check(run("export", *form, model, OUT + "/day.h")[2].endswith("Its dates are numbers: days since 1970-01-01.\n"), "and export")
        cells = [[(0, float(n)), (1, (moment - epoch).total_seconds() / 86400 - offset)] for moment, n in rows]
        for standard, got in answers(model, f"day{i}", cells, *form):
            near(got, predictions(data, model), share, f"{options} {form} {standard}")


def test_columns():
    """A table with numbers and a column of texts: NAME_row takes numbers, gaps and counts."""
    lines = [line.split("\t") for line in text_lines(400, 5, "abc").splitlines()]
    draw = random.Random(6)
    size = [1000 * "abc".index(k) + draw.gauss(0, 900) for k, _ in lines]
    write = lambda name, some: put(name, "size,t,kind\n" + "".join(
        f'{"NA" if i % 9 == 8 else format(size[i], ".6g")},"{lines[i][1]}",{lines[i][0]}\n' for i in some))
    data, test = write("columns.csv", range(200)), write("columns.test.csv", range(200, 400))
    for i, (options, form, share) in enumerate([((), ("--as", "arrays"), 0.01), ((), (), 0.01), ((), ("--bits", "8"), 0.03),
                                                (("-a", "kernel", "-e", "2"), (), 0.01), ((), ("--bits", "16"), 0.01),
                                                (("--normalize", "none", "--words", "log"), ("--as", "arrays"), 0.01)]):
        options = ("--missing", "mean", *options)
        linear = [o for o in options if o not in ("-a", "kernel")] if "kernel" in options else options
        place = {name: j for j, name in enumerate(names_of(train(data, "--text-column", "t", *linear, plain=False)))}
        model = train(data, "--text-column", "t", *options, plain=False)
        rows = []
        for n in range(200, 400):
            if n % 9 == 8 and "none" in options:
                continue  # its mean is not in the export, which says so in its comment
            row = {place["size"]: math.nan if n % 9 == 8 else float(f"{size[n]:.6g}")}
            for word in lines[n][1].lower().split():
                if f"t:{word}" in place:
                    row[place[f"t:{word}"]] = row.get(place[f"t:{word}"], 0) + 1.0
            rows.append(sorted(row.items()))
        for standard, got in answers(model, f"columns{i}", rows, *form):
            said = [p for n, p in zip(range(200, 400), predictions(test, model)) if not (n % 9 == 8 and "none" in options)]
            near(got, said, share, f"text columns {options} {form} {standard}")


# ---- Texts ----

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


TEXT_MODELS = [  # labels, options of training, of export, rows that may differ
    *((n, o, (), 0.003) for n in ("ab", "abc") for o in ((), ("--words", "counts"), ("--words", "log"), ("--ngrams", "2"), ("--hash", "14"))),
    ("ab", ("-a", "arow"), (), 0.003), ("ab", ("--words", "binary"), (), 0), ("ab", ("--online",), (), 0.003),
    ("ab", ("--words", "binary", "--normalize", "none"), ("--bits", "16", "--unit", "0.01"), 0.01),
    ("abc", ("--rows", "dense"), (), 0.003),
    *((n, o, ("--bits", b), 0.01) for n in ("ab", "abc") for o in ((), ("--hash", "10"), ("--words", "counts"))
      for b in ("8", "16")),
]


def test_texts():
    for i, (labels, options, form, share) in enumerate(TEXT_MODELS):
        model = train(put("learn", text_lines(400, 3, labels)), "--text", *options, plain=False)
        asked = [line.split("\t")[1] for line in text_lines(1000, 4, labels).splitlines()]
        expected = predictions(put("asked", "".join(f"\t{line}\n" for line in asked)), model)
        header = must("export", "--as", "arrays", "--predict", "--name", "m", *form, model)
        check(len(set(expected)) == len(labels), f"{options}: {set(expected)}")
        for standard, path in program(TEXTS.replace("NAME.h", f"text{i}.h").replace("NAME", "m"), header, f"text{i}"):
            done = subprocess.run([path], input="".join(line + "\n" for line in asked).encode(), capture_output=True)
            near(done.stdout.decode().splitlines(), expected, share, f"texts {labels} {options} {form} {standard}")


# ---- On a device whose flash is not memory ----

DEVICE = """
#ifdef __AVR__
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#define PCN_READ_WEIGHT(to, from) memcpy_P(to, from, sizeof *(to))
#define copy memcpy_P
static void put(char c)
{
    UCSR0B = 1 << TXEN0;
    while (!(UCSR0A & 1 << UDRE0)) continue;
    UDR0 = (uint8_t)c;
}
#else
#include <stdio.h>
#include <string.h>
#define PROGMEM
#define copy memcpy
#define put putchar
#endif
#ifdef WITH
#define PERCEPTRON_STATIC
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#endif
#include "%(header)s"
static const float asked[%(rows)d][m_FEATURES] PROGMEM = {%(values)s};
int main(void)
{
    static float value[m_FEATURES];
    static %(type)s x[m_FEATURES];
    int i;
    for (i = 0; i < %(rows)d; i++) {
        copy(value, asked[i], sizeof value);
        %(row)s
#ifdef WITH
        put((char)('0' + %(call)s));
#else
        put((char)('0' + m_predict(0, x, m_FEATURES)));
#endif
    }
    put('\\n');
#ifdef __AVR__
    cli();
    sleep_enable();
    sleep_cpu();
#endif
    return 0;
}
"""
UNO = ["avr-gcc", "-mmcu=atmega328p", "-std=gnu99", "-Os", "-Wall", "-Wextra", "-Werror", "-ffunction-sections",
       "-fdata-sections", "-Wl,--gc-sections"]


# Either is wrong about some programs: qemu 7.2 hangs in a loop over bytes, simavr 1.6 loses a sum of shorts.
EMULATORS = [["simavr", "-m", "atmega328p", "-f", "16000000"],
             ["qemu-system-avr", "-machine", "uno", "-nographic", "-monitor", "none", "-serial", "stdio", "-bios"]]


def uno(command):
    """The first line of digits."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as emulator:
        timer = threading.Timer(20, emulator.kill)
        timer.start()
        said = next((found[1] for line in emulator.stdout if (found := re.search(r"(?:^|\[32m)(\d+)\.?\s*$", line.decode()))), "")
        timer.cancel()
        emulator.kill()
        return said


def flash_models():
    """What is trained, rows of all its features, and options of export."""
    data, test = table("flash.csv", 300, 1, 9, 2), table("flash.test.csv", 100, 2, 9, 2)
    cells = lambda names: [dict(row) for row in rows_of(test, names)]
    for form in (("--predict",), ("--predict", "--bits", "8"), ("--predict", "--bits", "16"), (), ("--bits", "8")):
        model = train(data, plain=False)
        yield model, cells(names_of(model)), form, 0.02
    draw = random.Random(7)
    few = [(draw.randrange(3), draw.uniform(-1, 1)) for _ in range(200)]
    svm = "".join(f"{k} {3 + 40 * k}:1 {90}:{v:.3f} 150:{v * v:.3f}\n" for k, v in few)
    rows = [{2 + 40 * k: 1.0, 89: float(f"{v:.3f}"), 149: float(f"{v * v:.3f}")} for k, v in few[:40]]
    for form in ("--predict",), ("--predict", "--bits", "8"), ("--predict", "--bits", "16"):
        yield train(put("few.svm", svm)), rows, form, 0
    words = [line.split("\t") for line in text_lines(120, 5, "abc").splitlines()]
    words = [(k, [w for w in text.lower().split() if len(w) < 3][:12]) for k, text in words]
    data = put("flash.words.csv", "size,t,kind\n" + "".join(f"{i % 7},{' '.join(w)},{k}\n" for i, (k, w) in enumerate(words)))
    model = train(data, "--text-column", "t", plain=False)
    place = {name: j for j, name in enumerate(names_of(model))}
    rows = [{place["size"]: float(i % 7)} | {place[f"t:{w}"]: float(ws.count(w)) for w in ws if f"t:{w}" in place}
            for i, (_, ws) in enumerate(words[:30])]
    yield model, rows, ("--predict",), 0.03


def test_flash():
    """--progmem: the arrays are in the flash of an emulated Uno, and the answers are those of the PC."""
    if not all(map(shutil.which, ("avr-gcc", "simavr", "qemu-system-avr"))):
        return skip("arrays in flash need avr-gcc, simavr and qemu-system-avr (Debian: gcc-avr avr-libc simavr qemu-system-misc)")
    for i, (model, rows, form, share) in enumerate(flash_models()):
        name, bits = f"flash{i}", "--bits" in form
        header = must("export", "--as", "arrays", "--progmem", "--name", "m", *form, model)
        features = int(re.search(r"m_FEATURES = (\d+)", header).group(1))
        put(name + ".h", header)
        makes, sparse = "static void m_row(" in header, "m_row(const uint32_t *index" in header
        source = put(name + ".c", DEVICE % {
            "header": name + ".h", "rows": len(rows), "type": "int16_t" if bits else "float",
            "values": ",\n".join("{" + ", ".join(f"{row.get(j, 0.0)!r}f" for j in range(features)) + "}" for row in rows),
            "row": ("m_row(0, value, m_FEATURES, x);" if sparse else "m_row(value, x);") if makes else
                   f"for (int j = 0; j < m_FEATURES; j++) x[j] = {'(int16_t)(value[j] / m_unit)' if bits else 'value[j]'};",
            "call": "pcn_ilinear_predict(&m_quantized, pcn_idense(x, m_FEATURES))" if bits
                    else "pcn_linear_predict(&m_linear, pcn_dense(x, m_FEATURES))"})
        with_library = () if "--predict" in form else ("-DWITH",)
        for compiler, out in ((COMPILERS["C99"], f"{OUT}/{name}"), (UNO, f"{OUT}/{name}.elf")):
            done = subprocess.run([*compiler, *with_library, source, "-I" + OUT, "-I.", "-lm", "-o", out], capture_output=True, text=True)
            check(done.returncode == 0, f"{name} by {compiler[0]}: {done.stderr[:900]}")
        pc = subprocess.run([f"{OUT}/{name}"], capture_output=True).stdout.decode().strip()
        check(len(set(pc)) == 3, f"{name} {form}: {pc}")
        said = uno(EMULATORS[0] + [f"{OUT}/{name}.elf"])
        near(said if said == pc else uno(EMULATORS[1] + [f"{OUT}/{name}.elf"]), pc, share, f"{name} {form} on an Uno")
        symbols = subprocess.run(["avr-nm", f"{OUT}/{name}.elf"], capture_output=True, text=True).stdout.splitlines()
        ours = {s.split()[2]: int(s.split()[0], 16) for s in symbols if re.search(" m_", s)}
        check("m_weight" in ours and all(at < 0x800000 for n, at in ours.items() if n not in ("m_linear", "m_quantized")),
              f"{name} {form}: in RAM: {ours}")


# ---- What an export cannot carry, or should not ----

def test_refusals():
    kept = put("kept", "kept")
    signs = put("signs.csv", get(OUT + "/l.csv"))
    linear = train(signs, plain=False)
    kernel = train(signs, "-a", "kernel", "-e", "1", model="kernel", plain=False)
    text = put("signs.tsv", text_lines(60, 3, "ab").replace("a\t", "1\t").replace("b\t", "-1\t"))
    tfidf = train(text, "--text", model="tfidf", plain=False)
    long = train(text, "--text", "--normalize", "l2", model="long", plain=False)
    pairs = train(text, "--text", "--products", "all", "--words", "tfidf", "-e", "1", model="pairs", plain=False)
    kernel_pairs = train(signs, "-a", "kernel", "-e", "1", "--products", "n0*n1", "--normalize", "standard", model="kernel2",
                         plain=False)
    both = train(signs, "--normalize", "standard-l2", model="both", plain=False)
    for text, model, *options in [
            ("(standard-l2) cannot be exported", both), ("(standard-l2) cannot be exported", both, "--bits", "8"),
            ("--unit: the export scales rows by itself", linear, "--bits", "8", "--unit", "1"),
            ("LIBLINEAR and LIBSVM prepare no rows", kernel, "--format", "libsvm"),
            ("LIBLINEAR and LIBSVM prepare no rows", tfidf, "--format", "libsvm"),
            ("LIBLINEAR and LIBSVM prepare no rows", tfidf, "--format", "liblinear"),
            ("an image alone prepares no rows", tfidf, "--as", "raw"),
            ("an image alone prepares no rows", kernel, "--as", "raw"),
            ("an image alone prepares no rows", linear, "--as", "raw", "--bits", "8"),
            ("words have one, rows (l2) another", long, "--bits", "8"),
            ("words have one, rows (l2) another", long, "--as", "arrays", "--predict"),
            ("--progmem: a function that takes texts", tfidf, "--as", "arrays", "--predict", "--progmem"),
            ("--progmem has no products", train(signs, "--products", "n0*n1", "-e", "1", model="crossed"), "--as", "arrays", "--progmem"),
            ("--progmem needs --as arrays", linear, "--progmem"),
            ("makes products of words that are 0 or 1", pairs, "--as", "arrays", "--predict"),
            ("an export finds products of features, or it prepares rows: train with --words binary", pairs),
            ("kernels with --normalize none, too", kernel_pairs)]:
        refused(1, text, "export", *options, model, kept)
    check(get(kept) == b"kept", "what is refused leaves the old file")
    header = must("export", long)
    check("Rows to predict: what model_row makes of the values, then divide each row by its length (l2)." in header, "l2")


def test_data():
    """In 8 bits within 0.6 points of floats on all tables, whatever their columns are like."""
    if not DATA:
        return skip("PCN_DATA names no folder with tables")
    sets = [tuple(os.path.join(DATA, f"{name}.{part}.svm") for part in ("train", "test"))
            for name in ("vehicle", "sonar", "spam", "letter", "shuttle")] + [(DIGITS, DIGITS)]
    for data, test in sets:
        for options in ((), ("--normalize", "maxabs")):
            model = train(data, *options, plain=False)
            for bits in ("8", "16"):
                said = json.loads(must("export", "--bits", bits, "--json", "--test", test, model, OUT + "/d.h"))
                lost = (said["errors_quantized"] - said["errors_float"]) / said["rows"]
                check(lost <= 0.006, f"{data} {options} {bits} bits: {said}")


test_tables()
test_gaps()
test_liblinear()
test_digits_lost()
test_columns()
test_texts()
test_flash()
test_refusals()
test_data()
finish()
