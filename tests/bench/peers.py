"""CPU time of build/perceptron beside that of other programs that learn from the same files.

    make bench-peers
    BENCH_FLAGS=... python3 tests/bench/peers.py [text] [images] [digits] [letter] [tags] [kernel]

text and images are generated, digits are in examples/data; letter and tags come from the folder $PCN_DATA. Files
go to build/peers and are removed afterwards unless KEEP=1. Every round runs every program once, in an order of its
own. CPU seconds are user and system time of all threads, medians; ratios are medians of the ratios within a round.
A run of all of them keeps the tables of README.md and tests/bench/README.md in results.txt, with the machine, the date
and the versions.
"""
import collections
import itertools
import lzma
import os
import random
import re
import resource
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import time

import results

DIR = "build/peers"
OURS = "build/perceptron"
PLAIN = ["--rule", "fixed", "--normalize", "none"]  # what the others do, too
ROUNDS = 5
ENOUGH = 10  # CPU seconds: a program that has run for so long sits out the further rounds
TIMEOUT = 20  # CPU seconds of one run
ONCE, TEN = "perceptron, 1 epoch", "perceptron, 10 epochs"  # of ours, one thread, to divide by
SETS = ["text", "images", "digits", "letter", "tags", "kernel"]
SIMPLE, SKLEARN, LIBLINEAR = "simple C", "scikit-learn", "LIBLINEAR"
DEBIAN = {SKLEARN: "python3-sklearn", LIBLINEAR: "liblinear-tools", "LIBSVM": "libsvm-tools"}

Set = collections.namedtuple("Set", "name path classes features what")
Run = collections.namedtuple("Run", "cpu wall mb")
Contender = collections.namedtuple("Contender", "name command beside")  # beside: that of ours to divide by


# ---- Running ----

def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (TIMEOUT, TIMEOUT + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(command):
    """What the command took; None if it was stopped after TIMEOUT."""
    with open(DIR + "/stderr", "w+") as errors:
        begin = time.monotonic()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, preexec_fn=limit)
        _, status, used = os.wait4(child.pid, 0)
        wall = time.monotonic() - begin
        stopped = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU
        child.returncode = status
        if status != 0 and not stopped:
            errors.seek(0)
            sys.exit("failed: %s\n%s" % (shlex.join(command), errors.read()))
    return None if stopped else Run(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)


def compare(title, contenders):
    runs = {c.name: [] for c in contenders}
    rounds = [random.Random(r).sample(contenders, len(contenders)) for r in range(ROUNDS)]
    for c in itertools.chain.from_iterable(rounds):
        done = runs[c.name]
        if None in done or sum(r.cpu for r in done) > ENOUGH:
            continue
        done.append(run(c.command))
    unseen = run(["true"]).mb  # what this program itself has
    print("\n%s (memory below %.0f MB is not seen)\n%-42s%9s  %-17s%9s%9s%9s%8s" % (
        title, unseen, "", "CPU s", "quartiles", "wall s", "MB", "x ours", "rounds"))
    for c in contenders:
        print_row(c, runs[c.name], runs.get(c.beside))
    sys.stdout.flush()
    return runs


def ratio(done, ours):
    """How many times as long as ours; more than that if it was stopped."""
    if not ours or None in ours:
        return ""
    if None in done:
        return "> %.0f" % (TIMEOUT / statistics.median(r.cpu for r in ours))
    return "%.3g" % statistics.median(r.cpu / o.cpu for r, o in zip(done, ours))


def print_row(c, done, ours):
    if None in done:
        print("%-42s%9s  %-17s%9s%9s%9s%8d" % (c.name, "> %d" % TIMEOUT, "", "", "", ratio(done, ours), len(done)))
        return
    cpu = [r.cpu for r in done]
    low, median, high = statistics.quantiles(cpu, n=4, method="inclusive") if len(cpu) > 1 else cpu * 3
    print("%-42s%9.3f  %-8.3f-%8.3f%9.3f%9.1f%9s%8d" % (
        c.name, median, low, high, statistics.median(r.wall for r in done), max(r.mb for r in done), ratio(done, ours),
        len(done)))


# ---- The tables of the pages ----

def tables(rows):
    """(name, lines) of a table; rows: a set and its runs."""
    for ours, epochs in ((ONCE, "1"), (TEN, "10")):
        peers = [peer for peer in (SIMPLE, SKLEARN, LIBLINEAR) if any(title(peer, epochs) in runs for _, runs in rows)]
        lines = ["| data, epochs: %s | ours, seconds |%s" % (epochs, "".join(" %s, × |" % peer for peer in peers)),
                 "|---" * (2 + len(peers)) + "|"]
        for s, runs in rows:
            cells = ["%.0f MB of %s" % (os.path.getsize(s.path) / 1e6, s.what),
                     "%.3g" % statistics.median(r.cpu for r in runs[ours])]
            cells += [ratio(runs[title(peer, epochs)], runs[ours]) for peer in peers]
            lines.append("| " + " | ".join(cells) + " |")
        yield "peers, %s epoch%s" % (epochs, "s" * (epochs != "1")), lines
        if epochs == "1":
            yield "short", shortened(lines)


def shortened(lines):
    """What README.md has of the table of one epoch: its first three sets, rounded."""
    short = [lines[0].replace("data, epochs: 1", "data"), lines[1]]
    for line in lines[2:5]:
        name, seconds, *ratios = line.strip("| ").split(" | ")
        ratios = [r if r.startswith(">") else "%.*f" % (float(r) < 9.95, float(r)) for r in ratios]
        short.append("| " + " | ".join([name, "%.2f" % float(seconds), *ratios]) + " |")
    return short


def title(peer, epochs):
    return peer if peer == LIBLINEAR else peer + ", " + epochs


# ---- Data ----

def generate(kind):
    path = "%s/%s.svm" % (DIR, kind)
    with open(path, "wb") as f:
        subprocess.run(["build/bench_generate", kind], stdout=f, check=True)
    return path


def repeated(name, text, times):
    path = "%s/%s.svm" % (DIR, name)
    with open(path, "wb") as f:
        for _ in range(times):
            f.write(text)
    return path


def data(name):
    with open(os.path.join(os.environ["PCN_DATA"], name), "rb") as f:
        return f.read()


def digits():
    """Rows of comma-separated whole numbers, the label last."""
    lines = []
    with open("examples/data/digits.csv", encoding="ascii") as f:
        for line in f:
            *values, label = line.split(",")
            lines.append(" ".join([label.strip()] + ["%d:%s" % (i, v) for i, v in enumerate(values, 1) if v != "0"]))
    return ("\n".join(lines) + "\n").encode()


def make_set(name):
    if name == "text":
        return Set(name, generate(name), 2, 1 << 20, "sparse decimals, 2 classes")
    if name == "images":
        return Set(name, generate(name), 10, 784, "images, 10 classes")
    if name == "digits":
        return Set(name, repeated(name, digits(), 170), 10, 64, "digits, 10 classes")
    if name == "letter":
        return Set(name, repeated(name, data("letter.train.svm"), 40), 26, 16, "letters, 26 classes")
    path = DIR + "/tags.svm"
    with lzma.open(os.path.join(os.environ["PCN_DATA"], "ewt.train.svm.xz")) as packed, open(path, "wb") as f:
        shutil.copyfileobj(packed, f)
    return Set(name, path, 17, 319198, "word tags, 17 classes")


def head(path, skip, rows, name):
    """Some rows of a file in a file of their own."""
    with open(path, "rb") as f, open("%s/%s" % (DIR, name), "wb") as out:
        out.writelines(itertools.islice(f, skip, skip + rows))
    return out.name


# ---- Programs ----

SKLEARN_PROGRAM = """
import sys
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import SGDClassifier
x, y = load_svmlight_file(sys.argv[1])
SGDClassifier(loss="perceptron", learning_rate="constant", eta0=1, penalty=None, shuffle=False, tol=None,
              max_iter=int(sys.argv[2]), average=True).fit(x, y)
"""


def sklearn_python():
    """The Python that has scikit-learn, or None."""
    for python in filter(os.path.exists, (sys.executable, "/usr/bin/python3")):
        if subprocess.run([python, "-c", "import sklearn"], stderr=subprocess.DEVNULL).returncode == 0:
            return python
    return None


def find_programs():
    found = {SKLEARN: sklearn_python(), LIBLINEAR: shutil.which("liblinear-train"), "LIBSVM": shutil.which("svm-train")}
    for name, path in found.items():
        if not path:
            print("skipped: %s is not installed (Debian: apt-get install %s)" % (name, DEBIAN[name]))
    return found


def ours(s):
    model = DIR + "/model"
    anew = [OURS, "train", "-q", "--final", "-a", "averaged", *PLAIN]
    once = anew + ["--threads", "1", "-e", "1"]  # streamed, so in the order of the file
    yield Contender(ONCE, once + [s.path, model], ONCE)
    yield Contender(ONCE + ", model to go on from", [w for w in once if w != "--final"] + [s.path, model], ONCE)
    yield Contender(ONCE + ", two threads", anew + ["--threads", "2", "-e", "1", s.path, model], ONCE)
    yield Contender(TEN, anew + ["--order", "file", "-e", "10", s.path, model], TEN)
    yield Contender(TEN + ", shuffled", anew + ["-e", "10", s.path, model], TEN)


def peers(s, found):
    for epochs, beside in (("1", ONCE), ("10", TEN)):
        yield Contender(title(SIMPLE, epochs), ["build/bench_simple", s.path, epochs], beside)
        if found[SKLEARN]:
            yield Contender(title(SKLEARN, epochs), [found[SKLEARN], "-c", SKLEARN_PROGRAM, s.path, epochs], beside)
    if found[LIBLINEAR]:
        yield Contender(LIBLINEAR, ["liblinear-train", "-s", "1", "-q", s.path, DIR + "/liblinear"], TEN)


def compare_training(name, found):
    """The set and its runs; None if there are no such data."""
    if name in ("letter", "tags") and not os.environ.get("PCN_DATA"):
        print("\nskipped: %s: PCN_DATA does not name the folder of the data sets" % name)
        return None
    try:
        s = make_set(name)
    except OSError as error:
        print("\nskipped: %s: %s" % (name, error))
        return None
    return s, compare("%s: %d classes, %d features, %.0f MB of text" % (
        name, s.classes, s.features, os.path.getsize(s.path) / 1e6), list(ours(s)) + list(peers(s, found)))


def parity(path):
    """Ten classes made two: even and odd."""
    with open(path) as f:
        lines = [line.split(None, 1) for line in f]
    with open(path, "w") as f:
        f.writelines("%s %s" % ("1" if int(label) % 2 else "-1", rest) for label, rest in lines)
    return path


def compare_kernel(found):
    """The lines of a table: training apart; prediction by the very same model."""
    if not found["LIBSVM"]:
        return []
    images = generate("images")
    train, test = (parity(head(images, skip, 2000, "kernel%d" % skip)) for skip in (0, 2000))
    model, text = DIR + "/kernel.model", DIR + "/kernel.libsvm"
    learn = [OURS, "train", "-q", *PLAIN, "-a", "kernel", "--gamma", "1e-7", "-B", "0", "--order", "file", "-e", "10"]
    training = compare("RBF kernel, training on 2000 rows x 784", [
        Contender(TEN, learn + [train, model], TEN),
        Contender("LIBSVM svm-train", ["svm-train", "-q", "-g", "1e-7", train, DIR + "/svm"], TEN)])
    subprocess.run([OURS, "export", "--format", "libsvm", model, text], check=True)
    with open(text) as f:
        vectors = next(line.split()[1] for line in f if line.startswith("total_sv"))
    prediction = compare("RBF kernel, prediction of 2000 rows x 784 by the same %s vectors" % vectors, [
        Contender("perceptron", [OURS, "predict", "-q", test, model, DIR + "/out"], "perceptron"),
        Contender("LIBSVM svm-predict", ["svm-predict", "-q", test, text, DIR + "/out"], "perceptron")])
    lines = ["| RBF kernel, 2,000 rows x 784 | ours, seconds | LIBSVM, × |", "|---|---|---|"]
    for what, runs in (("training, 10 epochs, and `svm-train`", training),
                       ("prediction of 2,000 rows by the same %s vectors" % vectors, prediction)):
        ours, theirs = runs.values()
        lines.append("| %s | %.3f | %s |" % (what, statistics.median(r.cpu for r in ours), ratio(theirs, ours)))
    return lines


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()


def versions(found):
    """The machine, what was compared and what built ours."""
    flags = os.environ.get("BENCH_FLAGS", "unknown")
    compiler = output(flags.split()[0], "-dumpfullversion") if flags != "unknown" else ""
    peers_of = ["%s %s" % (name, re.sub(r"[+-].*", "", output("dpkg-query", "-W", "-f", "${Version}", DEBIAN[name])))
                for name, path in found.items() if path]
    return "make bench-peers; %s; ours and simple C by %s (%s); %s" % (
        results.here(), flags, compiler, ", ".join(peers_of))


def main(names):
    if not set(names) <= set(SETS):
        sys.exit("peers.py takes some of: " + " ".join(SETS))
    os.makedirs(DIR, exist_ok=True)
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    found, rows, kernel = find_programs(), [], []
    try:
        for name in names:
            if name == "kernel":
                kernel = compare_kernel(found)
            else:
                rows += filter(None, [compare_training(name, found)])
        whole = all(found.values()) and len(rows) + bool(kernel) == len(SETS)
        for name, lines in [*tables(rows), ("peers, kernel", kernel)]:
            if whole:
                results.keep(name, lines, versions(found))
            else:
                print("\n%s, not kept, because something was left out:" % name, *lines, sep="\n")
        print("\n" + versions(found))
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        if os.environ.get("KEEP") != "1":
            shutil.rmtree(DIR)


if __name__ == "__main__":
    main(sys.argv[1:] or SETS)
