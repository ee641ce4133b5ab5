#!/usr/bin/env python3
"""Files as users have them, and what a model and a cache remember: nothing is silently read in another way."""
import random

from cli import *


def rows_of(seed, count, *kinds):
    """CSV lines of values drawn from the texts of each kind."""
    draw = random.Random(seed)
    return "".join(",".join(draw.choice(kind) for kind in kinds) + "\n" for _ in range(count))


BITS = ["0", "1"]


def test_cache_and_model():
    """A cache is of the file as it is read without a model: label column and gaps may be others for a model."""
    cache = OUT + "/cache"
    for header in ("", "y,a,b,c\n"):
        data = put("d.csv", header + rows_of(1, 60, BITS, BITS, BITS, BITS))
        old = train(data, "--label", "1", model="old")
        for options in (["--resume", old], []), ([], ["--resume", old]):
            for more in options:
                check(get(train(data, *more, "--cache", cache)) == get(train(data, *more)),
                      f"the label column of a model and of a cache: {options}, header '{header[:-1]}'")
            if os.path.exists(cache):
                os.remove(cache)
    gaps = ["NA", "1", "2", "3", "4"]
    data, half = (put(name, "a,b,c,y\n" + rows_of(2, n, gaps, gaps, gaps, BITS)) for name, n in (("g", 60), ("h", 30)))
    old = train(half, "--missing", "mean", model="old")
    for options in (["--resume", old], ["--missing", "mean"], ["--resume", old]):
        check(get(train(data, *options, "--cache", cache)) == get(train(data, *options)),
              f"gaps in a cache: {options}")


def test_what_is_remembered():
    data = put("d.csv", "a;b;y\n" + rows_of(3, 30, BITS, BITS, BITS).replace(",", ";"))
    half = train(data, "-e", "1", "--order", "each", "--sep", ";", model="half")
    check(image(train(data, "-e", "2", "--resume", half)) == image(train(data, "-e", "3", "--sep", ";")),
          "--resume has the model's separator")
    signed = put("s.csv", rows_of(4, 40, BITS, BITS, ["+1", "-1"]))
    check(get(train(signed, "--weight", "+1=2")) != get(train(signed)), "--weight +1=2 changes the weights")
    check(image(train(signed, "--weight", "+1=2")) == image(train(signed, "--weight", "1.0=2")) ==
          image(train(signed, "--weight", "1=2")), "--weight takes labels as data has them")


def test_left_out():
    """A row that is left out is as if it was not in the file."""
    words = ["NA", "u", "v", "w", "x", "z"]
    text = "1,NA,only here,1\n" + rows_of(5, 40, BITS, words, words, BITS)
    kept = "".join(line + "\n" for line in text.splitlines() if "NA" not in line)
    check(image(train(put("d.csv", text), "--missing", "drop")) == image(train(put("k.csv", kept))),
          "dropped rows give no features")


def test_first_lines():
    """What is a header, a comment, a format."""
    hash_ = put("hash.csv", "#a,b,y\n" + rows_of(6, 20, BITS, BITS, BITS))
    refused(2, "hash.csv:2: the line that begins with '#'", "train", hash_, OUT + "/m")
    model = train(hash_, "--format", "csv")
    check("\n#a,1," in must("show", "--csv", model), "a header may begin with #")
    must("train", put("comment.csv", "# bits\n" + rows_of(6, 20, BITS, BITS, BITS)), OUT + "/m")
    rows = rows_of(7, 20, BITS, BITS, BITS)
    model = train(put("numbers.csv", "0,1,2\n" + rows), "--header")
    check(must("predict", put("n.csv", "0,1,2\n" + rows), model) == must("predict", put("n.csv", rows), model),
          "names that are numbers are known again")
    one = put("one.csv", "a,y\n" + "".join(f"{i},{int(i > 3)}\n" for i in range(8)))
    model = train(one)
    check(must("predict", put("o.csv", "a\n" + "".join(f"{i}\n" for i in range(8))), model) ==
          must("predict", one, model), "a file of one column, for a model of CSV")


def test_other_models():
    """Rows of another kind than the model's."""
    text = put("text", "spam\tbuy now\nham\thello\n")
    refused(1, "the model was trained on CSV", "predict", "--text", text,
            train(put("c.csv", "buy,now,y\n1,0,ham\n0,1,spam\n")))
    sparse = put("sparse", "1\n2 1:1\n1\n")
    check(must("predict", "-q", sparse, train(put("d.csv", "0,1,1\n1,1,2\n0,0,1\n"))) == "1\n2\n1\n",
          "libsvm text that begins with a row of zeros, for a model of CSV")


def test_numbers_of_columns():
    """A column that an option names by its number is the same column in a file where its number is another."""
    lines = [line.split(",") for line in rows_of(9, 40, BITS, BITS, BITS, BITS, [str(i) for i in range(50)]).split()]
    pick = lambda header, *columns: "".join(
        ",".join(row[i] for i in columns) + "\n" for row in [["y", "a", "b", "c", "id"]] * header + lines)
    data, other = put("d.csv", pick(1, 0, 1, 2, 4, 3)), put("o.csv", pick(1, 1, 2, 3, 0))
    options = ["--label", "1", "--ignore", "4"]
    tested = must("train", "-q", *options, "-t", other, data, OUT + "/m")
    check(tested == must("train", "-q", *options, "-t", data, data, OUT + "/m"), "--label 1 and another --test file")
    half = train(data, "-e", "1", "--order", "each", *options, model="half")
    check(image(train(data, "-e", "2", "--resume", half)) == image(train(data, "-e", "3", *options)),
          "--resume has --ignore 4 of a file with names")
    model = train(put("n.csv", pick(0, 0, 1, 2, 4, 3)), *options)
    check(must("predict", "-q", put("u.csv", pick(0, 1, 2, 4, 3)), model) ==
          must("predict", "-q", OUT + "/n.csv", model), "--ignore 4 of a file without a header and labels")


def test_names():
    """Columns whose features would have the same name."""
    data = put("twice.csv", "t,t=u,y\nu,1,0\nv,0,1\nu,0,1\n")
    refused(2, "column 't=u' could be a feature of column 't'", "train", data, OUT + "/m")
    must("train", "--ignore", "t=u", data, OUT + "/m")


def test_outputs():
    """Two outputs in one file, though its name is spelt in two ways."""
    data = put("d.csv", rows_of(8, 20, BITS, BITS, BITS))
    model, new = train(data), OUT + "/new"
    for arguments in (["train", "--plot", new, data], ["train", "--cache", new, data],
                      ["predict", "--roc", new, data, model]):
        refused(1, "is to hold two outputs", *arguments, OUT + "/../robust/new")
        check(not os.path.exists(new), f"nothing is written: {arguments}")
    check(run("train", data, OUT + "/no folder/m")[0] == 3, "no such folder")
    must("train", data, OUT + "/../robust/m")


for test in (test_cache_and_model, test_what_is_remembered, test_left_out, test_first_lines, test_other_models,
             test_numbers_of_columns, test_names, test_outputs):
    test()
finish()
