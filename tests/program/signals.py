"""Signals: the first Ctrl-C ends training and saves a model that goes on, others leave nothing behind."""
import os
import random
import re
import signal
import subprocess
import time

from cli import DIGITS, OUT, PROGRAM, check, finish, get, must, plainly, put, refused, train

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
        check(status == -number and get(model) == kept and files() == before | {"more"}, f"{number}: {status} {err}")
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


def test_pipes():
    """Who reads the predictions goes away."""
    model, before = train(DIGITS, "-e", "1"), files()
    many = put("many", get(DIGITS) * 20)
    child = subprocess.Popen([PROGRAM, "predict", "-s", many, model], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdout.read(10)
    child.stdout.close()
    check(child.wait(timeout=20) == -signal.SIGPIPE and files() == before | {"many"}, f"SIGPIPE: {child.returncode}")
    limited = subprocess.run(["sh", "-c", f"ulimit -f 8; exec {PROGRAM} train --force -q {many} {OUT}/large"],
                             capture_output=True, text=True)
    check(limited.returncode == 3 and "File too large" in limited.stderr and files() == before | {"many"},
          f"SIGXFSZ: {limited.returncode} {limited.stderr} {files()}")


for test in (test_collected, test_checkpoints, test_streams, test_reading, test_pipes):
    test()
finish()
