#!/usr/bin/env python3
"""Everything that the program asks of the system fails, in every command: allocations, threads, files, signals. It
ends with the status that the README lists and one sentence, each output is the old file whole or the new one whole,
and there is no other file.

TESTS=all tries every call; otherwise a sample is tried, drawn by FAULTS_SEED.
"""
import collections
import errno
import platform
import random
import re
import select
import signal
import struct
import time

from cli import *

SEED = int(os.environ.get("FAULTS_SEED", "0")) or random.SystemRandom().randrange(1, 10**9)
draw = random.Random(SEED)
SAMPLE = 3  # calls of a class and command that fail in the short form
WORK, IN, COUNTS = OUT + "/done/", OUT + "/in/", OUT + "/counts"
CLASSES = ["alloc", "thread", "open", "read", "write", "close", "rename", "sync", "other", "any"]
MEMORY, IO = 4, 3
MANY = 10**9


def build():
    """The library that makes calls fail, or None."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        return skip("faults are injected on Linux, x86-64 only")
    library, command = os.path.abspath(OUT + "/faults.so"), os.environ.get("CC", "cc").split()
    if not shutil.which(command[0]):
        return skip(f"there is no compiler '{command[0]}' (Debian: apt-get install gcc)")
    command += ["-std=gnu11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror", "-O1", "-shared",
                "-fPIC", "tests/program/faults.c", "-o", library]
    done = subprocess.run(command, capture_output=True, text=True)
    check(done.returncode == 0, f"tests/program/faults.c is built without a warning: {done.stderr}")
    put("counts", bytes(4 * (len(CLASSES) + 1)))
    if done.returncode == 0 and run("--version", env={**os.environ, "LD_PRELOAD": library, **fault()})[0] != 0:
        return skip("faults need glibc, and a system that lets a process filter its system calls (seccomp)")
    return None if done.returncode else library


def fault(kind="none", first=0, last=0, what=errno.EIO, seed=0):
    """In the environment, for tests/program/faults.c."""
    return {"FAULT_CLASS": kind, "FAULT_FROM": str(first), "FAULT_TO": str(last), "FAULT_DO": str(what),
            "FAULT_SEED": str(seed), "FAULT_COUNTS": COUNTS}


LIBRARY = build()
tried = collections.Counter()


# ---- Commands ----

class Case:
    """A command; `outputs`: names in WORK and what is there before; repeats: is standard output always the same?"""

    def __init__(self, *arguments, outputs=None, stdin=b"", repeats=True):
        self.arguments, self.stdin, self.repeats = arguments, stdin, repeats
        self.old = {name: get(IN + path) for name, path in (outputs or {}).items()}

    def __str__(self):
        return " ".join(self.arguments)

    def prepare(self):
        for name in os.listdir(WORK):
            os.remove(WORK + name)
        for name, content in self.old.items():
            with open(WORK + name, "wb") as f:
                f.write(content)

    def run(self, *what, library=None, program=PROGRAM, **more):
        """Status, standard output, standard error, and the calls of each class, the last those that failed."""
        self.prepare()
        more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        environment = {**os.environ, "LD_PRELOAD": LIBRARY if library is None else library, **fault(*what)}
        try:
            done = subprocess.run([program, *self.arguments], input=self.stdin, timeout=60, env=environment, **more)
        except subprocess.TimeoutExpired:
            return "none in a minute", b"", "", dict.fromkeys([*CLASSES, "hits"], 0)
        counts = dict(zip([*CLASSES, "hits"], struct.unpack(f"{len(CLASSES) + 1}I", get(COUNTS))))
        return done.returncode, done.stdout or b"", (done.stderr or b"").decode(errors="replace"), counts

    def begin(self):
        """Without a fault: what is written then, and how many calls there are."""
        status, self.out, err, self.counts = self.run()
        self.new = {name: get(WORK + name) for name in os.listdir(WORK)}
        check(status == 0 and self.new.keys() == self.old.keys(), f"{self} ends with {status}: {err}")
        changed = len(self.new) - ("kept" in self.new)
        check(self.counts["rename"] == changed == self.counts["sync"], f"{self}: each output is safe: {self.counts}")
        for name in self.new:
            check(name == "kept" or self.new[name] != self.old.get(name), f"{self}: {name} becomes another file")
        return status == 0

    def wrong(self, status, out, err, expected):
        """What is wrong with a run in which something failed; expected: statuses beside 0. err: None if it was lost."""
        files = {name: get(WORK + name) for name in os.listdir(WORK)}
        if files.keys() != self.new.keys():
            return f"files {sorted(files)}"
        for name, content in files.items():
            if isinstance(status, int) and status > 128 and (name != "m" or run("show", WORK + name)[0] == 0):
                continue  # a model of fewer rows
            if content != self.new[name] and (content != self.old[name] or status == 0):
                return f"{name} is {'not written' if content == self.old[name] else 'neither old nor new'}"
        if status == 0:
            return "standard output is another" if self.repeats and out != self.out else None
        if status not in expected:
            return f"status {status}"
        if err is None:
            return None
        sentences = [line for line in err.splitlines() if line.startswith("perceptron: ")]
        return f"sentences {sentences}" if status > 0 and (len(sentences) != 1 or not err.endswith("\n")) else None

    def trial(self, kind, how, expected, *what, lost=False, **more):
        """Runs it, checks and counts; the status, and whether there was something wrong."""
        status, out, err, counts = self.run(*what, **more)
        if what and not counts["hits"]:
            expected = ()
        why = self.wrong(status, out, None if lost else err, expected)
        tried[kind] += 1
        check(not why, f"{self}: {how}: {why}; {status} {err.strip()}")
        return status


def inputs():
    """Small files of every kind, and models of other rows for outputs to begin with."""
    for folder in (WORK, IN):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    rows = random.Random(5)

    def sparse(count, labels):
        return "".join(f"{rows.choice(labels)} " + " ".join(f"{i}:{rows.randrange(1, 9)}" for i in
                       sorted(rows.sample(range(1, 30), 4))) + "\n" for _ in range(count))

    put("in/two", sparse(60, ["-1", "+1"]))
    put("in/three", sparse(60, "123"))
    put("in/weights", "1\n0\n2.5\n" * 20)
    put("in/other2", sparse(25, ["-1", "+1"]))
    put("in/other3", sparse(25, "123"))
    put("in/table.csv", "size,leaf,bark,kind\n" + "".join(
        f"{rows.randrange(90)},{rows.choice('uvw')},{rows.choice(['NA', 'a', 'b'])},{rows.choice(['fir', 'oak'])}\n"
        for _ in range(40)))
    put("in/bits.csv", "".join(",".join(rows.choice("01") for _ in range(6)) + "\n" for _ in range(40)))
    words = "to win now the old cash".split()
    put("in/text", "".join(f"{rows.choice(['spam', 'ham'])}\t{' '.join(rows.choices(words, k=5))}\n"
                           for _ in range(40)))
    put("in/names", "".join(f"name{i}\n" for i in range(40)))
    put("in/labels", "1\n")
    put("in/words", "fir\n")
    for data in ("two", "three", "other2", "other3"):
        must("train", "-q", "-e", "2", IN + data, IN + data + ".model")
    for name, *options in (("table", "--missing", "mean", IN + "table.csv"), ("text", "--text", IN + "text"),
                           ("kernel", "-a", "kernel", "--kernel", "rbf", IN + "two"),
                           ("voted", "-a", "voted", IN + "two"), ("final", "--final", IN + "three")):
        must("train", "-q", *options, IN + name + ".model")
    for name, *options in (("c", ), ("arrays", "--as", "arrays", "--predict"), ("raw", "--as", "raw"),
                           ("liblinear", "--format", "liblinear"), ("libsvm", "--format", "libsvm")):
        must("export", *options, IN + "other3.model", IN + name)
    must("train", "-q", "-t", IN + "two", "--roc", IN + "roc.svg", "--plot", IN + "plot.svg", IN + "other2", IN + "m")


def trainings():
    three, two = {"m": "other3.model"}, {"m": "other2.model"}
    model = WORK + "m"
    for options in ([], ["--threads", "2"], ["-a", "perceptron", "--pocket"], ["--validate", "0.2", "--patience", "2"],
                    ["--normalize", "maxabs"], ["--normalize", "l2", "--final"], ["--batch", "7"], ["--rule", "pa1"],
                    ["-a", "winnow"], ["-a", "balanced-winnow"], ["-a", "voted"], ["-a", "kernel", "--kernel", "rbf"],
                    ["-a", "kernel", "--budget", "9", "--policy", "projectron"], ["--resume", IN + "final.model"],
                    ["-e", "1"], ["-e", "1", "--threads", "2"], ["-e", "1", "--batch", "7", "--format", "libsvm"],
                    ["--measure"]):
        threads = [] if "--threads" in options else ["--threads", "1"]
        yield Case("train", "-q", *threads, *options, IN + "three", model, outputs=three)
    yield Case("train", "-q", "-a", "kernel", "--budget", "9", "--policy", "forgetron", IN + "two", model, outputs=two)
    yield Case("train", "-q", "--resume", IN + "kernel.model", IN + "two", model, outputs=two)
    yield Case("train", "-q", "--missing", "mean", IN + "table.csv", model, outputs=two)
    yield Case("train", "--missing", "drop", IN + "table.csv", model, outputs=two)
    yield Case("train", "-q", "-e", "1", "--missing", "zero", "--threads", "2", IN + "table.csv", model, outputs=two)
    yield Case("train", "-q", "-a", "winnow2", IN + "bits.csv", model, outputs=two)
    yield Case("train", "-q", "--text", "--ngrams", "2", IN + "text", model, outputs=two)
    yield Case("train", "-q", "--text", "--hash", "8", IN + "text", model, outputs=two)
    yield Case("train", "-q", "--classes", "3", "--features", "30", "-", model, outputs=three, stdin=get(IN + "three"))
    yield Case("train", "-q", "-a", "kernel", "--classes", "3", "--features", "30", "-", model, outputs=three,
               stdin=get(IN + "three"))
    yield Case("train", "-q", "-", model, outputs=three, stdin=get(IN + "three"))
    yield Case("train", "-q", "--force", "--online", "--predict", WORK + "p", "--threads", "1", IN + "three", model,
               outputs={**three, "p": "labels"})
    yield Case("train", "-q", "--probabilities", "--threads", "1", IN + "three", model, outputs=three)
    yield Case("train", "-q", IN + "three", "-")
    yield Case("train", IN + "three", model, outputs=three)
    yield Case("train", "--json", IN + "three", model, outputs=three, repeats=False)
    yield Case("train", "--folds", "3", IN + "three")
    yield Case("train", "-q", "--weights", IN + "weights", IN + "two", model, outputs=two)
    yield Case("compare", "--folds", "2", IN + "three", repeats=False)
    yield Case("train", "--report", "-t", IN + "other2", "--roc", WORK + "roc.svg", "--plot", WORK + "plot.svg",
               IN + "two", model, outputs={**two, "roc.svg": "roc.svg", "plot.svg": "plot.svg"})


def others():
    yield Case("predict", "-q", IN + "three", IN + "three.model")
    yield Case("predict", "-s", IN + "three", IN + "three.model", WORK + "p", outputs={"p": "labels"})
    yield Case("predict", "--threads", "2", IN + "three", IN + "three.model", WORK + "p", outputs={"p": "labels"})
    yield Case("predict", "--report", "--roc", WORK + "roc.svg", IN + "two", IN + "two.model", WORK + "p",
               outputs={"p": "labels", "roc.svg": "roc.svg"})
    yield Case("predict", "--json", "--report", IN + "two", IN + "kernel.model", repeats=False)
    yield Case("predict", "--decision", "averaged", IN + "two", IN + "voted.model")
    yield Case("predict", "-q", IN + "table.csv", IN + "table.model", WORK + "p", outputs={"p": "words"})
    yield Case("predict", "-q", "-", IN + "text.model", stdin=get(IN + "text"))
    for options in ([], ["--json"], ["--csv"], ["--names", IN + "names"]):
        yield Case("show", *options, IN + "three.model")
    yield Case("show", IN + "kernel.model")
    yield Case("show", "-", stdin=get(IN + "table.model"))
    for old, *options in (("c", ), ("arrays", "--as", "arrays", "--predict"), ("raw", "--as", "raw"),
                          ("c", "--bits", "8"), ("arrays", "--as", "arrays", "--bits", "16", "-t", IN + "three"),
                          ("liblinear", "--format", "liblinear"), ("libsvm", "--format", "libsvm")):
        yield Case("export", *options, IN + "three.model", WORK + "e", outputs={"e": old})
    yield Case("export", IN + "kernel.model")
    yield Case("export", "--format", "libsvm", IN + "kernel.model", WORK + "e", outputs={"e": "libsvm"})
    yield Case("import", IN + "liblinear", WORK + "m", outputs={"m": "three.model"})
    yield Case("import", IN + "liblinear", "-")
    for arguments in (["--help"], ["--man"], ["--version"], ["train", "--help"]):
        yield Case(*arguments)


# ---- One fault after the other ----

def faults(counts):
    """Class, first and last call that fails, what happens, and the statuses that are right."""
    def numbers(kind):
        count = counts[kind]
        return range(1, count + 1) if WHOLE or count <= SAMPLE else sorted(draw.sample(range(1, count + 1), SAMPLE))

    for first in numbers("alloc"):
        yield "alloc", first, first, errno.ENOMEM, (MEMORY,)
        yield "alloc", first, MANY, errno.ENOMEM, (MEMORY,)
    for kind in CLASSES[1:-1]:
        for first in numbers(kind):
            yield kind, first, first, draw.choice([errno.EIO, errno.ENOSPC]), (IO,)
            if kind in ("write", "open") and WHOLE:
                yield kind, first, MANY, errno.ENOSPC, (IO,)
    for first in numbers("open"):
        yield "open", first, first, draw.choice([errno.EACCES, errno.EMFILE]), (IO,)
    for first in numbers("any"):
        number = draw.choice([signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
        yield "any", first, first, -number, (-number, 128 + number)
        yield "any", first, first, -signal.SIGINT, (-signal.SIGINT, 130)


def test_faults(cases):
    for case in cases:
        for kind, first, last, what, expected in faults(case.counts):
            case.trial("faults", f"{kind} {first}{'' if first == last else ' and on'}, {what}", expected,
                       kind, first, last, what)
            if kind == "sync" and len(case.new) == 1:
                check(case.new != {name: get(WORK + name) for name in case.new}, f"{case}: a name before it is safe")


def test_foreign(_):
    """What an output must not replace stays, also when it cannot be looked at."""
    precious = b"precious\n"
    put("in/foreign", precious)
    data, model = IN + "three", IN + "three.model"
    for name, *arguments in (("m", "train", "-q", data), ("p", "predict", "-q", data, model), ("e", "export", model),
                             ("e", "export", "--as", "raw", model), ("m", "import", IN + "liblinear"),
                             ("plot.svg", "train", "-q", "-t", data, data, WORK + "n", "--plot")):
        case = Case(*arguments, WORK + name, outputs={name: "foreign"})
        status, _, err, counts = case.run()
        check(status in (1, 2) and get(WORK + name) == precious, f"{case} refuses {name}: {status} {err}")
        for kind in ("alloc", "open", "read", "other"):
            for first in range(1, counts[kind] + 1):
                status, _, err, _ = case.run(kind, first, first, errno.ENOMEM if kind == "alloc" else errno.EIO)
                tried["files to spare"] += 1
                check(status in (1, 2, IO, MEMORY) and os.listdir(WORK) == [name] and get(WORK + name) == precious,
                      f"{case} has a file to spare: {kind} {first}: {status} {err}")


def closed(handle):
    return {"preexec_fn": lambda: os.close(handle)}


def test_streams(cases):
    """Standard streams that are closed, or full."""
    with open("/dev/full", "wb") as full:
        for case in cases:
            unread, lost = (IO, ) if case.stdin else (), (IO, ) if case.out else ()
            case.trial("streams", "no standard input", unread, **closed(0))
            case.trial("streams", "no standard output", lost, **closed(1))
            case.trial("streams", "no standard error", (), lost=True, **closed(2))
            case.trial("streams", "full standard output", lost, stdout=full)
            case.trial("streams", "full standard error", (), lost=True, stderr=full)


# ---- Files that change ----

def is_whole(name):
    """Is this output one that the program ends with, perhaps of other rows?"""
    return name == "c" or (run("show", WORK + name)[0] == 0 if name == "m" else get(WORK + name).endswith(b"\n"))


def test_changes(_):
    """A file that is cut to half, or gets a line more, before one of the reads: an answer or a refusal."""
    rows = random.Random(6)
    line = lambda: rows.choice("123") + "".join(f" {i}:{rows.randrange(1, 999)}" for i in range(1, 30)) + "\n"
    data, trained = put("in/large", "".join(line() for _ in range(4000))), IN + "three.model"
    content, model, old = {name: get(IN + name) for name in ("large", "three.model")}, WORK + "m", {"m": "other3.model"}
    train = ("train", "-q", "--force")
    streams = (["--threads", "1"], ["--threads", "2"], ["--batch", "9"])
    for case in (*(Case(*train, "-e", "1", *options, data, model, outputs=old) for options in streams),
                 Case(*train, data, model, outputs=old),
                 Case("predict", "-q", "--force", "-s", data, trained, WORK + "p", outputs={"p": "labels"}),
                 Case("export", "--force", "--bits", "16", "-t", data, trained, WORK + "e", outputs={"e": "c"})):
        case.begin()
        for how, number in [(how, n) for how in "ta" for n in range(1, case.counts["read"] + 1)]:
            status, _, err, _ = case.run("read", number, number, how)
            files = {name: get(WORK + name) for name in os.listdir(WORK)}
            if status == 0:
                good = files.keys() == case.old.keys() and all(map(is_whole, files))
            else:
                good = status == 2 and files == case.old and err.count("perceptron: ") == 1
            tried["changed files"] += 1
            check(good, f"{case}: {how} at read {number}: {status} {err.strip()}")
            for name in content:
                put("in/" + name, content[name])


def test_cut_pipe(_):
    """Who writes the rows ends anywhere: as if the file ended there."""
    rows, options = get(IN + "three"), ["train", "-q", "--threads", "1", "--classes", "3", "--features", "30"]
    for size in range(len(rows)) if WHOLE else draw.sample(range(len(rows)), 40):
        part, got = put("in/part", rows[:size]), []
        for data, stdin in ((part, b""), ("-", rows[:size])):
            status, _, err = run(*options, "--", data, WORK + "m", stdin=stdin)
            got.append((status, err.replace(part, "standard input"), status == 0 and get(WORK + "m")))
        check(got[0] == got[1] and got[0][0] in (0, 2), f"a pipe of {size} bytes: {got[0][:2]} {got[1][:2]}")


# ---- Interruptions ----

def test_slices(cases):
    """Reads and writes that do less than was asked for, waiting that is interrupted: nothing changes."""
    for case in cases:
        for _ in range(10 if WHOLE else 2):
            case.trial("runs in slices", "in slices", (), "any", 1, MANY, "s", draw.randrange(1, MANY))


def test_full_pipe(_):
    """Ctrl-C while nobody reads the model: it is whole."""
    whole = subprocess.run([PROGRAM, *plainly(["train", "-q", IN + "three", "-"])], capture_output=True).stdout
    there, here = os.pipe()
    os.set_blocking(here, False)
    room = 0
    while select.select([], [here], [], 0)[1]:
        room += os.write(here, bytes(4096))
    os.set_blocking(here, True)
    child = subprocess.Popen([PROGRAM, *plainly(["train", "-q", IN + "three", "-"])], stdout=here, stderr=subprocess.PIPE)
    os.close(here)
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    time.sleep(0.1)
    with open(there, "rb") as f:
        out = f.read()[room:]
    _, err = child.communicate(timeout=20)
    check(child.returncode == 130 and out == whole, f"Ctrl-C while the model is written: "
          f"{child.returncode} {len(out)} of {len(whole)} bytes {err}")


def test_moments(_):
    """Signals at any moment."""
    model = {"m": "other3.model"}
    cases = [Case("train", "-q", "--force", "-e", "20", DIGITS, WORK + "m", outputs=model),
             Case("train", "-q", "--force", "-e", "1", DIGITS, WORK + "m", outputs=model),
             Case("predict", "-q", DIGITS, IN + "digits.model", WORK + "p", outputs={"p": "labels"}),
             Case("export", IN + "digits.model", WORK + "e", outputs={"e": "c"})]
    must("train", "-q", DIGITS, IN + "digits.model")
    for case in cases:
        case.begin()
        case.prepare()
        began = time.monotonic()
        subprocess.run([PROGRAM, *case.arguments], stderr=subprocess.DEVNULL, env={**os.environ, "LD_PRELOAD": ""})
        case.seconds = time.monotonic() - began
    for _ in range(200 if WHOLE else 60):
        case = draw.choice(cases)
        number = draw.choice([signal.SIGINT, signal.SIGTERM, signal.SIGPIPE, signal.SIGKILL])
        case.prepare()
        child = subprocess.Popen([PROGRAM, *case.arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 env={**os.environ, "LD_PRELOAD": ""})
        time.sleep(draw.uniform(0, 1.1 * case.seconds))
        child.send_signal(number)
        out, err = child.communicate(timeout=20)
        if number == signal.SIGKILL:
            for name in set(os.listdir(WORK)) - case.new.keys():
                check(re.sub(r"\.perceptron-\w{6}$", "", name) in case.new, f"{case}: {name} is left")
                os.remove(WORK + name)
        why = case.wrong(child.returncode, out, err.decode(), (-number, 128 + number))
        tried["saved" if child.returncode > 128 else "killed" if child.returncode else "ended before"] += 1
        check(not why, f"{case}: signal {number}: {why}; {child.returncode} {err}")
    check(tried["killed"] and (tried["saved"] or not WHOLE), f"signals fall on all parts: {tried}")


# ---- Leaks ----

def test_leaks(cases):
    """Runs that succeed have nothing allocated that nobody knows of."""
    compiler, program = os.environ.get("CC", "cc").split(), OUT + "/leaks"
    stb = os.environ.get("STB", "-isystem /usr/include/stb").split()
    flags = ["-std=gnu99", "-O1", "-g", "-w", "-fsanitize=leak", "-I.", "-Iexamples/perceptron", *stb]
    done = subprocess.run([*compiler, *flags, *SOURCES, "-o", program, "-pthread", "-lm"], capture_output=True)
    if done.returncode or run("--version", program=program)[0]:
        return skip(f"{compiler[0]} does not build with -fsanitize=leak, or it does not run here")
    for case in cases:
        status, _, err, _ = case.run(library="", program=program)
        tried["commands"] += 1
        check(status == 0, f"{case} leaks: {status} {err[:3000]}")


if LIBRARY:
    short(f"of each command {SAMPLE} calls of a class fail, not every one; a sample of changes, cuts and moments; no search for leaks")
    inputs()
    ready = [case for case in [*trainings(), *others()] if case.begin()]
    for test in (test_faults, test_foreign, test_streams, test_changes, test_cut_pipe,
                 test_slices, test_full_pipe, test_moments, *[test_leaks] * WHOLE):
        test(ready)
    print(f"seed {SEED} (FAULTS_SEED={SEED} repeats):", ", ".join(f"{n} {name}" for name, n in tried.items()))
finish()
