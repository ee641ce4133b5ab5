"""perceptron export: what it writes must predict every row as perceptron predict does, in C and C++ here, on an
emulated Cortex-M4F, and through liblinear-predict and svm-predict; what cannot be done is refused."""
import itertools
import os
import re
import shutil
import struct
import subprocess

from cli import OUT, check, finish, get, put, refused, run, skip, train
from exported import *

def compare_tools(what, model, options, test, expected):
    kernel = {"kernel", "voted"} & set(options)
    says = "prepared" if {"--binarize", "l2"} & set(options) else ""
    rows = prepared(test, options) if says else test
    for tool, form in (("liblinear-predict", "liblinear"), ("svm-predict", "libsvm")):
        if (kernel and form == "liblinear") or not shutil.which(tool):
            continue
        text = must("export", "--format", form, model, says=says)
        got = tool_predictions(tool, rows, put("text", text))
        equal([f"{float(label):g}" for label in got], expected, f"{what} by {tool}")


# ---- Exports of every kind ----

def c_sources(image, arrays, values, count, exact):
    """Name -> source and the ways in it, for floats; exact: the rows are such that scores must have the bits of
    predict."""
    code, load = manual(image)
    headers, functions, ways = ["perceptron.h", "image.h"], by_manual(image, "image", values), ["by_image"]
    parts = {"sparse": sparse_row(image, values, "image"), "row": row_of(image), "values": values, "exact": exact,
             "code": code, "load": load and load[0]}
    if load:
        functions += BY_TRAINER % parts
        ways.append("by_trainer")
    if not arrays:
        if exact:
            functions += KERNEL_BITS % parts
            ways.append("kernel_bits")
        return {"with": (c_program(headers, functions, ways, "image", count), ways)}
    own, alone = by_predict("arrays", "float", values)
    functions += own + by_manual(arrays, "arrays", values) + SAME_BITS % parts
    ways += alone + ["by_arrays", "same_bits"]
    return {"with": (c_program(headers + ["arrays.h"], functions, ways, "image", count), ways),
            "without": (c_program(["arrays.h"], own, alone, "arrays", count), alone)}


def image_bytes(header):
    """What an exported header has in its image."""
    return bytes(map(int, re.findall(r"(\d+),", header[header.index("_image = {{"):])))


def compare_c(machines, what, model, options, test, expected, labels, features):
    kernel = {"kernel", "voted"} & set(options)
    says = "prepared" if {"--binarize", "l2"} & set(options) else ""
    image = must("export", "--name", "image", model, says=says)
    arrays = None if kernel else must("export", "--as", "arrays", "--predict", "--name", "arrays", model, says=says)
    put("image.h", image)
    put("arrays.h", arrays or "")
    check(run("export", "--as", "raw", model, OUT + "/raw")[0] == 0 and get(OUT + "/raw") == image_bytes(image),
          f"{what}: --as raw writes the bytes of the image")
    rows = dense_rows(prepared(test, options) if says else test, features)
    scores = [float(score) for line in predictions(test, model, "-s", "--no-header") for score in line.split()[1:]]
    values = put_rows(rows, "f", features, scores)
    sources = c_sources(image, arrays, values, len(rows), "--normalize" not in options)
    ways = ("by_image", "by_trainer", "by_arrays", "dense_arrays", "sparse_arrays")
    machines.run(what, sources, labels, features, dict.fromkeys(ways, expected))


CASES = [  # set, options
    ("digits", ()), ("digits", ("-a", "perceptron", "--normalize", "maxabs")),
    ("noisy", ("-B", "0")), ("noisy", ("--normalize", "maxabs")), ("noisy", ("--normalize", "l2")),
    ("noisy", ("-a", "perceptron", "--pocket", "--zero-class", "negative")),
    ("noisy", ("-a", "kernel", "--gamma", "0.0001", "-B", "1")),
    ("noisy", ("-a", "kernel", "--kernel", "poly", "--normalize", "maxabs", "--decision", "averaged")),
    ("noisy", ("-a", "voted", "--decision", "averaged", "--normalize", "maxabs")),
    ("noisy 4", ("--normalize", "maxabs")), ("noisy 4", ("-a", "balanced-winnow", "--normalize", "maxabs")),
    ("small", ("-a", "perceptron", "-e", "1", "-B", "0", *FILE)),
    ("small", ("-a", "perceptron", "-e", "1", "-B", "0", "--zero-class", "negative", *FILE)),
    ("small", ("-a", "winnow2", "--binarize", "-e", "1", *FILE)),
    ("small", ("-a", "kernel", "--kernel", "poly", "--gamma", "1", "-e", "1", *FILE)),
    ("small", ("-a", "kernel", "--kernel", "linear", "--zero-class", "negative", "-B", "2", "-e", "1", *FILE)),
    ("small 3", ("-a", "perceptron", "-e", "1", "-B", "0", *FILE)),
    ("small 3", ("-a", "perceptron", "-e", "1", *FILE)),
    ("letter", ("-e", "2")), ("shuttle", ("-e", "1", "--normalize", "maxabs")), ("vehicle", ()),
    ("heart", ("--rule", "pa1")), ("heart", ("-a", "kernel",)),
    ("heart", ("-a", "kernel", "--budget", "40", "--policy", "oldest")),
    ("heart", ("-a", "kernel", "--decision", "averaged", "--zero-class", "negative")),
    ("sms", ("-a", "winnow2", "--binarize", "-e", "2")), ("sparse 3", ("-e", "2")), ("sparse 3", ("--binarize",)),
]
IN_C_ONLY = [  # votes, and kernel models of more than two labels
    ("small", ("-a", "voted", "--zero-class", "negative")),
    ("noisy", ("-a", "kernel", "--gamma", "0.0001", "--decision", "voted")),
    ("small 3", ("-a", "voted", "--decision", "averaged")),
    ("noisy 4", ("-a", "kernel", "--gamma", "0.0001", "-e", "1")),
]


def test_exports(data, machines):
    for tool, package in (("liblinear-predict", "liblinear-tools"), ("svm-predict", "libsvm-tools")):
        if not shutil.which(tool):
            skip(f"exported models by {tool}: not installed (Debian: {package})")
    ties, by_feature = set(), 0
    for name, options in CASES + IN_C_ONLY:
        if name not in data:
            continue
        rows, test = data[name]
        what = f"{name} {' '.join(options)}"
        model = train(rows, *options)
        by_feature |= get(model)[12] & 8
        expected = predictions(test, model)
        check(len(set(expected)) > 1, f"{what}: all rows are predicted alike")
        for line in predictions(test, model, "-s", "--no-header"):
            label, *scores = line.split()
            if scores.count(max(scores, key=float)) > 1 or scores == ["0"]:
                ties.add((name, label))
        compare_c(machines, what, model, options, test, expected, labels_of(rows), features_of(rows))
        if (name, options) not in IN_C_ONLY:
            compare_tools(what, model, options, test, expected)
    check(by_feature, "weights are feature-major somewhere")
    check({("small", "3"), ("small", "8")} <= ties and len(ties) >= 4, f"ties are among the rows: {ties}")


# ---- Images alone ----

IN_PLACE = """
#define _POSIX_C_SOURCE 200112L
#include "perceptron.h"
#include "image.h"
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
%(rows)s
static const void *bytes;
static size_t size;
%(by_image)s
int main(int argc, char **argv)
{
    int file = argc > 1 ? open(argv[1], O_RDONLY) : -1, i;
    size = (size_t)lseek(file, 0, SEEK_END);
    bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED) return 1;
    for (i = 0; i < %(count)d; i++) printf("%%s\\n", image_label[by_image(rows + (size_t)i * image_FEATURES)]);
    return 0;
}
"""


def in_place(machines, raw, kind, count, values):
    """The labels of all rows by a program that maps the image."""
    code = by_manual(get(OUT + "/image.h").decode(), "image", values, kind)
    code = code.replace("sizeof image_image.byte", "size").replace("image_image.byte", "bytes")
    source = put("map.c", IN_PLACE % {"rows": ROWS % {"folder": OUT, "type": kind}, "count": count,
                                      "by_image": code})
    compiler, flags, _, library = machines.all["C99"]
    subprocess.run([*compiler, source, "-x", "none", library, "-I.", "-I" + OUT, *flags, "-o", OUT + "/map"],
                   check=True)
    return subprocess.run([OUT + "/map", raw], capture_output=True, check=True, text=True).stdout.split("\n")[:-1]


def test_raw(data, machines):
    """--as raw: opened where it stands in the file, it predicts as the program does. What the comment of a header
    would say is said."""
    raw = OUT + "/image"
    for name, options, more, says in [
            ("noisy", (), (), ""), ("digits", (), (), ""), ("sparse 3", (), (), ""),
            ("noisy", ("-a", "perceptron", "--final"), (), ""), ("noisy", ("-a", "winnow"), (), ""),
            ("noisy", ("-a", "voted"), (), "pcn_kernel_linear() and pcn_kmodel_scores with PCN_DECIDE_VOTE"),
            ("noisy", ("-a", "voted"), ("--decision", "averaged"), "pcn_kmodel_scores with PCN_DECIDE_MEAN"),
            ("noisy 4", ("-a", "kernel", "--gamma", "0.0001"), (), "pcn_kernel_rbf(0) and pcn_kmodel_scores"),
            ("small 3", ("-a", "kernel", "--kernel", "poly", "-e", "1"), (), "with pcn_kernel_poly(0, 0, 0)"),
            ("small 3", ("-a", "perceptron", "-e", "1"), ("--bits", "8"), "features are int16, in units of 1."),
            ("digits", (), ("--bits", "16", "--unit", "0.5"), "features are int16, in units of 0.5.")]:
        rows, test = data[name]
        model, features, what = train(rows, *options), features_of(rows), f"raw {name} {options} {more}"
        must("export", "--as", "raw", *more, model, raw, says=says)
        header = put("image.h", must("export", "--name", "image", *more, model))
        check(get(raw) == image_bytes(get(header).decode()), f"{what}: the bytes of the header's image")
        values = dense_rows(test, features)
        if "--bits" in more:
            unit = 0.5 if "0.5" in more else 1
            values = [[int(v / unit) for v in row] for row in values]
        cells = put_rows(values, "h" if "--bits" in more else "f", features)
        got = in_place(machines, raw, "int16_t" if "--bits" in more else "float", len(values), cells)
        if "--bits" in more:
            changed = sum(map(str.__ne__, got, predictions(test, model)))
            _, out, _ = run("export", "-t", test, *more, model, OUT + "/again")
            check(len(got) == len(values) and f"{changed} of {len(got)} predictions differ" in out, f"{what}: {out}")
        else:
            equal(got, predictions(test, model, *more), what)
        check(run("export", "--as", "raw", *more, model)[0] == 0, f"{what} to standard output")


def test_old_files(data):
    """Without --force an export replaces one in the same format."""
    model, other = train(data["noisy"][0]), train(data["small"][0], model="other")
    kernel = train(data["noisy"][0], "-a", "kernel", "-e", "1", model="kernel")
    forms = {"header": (), "raw": ("--as", "raw"), "liblinear": ("--format", "liblinear"),
             "libsvm": ("--format", "libsvm")}
    for name, options in forms.items():
        old = OUT + "/" + name
        for _ in range(2):
            must("export", *options, model, old, force=name not in os.listdir(OUT))
        for more in forms:
            if more != name:
                refused(1, "is no export in this format", "export", *forms[more], model, old, force=False)
        refused(1, "is no export in this format", "export", *options, model, other, force=False)
    run("export", "--as", "raw", kernel, OUT + "/raw", force=False)
    check(get(OUT + "/raw")[8] == 3, "the image of a kernel model replaces one of a linear model")
    section = struct.unpack("<I", get(model)[-8:-4])[0] + 12
    trainer = get(model)[:-section] # what a device that learns would have saved
    for content in (b"PCN\x1a", get(OUT + "/raw")[:-1], get(OUT + "/raw") + b"x", trainer):
        refused(1, "is no export in this format", "export", "--as", "raw", model, put("odd", content), force=False)
        check(get(OUT + "/odd") == content, "it is left as it was")


# ---- The headers by themselves ----

def test_headers():
    names = ["plain", 'say "hi"', "*/ int x; /*", "back\\slash", "what??/", "na\u00efve", "two\nlines"]
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    rows = "".join(",".join(str(int(i == j)) for j in range(7)) + f",{quoted[i]}\n" for i in range(7))
    table = put("names.csv", ",".join(quoted) + ",kind\n" + rows)
    words = train(table, "--format", "csv", "--label", "kind")
    headers = {
        "words.h": must("export", "--as", "arrays", "--predict", "--name", "Words_1", words),
        "plain.h": must("export", "--as", "arrays", words),
        "words8.h": must("export", "--bits", "8", "--as", "arrays", "--predict", "--name", "Words_8", words),
        "words16.h": must("export", "--bits", "16", "--as", "arrays", "--predict", words),
        "small.h": must("export", "--bits", "16", words),
        "image.h": must("export", words),
        "kernel.h": must("export", train(put("d", small(30, 4, (1, 2), 1)), "-a", "kernel", model="k")),
        "two.h": must("export", "--as", "arrays", "--predict", "--name", "two", train(OUT + "/d")),
        "two8.h": must("export", "--bits", "8", "--as", "arrays", "--predict", OUT + "/m"),
    }
    source = put("words.c", '#include "words.h"\n#include <stdio.h>\nint main(void)\n{\n    int i;\n'
                 "    for (i = 0; i < 7; i++) {\n        float x[7] = {0};\n        x[i] = 1;\n"
                 "        printf(\"%s%c\", Words_1_label[Words_1_predict(NULL, x, 7)], 0);\n    }\n    return 0;\n}\n")
    for header, text in headers.items():
        put(header, text)
    for compiler, options in (("gcc", "-std=c99 -x c"), ("g++", "-std=c++11 -x c++"), ("clang", "-std=c99 -x c"),
                              ("clang++", "-std=c++11 -x c++")):
        if not shutil.which(compiler):
            skip(f"exported headers by {compiler}: not installed")
            continue
        strict = ["-Wstrict-prototypes"] if "c99" in options else []
        for header in headers:
            done = subprocess.run([compiler, *options.split(), *WARN, *strict, "-c", f"{OUT}/{header}", "-o",
                                   OUT + "/header.o"], capture_output=True, text=True)
            check(done.returncode == 0, f"{header} alone by {compiler}: {done.stderr[:400]}")
        subprocess.run([compiler, *options.split(), source, "-I" + OUT, "-o", OUT + "/words"], check=True)
        done = subprocess.run([OUT + "/words"], capture_output=True)
        check(done.stdout == "".join(name + "\0" for name in names).encode(), f"labels by {compiler}: {done.stdout}")
    check(all(f' *     {i} "' in headers["image.h"] for i in range(7)), "feature names stand in the comment")
    check("Words_1_predict" not in headers["plain.h"] and "model_weight" in headers["plain.h"], "--name, --predict")


# ---- Options ----

FORMS = [(), ("--as", "arrays"), ("--as", "raw"), ("--format", "liblinear"), ("--format", "libsvm")]
BITS = [(), ("--bits", "8"), ("--bits", "16", "--test", "rows"), ("--bits", "8", "--test", "table")]
OPTIONS = [  # an option with its value; test rows on which it matters, if not on all; the format it is for
    (("--name", "other"),), (("--predict",),), (("--decision", "averaged"),), (("--decision", "voted"),),
    (("--unit", "0.25"),), (("--json",),),
    (("--test-format", "libsvm"), "table", "libsvm"), (("--test-format", "csv"), "rows", "csv"),
    (("--label", "1"), "table", "csv"), (("--header",), "table", "csv"), (("--sep", ";"), "semicolons", "csv"),
    (("--zero-based",), "zero", "libsvm"), (("--sort",), "unsorted", "libsvm"), (("--word-labels",), "words", "libsvm"),
]


class Outcomes:
    """What comes of an export with these groups of options: status, all that is printed, and the file."""

    def __init__(self):
        self.files = {name: put(name, text) for name, text in {
            "rows": "1 1:1 2:0.5\n-1 3:1.5 4:1\n1 1:3 4:0.25\n", "zero": "1 0:1\n-1 1:1\n",
            "unsorted": "1 2:1 1:0.5\n-1 4:1 3:2\n", "words": "a 1:1\n1 4:1\n",
            "table": "1,0.5,0,0,1\n0,0,1.5,1,-1\n3,0,0,0.25,1\n-1,4,0,0,1\n",
            "semicolons": "1;0.5;0;0;1\n0;0;1.5;1;-1\n"}.items()}
        self.seen = {}

    def of(self, model, groups, rows=None):
        """rows: instead of those of --test."""
        words = [word for group in groups for word in group]
        if "--test" in words:
            at = words.index("--test") + 1
            words[at] = self.files[rows or words[at]]
        key = (model, *words)
        if key not in self.seen:
            path = put("export", "")
            self.seen[key] = *run("export", *words, model, path), get(path)
        return self.seen[key]

    def matters(self, model, groups, option, rows):
        rest = [group for group in groups if group != option]
        return any(self.of(model, groups, on) != self.of(model, rest, on) for on in {None, rows})


def test_options():
    """Every pair of options with every form: refused, or something becomes other than without each of them."""
    two = put("two.train", "1 1:1 2:1\n-1 3:1 4:2\n1 1:3 2:1 4:1\n-1 2:1 4:1\n")
    three = put("three.train", get(two) + b"2 2:3\n2 2:1 3:1\n")
    kernel = ("-a", "kernel", "--decision", "last", "-e", "2")
    models = (train(two, model="two"), train(three, model="three"), train(two, *kernel, model="kernel2"),
              train(three, *kernel, model="kernel3"))
    outcomes, accepted, refusals = Outcomes(), 0, 0
    for model, form, bits, pair in itertools.product(models, FORMS, BITS, itertools.combinations([((),), *OPTIONS], 2)):
        if pair[0][0][:1] == pair[1][0][:1]:
            continue
        groups = [form, bits, pair[0][0], pair[1][0]]
        status, out, err, text = outcomes.of(model, groups)
        if status:
            refusals += 1
            check(err.count("\n") == 1 and (not out or out.startswith('{"error": ')) and not text, f"{model} {groups}: {err}")
            continue
        accepted += 1
        for option, rows, *_ in (*(entry + (None,) for entry in pair), (form, None), (bits, None)):
            table = "table" in bits or ("--test-format", "csv") in groups  # of which these two say nothing
            idle = table and option in (("--sort",), ("--word-labels",))
            check(not option or idle or outcomes.matters(model, groups, option, rows),
                  f"{model} {groups}: {option} has no effect")
    check(accepted > 100 and refusals > 1000, f"{accepted} accepted, {refusals} refused")


# ---- What cannot be done ----

def test_refusals(data):
    rows = data["noisy"][0]
    linear, kept = train(rows), put("kept", "kept")
    words = train(put("w", "a 1:1\nb 2:1\n"), "--word-labels", model="words")
    rbf = train(rows, "-a", "kernel", "--normalize", "maxabs", "-e", "1", model="rbf")
    kernel = train(rows, "-a", "kernel", "-e", "1", model="kernel")
    voted = train(rows, "-a", "voted", "-e", "1", model="voted")
    many = train(data["small 3"][0], "-a", "kernel", "-e", "1", model="many")
    forgets = train(rows, "-a", "kernel", "--budget", "9", "--policy", "oldest", "-e", "1", model="forgets")
    huge = train(put("huge", "1 1:3e38\n-1 2:1\n"), "--normalize", "maxabs", model="range")
    tiny = imported(BINARY.replace("1 \n-2", "1e-36\n-1e-36"), "tiny")
    high = imported(BINARY.replace("-1\nw", "1\nw") + "1e20\n", "high")
    steep = train(put("steep", "1 1:1e-25 2:1\n-1 2:1\n"), "--normalize", "maxabs", model="steep.model")
    for unit in ("0", "-1", "nan", "inf", "1e-31", "1e31", "x", ""):
        refused(1, "give a number from 1e-30 to 1e+30", "export", "--bits", "8", "--unit", unit, linear, kept)
    for more in (("--json",), ("--test-format", "csv"), ("--label", "1"), ("--header",), ("--sep", ","),
                 ("--zero-based",), ("--sort",), ("--word-labels",)):
        refused(1, more[0] + " needs ", "export", "--bits", "8", *more, linear, kept)
    for name in ("", "1a", "a-b", "a b", "a.b", "\u00e4"):
        refused(1, "C identifier", "export", "--name", name, linear, kept)
    for status, text, *arguments in [
            (1, "takes MODEL", "export"), (1, "takes MODEL", "export", linear, kept, kept),
            (1, "choose one of", "export", "--format", "onnx", linear, kept),
            (1, "choose one of", "export", "--as", "text", linear, kept),
            (1, "not an option", "export", "--walk", linear, kept),
            (1, " needs --format c", "export", "--format", "libsvm", "--as", "image", linear, kept),
            (1, " needs --format c", "export", "--format", "liblinear", "--name", "x", linear, kept),
            (1, "--predict needs --as arrays", "export", "--format", "libsvm", "--predict", linear, kept),
            (1, "needs --as arrays", "export", "--predict", linear, kept),
            (1, "needs --as arrays", "export", "--bits", "8", "--predict", linear, kept),
            (1, "choose one of 8|16", "export", "--bits", "7", linear, kept),
            (1, "choose one of 8|16", "export", "--bits", "32", linear, kept),
            (1, " needs --format c", "export", "--bits", "8", "--format", "liblinear", linear, kept),
            (1, " needs --format c", "export", "--bits", "8", "--format", "libsvm", linear, kept),
            (1, "--bits is for linear models", "export", "--bits", "8", kernel, kept),
            (1, "--bits is for linear models", "export", "--bits", "16", "-t", rows, voted, kept),
            (1, "--unit needs --bits", "export", "--unit", "1", linear, kept),
            (1, "--test needs --bits", "export", "-t", rows, linear, kept),
            (1, "--test needs --bits", "export", "-t", rows, "--json", linear, kept),
            (1, "cannot both go to standard output", "export", "--bits", "8", "-t", rows, "--json", linear),
            (1, "cannot both go to standard output", "export", "--bits", "8", "-t", rows, "--json", linear, "-"),
            (1, "cannot both be standard input", "export", "--bits", "8", "-t", "-", "-", kept),
            (1, "choose one of auto", "export", "--bits", "8", "-t", rows, "--test-format", "c", linear, kept),
            (1, "--sep ab: give one character", "export", "--bits", "8", "-t", rows, "--sep", "ab", linear, kept),
            (2, "to be quantised", "export", "--bits", "8", "--unit", "1", tiny, kept),
            (2, "to be quantised", "export", "--bits", "16", "--unit", "1e-30", high, kept),
            (2, "bad:2:3: 'x' is not", "export", "--bits", "8", "-t", put("bad", "1 1:1\n1 x\n"), linear, kept),
            (2, "none: no examples", "export", "--bits", "8", "-t", put("none", ""), linear, kept),
            (3, "absent: No such file", "export", "--bits", "8", "-t", OUT + "/absent", linear, kept),
            (1, "voted and kernel", "export", "--decision", "last", linear, kept),
            (1, "only the last", "export", "--decision", "averaged", forgets, kept),
            (1, "for linear models", "export", "--as", "arrays", kernel, kept),
            (1, "no kernel models", "export", "--format", "liblinear", kernel, kept),
            (1, "label 'a' is not an integer: LIBLINEAR", "export", "--format", "liblinear", words, kept),
            (1, "label 'a' is not an integer: LIBSVM", "export", "--format", "libsvm", words, kept),
            (1, "one against one", "export", "--format", "libsvm", many, kept),
            (1, "the vote of many", "export", "--format", "libsvm", voted, kept),
            (1, "distances of an rbf", "export", "--format", "libsvm", rbf, kept),
            (1, "distances of an rbf", "export", rbf, kept),
            (2, "feature 1: its scale and its weight", "export", huge, kept),
            (2, "too large for an image", "export", steep, kept),
            (2, "not a model file", "export", rows, kept), (3, "No such file", "export", OUT + "/absent", kept),
            (3, "absent", "export", linear, OUT + "/absent/h"),
            (1, "'walk' is not a command", "walk")]:
        refused(status, text, *arguments)
    must("export", "--as", "arrays", "--predict", steep)
    check(get(kept) == b"kept" and not [name for name in os.listdir(OUT) if name.startswith("kept.")],
          "what is refused leaves the old file")
    refused(2, "feature 1", "export", huge)
    check("pcn_kmodel_scores(&m, PCN_DECIDE_MEAN" in must("export", "--decision", "averaged", voted), "--decision")
    must("export", "--format", "libsvm", "--decision", "last", voted)
    if os.path.exists("/dev/full"):
        refused(3, "No space", "export", linear, "/dev/full")
        refused(3, "No space", "export", "--bits", "8", "-t", rows, linear, "/dev/full")
    check(must("export", "--help").startswith("usage: perceptron export "), "export --help")


data = sets()
machines = Machines()
test_exports(data, machines)
test_raw(data, machines)
test_old_files(data)
test_headers()
test_options()
test_refusals(data)
finish()
