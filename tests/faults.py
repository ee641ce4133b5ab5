#!/usr/bin/env python3
"""Everything that the program asks of the system fails, in every command: allocations, threads, files, signals.

What must then be: the status that the README lists, one sentence on standard error, each output the old file whole or
the new one whole, and no other file. FAULTS=all tries every call; otherwise a sample is tried, drawn by FAULTS_SEED."""
import errno
import platform
import random
import resource
import select
import signal
import struct
import time

from cli import *

ALL = os.environ.get("FAULTS") == "all"
SEED = int(os.environ.get("FAULTS_SEED", "0")) or random.SystemRandom().randrange(1, 10**9)
draw = random.Random(SEED)
SAMPLE = 7  # calls of a class and command that fail in the fast part
WORK, IN, COUNTS = OUT + "/work/", OUT + "/in/", OUT + "/counts"
CLASSES = ["alloc", "thread", "open", "read", "write", "close", "rename", "sync", "other", "any"]
MEMORY, IO = 4, 3
MANY = 10**9


def build():
    """The library that makes calls fail, or None."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        return skip("faults are injected on Linux, x86-64 only")
    library = os.path.abspath(OUT + "/faults.so")
    command = os.environ.get("CC", "cc").split()
    if not shutil.which(command[0]):
        return skip(f"there is no compiler '{command[0]}' (Debian: apt-get install gcc)")
    done = subprocess.run([*command, "-std=gnu11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror",
                           "-O1", "-shared", "-fPIC", "tests/faults.c", "-o", library], capture_output=True, text=True)
    check(done.returncode == 0, f"tests/faults.c is built without a warning: {done.stderr}")
    put("counts", bytes(4 * (len(CLASSES) + 1)))
    if done.returncode or run("--version", env=fault_environment(library), program=PROGRAM)[0] == 99:
        return skip("this system lets no process filter its system calls (seccomp)")
    return library


def fault_environment(library, kind="none", first=0, last=0, what=errno.EIO, seed=0):
    return {**os.environ, "LD_PRELOAD": library or "", "FAULT_CLASS": kind, "FAULT_FROM": str(first), "FAULT_TO": str(last),
            "FAULT_DO": str(what), "FAULT_SEED": str(seed), "FAULT_COUNTS": COUNTS}


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

    def run(self, library, *fault, program=PROGRAM, **more):
        """Status, standard output, standard error, and the calls of each class, the last those that failed."""
        self.prepare()
        more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        done = subprocess.run([program, *self.arguments], input=self.stdin, timeout=60,
                              env=fault_environment(library, *fault), **more)
        counts = dict(zip([*CLASSES, "hits"], struct.unpack(f"{len(CLASSES) + 1}I", get(COUNTS))))
        return done.returncode, done.stdout or b"", (done.stderr or b"").decode(errors="replace"), counts

    def begin(self, library):
        """Without a fault: what is written then, and how many calls there are."""
        status, self.out, err, self.counts = self.run(library)
        self.new = {name: get(WORK + name) for name in os.listdir(WORK)}
        check(status == 0 and self.new.keys() == self.old.keys(), f"{self} ends with {status}: {err}")
        changed = len(self.new) - ("kept" in self.new)
        check(self.counts["rename"] == changed == self.counts["sync"], f"{self}: each output is safe on the disk: {self.counts}")
        for name in self.new:
            check(name == "kept" or self.new[name] != self.old.get(name), f"{self}: {name} becomes another file")
        return status == 0

    def wrong(self, status, out, err, hits, expected):
        """What is wrong with a run in which calls failed; expected: statuses beside 0.
        err: None if it was lost."""
        files = {name: get(WORK + name) for name in os.listdir(WORK)}
        if files.keys() != self.new.keys():
            return f"files {sorted(files)}"
        for name, content in files.items():
            if status == 130 and (name != "m" or run("show", WORK + name)[0] == 0):
                continue  # a model of fewer rows
            if content != self.new[name] and (content != self.old[name] or status == 0):
                return f"{name} is {'not written' if content == self.old[name] else 'neither old nor new'}"
        if status == 0:
            return "standard output is another" if self.repeats and out != self.out else None
        if status not in expected or not hits:
            return f"status {status}"
        if err is None:
            return None
        sentences = [line for line in err.splitlines() if line.startswith("perceptron: ")]
        return f"sentences {sentences}" if status > 0 and (len(sentences) != 1 or not err.endswith("\n")) else None


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
    put("in/other2", sparse(25, ["-1", "+1"]))
    put("in/other3", sparse(25, "123"))
    put("in/table.csv", "size,leaf,bark,kind\n" + "".join(
        f"{rows.randrange(90)},{rows.choice('uvw')},{rows.choice(['NA', 'rough', 'smooth'])},{rows.choice(['fir', 'oak'])}\n"
        for _ in range(40)))
    put("in/bits.csv", "".join(",".join(rows.choice("01") for _ in range(6)) + "\n" for _ in range(40)))
    put("in/text", "".join(f"{rows.choice(['spam', 'ham'])}\t" + " ".join(rows.choices("to win now the old cash".split(), k=5))
                           + "\n" for _ in range(40)))
    put("in/names", "".join(f"name{i}\n" for i in range(40)))
    put("in/labels", "1\n")
    put("in/words", "fir\n")
    for data in ("two", "three", "other2", "other3"):
        must("train", "-q", "-e", "2", IN + data, IN + data + ".model")
    for name, *options in (("table", "--missing", "mean", IN + "table.csv"), ("text", "--text", IN + "text"),
                           ("kernel", "-a", "kernel", "--kernel", "rbf", IN + "two"), ("voted", "-a", "voted", IN + "two"),
                           ("final", "--final", IN + "three")):
        must("train", "-q", *options, IN + name + ".model")
    for name, *options in (("c", ), ("arrays", "--as", "arrays", "--predict"), ("raw", "--as", "raw"),
                           ("liblinear", "--format", "liblinear"), ("libsvm", "--format", "libsvm")):
        must("export", *options, IN + "other3.model", IN + name)
    must("train", "-q", "-t", IN + "two", "--roc", IN + "roc.svg", "--plot", IN + "plot.svg", IN + "other2", IN + "m")
    must("train", "-q", "--cache", IN + "other.cache", IN + "other2", IN + "m")
    must("train", "-q", "--cache", IN + "two.cache", IN + "two", IN + "m")


def trainings():
    three, two = {"m": "other3.model"}, {"m": "other2.model"}
    model = WORK + "m"
    for options in ([], ["--threads", "2"], ["-a", "perceptron", "--pocket"], ["--validate", "0.2", "--patience", "2"],
                    ["--normalize", "maxabs"], ["--normalize", "l2", "--final"], ["--batch", "7"], ["--rule", "pa1"],
                    ["-a", "winnow"], ["-a", "balanced-winnow"], ["-a", "voted"], ["-a", "kernel", "--kernel", "rbf"],
                    ["-a", "kernel", "--budget", "9", "--policy", "projectron"], ["--resume", IN + "final.model"],
                    ["-e", "1"], ["-e", "1", "--threads", "2"], ["-e", "1", "--batch", "7", "--format", "libsvm"], ["--measure"]):
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
    yield Case("train", "-q", IN + "three", "-")
    yield Case("train", IN + "three", model, outputs=three)
    yield Case("train", "--json", IN + "three", model, outputs=three, repeats=False)
    yield Case("train", "--folds", "3", IN + "three")
    cached = {**two, "kept": "two.cache"}
    yield Case("train", "-q", "--cache", WORK + "kept", IN + "two", model, outputs=cached)
    yield Case("train", "-q", "--cache", WORK + "cache", IN + "two", model, outputs={**two, "cache": "other.cache"})
    yield Case("train", "--report", "-t", IN + "other2", "--roc", WORK + "roc.svg", "--plot", WORK + "plot.svg", IN + "two",
               model, outputs={**two, "roc.svg": "roc.svg", "plot.svg": "plot.svg"})


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
        return range(1, count + 1) if ALL or count <= SAMPLE else sorted(draw.sample(range(1, count + 1), SAMPLE))

    for first in numbers("alloc"):
        yield "alloc", first, first, errno.ENOMEM, (MEMORY,)
        yield "alloc", first, MANY, errno.ENOMEM, (MEMORY,)
    for kind in CLASSES[1:-1]:
        for first in numbers(kind):
            yield kind, first, first, draw.choice([errno.EIO, errno.ENOSPC]), (IO,)
            if kind in ("write", "open") and ALL:
                yield kind, first, MANY, errno.ENOSPC, (IO,)
    for first in numbers("open"):
        yield "open", first, first, draw.choice([errno.EACCES, errno.EMFILE]), (IO,)
    for first in numbers("any"):
        number = draw.choice([signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
        yield "any", first, first, -number, (-number,)
        yield "any", first, first, -signal.SIGINT, (-signal.SIGINT, 130)


def test_faults(library, cases):
    tried = wrong = 0
    for case in cases:
        for kind, first, last, what, expected in faults(case.counts):
            status, out, err, counts = case.run(library, kind, first, last, what)
            why = case.wrong(status, out, err, counts["hits"], expected)
            if kind == "sync" and len(case.new) == 1 and case.new == {name: get(WORK + name) for name in case.new}:
                why = "it has its name before it is safe"
            tried += 1
            if why:
                wrong += 1
                check(False, f"{case}: {kind} {first}{'' if first == last else ' and on'}, {what}: {why}; {status} {err.strip()}")
    check(not wrong, f"{wrong} of {tried} faults end badly")
    counts_of["faults"] = tried


def test_foreign(library, _):
    """What an output must not replace stays, also when it cannot be looked at."""
    put("in/foreign", "precious\n")
    tried = 0
    for arguments, name in ((["train", "-q", IN + "three"], "m"), (["predict", "-q", IN + "three", IN + "three.model"], "p"),
                            (["export", IN + "three.model"], "e"), (["export", "--as", "raw", IN + "three.model"], "e"),
                            (["import", IN + "liblinear"], "m"), (["train", "-q", IN + "three", WORK + "n", "--cache"], "c"),
                            (["train", "-q", "-t", IN + "two", IN + "two", WORK + "n", "--plot"], "plot.svg")):
        case = Case(*arguments, WORK + name, outputs={name: "foreign"})
        status, _, err, counts = case.run(library)
        check(status in (1, 2) and get(WORK + name) == b"precious\n", f"{case} refuses {name}: {status} {err}")
        for kind in ("alloc", "open", "read", "other"):
            for first in range(1, counts[kind] + 1):
                status, out, err, hits = case.run(library, kind, first, first, errno.ENOMEM if kind == "alloc" else errno.EIO)
                tried += 1
                check(status in (1, 2, IO, MEMORY) and os.listdir(WORK) == [name] and get(WORK + name) == b"precious\n",
                      f"{case} has a file to spare: {kind} {first}: {status} {err}")
    counts_of["files to spare"] = tried


def closed(handle):
    return {"preexec_fn": lambda: os.close(handle)}


def test_streams(library, cases):
    """Standard streams that are closed, or full."""
    tried = 0
    for case in cases:
        with open("/dev/full", "wb") as full:
            lost = (IO, ) if case.out else ()
            for how, more, expected in (("no standard input", closed(0), (IO, ) if case.stdin else ()),
                                        ("no standard output", closed(1), lost), ("no standard error", closed(2), ()),
                                        ("full standard output", {"stdout": full}, lost),
                                        ("full standard error", {"stderr": full}, ())):
                status, out, err, _ = case.run(library, **more)
                why = case.wrong(status, out, None if "error" in how else err, True, expected)
                tried += 1
                check(not why, f"{case}: {how}: {why}; {status} {err.strip()}")
    counts_of["streams"] = tried


# ---- Full disks, files that change ----

def test_limits(library, cases):
    """Files that must not grow."""
    tried = 0
    for case in cases:
        for limit in {0, max((len(new) for name, new in case.new.items() if name != "kept"), default=0) // 2}:
            size = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            status, out, err, _ = case.run(library, preexec_fn=size)
            why = case.wrong(status, out, err, True, (IO, ) if case.new else ())
            tried += 1
            check(not why and (status or not case.new), f"{case}: no file above {limit} bytes: {why}; {status} {err}")
    counts_of["limits"] = tried


def test_small_disk(library, cases):
    """A disk with room for the old outputs and some pages more, or for no file more."""
    pages = lambda files: sum(-(-len(content) // 4096) for content in files.values())
    tried = full = 0
    os.makedirs(WORK, exist_ok=True)
    for case in cases:
        room = pages(case.old)
        for options in ["nr_blocks=%d" % (room + more) for more in range(pages(case.new) + 1)] + ["nr_inodes=%d" % (1 + len(case.old))]:
            if not case.new or (not ALL and draw.randrange(2)):
                continue
            if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "faults", WORK], capture_output=True).returncode:
                return skip("small disks need the right to mount one (root)")
            try:
                status, out, err, _ = case.run(library)
                why = case.wrong(status, out, err, True, (IO, ))
            finally:
                subprocess.run(["umount", WORK])
            tried, full = tried + 1, full + (status == IO)
            check(not why, f"{case}: a disk of {options}: {why}; {status} {err.strip()}")
    check(full > tried / 3, f"{full} of {tried} disks are full")
    counts_of["small disks"] = tried


def test_changes(library, _):
    """A file that is cut to half, or gets a line more, before one of the reads: an answer or a refusal."""
    rows = random.Random(6)
    line = lambda: rows.choice("123") + "".join(f" {i}:{rows.randrange(1, 999)}" for i in range(1, 30)) + "\n"
    data = put("in/large", "".join(line() for _ in range(4000)))
    content, tried = {path: get(path) for path in (data, IN + "three.model")}, 0
    model, old = WORK + "m", {"m": "other3.model"}
    for case in (*(Case("train", "-q", "--force", *options, data, model, outputs=old) for options in
                   (["-e", "1", "--threads", "1"], ["-e", "1", "--threads", "2"], ["-e", "1", "--batch", "9"], ["-e", "2"])),
                 Case("train", "-q", "--force", "--cache", WORK + "c", data, model, outputs={**old, "c": "other.cache"}),
                 Case("predict", "-q", "--force", "-s", data, IN + "three.model", WORK + "p", outputs={"p": "labels"}),
                 Case("export", "--force", "--bits", "16", "-t", data, IN + "three.model", WORK + "e", outputs={"e": "c"})):
        case.begin(library)
        for how, number in [(how, n) for how in "ta" for n in range(1, case.counts["read"] + 1)]:
            status, out, err, _ = case.run(library, "read", number, number, how)
            files = {name: get(WORK + name) for name in os.listdir(WORK)}
            good = files.keys() == case.old.keys() and status in (0, 2)
            good &= status == 2 and files == case.old and err.count("perceptron: ") == 1 or status == 0 and all(
                files[name] != case.old[name] and files[name].endswith(b"\n") or run("show", WORK + name)[0] == 0 or name == "c"
                for name in files)
            tried += 1
            check(good, f"{case}: {how} at read {number}: {status} {err.strip()}")
            for path in content:
                put(os.path.relpath(path, OUT), content[path])
    counts_of["changed files"] = tried


def test_cut_pipe(library, _):
    """Who writes the rows ends anywhere: as if the file ended there."""
    rows, options = get(IN + "three"), ["train", "-q", "--threads", "1", "--classes", "3", "--features", "30"]
    for size in range(len(rows)) if ALL else draw.sample(range(len(rows)), 40):
        part, got = put("in/part", rows[:size]), []
        for data, stdin in ((part, b""), ("-", rows[:size])):
            status, _, err = run(*options, "--", data, WORK + "m", stdin=stdin)
            got.append((status, err.replace(part, "standard input"), status == 0 and get(WORK + "m")))
        check(got[0] == got[1] and got[0][0] in (0, 2), f"a pipe of {size} bytes: {got[0][:2]} {got[1][:2]}")


# ---- Interruptions ----

def test_slices(library, cases):
    """Reads and writes that do less than was asked for, waiting that is interrupted: nothing changes."""
    tried = 0
    for case in cases:
        for seed in range(1, 11 if ALL else 3):
            status, out, err, _ = case.run(library, "any", 1, MANY, "s", draw.randrange(1, MANY))
            why = case.wrong(status, out, err, False, ())
            tried += 1
            check(not why, f"{case}: in slices: {why}; {status} {err.strip()}")
    counts_of["runs in slices"] = tried


def test_full_pipe(library, _):
    """Ctrl-C while nobody reads the model: it is whole."""
    whole = subprocess.run([PROGRAM, "train", "-q", IN + "three", "-"], capture_output=True).stdout
    there, here = os.pipe()
    os.set_blocking(here, False)
    room = 0
    while select.select([], [here], [], 0)[1]:
        room += os.write(here, bytes(4096))
    os.set_blocking(here, True)
    child = subprocess.Popen([PROGRAM, "train", "-q", IN + "three", "-"], stdout=here, stderr=subprocess.PIPE)
    os.close(here)
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    time.sleep(0.1)
    with open(there, "rb") as f:
        out = f.read()[room:]
    _, err = child.communicate(timeout=20)
    check(child.returncode == 130 and out == whole, f"Ctrl-C while the model is written: "
          f"{child.returncode} {len(out)} of {len(whole)} bytes {err}")


def test_moments(library, _):
    """Signals at any moment."""
    model = {"m": "other3.model"}
    cases = [Case("train", "-q", "--force", "-e", "20", "--cache", WORK + "c", DIGITS, WORK + "m", outputs={**model, "c": "two.cache"}),
             Case("train", "-q", "--force", "-e", "1", DIGITS, WORK + "m", outputs=model),
             Case("predict", "-q", DIGITS, IN + "digits.model", WORK + "p", outputs={"p": "labels"}),
             Case("export", IN + "digits.model", WORK + "e", outputs={"e": "c"})]
    must("train", "-q", DIGITS, IN + "digits.model")
    tally = dict.fromkeys(("ended before", "killed", "saved"), 0)
    for case in cases:
        case.begin(library)
        case.prepare()
        began = time.monotonic()
        subprocess.run([PROGRAM, *case.arguments], stderr=subprocess.DEVNULL, env={**os.environ, "LD_PRELOAD": ""})
        case.seconds = time.monotonic() - began
    for _ in range(200 if ALL else 60):
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
                check(name[:-7] in case.new, f"{case}: {name} is left")
                os.remove(WORK + name)
        why = case.wrong(child.returncode, out, err.decode(), True, (-number, 130))
        tally["saved" if child.returncode == 130 else "killed" if child.returncode else "ended before"] += 1
        check(not why, f"{case}: signal {number}: {why}; {child.returncode} {err}")
    check(tally["killed"] and (tally["saved"] or not ALL), f"signals fall on all parts: {tally}")
    counts_of.update(tally)


# ---- Leaks ----

def test_leaks(_, cases):
    """Runs that succeed have nothing allocated that nobody knows of."""
    compiler, program = os.environ.get("CC", "cc").split(), OUT + "/leaks"
    flags = ["-std=gnu99", "-O1", "-g", "-w", "-fsanitize=leak", "-I.", *os.environ.get("STB", "-isystem /usr/include/stb").split()]
    sources = sorted("examples/perceptron/" + name for name in os.listdir("examples/perceptron") if name.endswith(".c"))
    done = subprocess.run([*compiler, *flags, *sources, "-o", program, "-pthread", "-lm"], capture_output=True)
    if done.returncode or run("--version", program=program)[0]:
        return skip(f"{compiler[0]} does not build with -fsanitize=leak, or it does not run here")
    for case in cases:
        status, out, err, _ = case.run(None, program=program)
        check(status == 0, f"{case} leaks: {status} {err[:3000]}")
    counts_of["commands without leaks"] = len(cases)


counts_of = {}
library = build()
if library:
    inputs()
    ready = [case for case in [*trainings(), *others()] if case.begin(library)]
    for test in (test_faults, test_foreign, test_streams, test_limits, test_small_disk,
                 test_changes, test_cut_pipe, test_slices, test_full_pipe, test_moments, *[test_leaks] * ALL):
        test(library, ready)
    print(f"seed {SEED} (FAULTS_SEED={SEED} repeats):", ", ".join(f"{n} {name}" for name, n in counts_of.items()))
finish()
