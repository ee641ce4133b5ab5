"""The tables of streams.c, on the sets of the folder PCN_DATA; keeps them in results.txt. From the project's root:
    PCN_DATA=/folder make bench-streams"""
import csv
import json
import lzma
import os
import re
import subprocess
import sys

import results

FOLDER = "build/bench_streams_data"
PLAIN = ["agaricus", "ewt", "letter", "rcv1small", "shuttle", "sms", "sonar", "spam", "vehicle"]


def text_of(name):
    path = os.path.join(os.environ["PCN_DATA"], name)
    with open(path, "rb") if os.path.exists(path) else lzma.open(path + ".xz") as f:
        return f.read().decode()


def write(name, text):
    with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as f:
        f.write(text)


def libsvm(rows):
    """Text of rows (label, values)."""
    return "".join(f"{label} " + " ".join(f"{j}:{v}" for j, v in enumerate(values, 1) if v not in ("0", 0)) + "\n"
                   for label, values in rows)


def with_categories(train, test):
    """Texts of rows whose columns with words become a column of 0 and 1 for each word; the last one has the label."""
    parts = [list(csv.DictReader(text.splitlines())) for text in (train, test)]
    *names, label = parts[0][0]
    columns = []
    for name in names:
        try:
            float(parts[0][0][name])
            columns.append((name, None))
        except ValueError:
            columns += [(name, word) for word in sorted({row[name] for row in parts[0]})]
    classes = sorted({row[label] for row in parts[0]})
    return [libsvm((classes.index(row[label]), [row[name] if word is None else int(row[name] == word)
                                                for name, word in columns]) for row in rows) for rows in parts]


def prepare():
    """One libsvm file for each part of each set; debstream as it is. heart_scale and digits: four rows of five learn."""
    os.makedirs(FOLDER, exist_ok=True)
    for name in PLAIN:
        write(name + ".train.svm", text_of(name + ".train.svm"))
        write(name + ".test.svm", text_of(name + (".dev.svm" if name == "ewt" else ".test.svm")))
    for part, text in zip(("train", "test"), with_categories(*(text_of(f"diamonds.{p}.csv") for p in ("train", "test")))):
        write(f"diamonds.{part}.svm", text)
        write(f"sms.tfidf.{part}.svm", text_of(f"sms.{part}.tfidf.svm"))
    digits = libsvm((row[-1], row[:-1]) for row in csv.reader(text_of("digits.csv").splitlines()))
    for name, text in ("digits", digits), ("heart", text_of("heart_scale.svm")):
        rows = text.splitlines(keepends=True)
        write(name + ".train.svm", "".join(rows[:len(rows) * 4 // 5]))
        write(name + ".test.svm", "".join(rows[len(rows) * 4 // 5:]))
    write("debstream.tsv", text_of("debstream.tsv"))


def main():
    if "PCN_DATA" not in os.environ:
        sys.exit("bench-streams: skipped: PCN_DATA must name the folder with the data sets")
    prepare()
    told = subprocess.run(["build/bench_streams", FOLDER], capture_output=True, text=True, check=True).stdout
    for name, table in re.findall(r"^## (.*)\n((?:\|.*\n)+)", told, re.M):
        results.keep(name, table.splitlines(), "PCN_DATA=/folder make bench-streams; " + results.here())


if __name__ == "__main__":
    main()
