"""Seams: what one command writes the next one reads. Small files with any values, and options from all tables, are drawn;
a model that train has written is shown, predicts, goes on, is exported in every form and comes back, or a sentence says
why not; a model that nobody could open replaces none. TESTS=all: 20,000 draws, otherwise a sample."""
import json
import os
import random
import re
import shutil
from concurrent.futures import ThreadPoolExecutor

import options
from cli import OUT, WHOLE, check, finish, get, must, put, refused, run

DRAWS = int(os.environ.get("DRAWS", 20_000 if WHOLE else 100))
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
    return ["--header"] if header else ["--header=no"], len(lines)


def make_libsvm(draw, path):
    names, lines = table(draw)
    texts = []
    for *values, label in lines:
        values = [v if re.match(r"[-+\d]", v) else "0" for v in values]
        texts.append(label + "".join(f" {j + 1}:{v}" for j, v in enumerate(values) if draw.random() < 0.9 and v != "0"))
    put(path, "\n".join(texts) + "\n")
    return ["--format", "libsvm", *([] if re.match(r"[-\d]", lines[0][-1]) else ["--word-labels"])], len(lines)


def make_text(draw, path):
    rows = rows_of(draw)
    words = draw.choice((["a"], ["a", "b", "c"], "see you at lunch win free cash now".split(), ["É", "don't", "x*y", "1"]))
    put(path, "".join(f"{label}\t{' '.join(draw.choices(words, k=draw.randrange(0, 6)))}\n" for label in labels_of(draw, rows)))
    return ["--text"], rows


# ---- Options ----

WRITES_NO_MODEL = {"--folds", "--trace", "--ys", "--sums", "--angle", "--as", "--blank", "--key"} # or as without it
BY_HAND = {"--resume", "--fixed", "--quiet", "--json", "--format", "--text", "--header", "--sep", "--label", "--sort", "--zero-based",
           "--word-labels", "--roc", "--plot"} # of the files, or drawn below
MOST = {"--epochs": 12, "--shards": 5, "--hash": 8, "--features": 50, "--max-dim": 1000, "--budget": 30, "--degree": 9,
        "--threads": 2, "--ngrams": 3, "--batch": 50, "--checkpoint": 5}
TEXTS = {"--weight": ["1=2.5", "1=1e-30", "balanced", "no=1e30", "a=3"], "--classes": ["2", "1", "1000", "-1,1", "a,b,c"],
         "--test": ["TEST"], "--predict": ["ANSWERS"], "--ignore": ["1", "a", "b"], "--nominal": ["1", "b"],
         "--text-column": ["a", "2"], "--products": ["all", "a*b", "1*2"], "--weight-column": ["1", "b"], "--weights": ["WEIGHTS"]}


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

FORMS = (["--as", "image"], ["--as", "raw"], ["--as", "arrays"], ["--as", "arrays", "--predict"], ["--as", "arrays", "--progmem"],
         ["--bits", "8"], ["--bits", "16", "--as", "arrays", "--predict"], ["--bits", "16", "--as", "raw"],
         ["--format", "liblinear"], ["--format", "libsvm"])


class Draw:
    def __init__(self, number, all_, needs):
        self.number, self.folder = number, f"draw{number}"
        os.makedirs(f"{OUT}/{self.folder}", exist_ok=True)
        draw = random.Random(number)
        self.data = f"{OUT}/{self.folder}/data"
        given, self.rows = draw.choice((make_csv, make_csv, make_libsvm, make_text))(draw, self.folder + "/data")
        if draw.random() < 0.4 and given[0].startswith("--header"):
            given += ["--missing", draw.choice(("zero", "mean", "drop"))]
        put(self.folder + "/weights", "".join(f"{draw.choice((0, 1, 0.5, 1e-30, 1e30))}\n" for _ in range(self.rows)))
        values = {"TEST": self.data, "WEIGHTS": f"{OUT}/{self.folder}/weights", "ANSWERS": f"{OUT}/{self.folder}/answers"}
        self.words = [values.get(word, word) for word in draw_options(draw, given, all_, needs)]
        self.model = put(self.folder + "/model", OLD)
        self.taken, self.wrong, self.reasons = False, [], []

    def fails(self, what):
        self.wrong.append(f"draw {self.number}: train {' '.join(self.words)}: {what}")

    def must(self, *arguments):
        status, out, err = run(*arguments, plain=False, force=False, timeout=60)
        if status:
            self.fails(f"{' '.join(arguments)} ends with {status}: {err[:300]}")
        return None if status else out

    def try_all(self):
        status, out, err = run("train", *self.words, self.data, self.model, plain=False, force=False, timeout=100)
        if status:
            if status not in (1, 2) or not err.splitlines()[-1].startswith("perceptron: ") or get(self.model) != OLD:
                self.fails(f"status {status}, {err[:300]}" + " the old model is gone" * (get(self.model) != OLD))
            self.reasons.append(("train", err.splitlines()[-1] if err else ""))
        else:
            self.taken = True
            self.open(self.model)
            self.export_all()
        if not self.wrong:
            shutil.rmtree(f"{OUT}/{self.folder}")
        return self

    def open(self, model):
        """Every command that reads a model."""
        told = self.must("show", "--json", model)
        self.told = json.loads(told) if told else {}
        self.must("show", model)
        self.must("predict", "-q", self.data, model)
        more = [word for k, word in enumerate(self.words) if word == "--weights" or k and self.words[k - 1] == "--weights"]
        if self.must("train", "-q", *more, "--resume", model, "-e", "1", self.data, model + ".more") is not None:
            self.must("show", model + ".more")

    def export_all(self):
        for k, form in enumerate(FORMS):
            to = f"{OUT}/{self.folder}/export{k}"
            status, out, err = run("export", *form, self.model, to, plain=False, force=False, timeout=60)
            if status:
                self.reasons.append((" ".join(form), err))
                if status not in (1, 2) or err.count("\n") != 1:
                    self.fails(f"export {form} ends with {status}: {err}")
            elif "liblinear" in form:
                self.come_back(to, err)
            elif form == ["--as", "raw"]:
                self.must("show", to)

    def come_back(self, text, said):
        back = f"{OUT}/{self.folder}/imported"
        if self.must("import", text, back) is None:
            return
        self.must("show", back)
        self.must("export", "--format", "liblinear", back, text + ".again")


OLD = b""


def main():
    global OLD
    OLD = get(put("old", b""))
    must("train", "-q", put("old.csv", "1,0\n0,1\n"), OUT + "/old")
    OLD = get(OUT + "/old")
    all_, needs = find_options(), find_needs()
    with ThreadPoolExecutor(2) as pool:
        draws = list(pool.map(lambda k: Draw(k, all_, needs).try_all(), range(FIRST, FIRST + DRAWS)))
    reasons = {}
    for draw in draws:
        check(not draw.wrong, "\n".join(draw.wrong))
        for r in draw.reasons:
            reasons.setdefault((r[0], re.sub(r"'.*?'|\d+|build/\S+", "#", r[1])), []).append(draw.number)
    print(sum(draw.taken for draw in draws), "of", len(draws), "taken")
    if "REASONS" in os.environ:
        for (what, why), numbers in sorted(reasons.items()):
            print(what, "|", why.strip(), "|", len(numbers), numbers[:5])
    finish()


main()
