"""Images that a C program saved, without names and labels: show says what is in them, predict --image gives the
answers of the header, export exports them, and what they cannot be used for is refused."""
import json
import os
import re
import shlex
import struct
import subprocess
import sys
import zlib

from cli import OUT, check, finish, get, image, must, put, refused, train

sys.path.insert(0, "tests/header")
from format import PAGE, QUESTIONS, read, tables  # noqa: E402

CC = [*shlex.split(os.environ.get("CC") or "cc"), "-std=c99", "-O1", "-Wall", "-Wextra", "-I."]
FOLDER = "tests/header/golden/1.0/"
RIGHT = [1, 0, 1]  # labels of the questions

# Image -> algorithm, what C saved, and its options
POSITIVE = "--zero-class positive"
IMAGES = {
    "perceptron": ("perceptron", "pcn_perceptron", POSITIVE), "linear": ("perceptron", "pcn_linear", POSITIVE),
    "averaged": ("averaged", "pcn_perceptron", POSITIVE), "fractional": ("perceptron", "pcn_perceptron", POSITIVE),
    "regrowing": ("arow", "pcn_perceptron", "--decision last " + POSITIVE),
    "winnow": ("winnow", "pcn_perceptron", "--threshold 2 " + POSITIVE),
    "perceptron-3": ("averaged", "pcn_perceptron", ""), "linear-3": ("perceptron", "pcn_linear", ""),
    "arow": ("arow", "pcn_perceptron", "--decision last"), "batch": ("perceptron", "pcn_perceptron", ""),
    "balanced": ("balanced-winnow", "pcn_perceptron", "--threshold 0"), "following": ("averaged", "pcn_perceptron", ""),
    "forgetron": ("kernel", "pcn_kmodel", "--kernel linear --decision last " + POSITIVE),
    "oldest": ("kernel", "pcn_kmodel", "--kernel linear --decision last " + POSITIVE),
    "projectron": ("kernel", "pcn_kmodel", "--kernel rbf --gamma 0.125 --decision last " + POSITIVE),
    "polynomial": ("kernel", "pcn_kmodel", "--kernel poly --degree 2 --gamma 0.5 --coef0 1 --decision last " + POSITIVE),
    "rbf-3": ("kernel", "pcn_kmodel", "--kernel rbf --gamma 0.25 --decision last"),
    "random-3": ("kernel", "pcn_kmodel", "--kernel rbf --gamma 0.5 --decision last"),
}
INTEGERS = {"iperceptron": ("perceptron", "pcn_iperceptron"), "iaveraged": ("averaged", "pcn_iperceptron"),
            "ilinear": ("perceptron", "pcn_ilinear"),
            "ilinear-8": ("perceptron", "pcn_ilinear"), "ilinear-16": ("perceptron", "pcn_ilinear")}
LOGS = ("polynomial", "rbf-3")  # of all states, which do not say how they decide

PAIRS = [" ".join(f"{j}:{v}" for j, v in enumerate(x) if v) + "\n" for x in QUESTIONS]
ROWS = put("rows.svm", "".join(PAIRS))
LABELLED = put("labelled.svm", "".join(f"{label} {pairs}" for label, pairs in zip(RIGHT, PAIRS)))
ANSWERS = dict(block.split("\n", 1) for block in get(FOLDER + "answers.txt").decode().split("\n\n") if block)


def file(name):
    return f"{FOLDER}{name}.pcn"


def scores_of(name):
    return struct.unpack_from("<I", get(file(name)), 20)[0]


def labels_of(name):
    return ["-1", "1"] if scores_of(name) == 1 else [str(k) for k in range(scores_of(name))]


def answers(name, decision=0):
    """The labels, and the scores of each row, by the header; decision: last, mean or vote."""
    def said(word):
        return [float(line.split()[1]) for line in ANSWERS[name + ".pcn"].splitlines() if line.startswith(word + " ")]
    k = scores_of(name)
    scores = said("score")[3 * k * decision:]
    return [labels_of(name)[int(c)] for c in said("class")[3 * decision:][:3]], [scores[k * q:k * q + k] for q in range(3)]


def predicted(name, *options, image=None):
    return must("predict", "--image", "--zero-based", "-q", *options, ROWS, image or file(name)).split()


def test_predict():
    for name in IMAGES:
        for number, how in enumerate(("last", "averaged", "voted") if name in LOGS else ("",)):
            more = ["--decision", how] if how else []
            labels, scores = answers(name, number)
            got = [line.split() for line in must("predict", "--image", "--zero-based", "-q", "-s", "--no-header", *more, ROWS,
                                                 file(name)).splitlines()]
            check([line[0] for line in got] == labels == predicted(name, *more), f"{name} {how}: {got}, expected {labels}")
            check(all(abs(float(a) - b) <= 2e-6 * max(1, abs(b)) for line, row in zip(got, scores)
                      for a, b in zip(line[1:], row, strict=True)), f"{name} {how}: {got}, expected {scores}")
    said = json.loads(must("predict", "--image", "--zero-based", "--json", LABELLED, file("perceptron-3")))
    wrong = sum(int(a) != b for a, b in zip(answers("perceptron-3")[0], RIGHT))
    check((said["errors"], said["rows"], said["ignored"]) == (wrong, 3, 0), f"{said}, {wrong} errors expected")
    one_more = re.sub(r"(\d+):", lambda found: f"{int(found.group(1)) + 1}:", get(ROWS).decode())
    check(must("predict", "--image", "-q", put("more.svm", one_more), file("perceptron-3")).split() ==
          predicted("perceptron-3"), "indices from 1 without it")
    table = put("t.csv", "".join(",".join(map(str, [*x, y])) + "\n" for x, y in zip(QUESTIONS, RIGHT)))
    check(must("predict", "--image", "-q", table, file("perceptron-3")).split() == predicted("perceptron-3"), "columns in order")


def test_scores():
    """Curves and thresholds are about the one score of two classes."""
    check(must("predict", "--image", "--zero-based", "-q", "-s", ROWS, file("averaged")).startswith("label 1\n"),
          "a score")
    scores = [score for score, in answers("averaged")[1]]
    for threshold in (sum(sorted(scores)[:2]) / 2, sum(sorted(scores)[1:]) / 2):
        check(predicted("averaged", f"--threshold={threshold}") == ["1" if s > threshold else "-1" for s in scores],
              f"--threshold {threshold}")
    signs = put("signs.svm", "".join(f"{2 * label - 1} {pairs}" for label, pairs in zip(RIGHT, PAIRS)))
    auc = json.loads(must("predict", "--image", "--zero-based", "--json", "--report", signs, file("averaged")))["report"]["auc"]
    check(auc == sum(scores[i] > scores[1] for i in (0, 2)) / 2, f"AUC {auc} of {scores}")


def weights(name):
    """The lines of show --csv, from the arrays of the image by the tables of examples/FORMAT.md."""
    fields, parts, arrays, _ = read(get(file(name)), tables(get(PAGE).decode()))
    n, k = fields["features"], fields["scores"]
    numbers = arrays["weights"] + arrays["biases"]
    if "sums" in arrays:
        numbers = [w * (fields["clock"] + 1) - s for w, s in zip(numbers, arrays["sums"])]
    for j in range(n + 1):
        for c in range(k):
            value = numbers[n * k + c if j == n else j * k + c if "feature-major" in parts else c * n + j]
            yield (str(j) if j < n else "(bias)"), labels_of(name)[c if k > 1 else 1], value * arrays.get("scales", [1] * k)[c]


def check_shown(name, algorithm, saved):
    rows, updates, mistakes = struct.unpack_from("<3Q", get(file(name)), 32)
    said = json.loads(must("show", "--json", file(name)))
    check((said["algorithm"], said["image"], said["labels"], said["features"], said["rows"], said["updates"]) ==
          (algorithm, saved, labels_of(name), 3, rows or None, updates if rows else None), f"{name} as JSON: {said}")
    return rows, updates, mistakes


def test_show():
    for name, (algorithm, saved, options) in IMAGES.items():
        rows, updates, mistakes = check_shown(name, algorithm, saved)
        alone = "learned    not in the file: it has the weights alone"
        check(must("show", "--top", "3", file(name)).splitlines()[:7] == [
            f"algorithm  {algorithm}", f"image      {saved} alone, as C saves it: features and classes are numbers from 0",
            f"options    {options}".rstrip().ljust(10), f"learned    {rows} rows, {updates} updates, {mistakes} mistakes" if rows else alone,
            f"classes    {len(labels_of(name))}: " + " ".join(labels_of(name)), "features   3",
            f"bytes      {len(get(file(name)))}"], f"{name}: {must('show', '--top', '3', file(name))}")
    names = put("names", "".join(f"n{j}\n" for j in range(3)))
    check("\nn2,1," in must("show", "--csv", "--names", names, file("perceptron")), "or names, if somebody has them")
    check('"image"' not in must("show", "--json", train(put("d", "1 1:1\n2 2:1\n"))), "of a model file nothing is said")


def test_weights():
    for name in ("perceptron", "batch", "linear", *INTEGERS):
        got = [line.split(",") for line in must("show", "--csv", file(name)).splitlines()[1:]]
        want = list(weights(name))
        check(len(got) == len(want) and all((a, b) == (c, d) and abs(float(v) - w) <= 1e-7 * abs(w)
                                            for (a, b, v), (c, d, w) in zip(got, want)), f"{name}: {got}, expected {want}")


def test_integers():
    for name, (algorithm, saved) in INTEGERS.items():
        check_shown(name, algorithm, saved)
        for command in (("predict", "--image", "--zero-based", ROWS, file(name)), ("export", "--image", file(name))):
            refused(2, "an image of integers, and does not say in what units its rows are", *command)


def test_export():
    """As a model file."""
    for name in ("averaged", "perceptron-3", "following"):
        must("export", "--image", "--format", "liblinear", file(name), OUT + "/text")
        must("import", OUT + "/text", OUT + "/back")
        check(must("predict", "--zero-based", "-q", ROWS, OUT + "/back").split() == predicted(name),
              f"{name} goes out and comes in")
    check("static int model_predict" in must("export", "--image", "--as", "arrays", "--predict", file("arow")), "arrays")
    check("pcn_kernel_rbf(0)" in must("export", "--image", file("random-3")), "a kernel model")
    refused(2, "does not say how large the values were that it was trained on: --test DATA finds a unit for them, "
            "--unit gives one\n", "export", "--image", "--bits", "8", file("perceptron-3"))
    must("export", "--image", "--bits", "8", "--zero-based", "--test", ROWS, file("perceptron-3"), OUT + "/bits.h")


def with_checksum(image):
    return image + struct.pack("<I", zlib.crc32(image))


def test_two_scores():
    """Images of earlier versions could have them."""
    images = [get(file(name))[:-4] for name in ("linear-3", "perceptron-3", "arow", "rbf-3", "random-3")]
    images.append(get(file("linear"))[:64] + bytes(4 * (3 * 2 + 2)))
    for k, image in enumerate(images):
        two = put(f"two{k}", with_checksum(image[:20] + struct.pack("<I", 2) + image[24:]))
        for command in (("show", two), ("predict", "--image", "--zero-based", ROWS, two), ("export", "--image", two)):
            refused(2, f"{two}: two scores: two classes share one, the score of class 1 minus that of class 0", *command)


def test_zero_class():
    """Of one score: weights of 0 say what the image says."""
    for bit, label, word in ((0, "1", "positive"), (512, "-1", "negative")):
        head = bytearray(get(file("linear"))[:64])
        struct.pack_into("<I", head, 12, 1 | bit)
        zeros = put("zeros", with_checksum(bytes(head) + bytes(16)))
        check(predicted("linear", image=zeros) == [label] * 3, f"the class at a score of 0 is the {word} one")
        check(f"options    --zero-class {word}\n" in must("show", zeros), f"show: {word}")
    for name in filter(lambda name: scores_of(name) == 1, INTEGERS):
        word = "negative" if struct.unpack_from("<I", get(file(name)), 12)[0] & 512 else "positive"
        check(f"--zero-class {word}\n" in must("show", file(name)), f"{name}: {word}")


def test_said():
    """An image alone may be a model file cut short: it is taken for one that predicts where somebody says so."""
    whole = train(put("words.svm", "ham 1:1\nspam 2:1\n"), "--word-labels", "--normalize", "maxabs")
    cut = put("cut", image(whole))
    words = "an image alone, or a model file cut short, without labels, names and scaling: --image takes it for an image"
    for alone in (cut, file("perceptron-3")):
        refused(2, f"{alone}: {words}", "predict", ROWS, alone)
        refused(2, f"{alone}: {words}", "export", alone)
    check(must("predict", "--image", "-q", put("no labels", "1:1\n2:1\n"), cut).split() == ["-1", "1"], "where it is said")
    for command in ("predict", OUT + "/words.svm"), ("export",):
        refused(1, f"--image: {whole} is a model file, with labels: leave it out", command[0], "--image", *command[1:], whole)
    for command in ("predict", ROWS), ("export",):
        refused(1, f"--decision last, averaged or voted: {file('polynomial')} has all its states, and does not say which decide",
                command[0], "--image", *command[1:], file("polynomial"))



OPENS = r"""
#define PERCEPTRON_IMPLEMENTATION
#include <stdio.h>
#include "perceptron.h"

int main(int argc, char **argv)
{
    static uint32_t image[1 << 16];
    static float memory[PCN_PERCEPTRON_FLOATS(1 << 14, 2)];
    pcn_linear m;
    pcn_ilinear i;
    pcn_kmodel k;
    pcn_perceptron t;
    FILE *f = fopen(argv[argc - 1], "rb");
    const size_t size = f ? fread(image, 1, sizeof image, f) : 0;
    const int opened = pcn_linear_open(&m, image, size);
    if (pcn_perceptron_init(&t, 1 << 14, 2, memory, sizeof memory) < 0) return 1;
    printf("%d %d %d %d %d %s\n", pcn_image_read(NULL, image, size) == opened, pcn_ilinear_open(&i, image, size) == opened,
           pcn_kmodel_open(&k, pcn_kernel_linear(), image, size) == opened, pcn_perceptron_load(&t, image, size) == opened,
           pcn_image_size(image, size) == 0, pcn_error_text(opened));
    return 0;
}
"""


def test_parts():
    """What C saves beside a model is no model, and is said to be what it is."""
    for name, what in (("calibration", "the image of a pcn_calibration, by which scores become probabilities, and no model: "
                        "give the model's file; in C pcn_calibration_load"),
                       ("scaler", "the image of a pcn_scaler, the means and variances of 3 columns, and no model: give the "
                        "model's file; in C pcn_scaler_load")):
        content = get(file(name))
        for command in (("show", ), ("predict", ROWS), ("predict", "--image", ROWS), ("export", "--image")):
            refused(2, f"{file(name)}: {what} takes this one", *command, file(name))
        both = put("both", get(file("linear")) + content)
        first = len(get(file("linear")))
        said = f"{both}: an image of {first} bytes and another behind it{', of a pcn_calibration' * (name != 'scaler')}: "
        for command in (("show", ), ("predict", "--image", ROWS)):
            refused(2, said + f"head -c {first} {both} has the first alone", *command, both)
        subprocess.run(["sh", "-c", f"head -c {first} {both} >{OUT}/first"], check=True)
        check(must("show", OUT + "/first") == must("show", file("linear")), "the first alone")
        refused(1, "--force", "export", "--image", "--as", "raw", file("linear"), put("part", content), force=False)
        check(get(OUT + "/part") == content, "it is not replaced by a raw image")


def test_opened():
    """C hears of a model file that only the program reads, and opens what it exports."""
    put("opens.c", OPENS)
    subprocess.run([*CC, OUT + "/opens.c", "-o", OUT + "/opens", "-lm"], check=True)
    texts, rows = put("t.tsv", "a\tx y\nb\ty z\n" * 9), LABELLED
    for data, *options in (texts, "--text", "--hash", "14"), (rows, "--normalize", "l2"), (rows, "--normalize", "maxabs"):
        model = train(data, "-a", "perceptron", "--final", *options, *["--zero-based"] * (data == rows))
        said = subprocess.run([OUT + "/opens", model], stdout=subprocess.PIPE, check=True).stdout.decode()
        check(said == "1 1 1 1 1 a model file that only the program reads: perceptron export --as image (or raw) for C\n",
              f"{options}: {said}")
        must("export", "--as", "raw", model, OUT + "/raw")
        said = subprocess.run([OUT + "/opens", OUT + "/raw"], stdout=subprocess.PIPE, check=True).stdout.decode()
        check(said.endswith(" 0 ok\n"), f"{options}, exported: {said}")


def test_refusals():
    mine, content = put("mine", get(file("perceptron"))), get(file("perceptron"))
    refused(2, "is an image alone, which says nothing of labels and settings", "train", "--resume", mine, LABELLED, OUT + "/m")
    refused(1, "is no model", "train", LABELLED, mine, force=False)
    for damaged in (content[:-1], content + b"x", content[:70] + b"x" + content[71:], content[:40]):
        for command in (("show",), ("predict", ROWS)):
            refused(2, "not a model file, or cut short", *command, put("damaged", damaged))
    empty = b"PCN\x1a" + struct.pack("<5I", 1, 1, 0, 0, 10**9) + bytes(40)  # no features, any number of classes
    refused(2, "there is nothing in it", "show", put("empty", with_checksum(empty)))


for test in (test_predict, test_scores, test_show, test_weights, test_integers, test_export, test_two_scores, test_zero_class, test_said,
             test_parts, test_opened, test_refusals):
    test()
finish()
