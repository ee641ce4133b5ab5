"""perceptron export --as trainer, import --like: what a trainer in C has learned is, bit for bit, what train --resume --online
learns from the same rows; it comes back as a model; what C cannot do as the program would is refused. On other machines:
tests/targets/devices.py."""
import os
import re
import struct
import subprocess
import zlib

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
CALIBRATED = "Its probabilities come from the calibration: those of perceptron predict come from a fit.\n"
LABELS = {"two": ("no", "yes"), "five": ("10", "-3", "07", "a", "B"), "gaps": ("1", "2", "3")}
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


def with_gaps(lines):
    draw = random.Random(9)
    return [["" if j < FEATURES and draw.random() < 0.1 else v for j, v in enumerate(line)] for line in lines]


def exported(name, model):
    """NAME.h, and the bytes of its factory as a file."""
    status, _, said = run("export", "--as", "trainer", "--name", name, model, f"{OUT}/{name}.h")
    check(status == 0 and said in ("", CALIBRATED), f"export of {name} ends with {status}: {said}")
    text = get(f"{OUT}/{name}.h").decode()
    return put(f"{name}.factory", bytes(map(int, re.findall(r"(\d+),", text[text.index("_factory = {{"):].split("}}")[0]))))


def prepare(cases, rows):
    """Trains and exports; the program that learns on, which runs anywhere."""
    wide, sets, trainers = {}, {}, []
    for of, labels in LABELS.items():
        some = with_gaps if of == "gaps" else list
        csv(of, some(table(300, labels, 1)) + [["-1e5"] * FEATURES + [labels[0]], ["1e5"] * FEATURES + [labels[1]]])
        wide[of] = some(table(rows, labels, 2, moved=1))
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


C_USER = """
#include "perceptron.h"
#include "none.h"
#include <math.h>
#include <string.h>
int main(void)
{
    static none_trainer t;
    static unsigned char state[none_STATE], again[none_STATE];
%s}
"""


def must_compile(*arguments):
    done = subprocess.run(["cc", "-std=c99", *WARN, "-I.", "-I" + OUT, *arguments], capture_output=True, text=True)
    check(done.returncode == 0, f"{arguments}: {done.stderr[:800]}")


def build(source, name="trainers", status=0):
    path, header = put(f"{name}.c", source), OUT + "/header.o"
    if not os.path.exists(header) or os.path.getmtime(header) < os.path.getmtime("perceptron.h"):
        must_compile("-O1", "-DPERCEPTRON_IMPLEMENTATION", "-x", "c", "-c", "perceptron.h", "-o", header)
    must_compile("-DPCN_IMPLEMENTED", "-O0", path, header, "-o", f"{OUT}/{name}")
    done = subprocess.run([f"{OUT}/{name}"], capture_output=True, text=True)
    check(done.returncode == status, f"{name} ends with {done.returncode}")
    return done.stdout


def compare(cases, rows=200):
    answers = trainer_answers(build(prepare(cases, rows)))
    for name, (of, options) in cases.items():
        result, state, predictions = answers.get(name, (None, b"", []))
        check(result == 0, f"{name}: the trainer's functions answer as they should ({result})")
        here = replayed(name, of)
        must("import", "--like", f"{OUT}/{name}", put("state", state), f"{OUT}/{name}.back")
        both = [f"{OUT}/{name}.back", here]
        check(image(both[0]) == image(here), f"{name}: the device's weights are those of the program")
        both = [get(train(f"{OUT}/{of}", "--resume", model, "--online", model="on", plain=False)) for model in both]
        check(both[0] == both[1], f"{name}: what came back goes on as what was learned here")
        more = ["--probabilities"] if "--probabilities" in options else []
        lines = must("predict", *more, "--no-header", f"{OUT}/{of}.more", here, says="Accuracy").split("\n")
        labels = header_labels(name)
        check([labels[int(line.split()[0])] for line in predictions] == [line.split()[0] for line in lines[:12]],
              f"{name}: the device predicts what the program does")
        check(image(f"{OUT}/{name}.begun") != image(here), f"{name}: it has learned")


def test_bits():
    """The device's state is that of the program, and comes back as its model."""
    compare(CASES)


def test_gaps():
    """A NaN is what --missing makes of a gap; without it the row is refused, and the prediction, too."""
    compare({"gap_mean": ("gaps", ("--missing", "mean", "--probabilities")), "gap_zero": ("gaps", ("--missing", "zero")),
             "gap_drop": ("gaps", ("--missing", "drop", "--probabilities")),
             "gap_zero_plain": ("gaps", ("--missing", "zero", "--normalize", "none", "-a", "perceptron")),
             "gap_drop_plain": ("gaps", ("--missing", "drop", "--normalize", "none", "-C", "1e-4"))})
    exported("none", train(f"{OUT}/two", model="none", plain=False))
    build(C_USER % """
    float x[none_FEATURES] = {0}, inf[none_FEATURES] = {0};
    x[1] = NAN, inf[1] = INFINITY;
    return none_start(&t, none_factory.byte, sizeof none_factory.byte) != PCN_OK ||
           none_predict(&t, x) != PCN_EVALUE || none_learn(&t, x, 0) != PCN_EVALUE || none_learn(&t, inf, 1) != PCN_EVALUE ||
           none_save(&t, 0, state, sizeof state) != none_STATE ||
           none_start(&t, none_factory.byte, sizeof none_factory.byte) != PCN_OK ||
           none_save(&t, 0, again, sizeof again) != none_STATE || memcmp(state, again, sizeof state) != 0;
""", "gap", status=0)


def test_refused():
    """What C does not do as the program does: a sentence each, and no file."""
    rows, words = f"{OUT}/two", put("words", "1,red,a\n2,blue,b\n3,red,a\n0.5,blue,b\n")
    gaps, long_numbers = f"{OUT}/gaps", put("long", "20261101,1,a\n20261102,0,b\n20261103,1,a\n20261105,0,b\n" * 9)
    names = put("named", "x=1,y,label\n1,2,a\n3,1,b\n2,5,a\n0,0,b\n")
    for data, options, says in [
            (rows, ("-a", "winnow"), "Winnow models"), (rows, ("-a", "balanced-winnow"), "Winnow models"),
            (rows, ("-a", "kernel"), "voted and kernel models"), (rows, ("-a", "voted"), "voted and kernel models"),
            (rows, ("--normalize", "l2"), "to length 1"), (rows, ("--normalize", "standard-l2"), "to length 1"),
            (rows, ("--normalize", "maxabs"), "--normalize maxabs needs all rows"),
            (rows, ("--products", "all", "--normalize", "none"), "no products of features"),
            (rows, ("--binarize",), "(--binarize)"), (words, (), "it has no words"),
            (words, ("--rows", "dense"), "it has no words"), (words, ("--rows", "dense", "--normalize", "none"), "no words"),
            (words, ("--text-column", "2", "--rows", "dense"), "it has no words"),
            (put("texts", "a\tred wine\nb\tblue sky\n"), ("--text",), "it has no words"),
            (long_numbers, (), "a column with an offset"), (rows, ("--rows", "sparse", "--normalize", "none"), "--rows dense"),
            (gaps, ("--missing", "mean", "--normalize", "none"), "--missing mean is the mean of all rows"),
            (rows, ("--weight", "yes=2", "-a", "averaged"), "weigh the same"),
            (put("weighed", "1,2,a\n2,3,b\n1,1,a\n"), ("--weight-column", "1", "-a", "averaged"), "weigh the same"),
            (rows, ("--batch", "4"), "no batches"), (rows, ("-a", "arow", "--final"), "train -a arow without --final")]:
        model = train(data, "-e", "2", *options, model="not", plain=False)
        refused(1, "--as trainer: ", "export", "--as", "trainer", model, OUT + "/not.h")
        refused(1, says, "export", "--as", "trainer", model, OUT + "/not.h")
        refused(1, says, "import", "--like", model, model, OUT + "/not.model")
    check(not os.path.exists(OUT + "/not.h") and not os.path.exists(OUT + "/not.model"), "nothing is written")
    exported("named", train(names, "-e", "2", model="named.model", plain=False))
    model = train(rows, "-e", "2", model="whole", plain=False)
    refused(1, "--bits needs --format c, and another form than --as trainer", "export", "--as", "trainer", "--bits", "8", model)
    refused(1, "--predict needs --as arrays", "export", "--as", "trainer", "--predict", model)
    refused(1, "--as needs --format c", "export", "--as", "trainer", "--format", "liblinear", model)
    refused(2, "one label only", "export", "--as", "trainer", train(put("one", "1,a\n2,a\n"), "--online", model="one.model",
                                                                  plain=False))
    raw = OUT + "/raw"
    must("export", "--as", "raw", model, raw)
    refused(1, "an image says nothing of the rule", "export", "--as", "trainer", "--image", raw)
    must("export", model, OUT + "/image.h")
    refused(1, "is no export in this format", "export", "--as", "trainer", model, OUT + "/image.h", force=False)
    must("export", "--as", "trainer", model, OUT + "/replaced.h")
    must("export", "--as", "trainer", model, OUT + "/replaced.h", force=False)


def test_states():
    """What is no state of this model's trainer is told by what it is."""
    compare({"whole": ("five", ("--probabilities",))}, 40)
    like, state, good = OUT + "/whole", get(OUT + "/state"), get(OUT + "/whole.back")
    weights = 68 + 3 * 4 * 5 * (FEATURES + 1)
    scaler = 68 + 20 * FEATURES
    take = lambda content: ("import", "--like", like, put("bad", content), OUT + "/taken")
    must(*take(state + b"\xff" * 500))
    check(get(OUT + "/taken") == good, "a page of flash goes on with 0xff")
    done = run("import", "--like", like, "-", stdin=state)
    check(done[0] == 0, "a state from standard input")
    for content, says in [
            (b"", f"0 bytes: what the trainer of {like} has stored is {len(state)} bytes long"),
            (state[:-1], f"{len(state) - 1} bytes: what"), (state[:100], "100 bytes: what"),
            (get(OUT + "/whole.factory")[:-4], "bytes: what the trainer"),
            (state + b"\xff\xff1\xff", f"ends after {len(state)} bytes, and at byte {len(state) + 3} is"),
            (b"\xff" * len(state), "the image of the weights: not an image, cut short, or damaged"),
            (damaged(state, 100), "the image of the weights: not an image"),
            (damaged(state, weights + 70), "the image of the scaler: not an image"),
            (damaged(state, weights + scaler + 70), "the image of the probabilities: not an image"),
            (state[:weights] + state[weights + scaler:] + state[weights:weights + scaler], "the image of the scaler: "),
            (get(f"{OUT}/{'two_labels'}.factory"), f"a trainer of {FEATURES} features and 2 labels: {like} has {FEATURES} and 5")]:
        refused(2, says, *take(content))
    check(get(OUT + "/taken") == good, "after an error nothing has changed")
    other = bytearray(get(like + ".factory"))
    other[12] |= 8 # feature by feature
    end = 64 + 20 * (FEATURES + 1)
    other[end:end + 4] = struct.pack("<I", zlib.crc32(other[:end]))
    refused(2, "the image of the weights: image of another kind, shape or layout", *take(bytes(other)))
    refused(3, "no-file", "import", "--like", like, OUT + "/no-file", OUT + "/taken")
    refused(3, "no-model", "import", "--like", OUT + "/no-model", OUT + "/state", OUT + "/taken")
    refused(1, "--format needs", "import", "--format", "liblinear", "--like", like, OUT + "/state", OUT + "/taken")
    refused(1, "cannot both be standard input", "import", "--like", "-", "-", OUT + "/taken")
    refused(1, "is an input", "import", "--like", like, OUT + "/state", like)


def damaged(content, at):
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1:]


def test_folded():
    """An image of a folded model says that it only predicts, and no trainer loads it; the program still shows it."""
    model = train(f"{OUT}/five", model="folded", plain=False)
    text = must("export", model)
    check("It only predicts" in text and "export --as trainer" in text and "pcn_perceptron_load" not in text, text[:900])
    must("export", model, OUT + "/none.h")
    put("arrays.h", must("export", "--as", "arrays", "--name", "arrays", model))
    build("""
#include "perceptron.h"
#include "none.h"
#include "arrays.h"
int main(void)
{
    static float memory[PCN_PERCEPTRON_FLOATS(model_FEATURES, model_CLASSES)];
    static uint32_t image[PCN_LINEAR_IMAGE(model_FEATURES, model_CLASSES) / 4];
    pcn_perceptron m;
    if (pcn_perceptron_init(&m, model_FEATURES, model_CLASSES, memory, sizeof memory) < 0) return 1;
    if (pcn_perceptron_load(&m, model_image.byte, sizeof model_image.byte) != PCN_EFOLDED) return 2;
    if (pcn_linear_save(&arrays_linear, image, sizeof image) == 0) return 3;
    return pcn_perceptron_load(&m, image, sizeof image) != PCN_EFOLDED;
}
""", "load", status=0)
    raw, plain = OUT + "/raw", train(f"{OUT}/five", "--normalize", "none", model="plain", plain=False)
    must("export", "--as", "raw", model, raw)
    check(get(raw)[13] & 64, "the mark is in the image")
    check("5 classes" in must("show", raw) or "classes    5" in must("show", raw), "show")
    check(len(must("predict", "--image", "--no-header", f"{OUT}/five.more", raw, "--ignore-labels").split()) == 40, "predict")
    must("export", "--image", "--as", "raw", raw, OUT + "/raw2")
    check(get(raw) == get(OUT + "/raw2"), "an image that is exported again keeps the mark")
    check("pcn_perceptron_load(" in must("export", plain), "weights of rows as they are go on")
    check(not get(plain)[13] & 64, "and have no mark")


def main():
    test_bits()
    test_gaps()
    test_states()
    test_refused()
    test_folded()


if __name__ == "__main__":
    main()
    finish()
