"""Seams: what one command writes the next one reads. Small files with any values, and options from all tables, are drawn;
a model that train has written is shown, predicts, goes on, is exported in every form and comes back, or a sentence says
why not; a model that nobody could open replaces none."""
import csv
import json
import os
import random
import re
import shutil
import struct
import subprocess
from concurrent.futures import ThreadPoolExecutor

import options
from cli import OUT, check, fewer, finish, get, must, put, refused, run, section, skip

DRAWS = int(os.environ.get("DRAWS", 0)) or fewer(100, 20_000, "draws")
FIRST = int(os.environ.get("FIRST", 0))


# ---- Files ----

def number(draw, size):
    return f"{draw.gauss(0, 1) * 10.0 ** size:.{draw.choice((1, 3, 9))}g}"


def column(draw, rows):
    """A column of values of one kind. Sizes: what a float holds, and beyond what --normalize standard takes."""
    size = draw.choice((0, 0, 0, 0, 1, 3, 6, 12, 18, 30, 37, -3, -12, -30, -44))
    kind = draw.choice(("many", "many", "whole", "whole", "two", "constant", "near", "rare", "wild", "words"))
    some = [number(draw, size) for _ in range(2)]
    return {"many": lambda: [number(draw, size) for _ in range(rows)],
            "whole": lambda: [str(draw.randrange(10)) for _ in range(rows)],
            "two": lambda: [draw.choice(some) for _ in range(rows)],
            "constant": lambda: some[:1] * rows,
            "near": lambda: [f"{float(some[0]) * (1 + draw.randrange(3) * 2.0 ** -draw.randrange(10, 24)):.9g}" for _ in range(rows)],
            "rare": lambda: [draw.choice(("0", "0", "-0", some[0])) for _ in range(rows)],
            "wild": lambda: [number(draw, 0) for _ in range(rows - 1)] + [number(draw, max(size, 3))],
            "words": lambda: [draw.choice(("u", "v", "w x", "it's")) for _ in range(rows)]}[kind]()


LABELS = (["-1", "1"], ["-1", "1"], ["0", "1"], ["1", "2", "3"], ["0", "1", "2"], ["no", "yes"], ["a", "b", "c"], ["1"])


def labels_of(draw, rows):
    some = draw.choice(LABELS)
    return [some[k % len(some)] if k < len(some) else draw.choice(some) for k in range(rows)]


def rows_of(draw):
    return draw.choice((2, 2, 3, 4, 5, 6, 8, 12, 20, 40))


def table(draw):
    """Names, and lines of fields, the label last."""
    rows = rows_of(draw)
    columns = [column(draw, rows) for _ in range(draw.randrange(1, 5))]
    gaps = draw.random() < 0.3
    lines = [[draw.choice(("", "NA", "?")) if gaps and draw.random() < 0.2 else v for v in row] for row in zip(*columns)]
    return ["abcd"[k] for k in range(len(columns))] + ["y"], [[*row, label] for row, label in zip(lines, labels_of(draw, rows))]


def make_csv(draw, path):
    names, lines = table(draw)
    header = draw.random() < 0.7
    put(path, "".join(",".join(line) + "\n" for line in [names] * header + lines))
    return ["--header"] if header else ["--header=no"], lines


def make_libsvm(draw, path):
    names, lines = table(draw)
    lines = [[*(v if re.match(r"[-+\d]", v) and draw.random() < 0.9 else "0" for v in values), label] for *values, label in lines]
    put(path, "".join(label + "".join(f" {j + 1}:{v}" for j, v in enumerate(values) if v != "0") + "\n" for *values, label in lines))
    return ["--format", "libsvm", *([] if re.match(r"[-\d]", lines[0][-1]) else ["--word-labels"])], lines


def make_text(draw, path):
    rows = rows_of(draw)
    words = draw.choice((["a"], ["a", "b", "c"], "see you at lunch win free cash now".split(), ["É", "don't", "x*y", "1"]))
    lines = [(" ".join(draw.choices(words, k=draw.randrange(1, 6))), label) for label in labels_of(draw, rows)]
    put(path, "".join(f"{label}\t{text}\n" for text, label in lines))
    return ["--text"], lines


# ---- Options ----

WRITES_NO_MODEL = {"--folds", "--trace", "--ys", "--sums", "--angle", "--as", "--blank", "--key"} # or as without it
BY_HAND = {"--resume", "--fixed", "--quiet", "--json", "--format", "--text", "--header", "--sep", "--label", "--sort", "--zero-based",
           "--word-labels", "--roc", "--plot"} # of the files, or drawn below
MOST = {"--epochs": 12, "--shards": 5, "--hash": 8, "--features": 50, "--max-dim": 1000, "--budget": 30, "--degree": 9,
        "--threads": 2, "--ngrams": 3, "--batch": 50, "--checkpoint": 5}
TEXTS = {"--weight": ["1=2.5", "1=1e-30", "balanced", "no=1e30", "a=3"], "--classes": ["2", "1", "1000", "-1,1", "a,b,c"],
         "--test": ["TEST"], "--predict": ["ANSWERS"], "--ignore": ["1", "a", "b"], "--nominal": ["1", "b"],
         "--text-column": ["a", "2"], "--products": ["all", "a*b", "1*2"], "--weight-column": ["1", "b"], "--weights": ["WEIGHTS"],
         "--gap": ["7", "high"], "--dates": ["1:dmy", "b:ymd"], "--letters": ["2-4", "1-1", "3-3", "no"]}


def find_options():
    """Name -> (its values, or the numbers between which they are and whether they are whole)."""
    found = {}
    for name, argument in re.findall(r"^  (?:-\w, )?(--[\w-]+)(?: (\S+))?", must("train", "--help", "all"), re.M):
        if name in WRITES_NO_MODEL | BY_HAND:
            continue
        err = run("train", name, "zz", "DATA")[2] if argument and name not in TEXTS else ""
        limits = re.search(r"give a (whole )?number from (\S+) to ([\d.e+-]+)", err)
        words = re.search(r"choose one of (\S+)", err)
        check(not argument or name in TEXTS or limits or words, f"{name}: a new option that takes a text has an entry in TEXTS: {err}")
        if limits:
            low, high = float(limits[2]), min(float(limits[3]), MOST.get(name, 1e38))
            found[name] = lambda draw, low=low, high=high, whole=limits[1]: draw_number(draw, low, high, whole)
        elif argument:
            some = TEXTS[name] if name in TEXTS else words[1].split("|")
            found[name] = lambda draw, some=some: draw.choice(some)
        else:
            found[name] = None
    return found


def draw_number(draw, low, high, whole):
    value = draw.choice((low, high, draw.uniform(low, high), max(low, min(high, 10.0 ** draw.uniform(-4, 4)))))
    return str(round(value)) if whole else f"{value:.6g}"


def find_needs():
    """Name -> what tests/program/options.py gives it so that it has an effect."""
    found = {}
    for option in options.TRAIN + options.NAMED_TRAIN + options.TEXT_TRAIN:
        found.setdefault(options.LONG.get(option.name, option.name), []).append(option.base)
    return found


def draw_options(draw, given, all_, needs):
    """Words of train: none, or one to four options and what they need."""
    words, names = list(given), {word.partition("=")[0] for word in given}
    for name in draw.sample(sorted(all_), k=draw.choice((0, 1, 1, 2, 2, 3, 4))):
        pairs = [[name] if all_[name] is None else [name, all_[name](draw)]]
        base = draw.choice(needs.get(name, [[]]))
        while base:
            end = next((i for i, word in enumerate(base[1:], 1) if re.match(r"--?[a-zA-Z]", word)), len(base))
            pairs.append([options.LONG.get(base[0], base[0]), *base[1:end]])
            base = base[end:]
        for pair in pairs:
            if pair[0] not in names and pair[0] not in WRITES_NO_MODEL | BY_HAND:
                names.add(pair[0])
                words += pair
    return words


# ---- What becomes of a model ----

FORMS = {name: name.split() for name in (
    "--as image", "--as raw", "--as arrays", "--as arrays --predict", "--as arrays --progmem", "--bits 8",
    "--bits 16 --as arrays --predict", "--bits 16 --as raw", "--format liblinear", "--format libsvm")}
INTEGERS = {"liblinear": "LIBLINEAR", "libsvm": "LIBSVM"}
CHANGES_ROWS = {"--ignore", "--weight-column", "--nominal", "--text-column", "--products", "--binarize"}


def refusals(told, form, columns):
    """Sentences of export, and whether each is true of this model."""
    options, labels = told["options"], told["labels"]
    kernel = told["algorithm"] in ("kernel", "voted")
    words = options.get("words", "binary") != "binary" or "products" in options
    scaled = options["normalize"] in ("maxabs", "standard")
    products = "products" in options
    prepares = words or (kernel and options["normalize"] == "standard")
    return {
        "does not hold the last digits": "offsets" in told,
        "are lose digits": any(abs(mean) > 4000 * deviation > 0 for mean, deviation in columns),
        "--as arrays is for linear models": kernel and "arrays" in form,
        "--bits is for linear models": kernel and "--bits" in form,
        "an image alone prepares no rows": "raw" in form and (prepares or ("--bits" in form and scaled)),
        "LIBLINEAR and LIBSVM prepare no rows": "--format" in form and prepares,
        "LIBLINEAR has no kernel models": kernel and "liblinear" in form,
        "LIBSVM holds more than two labels as pairs": kernel and "libsvm" in form and len(labels) > 2,
        "the vote of many functions": options.get("decision") == "voted" and "libsvm" in form,
        "the distances of an rbf kernel": options.get("kernel") == "rbf" and scaled,
        "is not an integer": "--format" in form and not all(re.fullmatch(r"[-+]?\d+", label) for label in labels),
        "has met one label only": len(labels) == 1,
        "what tells label": "--bits" in form,
        "to be quantised": "--bits" in form,
        "on values other than 0 makes a model that says it": "--bits" in form and "greatest_value" not in told,
        "too large for an image": scaled and "arrays" not in form and "--format" not in form,
        "cannot be exported": options["normalize"] == "standard-l2",
        "has no products of features": products,
        "an image alone has no products": products and "raw" in form,
        "finds the products of a row, which count in its length": products and options["normalize"] == "l2",
        "know one length, and words have one": options["normalize"] == "l2" and words,
        "makes products of words that are 0 or 1": products and words,
        "an export finds products of features, or it prepares rows": products,
        "has no pieces of words": options.get("letters", "no") != "no" and "--predict" in form,
        "--progmem has no products": products and "--progmem" in form,
        "leave the range of floats": scaled,
    }


def scaler_of(model):
    """Mean and deviation of each column of --normalize standard."""
    content = section(model)
    at = content.find(struct.pack("<III", 0x1a4e4350, 1, 7))
    if at < 0:
        return []
    n = struct.unpack_from("<I", content, at + 16)[0]
    f = struct.unpack_from(f"<{5 * n}f", content, at + 64)
    return [(f[j] + f[n + j], (f[2 * n + j] + f[3 * n + j]) ** 0.5) for j in range(n)]


def as_float(text):
    return struct.unpack("<f", struct.pack("<f", float(text)))[0]


class Draw:
    def __init__(self, number, all_, needs):
        self.number, self.folder = number, f"{OUT}/draw{number}"
        os.makedirs(self.folder, exist_ok=True)
        draw = random.Random(number)
        self.data, self.model, self.c = f"{self.folder}/data", f"{self.folder}/model", ""
        make = draw.choice((make_csv, make_csv, make_libsvm, make_text))
        given, self.lines = make(draw, f"draw{number}/data")
        if make is make_csv and draw.random() < 0.4:
            given += ["--missing", draw.choice(("zero", "mean", "drop"))]
        some = (1, 0.5, 1e-30, 1e30) if {"", "NA", "?"} & set(sum(map(list, self.lines), [])) else (0, 1, 0.5) # a row of weight 0 may have gaps
        put(f"draw{number}/weights", "".join(f"{draw.choice(some)}\n" for _ in self.lines))
        put(f"draw{number}/model", OLD)
        values = {"TEST": self.data, "WEIGHTS": self.folder + "/weights", "ANSWERS": self.folder + "/answers"}
        self.words = [values.get(word, word) for word in draw_options(draw, given, all_, needs)]
        self.text = make is make_text
        self.taken, self.wrong, self.compared, self.refused = False, [], 0, set()

    def fails(self, what):
        self.wrong.append(f"draw {self.number}: train {' '.join(self.words)}: {what}")

    def must(self, *arguments):
        status, out, err = run(*arguments, plain=False, force=False, timeout=100)
        if status:
            self.fails(f"{' '.join(arguments)} ends with {status}: {err[:300]}")
        return "" if status else out

    def try_all(self):
        status, _, err = run("train", *self.words, self.data, self.model, plain=False, force=False, timeout=100)
        if status == 0:
            self.taken = True
            self.open()
            if not self.wrong:
                self.export_all()
        elif status not in (1, 2) or not err.splitlines()[-1].startswith("perceptron: ") or get(self.model) != OLD:
            self.fails(f"status {status}, {err[:300]}" + " the old model is gone" * (get(self.model) != OLD))
        return self

    def open(self):
        """Every command that reads a model."""
        self.told = json.loads(self.must("show", "--json", self.model) or "{}")
        self.must("show", self.model)
        self.scores = self.predict(self.model)
        if len(self.scores) != len(self.lines):
            self.fails(f"{len(self.scores)} of {len(self.lines)} rows are predicted")
        weights = [word for k, word in enumerate(self.words) if word == "--weights" or k and self.words[k - 1] == "--weights"]
        status, _, err = run("train", "-q", *weights, "--resume", self.model, "-e", "1", self.data, self.model + ".more",
                             plain=False, timeout=100)
        if status == 0:
            self.must("show", self.model + ".more")
        elif not ("overflow in an example" in err and self.huge() or "takes nothing new" in err and "--keep" in self.words):
            self.fails(f"--resume ends with {status}: {err[:300]}")

    def huge(self):
        """Values such that a step may be more than a float holds: in a row that --validate had held back."""
        return not self.text and any(re.search(r"e\+(1\d|[23])", field) for line in self.lines for field in line)

    def predict(self, model, *options):
        """Of each row its label and its scores."""
        lines = self.must("predict", "-q", "-s", "--no-header", *options, self.data, model).splitlines()
        return [(line.rsplit(" ", self.told["classes"] if self.told["classes"] > 2 else 1)) for line in lines]

    def export_all(self):
        for k, (name, form) in enumerate(FORMS.items()):
            to = f"{self.folder}/export{k}"
            named = [] if "raw" in form or "--format" in form else ["--name", f"m{self.number}"]
            status, _, err = run("export", *form, *named, self.model, to, plain=False, timeout=100)
            if status:
                true = [why for why, holds in refusals(self.told, form, scaler_of(self.model)).items() if why in err and holds]
                self.refused |= set(true[:1])
                if status not in (1, 2) or err.count("\n") != 1 or not true:
                    self.fails(f"export {name} ends with {status}: {err}")
            elif name == "--as arrays --predict":
                self.c = to
            elif name == "--format liblinear":
                self.come_back(to)
            elif name == "--as raw":
                self.must("show", to)
                if self.rows() and self.told["algorithm"] not in ("kernel", "voted"):
                    self.compare([line[1:] for line in self.predict(to, "--image", "--ignore-labels")], "as an image")

    def come_back(self, text):
        back = self.folder + "/imported"
        weights = [abs(float(word)) for word in get(text).decode().partition("\nw\n")[2].split()]
        if max(weights) >= 2.0 ** 80:
            return refused(2, "models have none from 2^80 on", "import", text, back)
        self.must("import", text, back)
        if not self.wrong:
            self.must("show", back)
            self.must("export", "--format", "liblinear", back, text + ".again")
            if self.rows():
                self.compare([line[1:] for line in self.predict(back)], "imported")

    def units(self):
        return self.told["classes"] if self.told["classes"] > 2 else 1

    def rows(self):
        """Of numbers, as a device has them; None: of words, with gaps, less an offset (export_rows.py has these), changed by
        options, or so far from the mean that predict cuts them off."""
        if self.text or "offsets" in self.told or CHANGES_ROWS & set(self.words) or self.told["options"]["normalize"] not in ("none", "maxabs", "standard"):
            return None
        try:
            rows = [[as_float(field) for field in line[:-1]] for line in self.lines]
        except ValueError:
            return None
        n, columns = self.told["features"], scaler_of(self.model)
        rows = [row[:n] + [0.0] * (n - len(row)) for row in rows]
        far = any(abs(x - mean) > 60 * deviation > 0 for row in rows for x, (mean, deviation) in zip(row, columns))
        return None if far else rows

    def room(self):
        """How far scores may be off by rounding: they are sums of these products."""
        weights = [float(line[-1] or 0) for line in csv.reader(self.must("show", "--csv", self.model).splitlines()[1:])]
        most = [max(map(abs, column)) for column in zip(*self.rows())] + [1]
        return 1e-5 * sum(abs(weight) * most[k // self.units()] for k, weight in enumerate(weights))

    def compare(self, got, what):
        """Scores that another way has found."""
        self.compared += 1
        room = self.room()
        for k, ((label, *scores), others) in enumerate(zip(self.scores, got)):
            pairs = [(float(a), float(b)) for a, b in zip(scores, others)]
            if not all(abs(a - b) <= room + 1e-6 * abs(a) for a, b in pairs) or len(scores) != len(others):
                self.fails(f"{what}: row {k + 1}, {label}, has {others}, not {scores}: more than {room:g} off")
                return
        if len(got) != len(self.scores):
            self.fails(f"{what}: {len(got)} rows, not {len(self.scores)}")


# ---- Exported C, of many models in one program ----

def c_of(draw):
    """A block of C that prints the scores of each row, or the label of each text."""
    name = f"m{draw.number}"
    if draw.text:
        texts = ", ".join(json.dumps(line, ensure_ascii=False) for line, _ in draw.lines)
        return (f"static const char *const texts[] = {{{texts}}};\nfor (i = 0; i < {len(draw.lines)}; i++) "
                f'printf("{draw.number} %s\\n", {name}_label[{name}_predict_text(texts[i])]);')
    rows = ",\n".join(", ".join(f"{v!r}f" for v in row) for row in draw.rows())
    return (f"static const float x[][{len(draw.rows()[0])}] = {{{rows}}};\nfor (i = 0; i < {len(draw.lines)}; i++) {{"
            f'printf("{draw.number}");\nfor (c = 0; c < {name}_SCORES; c++) '
            f'printf(" %.9g", (double){name}_score(NULL, x[i], {len(draw.rows()[0])}, c));\nputs("");\n}}')


def compare_c(draws):
    some = [draw for draw in draws if draw.c and not draw.wrong and (
        b"_predict_text(" in get(draw.c) if draw.text else draw.rows() and b"_row(" not in get(draw.c))]
    source = "".join(f'#include "../draw{draw.number}/{os.path.basename(draw.c)}"\n' for draw in some)
    blocks = "\n".join(f"{{\n{c_of(draw)}\n}}" for draw in some)
    put("c/all.c", f"{source}#include <stdio.h>\nint main(void)\n{{\nunsigned i, c;\n{blocks}\nreturn (int)(i * c * 0);\n}}\n")
    done = subprocess.run(["cc", "-std=c99", "-w", OUT + "/c/all.c", "-o", OUT + "/c/all", "-lm"], capture_output=True, text=True)
    check(done.returncode == 0, f"exported C: {done.stderr[:400]}")
    found = {}
    for line in subprocess.run([OUT + "/c/all"], capture_output=True, text=True).stdout.splitlines():
        number, *scores = line.split(" ")
        found.setdefault(int(number), []).append(scores)
    for draw in some:
        got = found.get(draw.number, [])
        if not draw.text:
            draw.compare(got, "in C")
            continue
        draw.compared += 1
        for k, ((label, *scores), (other,)) in enumerate(zip(draw.scores, got)):
            scores = sorted(float(v) for v in scores)
            near = scores[-1] - scores[-2] if len(scores) > 1 else abs(scores[0])
            if label != other and near > 1e-5 or len(got) != len(draw.scores):
                draw.fails(f"in C: text {k + 1} is {other}, not {label} {scores}; {len(got)} texts")


# ---- A file that changes on its way ----

CORRUPT = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
/* Turns a bit of the section of a model file, which has its checksum behind it. */
size_t fwrite(const void *p, size_t size, size_t count, FILE *f)
{
    static char copy[1 << 20];
    size_t (*real)(const void *, size_t, size_t, FILE *);
    void *found = dlsym(RTLD_NEXT, "fwrite");
    const size_t n = size * count;
    memcpy(&real, &found, sizeof real);
    if (n < 12 || n > sizeof copy || memcmp((const char *)p + n - 4, "PCNP", 4) != 0) return real(p, size, count, f);
    memcpy(copy, p, n);
    copy[n / 2] ^= 1;
    return real(copy, size, count, f);
}
"""


def test_unreadable():
    """What could not be opened again takes the place of no model, by any command and at a checkpoint."""
    library = os.path.abspath(OUT + "/corrupt.so")
    command = ["cc", "-shared", "-fPIC", put("corrupt.c", CORRUPT), "-o", library, "-ldl"]
    if not shutil.which("cc") or subprocess.run(command, capture_output=True).returncode:
        return skip("files that change on their way: there is no C compiler here")
    data, model = put("small.csv", "1,0\n0,1\n1,0\n"), put("kept", OLD)
    text = put("liblinear", "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\nw\n1 \n-2 \n")
    for words in ["train", "-q", data], ["train", "-q", "--checkpoint", "1", data], ["train", "-q", "--online", data], ["import", text]:
        refused(2, "kept is not written, since it could not be opened again: the section behind the image is damaged",
                *words, model, env={**os.environ, "LD_PRELOAD": library})
        check(get(model) == OLD and not [name for name in os.listdir(OUT) if "kept." in name], f"{words}: the old model stays")


def test_rounding():
    """Means and deviations whose lower part is just half a unit in the last place of the number, once rounded."""
    for values in "9p 3q 3p 7q 4p 9q", "2f 1p 1f 5p 2f 3p 1p 1p 5f 5f":
        rows = put("rounded.csv", "n,y\n" + "".join(f"{word[0]},{word[1]}\n" for word in values.split()))
        must("train", "-q", "--header", rows, OUT + "/rounded", plain=False)
        must("predict", "-q", rows, OUT + "/rounded")


def test_found():
    """Seams that draws have found."""
    def trained(text, *words):
        must("train", "-q", *words, put("found", text), OUT + "/model", plain=False)
        return OUT + "/found", OUT + "/model"

    rows, model = trained("8,-1\n3,1\n", "--header=no", "--products", "all")  # one column, and no product
    check(must("predict", "-q", rows, model) == "-1\n1\n", "a table without names of which no row has a product")
    rows, model = trained("a\tx\nb\ty\n", "--online", "--text", "--weight", "c=2")  # which may come
    must("train", "-q", "--resume", model, rows, OUT + "/more", plain=False)
    refused(1, "no such label in the data", "train", "-q", "--resume", model, "--weight", "c=2", rows, OUT + "/more", plain=False)
    rows, model = trained("1 1:1e-44 3:-1\n2\n1 3:-2\n2 1:3e-44 3:1\n", "--format", "libsvm", "--normalize", "none")
    for form in [], ["--as", "arrays"], ["--format", "liblinear"]:  # weights below what a normal float is, and no scale
        must("export", *form, model)
    rows, model = trained("1\n-1 2:0\n", "--format", "libsvm", "--normalize", "none")
    refused(2, "and train --resume on values other than 0 makes a model that says it", "export", "--bits", "8", model)


def test_draws():
    all_, needs, taken, compared, why = find_options(), find_needs(), 0, 0, set()
    for first in range(FIRST, FIRST + DRAWS, 200):
        with ThreadPoolExecutor(2) as pool:
            draws = list(pool.map(lambda k: Draw(k, all_, needs).try_all(), range(first, min(first + 200, FIRST + DRAWS))))
        if shutil.which("cc"):
            compare_c(draws)
        for draw in draws:
            check(not draw.wrong, "\n".join(draw.wrong))
            taken += draw.taken
            compared += draw.compared
            why |= draw.refused
            if not draw.wrong:
                shutil.rmtree(draw.folder)
    print(f"{taken} of {DRAWS} draws give a model; {compared} answers of exports compared; refused: {sorted(why)}")
    check(taken > DRAWS / 3 and compared > DRAWS / 10, f"{taken} models, {compared} compared")


os.makedirs(OUT + "/c", exist_ok=True)
must("train", "-q", put("old.csv", "1,0\n0,1\n"), OUT + "/old")
OLD = get(OUT + "/old")
test_unreadable()
test_rounding()
test_found()
test_draws()
finish()
