"""What 1.x promises is there, as far as files can hold it: names, signatures and codes of the header, options of the
program, and its model files, which give the same answers.

tests/program/promise/VERSION has those of each version; images are in header/format.py, bits in targets/. From the
project's root: `python3 tests/program/promise.py write tests/program/promise/VERSION` makes a new folder.
"""
import glob
import os
import re
import sys

from cli import OUT, check, finish, get, put, run

TABLE = b"""colour,weight,height,kind
red,4,24,cat
red,9,24,dog
grey,3,22,cat
,30,60,dog
grey,500,150,horse
brown,?,160,horse
brown,12,40,dog
red,450,155,horse
grey,5,25,cat
"""
TEXTS = b"".join(line + b"\n" for line in get("examples/data/languages.tsv").splitlines()[:12])
CURVE = get("examples/data/xor.csv")
# Of each model file its data, and the options that it was trained with.
MODELS = {
    "table": (TABLE, "--missing mean"), "online": (TABLE, "--missing zero --online --probabilities"),
    "words": (TEXTS, "--text"), "arow": (TEXTS, "--text -a arow -e 1 --words binary"),
    "kernel": (TABLE, "-a kernel --kernel rbf --missing mean"), "voted": (CURVE, "-a voted -e 3"),
    "textbook": (CURVE, "--textbook"), "winnow": (CURVE, "-a winnow2 --normalize none"),
}


def names(header):
    """A line each: functions with the types of what they take, macros, codes, switches, and fields but for `own`."""
    asked = re.findall(r"\bPERCEPTRON_[A-Z_]+\b", "\n".join(re.findall(r"^#.*", header, re.M)))
    asked += re.findall(r"^#ifndef (PCN_[A-Z_]+)\b", header, re.M)
    yield from (f"switch {name}" for name in asked if name != "PCN_IMPLEMENTED")
    text = header.split("/* ==== Implementation")[0]
    yield from (f"code {name} {value}" for name, value in re.findall(r"X\((PCN_E\w+), (-\d+)", text))
    text = re.sub(r"\s*\\\n\s*", " ", re.sub(r"/\*.*?\*/|//.*", "", text, flags=re.S))
    for name, takes in re.findall(r"^#define (PCN_\w+)(\([^)]*\))?", text, re.M):
        if name not in ("PCN_ERRORS", "PCN_ENUM_", "PCN_API", "PCN_INLINE", "PCN_MAYBE_UNUSED"):
            yield f"macro {name}" + (f" of {takes.count(',') + 1}" if takes else "")
    text = re.sub(r"^\s*#.*", "", text, flags=re.M)
    for gives, name, takes in re.findall(r"PCN_(?:API|INLINE)\s+(?:PCN_MUST_CHECK\s+)?([\w\s*]+?)(pcn_\w+)\(([^)]*)\)", text):
        types = [re.sub(r"(?<=[\s*])\w+$", "", " ".join(one.split())).strip() or "void" for one in takes.split(",")]
        yield f"function {' '.join(gives.split())} {name}({', '.join(types)})"
    for body, name in re.findall(r"typedef struct \w+ \{(.*?)\n\} (\w+);", text, re.S):
        for field in re.sub(r"struct \{[^}]*\} own;", "", body, flags=re.S).split(";")[:-1]:
            yield f"field {name}: {' '.join(field.split())}"
    for body in re.findall(r"enum \w+ \{(.*?)\}", text, re.S):
        yield from (f"constant {name}" for name in re.findall(r"PCN_\w+", body) if name not in ("PCN_ERRORS", "PCN_ENUM_"))


def options():
    """Of each command its options, as its help names them."""
    for command in ("train", "compare", "predict", "export", "import", "show"):
        told = run(command, "--help", "all")[1]
        for line in re.findall(r"^  (-.*?)(?:  |$)", told, re.M):
            yield from (f"{command} {option}" for option in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", line, re.I))


def kept():
    return "".join(line + "\n" for line in sorted({*names(get("perceptron.h").decode()), *options()}))


def answers(folder, name):
    """Labels and scores that the model file gives its rows, before and after it learns them once more."""
    data, how = MODELS[name]
    rows, model, later = put(name + (".tsv" if "--text" in how else ".csv"), data), f"{folder}/{name}.model", OUT + "/later.model"
    said = b""
    for command in (("predict", "-s", rows, model, OUT + "/scores"), ("train", "--resume", model, "-e", "1", rows, later),
                    ("predict", "-s", rows, later, OUT + "/scores")):
        status, _, error = run(*command, plain=False)
        if status:
            return error.encode()
        said += get(OUT + "/scores") if command[0] == "predict" else b"\n"
    return said


def write(folder):
    os.makedirs(folder)
    for name, (data, how) in MODELS.items():
        rows = put(name + (".tsv" if "--text" in how else ".csv"), data)
        status, _, said = run("train", *how.split(), rows, f"{folder}/{name}.model", plain=False)
        assert status == 0, said
        with open(f"{folder}/{name}.answers", "wb") as f:
            f.write(answers(folder, name))
    with open(folder + "/names.txt", "w", encoding="utf-8") as f:
        f.write(kept())


def check_names(folder):
    gone = sorted(set(get(folder + "/names.txt").decode().splitlines()) - set(kept().splitlines()))
    check(not gone, f"of {os.path.basename(folder)} there is no longer: {', '.join(gone)}")


def check_models(folder):
    for name in MODELS:
        if os.path.exists(f"{folder}/{name}.model"):
            check(answers(folder, name) == get(f"{folder}/{name}.answers"), f"{folder}/{name}.model says something else")


def main():
    if sys.argv[1:2] == ["write"]:
        return write(sys.argv[2])
    folders = sorted(glob.glob("tests/program/promise/*"))
    check(folders, "there are no files of any version")
    for folder in folders:
        check_names(folder)
        check_models(folder)
    finish()


main()
