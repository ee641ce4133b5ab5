"""build/perceptron-mpi: models of any number of processes beside those of build/perceptron train --shards, byte for byte;
what one process meets ends all, with one message and status; nothing half-written stays."""
import glob
import json
import os
import random
import re
import shutil
import signal
import subprocess
import time

from cli import DIGITS, OUT, check, finish, get, must, plainly, put, run, skip

PROGRAM = "build/perceptron-mpi"
LAUNCH = ["mpirun", "--oversubscribe", *(["--allow-run-as-root"] if os.getuid() == 0 else [])]
# mpirun says nothing, starts without a look for networks, does not wait when all end, and ends what never would.
QUICK = ["--quiet", "--timeout", "300", "--mca", "pml", "ob1", "--mca", "odls_base_sigkill_timeout", "0"]
PAGE = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}


# ---- Data ----

def sparse(name, rows, features, classes, most=20, seed=1):
    """libsvm text; a class has features of its own, and the last is met late."""
    draw = random.Random(seed)
    lines = []
    for i in range(rows):
        label = draw.randrange(classes if i > rows * 2 / 3 else max(2, classes - 1))
        chosen = sorted({draw.randrange(features) if draw.random() < 0.6 else draw.randrange(label, features, classes)
                         for _ in range(draw.randint(0, most))})
        pairs = (f"{j + 1}:{draw.choice([1, 0.5, -2.25, 7, 1e-3])}" for j in chosen)
        lines.append(" ".join([str(5 - label), *pairs]))
    return put(name, "\n".join(lines) + "\n")


def table(name, rows, features, header=True, end="\n", seed=2):
    """CSV with the label in column 2, a word."""
    draw = random.Random(seed)
    lines = ["x0,kind," + ",".join(f"x{j}" for j in range(1, features))] if header else []
    for _ in range(rows):
        label = draw.randrange(3)
        x = [round(draw.gauss(j % 3 == label, 0.7), 3) for j in range(features)]
        lines.append(f"{x[0]},{'cab'[label]}," + ",".join(map(str, x[1:])))
    return put(name, end.join(lines))  # the last line does not end


def half_full(name):
    """The first row is full and makes the model dense; most rows are not."""
    draw = random.Random(3)
    lines = []
    for i in range(6000):
        label = draw.randrange(2)
        chosen = range(1, 13) if i < 2000 else sorted(draw.sample(range(1, 13), 2))
        lines.append(" ".join([str(label), *(f"{j}:{draw.randint(1, 9) - 4 * label * (j % 2)}" for j in chosen)]))
    return put(name, "\n".join(lines) + "\n")


def split(path, name, parts, header=False):
    """name.0, name.1, ...: the lines, with the first one in all of them if it is a header."""
    lines = get(path).decode().splitlines(keepends=True)
    for k in range(parts):
        own = lines[len(lines) * k // parts:len(lines) * (k + 1) // parts]
        put(f"{name}.{k}", "".join(lines[:1] * (header and k > 0) + own))
    return os.path.join(OUT, name)


# ---- Running ----

def processes(n, *arguments, before=(), plain=True, **more):
    """Status, standard output, standard error of n processes."""
    if plain:
        arguments = plainly(arguments)
    status, out, err = run(*LAUNCH[1:], *QUICK, "-n", str(n), *before, PROGRAM, *arguments, program=LAUNCH[0], **more)
    return status, out, re.sub(r"^\[warn\] Epoll .*\n", "", err, flags=re.M)  # now and then, by mpirun itself


def alone(data, *options, model="alone", plain=True):
    path = os.path.join(OUT, model)
    must("train", "-q", *options, data, path, plain=plain)
    return get(path)


def together(n, data, *options, model="together", plain=True):
    path = os.path.join(OUT, model)
    status, out, err = processes(n, "train", "-q", "--force", *options, data, path, plain=plain)
    check(status == 0 and err == "", f"{n} processes, {data} {options}: status {status}, {err}")
    return get(path) if status == 0 else b""


def same(data, *options, counts=(2, 3), parts=None):
    """The model of one process, and of several: these read `parts` if it is given."""
    want = alone(data, *options)
    for n in counts:
        check(together(n, parts or data, *options) == want, f"{n} processes: another model, {data} {options}")


def refused(n, status, text, *arguments, before=()):
    """All end with this status and one message that has the text."""
    got, out, err = processes(n, *arguments, before=before)
    check(got == status and text in err and err.count("\n") == 1 and err.startswith("perceptron: "),
          f"{n} processes, {arguments}: status {got} ({status} expected), '{err.strip()}' ('{text}' expected)")
    left = glob.glob(OUT + "/refused*")
    check(not left, f"{arguments}: left {left}")


def refused_alike(data, *options, counts=(1, 2, 3, 4)):
    """With the message and the status of one process."""
    status, _, err = run("train", *options, data, OUT + "/refused")
    check(status != 0, f"{data} is refused")
    for n in counts:
        refused(n, status, err.strip(), "train", *options, data, OUT + "/refused")


# ---- The same models ----

LEARNERS = (["-a", "perceptron"], ["-a", "averaged"], ["-a", "arow"], ["-a", "arow", "--decision", "averaged"],
            ["-a", "winnow"])


def test_learners(data):
    for i, learner in enumerate(LEARNERS):
        same(data, *learner, "-e", "3", "--shards", "2", "--threads", str(1 + i % 2), counts=(1, 2, 3, 4))
        same(data, *learner, "-e", "3", "--shards", "4", "--threads", str(2 - i % 2), counts=(4,))
        same(data, *learner, "-e", "3", "--shards", "7", "--threads", str(1 + i % 2), counts=(2, 3))


def test_options(data):
    for options in (["--normalize", "l2"], ["--normalize", "maxabs"], ["--order", "file"], ["--order", "once"],
                    ["--seed", "5", "--weight", "3=2.5"], ["--weight", "balanced"], ["--stop", "clean", "-a", "arow"], ["--binarize"],
                    ["--rule", "pa1", "--update", "one-vs-rest"], ["-e", "1"], ["--classes", "3", "-a", "arow"],
                    ["--features", "400"], ["--final"]):
        same(data, "-e", "3", "--shards", "5", *options)


def test_formats():
    named = table("named.csv", 300, 9)
    label = "--label", "kind", "--shards", "3", "-a", "arow"
    same(named, *label, counts=(1, 2, 3, 4))
    same(named, *label, "--normalize", "maxabs", "--ignore", "x4")
    same(table("windows.csv", 100, 4, end="\r\n"), *label)
    same(table("plain.csv", 200, 5, header=False), "--label", "2", "--shards", "4")
    same(put("holes.csv", "a,b,y\n" + "".join(f"{i % 7},{'NA' if i % 5 == 0 else i % 3},{i % 2}\n" for i in range(90))),
         "--shards", "4", "--missing", "drop")
    draw = random.Random(4)
    words = "".join(f"{draw.choice(['ham', 'spam'])}\t{' '.join(draw.choices('the a cat dog buy now'.split(), k=5))}\n"
                    for _ in range(120))
    same(put("words.txt", words), "--text", "--hash", "10", "--ngrams", "2", "--shards", "4")
    same(put("odd.txt", "# a comment\n\n1 1:1\n\n# more\n2 2:1\n1 1:2\n\n\n2 2:3 # behind\n1\n"), "--shards", "3",
         counts=(1, 2, 4))
    same(put("few.txt", "1 1:1\n2 2:1\n"), "--shards", "4", counts=(2, 4))


def test_defaults(data):
    """They are those of one process, but for tables: the largest values of columns are known, means of all rows are not."""
    draw = random.Random(6)
    words = put("weighed.txt", "".join(f"{draw.choice('ab')}\t{' '.join(draw.choices('the a cat dog buy now'.split(), k=5))}\n"
                                       for _ in range(90)))
    named = table("scaled.csv", 200, 5)
    full = put("full.txt", "".join(f"{i % 3} 1:{i * 7 % 11} 2:{i * 5 % 13 * 100}\n" for i in range(90)))
    for rows, own, *options in ((data, ()), (words, (), "--text", "--hash", "10"), (full, ("--normalize", "maxabs")),
                                (named, ("--normalize", "maxabs"), "--label", "kind")):
        want = alone(rows, *own, "--shards", "3", *options, plain=False)
        for n in 2, 3:
            got = together(n, rows, "--shards", "3", *options, plain=False)
            check(got == want, f"{n} processes: other defaults, {rows}")
    refused(2, 1, "--normalize standard needs all rows in one process", "train", "--shards", "2", "--normalize", "standard",
            "--label", "kind", named, OUT + "/refused")


def test_first_row():
    """Whether the model is dense says the first row of all data, which one process has."""
    data = half_full("half.txt")
    same(data, "--shards", "4", "-e", "2", counts=(2, 3, 4))
    rows = get(data).splitlines(keepends=True)
    turned = put("turned.txt", b"".join(rows[::-1]))
    same(turned, "--shards", "4", "-e", "2")
    same(data, "--shards", "4", "-e", "2", "--rows", "sparse", "--normalize", "l2", counts=(2, 3))
    same(turned, "--shards", "4", "-e", "2", "--rows", "dense", "--rule", "pa1", counts=(2, 3))
    same(table("form.csv", 200, 5, header=False), "--label", "2", "--shards", "4", "--rows", "sparse")
    few = put("few_full.txt", b"".join(rows[1990:2010]))
    same(few, "--shards", "3", counts=(2, 4))


def test_parts(data):
    parts = split(data, "cut.txt", 3)
    same(data, "--shards", "4", "-a", "arow", counts=(1, 2, 3, 4), parts=parts)
    same(data, "--shards", "4", "-a", "arow", counts=(2,), parts=split(data, "one.txt", 1))
    named = table("whole.csv", 100, 6)
    options = "--label", "kind", "--shards", "4"
    same(named, *options, counts=(2, 4), parts=split(named, "first.csv", 5))
    same(named, *options, counts=(2, 4), parts=split(named, "every.csv", 5, header=True))


def test_wrong_parts(data):
    """A part that is not there, a whole beside its parts, and a header of its own are errors that name the file."""
    rows = "1,2,x\n2,1,z\n1,2,x\n2,1,z\n"
    def split_again(name, *contents):
        for old in glob.glob(OUT + "/" + name + "*"):
            os.unlink(old)
        for i, content in enumerate(contents):
            content is None or put(f"{name}.{i}", content)
        return OUT + "/" + name
    two = "train", "-e", "1", "--shards", "2"
    head = "a,b,y\n"
    for missing in range(3):
        parts = [head + rows] * 4
        parts[missing] = None
        gap = split_again("gap", *parts)
        for n in 1, 2:
            refused(n, 3, f"gap.{missing}: there is no such part, but there is {gap}.3", *two, gap, OUT + "/refused")
    gap = split_again("gap", *[head + rows] * 11)
    put("gap.notes", "x")
    put("gap.007", "x")
    put("gapless.12", "x")
    check(processes(2, *two, gap, OUT + "/gap.model")[0] == 0, "eleven parts, and other files")
    os.unlink(gap + ".model")
    os.unlink(gap + ".9")
    refused(2, 3, "gap.9: there is no such part", *two, gap, OUT + "/refused")
    whole = split_again("beside", head + rows, head + rows)
    put("beside", head + rows)
    refused(2, 1, f"there are {whole} and {whole}.0, which is a part of it", *two, whole, OUT + "/refused")
    for wrong in "a,c,y\n", "b,a,y\n", "a,y,b\n", "A,b,y\r\n":
        other = split_again("wrong part", head + rows, head + rows, wrong + rows)
        refused(2, 2, f"{other}.2:1: neither a row nor the header of {other}.0, 'a,b,y'", *two, other, OUT + "/refused")
    twice = split_again("twice", "a,a,y\n" + rows, head + rows)
    refused(2, 2, f"{twice}.0:1:3: columns 1 and 2 have the same name", *two, twice, OUT + "/refused")
    ends = split_again("ends", head + rows, (head + rows).replace("\n", "\r\n"), rows)
    same(put("no_ends.csv", head + rows * 3), "--shards", "2", counts=(2,), parts=ends)


def test_long_messages():
    """More than one message to a process, in dealing and in mixing."""
    data = sparse("long.txt", 30000, 5000, 3, most=60)
    check(os.path.getsize(data) > 4e6, "more than a megabyte to each process")
    same(data, "-e", "1", "--shards", "2", "--order", "once", "--features", "1048576", counts=(2,))


def test_resume(data):
    options = "--shards", "4", "-a", "arow", "--decision", "averaged"
    want = alone(data, *options, "-e", "6")
    first = os.path.join(OUT, "first")
    together(2, data, *options, "-e", "2", model="first")
    check(together(3, data, "--resume", first, "-e", "4") == want, "resumed by other processes")
    check(alone(data, "--resume", first, "-e", "4") == want, "resumed by one")


def epochs_of(model):
    rows = int(must("show", model).split("learned")[1].split()[0])
    return rows // 1797


def children(launcher):
    """Process ids of the program, by number in the team."""
    found = {}
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            text, program = get(path).split(b"\0"), os.readlink(path[:-7] + "exe")
            parent = get(path[:-7] + "stat").rsplit(b")", 1)[1].split()[1]
        except OSError:
            continue
        rank = [v[21:] for v in text if v.startswith(b"OMPI_COMM_WORLD_RANK=")]
        if rank and int(parent) == launcher.pid and program.endswith("/perceptron-mpi"):
            found[int(rank[0])] = int(path.split("/")[2])
    return found


def start(n, *arguments):
    return subprocess.Popen([*LAUNCH, "-n", str(n), PROGRAM, *plainly(arguments)], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def end_of(job):
    """Standard error of a job that ends soon."""
    try:
        return job.communicate(timeout=20)[1]
    except subprocess.TimeoutExpired:
        job.kill()
        return "does not end: " + job.communicate()[1]


def wait_for(condition):
    end = time.monotonic() + 30
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
    return condition()


def test_killed():
    """A process is killed: mpirun ends the others. A checkpoint goes on as if nothing had happened. (Not earlier: of
    processes that are killed while they start, mpirun 4.1 sometimes does not hear.)"""
    model = os.path.join(OUT, "checkpoint")
    clean = 0
    for victim in 1, 2: # mpirun sometimes kills a process before that has taken its unfinished file away
        for path in glob.glob(model + "*"):
            os.remove(path)
        # Seldom, so that hardly ever one is being written when mpirun ends the process that writes it.
        job = start(3, "train", "-q", "--force", "-e", "100000", "--shards", "4", "--checkpoint", "200", DIGITS, model)
        check(wait_for(lambda: os.path.exists(model) and len(children(job)) == 3), "a checkpoint is written")
        os.kill(children(job)[victim], signal.SIGKILL)
        err = end_of(job)
        check(job.returncode == 137 and "signal 9" in err, f"killed: status {job.returncode}, {err}")
        left = [path for path in glob.glob(model + "*") if path != model]
        check(len(left) <= 1 and all(re.fullmatch(model + r"\.perceptron-\w{6}", path) for path in left),
              f"killed: left {left}")
        clean += not left
        epochs = epochs_of(model)
        check(epochs % 200 == 0 and epochs > 0, f"{epochs} epochs in a checkpoint of every 200th")
        got = together(2, DIGITS, "--resume", model, "-e", "2")
        check(got == alone(DIGITS, "--shards", "4", "-e", str(epochs + 2)), "on from the checkpoint")
    check(clean > 0, "killed: each time something is left")
    clean = 0
    for _ in range(5):
        for path in glob.glob(OUT + "/stopped*"):
            os.remove(path)
        job = start(2, "train", "-q", "--force", "-e", "100000", "--shards", "4", DIGITS, OUT + "/stopped")
        check(wait_for(lambda: glob.glob(OUT + "/stopped.*")), "the model is begun")
        job.send_signal(signal.SIGINT)
        end_of(job)
        check(job.returncode != 0 and not os.path.exists(OUT + "/stopped"), f"interrupted: status {job.returncode}")
        clean += not glob.glob(OUT + "/stopped*")
    check(clean > 0, "interrupted: each time something is left")


def test_results(data):
    """What is printed is what one process prints."""
    test = sparse("test.txt", 200, 300, 3, seed=9)
    options = "--shards", "4", "-e", "3", "-a", "averaged", "-t", test
    want = json.loads(must("train", "-q", "--json", "--report", *options, data, OUT + "/m"))
    status, out, err = processes(3, "train", "-q", "--json", "--force", "--report", *options, data, OUT + "/m")
    got = json.loads(out)
    check(got["processes"] == 3 and got["sent_bytes"] > 0, f"processes and bytes: {out}")
    for name in "seconds", "mixing_seconds", "threads", "processes", "sent_bytes":
        got.pop(name), want.pop(name, None)
    check(got == want, f"JSON of three processes: {got}, {want}")
    status, out, err = run("train", *options, data, OUT + "/m")
    check(processes(3, "train", "--force", *options, data, OUT + "/m") == (status, out, err), "summary and test error")
    model = os.path.join(OUT, "m")
    status, out, err = processes(2, "train", "-q", *options, data, "-")
    want = run("train", "-q", *options, data, "-")
    check((status, out, err) == want, "a model on standard output")
    must("train", "-q", "--plot", OUT + "/alone.svg", *options, data, model)
    processes(2, "train", "-q", "--force", "--plot", OUT + "/together.svg", *options, data, model)
    check(get(OUT + "/alone.svg") == get(OUT + "/together.svg"), "--plot")
    check(processes(2, "--version") == run("--version"), "--version")
    check(processes(2, "train", "--help") == run("train", "--help"), "--help")


def test_sent():
    """Bytes that process 0 sends in an epoch, as examples/mpi/README.md computes them."""
    for n, shards, arrays, learner in (2, 4, 1, "perceptron"), (3, 4, 2, "arow"), (2, 6, 3, "averaged"):
        numbers = 10 * 65
        own = (shards - 1) // n + 1
        first = numbers // n
        want = 4 * arrays * (own * (numbers - first) + first * (n - 1))
        status, out, _ = processes(n, "train", "-q", "--json", "--force", "-a", learner, "-e", "2", "--shards",
                                   str(shards), DIGITS, OUT + "/m")
        got = json.loads(out)["sent_bytes"]
        check(got == 2 * want, f"{n} processes, {shards} shards, {learner}: {got} bytes in two epochs, not {2 * want}")


def test_page():
    """The commands of the page run, and its last three models are the same."""
    text = get("examples/mpi/README.md").decode()
    hosts = put("hosts", "localhost slots=4\n")
    for block in re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S):
        for command in block.splitlines():
            done = subprocess.run(command.replace("--hostfile hosts", "--hostfile " + hosts), shell=True,
                                  env={**os.environ, **PAGE}, capture_output=True, text=True)
            check(done.returncode == 0, f"{command}: {done.stderr}")
    cores, processes_, machines = (get(f"build/{name}.model") for name in ("cores", "processes", "machines"))
    check(cores == processes_ == machines != get("build/one.model"), "the models of the page")
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        check(os.path.exists("examples/mpi/" + link), f"no {link}")


# ---- Refusals ----

def test_refused(data):
    model = OUT + "/refused"
    two = "--shards", "2"
    for text, *options in (("several processes need --shards", data), ("standard input", *two, "-"),
                           ("need --shards", "--shards", "1", data), ("--validate", *two, "--validate", "0.2", data),
                           ("--measure", *two, "--measure", data),
                           ("--probabilities", *two, "--probabilities", data),
                           ("--missing mean", *two, "--missing", "mean", data),
                           ("--text: several processes need --hash", *two, "--text", put("t.txt", "a\tb\nb\tc\n")),
                           ("columns of texts", *two, put("c.csv", "1,red,a\n2,blue,b\n3,red,a\n")),
                           ("regular file", *two, "/dev/null"), ("--shards needs", *two, "-a", "kernel", data)):
        refused(2, 1, text, "train", *options, model)
    dates = put("dates.csv", "x,y\n" + "".join(f"{20261101 + i % 30},{'ab'[i % 30 > 15]}\n" for i in range(200)))
    refused(2, 2, "feature x, and only a single process finds what to subtract from all of it", "train", *two, dates, model)
    refused(2, 1, "--folds", "train", *two, "--folds", "3", data)
    for words in ("--weight-column", "2"), ("--weights", put("ones.txt", "1\n" * 3)):
        refused(2, 1, f"{words[0]}: several processes have no weights", "train", *two, *words, data, model)
    for command in "compare", "predict", "show", "export", "import":
        refused(2, 1, "several processes only train", command, data, model)
    refused(2, 3, "no-such-file: No such file", "train", *two, "no-such-file", model)
    refused(2, 3, "No such file", "train", *two, data, OUT + "/no-such-folder/refused")
    refused(2, 3, "No space left", "train", "-q", *two, data, "/dev/full")
    refused(3, 3, "no-such-model", "train", *two, "--resume", "no-such-model", data, model)
    check(processes(2)[0] == 1, "without a command")


def test_bad_lines(data):
    lines = get(data).decode().splitlines(keepends=True)
    for at in 0, 1, 250, 400, 550, len(lines) - 1:
        bad = put("bad.txt", "".join(lines[:at] + ["1 3:x\n"] + lines[at + 1:]))
        refused_alike(bad, "--shards", "4", counts=(2, 3))
    refused_alike(put("two.txt", "".join(lines[:200] + ["1 3:x\n"] + lines[200:500] + ["y\n"] + lines[500:])),
                  "--shards", "2", counts=(4,))
    rows = get(table("good.csv", 90, 5)).decode().splitlines(keepends=True)
    refused_alike(put("bad.csv", "".join(rows[:61] + ["1,2\n"] + rows[61:])), "--label", "kind", "--shards", "2")
    refused_alike(put("huge.txt", "1 1:1\n2 1:2\n1 2:1\n1 1:3e38 2:3e38\n2 1:3e38 2:1e38\n1 2:3\n"), "--shards", "2")
    refused_alike(put("single.txt", "1 1:1\n1 1:2\n1 2:1\n"), "--shards", "2", counts=(2, 4))
    refused_alike(put("empty.txt", ""), "--shards", "2", counts=(2,))
    refused_alike(data, "--weight", "9=2", "--shards", "2", counts=(2,))
    refused_alike(data, "--classes", "2,3", "--shards", "2", counts=(2, 3))
    refused_alike(data, "--features", "100", "--shards", "2", counts=(2, 3))
    lines = put("lines.csv", "a,b,y\n" + "".join(f'{i % 7},{i % 3},"label\n\n\n\n\n\n\n{i % 2}"\n' for i in range(302)))
    refused(2, 2, "the quote is never closed in the part of", "train", "--shards", "2", lines, OUT + "/refused")
    parts = split(data, "bad_part", 3)
    text = get(parts + ".2").decode().splitlines(keepends=True)
    put("bad_part.2", "".join(text[:20] + ["1 0:1\n"] + text[20:]))
    for n in 2, 4:
        refused(n, 2, parts + ".2:21:3: index 0", "train", "--shards", "2", parts, OUT + "/refused")


def test_one_fails(data):
    """What only one process meets ends all the same way."""
    def only(rank, command):
        script = f'test "$OMPI_COMM_WORLD_RANK" != {rank} || {command}; exec "$@"'
        return "sh", "-c", script, "sh"
    model = OUT + "/refused"
    program = os.path.abspath(PROGRAM)
    for rank in 0, 1, 2:
        before = *only(rank, "cd /"), "sh", "-c", f'shift; exec {program} "$@"', "sh"
        refused(3, 3, "No such file", "train", "--shards", "4", data, os.path.abspath(model), before=before)
    big = "train", "--shards", "3", "--features", "60000000", "--max-dim", "60000000", data, model
    refused(2, 4, "out of memory", *big[:4], "60000000", data, model, before=only(1, "ulimit -v 1200000"))
    other = put("other/" + os.path.basename(data), get(data)[:-30])
    before = *only(1, f"cd {os.path.dirname(other)}"), "sh", "-c", f'shift; exec {program} "$@"', "sh"
    shutil.copy(data, os.path.basename(data))
    try:
        refused(3, 2, "not of the same size", "train", "--shards", "4", os.path.basename(data),
                os.path.abspath(model), before=before)
    finally:
        os.remove(os.path.basename(data))


def is_there():
    missing = [tool for tool in ("mpicc", "mpirun") if not shutil.which(tool)]
    if missing:
        skip(f"no {' and no '.join(missing)} (Debian: apt-get install openmpi-bin libopenmpi-dev)")
        return False
    made = subprocess.run(["make", "-s", PROGRAM], capture_output=True, text=True)
    check(made.returncode == 0 and made.stderr == "", f"make {PROGRAM}: {made.stderr}")
    return made.returncode == 0


if is_there():
    os.makedirs(OUT + "/other", exist_ok=True)
    rows = sparse("rows.txt", 600, 300, 3)
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            began = time.monotonic()
            test(*[rows][:test.__code__.co_argcount])
            if os.environ.get("TIMES"):
                print(f"{name}: {time.monotonic() - began:.1f} s")
finish()
