#!/usr/bin/env python3
"""The program for Windows does what the other one does: the same models and predictions, of files with either end of line,
named with either slash; an output takes its name when it is whole. Run by windows.sh, which says what PROGRAM is."""
import os
import signal
import subprocess
import time

from cli import DIGITS, OUT, PROGRAM, check, finish, get, must, put, refused, run

HERE = "build/perceptron"  # that of this system
ROWS = "colour,size,label\nred,1.5,yes\nblue,2.5,no\n\"dark, red\",1.25,yes\nblue,3,no\n"
TEXTS = "ham\tsee you at noon\nspam\tbuy now, cheap\nham\tnoon it is\nspam\tcheap cheap\n"


def with_backslashes(path):
    return path.replace("/", "\\")


def both(*arguments, **more):
    """Standard output of both programs, which must be the same."""
    mine, other = must(*arguments, **more), must(*arguments, program=HERE, **more)
    check(mine == other, f"{arguments} prints the same: {mine[:200]} {other[:200]}")
    return mine


def test_same_model():
    for name, rows, options in (("digits.csv", get(DIGITS).decode(), ()), ("rows.csv", ROWS, ("--label", "label")),
                                ("kernel.csv", ROWS, ("--label", "label", "-a", "kernel", "--kernel", "rbf")),
                                ("texts.tsv", TEXTS, ("--text",)), ("sure.csv", get(DIGITS).decode(), ("-a", "arow", "--probabilities"))):
        data = put(name, rows)
        for suffix, program in (".w", PROGRAM), (".h", HERE):
            must("train", "-q", *options, data, data + suffix, plain=False, program=program)
        check(get(data + ".w") == get(data + ".h"), f"{name}: the same model")
        for command in (("predict", data, data + ".h"), ("predict", "--scores", data, data + ".h"), ("show", data + ".h"),
                        ("export", data + ".h", "-"), ("show", "--json", data + ".h")):
            both(*command)
        if name == "sure.csv":
            both("predict", "--probabilities", data, data + ".h")


def test_line_ends():
    data, crlf = put("unix.csv", ROWS), put("crlf.csv", ROWS.replace("\n", "\r\n"))
    for name in data, crlf:
        must("train", "-q", "--label", "label", name, name + ".m", plain=False)
    check(get(data + ".m") == get(crlf + ".m"), "CRLF and LF give one model")
    check(both("predict", "-q", crlf, data + ".m").count("\r") == 0, "predictions end in LF, as elsewhere")
    rows = ROWS.encode()
    check(must("predict", "-q", "-", data + ".m", stdin=rows.replace(b"\n", b"\r\n")) == both("predict", "-q", data, data + ".m"),
          "standard input is read as bytes")
    check(run("predict", "-q", "-", data + ".m", stdin=rows.replace(b"red,1.5", b"re\x1ad,1.5"))[0] == 0,
          "Ctrl-Z is a character, not the end")


def test_slashes():
    os.makedirs(OUT + "/folder", exist_ok=True)
    data = put("folder/rows.csv", ROWS)
    must("train", "-q", "--label", "label", with_backslashes(data), with_backslashes(OUT) + "\\folder/model", plain=False)
    model = get(OUT + "/folder/model")
    check(len(model) > 100, "a model at a path with either slash")
    must("train", "-q", "--label", "label", with_backslashes(os.path.abspath(data)), plain=False)
    check(get("rows.csv.model") == model, "DATA's name without its folders is the model's")
    os.remove("rows.csv.model")
    refused(1, "is an input: the output must be another file", "train", "--force", "--label", "label", data, with_backslashes(data))
    refused(3, "No such file or directory", "predict", with_backslashes(OUT) + "\\nothing.csv", OUT + "/folder/model")
    refused(3, "No such file or directory", "train", "--label", "label", data, "no\\such\\folder\\m")


def test_replaces():
    """What was there stays until the new one is whole; what a run that was killed has left goes."""
    data, bad, model = put("rows.csv", ROWS), put("bad.csv", ROWS + "red,x,yes\nred\n"), OUT + "/kept"
    must("train", "-q", "--label", "label", data, model, plain=False)
    before = get(model)
    put("kept.perceptron-a1b2c3", "left")
    check(run("train", "-q", "--label", "label", bad, model)[0] == 2, "rows that do not fit are refused")
    check(get(model) == before, "and leave the old model")
    check(run("train", "-q", "--label", "label", data, model, force=False, plain=False)[0] == 0, "a model replaces a model")
    check(sorted(name for name in os.listdir(OUT) if name.startswith("kept")) == ["kept"], "nothing is left beside it")
    check(run("train", "-q", "--label", "label", data, put("text", "a text\n"), force=False)[0] == 1, "a text is not replaced")


def test_words():
    """A command that can be pasted has the quotes of this system's shell."""
    data = put("with space.csv", ROWS + ROWS.split("\n", 1)[1] * 9)
    out = must("compare", "--seconds", "5", "--folds", "2", "--label", "label", data)
    check('"' in out and "'" not in out.splitlines()[-1], f"a path with a blank in double quotes: {out.splitlines()[-1:]}")
    refused(2, "no label column '*'", "train", "-q", "--label", "*", data)


def test_interrupt():
    """The first Ctrl-C ends training, and the model that there is goes on."""
    model = OUT + "/interrupted"
    child = subprocess.Popen([PROGRAM, "train", "-q", "--force", "-e", "1000000", "--stop", "never", DIGITS, model],
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(5)
    child.send_signal(signal.SIGINT)
    err = child.communicate(timeout=60)[1].decode()
    check(child.returncode == 130 and "to go on" in err, f"Ctrl-C: {child.returncode} {err}")
    check(sorted(name for name in os.listdir(OUT) if name.startswith("interrupted")) == ["interrupted"], "one file is there")
    must("train", "-q", "-e", "1", "--resume", model, DIGITS, OUT + "/more")


def main():
    test_same_model()
    test_line_ends()
    test_slashes()
    test_replaces()
    test_words()
    test_interrupt()
    finish()


main()
