"""Signals: the first Ctrl-C ends training and saves a model that goes on, others leave nothing behind."""
import os
import signal
import subprocess
import time

from cli import DIGITS, OUT, PROGRAM, check, finish, get, must, put, train

ROWS = "".join(f"{'+' if k % 2 else '-'}1 {k % 7 + 1}:1 {k % 5 + 9}:{k % 3 + 1}\n" for k in range(1000)).encode()


def files():
    return {name for name in os.listdir(OUT) if name != "log"}


def begin(*arguments, **more):
    child = subprocess.Popen([PROGRAM, "train", "--force", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    time.sleep(0.4)
    return child


def end(child, *signals):
    """Status and standard error."""
    for number in signals:
        child.send_signal(number)
        time.sleep(0.02)
    out, err = child.communicate(timeout=20)
    return child.returncode, err.decode()


def test_collected():
    """Epochs without end."""
    model = OUT + "/m"
    for options in ([], ["--validate", "0.2"], ["-a", "perceptron", "--pocket"], ["-a", "kernel", "--budget", "50"],
                    ["-t", DIGITS], ["--batch", "7"], ["--shards", "3"]):
        put("m", "")
        before = files()
        status, err = end(begin("-e", "1000000", *options, DIGITS, model), signal.SIGINT)
        check(status == 130 and f"interrupted; to go on from here:\n  perceptron train --resume {model} {DIGITS} {model}\n" in err and files() == before,
              f"Ctrl-C {options}: {status} {err}")
        must("train", "-e", "1", "--resume", model, DIGITS, OUT + "/more")
        must("predict", "-q", DIGITS, model)
    kept = get(train(DIGITS, "-e", "1"))
    for number in (signal.SIGTERM, signal.SIGHUP):
        status, err = end(begin("-e", "1000000", DIGITS, model), number)
        check(status == -number and get(model) == kept and files() == before | {"more"}, f"{number}: {status} {err}")
    child = begin("-e", "1000000", "-a", "kernel", DIGITS, model)  # an epoch of a second or so
    check(end(child, signal.SIGINT)[0] == 130, "within an epoch")


def test_streams():
    """Ctrl-C while a pipe is waited for; half a line is dropped."""
    for threads in "12":
        os.path.exists(OUT + "/s") and os.remove(OUT + "/s")
        child = begin("--threads", threads, "--classes", "-1,1", "--features", "20", "-", OUT + "/s", stdin=subprocess.PIPE)
        child.stdin.write(ROWS + b"+1 1:")
        child.stdin.flush()
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        time.sleep(0.3)
        status, err = end(child)
        check(status == 130 and "interrupted" in err and " 1000 rows" in " " + err, f"pipe, {threads}: {status} {err}")
        whole = train("-", "--classes", "-1,1", "--features", "20", stdin=ROWS, model="whole")
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


for test in (test_collected, test_streams, test_reading, test_pipes):
    test()
finish()
