"""perceptron export --as trainer, import --like: what a trainer in C has learned is, bit for bit, what train --resume --online
learns from the same rows; it comes back as a model; what C cannot do as the program would is refused. On other machines:
tests/targets/devices.py."""
import os
import re
import subprocess

from cli import OUT, check, finish, get, image, put, refused, run, train
from exported import *

CASES = {  # name -> set, options
    "usual": ("five", ()),
    "sure": ("five", ("--probabilities",)),
    "two_labels": ("two", ("--probabilities",)),
    "two_plain": ("two", ("--normalize", "none", "-C", "0.001")),
    "fixed": ("five", ("--rule", "fixed", "--rate", "0.3", "--margin", "0.7")),
    "absolute": ("two", ("--rule", "absolute", "--zero-class", "negative", "--zero-update", "predicted")),
    "fractional": ("five", ("--rule", "fractional", "--lambda", "0.7")),
    "pa": ("five", ("--rule", "pa", "-B", "0.1")),
    "pa2": ("two", ("--rule", "pa2", "-C", "0.3", "--margin", "2", "-B", "0")),
    "last": ("five", ("-a", "perceptron", "--normalize", "none", "--rule", "fixed", "--probabilities")),
    "last_two": ("two", ("-a", "perceptron", "--rule", "pa1")),
    "others": ("five", ("--update", "others", "--probabilities")),
    "uniform": ("five", ("--update", "uniform", "-C", "0.1")),
    "one_vs_rest": ("five", ("--update", "one-vs-rest", "--probabilities")),
    "final": ("five", ("--final",)),
    "streamed": ("five", ("--online", "-a", "averaged", "--probabilities")),
    "arow": ("five", ("-a", "arow", "--r", "3")),
    "arow_mean": ("two", ("-a", "arow", "--decision", "averaged", "--probabilities")),
    "arow_streamed": ("five", ("--online", "-a", "arow", "--decision", "averaged", "--regrow", "0.003", "--follow",
                               "--probabilities", "--update", "one-vs-rest")),
}
LABELS = {"two": ("no", "yes"), "five": ("10", "-3", "07", "a", "B")}
FEATURES = 5


def table(rows, labels, seed, moved=0):
    """Columns of very different size and mean, some labels wrong; moved: the sensor sits otherwise."""
    draw, lines = random.Random(seed), []
    for i in range(rows):
        k = draw.randrange(len(labels))
        x = [draw.gauss(2 * ((k >> j % 3 & 1) ^ (moved if j == 1 else 0)), 0.8) for j in range(FEATURES)]
        label = labels[k] if draw.random() > 0.1 else draw.choice(labels)
        lines.append([f"{v * 30**(j - 2) + 7 * j:.6g}" for j, v in enumerate(x)] + [label])
    return lines


def csv(name, lines):
    return put(name, "".join(",".join(line) + "\n" for line in lines))


def header_labels(name):
    text = re.search(rf"{name}_label\[\d+\] = \{{(.*?)\}};", get(f"{OUT}/{name}.h").decode(), re.S)[1]
    return re.findall(r'"([^"]*)"', text)


def exported(name, model):
    """NAME.h, and the bytes of its factory as a file."""
    must("export", "--as", "trainer", "--name", name, model, f"{OUT}/{name}.h")
    text = get(f"{OUT}/{name}.h").decode()
    return put(f"{name}.factory", bytes(map(int, re.findall(r"(\d+),", text[text.index("_factory = {{"):].split("}}")[0]))))


def prepare(cases, rows):
    """Trains and exports; the program that learns on, which runs anywhere."""
    wide, sets, trainers = {}, {}, []
    for of, labels in LABELS.items():
        csv(of, table(300, labels, 1) + [["-1e5"] * FEATURES + [labels[0]], ["1e5"] * FEATURES + [labels[1]]])
        wide[of] = table(rows, labels, 2, moved=1)
        csv(of + ".more", wide[of])
    for name, (of, options) in cases.items():
        exported(name, train(f"{OUT}/{of}", *options, model=name, plain=False))
        number = {label: k for k, label in enumerate(header_labels(name))}
        sets[of] = [line[:-1] for line in wide[of]], [number[line[-1]] for line in wide[of]]
        trainers.append((name, of))
    return trainer_program(trainers, sets)


def replayed(name, of):
    """What the program learns from the same rows."""
    must("import", "--like", f"{OUT}/{name}", f"{OUT}/{name}.factory", f"{OUT}/{name}.begun")
    return train(f"{OUT}/{of}.more", "--resume", f"{OUT}/{name}.begun", "--online", model=name + ".more", plain=False)


def build(source, name="trainers", flags=()):
    path = put(f"{name}.c", source)
    command = ["cc", "-std=c99", *WARN, "-Wno-unused-function", "-O1", *flags, "-I.", "-I" + OUT, path, "-o", f"{OUT}/{name}"]
    done = subprocess.run(command, capture_output=True, text=True)
    check(done.returncode == 0, f"{name}.c compiles: {done.stderr[:800]}")
    return subprocess.run([f"{OUT}/{name}"], capture_output=True, text=True).stdout


def test_bits():
    """The device's state is that of the program, and comes back as its model, byte for byte."""
    answers = trainer_answers(build(prepare(CASES, 200)))
    for name, (of, options) in CASES.items():
        result, state, predictions = answers.get(name, (None, b"", []))
        check(result == 0, f"{name}: the trainer's functions answer as they should ({result})")
        here = replayed(name, of)
        must("import", "--like", f"{OUT}/{name}", put("state", state), f"{OUT}/{name}.back")
        both = [f"{OUT}/{name}.back", here]
        check(image(both[0]) == image(here), f"{name}: the device's weights are those of the program")
        both = [get(train(f"{OUT}/{of}", "--resume", model, "--online", model="on", plain=False)) for model in both]
        check(both[0] == both[1], f"{name}: what came back goes on as what was learned here")
        sure = "--probabilities" in options
        lines = must("predict", *(["--probabilities"] if sure else []), "--no-header", f"{OUT}/{of}.more", here,
                     says="Accuracy").split("\n")
        labels = header_labels(name)
        check([labels[int(line.split()[0])] for line in predictions] == [line.split()[0] for line in lines[:12]],
              f"{name}: the device predicts what the program does")
        check(get(f"{OUT}/{name}.begun") != get(here), f"{name}: it has learned")


test_bits()
finish()
