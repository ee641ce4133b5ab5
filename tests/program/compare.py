"""perceptron compare: each learner beside train --folds with the same options; which learners are tried; the last line, as a
shell runs it; JSON; mistakes."""
import json
import os
import pty
import random
import re
import shutil
import subprocess

from cli import DIGITS, OUT, PROGRAM, check, finish, get, must, put, refused, run

draw = random.Random(3)
LEARNERS = {"averaged": ["-a", "averaged"], "arow": ["-a", "arow"], "pa1": ["--rule", "pa1"],
            "balanced-winnow": ["-a", "balanced-winnow"], "kernel": ["-a", "kernel"]}
LEARNERS_TYPED = ["--algorithm=averaged", "--algorithm=arow", "--rule=pa1"]
WORDS = "examples/data/languages.tsv"


def table(count, values=(0, 1, 2), classes=3):
    """Lines of six values and a label, which is odd at times."""
    lines = []
    for _ in range(count):
        label = draw.randrange(classes)
        x = [draw.choice(values) if draw.random() < 0.5 else values[(j + label) % len(values)] for j in range(6)]
        lines.append(",".join(map(str, x)) + f",{'abc'[label]}")
    return "\n".join(lines) + "\n"


def rows_of(out):
    """{learner: error, its deviation, bytes}, and the last line."""
    lines = out.splitlines()
    check(lines[0].split() == ["learner", "error", "%", "+-", "seconds", "bytes"], f"the first line: {lines[0]}")
    check(re.fullmatch(r"\+- is the standard error over \d+ folds, bytes are those of a fold's model; the best:",
                       lines[-2]), f"the line before the last: {lines[-2]}")
    found = {}
    for line in lines[1:-2]:
        name, error, deviation, seconds, size = line.split()
        check(float(seconds) >= 0, f"{line}: seconds")
        found[name] = error, deviation, int(size)
    return found, lines[-1]


def separately(data, k, words, options, **more):
    """Error and standard error in %, as the table has them."""
    got = json.loads(must("train", "--json", "--folds", str(k), *words, *options, data, **more))
    mean, deviation = got["accuracy"]["mean"], got["accuracy"]["deviation"]
    return f"{100 * (1 - mean):.2f}", f"{100 * deviation / k ** 0.5:.2f}", got["errors"]


def test_errors():
    two = put("two.csv", table(90, (0, 1), 2))
    gaps = put("gaps.csv", re.sub(r"^(.),(.),2,", r"\1,\2,NA,", table(80), flags=re.M))
    names = put("names.csv", "r,s,t,u,v,w,kind\n" + table(60))
    semicolons = put("semicolons.csv", table(70).replace(",", ";"))
    sparse = put("sparse", "".join(f"{draw.choice((1, 2))} {j}:1 {j + draw.randrange(1, 4)}:1\n"
                                   for j in [draw.randrange(1, 9) for _ in range(50)]))
    for data, given, winnow in ((DIGITS, (), False), (WORDS, ("--text",), True), (two, (), True),
                                (put("three.csv", table(90)), ("--seed", "7"), False),
                                (gaps, ("--missing", "mean"), False), (gaps, ("--missing", "drop", "--threads", "1"), False),
                                (names, ("--label", "kind", "--ignore", "s", "--nominal", "t"), False),
                                (semicolons, ("--sep", ";"), False), (sparse, (), True), (sparse, ("--zero-based",), True),
                                (WORDS, ("--text", "--ngrams", "2", "--hash", "9"), True),
                                (two, ("--normalize", "maxabs"), True), (two, ("--normalize", "l2"), False),
                                (put("three.csv", table(90)), ("--binarize",), True),
                                (two, ("--rows", "sparse", "--format", "csv"), True)):
        for k in (5, 3):
            found, last = rows_of(must("compare", *given, *(("--folds", "3") if k == 3 else ()), data))
            check(list(found) == [name for name in LEARNERS if winnow or name != "balanced-winnow"], f"{data}: {found}")
            errors = {}
            for name, got in found.items():
                *want, errors[name] = separately(data, k, LEARNERS[name], given)
                check(list(got[:2]) == want, f"{data} {given} {k} folds, {name}: {got}, train --folds: {want}")
            least = min(float(error) for error, *_ in found.values())
            best = [name for name in found if last.startswith(("perceptron train --algorithm=" + name + " ",
                                                               "perceptron train --rule=" + name + " "))]
            check(len(best) == 1 and float(found[best[0]][0]) == least, f"{last}: the best of {found}")
        for name, (_, _, size) in found.items():
            if name == "kernel":
                continue
            must("train", "-q", *LEARNERS[name], *given, data, OUT + "/m")
            check(os.path.getsize(OUT + "/m") == size, f"{data} {given} {name}: bytes of the model")


def test_pipe():
    """The rows are read once."""
    out = must("compare", "--text", "-", stdin=get(WORDS))
    found, last = rows_of(out)
    want, line = rows_of(must("compare", "--text", WORDS))
    check({name: row for name, row in found.items()} == want, "a pipe is what a file is")
    check(last == line.replace(WORDS, "- best.model"), f"a pipe: {last}")


def test_kernel_rows():
    for count, tried in ((5000, True), (5001, False)):
        lines = "".join(f"{k % 2} 1:{k % 2}\n" for k in range(count))
        found, _ = rows_of(must("compare", "--folds", "2", put("many", lines)))
        check(("kernel" in found) == tried, f"{count} rows: {list(found)}")


def test_paste():
    """In a folder of its own, by a shell: it trains what --algorithm says, from the same rows."""
    folder = os.path.abspath(OUT + "/folder")
    os.makedirs(folder, exist_ok=True)
    shutil.copy(PROGRAM, folder + "/perceptron")
    path = {**os.environ, "PATH": folder + ":" + os.environ["PATH"]}
    plain, odd = table(60), "kind of it,$(touch bad),b\"x\"*,c,d,e,f g\n".replace('"', "'")
    for name, content, given in (("plain.csv", plain, ()), ("it's a * $(touch bad).csv", plain, ()), ("-x.csv", plain, ()),
                                 ("-x y", plain, ()), ("semicolons", plain.replace(",", ";"), ("--sep", ";")),
                                 ("a&b 'c'.csv", plain, ("--seed", "3")),
                                 *((f"a{special}b.csv", plain, ()) for special in "$*?~;|<>[]{}()#!&\\\"'` "),
                                 ("names.csv", odd + table(60), ("--label", "f g", "--ignore", "$(touch bad)",
                                                                "--ignore", "b'x'*", "--header"))):
        with open(f"{folder}/{name}", "w") as f:
            f.write(content)
        done = subprocess.run([folder + "/perceptron", "compare", *given, "--folds", "4", "--", name], cwd=folder,
                              capture_output=True, text=True)
        check(done.returncode == 0, f"{name}: {done.stderr}")
        command = done.stdout.split("the best:\n")[1]
        made = subprocess.run(command, shell=True, cwd=folder, env=path, capture_output=True, text=True)
        check(made.returncode == 0 and not os.path.exists(folder + "/bad"), f"{command}: {made.stderr}")
        shown = json.loads(must("show", "--json", f"{folder}/{name}.model"))
        option, word = re.match(r"perceptron train --(\w+)=([\w-]+) ", command).groups()
        check(shown["algorithm"] == (word if option == "algorithm" else "averaged"), f"{command}: {shown}")
        words = ["train", "-q", "--" + option, word, *given, "--", name, "same"]
        subprocess.run([folder + "/perceptron", *words], cwd=folder, check=True)
        check(get(f"{folder}/{name}.model") == get(folder + "/same"), f"{command}: another model")
        os.remove(f"{folder}/{name}.model")
        os.remove(folder + "/same")


def test_json():
    got = json.loads(must("compare", "--json", "--text", WORDS))
    found, last = rows_of(must("compare", "--text", WORDS))
    check([row["option"].split("=")[1] for row in got["learners"]] == list(found), f"learners: {got}")
    for row, (error, deviation, size) in zip(got["learners"], found.values()):
        check((f"{100 * row['error']:.2f}", f"{100 * row['standard_error']:.2f}", row["model_bytes"]) ==
              (error, deviation, size) and row["seconds"] >= 0 and row["errors"] <= 120, f"{row}")
    check(last == f"perceptron train {got['best']} --text {WORDS}", f"best: {got['best']}")


def slow(rows):
    """Rows of chance, most of which a kernel model stores."""
    return "".join(",".join(f"{draw.random():.3f}" for _ in range(60)) + f",{draw.choice('abc')}\n" for _ in range(rows))


def test_seconds():
    """A learner that would take longer is given up, and what it would take is said."""
    data = put("slow.csv", slow(5000))
    lines = must("compare", "--seconds", "1", data).splitlines()
    given_up = re.fullmatch(r"kernel +given up after (\d+\.\d) seconds: it would take (\d+) or more, --seconds is 1", lines[4])
    check(len(lines) == 7 and given_up and float(given_up[1]) < 1.5 and int(given_up[2]) > 1, f"given up: {lines}")
    check("--seconds" not in lines[-1], f"train has no such option: {lines[-1]}")
    got = json.loads(must("compare", "--json", "--seconds", "1", data))
    last = got["learners"][-1]
    check(list(last) == ["option", "error", "expected_seconds", "seconds"] and last["error"] is None and
          last["expected_seconds"] >= 1 and last["seconds"] < 1.5 and got["best"] in LEARNERS_TYPED, f"as JSON: {got}")
    plain, slower = (rows_of(must("compare", *given, WORDS, "--text"))[0] for given in ((), ("--seconds", "1000")))
    check(plain == slower, "a limit that is not reached changes nothing")
    wide = put("wide.svm", "".join(f"{k % 3} " + " ".join(f"{draw.randrange(1, 9) + 9 * j}:1" for j in range(400)) + "\n"
                                   for k in range(2000)))
    for words in ((), ("--json",)):
        status, out, err = run("compare", "--folds", "1000", "--seconds", "1", *words, wide)
        check((status, err) == (1, "perceptron: every learner takes longer than --seconds 1: give more\n") and
              out.count("given up" if not words else "expected_seconds") == 5, f"all are given up: {status} {out} {err}")
    check(json.loads(out)["best"] is None, "JSON is whole")
    for bad in ("0", "x"):
        refused(1, f"--seconds {bad}: give a whole number", "compare", "--seconds", bad, data)


def test_terminal():
    """On a terminal a line tells every second how far it is, and leaves nothing behind."""
    data = put("slow.csv", slow(4000))
    main, terminal = pty.openpty()
    with subprocess.Popen([PROGRAM, "compare", data], stdout=subprocess.PIPE, stderr=terminal) as process:
        os.close(terminal)
        said = b""
        while True:
            try:
                part = os.read(main, 1000)
            except OSError:  # its end, as Linux says it
                break
            if not part:
                break
            said += part
        out = process.stdout.read().decode()
    os.close(main)
    lines = said.decode().split("\r")
    told = [re.fullmatch(r"kernel: (\d+) % after (\d+) seconds *", line) for line in lines[1:-2]]
    check(told and all(told) and lines[0] == "" and lines[-2].strip() == lines[-1] == "", f"lines: {lines}")
    seconds = [int(line[2]) for line in told]
    check(seconds[0] == 1 and sorted(set(seconds)) == seconds, f"seconds: {lines}")
    check(out.count("\n") == 7 and "kernel: " not in out, f"the table: {out}")


def test_mistakes():
    data = put("small.csv", table(4))
    refused(1, "--folds 5 of 4 rows leaves folds empty", "compare", data)
    status, out, err = run("compare", "--json", data)
    check((status, list(json.loads(out))) == (1, ["error", "status"]) and not run("compare", data)[1],
          f"an error before the first learner is all that is printed: {out}")
    refused(2, "all rows have the label", "compare", put("one.csv", "1,a\n2,a\n3,a\n4,a\n5,a\n"))
    refused(3, "no-such-file", "compare", "no-such-file")
    refused(1, "perceptron compare takes DATA", "compare", data, OUT + "/x")
    refused(1, "--folds 1: give a whole number", "compare", "--folds", "1", data)
    refused(1, "'--test' is not an option of compare", "compare", "--test", data, data)
    refused(1, "--ngrams needs --text", "compare", "--ngrams", "2", DIGITS)
    refused(1, "--zero-based needs rows of libsvm", "compare", "--zero-based", DIGITS)
    refused(2, "small.csv:1:", "compare", "--label", "none", data)
    before = sorted(os.listdir(OUT))
    status, out, err = run("compare", "--json", "--folds", "3", data, cwd=None)
    check(status == 0 and sorted(os.listdir(OUT)) == before, f"no file is written: {err}")
    check(run("compare", put("years.csv", "a,b,k\n" + "".join(f"{j * 1000},1,{j % 2}\n" for j in range(20))))[2].count("\n")
          <= 2, "advice on the rows comes once")


test_errors()
test_pipe()
test_kernel_rows()
test_paste()
test_json()
test_seconds()
test_terminal()
test_mistakes()
finish()
