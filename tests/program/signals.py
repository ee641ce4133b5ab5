"""Signals and closed pipes: the first ends training and saves a model that goes on; nothing else is left behind."""
import os
import random
import re
import signal
import subprocess
import threading
import time

from cli import DIGITS, OUT, PROGRAM, check, fewer, finish, get, must, plainly, put, refused, run, train

ROWS = "".join(f"{'+' if k % 2 else '-'}1 {k % 7 + 1}:1 {k % 5 + 9}:{k % 3 + 1}\n" for k in range(1000)).encode()


def files():
    return {name for name in os.listdir(OUT) if name != "log"}


def begin(*arguments, **more):
    child = subprocess.Popen([PROGRAM, *plainly(["train", "--force", *arguments])], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    time.sleep(0.4)
    return child


def end(child, *signals):
    """Status and standard error."""
    for number in signals:
        child.send_signal(number)
        time.sleep(0.02)
    out, err = child.communicate(timeout=20)
    return child.returncode, err.decode()


def way_on(err):
    """The command that a message ends with; how many epochs the model has, of how many."""
    found = re.search(r"interrupted after (\d+) of (\d+) epochs; to go on:\n  (perceptron .*)\n$", err)
    check(found, f"a command to go on: {err}")
    return found.group(3), int(found.group(1)), int(found.group(2))


def table(rows, numbers=2, seed=1):
    draw = random.Random(seed)
    return "".join(",".join(f"{draw.random():.4f}" for _ in range(numbers)) + f",{draw.choice('pq')}\n" for _ in range(rows))


def way_on_again(err):
    return re.search(r"interrupted in epoch \d+ of \d+; to go on, all rows again:\n  perceptron .*\n$", err)


def test_collected():
    """Epochs without end."""
    model = OUT + "/m"
    for options in ([], ["--validate", "0.2"], ["-a", "perceptron", "--pocket"], ["-a", "kernel", "--budget", "50"],
                    ["-t", DIGITS], ["--batch", "7"], ["--shards", "3"]):
        put("m", "")
        before = files()
        status, err = end(begin("-e", "1000000", *options, DIGITS, model), signal.SIGINT)
        within = re.search(r"interrupted in epoch (\d+) of 1000000; to go on, all rows again:\n  (.*)\n$", err)
        learned, hint = (int(within[1]) - 1, within[2]) if within else way_on(err)[1::-1]
        again = " --validate=0.2" if "--validate" in options else " --pocket" if "--pocket" in options else \
            f" --test={DIGITS}" if "-t" in options else ""
        check(status == 130 and hint == f"perceptron train --resume {model} -e {1000000 - learned}{again} --force {DIGITS} {model}"
              and files() == before, f"Ctrl-C {options}: {status} {err[-999:]}")
        must("train", "-e", "1", "--resume", model, DIGITS, OUT + "/more")
        must("predict", "-q", DIGITS, model)
    kept = get(train(DIGITS, "-e", "1"))
    for number in (signal.SIGTERM, signal.SIGHUP):
        status, err = end(begin("-e", "1000000", DIGITS, model), number)
        check(status == 128 + number and way_on_again(err) and get(model) != kept and files() == before | {"more"},
              f"{number}: {status} {err}")
        must("predict", "-q", DIGITS, model)
        kept = get(model)
    wide = put("wide", table(20, 12000))  # a model of more bytes than a pipe that nobody reads takes
    for numbers in ([signal.SIGQUIT], [signal.SIGINT, signal.SIGTERM], [signal.SIGHUP, signal.SIGTERM, signal.SIGTERM]):
        child = begin("-e", "1000000", wide, "-")
        for number in numbers:
            child.send_signal(number)
            time.sleep(0.2)
        status, err = end(child)
        check(status == -numbers[-1], f"the last ends it at once: {numbers} {status} {err}")
    child = begin("-e", "1000000", "-a", "kernel", DIGITS, model)  # an epoch of a second or so
    check(end(child, signal.SIGINT)[0] == 130, "within an epoch")


def shell(command):
    """Types it where the program is found."""
    path = os.path.dirname(os.path.abspath(PROGRAM)) + ":" + os.environ["PATH"]
    return subprocess.Popen(["sh", "-c", "exec " + command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env={**os.environ, "PATH": path})


def test_checkpoints():
    """Ctrl-C leaves the last checkpoint, whose epochs are whole. What it says to type, typed, ends with the bytes of a run
    that nobody interrupted, even if that is interrupted again."""
    draw = random.Random(3)
    rows = "".join(f"{draw.choice('12')} " + " ".join(f"{j}:{draw.gauss(0, 1):.3f}" for j in range(1, 9)) + "\n"
                   for _ in range(3000))
    data, model = put("no one's rows", rows), OUT + "/no 'one' $HOME.model"
    for epochs, options in ((15, ["-a", "kernel"]), (2000, ["-a", "perceptron", "--seed", "5", "--batch", "99", "--final"]),
                            (500, ["--shards", "3", "--stop", "clean", "-t", data]),
                            (2000, ["--order", "file", "--rule", "pa1"])):
        every = 3 if epochs == 2000 else 1
        whole = get(train(data, "-e", str(epochs), *options, model="whole"))
        options += ["--checkpoint", str(every), "-q"]
        os.path.exists(model) and os.remove(model)
        before = files()
        child = subprocess.Popen([PROGRAM, *plainly(["train", "-e", str(epochs), *options, data, model])], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        limit = time.time() + 20
        while not os.path.exists(model) and time.time() < limit:
            time.sleep(0.01)
        status, err = end(child, signal.SIGINT)
        kept = get(model)
        check(status == 130 and files() == before | {os.path.basename(model)}, f"{options}: {status} {err}")
        command, learned, all_ = way_on(err)
        check(0 < learned < all_ == epochs and learned % every == 0 and f" -e {epochs - learned} " in command, f"{options}: {command}")
        if learned > 1:  # a first one alone has the order of the file
            same = train(data, "-e", str(learned), *[o for o in options if o != "--final"], model="same")
            check(kept == get(same), f"{options}: the model is that of {learned} epochs")
        child = shell(command)
        time.sleep(0.05)
        status, err = end(child, signal.SIGINT)
        if status == -signal.SIGINT:  # while it was reading
            check(get(model) == kept, f"{options}: nothing has changed")
        elif status == 130 and "all was learned" not in err:
            command, more, left = way_on(err)
            check(left == epochs - learned and f" -e {left - more} " in command, f"{options}, again: {err}")
        if status:
            status, err = end(shell(command))
        check(status == 0 and get(model) == whole, f"{options}, the rest: {status} {err}")
    refused(1, "standard output", "train", "--checkpoint", "2", data, "-")
    for _ in range(9):  # until it is not between two epochs
        os.path.exists(OUT + "/p.svg") and os.remove(OUT + "/p.svg")
        status, out, err = interrupted_json("-e", "99", "-a", "kernel", "--checkpoint", "1", "--plot", OUT + "/p.svg", data, model)
        learned = way_on(err)[1]
        if not out.startswith('{"algorithm"'):
            break
    check(status == 130 and out == f'{{"interrupted": true, "checkpoint": {learned}}}\n' and not os.path.exists(OUT + "/p.svg"),
          f"JSON: {out} {err}")


def interrupted_json(*arguments):
    child = begin("--json", "-q", *arguments)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=20)
    return child.returncode, out.decode(), err.decode()


def test_streams():
    """Ctrl-C while a pipe is waited for; half a line is dropped."""
    for threads in "12":
        os.path.exists(OUT + "/s") and os.remove(OUT + "/s")
        child = begin("--threads", threads, "-e", "1", "-", OUT + "/s", stdin=subprocess.PIPE)
        child.stdin.write(ROWS + b"+1 1:")
        child.stdin.flush()
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        time.sleep(0.3)
        status, err = end(child)
        command = f"perceptron train --resume {OUT}/s -e 1 --force --threads={threads} - {OUT}/s"
        check(status == 130 and f"in epoch 1 of 1; to go on:\n  {command}\n" in err and " 1000 rows" in " " + err,
              f"pipe, {threads}: {status} {err}")
        whole = train("-", "-e", "1", stdin=ROWS, model="whole")
        check(get(OUT + "/s") == get(whole), f"what had come by then is learned, {threads}")


def test_reading():
    """Nothing is learned yet: the first Ctrl-C ends all."""
    before = files()
    child = begin("-", OUT + "/none", stdin=subprocess.PIPE)
    child.stdin.write(ROWS)
    child.stdin.flush()
    time.sleep(0.2)
    status, err = end(child, signal.SIGINT)
    check(status == -signal.SIGINT and files() == before, f"Ctrl-C before learning: {status} {err}")
    child = begin("-", OUT + "/none", stdin=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    child.send_signal(signal.SIGHUP)
    time.sleep(0.1)
    check(child.poll() is None, "nohup")
    end(child, signal.SIGTERM)


def test_probabilities():
    """Before a training of its own begins, rows are scored by models of the others: one of them is saved."""
    data, model = put("table.csv", table(4000)), OUT + "/fifth"
    began = time.monotonic()
    must("train", "-q", "-e", "20", "--probabilities", data, model)
    later = str(int(20 * 1.6 / (time.monotonic() - began)))
    for epochs in ("1000000", later):  # in the first fifth, in a later one
        must("train", "-q", "-e", "1", data, model)
        old = get(model)
        child = begin("-e", epochs, "--probabilities", "-t", data, data, model)
        for line in child.stderr:
            if line.startswith(b"probabilities: rows are scored"):
                break
        status, err = end(child, signal.SIGINT)
        hint = re.search("perceptron: interrupted while rows were scored for --probabilities; saved is a model of four "
                         "fifths of the rows; to go on, all rows again:\n  perceptron train --resume "
                         f"{model} -e [0-9]+ .*{data} {model}\n$", err)
        check(status == 130 and (hint or way_on_again(err)) and get(model) != old, f"{epochs} epochs: {status} {err}")
        check("sure       probabilities of" in must("show", model), "they are those of the rows that were scored")
        must("predict", "-q", "--probabilities", data, model)
        if hint:
            must("train", "--resume", model, "-e", "1", data, model)


def test_predicted_stream():
    """Rows that were answered are learned and saved: a signal, a reader that goes away or sleeps, a full disk."""
    data, model = put("stream.csv", table(60000)), OUT + "/online"
    said = ["--online", "--predict", "-", "-q"]
    for how in ("closed", "closed, SIGPIPE ignored", signal.SIGTERM, signal.SIGINT, "asleep"):
        os.path.exists(model) and os.remove(model)
        child = subprocess.Popen([PROGRAM, "train", *said, "-", model], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, restore_signals="ignored" not in str(how))
        rows = get(data) if how == "asleep" else get(data)[:2000]
        writer = threading.Thread(target=lambda: write(child.stdin, rows))
        writer.start()
        child.stdout.read(100)  # the first answers have come
        time.sleep(0.2)
        if "closed" in str(how):
            child.stdout.close()
            write(child.stdin, rows)
        else:
            child.send_signal(signal.SIGTERM if how == "asleep" else how)
        status, expected = child.wait(timeout=20), 141 if "closed" in str(how) else 130 if how == signal.SIGINT else 143
        err = child.stderr.read().decode()
        check(status == expected and os.path.exists(model) and f"perceptron train --resume {model} -e 1 --online" in err,
              f"{how}: {status} {err}")
        check(" 0 rows" not in must("show", model), f"{how}: the model")
        for pipe in (child.stdin, child.stdout, child.stderr):
            try:
                pipe.close()
            except BrokenPipeError:
                pass
        writer.join()
    if os.path.exists("/dev/full"):
        want = get(train(data, "--online", model="whole"))
        refused(3, "/dev/full: No space left", "train", "-q", "--online", "--predict", "/dev/full", data, model)
        check(get(model) == want, "what could not be written costs no model")


def write(pipe, rows):
    try:
        pipe.write(rows)
        pipe.flush()
    except (BrokenPipeError, ValueError):
        pass


def test_cut_record():
    """Ctrl-C in the middle of a quoted field, and before the test: the rows before are learned."""
    model = OUT + "/cut"
    for rows, count, more in ((b'a,1,p\nb,2,q\n"c\n', 2, []), (get(DIGITS), 1797, ["-t", DIGITS])):
        child = begin("-q", "--online", "--predict", "-", *more, "-", model, stdin=subprocess.PIPE)
        write(child.stdin, rows)
        for _ in range(count):
            child.stdout.readline()
        status, err = end(child, signal.SIGINT)
        check(status == 130 and "interrupted in epoch 1 of 1" in err, f"{more}: {status} {err}")
        check(f"learned    {count} rows" in must("show", model), f"{more}: rows")


def moment(arguments, stop, wait, model, old):
    """Stops a training then. What is wrong with what is left of it; None: nothing."""
    put(os.path.basename(model), old)
    before = files()
    with open(arguments[-2], "rb") as rows:
        child = subprocess.Popen([PROGRAM, *arguments[:-2], "-" if "--online" in arguments else arguments[-2], model],
                                 stdin=rows, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(wait)
        if stop == signal.SIGPIPE:
            child.stdout.close()
            err = child.stderr.read().decode()
        else:
            child.send_signal(stop)
            err = child.communicate(timeout=30)[1].decode()
        status = child.wait(timeout=30)
    if files() - before - {"predicted"}:
        return f"files {files() - before}"
    if status == -stop:
        return "the old model is another" if get(model) != old else None
    if status not in (0, 128 + stop) or get(model) == old:
        return f"status {status} {err}"
    shown, predicted = (run(*words)[0] for words in (("show", model), ("predict", "-q", arguments[-2], model)))
    return f"show and predict end with {shown} and {predicted}" if shown or predicted else None


def test_moments():
    """Stopped at any moment, in ten settings: the model that is saved opens, or nothing was learned and the old one stays."""
    draw, data, model = random.Random(8), put("moments.csv", table(2000, 4)), OUT + "/moment"
    old, ended = get(train(put("old.csv", table(20, 4)), "-e", "1", model="old")), set()
    predicted, count = ["--predict", OUT + "/predicted", "--force"], fewer(2, 100, "moments of each setting")
    for options in (["-e", "300"], ["-e", "60", "--probabilities"], ["-e", "200", "--validate", "0.2"],
                    ["-e", "20", "-a", "kernel", "--budget", "50"], ["-e", "300", "--shards", "2", "-a", "arow"],
                    ["-e", "150", "--pocket", "-a", "perceptron", "-t", data], ["-e", "200", "--checkpoint", "9"],
                    ["-e", "200", "--batch", "50", "--rule", "fixed"], ["--online", "--predict", "-"],
                    ["--online", *predicted, "-t", data, "--probabilities"]):
        arguments = ["train", "-q", "--force", *options, data, model]
        stops = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP] + [signal.SIGPIPE] * (options[-1] == "-")
        began = time.monotonic()
        run(*arguments, plain=False)
        length = time.monotonic() - began
        for _ in range(count):
            stop, wait = draw.choice(stops), draw.uniform(0, 1.1 * length)
            wrong = moment(arguments, stop, wait, model, old)
            check(not wrong, f"{options}, {stop} after {wait:.3f} of {length:.3f} s: {wrong}")


def test_pipes():
    """Who reads the predictions goes away."""
    model, before = train(DIGITS, "-e", "1"), files()
    many = put("many", get(DIGITS) * 20)
    child = subprocess.Popen([PROGRAM, "predict", "-s", many, model], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdout.read(10)
    child.stdout.close()
    check(child.wait(timeout=20) == -signal.SIGPIPE and files() == before | {"many"}, f"SIGPIPE: {child.returncode}")
    os.path.exists(OUT + "/told") and os.remove(OUT + "/told")
    child = subprocess.Popen([PROGRAM, "train", "--json", "-q", many, OUT + "/told"], stdout=subprocess.PIPE)
    child.stdout.close()
    check(child.wait(timeout=20) == -signal.SIGPIPE, f"nobody reads the results: {child.returncode}")
    must("predict", "-q", DIGITS, OUT + "/told")
    os.remove(OUT + "/told")
    limited = subprocess.run(["sh", "-c", f"ulimit -f 8; exec {PROGRAM} train --force -q {many} {OUT}/large"],
                             capture_output=True, text=True)
    check(limited.returncode == 3 and "File too large" in limited.stderr and files() == before | {"many"},
          f"SIGXFSZ: {limited.returncode} {limited.stderr} {files()}")


for test in (test_collected, test_checkpoints, test_streams, test_reading, test_probabilities,
             test_predicted_stream, test_cut_record, test_moments, test_pipes):
    test()
finish()
