"""Test errors in % after 1 and 10 passes, on the sets of the folder PCN_DATA: the program's learners, and LIBLINEAR and
scikit-learn where they are installed. From the project's root:
    PCN_DATA=/folder python3 tests/bench/errors.py
Keeps the page's table in results.txt. Rows as they are, one shuffled order (--seed 1); every other option not named is the
default. A split is one draw: differences of a few rows mean nothing."""
import json
import lzma
import os
import re
import shutil
import subprocess
import statistics
import sys

import results

OUT = "build/bench_errors"
SETS = {"sonar": "test", "vehicle": "test", "spam": "test", "sms": "test", "sms.tfidf": "test", "rcv1small": "test",
        "letter": "test", "shuttle": "test", "ewt": "dev"}
RAW = ["--normalize", "none"]
OURS = {"perceptron": ["-a", "perceptron", "--rule", "fixed"], "averaged": ["-a", "averaged", "--rule", "fixed"],
        "PA-I": ["-a", "averaged", "--rule", "pa1", "-C", "0.1"], "AROW": ["-a", "arow"],
        "AROW, mean": ["-a", "arow", "--decision", "averaged"]}
SKLEARN = """
import sys, warnings
from sklearn.datasets import load_svmlight_files
from sklearn.linear_model import PassiveAggressiveClassifier, SGDClassifier
warnings.filterwarnings("ignore")
x, y, tx, ty = load_svmlight_files(sys.argv[1:3])
for passes in 1, 10:
    for make in PassiveAggressiveClassifier, SGDClassifier:
        print(100 * (1 - make(max_iter=passes, tol=None, random_state=1).fit(x, y).score(tx, ty)))
"""


def find(name):
    """The path of a data file, unpacked if it lies there packed."""
    plain = os.path.join(os.environ["PCN_DATA"], name)
    if os.path.exists(plain):
        return plain
    os.makedirs(OUT, exist_ok=True)
    unpacked = os.path.join(OUT, name)
    if not os.path.exists(unpacked):
        with lzma.open(plain + ".xz") as packed, open(unpacked, "wb") as out:
            out.write(packed.read())
    return unpacked


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def ours(options, passes, train, test):
    told = run("build/perceptron", "train", "--force", "--json", "-q", *RAW, "--order", "each", "-e", str(passes), *options,
               "-t", test, train, OUT + "/model")
    return 100 * (1 - json.loads(told)["test"]["accuracy"])


def liblinear(solver, train, test):
    run("liblinear-train", "-q", "-s", solver, train, OUT + "/liblinear")
    told = run("liblinear-predict", test, OUT + "/liblinear", "/dev/null")
    return 100 - float(re.search(r"Accuracy = ([\d.]+)%", told)[1])


def columns(train, test):
    """(name, error) of every learner."""
    for passes in 1, 10:
        for name, options in OURS.items():
            yield f"{name}, {passes}", ours(options, passes, train, test)
    if shutil.which("liblinear-train"):
        for solver in "1", "3":
            yield f"LIBLINEAR -s {solver}", liblinear(solver, train, test)
    if subprocess.run(["/usr/bin/python3", "-c", "import sklearn"], capture_output=True).returncode == 0:
        errors = run("/usr/bin/python3", "-c", SKLEARN, train, test).split()
        for name, error in zip(("PassiveAggressive, 1", "SGD, 1", "PassiveAggressive, 10", "SGD, 10"), errors):
            yield f"scikit-learn {name}", float(error)


def main():
    if "PCN_DATA" not in os.environ:
        sys.exit("errors.py: PCN_DATA must name the folder with the data sets")
    os.makedirs(OUT, exist_ok=True)
    table = {}
    for name, part in SETS.items():
        stem, _, kind = name.partition(".")
        files = [find(f"{stem}.{which}{'.' + kind if kind else ''}.svm") for which in ("train", part)]
        for column, error in columns(*files):
            table.setdefault(column, {})[name] = error
    rows = [["test error, %", *SETS, "mean"], "|---" * (len(SETS) + 2) + "|"]
    for column, errors in table.items():
        rows.append([column, *(f"{errors[name]:.2f}" for name in SETS), f"{statistics.mean(errors.values()):.2f}"])
    results.keep("errors", rows, "PCN_DATA=/folder python3 tests/bench/errors.py; " + results.here())


if __name__ == "__main__":
    main()
