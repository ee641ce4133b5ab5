"""Each option, alone and with every other, has an effect or is refused with a sentence; --help, --man and the messages
name what there is; a model file remembers its options, right and damaged."""
import itertools
import json
import os
import random
import re
import shlex
import shutil
import struct
import subprocess
import zlib
from concurrent.futures import ThreadPoolExecutor

from cli import DIGITS, OUT, PROGRAM, SOURCES, WHOLE, as_table, check, finish, get, must, plainly, put, refused, run, short, skip, stored, train, with_section


# ---- Rows ----

def rows(classes, seed, plain=False, count=40, noise=1):
    """Lines of libsvm text; with that noise no hyperplane tells them apart; plain: values are 1, every third feature
    is rare."""
    draw = random.Random(seed)
    labels = ["-1", "1"] if classes == 2 else ["1", "2", "3"][:classes]
    lines = []
    for _ in range(count):
        label = draw.randrange(classes)
        values = [draw.choice((0, 0, 1)) if plain else round(draw.gauss(label * (j % 3 - 1) / 2, noise), 2)
                  for j in range(6)]
        if plain:
            values[label] = 1
        lines.append(labels[label] + "".join(f" {j + 1}:{v}" for j, v in enumerate(values) if v))
    return lines


def text(lines):
    return "\n".join(lines) + "\n"


def table(lines, separator=",", first=False):
    """libsvm lines as CSV without a header, the label first or last."""
    rows = [line.split(",") for line in as_table(text(lines), 6).splitlines()]
    return [separator.join(row[-1:] + row[:-1] if first else row) for row in rows]


def with_gap(line, separator, place):
    fields = line.split(separator)
    fields[place] = ""
    return separator.join(fields)


def with_date(line, separator):
    """Column 2 has a date that can be read in two ways, and is 0 days."""
    fields = line.split(separator)
    fields[1] = "1/1/1970"
    return separator.join(fields)


def with_weight(line, separator, k):
    """Column 3 has the weight of the row; that of a header stays."""
    fields = line.split(separator)
    if fields[:2] != ["10", "20"]:
        fields[2] = str(k * 5 % 3 / 2)
    return separator.join(fields)


def weights(lines):
    """A line for each row, of all but a header."""
    return text([str((k * 7 + 1) % 4 / 2) for k in range(len(lines) - lines[0].startswith("10"))])


def named_table(seed, gaps):
    """CSV with names, a column for --ignore, one of texts, one for --nominal, and perhaps missing values."""
    draw, lines = random.Random(seed), ["id,colour,a,b,code,label"]
    for k in range(60):
        label = draw.choice(("no", "yes"))
        colours = ("red", "green") if label == "no" else ("blue", "green")
        fields = [k % 7, draw.choice(colours), *(round(draw.gauss(label == "yes", 1), 2) for _ in "ab"),
                  draw.randrange(3) + (label == "yes"), label]
        if gaps and k % 4 == 0:
            fields[1 + k // 4 % 3] = draw.choice(("", "NA", "?"))
        lines.append(",".join(map(str, fields)))
    return lines


def messages(seed):
    """Lines of a label, a tab and words."""
    draw = random.Random(seed)
    words = {"ham": "see you at the talk, on day one".split(), "spam": "buy the prize you win! at one day".split()}
    labels = [draw.choice(("ham", "spam")) for _ in range(80)]
    return [f"{label}\t" + " ".join(draw.choice(words[label]) for _ in range(5)) for label in labels]


def make_sets():
    """Names of sets. Those without a point, and .plain, are for all options, each of the others for some. Of CSV there
    is each with the label in front, with semicolons, and both: a folder for each way."""
    names = []
    for n, kind in ((2, "two"), (3, "three")):
        labels = ("-1", "1") if n == 2 else ("1", "2", "3")
        some = rows(n, n)
        sets = {"": some, ".plain": rows(n, 10 + n, plain=True), ".one more": some + ["9 1:1"],
                ".easy": [f"{label} {k + 1}:{'-' * (label == '-1')}{v}" for k, label in enumerate(labels)
                          for v in (1, 2, 3)],
                ".five": [re.sub(" 6:.*", "", line) for line in some]}
        sets[".grows"] = [re.sub(r"^\S+", "9", line) if k % 3 == 2 else line for k, line in enumerate(some)]
        sets[".one more.easy"] = sets[".easy"] + ["9 6:1"]
        sets |= {f".{k} fold": rows(n, 20 + k, count=24, noise=(1, 0.4)[k % 2]) for k in range(16)}
        sets[".large"] = [re.sub(r" 1:(\S+)", r" 1:\1e4", line) for line in some]
        for k, pairs in enumerate(("1:1 2:-1", "1:1.5", "6:1", " ".join(f"{j}:1" for j in range(1, 7)))):
            for turn in range(n):
                sets[f".{k}{turn} tie"] = [f"{label} {pairs}" for label in labels[turn:] + labels[:turn]]
                sets[f".{k}{turn} one more tie"] = sets[f".{k}{turn} tie"] + ["9 5:1"]
        for way, separator, first in (("", ",", False), ("L", ",", True), (";", ";", False), ("L;", ";", True)):
            csv = {name: table(lines, separator, first) for name, lines in sets.items()}
            years = "10,20,30,40,50,60,7".replace(",", separator)
            above = [name for name in csv if re.search("easy|tie", name)]
            csv |= {name.replace(".", ".years.", 1): [years, *csv[name]] for name in above}
            csv |= {".years": [years, *csv[""]],
                    ".gaps": [with_gap(line, separator, 1 + k % 5) if k % 3 == 0 else line
                              for k, line in enumerate(csv[""])],
                    ".dates": [with_date(line, separator) for line in csv[""]],
                    ".easy.dates": [with_date(line, separator) for line in csv[".easy"]],
                    ".names": ["#" + "a,b,c,d,e,f,g".replace(",", separator), *csv[""]],
                    ".qid": ["2:1,1,0,0,0,0,1".replace(",", separator), *csv[""][1:]],
                    ".wide": [separator.join(("0", *line.split(separator)[1:-1], "2", "0", "0", "1"))
                              for line in csv[""]]}
            csv[".years.wide"] = [separator.join(str(j) for j in range(10, 20)), *csv[".wide"]]
            csv |= {f".weights{name}": [with_weight(line, separator, k) for k, line in enumerate(lines)]
                    for name, lines in csv.items()}
            for name, lines in csv.items():
                put(f"{kind} csv{name}{way}", text(lines))
                put(f"{kind} csv{name}{way}, weights", weights(lines))
        names += [f"{kind} csv{name}" for name in csv]
        sets |= {".zero": [re.sub(r"(\d+):", lambda m: f"{int(m[1]) - 1}:", line) for line in some],
                 ".unsorted": [re.sub(r" (\S+) (\S+)", r" \2 \1", line, count=1) for line in some],
                 ".words": [line.replace("1 ", "one ", 1) if line[0] == "1" else line for line in some],
                 ".wide": some + ["1 1:1 9:2"], ".comment": ["1 # no value, none at all"] + some}
        for name, lines in sets.items():
            put(kind + name, text(lines))
            put(kind + name + ", weights", weights(lines))
        names += [kind + name for name in sets]
    for name, lines in (("named", named_table(1, False)), ("named.gaps", named_table(2, True)),
                        *((f"named {k}", named_table(k, False)) for k in range(6, 12)), ("text", messages(3)),
                        *((f"text {k}", messages(k)) for k in range(4, 10))):
        put(name, text(lines))
    return names


# ---- Options ----

class Option:
    """Words, the words without which it is refused, and endings of the names of sets made for it."""

    def __init__(self, words, base="", sets=()):
        self.words, self.base, self.sets = words.split(" "), base.split(), (sets,) if isinstance(sets, str) else sets
        self.name = self.words[0]

    def __repr__(self):
        return " ".join(self.words)


TRAIN = [Option(*o) for o in (
    ("-a perceptron",), ("-a voted",), ("-a kernel",), ("-a winnow",), ("-a winnow1", "", ".plain"),
    ("-a winnow2", "", ".plain"), ("-a balanced-winnow", "", ".plain"), ("-a arow",),
    ("-e 1",), ("-e 6", "", ".one more"),
    ("--order once",), ("--order draw",), ("--shards 3",),
    ("--order file",), ("--seed 7",), ("--stop clean", "-e 300", ".easy"), ("--stop window", "-e 300", ".easy"),
    ("-B 0.5",),
    ("--rule absolute",), ("--rule fractional",), ("--rule pa",), ("--rule pa1",), ("--rule pa2",), ("--rate 0.5",),
    ("--lambda 1.5", "--rule fractional"), ("-C 0.01", "--rule pa1"), ("--margin 1.2",), ("--update others",),
    ("--update uniform",), ("--update one-vs-rest",), ("--zero-class negative",),
    ("--zero-update predicted", "", "tie"), ("--weight 1=2.5",), ("--weight balanced",), ("--probabilities",), ("--batch 5",), ("--batch all",),
    ("--until 0.6", "--batch all -e 30"),
    ("--weight-column 3", "", ".weights"), ("--weights WEIGHTS",),
    ("--kernel linear", "-a kernel"), ("--kernel poly", "-a kernel"), ("--kernel rbf", "-a voted"),
    ("--degree 2", "-a kernel --kernel poly"), ("--gamma 0.7", "-a kernel"), ("--coef0 0.5", "-a kernel --kernel poly"),
    ("--budget 12", "-a kernel"), ("--policy oldest", "-a kernel --budget 12"),
    ("--policy random", "-a kernel --budget 12"), ("--policy forgetron", "-a kernel --budget 12"),
    ("--policy projectron", "-a kernel --budget 12"), ("--decision averaged", "-a kernel"),
    ("--decision last", "-a voted"), ("--decision averaged", "-a arow"), ("--r 0.1", "-a arow"), ("--regrow 0.01", "-a arow"), ("--follow",),
    ("--alpha 1.5", "-a winnow"), ("--eta 0.3", "-a winnow"),
    ("--threshold 1.5", "-a winnow"), ("--normalize l2",), ("--normalize maxabs",), ("--normalize standard",), ("--binarize",),
    ("--validate 0.3",), ("--patience 4", "--validate 0.3", (".easy", " fold")), ("--pocket", "-a perceptron"), ("--final",),
    ("--keep 3", "--final"), ("--resume MODEL",), ("--fixed", "--resume MODEL", ".one more"), ("--online", "", (".one more", ".grows")),
    ("--predict ANSWERS", "--online", ".grows"), ("--classes 2", "", ".one more"),
    ("--features 8", "", ".wide"),
    ("--test TEST",), ("-q", "", ".large"), ("--json",), ("--format csv", "", (".qid", ".names")),
    ("--format libsvm", "", ".comment"), ("--max-dim 7", "", ".wide"),
    ("--label 1",), ("--header", "", ".years"), ("--sep ;",),
    ("--zero-based", "", ".zero"), ("--sort", "", ".unsorted"), ("--word-labels", "", ".words"),
    ("--report", "--test TEST"), ("--roc ROC", "--test TEST"), ("--plot PLOT",), ("--measure",), ("--trace",),
    ("--ys", "--trace"), ("--sums", "--trace"), ("--angle", "--trace", ".easy"), ("--as markdown", "--trace"),
    ("--blank 3", "--trace"), ("--key", "--trace --blank 3"),
    ("--folds 4", "", " fold"),
    ("--ignore 2",), ("--nominal 3",), ("--dates 2:dmy", "", ".dates"), ("--dates 2:mdy", "", ".dates"), ("--text-column 4",),
    ("--products all",), ("--missing zero", "", ".gaps"), ("--missing mean", "", ".gaps"),
    ("--missing drop", "", ".gaps"), ("--gap 1", "--missing zero", ".plain"))]
PREDICT = [Option(*o) for o in (
    ("-s",), ("--probabilities",), ("--no-header", "-s"), ("--explain",), ("--top 2", "--explain"), ("--top 1", "-s"),
    ("--refuse 0.3",), ("--refuse-share 0.2",), ("--threshold 15",), ("-q", "", ".wide"),
    ("--report",), ("--ignore-labels",),
    ("--roc ROC",), ("--json",),
    ("--decision averaged", "", " fold"), ("--decision last", "", " fold"), ("--format csv", "", (".qid", ".names")),
    ("--format libsvm", "", ".comment"), ("--label 1",), ("--header", "", ".years"),
    ("--sep ;",), ("--zero-based", "", ".zero"), ("--sort", "", ".unsorted"),
    ("--word-labels", "", ".words"), ("--ignore 2",), ("--missing zero", "", ".gaps"),
    ("--gap 1", "--missing zero", ".plain"))]
SHOW = [Option(*o) for o in (("--top 2",), ("--names NAMES",), ("--zero-based",), ("--json",), ("--csv",), ("--list",))]
PRESETS = (  # what is so anyway; -C 1 hardly limits steps, and a weight changes that limit; a step of 1 is enough where
            # the kernel is small, or a mean step; --until ends learning before another end comes; pa comes ever nearer to its
            # margin; winnow1 has few weights that are not 0;
            # errors in a fold do not tell of the scale of the weights, nor of scores of 0, hardly met; --online has one pass
            # and a score of 0 in its first row alone; rows that --angle takes need no longer step than 1; few
            # scores come near 15
    ("-a kernel", "--kernel rbf"), ("-a kernel", "--decision last"), ("-a voted", "--kernel linear"),
    ("-e 1", "--order file"), ("--online", "-e 1"), ("--online", "--order file"),
    ("--online", "--zero-update predicted"), ("-e 1", "--zero-update predicted"), ("--online", "--seed 7"),
    ("--fixed", "--classes 2"),
    ("--folds 4", "--rate 0.5"), ("--folds 4", "--threshold 1.5"),
    ("--folds 4", "--zero-class negative"), ("--budget 12", "--rule absolute"), ("--gamma 0.7", "--rule absolute"),
    *((f"--rule {rule}", f"--stop {stop}") for rule in ("fractional", "pa", "pa1", "pa2")
      for stop in ("clean", "window")),
    ("--rule pa1", "--weight 1=2.5"), ("--rule pa1", "--weight balanced"), ("--final", "--follow"),
    ("--batch all", "--rule absolute"), ("--until 0.6", "-e 6"), ("--until 0.6", "--patience 4"),
    ("-a winnow1", "--keep 3"), ("-a arow", "--stop clean"), ("-a arow", "--stop window"), ("-a arow", "--decision last"),
    ("--angle", "--rule absolute"), ("--threshold 15", "--gap 1"))
# Few options each, for rows that have names, and for texts
SOME_TRAIN = [Option(*o) for o in (
    ("-a kernel",), ("-e 1",), ("-B 0.5",), ("--rule pa1",), ("--seed 7",), ("--validate 0.3",), ("--final",),
    ("--normalize l2",), ("--resume MODEL",), ("--test TEST",), ("--report", "--test TEST"),
    ("--roc ROC", "--test TEST"), ("--plot PLOT",), ("--measure",), ("--folds 4",), ("--json",))]
NAMED_TRAIN = SOME_TRAIN + [Option(*o) for o in (
    ("--ignore id",), ("--ignore colour",), ("--nominal code",), ("--text-column code",),
    ("--products colour*a",), ("--missing zero", "", ".gaps"),
    ("--missing mean", "", ".gaps"), ("--missing drop", "", ".gaps"), ("--binarize",))]
TEXT_TRAIN = SOME_TRAIN + [Option(*o) for o in (("--text",), ("--ngrams 2", "--text"), ("--marks yes", "--text"), ("--letters 2-3", "--text"), ("--hash 4", "--text"), ("--products all",), ("--words tfidf", "--text"))]
SOME_PREDICT = [Option(*o) for o in (
    ("-s",), ("--threshold 3",), ("--report",), ("--roc ROC",), ("--json",))]
NAMED_PREDICT = SOME_PREDICT + [Option(*o) for o in (
    ("--ignore colour",), ("--missing zero", "", ".gaps"), ("--missing drop", "", ".gaps"))]
TEXT_PREDICT = SOME_PREDICT + [Option(*o) for o in (("--text",), ("--ngrams 2", "--text"), ("--marks no", "--text"), ("--letters 2-3", "--text"), ("--hash 4", "--text"))]
WORDS_PREDICT = Option("--text-column code")
NO_EFFECT = {  # on what comes out, and why; these are tested elsewhere
    "--rows": "an order of sums, which is in the last bits if at all",
    "--threads": "the same bits by any number of threads", "--force": "replaces what is not its own",
    "--textbook": "gives other options other values; defaults.py asks for them",
    "--image": "takes no model file; from_c asks for it",
    "--checkpoint": "the same model, earlier, too", "--help": "prints the options"}
LONG = {"-a": "--algorithm", "-e": "--epochs", "-B": "--bias", "-C": "--aggressive", "-q": "--quiet", "-s": "--scores"}


def test_lists():
    """An option that is new in --help needs an entry here."""
    for command, options in (("train", TRAIN + TEXT_TRAIN), ("predict", PREDICT + TEXT_PREDICT + [WORDS_PREDICT]),
                             ("show", SHOW)):
        known = {LONG.get(option.name, option.name) for option in options}
        listed = set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", must(command, "--help", "all"), re.M))
        listed -= set(NO_EFFECT)
        check(listed == known, f"{command} --help and tests/program/options.py differ: {known ^ listed}")


# ---- What comes of a command ----

def model_parts(content):
    """A model file but for the options that it remembers: these have effects only if something else differs."""
    at = len(content) - 12 - int.from_bytes(content[-8:-4], "little")
    end = at + 32
    for _ in range(struct.unpack_from("<I", content, end)[0]):
        end += 4 + struct.unpack_from("<I", content, end + 4)[0]
    return content[:at + 32], content[end + 4:-12]


class Outcomes:
    def __init__(self, command):
        self.command, self.seen, self.count = command, {}, itertools.count()

    def of(self, given, words):
        """given: DATA and MODEL. Status, what is printed, what is written."""
        key = (given, tuple(words))
        if key not in self.seen:
            self.seen[key] = self.make(given, words)
        return self.seen[key]

    def make(self, given, words):
        folder = f"{OUT}/{self.command}{next(self.count)}"
        os.mkdir(folder)
        values = {"MODEL": given[1], "TEST": given[0], "ROC": folder + "/roc", "PLOT": folder + "/plot",
                  "NAMES": OUT + "/names", "WEIGHTS": given[0] + ", weights", "ANSWERS": folder + "/answers"}
        words = [values.get(word, word) for word in words]
        arguments = {"train": [given[0], folder + "/out"], "show": [given[1]], "predict": [*given]}[self.command]
        if "--folds" in words and self.command == "train":
            arguments.pop() # it writes no model
        if "OUTPUT" in words:
            words.remove("OUTPUT")
            arguments.append(folder + "/out")
        done = subprocess.run([PROGRAM, *plainly([self.command, *words, *arguments])], capture_output=True, text=True)
        files = {name: get(f"{folder}/{name}") for name in sorted(os.listdir(folder))}
        if self.command == "train" and "out" in files:
            files["out"] = model_parts(files["out"])
        shutil.rmtree(folder)
        printed = [re.sub(r'"seconds": (\{.*?\}|[\d.]+)|\d+ bytes|"model_bytes": \d+', "", part.replace(folder, ""))
                   for part in (done.stdout, done.stderr)]
        return done.returncode, *printed, files


def without(words, options):
    """The words of other options."""
    names, kept, skipping = {option.name for option in options}, [], False
    for word in words:
        if re.match(r"--?[a-zA-Z]", word):
            skipping = word in names
        if not skipping:
            kept.append(word)
    return kept


def is_error(out, err, status):
    try:
        return json.loads(out) == {"error": err[12:-1], "status": status}
    except ValueError:
        return False


def is_preset(option, words):
    return any(value == repr(option) and where + " " in " ".join(words) + " " for where, value in PRESETS)


def may_be_idle(option, words, given):
    """Accepted where it changes nothing, as commands.py shows for each; tests/program/options.py asks for an effect elsewhere."""
    words, name = " ".join(words) + " ", option.name
    one_epoch = "-e 1 " in words
    return {"--update": "two" in given, "--zero-class": "three" in given,
            "--sort": "csv" in given, "--word-labels": "csv" in given or "--ignore-labels" in words, "--stop": one_epoch or "--until" in words,
            "--patience": one_epoch, "--until": one_epoch, "--seed": one_epoch or "--order file" in words,
            "--final": "--pocket" in words or "--validate" in words,
            "--no-header": "-s " not in words or "--explain" in words or "--top" in words, "-s": "--explain" in words, "-q": "--json" in words or ("csv" in given and "--report" in words) or "--ignore-labels" in words,
            "--ignore-labels": "-q " in words,
            "--names": "--list" in words,
            "--zero-based": "named" in given or "--names" in words or "--list" in words}.get(name, False)


def judge(outcomes, givens, base, options):
    """Sets are tried until every option has had an effect. Returns 'refused', or the options without any."""
    together = [word for option in options for word in option.words]
    idle = [option for option in options if not is_preset(option, base + together)]
    taken = 0
    for given in givens:
        status, out, err, files = outcomes.of(given, base + together)
        taken += status == 0
        if status:
            check(err.startswith("perceptron: ") and err.count("\n") == 1 and not files and status in (1, 2) and
                  ("--json" not in together or is_error(out, err, status)),
                  f"{given} {base} {options}: status {status} {err!r} {out!r} {list(files)}")
        if status == 1:
            return "refused"
        for option in list(idle):
            rest = [word for other in options if other is not option for word in other.words]
            if outcomes.of(given, base + rest) != (status, out, err, files):
                idle.remove(option)
        if not idle:
            return []
    idle = [option for option in idle if not may_be_idle(option, base + together, "".join(givens[0]))]
    return idle if taken else "refused"


def bases(options):
    """Ways to satisfy what the options need."""
    found = []
    for some in ([], *([option] for option in options), list(options)):
        base = [word for option in some for word in without(option.base, options)]
        names = [word for word in base if word.startswith("-")]
        if len(names) == len(set(names)) and base not in found:
            found.append(base)
    return found


def sort_sets(names, options):
    """Those made for the options first, and no other special ones."""
    way = "".join(letter for letter, word in (("L", "--label"), (";", "--sep")) if word in [o.name for o in options])
    wanted = tuple(ending for option in options for ending in option.sets)
    names = [name for name in names if wanted and name.endswith(wanted)] + \
        [name for name in names if name.endswith(".plain") or "." not in name]
    return [name + way * ("csv" in name) for name in names]


def try_options(command, options, kinds, more=((),)):
    """kinds: name of a kind -> sets of it and a model. Each option and pair is tried on every kind. The options that
    were taken."""
    outcomes, jobs = Outcomes(command), []
    for group in [*((o,) for o in options), *itertools.combinations(options, 2)]:
        if len(group) == 2 and (group[0].name == group[1].name or not (WHOLE or zlib.crc32(repr(group).encode()) % 24 == 0)):
            continue
        for base in bases(group):
            for kind, (names, model) in kinds.items():
                if any(option.name == "--format" and ("csv" in kind) != ("csv" in option.words) for option in group):
                    continue
                givens = [(f"{OUT}/{name}", model) for name in sort_sets(names, group)]
                jobs += [(kind, outcomes, givens, [*base, *extra], group) for extra in more]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda job: judge(*job[1:]), jobs))
    refusals, used = 0, set()
    for (kind, _, _, base, group), idle in zip(jobs, results):
        refusals += idle == "refused"
        used |= set(group) if idle == [] else set()
        check(idle == "refused" or not idle, f"{command} {kind} {base} {list(group)}: no effect of {idle}")
    check(refusals < len(jobs), f"{command}: {refusals} refused of {len(jobs)}")
    return used


def check_used(command, options, used):
    check(used == set(options), f"{command}: never taken: {set(options) - used}")


def test_train(sets):
    kinds = {}
    for kind in ("two", "three", "two csv", "three csv"):
        model = train(f"{OUT}/{kind}.five", "-e", "2", "--features", "6", "-B", "0", model=kind + " model")
        kinds[kind] = [name for name in sets if name.split(".")[0] == kind], model
    check_used("train", TRAIN, try_options("train", TRAIN, kinds))


NAMED_SETS = ["named", "named.gaps", *(f"named {k}" for k in range(6, 12))]


def test_train_named():
    model = train(OUT + "/named", "-e", "2", model="named model")
    kinds = {"named": (NAMED_SETS, model)}
    check_used("train named", NAMED_TRAIN, try_options("train", NAMED_TRAIN, kinds))


def with_base(options, *words):
    """The options with these words among those they need."""
    return [Option(repr(o), " ".join(o.base + [word for word in words if word not in o.base + o.words]), o.sets)
            for o in options]


TEXT_SETS = ["text", *(f"text {k}" for k in range(4, 10))]


def test_train_text():
    options = with_base(TEXT_TRAIN, "--text")
    model = train(OUT + "/text", "--text", "-e", "2", model="text model")
    check_used("train --text", options, try_options("train", options, {"text": (TEXT_SETS, model)}))


def test_predict(sets):
    kinds = {}
    for kind in ("two", "three", "two csv", "three csv"):
        for algorithm, words in (("averaged", "-e 3"), ("voted", "-a voted -e 1"),
                                 ("kernel", "-a kernel --decision voted -e 1")):
            model = train(f"{OUT}/{kind}", "--probabilities", *words.split(), model=f"{kind} {algorithm}")
            kinds[f"{kind} {algorithm}"] = [name for name in sets if name.split(".")[0] == kind], model
    check_used("predict", PREDICT, try_options("predict", PREDICT, kinds, ((), ("OUTPUT",))))


def test_predict_named():
    kinds = {"plain": (NAMED_SETS, train(OUT + "/named", "-e", "2", model="named plain")),
             "nominal": (NAMED_SETS, train(OUT + "/named", "--nominal", "code", model="named nominal"))}
    check_used("predict named", NAMED_PREDICT, try_options("predict", NAMED_PREDICT, kinds, ((), ("OUTPUT",))))
    data, model = OUT + "/named", train(OUT + "/named", "--text-column", "code", model="named words")
    check(must("predict", "--text-column", "code", data, model) == must("predict", data, model), "--text-column again")
    refused(1, "--text-column id: the model has code, as it was trained", "predict", "--text-column", "id", data, model)
    refused(1, "--text-column id: the model has none, as it was trained", "predict", "--text-column", "id", data,
            kinds["plain"][1])
    refused(1, "--text-column cannot be given with --resume", "train", "--text-column", "code", "--resume", model, data,
            OUT + "/m")


def test_predict_text():
    """What the model remembers of its texts may be given again; anything else is refused."""
    numbers = train(put("numbers.text", text([f"{line.split()[0]} {1 + k % 16}:1" for k, line in
                                              enumerate(messages(5))])), "--word-labels", model="numbers")
    options = with_base(TEXT_PREDICT, "--text", "--hash 4")
    check_used("predict --text", options, try_options("predict", options, {"numbers": (TEXT_SETS, numbers)}))
    for words in (["--text"], ["--text", "--hash", "4"], ["--text", "--ngrams", "2"],
                  ["--text", "--ngrams", "2", "--hash", "4"]):
        model, data = train(OUT + "/text", *words, model="text kind"), OUT + "/text 4"
        used = try_options("predict", SOME_PREDICT, {" ".join(words): (TEXT_SETS, model)})
        check_used(f"predict {words}", SOME_PREDICT, used)
        check(must("predict", *words, data, model) == must("predict", data, model), f"{words} again")
        for name, value in (("--ngrams", "3"), ("--marks", "yes"), ("--letters", "2-3"), ("--hash", "5")):
            refused(1, name, "predict", name, value, data, model)


def test_show():
    put("names", "a\nb\nc\nd\ne\nf\n")
    named = put("named.csv", text(["u,v,w,x,y,z,label", *table(rows(2, 2))]))
    models = {"linear": train(OUT + "/two", model="linear"), "linear3": train(OUT + "/three", model="linear3"),
              "kernel": train(OUT + "/two", "-a", "kernel", model="kernel"),
              "voted": train(OUT + "/two", "-a", "voted", model="voted"), "named": train(named, model="named")}
    try_options("show", SHOW, {kind: (["two"], model) for kind, model in models.items()})


# ---- Texts ----

TOPICS = {"train": ["reading", "learning", "output", "lessons"], "compare": ["reading", "learning"],
          "predict": ["reading", "output"], "export": ["reading", "output"], "import": [], "show": []}


def help_of(command, *topic):
    """Options, a list of names with what is said of each, and the other lines."""
    options, others = [], []
    for line in must(command, "--help", *topic).splitlines():
        check(len(line) <= 80, f"{command} --help {topic} has a line of more than 80 columns: {line}")
        if found := re.match(r"  (?:-\w, )?--([\w-]+)(?: [^\s]+|\[\S+\])?(?: +(.*))?$", line):
            options.append([found[1], found[2] or ""])
        elif line.startswith(" " * 25) and options:
            options[-1][1] = f"{options[-1][1]} {line.strip()}".strip()
        else:
            others.append(line)
    return options, others


def test_topics():
    """Without a topic what most people need, a line each, on one screen; each option in exactly one topic."""
    check(all(len(line) <= 80 for line in must("--help").splitlines()), "--help has a line of more than 80 columns")
    for command, topics in TOPICS.items():
        whole, _ = help_of(command, "all")
        plain = must(command, "--help")
        check(plain.count("\n") <= 40, f"{command} --help has more than 40 lines")
        if topics:
            pages = {topic: help_of(command, topic)[0] for topic in topics}
            check(sorted(sum(pages.values(), [])) == sorted(whole), f"each option of {command} is in one topic")
            check(all(pages.values()), f"each topic of {command} has options")
            some, others = help_of(command)
            check(plain.splitlines()[-1] == f"More: perceptron {command} --help {' | '.join([*topics, 'all'])}",
                  f"{command} --help ends with its topics")
            check(len(some) + len(others) == plain.count("\n"), f"{command} --help has a line for each option")
            check(8 <= len(some) <= 18 or command == "compare", f"{command} --help has {len(some)} options")
            for name, said in some:
                first = re.sub("; default .*", "", said)
                check(first and re.match(rf"(?:[^A-Z]* )?{re.escape(first)}\. ?", dict(whole)[name]),
                      f"{command} --help says of --{name} what all begins with: {said}")
        else:
            check(plain == must(command, "--help", "all"), f"{command} --help is all there is")
        for words in (["--help", "cooking"], ["--help=cooking"], ["-h", "data.csv"], ["--help="]):
            refused(1, f"{command} has no such group of options; choose one of {'|'.join([*topics, 'all'])}", command,
                    *words)
        check(must(command, "--help=all") == must(command, "-h", "all") == must(command, "data", "--help", "all"),
              f"three ways to ask for all of {command}")
        check(must(command, "--help", "--json") == must(command, "-h", "-") == plain, "an option is no topic")
    refused(1, "import has no such group of options", "import", "--help", "lessons")


def test_texts():
    page = must("--man")
    for command in TOPICS:
        whole, _ = help_of(command, "all")
        own = page.split(f".SH {command}\n")[1].split(".SH ")[0].replace("\\-", "-").replace("\\e", "\\")
        items = re.findall(r"\.TP\n(?:\\fB-\w\\fR, )?\\fB--([\w-]+)\\fR.*\n((?:(?!\.TP|\.S|\.PP).*\n)+)", own)
        said = [[name, " ".join(item.replace("\n.br\n", "\n").split())] for name, item in items]
        check(said == whole, f"--man says of {command} what --help all does: {[x for x in said if x not in whole]}")
        for name, words in whole:
            check(re.match(r"(?:[\w-]+ (?:\| [\w-]+ )*)?[A-Z].*[^.]\.$", words) and "Take it" not in words,
                  f"{command} --{name}: sentences: {words}")
    path = put("perceptron.1", page)
    for tool in (["man", "--warnings", "-l", path], ["groff", "-man", "-ww", "-Tascii", path],
                 ["mandoc", "-Tlint", path]):
        if not shutil.which(tool[0]):
            skip(f"--man by {tool[0]}: not installed")
            continue
        quiet = {**os.environ, "MANPAGER": "cat", "LC_ALL": "C"}
        done = subprocess.run(tool, capture_output=True, text=True, env=quiet)
        said = done.stdout if tool[0] == "mandoc" else done.stderr
        check(not [line for line in said.splitlines() if tool[0] != "mandoc" or "WARNING" in line or "ERROR" in line],
              f"{tool[0]}: {said[:300]}")


# ---- Mistakes ----

def test_mistakes():
    data, no = OUT + "/two", OUT + "/no"
    for status, says, *words in [
            (1, "is --normalize meant?", "train", "--normalise", "l2"),
            (1, "is --aggressive meant?", "train", "--aggresive", "1"),
            (1, "is --threshold meant?", "predict", "--treshold", "1"), (1, "is --quiet meant?", "train", "--quite"),
            (1, "'--walk' is not an option of show; see", "show", "--walk"),
            (1, "'--scores' is not an option of train; see", "train", "--scores"),
            (1, "'-Z' is not an option", "train", "-qZ"),
            (1, "'-Z' is not an option", "predict", "-Zq"), (1, "--quiet takes no value", "train", "--quiet=1"),
            (1, "--rate needs a value", "train", "--rate"), (1, "-e needs a value", "train", "-qe"),
            (1, "--top needs a value", "show", "--top"), (1, "--rate x: give a number", "train", "--rate", "x", data),
            (1, "--rate nan: give a number", "train", "--rate", "nan", data),
            (1, "--epochs 1.5: give a whole number", "train", "-e", "1.5", data),
            (1, "--validate 0: give a number", "train", "--validate", "0", data),
            (1, "--order maybe: choose one of each|once|file|draw", "train", "--order", "maybe"),
            (1, "--weight 7=2: no such label", "train", "--weight", "7=2", data, no),
            (1, "--weight 1: give LABEL=W", "train", "--weight", "1", data, no),
            (1, "--weight 1=0: give LABEL=W", "train", "--weight", "1=0", data, no),
            (1, "--weight +1=3: this label has a weight already", "train", "--weight", "1=2", "--weight", "+1=3",
             data, no),
            (1, "--weight -1=2: this label", "train", "--weight", "-1=2", "--weight", "-1=2", data, no),
            (1, "--sep ab: give one character", "train", "--sep", "ab", data, no),
            (1, "-s --json: give an OUTPUT", "predict", "-s", "--json", data, no),
            (1, "--policy needs --budget, and with forgetron two labels", "train", "-a", "kernel", "--budget", "5",
             "--policy", "forgetron", OUT + "/three", no),
            (1, "--patience needs --validate, and --epochs of more than 1", "train", "-e", "1", "--patience", "3",
             data, no)]:
        refused(status, says, *words)
        got, out, err = run(words[0], "--json", *words[1:])
        check("-s" in words or is_error(out, err, got), f"{words} with --json: {out!r}")
    check(not os.path.exists(no), "no file is made")
    named, words = OUT + "/named", OUT + "/text"
    model = train(named, "--ignore", "id", model="ignores")
    status, out, err = run("walk", "--json")
    check(status == 1 and is_error(out, err, 1), f"walk --json: {out!r} {err!r}")
    refused(1, "--nominal needs rows of CSV, and no --features", "train", "--features", "9", "--nominal", "2",
            OUT + "/two csv", no)
    refused(1, "is not an option of predict", "predict", "--nominal", "code", named, model)
    status, out, err = run("predict", put("x.csv", "a,b,colour,code,label\nx,1,red,1,no\n"), model)
    check(status == 2 and err.endswith("--ignore 'a' leaves the column out\n"), f"no --nominal at predict: {err}")
    refused(1, "--hash: the model has words", "predict", "--text", "--hash", "4", words,
            train(words, "--text", model="words"))
    refused(2, "no column 'ID' to ignore", "predict", "--ignore", "ID", named, model)
    refused(2, "no column '9' to ignore", "train", "--features", "9", "--ignore", "9", OUT + "/two csv", no)
    by_number = must("predict", "-s", "--ignore", "id", "--ignore", "3", named, model)
    check(by_number == must("predict", "-s", "--ignore", "id", "--ignore", "a", named, model) and
          by_number != must("predict", "-s", named, model), "a column to ignore by its number")
    without_id = put("without.csv", "a,b,colour,code,label\n1,2,red,0,no\n")
    must("predict", without_id, model)
    must("train", "-t", without_id, "--ignore", "id", named, OUT + "/ignores too")
    plus = train(data, "--weight", "+1=2.5", model="plus")
    check(model_parts(get(plus)) == model_parts(get(train(data, "--weight", "1=2.5", model="one"))), "--weight +1=")


def test_room():
    """A command of 300 options: tables may be of any length."""
    compiler = shlex.split(os.environ.get("CC") or "cc")
    if not shutil.which(compiler[0]):
        return skip("a command of 300 options: there is no compiler " + compiler[0])
    entries = "".join(f'{{"o{k}", {ord("o") if k == 299 else 0}, OPTION_COUNT, 4 * {k}, .high = 9}},' for k in range(300))
    code = put("many.c", f"""#include "cli/options.h"
static uint32_t value[300];
static const option_entry entry[300] = {{{entries}}};
static const option_group group = OPTION_GROUP(TOPIC_ALL, NULL, entry, value);
static const command many = {{"many", "", "", "", &group, 1, NULL}};
int main(int argc, char **argv)
{{
    options o;
    if (options_read(&o, &many, argc, argv) != 0) return 1;
    options_recall(&o, NULL, KEPT, "");
    printf("%d %d %d\\n", (int)value[0], (int)value[299], option_given(&o, "o299") + option_given(&o, "o150"));
    options_free(&o);
}}
""")
    flags = ["-std=gnu99", "-O0", "-w", "-I.", "-Iexamples/perceptron", *shlex.split(os.environ.get("STB") or "-isystem /usr/include/stb")]
    cli = [source for source in SOURCES if "/cli/" in source]
    done = subprocess.run([*compiler, *flags, code, *cli, "-o", OUT + "/many", "-lm"], capture_output=True, text=True)
    check(done.returncode == 0, f"many.c is built: {done.stderr}")
    done = subprocess.run([OUT + "/many", "--o0=3", "-o", "7"], capture_output=True, text=True)
    check((done.returncode, done.stdout) == (0, "3 7 1\n"), f"300 options: {done.returncode} {done.stdout} {done.stderr}")


# ---- What a model remembers ----

def forge(model, kept, name="forged"):
    """The model with other remembered options, and a section that fits them."""
    texts = [text if isinstance(text, bytes) else text.encode() for text in kept]
    head, rest = model_parts(get(model))
    list_ = struct.pack("<I", len(texts)) + b"".join(struct.pack("<I", len(t)) + t for t in texts)
    return with_section(stored(model), head[len(stored(model)):] + list_ + rest, name)


def test_memory():
    data, table = OUT + "/two", OUT + "/two csvL;"
    model, csv = train(data, model="remembers"), train(table, "--label", "1", "--sep", ";", model="remembers csv")
    kernel = train(data, "-a", "kernel", model="remembers kernel")
    must("train", "--resume", csv, table, OUT + "/resumed")
    must("predict", table, csv)
    fine = forge(model, ["rate=1"])
    check(run("predict", data, fine)[:2] == run("predict", data, model)[:2], "a forged section is read")
    for bad in ("rate=nan", "rate=", "rate=x", "order=maybe", "order=", "seed=-1", "seed=1e99", "epochs", "margin=inf",
                "weight=1", "weight=7=2", "weight=1=nan", "stop=each|once", "bias=1e7", "", "=", "rate", b"rate=1\0",
                "lambda=3", "sep=ab", "sep=", "products=x", "products=x*y"):
        forged = forge(model, [bad])
        status, out, err = run("train", "--resume", forged, data, OUT + "/resumed")
        none = bad in ("=", "weight=7=2") # an option without a name is unknown, and ignored; a label may come later
        check(status == (0 if none else 2) and (none or (f"{forged}: " in err and err.count("\n") == 1)),
              f"{bad!r} remembered: {status} {err}")
        status, out, err = run("predict", data, forged)
        check(status == 0 or (status == 2 and f"{forged}: " in err), f"predict, {bad!r} remembered: {status} {err}")
        for more in ((), ("--json",)):
            status, out, err = run("show", *more, forged)
            check(status in (0, 2), f"show {more}, {bad!r} remembered: {status} {err}")
    whole = must("predict", data, model)
    for kept in (["walk=1"], ["x" * 5000 + "=1"], [f"o{k}=1" for k in range(1000)], ["rate=1"] * 1000, ["epochs=5"],
                 ["batch=3", "budget=5", "policy=random", "degree=9", "kernel=rbf", "eta=1", "alpha=3", "patience=1"]):
        for forged in (forge(model, kept), forge(kernel, kept, "forged kernel")):
            check(run("train", "--resume", forged, data, OUT + "/resumed")[0] in (0, 1), f"{str(kept)[:40]}: --resume")
            check(run("show", forged)[0] == 0 and run("show", "--json", forged)[0] == 0, f"{str(kept)[:40]}: show")
        check(must("predict", data, forge(model, kept)) == whole, f"{str(kept)[:40]}: the model predicts as before")


def main():
    short("one of 24 pairs of options")
    for leftover in os.listdir(OUT):
        if re.fullmatch(r"(train|predict|show)\d+", leftover):
            shutil.rmtree(f"{OUT}/{leftover}")
    sets = make_sets()
    test_lists()
    test_topics()
    test_texts()
    test_mistakes()
    test_room()
    test_memory()
    test_train(sets)
    test_train_named()
    test_train_text()
    test_predict(sets)
    test_predict_named()
    test_predict_text()
    test_show()
    finish()


if __name__ == "__main__":  # seams.py has these options, too
    main()
