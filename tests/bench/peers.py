"""CPU time of build/perceptron beside that of other programs that learn from the same files.

    make bench-peers
    BENCH_FLAGS=... python3 tests/bench/peers.py [text] [images] [letter] [digits] [tags] [kernel]

text and images are generated; letter, digits and tags come from the folder $PCN_DATA. $PCN_SIMPLE names
the C source of a program "train test epochs bias [multi]" to compare with. Files go to build/peers and are
removed afterwards unless KEEP=1. Every round runs every program once, in an order of its own. CPU seconds are
user and system time of all threads, medians; ratios are medians of the ratios within a round.
"""
import collections
import itertools
import lzma
import os
import random
import resource
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import time

DIR = "build/peers"
OURS = "build/perceptron"
ROUNDS = 5
ENOUGH = 10  # CPU seconds: a program that has run for so long sits out the further rounds
TIMEOUT = 20  # CPU seconds of one run
ONCE, TEN = "perceptron, 1 epoch", "perceptron, 10 epochs"  # of ours, one thread, to divide by
SETS = ["text", "images", "letter", "digits", "tags", "kernel"]
DEBIAN = {"liblinear-train": "liblinear-tools", "svm-train": "libsvm-tools", "vw": "vowpal-wabbit"}

Set = collections.namedtuple("Set", "name path labels features")
Run = collections.namedtuple("Run", "cpu wall mb")
# beside: the name of the contender of ours to divide by; remove: a file that must not be there before
Contender = collections.namedtuple("Contender", "name command beside remove", defaults=(None,))


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
    # who runs after a pause pays more for memory; the cache is written before it is read
    rounds = [contenders] + [random.Random(r).sample(contenders, len(contenders)) for r in range(1, ROUNDS)]
    for c in itertools.chain.from_iterable(rounds):
        done = runs[c.name]
        if None in done or sum(r.cpu for r in done) > ENOUGH:
            continue
        if c.remove and os.path.exists(c.remove):
            os.remove(c.remove)
        done.append(run(c.command))
    unseen = run(["true"]).mb  # what this program itself has
    print("\n%s (memory below %.0f MB is not seen)\n%-42s%9s  %-17s%9s%9s%9s%8s" % (
        title, unseen, "", "CPU s", "quartiles", "wall s", "MB", "x ours", "rounds"))
    for c in contenders:
        print_row(c, runs[c.name], runs.get(c.beside))
    sys.stdout.flush()


def print_row(c, done, ours):
    if ours and None in ours:
        ours = None
    if None in done:
        ratio = "> %.0f" % (TIMEOUT / ours[0].cpu) if ours else ""
        print("%-42s%9s  %-17s%9s%9s%9s%8d" % (c.name, "> %d" % TIMEOUT, "", "", "", ratio, len(done)))
        return
    cpu = [r.cpu for r in done]
    low, median, high = statistics.quantiles(cpu, n=4, method="inclusive") if len(cpu) > 1 else cpu * 3
    ratio = "%.2f" % statistics.median(r.cpu / o.cpu for r, o in zip(done, ours)) if ours else ""
    print("%-42s%9.3f  %-8.3f-%8.3f%9.3f%9.1f%9s%8d" % (
        c.name, median, low, high, statistics.median(r.wall for r in done), max(r.mb for r in done), ratio,
        len(done)))


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


def libsvm(csv_text):
    """Rows of comma-separated whole numbers, the label last."""
    lines = []
    for line in csv_text.decode().split():
        *values, label = line.split(",")
        lines.append(" ".join([label] + ["%d:%s" % (i, v) for i, v in enumerate(values, 1) if v != "0"]))
    return ("\n".join(lines) + "\n").encode()


def make_set(name):
    if name == "text":
        return Set(name, generate(name), [-1, 1], 1 << 20)
    if name == "images":
        return Set(name, generate(name), list(range(10)), 784)
    if name == "letter":
        return Set(name, repeated(name, data("letter.train.svm"), 40), list(range(1, 27)), 16)
    if name == "digits":
        return Set(name, repeated(name, libsvm(data("digits.csv")), 170), list(range(10)), 64)
    path = DIR + "/tags.svm"
    with lzma.open(os.path.join(os.environ["PCN_DATA"], "ewt.train.svm.xz")) as packed, open(path, "wb") as f:
        shutil.copyfileobj(packed, f)
    return Set(name, path, list(range(1, 18)), 319198)


def head(path, skip, rows, name):
    """Some rows of a file in a file of their own."""
    with open(path, "rb") as f, open("%s/%s" % (DIR, name), "wb") as out:
        out.writelines(itertools.islice(f, skip, skip + rows))
    return out.name


# ---- Programs ----

SKLEARN = """
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
    found = {p: shutil.which(p) for p in DEBIAN}
    found["scikit-learn"] = sklearn_python()
    found["simple"] = None
    if os.environ.get("PCN_SIMPLE"):
        found["simple"] = "build/bench_simple"
        command = ["gcc", "-O3", "-march=native", "-w", os.environ["PCN_SIMPLE"], "-o", found["simple"]]
        subprocess.run(command, check=True)
    else:
        print("skipped: simple C: PCN_SIMPLE does not name its source")
    for name, path in found.items():
        if not path and name != "simple":
            package = DEBIAN.get(name, "python3-sklearn")
            print("skipped: %s is not installed (Debian: apt-get install %s)" % (name, package))
    help_text = subprocess.run([OURS, "train", "--help"], stdout=subprocess.PIPE, check=True).stdout
    found["cache"] = b"--cache" in help_text
    if not found["cache"]:
        print("skipped: the program has no --cache")
    return found


def ours(s, cached):
    model, cache = DIR + "/model", DIR + "/cache"
    anew = [OURS, "train", "-q", "--final"]
    train = anew + ["--order", "file"]
    known = ["--classes", ",".join(map(str, s.labels)), "--features", str(s.features)]
    once = train + ["--threads", "1", "-e", "1"]
    yield Contender(ONCE, once + [s.path, model], ONCE)
    yield Contender(ONCE + ", labels, features given", once + known + [s.path, model], ONCE)
    yield Contender(ONCE + ", model to go on from", [w for w in once if w != "--final"] + [s.path, model], ONCE)
    yield Contender(ONCE + ", two threads", train + ["--threads", "2", "-e", "1", s.path, model], ONCE)
    if cached:
        command = train + ["-e", "1", "--cache", cache, s.path, model]
        yield Contender(ONCE + ", writes a cache", command, ONCE, cache)
        yield Contender(ONCE + ", from the cache", command, ONCE)
    yield Contender(TEN, train + ["-e", "10", s.path, model], TEN)
    yield Contender(TEN + ", shuffled", anew + ["-e", "10", s.path, model], TEN)


def vw_commands(s):
    """Labels 1 .. K or -1 and 1, and a bar behind them."""
    path = s.path + ".vw"
    binary = len(s.labels) == 2
    with open(s.path, "rb") as f, open(path, "wb") as out:
        for line in f:
            label, rest = line.split(None, 1) if b":" in line else (line.strip(), b"\n")
            number = label if binary else b"%d" % (s.labels.index(int(label)) + 1)
            out.write(number + b" | " + rest)
    learn = ["vw", "--quiet", "-b", "20", "-d", path]
    learn += ["--loss_function", "logistic"] if binary else ["--oaa", str(len(s.labels))]
    yield "1 pass", learn, ONCE
    yield "10 passes", learn + ["--passes", "10", "--holdout_off", "-c", "-k"], TEN


def peers(s, found):
    for epochs in ("1", "10"):
        beside = ONCE if epochs == "1" else TEN
        if found["simple"]:
            multi = ["multi"] if len(s.labels) > 2 else []
            command = [found["simple"], s.path, head(s.path, 0, 100, "test"), epochs, "1"] + multi
            yield Contender("simple C, " + epochs, command, beside)
        if found["scikit-learn"]:
            command = [found["scikit-learn"], "-c", SKLEARN, s.path, epochs]
            yield Contender("scikit-learn SGDClassifier, averaged, " + epochs, command, beside)
    if found["vw"]:
        for name, command, beside in vw_commands(s):
            yield Contender("Vowpal Wabbit, " + name, command, beside)
    if found["liblinear-train"]:
        command = ["liblinear-train", "-s", "1", "-q", s.path, DIR + "/liblinear"]
        yield Contender("LIBLINEAR -s 1, to its tolerance", command, TEN)


def compare_training(name, found):
    if name not in ("text", "images") and not os.environ.get("PCN_DATA"):
        print("\nskipped: %s: PCN_DATA does not name the folder of the data sets" % name)
        return
    try:
        s = make_set(name)
    except OSError as error:
        print("\nskipped: %s: %s" % (name, error))
        return
    contenders = list(ours(s, found["cache"])) + list(peers(s, found))
    compare("%s: %d classes, %d features, %.0f MB of text" % (
        name, len(s.labels), s.features, os.path.getsize(s.path) / 1e6), contenders)


def parity(path):
    """Ten classes made two: even and odd."""
    with open(path) as f:
        lines = [line.split(None, 1) for line in f]
    with open(path, "w") as f:
        f.writelines("%s %s" % ("1" if int(label) % 2 else "-1", rest) for label, rest in lines)
    return path


def compare_kernel(found):
    """Training apart; prediction by the very same model."""
    if not found["svm-train"]:
        return
    images = generate("images")
    train, test = (parity(head(images, skip, 2000, "kernel%d" % skip)) for skip in (0, 2000))
    model, text = DIR + "/kernel.model", DIR + "/kernel.libsvm"
    learn = [OURS, "train", "-q", "-a", "kernel", "--gamma", "1e-7", "-B", "0", "--order", "file", "-e", "10"]
    compare("RBF kernel, training on 2000 rows x 784", [
        Contender(TEN, learn + [train, model], TEN),
        Contender("LIBSVM svm-train", ["svm-train", "-q", "-g", "1e-7", train, DIR + "/svm"], TEN)])
    subprocess.run([OURS, "export", "--format", "libsvm", model, text], check=True)
    with open(text) as f:
        vectors = next(line.split()[1] for line in f if line.startswith("total_sv"))
    compare("RBF kernel, prediction of 2000 rows x 784 by the same %s vectors" % vectors, [
        Contender("perceptron", [OURS, "predict", "-q", test, model, DIR + "/out"], "perceptron"),
        Contender("LIBSVM svm-predict", ["svm-predict", "-q", test, text, DIR + "/out"], "perceptron")])


def machine():
    try:
        with open("/proc/cpuinfo") as f:
            return next(line.split(":")[1].strip() for line in f if line.startswith("model name"))
    except (OSError, StopIteration):
        return "unknown"


def main(names):
    if not set(names) <= set(SETS):
        sys.exit("peers.py takes some of: " + " ".join(SETS))
    os.makedirs(DIR, exist_ok=True)
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    print("machine: %s; %s was built by %s" % (machine(), OURS, os.environ.get("BENCH_FLAGS", "unknown")))
    found = find_programs()
    try:
        for name in names:
            compare_kernel(found) if name == "kernel" else compare_training(name, found)
            if os.environ.get("KEEP") != "1":
                for file in os.listdir(DIR):
                    os.remove(os.path.join(DIR, file))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main(sys.argv[1:] or SETS)
