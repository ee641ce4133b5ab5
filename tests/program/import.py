"""What perceptron import reads predicts as liblinear-predict does, goes out again as it came in, and can be trained
on; a damaged text is refused with its line."""
import os
import shutil
import struct
import subprocess

from cli import OUT, PROGRAM, check, finish, get, put, refused, run, skip, train
from exported import *

THREE = "solver_type MCSVM_CS\nnr_class 3\nlabel 20 10 30\nnr_feature 2\nbias 2\nw\n1 0 -1\n0 1 -1\n0.1 0.2 0.25\n"


def parts(model):
    """What the image at the start of a model file has (enum pcn_part)."""
    return struct.unpack_from("<I", model, 12)[0]


def test_import():
    rows = put("rows", "0 1:1\n0 2:1\n0\n0 1:2 2:1\n")
    for text, expected in [  # worked by hand
            (BINARY, "1 -1 -1 -1"), (BINARY.replace("label 1 -1", "label -1 1"), "-1 1 1 1"),
            (BINARY.replace("-1\nw", "3\nw") + "0.5\n", "1 -1 1 1"),
            (BINARY.replace("L2R_LR", "MCSVM_CS").replace("1 \n-2 \n", "1 0\n0 2\n"), "1 -1 -1 1"),
            (BINARY.replace("L2R_LR", "MCSVM_CS").replace("label 1 -1", "label -1 1").replace(
                "1 \n-2 \n", "1 0\n0 2\n"), "-1 1 1 -1"),
            (THREE, "20 10 30 20"), (THREE.replace("bias 2", "bias 0"), "20 10 20 20"),
            (THREE.replace("0.1 0.2 0.25\n", "").replace("bias 2", "bias -1"), "20 10 20 20")]:
        equal(predictions(rows, imported(text)), expected.split(), f"import of {text!r}")
        if shutil.which("liblinear-predict"):
            got = tool_predictions("liblinear-predict", rows, put("text", text))
            equal(got, expected.split(), f"liblinear-predict with {text!r}")
    model = get(imported(BINARY))
    turned = get(imported(BINARY.replace("label 1 -1", "label -1 1"), "turned"))
    check(parts(model) & 512 and not parts(turned) & 512, "the class at a score of 0 is part of the image")
    head, weights = BINARY.split("w\n")
    lines = head.split("\n")[:-1]
    for same in (" ".join(BINARY.split()), BINARY.replace("\n", "\r\n"), BINARY.strip(),
                 "\n".join(lines[::-1][:2] + lines[:3]) + "\nw\n" + weights,
                 BINARY.replace("1 \n-2", "1e0\t-.2E+1"), BINARY.replace("label 1", "label +1.0")):
        check(get(imported(same)) == model, f"the same model from {same!r}")
    done = subprocess.run([PROGRAM, "import", "-"], input=BINARY.encode(), capture_output=True)
    check(done.returncode == 0 and done.stdout == model, "from standard input to standard output")
    biased = imported(BINARY.replace("-1\nw", "3\nw") + "0.5\n")
    more = train(put("d", "-1\n"), "-e", "1", "--rule", "fixed", "--resume", biased, model="more")
    check(predictions(put("d", "-1\n"), more, "-s", "--no-header") == ["-1 -7.5"], "a bias of input 3 learns on: 1.5 - 3 * 3")


def test_round_trip(data):
    zeros = ("-a", "perceptron", "-e", "1", "-B", "0", *FILE)
    for name, options in (("digits", ()), ("small", zeros), ("small", (*zeros, "--zero-class", "negative")),
                          ("small 3", ("-a", "perceptron", "-e", "1", "--order", "file"))):
        rows, test = data[name]
        model = train(rows, *options)
        text = must("export", "--format", "liblinear", model)
        back = imported(text)
        equal(predictions(test, back, "-s", "--no-header"), predictions(test, model, "-s", "--no-header"),
              f"{name} out and in, with scores")
        check(must("export", "--format", "liblinear", back) == text, f"{name} out, in and out")


def test_liblinear_models(data):
    """Every solver; among the rows are an empty one and features that the model has not seen."""
    if not all(map(shutil.which, ("liblinear-train", "liblinear-predict"))):
        return skip("import against liblinear-predict: liblinear-tools not installed")
    trained = [("two labels", put("two.train", noisy(300, 8, (1, -1), 11, 1)), data["noisy"][1]),
               ("four labels", put("four.train", noisy(300, 12, (7, 2, 30, -4), 12, 1)), data["noisy 4"][1])]
    if "heart" in data:
        trained.append(("heart", *data["heart"]))
    for name, rows, test in trained:
        tested = put("tested", get(test) + b"1\n1 100:1\n1 1:1 100:1\n")
        for solver in range(8):
            for bias in ("-1", "1", "0.3"):
                subprocess.run(["liblinear-train", "-q", "-s", str(solver), "-e", "1", "-B", bias, rows,
                                OUT + "/text"], check=True,
                               capture_output=True)
                expected = tool_predictions("liblinear-predict", tested, OUT + "/text")
                must("import", OUT + "/text", OUT + "/imported")
                equal(predictions(tested, OUT + "/imported"), expected, f"{name} by solver {solver}, -B {bias}")
    for solver in (11, 12, 13):
        subprocess.run(["liblinear-train", "-q", "-s", str(solver), data["noisy"][0], OUT + "/text"], check=True,
                       capture_output=True)
        refused(2, "another task", "import", OUT + "/text", OUT + "/imported")


DAMAGE = [  # what in BINARY becomes what, the line and the words of the answer
    ("label 1 -1\n", "", 5, "no label"), ("nr_feature 2\n", "", 5, "no nr_feature"),
    ("bias -1\n", "", 5, "no bias"), ("solver_type L2R_LR\n", "", 5, "no solver_type"),
    ("nr_class 2\n", "", 2, "label stands before nr_class"), (BINARY, "w\n", 1, "no solver_type"),
    ("nr_feature", "nr_class 2\nnr_feature", 4, "nr_class stands twice"),
    ("w\n", "label 1 -1\nw\n", 6, "label stands twice"), ("w\n", "bias -1\nw\n", 6, "bias stands twice"),
    ("w\n", "nr_feature 2\nw\n", 6, "nr_feature stands"), ("w\n", "solver_type L2R_LR\nw\n", 6, "solver_type st"),
    ("L2R_LR", "L2R_L2LOSS_SVR", 1, "another task"), ("L2R_LR", "ONECLASS_SVM", 1, "another task"),
    ("L2R_LR", "L2R", 1, "'L2R' is not a solver"), ("L2R_LR\n", "", 1, "'nr_class' is not a solver"),
    ("class 2", "class 1", 2, "nr_class '1'"), ("class 2", "class x", 2, "nr_class 'x'"),
    ("class 2", "class 3", 4, "label 'nr_feature'"), ("class 2", "class 1000000", 4, "label 'nr_feature'"),
    ("label 1 -1", "label 1 1", 3, "label 1 stands twice"), ("label 1 -1", "label 1 1.5", 3, "label '1.5'"),
    ("label 1 -1", "label 1 3000000000", 3, "'3000000000'"), ("label 1 -1", "label 1 -1 2", 3, "'2' is not a line"),
    ("feature 2", "feature 0", 4, "nr_feature '0'"), ("feature 2", "feature -1", 4, "nr_feature '-1'"),
    ("feature 2", "feature 99999999999", 4, "99999999999"), ("feature 2", "feature 4294967298", 4, "4294967298"),
    ("feature 2", "feature 1", 8, "more weights"), ("feature 2", "feature 3", 9, "weight missing"),
    ("feature 2", "feature 9", 6, "too few weights"), ("feature 2", "feature 2147483647", 6, "too few weights"),
    ("bias -1", "bias 1", 9, "weight missing"), ("bias -1", "bias x", 5, "bias 'x'"),
    ("bias -1", "bias nan", 5, "bias 'nan'"), ("bias -1", "bias inf", 5, "bias 'inf'"),
    ("bias -1", "bias 1e39", 5, "bias '1e39' overflows"), ("bias -1", "bias 1e999", 5, "bias '1e999' overflows"),
    ("bias -1\nw\n1 \n-2", "bias 1e20\nw\n1\n-2\n1e30", 9, "weight times bias overflows"),
    ("-2 \n", "", 8, "weight missing"), ("-2 \n", "-2\n3\n", 9, "more weights"),
    ("-2 \n", "-2\nx", 9, "more weights"),
    ("-2", "nan", 8, "weight 'nan'"), ("-2", "-inf", 8, "weight '-inf'"), ("-2", "2,5", 8, "weight '2,5'"),
    ("-2", "-1.3e24", 8, "2^80"), ("bias -1\nw\n1 \n-2", "bias 1e12\nw\n1\n-2\n2e12", 9, "2^80"),
    ("-2", "1e39", 8, "overflows"), ("-2", "-1e999", 8, "overflows"), ("-2", "0x2", 8, "weight '0x2'"),
    ("-2", "2-", 8, "weight '2-'"), ("w\n1 \n-2 \n", "", 6, "line 'w' missing"), (BINARY, "", 1, "line 'w' missing"),
    (BINARY, "hello\n", 1, "'hello' is not a line"), (BINARY, THREE.replace("1 -1", "1"), 10, "weight missing"),
    (BINARY, THREE.replace("10 30", "10"), 4, "label 'nr_feature'"),
]


def test_bad_texts():
    kept = get(imported(BINARY))
    for old, new, line, words in DAMAGE:
        check(BINARY.count(old) == 1, f"{old!r} stands in the text")
        path = put("text", BINARY.replace(old, new))
        refused(2, f"{path}:{line}: ", "import", path, OUT + "/imported")
        refused(2, words, "import", path, OUT + "/imported")
    refused(2, "NUL", "import", put("text", BINARY.replace("-2", "\0")), OUT + "/imported")
    check(get(OUT + "/imported") == kept, "a bad text leaves the old model")


def test_refusals():
    rows, kept = put("rows", "1 1:1\n"), put("kept", "kept")
    for status, text, *arguments in [
            (1, "takes FILE"), (1, "takes FILE", rows, kept, kept),
            (1, "choose one of", "--format", "libsvm", rows, kept),
            (1, "not an option", "--walk", rows, kept), (3, "No such file", OUT + "/absent", kept),
            (3, "Is a directory", OUT, kept), (3, "absent", put("text", BINARY), OUT + "/absent/m")]:
        refused(status, text, "import", *arguments)
    check(get(kept) == b"kept", "what is refused leaves the old file")
    if os.path.exists("/dev/full"):
        refused(3, "No space", "import", put("text", BINARY), "/dev/full")
    check(must("import", "--help").startswith("usage: perceptron import "), "import --help")


def test_old_files():
    """Without --force a model alone is replaced: no text, and no image without the section of a model file."""
    text, model = put("text", BINARY), imported(BINARY, "model")
    must("export", "--as", "raw", model, OUT + "/raw")
    raw = OUT + "/raw"
    for name, content in (("raw", get(raw)), ("rows", b"1 1:1\n"), ("cut", get(model)[:-1]), ("four", b"PCN\x1a"),
                          ("end", b"PCNP")):
        path = put(name, content)
        for command in (("import", text), ("train", "-q", put("d", "1 1:1\n-1 2:1\n"))):
            refused(1, "is no model", *command, path, force=False)
            check(get(path) == content, f"{name} is left as it was")
    must("import", text, model, force=False)
    must("import", text, put("empty", ""), force=False)


data = sets()
test_import()
test_round_trip(data)
test_liblinear_models(data)
test_bad_texts()
test_refusals()
test_old_files()
finish()
