"""Products of features (--products): what is learned is what the same products, computed here, teach as columns."""
import itertools
import json
import os
import random
import struct
import subprocess

from cli import OUT, check, finish, get, image, must, names_of, put, refused, run, train
from exported import WARN

XOR = "x1,x2,y\n0,0,0\n0,1,1\n1,0,1\n1,1,0\n"
CYCLIC = ("-a", "perceptron", "--order", "file")


def f32(number):
    return struct.unpack("f", struct.pack("f", number))[0]


class Plain:
    """Rows of (name, value) with their products, as libsvm text: features are numbered as they come."""

    def __init__(self, wanted, names=()):
        self.wanted, self.number = wanted, {}
        for name in names:
            self.of(name)

    def of(self, name):
        return self.number.setdefault(name, len(self.number) + 1)

    def line(self, label, row, learns=True):
        row = [(name, f32(value)) for name, value in row]
        known = [(self.of(name), name, value) for name, value in row if learns or name in self.number]
        known.sort()
        cells = {j: value for j, _, value in known}
        for pick in self.wanted:
            for (i, a, x), (k, b, y) in itertools.product(known, known):
                if pick(a, b) and not (i > k and pick(b, a)) and (i != k or pick("square", a)):
                    names = f"{a}*{b}", f"{b}*{a}"
                    if names[1] in self.number:
                        names = names[::-1]
                    if learns or names[0] in self.number:
                        cells[self.of(names[0])] = f32(x * y)
        return f"{label} " + " ".join(f"{j}:{value:.9g}" for j, value in sorted(cells.items())) + "\n"


def every(a, b):
    return a != b and a != "square"


def pair(one, two, square=False):
    return lambda a, b: (square and b == one) if a == "square" else a == one and b == two


def same(what, given, options, plain, plain_options=(), tests=None):
    """One model from rows and --products, one from plain rows: the same weights; tests: the same scores."""
    model = train(given, *options, model="products")
    other = train(plain, "--rows", "sparse", *plain_options, model="plain")
    check(image(model) == image(other), f"{what}: the weights")
    if tests:
        scores = [must("predict", "-q", "-s", "--no-header", *more, data, m)
                  for data, m, more in ((tests[0], model, ()), (tests[1], other, ()))]
        check(scores[0] == scores[1] and scores[0], f"{what}: the scores")
    return model


def test_xor():
    """The exercise of CIML: the weights and updates of a trace by hand, -1 + 2 x1 + 2 x2 - 5 x1 x2 after 29 updates."""
    data = put("xor.csv", XOR)
    for product in ("x1*x2", "1*2", "all", "2*1"):
        must("train", *CYCLIC, "--stop", "clean", "-e", "50", "--products", product, data, OUT + "/xor")
        lines = must("show", "--csv", OUT + "/xor").splitlines()[1:]
        name = "x2*x1" if product == "2*1" else "x1*x2"
        made = json.loads(must("show", "--json", OUT + "/xor"))
        check(made["updates"] == 29 and made["rows"] == 48 and
              lines == ["x1,1,2", "x2,1,2", f"{name},1,-5", "(bias),1,-1"], f"XOR by {product}: {lines} {made}")
        check(json.loads(must("predict", "--json", data, OUT + "/xor"))["errors"] == 0, "XOR is predicted")


def test_same():
    draw = random.Random(5)
    value = lambda: draw.choice((0, 0, 1, -2.5, round(draw.gauss(0, 3), 3)))
    rows = [(draw.choice((1, 2, 3)), [value() for _ in range(5)]) for _ in range(60)]
    cells = lambda x, names: [(name, v) for name, v in zip(names, x) if v]
    both = lambda name, head, some: put(name, head + "".join(",".join(map(str, [*x, y])) + "\n" for y, x in some))
    for columns, head in ((("a", "b", "c", "d", "e"), "a,b,c,d,e,y\n"), (tuple("12345"), "")):
        for products, wanted in ((["all"], [every]), ([f"{columns[0]}*{columns[3]}", "3*3"],
                                 [pair(columns[0], columns[3]), pair(columns[2], columns[2], True)]),
                                 (["1*2", "2*1"], [pair(columns[0], columns[1]), pair(columns[1], columns[0])])):
            options = [word for product in products for word in ("--products", product)]
            for more in ((), ("--normalize", "maxabs"), ("--normalize", "l2"), ("--binarize",), ("-a", "arow", "-e", "1"),
                         ("-a", "kernel"), ("--shards", "2"), ("--validate", "0.2"), ("--batch", "7")):
                plain = Plain(wanted, columns)
                lines = [plain.line(y, cells(x, columns)) for y, x in rows]
                same(f"CSV {head!r} {products} {more}", both("d", head, rows), (*options, *more), put("e", "".join(lines)),
                     more, (both("t", head, rows[:9]), put("u", "".join(lines[:9]))))
    line = lambda y, x, first: f"{y}" + "".join(f" {j * 3 + first}:{v}" for j, v in x) + "\n"
    some = [(y, [(j, v) for j, v in enumerate(x) if v]) for y, x in rows]
    for first in (0, 1):
        for products, wanted in (("all", [every]), (f"{first}*{first + 6}", [pair(str(first), str(first + 6))])):
            plain, zero = Plain(wanted), ("--zero-based",) * (1 - first)
            named = lambda x: [(str(j * 3 + first), v) for j, v in x]
            lines = [plain.line(y, named(x)) for y, x in some[:50]]
            tests = [plain.line(y, named(x), learns=False) for y, x in some[50:]]
            for more in ((), ("-e", "1"), ("-a", "winnow"), ("--normalize", "l2")):
                given = put("d", "".join(line(y, x, first) for y, x in some[:50]))
                model = same(f"libsvm {products} {first} {more}", given, ("--products", products, *zero, *more),
                             put("e", "".join(lines)), more,
                             (put("t", "".join(line(y, x, first) for y, x in some[50:])), put("u", "".join(tests))))
                check(names_of(model) == list(plain.number), f"names of features: {names_of(model)}")


def test_words():
    draw = random.Random(7)
    words = "the a not very good bad film plot was".split()
    texts = [(draw.choice("+-"), list(dict.fromkeys(draw.choice(words) for _ in range(6)))) for _ in range(50)]
    table = put("d", "".join(f"{y}\t{' '.join(x)}\n" for y, x in texts))
    column = put("c", "n,t,y\n" + "".join(f"{len(x)},{' '.join(x)},{y}\n" for y, x in texts))
    number = {"+": 1, "-": 2} # of two labels the one that comes later in the alphabet is positive
    for products, wanted in (("all", [every]), ("not*good", [pair("not", "good")])):
        plain = Plain(wanted)
        lines = [plain.line(number[y], [(word, 1) for word in x]) for y, x in texts]
        for more in ((), ("-a", "arow", "-e", "1")):
            model = same(f"--text {products} {more}", table, ("--text", "--products", products, *more),
                         put("e", "".join(lines)), more)
            check(names_of(model) == list(plain.number), f"--text {products}: {names_of(model)}")
    for products, kind in (("n*t", "n*t:"), ("t*t", "t:"), ("t:not*t:good", "t:not*t:good")):
        model = train(column, "--text-column", "t", "--products", products)
        made = [name for name in names_of(model) if "*" in name]
        check(made and all(name.startswith(kind) for name in made), f"{products} of a column of words: {made}")
        train(put("one.csv", "n,t,y\n1,good,a\n2,bad,b\n3,not good,b\n"), "--text-column", "t", "--products", "t*t", model="one")
        check([n for n in names_of(OUT + "/one") if "*" in n] in (["t:not*t:good"], ["t:good*t:not"]), "rows of one word")
        check(all(len(set(name.split("*"))) == 2 for name in made), "no word times itself")


def test_excellent():
    """CIML: excellent and terrible turn their sense beside not; a line for the three words alone does not exist."""
    rows = ["excellent", "terrible", "not excellent", "not terrible"]
    data = put("d", "".join(f"{'good' if k in (0, 3) else 'bad'}\t{text}\n" for k, text in enumerate(rows)))
    errors = lambda *options: json.loads(must("train", "--json", "--text", *CYCLIC, "-e", "100", *options, "-t", data,
                                              data, OUT + "/m"))["test"]["errors"]
    check(errors() > 0 and errors("--products", "all") == 0 and
          errors("--products", "excellent*not", "--products", "terrible*not") == 0, "EXCELLENT-AND-NOT")
    row = json.loads(must("predict", "--explain", "--json", put("e", "not excellent\n"), OUT + "/m").splitlines()[0])
    check(row["class"] == "bad" and "excellent*not" in [term["feature"] for term in row["features"]], f"{row}")


def test_going_on():
    draw = random.Random(9)
    rows = [f"{draw.choice('ab')} " + " ".join(f"{j}:{draw.choice((1, -2, 0.5))}" for j in
                                               sorted(draw.sample(range(1, 15), 4))) + "\n" for _ in range(40)]
    all_ = put("d", "".join(rows))
    one = train(all_, "--word-labels", "--products", "all", "--online", model="one")
    half = train(put("e", "".join(rows[:20])), "--word-labels", "--products", "all", "--online", model="half")
    rest = put("f", "".join(rows[20:]))
    check(get(train(rest, "--online", "--resume", half, model="two")) == get(one), "--online in two runs")
    ten = train(all_, "--word-labels", "--products", "all", model="ten")
    check(get(train(all_, "--resume", ten, "-e", "5", model="more")) ==
          get(train(all_, "--word-labels", "--products", "all", "-e", "15", model="more than ten")), "--resume")
    grown = train(rest, "--resume", half, "-e", "2", model="grown")
    check(len(names_of(grown)) == len(set(names_of(grown))) == len(names_of(one)), "--resume takes new pairs")
    refused(2, "is not one of the model's features: --fixed", "train", "--fixed", "--resume", half, rest, OUT + "/m")
    status, _, err = run("predict", rest, half)
    check(status == 0 and "has not seen were ignored" in err, f"pairs that the model has not seen: {err}")
    for stream in ((), ("-e", "1")):
        check(get(train("-", "--word-labels", "--products", "all", *stream, stdin=get(all_), model="pipe")) ==
              get(train(all_, "--word-labels", "--products", "all", *stream, model="file")), f"through a pipe {stream}")
    dense = train(all_, "--word-labels", "--products", "all", "--rows", "dense", model="dense")
    error = lambda m: json.loads(must("predict", "--json", all_, m))["errors"]
    check(error(dense) == error(ten), "--rows dense")
    must("compare", "--products", "x1*x2", put("x.csv", XOR + "0,0,0\n0,1,1\n1,0,1\n1,1,0\n"))


C = """#define PERCEPTRON_IMPLEMENTATION
#include <stdint.h>
#include "perceptron.h"
#include "image.h"
#include "arrays.h"
#include <stdio.h>
#include <stdlib.h>
static const float *numbers[] = {ROWS};
static const uint32_t *indices[] = {INDICES};
static const unsigned long counts[] = {COUNTS};
int main(void)
{
    pcn_linear m;
    uint32_t i;
    unsigned c, k;
    if (pcn_linear_open(&m, image_image.byte, sizeof image_image.byte) < 0) return 1;
    for (k = 0; k < sizeof counts / sizeof *counts; k++) {
        uint32_t index[arrays_FEATURES];
        float value[arrays_FEATURES], score[arrays_SCORES], dense[arrays_FEATURES] = {0};
        pcn_vec row = pcn_sparse(index, value, (uint32_t)image_row(indices[k], numbers[k], counts[k], index, value));
        pcn_linear_scores(&m, row, score);
        for (i = 0; i < counts[k]; i++)
            if (indices[k][i] < arrays_FEATURES) dense[indices[k][i]] = numbers[k][i];
        printf("%s", arrays_label[arrays_predict(indices[k], numbers[k], counts[k])]);
        for (c = 0; c < arrays_SCORES; c++) {
            const float one = arrays_score(indices[k], numbers[k], counts[k], c);
            const float two = arrays_score(NULL, dense, arrays_FEATURES, c);
            printf(" %.9g", (double)one);
            if (SAME && (one < two || one > two || one < score[c] || one > score[c])) return 2;
        }
        putchar('\\n');
    }
    return 0;
}
"""


def compiled(name, source, *standards):
    """What the program prints, by C and by C++."""
    said = []
    for compiler in standards or (["gcc", "-std=c99"], ["g++", "-std=c++11", "-x", "c++"]):
        command = [*compiler, *WARN, "-I.", "-I" + OUT, put(name + ".c", source), "-o", f"{OUT}/{name}", "-lm"]
        done = subprocess.run(command, capture_output=True, text=True)
        check(done.returncode == 0, f"{compiler}: {done.stderr[:500]}")
        said.append(subprocess.run([f"{OUT}/{name}"], capture_output=True, text=True))
        check(said[-1].returncode == 0, f"{name} by {compiler} ends with {said[-1].returncode}")
    check(all(s.stdout == said[0].stdout for s in said), f"{name}: the same from C and C++")
    return said[0].stdout


def exported(what, data, rows, model, same):
    """rows: of (name, value); same: a dense row and one of perceptron.h have the bits of a sparse one."""
    must("export", "--as", "arrays", "--predict", "--name", "arrays", model, OUT + "/arrays.h")
    must("export", "--name", "image", model, OUT + "/image.h")
    number = {name: j for j, name in enumerate(names_of(model))}
    arrays = [[], []]
    for row in rows:
        cells = sorted((number.get(name, 10**6), value) for name, value in row)
        arrays[0].append("(const float[]){" + ", ".join(f"{v!r}f" for _, v in cells) + "}")
        arrays[1].append("(const uint32_t[]){" + ", ".join(f"{j}" for j, _ in cells) + "}")
    source = C.replace("{ROWS}", "{" + ", ".join(arrays[0]) + "}").replace("{INDICES}", "{" + ", ".join(arrays[1]) + "}")
    source = source.replace("{COUNTS}", "{" + ", ".join(str(len(row)) for row in rows) + "}").replace("SAME", str(same))
    said = compiled("exported", source, ["gcc", "-std=c99", "-O0"])
    expected = must("predict", "-q", "-s", "--no-header", data, model)
    if "maxabs" in what: # scales are multiplied in: other last bits
        said, expected = ([line.split()[0] for line in text.splitlines()] for text in (said, expected))
    check(said == expected and said, f"exported: {what}")


def test_cpp():
    must("export", "--as", "arrays", "--predict", "--name", "arrays", train(put("d", XOR), "--products", "all"),
         OUT + "/arrays.h")
    compiled("arrays", '#include "arrays.h"\n#include <stdio.h>\nint main(void) { return arrays_predict(0, 0, 0) < 0; }\n')


def test_exported():
    draw = random.Random(11)
    rows = [(draw.choice((1, 2, 3)), [(j, draw.choice((1.0, -2.5, 0.375, round(draw.gauss(0, 9), 2))))
                                      for j in sorted(draw.sample(range(1, 12), 5))]) for _ in range(60)]
    for labels in (2, 3):
        some = [(y % labels, x) for y, x in rows]
        lines = [f"{y} " + " ".join(f"{j}:{v}" for j, v in x) + "\n" for y, x in some]
        tests = put("t", "".join(lines[40:]))
        for options, same in (((("all",), 1), (("all", "--normalize", "maxabs"), 1)) if labels == 2 else
                              ((("3*7", "--products", "2*2"), 1), (("all", "--rows", "dense"), 0))):
            model = train(put("d", "".join(lines[:40])), "--products", *options)
            exported(f"{labels} labels, {options}", tests, [[(str(j), v) for j, v in x] for _, x in some[40:]], model, same)
    words = "the a not very good bad film plot was".split()
    texts = [" ".join(draw.choice(words + ["new"]) for _ in range(6)) for _ in range(40)]
    for products in ("all", "not*good"):
        model = train(put("d", "".join(f"{'ab'[k % 2]}\t{x.replace('new', 'the')}\n" for k, x in enumerate(texts))),
                      "--text", "--products", products)
        must("export", "--as", "arrays", "--predict", "--name", "arrays", model, OUT + "/arrays.h")
        calls = "".join(f'    puts(arrays_label[arrays_predict_text("{x}!")]);\n' for x in texts)
        said = compiled("text", f'#include "arrays.h"\n#include <stdio.h>\nint main(void)\n{{\n{calls}    return 0;\n}}\n', ["gcc", "-std=c99"])
        check(said == must("predict", "-q", put("e", "".join(x + "\n" for x in texts)), model), f"a text, {products}")
    many = " ".join(f"w{j}" for j in range(1100))
    model = train(put("d", f"a\tw0 not {many}\nb\tgood\n"), "--text", "--products", "w0*not")
    must("export", "--as", "arrays", "--predict", "--name", "arrays", model, OUT + "/arrays.h")
    compiled("text", '#include "arrays.h"\n#include <stdio.h>\nint main(void)\n{\n    static char text[9999];\n'
                     '    int j, n = 0;\n    for (j = 0; j < 1100; j++) n += sprintf(text + n, "w%d ", j);\n'
                     '    return arrays_predict_text("w0 not") < 0 || arrays_predict_text(text) != -1;\n}\n', ["gcc", "-std=c99"])
    for says, *words in (("LIBLINEAR has no products", "--format", "liblinear"), ("LIBSVM has no", "--format", "libsvm"),
                         ("an image alone has no products", "--as", "raw"), ("--bits has no products", "--bits", "16")):
        refused(1, says, "export", *words, model, OUT + "/no")
    model = train(put("d", "".join(lines)), "--products", "all", "--normalize", "l2")
    refused(1, "count in its length", "export", "--as", "arrays", "--predict", model, OUT + "/no")
    check("the products, then divide the row" in run("export", model, OUT + "/image.h")[2], "what is left to do")


def test_star():
    """A star is a mark of texts, and stands between two factors: then the mark is called by U+2217."""
    draw = random.Random(12)
    texts = [" ".join(draw.choice(("a", "b", "*", "**", "*a*", ":*", "2*3", ",", "=", "\u2217", "\u4f60\u597d", "\\*"))
                      for _ in range(5)) for _ in range(60)]
    rows = put("d", "".join(f"{'yn'['a' in x]}\t{x}\n" for x in texts))
    asked = put("e", "".join(x + "\n" for x in texts))
    table = put("c", "y,t\n" + "".join(f'{"yn"["a" in x]},"{x}"\n' for x in texts))
    for products in ("all", "\u2217*a", ",*="):
        model = train(rows, "--text", "--marks", "yes", "--products", products)
        known = names_of(model)
        plain = {name for name in known if "*" not in name}
        check({"\u2217", "\u2217\u2217", ":\u2217"} <= plain, f"--products {products}: names {sorted(plain)}")
        made = [tuple(name.split("*")) for name in known if "*" in name]
        check(made and all(len(each) == 2 and set(each) <= plain for each in made), f"--products {products}: {made[:9]}")
        said = must("predict", "-q", asked, model)
        must("export", "--as", "arrays", "--predict", "--name", "arrays", model, OUT + "/arrays.h")
        calls = "".join(f"    puts(arrays_label[arrays_predict_text({json.dumps(x, ensure_ascii=False)})]);\n" for x in texts)
        got = compiled("star", f'#include "arrays.h"\n#include <stdio.h>\nint main(void)\n{{\n{calls}    return 0;\n}}\n', ["gcc", "-std=c99"])
        check(got == said, f"exported C, --products {products}")
        must("train", "-q", "--resume", model, "-e", "1", rows, OUT + "/on")
        check(names_of(OUT + "/on") == known, f"--products {products}: --resume finds all of them")
    column = train(table, "--label", "y", "--text-column", "t", "--marks", "yes", "--products", "all", model="column")
    text = train(rows, "--text", "--marks", "yes", "--products", "all", model="text")
    check(image(column) == image(text), "the same of a column")


def test_refused():
    data, text, numbers = put("xor.csv", XOR), put("t", "a\tgood day\nb\tbad day\n"), put("d", "1 1:1 2:3\n2 1:2\n")
    no = OUT + "/no"
    for product in ("", "a", "*", "a*", "*b", "a*b*c"):
        refused(1, "give A*B, which may be repeated, or all alone", "train", "--products", product, data, no)
    refused(1, "all alone", "train", "--products", "all", "--products", "x1*x2", data, no)
    many = [word for _ in range(33) for word in ("--products", "x1*x2")]
    refused(1, "one more than 32", "train", *many, data, no)
    refused(2, "no column 'x3'", "train", "--products", "x1*x3", data, no)
    for label in ("y", "3"):
        refused(2, f"column '{label}' is no feature", "train", "--products", f"x1*{label}", data, no)
    refused(2, "--products 1*7: no row has both", "train", "--products", "1*7", numbers, no)
    refused(2, "--products good*Day: no row has both", "train", "--text", "--products", "good*Day", text, no)
    refused(1, "--products needs names of features", "train", "--text", "--hash", "5", "--products", "all", text, no)
    refused(1, "--products needs names of features", "train", "--missing", "mean", "--products", "all", data, no)
    refused(1, "--features with --products", "train", "--features", "9", "--products", "all", numbers, no)
    refused(2, "feature 'a*b': with --products no name has a star", "train", "--products", "all",
            put("s.csv", "a*b,c,y\n1,2,0\n2,1,1\n"), no)
    refused(2, "overflows a 32-bit float", "train", "--products", "all", put("o", "1 1:1e30 2:1e30\n2 1:1\n"), no)
    refused(2, "more than 5 features (--max-dim)", "train", "--products", "all", "--max-dim", "5",
            put("o", "1 1:1 2:1\n2 1:1 3:1\n1 2:1 3:1\n"), no)
    wide = "1 " + " ".join(f"{j}:1" for j in range(1, 5001)) + "\n2 1:1\n"
    refused(2, "a row with 5000 times 5000 features to multiply", "train", "--products", "all", put("w", wide), no)
    model = train(data, "--products", "all")
    refused(1, "--products cannot be given with --resume", "train", "--products", "all", "--resume", model, data, no)
    refused(2, "3 columns and no name that the model knows: it was trained on 3", "predict", put("p", "0,1,1\n1,0,0\n"), model)
    check(not os.path.exists(no), "no file is made")


for test in (test_xor, test_same, test_words, test_excellent, test_going_on, test_exported, test_star, test_cpp, test_refused):
    test()
finish()
