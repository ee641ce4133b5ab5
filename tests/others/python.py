"""examples/python: what its page shows comes out when it is typed; its images and predictions are the program's, byte
for byte; a model of another library finds its way to C."""
import os
import re
import shutil
import subprocess
import sys

from cli import DIGITS, OUT, check, finish, get, image, must, predictions, put, skip, train

PAGE = get("examples/python/README.md").decode()
FIRST, RECIPE = re.findall(r"```python\n(.*?)```", PAGE, re.S)
WITH_NUMPY = next((path for path in (sys.executable, "/usr/bin/python3") if subprocess.run(
    [path, "-c", "import numpy"], capture_output=True).returncode == 0), None)


def python(code):
    done = subprocess.run([WITH_NUMPY, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": "examples/python"})
    check(done.returncode == 0, f"python: {done.stderr[-800:]}")
    return done.stdout


def test_page():
    """The first example: what it saves is what the program makes of the same rows."""
    share = float(python(FIRST.replace("build/digits.image", OUT + "/page.image")).strip() or 0)
    lines = get(DIGITS).decode().splitlines(True)
    rest, first = put("rest.csv", "".join(lines[300:])), put("first.csv", "".join(lines[:300]))
    model = train(rest, "--textbook", "-a", "averaged", "-e", "3", "--stop", "never", "--rows", "dense", plain=False)
    check(get(OUT + "/page.image") == image(model), "the page's image has other bytes than the program's")
    right = sum(line.split(",")[-1].strip() == said for line, said in zip(lines, predictions(first, model)))
    check(share == right / 300, f"the page gets {share} of new rows right, the program {right / 300}")


def test_forms():
    """Two classes, loading and going on, and errors."""
    out = python("""
import numpy
from perceptron import Perceptron
draw = numpy.random.default_rng(1)
x = draw.normal(size=(200, 5))
y = x @ [1, -2, 0, 1, 0.5] > 0.3
once, twice = Perceptron(5, 2), Perceptron(5, 2)
once.learn(x[:100], y[:100])
twice.load(once.save())
once.learn(x[100:], y[100:])
twice.learn(x[100:], y[100:])
print(once.save() == twice.save(), (once.predict(x) == y).mean() > 0.9, (once.predict(x) == twice.predict(x)).all())
for wrong in (lambda: once.learn(x[:, :1].repeat(9, 1), y), lambda: once.learn(x, y + 7), lambda: once.load(b"nothing")):
    try:
        wrong()
        print("taken")
    except ValueError as error:
        print(len(str(error)) > 10)
""")
    check(out.split() == ["True"] * 6, f"two classes: {out}")


def test_recipe():
    """Models of two and of three labels as scikit-learn has them: exported C says what they say."""
    rows = [[(i * 7919 % 41 - 20) / 4, (i * 104729 % 37 - 18) / 4] for i in range(300)]
    for labels, weights, bias in (((3, 8), [[2, -1]], [0.5]), ((0, 1, 2), [[1, 0], [-1, 1], [0, -2]], [0.25, 0, -0.5])):
        python(f"""
import numpy
{RECIPE}
class model:
    classes_, coef_, intercept_ = numpy.array({labels}), numpy.array({weights}), numpy.array({bias})
write(model, "{OUT}/sklearn.txt")""")
        scores = [[w[0] * x + w[1] * y + b for w, b in zip(weights, bias)] for x, y in rows]
        said = [labels[s[0] > 0] if len(labels) == 2 else labels[s.index(max(s))] for s in scores]
        clear = [abs(s[0]) > 1e-6 if len(s) == 1 else sorted(s)[-1] - sorted(s)[-2] > 1e-6 for s in scores]
        must("import", OUT + "/sklearn.txt", OUT + "/sklearn.model")
        data = put("sklearn.csv", "".join(f"{x},{y},{label}\n" for (x, y), label in zip(rows, said)))
        got = predictions(data, OUT + "/sklearn.model")
        check(all(int(a) == b for a, b, sure in zip(got, said, clear) if sure) and len(got) == 300, f"{labels}: other labels")
        must("export", "--bits", "8", "--as", "arrays", "--predict", "--test", data, OUT + "/sklearn.model", OUT + "/model.h")


if not WITH_NUMPY:
    skip("numpy is not there (Debian: apt-get install python3-numpy)")
    finish()
made = subprocess.run([shutil.which("make"), "-s", "build/libperceptron.so"], capture_output=True, text=True)
check(made.returncode == 0, f"make build/libperceptron.so: {made.stderr}")
for test in (test_page, test_forms, test_recipe):
    test()
finish()
