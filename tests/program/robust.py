#!/usr/bin/env python3
"""Files as users have them, and what a model remembers of its columns, labels and settings: nothing is silently read in
another way. Progress on a terminal."""
import collections
import json
import os
import pty
import random
import struct
import subprocess
import zlib

from cli import *


def rows_of(seed, count, *kinds):
    """CSV lines of values drawn from the texts of each kind."""
    draw = random.Random(seed)
    return "".join(",".join(draw.choice(kind) for kind in kinds) + "\n" for _ in range(count))


BITS = ["0", "1"]


def test_what_is_remembered():
    data = put("d.csv", "a;b;y\n" + rows_of(3, 30, BITS, BITS, BITS).replace(",", ";"))
    half = train(data, "-e", "1", "--order", "each", "--sep", ";", model="half")
    check(image(train(data, "-e", "2", "--resume", half)) == image(train(data, "-e", "3", "--sep", ";")),
          "--resume has the model's separator")
    signed = put("s", "".join(f"{label} {k % 3 + 1}:1\n" for k, label in enumerate(["+1", "-1", "-1", "+1"] * 10)))
    weighted = [image(train(signed, "--weight", f"{label}=2")) for label in ("+1", "1.0", "1")]
    check(len(set(weighted)) == 1 and weighted[0] != image(train(signed)), "--weight takes labels as libsvm text has them")


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
    must("predict", put("n.csv", "0,1,2\n" + rows), model)
    refused(2, "columns 1 and 3 have the same name '1'", "predict", put("n.csv", rows), model)  # --header is remembered
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
    for arguments in (["train", "--plot", new, data], ["predict", "--roc", new, data, model]):
        refused(1, "is to hold two outputs", *arguments, OUT + "/../robust/new")
        check(not os.path.exists(new), f"nothing is written: {arguments}")
    check(run("train", data, OUT + "/no folder/m")[0] == 3, "no such folder")
    must("train", data, OUT + "/../robust/m")


def test_comments():
    """A comment may touch what is before it: a label, a value."""
    rows, glued = "1 2:3\n2 1:1\n1\n", "1 2:3#c 1:1\n2 1:1#c\n1#c\n"
    check(image(train(put("rows", rows), "-e", "2")) == image(train(put("glued", glued), "-e", "2")), "a glued comment")


def test_sections():
    """A model file whose section is cut short, or another's, though its checksum is right."""
    data = put("d.csv", "a,b,y\n" + rows_of(10, 20, BITS, BITS, BITS))
    three = train(put("t.csv", "a,b,y\n" + rows_of(11, 20, BITS, BITS, ["0", "1", "2"])), model="three")
    model = train(data)
    head, own = image(model), section(model)
    check(must("predict", data, with_section(head, own)) == must("predict", data, model), "forged to what it was")
    for length in range(len(own)):
        refused(2, "forged: the section behind the image is damaged", "predict", data,
                with_section(head, own[:length]))
    for version in 0, 1, 2, 3, 4, 6, 1 << 31:
        refused(2, f"forged: a model file of version {version}; this program reads 5: train again, or take the program that wrote it",
                "predict", data, with_section(head, struct.pack("<I", version) + own[4:]))
    refused(2, "do not fit each other", "predict", data, with_section(image(three), own))
    kernel = train(data, "-a", "kernel", model="kernel")
    head = image(kernel)
    head = head[:64] + struct.pack("<I", 4) + head[68:-4]
    refused(2, "forged: kernel 4 is not one of this program's", "predict", data,
            with_section(head + struct.pack("<I", zlib.crc32(head)), section(kernel)))
    winnow = train(data, "-a", "balanced-winnow", model="winnow")
    head = bytearray(image(winnow)[:-4])
    head[13] &= ~8  # exponents that are not balanced
    refused(2, "forged: image of another kind, shape or layout", "predict", data,
            with_section(bytes(head) + struct.pack("<I", zlib.crc32(head)), section(winnow)))


def with_image(model, how, size, runs):
    """The model file with an image that is stored in another way."""
    return put("stored", struct.pack("<4sIQ", b"PCNM", how, size) + runs + get(model)[-12 - len(section(model)):])


def test_stored():
    """An image of mostly zeros is packed, and nobody but perceptron.h can tell."""
    texts = rows_of(16, 60, ["a", "b", "c"], ["x y", "y z", "z u v", "w"]).replace(",", "\t")
    data = put("t.tsv", texts)
    for options in [], ["-a", "arow"], ["-a", "winnow"], ["-a", "balanced-winnow"], ["--normalize", "l2"], ["-e", "1"]:
        if options[1:] == ["winnow"]:
            data = put("two.tsv", texts.replace("c\t", "b\t"))
        model = train(data, "--text", "--hash", "14", *options)
        plain = with_section(image(model), section(model))
        size, whole = os.path.getsize(model), os.path.getsize(plain)
        check(get(model)[:5] == b"PCNM\1" and 2 * size < whole, f"{options}: {size} bytes, not {whole}")
        check(json.loads(must("show", "--json", model))["bytes"] == size, f"{options}: show says how long it is")
        for command in ("predict", "-q", "--scores", data), ("show", "--csv"), ("export",):
            check(must(*command, model).replace("stored", "") == must(*command, plain), f"{options}: {command}")
        for name, begun in ("on", model), ("on too", plain):
            must("train", "-q", "--resume", begun, data, OUT + "/" + name)
        check(get(OUT + "/on") == get(OUT + "/on too"), f"{options}: it goes on to the same bytes")
    check(must("predict", "-q", data, "-", stdin=get(model)) == must("predict", "-q", data, plain), "from standard input")
    few = put("few.csv", "a,b,y\n" + rows_of(17, 20, BITS, BITS, BITS))
    for options, begin in ([], b"PCN\x1a"), (["--normalize", "l2"], b"PCNM\0"), (["--normalize", "maxabs"], b"PCNM\0"), \
                          (["--binarize"], b"PCNM\0"), (["--products", "all"], b"PCNM\0"):
        model = train(few, *options or ["--normalize", "none"])
        check(get(model)[:len(begin)] == begin, f"{options} begins with {get(model)[:5]}")
        must("train", "-q", few, model, force=False)
        refused(1, "DATA comes before MODEL", "predict", model, few)
    refused(1, "is no model", "train", "-q", few, put("none", b"PCNM" + bytes(60)), force=False)


def test_stored_badly():
    data = put("t.tsv", rows_of(18, 60, ["a", "b"], ["x y", "y z", "z u v", "w"]).replace(",", "\t"))
    model = train(data, "--text", "--hash", "14")
    size, runs = len(image(model)), stored(model)[16:]
    check(must("predict", data, with_image(model, 1, size, runs)) == must("predict", data, model), "as it was")
    check(must("predict", data, with_image(model, 0, size, image(model))) == must("predict", data, model), "as it is")
    for how in 2, 1 << 31:
        refused(2, "stored: how its image is stored needs a newer version", "predict", data, with_image(model, how, size, runs))
    for length in 0, size - 4, size - 1, size + 1, size + 4, 1 << 63, (1 << 64) - 4:
        for how, bytes_ in (0, image(model)), (1, runs):
            refused(2, "stored: not a", "predict", data, with_image(model, how, length, bytes_))
    cut = get(model)
    for length in [*range(4, 16), *range(16, len(cut) - 12, 7)]:
        refused(2, "cut short", "predict", data, put("cut", cut[:length]))
    for at in range(0, len(runs), 3):  # the checksum of the image finds what the runs do not
        changed = runs[:at] + bytes([runs[at] ^ 1 << at % 8]) + runs[at + 1:]
        refused(2, "stored: not ", "predict", data, with_image(model, 1, size, changed))
    empty = runs + bytes(4)  # a run of nothing
    refused(2, "stored: not a model file, or cut short", "predict", data, with_image(model, 1, size + 4, empty))
    huge = b"\xff\x7f\0\0" * 300_000
    refused(4, "stored: out of memory (its weights take", "predict", data,
            with_image(model, 1, 4 * 0x7fff * 300_000, huge))


def test_columns():
    """Columns that files have and models have not, and the other way round."""
    refused(2, "no label column (--label says which it is)", "train", "--ignore", "1", "--ignore", "2",
            put("d.csv", "1,2\n2,1\n"), OUT + "/m")
    lines = rows_of(12, 20, BITS, BITS, BITS, BITS)
    data = put("d.csv", lines)
    refused(2, "3 columns are above the limit of 2 features (--max-dim)", "train", "--max-dim", "2", data, OUT + "/m")
    model = train(put("named.csv", "a,b,c,y\n" + lines))
    refused(2, "'red' is not a finite decimal number: --ignore 'b' leaves the column out", "predict",
            put("red.csv", "a,b,c,y\n0,red,1,1\n"), model)
    texts = rows_of(13, 40, BITS, BITS, ["red", "green", "blue"], BITS)
    model = train(put("texts.csv", texts), "--label", "1")
    bare = put("bare.csv", "".join(line.partition(",")[2] + "\n" for line in texts.splitlines()))
    check(must("predict", "-q", bare, model) == must("predict", "-q", OUT + "/texts.csv", model),
          "columns behind a label that is missing")
    hashed = put("words", "spam\tbuy now\nham\thello\n")
    refused(1, "--hash 5: 32 features, not 7", "train", "--text", "--hash", "5", "--classes", "spam,ham",
            "--features", "7", hashed, OUT + "/m")


def test_strange_labels():
    """Labels that JSON must escape; and as many as no matrix of a report shows, in the order of their mistakes."""
    data = put("d.csv", rows_of(14, 30, BITS, BITS, ["\x01", '"a""\\"']))
    told = json.loads(must("predict", "--json", "--report", data, train(data)))
    check(sorted(told["report"]["labels"]) == ["\x01", 'a"\\'], f"labels in JSON: {told}")
    names = [f"c{i:02}" for i in range(40)]
    data = put("many.csv", rows_of(15, 400, BITS, BITS, BITS, names))
    out, said = run("predict", "--report", data, train(data, "-e", "1"))[1:]
    pairs = collections.Counter(zip((line.split(",")[-1] for line in get(data).decode().split()), out.split()))
    wrong = sorted((-n, *pair) for pair, n in pairs.items() if pair[0] != pair[1])
    check([line.split() for line in said.splitlines()[2:22]] == [[*pair, str(-n)] for n, *pair in wrong[:20]],
          f"the commonest mistakes: {said[:600]}")


def test_progress():
    """On a terminal, a line each time that the rows have doubled."""
    try:
        ours, theirs = pty.openpty()
    except OSError:
        return skip("progress on a terminal: there are none here (mount /dev/pts)")
    done = subprocess.run([PROGRAM, "train", "--force", DIGITS, OUT + "/m"], stderr=theirs, stdout=subprocess.PIPE)
    os.close(theirs)
    text = os.read(ours, 65536).decode()
    os.close(ours)
    return check(done.returncode == 0 and text.count("mistakes since") == 1, f"progress: {text}")


def test_measures():
    """What is said of training that no bound covers."""
    data = put("xor.csv", "0,0,0\n0,1,1\n1,0,1\n1,1,0\n")
    said = must("train", "--measure", "--rule", "pa", data, OUT + "/m")
    check("not for this training" in said, f"Novikoff's bound of pa: {said}")


def test_no_command():
    for word, begin in ("--help", "usage: perceptron "), ("-h", "usage: perceptron "), ("--version", "perceptron "):
        check(must(word).startswith(begin), word)


def test_two_on_output():
    data = put("d.csv", rows_of(17, 20, BITS, BITS, BITS))
    why = "cannot both go to standard output"
    refused(1, "--json and the model " + why, "train", "--json", data, "-")
    refused(1, "--json and the predictions " + why, "predict", "--json", data, train(data), "-")


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
finish()
