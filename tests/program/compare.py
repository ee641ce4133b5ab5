"""perceptron compare: each row of its table beside train --folds with the same options; what is tried for which data; who
leaves; the last line, as a shell runs it; JSON; mistakes."""
import json
import os
import pty
import random
import re
import shlex
import shutil
import subprocess

from cli import DIGITS, OUT, PROGRAM, check, finish, get, must, put, refused, run, skip

draw = random.Random(3)
AROW = "--algorithm=arow --decision=averaged"
TABLES = ("", "--aggressive=0.01", "--epochs=30", "--rule=fixed", AROW, "--normalize=standard-l2", "--normalize=none",
          "--normalize=none " + AROW, "--normalize=maxabs", "--update=one-vs-rest", "--algorithm=kernel --decision=averaged")
OTHERS = ("", "--aggressive=0.1", "--rule=fixed", AROW + " --r=0.1", AROW + " --r=1", "--normalize=l2",
          "--update=one-vs-rest")
TEXTS = ("", "--aggressive=0.1", AROW + " --r=0.1", AROW + " --r=1", "--words=log", "--words=binary",
         "--words=binary --rule=fixed", "--update=one-vs-rest")
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
    """{options: error, its deviation, bytes, whether it left}, and the last line."""
    lines = out.splitlines()
    check(lines[0].split() == ["options", "error", "%", "+-", "seconds", "bytes"], f"the first line: {lines[0]}")
    check(lines[1].startswith("baseline: always the commonest label"), f"the second line: {lines[1]}")
    check(re.fullmatch(r"\+- is the standard error over \d+ folds of \d+ rows, bytes are those of a fold's model; left: .*",
                       lines[-3]), f"the third line from the end: {lines[-3]}")
    found = {}
    for line in lines[2:-3]:
        options, error, deviation, seconds, size, left = re.fullmatch(
            r"(.*?) +(\S+) +(\S+) +(\S+) +(\d+)( left)?", line).groups()
        check(float(seconds) >= 0, f"{line}: seconds")
        found["" if options == "(default)" else options] = error, deviation, int(size), bool(left)
    return found, lines[-1]


def separately(data, k, options, **more):
    """Error and standard error in %, as the table has them, and the errors."""
    got = json.loads(must("train", "--json", "--folds", str(k), *options, data, plain=False, **more))
    mean, deviation = got["accuracy"]["mean"], got["accuracy"]["deviation"]
    return f"{100 * (1 - mean):.2f}", f"{100 * deviation / k ** 0.5:.2f}", got["errors"]


def test_errors():
    two = put("two.csv", table(90, (0, 1), 2))
    gaps = put("gaps.csv", re.sub(r"^(.),(.),2,", r"\1,\2,NA,", table(80), flags=re.M))
    names = put("names.csv", "r,s,t,u,v,w,kind\n" + table(60))
    semicolons = put("semicolons.csv", table(70).replace(",", ";"))
    sparse = put("sparse", "".join(f"{draw.choice((1, 2))} {j}:1 {j + draw.randrange(1, 4)}:1\n"
                                   for j in [draw.randrange(1, 9) for _ in range(50)]))
    whole = 0
    for data, given, tried in ((DIGITS, (), TABLES), (WORDS, ("--text",), TEXTS), (two, (), TABLES),
                               (put("three.csv", table(90)), ("--seed", "7"), TABLES),
                               (gaps, ("--missing", "mean"), TABLES), (gaps, ("--missing", "drop", "--threads", "1"), TABLES),
                               (names, ("--label", "kind", "--ignore", "s", "--nominal", "t"), TABLES),
                               (semicolons, ("--sep", ";"), TABLES), (sparse, (), OTHERS), (sparse, ("--zero-based",), OTHERS),
                               (WORDS, ("--text", "--ngrams", "2", "--hash", "9"), TEXTS),
                               (WORDS, ("--text", "--words", "counts"), OTHERS),
                               (two, ("--normalize", "maxabs"), TABLES), (two, ("--normalize", "l2"), TABLES),
                               (put("three.csv", table(90)), ("--binarize",), [words for words in TABLES if "standard" not in words]),
                               (two, ("--rows", "sparse", "--format", "csv"), TABLES)):
        two_labels = data in (two, sparse)
        taken = {option for option in given if option.startswith("--")}
        tried = [words for words in tried if not any(w.split("=")[0] in taken for w in words.split()) and
                 not (two_labels and "one-vs-rest" in words)]
        for k in (5, 3):
            found, last = rows_of(must("compare", *given, *(("--folds", "3") if k == 3 else ()), data))
            check(list(found) == tried, f"{data} {given}: {list(found)}, expected {tried}")
            errors = {}
            for words, got in found.items():
                if got[3]:
                    continue
                whole += 1
                *want, errors[words] = separately(data, k, [*words.split(), *given])
                check(list(got[:2]) == want, f"{data} {given} {k} folds, {words}: {got}, train --folds: {want}")
            chosen = json.loads(must("compare", "--json", *given, *(("--folds", "3") if k == 3 else ()), data))["best"]
            check(chosen == "" or errors[chosen] == min(errors.values()), f"{chosen} is chosen: {errors}")
            check(shlex.split(last)[2:][:len(chosen.split())] == chosen.split(), f"{last}: {chosen}")
        for words, (_, _, size, _) in found.items():
            if "kernel" not in words and tried is TABLES:  # models of texts are packed, by how many weights are 0
                must("train", "-q", *words.split(), *given, data, OUT + "/m", plain=False)
                check(os.path.getsize(OUT + "/m") == size, f"{data} {given} {words}: bytes of the model")
    check(whole > 100, f"only {whole} rows are compared with train --folds")


def test_choice():
    """The default stays unless another beats it by more than chance: the root of how many rows only one has right."""
    noise = "".join(f"{draw.random():.3f},{draw.random():.3f},{draw.choice('ab')}\n" for _ in range(200))
    check(must("compare", put("noise.csv", noise)).splitlines()[-1] == f"perceptron train {OUT}/noise.csv", "noise")
    check("the default, which none beats by more than chance:" in must("compare", OUT + "/noise.csv"), "and that is said")
    ring = "".join(f"{x:.3f},{y:.3f},{'in' if x * x + y * y < 1 else 'out'}\n"
                   for x, y in ((draw.gauss(0, 1), draw.gauss(0, 1)) for _ in range(400)))
    found, last = rows_of(must("compare", put("ring.csv", ring)))
    check(last == f"perceptron train --algorithm=kernel --decision=averaged {OUT}/ring.csv", f"a ring: {last}")
    check(found[""][3] and float(found["--algorithm=kernel --decision=averaged"][0]) < 10, f"a ring: {found}")
    got = json.loads(must("compare", "--json", OUT + "/ring.csv"))
    inside = ring.count(",in")
    check(abs(got["baseline_error"] - min(inside, 400 - inside) / 400) < 1e-9, f"the baseline: {got['baseline_error']}")


def test_drawn():
    """Of many rows 10,000 are drawn."""
    many = put("many.csv", "".join(f"{draw.gauss(k % 2, 1):.3f},{k % 2}\n" for k in range(12000)))
    got = json.loads(must("compare", "--json", "--folds", "2", many))
    check(got["rows"] == 10000 and all(row["folds"] <= 2 for row in got["tried"]), f"rows: {got['rows']}")


def test_pipe():
    """The rows are read once."""
    found, last = rows_of(must("compare", "--text", "-", stdin=get(WORDS)))
    want, line = rows_of(must("compare", "--text", WORDS))
    check(found == want, "a pipe is what a file is")
    check(last == line.replace(WORDS, "- best.model"), f"a pipe: {last}")


def test_kernel_rows():
    for count, tried in ((5000, True), (5001, False)):
        lines = "".join(f"{k % 2} 1:{k % 2}\n" for k in range(count))
        found, _ = rows_of(must("compare", "--folds", "2", put("many", lines)))
        check(any("kernel" in words for words in found) == tried, f"{count} rows: {list(found)}")


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
        command = done.stdout.splitlines()[-1]
        made = subprocess.run(command, shell=True, cwd=folder, env=path, capture_output=True, text=True)
        check(made.returncode == 0 and not os.path.exists(folder + "/bad"), f"{command}: {made.stderr}")
        shown = json.loads(must("show", "--json", f"{folder}/{name}.model"))
        check(shown["rows"] > 0, f"{command}: {shown}")
        best = json.loads(subprocess.run([folder + "/perceptron", "compare", "--json", *given, "--folds", "4", "--", name],
                                         cwd=folder, capture_output=True, check=True).stdout)["best"]
        words = ["train", "-q", *best.split(), *given, "--", name, "same"]
        subprocess.run([folder + "/perceptron", *words], cwd=folder, check=True)
        check(get(f"{folder}/{name}.model") == get(folder + "/same"), f"{command}: another model")
        os.remove(f"{folder}/{name}.model")
        os.remove(folder + "/same")


def test_json():
    got = json.loads(must("compare", "--json", "--text", WORDS))
    found, last = rows_of(must("compare", "--text", WORDS))
    check([row["options"] for row in got["tried"]] == list(found), f"tried: {got}")
    for row, (error, deviation, size, left) in zip(got["tried"], found.values()):
        check((f"{100 * row['error']:.2f}", "-" if row["standard_error"] is None else f"{100 * row['standard_error']:.2f}", row["model_bytes"]) ==
              (error, deviation, size) and (row["folds"] == 5 or left) and row["seconds"] >= 0 and row["errors"] <= 120, f"{row}")
    check(shlex.split(last) == ["perceptron", "train", *got["best"].split(), "--text", WORDS], f"best: {got['best']}")


def slow(rows):
    """Rows of chance, most of which a kernel model stores."""
    return "".join(",".join(f"{draw.random():.3f}" for _ in range(60)) + f",{draw.choice('abc')}\n" for _ in range(rows))


def test_seconds():
    """What would take longer than is left is given up, and what it would take is said."""
    data = put("slow.csv", slow(5000))
    lines = must("compare", "--seconds", "1", data).splitlines()
    line = next(line for line in lines if "kernel" in line)
    given_up = re.fullmatch(r"--algorithm=kernel --decision=averaged +given up: it would take (\d+) seconds or more", line)
    check(given_up and int(given_up[1]) >= 1, f"given up: {lines}")
    check("--seconds" not in lines[-1], f"train has no such option: {lines[-1]}")
    got = json.loads(must("compare", "--json", "--seconds", "1", data))
    last = got["tried"][-1]
    check(last["options"].startswith("--algorithm=kernel") and last["error"] is None and last["expected_seconds"] >= 1 and
          sum(row["seconds"] for row in got["tried"]) < 3 and got["best"] in TABLES, f"as JSON: {got}")
    plain, slower = (rows_of(must("compare", *given, WORDS, "--text"))[0] for given in ((), ("--seconds", "1000")))
    check(plain == slower, "a limit that is not reached changes nothing")
    wide = put("wide.svm", "".join(f"{k % 3} " + " ".join(f"{draw.randrange(1, 9) + 9 * j}:1" for j in range(400)) + "\n"
                                   for k in range(9000)))
    for words in ((), ("--json",)):
        status, out, err = run("compare", "--folds", "1000", "--seconds", "1", *words, wide)
        check((status, err) == (1, "perceptron: all take longer than --seconds 1: give more\n") and
              out.count("given up" if not words else "expected_seconds") == 7, f"all are given up: {status} {out} {err}")
    check(json.loads(out)["best"] is None, "JSON is whole")
    for bad in ("0", "x"):
        refused(1, f"--seconds {bad}: give a whole number", "compare", "--seconds", bad, data)


def test_terminal():
    """On a terminal a line tells every second how far it is, and leaves nothing behind."""
    data = put("slow.csv", slow(4000))
    try:
        main, terminal = pty.openpty()
    except OSError:
        return skip("compare on a terminal: there are none here (mount /dev/pts)")
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
    told = [re.fullmatch(r"fold (\d) of 5, (\d+) seconds: (?:--|.def)\S.*", line) for line in lines[1:-2]]
    check(told and all(told) and lines[0] == "" and lines[-2].strip() == lines[-1] == "", f"lines: {lines}")
    seconds = [int(line[2]) for line in told]
    check(seconds[0] == 1 and sorted(set(seconds)) == seconds, f"seconds: {lines}")
    check(out.count("\n") == 16 and "fold 1" not in out, f"the table: {out}")


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
test_choice()
test_drawn()
test_pipe()
test_kernel_rows()
test_paste()
test_json()
test_seconds()
test_terminal()
test_mistakes()
finish()
