"""The reader takes data as they are: columns by name, text columns, missing values, texts, odd files; what is no row
is refused with its line and column."""
import gzip
import json
import re
import shlex

from cli import OUT, check, finish, get, image, must, names_of, predictions, put, refused, run, stored, train

SEED = 7


def draw(below):
    """A small generator of its own, so that the data are the same everywhere."""
    global SEED
    SEED = (SEED * 6364136223846793005 + 1442695040888963407) % 2**64
    return (SEED >> 33) % below


def weights(model):
    """(feature, label) -> weight."""
    lines = must("show", "--csv", model).splitlines()[1:]
    return {tuple(line.rsplit(",", 2)[:2]): float(line.rsplit(",", 2)[2]) for line in lines}


def features(model):
    return list(dict.fromkeys(name for name, label in weights(model) if name != "(bias)"))


def says(text, *arguments, **more):
    """The program succeeds and writes the text on standard error."""
    status, out, err = run(*arguments, **more)
    check(status == 0 and text in err, f"{arguments}: status {status}, '{err}' ('{text}' expected)")
    return out


def test_names():
    """Columns are matched by their names, whatever their order."""
    rows = [(draw(100), draw(100), draw(100)) for i in range(200)]
    kind = ["high" if a + 2 * b > c + 60 else "low" for a, b, c in rows]
    table = put("t.csv", "kind,a,b,c\n" + "".join(f"{k},{a},{b},{c}\n" for k, (a, b, c) in zip(kind, rows)))
    model = train(table, "--label", "kind", "-e", "50")
    expected = predictions(table, model, "--label", "kind")
    right = sum(p == k for p, k in zip(expected, kind))
    check(right > 180, f"{right} of 200 right")
    check(predictions(table, model) == expected, "the label column is found: the model does not know it")
    other = put("o.csv", "c,kind,b,a\n" + "".join(f"{c},{k},{b},{a}\n" for k, (a, b, c) in zip(kind, rows)))
    out = must("predict", other, model, OUT + "/out")
    check(f"({right}/200)" in out and open(OUT + "/out").read().split("\n")[:-1] == expected, f"another order: {out}")
    bare = put("o.csv", "c,b,a\n" + "".join(f"{c},{b},{a}\n" for a, b, c in rows))
    check(predictions(bare, model) == expected, "without the label")
    blanks = put("o.csv", " c , b,a \n" + "".join(f"{c}, {b} ,{a}\n" for a, b, c in rows))
    check(predictions(blanks, model) == expected, "blanks around names and values")
    place = put("o.csv", "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    check(predictions(place, model) == expected, "without a header, by place")
    place = put("o.csv", "".join(f"{k},{a},{b},{c}\n" for k, (a, b, c) in zip(kind, rows)))
    check(predictions(place, model) == expected, "by place, with the label")
    refused(2, "1:1: 2 columns and no name that the model knows: it was trained on 4, with the label, which may be missing: "
            "put a line of names before the rows", "predict", put("o.csv", "1,2\n"), model)
    refused(2, "5 columns and no name that the model knows: it was trained on 4, with the label, which may be missing: put",
            "predict", put("o.csv", "1,2,7,4,5\n"), model)
    check_unknown(model, rows, expected)


def check_unknown(model, rows, expected):
    extra = put("o.csv", "id,c,b,a,note\n" + "".join(f"{i},{c},{b},{a},x y\n" for i, (a, b, c) in enumerate(rows)))
    status, out, err = run("predict", "--label", "note", extra, model, OUT + "/out")
    check(status == 0 and "200 values of features that the model has not seen were ignored" in err, f"unknown: {err}")
    check(open(OUT + "/out").read().split("\n")[:-1] == expected, "an unknown column is ignored")
    less = put("o.csv", "c,a\n" + "".join(f"{c},{a}\n" for a, b, c in rows))
    zero = put("z.csv", "a,b,c\n" + "".join(f"{a},0,{c}\n" for a, b, c in rows))
    refused(2, "1:1: no column 'b', which the model needs; the columns are 'c', 'a': --missing zero does without",
            "predict", less, model)
    out = says("no column 'b'; what the model knows of it counts as 0", "predict", "--missing", "zero", less, model)
    check(out.split() == predictions(zero, model), "a missing column counts as 0")
    one = put("o.csv", "c\n1\n")
    refused(2, "no columns 'a', 'b', which the model needs", "predict", one, model)
    says("no columns 'a', 'b'; what the model knows of them", "predict", "--missing", "zero", one, model)
    other = put("o.csv", "x,y\n1,2\n")
    refused(2, "no columns 'a', 'b', 'c', which the model needs; the columns are 'x', 'y': ", "predict", other, model)
    refused(2, "no column is a feature of the model, such as 'a'", "predict", "--missing", "zero", other, model)
    refused(2, "no column 'b', which the model needs; the columns are 'a', 'c', 'kind': train without --resume learns",
            "train", "--resume", model, put("o.csv", "a,c,kind\n1,3,low\n"), OUT + "/m")
    refused(2, "no label column kind (--label says", "train", "--resume", model, put("o.csv", "a,b,c\n1,2,3\n"), OUT + "/m")
    more = ("train", "--resume", model, "--label", "kind", put("o.csv", "a,b,c,x,kind\n1,2,3,4,low\n"), OUT + "/m")
    refused(2, "column 'x' is no feature of the model: --ignore 'x' leaves it out", *more)
    must(*more, "--ignore", "x")


def test_same_name():
    data = put("d.csv", "a,b,a,y\n1,2,3,0\n2,3,4,1\n")
    refused(2, "columns 1 and 3 have the same name 'a'", "train", data, OUT + "/m")
    check(features(train(data, "--ignore", "3")) == ["a", "b"], "one of two columns with one name is ignored")
    refused(2, "columns 2 and 3 have the same name 'y'", "train", put("d.csv", "a,y,y\n1,2,3\n"), OUT + "/m")


def test_label_text():
    """Labels of a CSV are any text, numbers too."""
    for labels in (["1.50", "1.5"], ["inf", "-inf"], ["12345678901234567890", "12345678901234567891"], ["1e3", "-0.5"]):
        data = put("d.csv", "".join(f"{i % 2},{labels[i % 2]}\n" for i in range(8)))
        check(predictions(data, train(data)) == [labels[i % 2] for i in range(8)], f"labels {labels}")
    data = put("d.csv", "0,0,+7\n1,0,-1\n0,1,007\n1,1,7.0\n")
    check(predictions(data, train(data)) == ["+7", "-1", "007", "7.0"], "integers, too")
    words = train(put("d", "ham 1:1\nspam 2:1\n"), "--word-labels")
    check(predictions(put("d", "spam 2:1\nham 1:1\n"), words) == ["spam", "ham"], "--word-labels is not needed again")
    must("train", "-q", "--resume", words, put("d", "spam 2:1\nham 1:1\n"), OUT + "/on")
    one = put("d.csv", "a,y\n1,x\n,z\n2,\n")
    refused(2, "no label here ('')", "train", put("none.csv", "a,y\n1,x\n2,\n"), OUT + "/m")
    out = must("predict", "--missing", "zero", one, train(put("e.csv", "a,y\n1,x\n2,z\n")), OUT + "/out")
    check("/2)" in out, f"a row without a label is predicted but not counted: {out}")


def test_beyond():
    """Features that the model has not are left out when predicting, however high."""
    model = train(put("d", "1 1:1 2:1\n-1 1:1 3:1\n"))
    seen = put("s", "1 1:1 2:1\n-1 1:1 3:1\n1 2:3\n")
    more = put("more", "1 1:1 2:1 17000000:1\n"
                       "-1 1:1 3:1 4294967295:2 4294967296:3 4294967297:1 99999999999999999999999:5\n"
                       "1 2:3 20000000:0.25 20000001:1 # end\n")
    for options in ([], ["--sort"], ["--zero-based"], ["--threads", "1"]):
        status, out, err = run("predict", "-s", *options, more, model)
        check(out == must("predict", "-s", *options, seen, model), f"beyond with {options}: {err}")
        check("7 values of features" in err or options == ["--zero-based"], f"counted: {err}")
    refused(2, "index 0", "predict", put("bad", "1 0:1\n"), model)
    refused(2, "does not rise", "predict", put("bad", "1 20000001:1 20000000:1\n"), model)
    refused(2, "not a finite", "predict", put("bad", "1 20000001:x\n"), model)
    high = put("d", "1 1:1 20000000:1\n-1 1:1 2:1\n")
    model = train(high, "--max-dim", "30000000")
    check(predictions(high, model) == ["1", "-1"], "a model with more than the default --max-dim predicts its own file")
    must("train", "-q", "--resume", model, high, OUT + "/m2")
    refused(2, "above the limit of 16777216", "train", high, OUT + "/m2")


def test_separators():
    table = "a,b,y\n1.5,2,0\n2.5,1,1\n"
    for other, option in ((";", "--sep ';'"), ("\t", "--sep tab")):
        for text in (table, table[6:]):
            refused(2, option, "train", put("d.csv", text.replace(",", other)), OUT + "/m")
            refused(2, option, "train", "--format", "csv", put("d.csv", text.replace(",", other)), OUT + "/m")
    commas = weights(train(put("d.csv", "3,2,1\n5,1,7\n")))
    for separator in "eE.-+0":  # what may stand in numbers
        data = put("d.csv", "3,2,1\n5,1,7\n".replace(",", separator))
        check(weights(train(data, "--sep", separator)) == commas, f"separator {separator}")
    points = put("d.csv", "3.2.1\n5.1.4.1.7\n")
    refused(2, "5 fields, the first record had 3", "train", "--sep", ".", points, OUT + "/m")
    refused(2, "semicolons", "train", put("d.csv", "5,1;3,5;no\n4,1;3,0;yes\n"), OUT + "/m")
    for other in ",;":
        refused(2, "1:1: 'sep=' tells a spreadsheet the separator and is no row: leave the line out", "train", "--sep", other,
                put("d.csv", f"sep={other}\n" + table.replace(",", other)), OUT + "/m")
    decimal = put("d.csv", "a;b;y\n5,1;3;no\n4,1;3;yes\n")
    refused(2, "2:1: '5,1' has a decimal comma: numbers need a point", "train", "--sep", ";", decimal, OUT + "/m")
    refused(2, "one column only", "train", "--format", "csv", put("d.csv", "y\n1\n2\n"), OUT + "/m")
    messages = "ham\tsee you, later\nspam\twin, win, now\n"
    refused(2, "--text", "train", put("d.txt", messages), OUT + "/m")
    refused(2, "--text", "train", put("d.txt", messages.replace(",", "")), OUT + "/m")
    refused(2, "--text", "train", put("d.txt", "ham\tfree, now\nspam\twin, win, now\n"), "--sep", ",",
            "--header=no", OUT + "/m")
    row_names = '"","a","y"\n"1",2,0\n"2",1,1\n'
    for options in (), ("-e", "1"), ("--online",), ("--folds", "2"):
        status, _, err = run("train", *options, put("d.csv", row_names), *[OUT + "/m"] * (options[:1] != ("--folds",)))
        check(status == 0 and err.count("advice: a column has no name, as row numbers have none: --ignore '' leaves it out\n") == 1,
              f"{options}: {err}")
    check(run("train", "-q", OUT + "/d.csv", OUT + "/m")[2] == "", "quiet")
    for name in "", "1":
        check(features(train(put("d.csv", row_names), "--ignore", name)) == ["a"], "R's row names are left out")
    refused(2, "R's row names? Write the file with row.names=FALSE", "train",
            put("d.csv", '"a","y"\n"1",2,0\n"2",1,1\n'), OUT + "/m")
    refused(2, "3 fields, the first record had 2 (a comma within a value? Put the value in quotes)", "train",
            put("d.csv", "a,y\n2,0\n1,1,1\n"), OUT + "/m")
    refused(2, "2 fields, the first record had 1 (a comma within a value?", "predict", put("p.csv", "a\n2,0\n"),
            train(put("d.csv", "a,y\n2,0\n1,1\n")))


def test_numbers_of_others():
    """What other programs write in place of a number, or in it."""
    start = "a;b;y\n5;3;no\n4;3;yes\n"
    for value, says in (("1,5", "'1,5' has a decimal comma: numbers need a point (tr , . <FILE makes one of each comma)"),
                        ("1.234,5", "'1.234,5' has several separators"), ("1,234,567", "'1,234,567' has several separators")):
        refused(2, "4:1: " + says, "train", "--sep", ";", put("d.csv", start + f"{value};3;no\n"), OUT + "/m")
    for value in ".", "--", "#N/A":
        refused(2, f"4:1: '{value}' is not a finite decimal number: --ignore 'a' leaves the column out, --nominal 'a' takes "
                   "its values as texts\n", "train", "--sep", ";", put("d.csv", start + f"{value};3;no\n"), OUT + "/m")
        refused(2, f", and if it says that there is no value, --gap '{value}' --missing zero\n", "train", "--sep", ";",
                put("d.csv", start + f"{value};3;no\n5;2;yes\n7;2;no\n"), OUT + "/m")


def test_gaps():
    """Words for a gap are such where a column has numbers; in a column without any they are words like others."""
    rows = [("7", "2", "no"), ("GAP", "4", "yes"), ("5", "1", "no"), ("9", "GAP", "yes"), ("3", "8", "no"),
            ("4", "4", "yes")]
    table = lambda gap: "a,b,y\n" + "".join(",".join(row) + "\n" for row in rows).replace("GAP", gap)
    for how in "zero", "mean", "drop":
        right = get(train(put("d.csv", table("NA")), "--missing", how))
        for gap in "NULL", "null", "None", "N/A", "n/a", "-", "\\N":
            check(get(train(put("d.csv", table(gap)), "--missing", how)) == right, f"{gap}, --missing {how}")
        for gap in "unknown", "-999", "-999.0":
            model = train(put("d.csv", table(gap)), "--missing", how, "--gap", "-999", "--gap", "unknown")
            check(stored(model) == stored(train(put("d.csv", table("NA")), "--missing", how)), f"--gap {gap}, {how}")
            check(predictions(OUT + "/d.csv", model) == predictions(put("e.csv", table("NA")), model), "kept in the model")
    refused(2, "3:1: column 'a' has no value here ('NULL'): --missing zero, mean or drop says what it counts as\n", "train",
            put("d.csv", table("NULL")), OUT + "/m")
    refused(2, "3:1: column 'a' has no value here ('x'): --missing", "train", "--gap", "x", put("d.csv", table("x")), OUT + "/m")
    refused(1, "--gap needs rows of CSV", "train", "--gap", "x", put("d.svm", "1 1:2\n0 2:1\n"), OUT + "/m")
    words = put("d.csv", "a,b,y\n-,1,no\nNone,2,yes\nnone,3,no\n-,4,yes\n")
    check(features(train(words)) == ["b", "a=-", "a=None", "a=none"], "a column without a number holds words")
    first = put("d.csv", "NULL,1,no\n2,3,yes\n5,6,no\n7,2,yes\n5,1,no\n")
    check(features(train(first, "--missing", "mean", "--header=no")) == ["1", "2"], "a gap in the first row")
    check(features(train(first, "--missing", "mean")) == ["1", "2"], "which holds no names")
    under = put("d.csv", "a,b,y\nNULL,1,no\nNULL,3,yes\n5,NULL,no\nNULL,2,yes\n5,1,no\n")
    check(features(train(under, "--missing", "mean")) == ["a", "b"], "gaps below names")
    for gap in "NULL", "-", "\\N", "x", "NA":
        stream = put("d.csv", "a,b,y\n" + f"1,{gap},p\n" + "".join(f"{i % 3},{i}.5,{'np'[i > 15]}\n" for i in range(30)))
        model = train(stream, "--online", "--missing", "zero", "--gap", "x")
        check(features(model) == ["a", "b"], f"the first row of a stream has {gap}: {features(model)}")
    model = train(put("d.csv", table("-999")), "--missing", "mean", "--gap", "-999")
    check(predictions(OUT + "/d.csv", model, "--gap", "zz") == predictions(OUT + "/d.csv", model), "--gap adds to the model's")
    must("train", "-q", "--resume", model, "--gap", "zz", OUT + "/d.csv", OUT + "/m2")
    check("--gap zz --gap -999" in must("show", OUT + "/m2"), "and --resume keeps both")


def test_late():
    """A column without a number holds words, also if its first text comes after all that is read at first; if a number
    comes, it holds numbers. A file and a pipe say the same, and a column without anything is read through once."""
    lines = [f"{'xy'[k % 2]},{'?' if k < 25000 else 'uv'[k // 3 % 2]},,{k % 7 if k > 24990 else 'NULL'},{'pq'[k % 2]}\n"
             for k in range(25100)]
    content = "c,late,none,n,y\n" + "".join(lines)
    check(len(content) > 1.1 * 2**18, "longer than what is read at first")
    table = put("d.csv", content)
    model = train(table, "--missing", "zero", "-e", "1", "--order", "file", "--normalize", "none")
    check(set(features(model)) == {"none", "n", "c=x", "c=y", "late=u", "late=v"}, f"{features(model)}")
    pipe = train("-", "--missing", "zero", "-e", "1", "--order", "file", "--normalize", "none", model="p",
                 stdin=content.encode())
    check(get(model) == get(pipe), "a file and a pipe")
    for ending in "\r\n", "":
        table = put("d.csv", content[:-1].replace("\n", ending or "\n") + ending)
        check(stored(train(table, "--missing", "zero", "-e", "1", "--order", "file", "--normalize", "none")) == stored(pipe),
              "other ends of lines")


def test_all_columns():
    """One error names all columns that stand in the way, with the options that take them: these work."""
    table = put("d.csv", "id,a,b,note,it's,y\n1,2,3,4,5,p\n2,x,NULL,7,unknown,q\n3,4,5,hello you,7,p\n4,5,y,7,8,q\n"
                         "5,NA,y,7,8,q\n9,z,,7,8,q\n")
    for source, more in ((table, {}), ("-", {"stdin": get(table)})):
        status, out, err = run("train", source, OUT + "/m", **more)
        check(status == 2 and "d.csv:3:3: 'x' is not a finite decimal number, and more stands in the way: --missing mean "
              "--nominal 'a' --nominal 'b' --text-column 'note' --gap 'unknown' takes it all; --missing mean --ignore 'a' "
              "--ignore 'b' --ignore 'note' --ignore 5 leaves columns out\n" in err.replace("standard input", "d.csv"), err)
    take, leave = (shlex.split(part) for part in re.search("in the way: (.*) takes it all; (.*) leaves columns", err).groups())
    check(set(features(train(table, *leave))) == {"id"}, "the others are left out")
    check({"id", "a=x", "b=y", "note:hello", "it's"} <= set(features(train(table, *take))), "all are taken")
    many = put("d.csv", "".join(f"column {k}," for k in range(900)) + "y\n" + "1," * 900 + "p\n" + "u," * 900 + "q\n" +
               "2," * 900 + "p\n")
    status, out, err = run("train", many, OUT + "/m")
    check(status == 2 and len(err) < 4200 and err.count(" ... ") == 2 and err.endswith("leaves columns out\n"), err)
    model = train(put("d.csv", "a,b,y\n1,2,p\n3,4,q\n"))
    other = put("e.csv", "a,b,y\nu,2,p\n3,v,q\n")
    refused(2, "2:1: 'u' is not a finite decimal number, and more stands in the way: --ignore 'a' --ignore 'b' leaves it out\n",
            "predict", other, model)
    other = put("e.csv", "a,b,y\nu,2,p\n3,,q\n")
    refused(2, "in the way: --missing zero --ignore 'a' leaves it out\n", "predict", other, model)
    refused(2, "in the way: --ignore 'a' --ignore 'b' leaves it out\n", "train", "--resume", model, other, OUT + "/m2")
    must("train", "--resume", model, "--ignore", "a", "--ignore", "b", other, OUT + "/m2")
    refused(2, "2:1: column 'a' has no value here (''), and the model was trained without --missing: --ignore 'a' leaves the "
               "column out, train without --resume learns anew\n", "train", "--resume", model,
            put("e.csv", "a,b,y\n,2,p\n3,4,q\n"), OUT + "/m2")
    refused(2, "1:3: columns 1 and 2 have the same name 'a': rename one, or leave one out with --ignore 2 --ignore 4\n",
            "train", put("e.csv", "a,a,b,b,y\n1,2,3,4,p\n3,4,5,6,q\n"), OUT + "/m2")
    refused(2, "1:3: column 'c' and others are no features of the model: --ignore 'c' --ignore 'd' leaves them out\n",
            "train", "--resume", model, put("e.csv", "a,c,b,d,y\n1,2,3,4,p\n3,4,5,6,q\n"), OUT + "/m2")


def test_head():
    """What the first line tells: separators in quotes are none; a label alone is a row of libsvm text."""
    rows = "p\n{1}{0}q\n{1}{0}p\n".format
    for head, options in (('"Income (EUR; gross)",y', ()), ("a;b;c,y", ()), ('"a;b",y', ()), ('"a, b";y', ("--sep", ";")),
                          ('"a\t""b;;c""";y', ("--sep", ";")), ('"two\nlines; and, more",y', ()), ("a;b,y", ("--sep", ","))):
        separator = options[1] if options else ","
        table = put("d.csv", f"{head}\n" + "".join(f"{k}{separator}{'pq'[k % 2]}\n" for k in range(4)))
        of_label = json.loads(must("show", "--json", train(table, *options)))["weights"][0]
        name = head[:head.rindex(separator)]
        name = name[1:-1].replace('""', '"') if name[0] == '"' else name
        check([w["feature"] for w in of_label["for"] + of_label["against"]] == [name], f"{head}: {of_label}")
    refused(2, "--header takes names, --header=no a row", "train",
            put("d.csv", '"note; free","y"\n"a; b",p\n"c; d",q\n"a; b",p\n'), OUT + "/m")
    check(features(train(OUT + "/d.csv", "--header")) == ["note; free=a; b", "note; free=c; d"], "as it says")
    refused(2, "separated by semicolons, not by ','", "train", put("d.csv", "a;b,c;y\n1;2;p\n2;1;q\n"), OUT + "/m")
    refused(2, "separated by semicolons, not by ','", "train", put("d.csv", "1;2,5;p\n2;1,5;q\n"), OUT + "/m")
    for head in "0\t", "0 ", "0", "-1\t \t", "0\r":
        table = put("d.svm", f"{head}\n1 1:2\n0 2:1\n1 1:3\n")
        model = train(table)
        check(features(model) == ["1", "2"] and len(predictions(table, model)) == 4, f"{head!r}: {features(model)}")


def test_carriage_return():
    """In quotes it is a character; elsewhere it ends a line before the line feed, or is an error."""
    model = train(put("d.csv", 'a,b,y\r\n1,"x\ry",p\r\n2,"u\r\nv\r",q\r\n3,"x\ry",p\r\n'))
    check(b"b=x\ry" in get(model) and b"b=u\nv\r" in get(model), "the texts of column b")
    check(len(predictions(OUT + "/d.csv", model)) == 3, "and predicted")
    refused(2, "2:2: carriage return inside a line\n", "train", put("d.csv", 'a,b,y\n1\r,2,p\n'), OUT + "/m")
    refused(2, "1:4: carriage return inside a line (the ends of lines? tr '\\r' '\\n' <FILE makes them such)\n", "train",
            put("d.csv", "a,b\r1,2\r"), OUT + "/m")
    refused(2, "1:7: carriage return inside a line", "train", "--text", put("d.tsv", 'ham\t"a\rb"\n'), OUT + "/m")


def test_form():  # format, separator, header
    """A model knows how its data were written; what is given again holds for that file alone."""
    lines = ["a,b,y", "1,2,x", "2,1,z", "1,3,x", "3,1,z"]
    commas = put("c.csv", "\n".join(lines) + "\n")
    semicolons, tabs = (put(name, "\n".join(lines).replace(",", c) + "\n")
                        for name, c in (("s.csv", ";"), ("t.csv", "\t")))
    pairs = put("d.svm", "1 1:2\n2 2:3\n")
    model = train(semicolons, "--sep", ";", model="semicolons")
    check(predictions(semicolons, model) == ["x", "z", "x", "z"], "the separator is remembered")
    for file, found, option in ((commas, "commas", "','"), (tabs, "tabs", "tab")):
        first = get(file).decode().splitlines()[0]
        said = f"the fields of '{first}' seem to be separated by {found}, the model's by ';': "
        said = said.replace("\t", "\\t")
        refused(2, f"{said}--sep {option} reads them", "predict", file, model)
        refused(2, f"{said}--sep {option} reads them", "export", "--bits", "8", "--test", file, model)
        refused(2, f"{said}perceptron predict with --sep {option} reads them", "train", "--sep", ";", "-t", file,
                semicolons, OUT + "/m")
        must("train", "-q", "--resume", model, "--sep", option.strip("'"), file, OUT + "/more")
        check(predictions(semicolons, OUT + "/more") == ["x", "z", "x", "z"], "--sep with --resume is for that file")
        check(get(OUT + "/more") == get(train(semicolons, "--resume", model, model="same")), "the same bytes")
        check(predictions(file, model, "--sep", option.strip("'")) == ["x", "z", "x", "z"], "--sep given again")
    refused(2, "seem to be separated by semicolons, the model's by ','", "predict", semicolons, train(commas, model="c"))
    refused(2, "the model was trained on CSV, and this looks like libsvm text, '1 1:2': --format libsvm reads it so",
            "predict", pairs, model)
    multiplied = train(put("p.svm", "1 1:2 2:1\n2 1:1 3:1\n"), "--products=all", model="multiplied")
    refused(2, "the model was trained on libsvm text, and this looks like CSV, '1,2,3': --format csv reads it so", "predict",
            put("p.csv", "1,2,3\n"), multiplied)
    refused(2, "libsvm text, '1 1:2': --test-format libsvm reads it so", "export", "--bits", "8", "-t", pairs, model)
    refused(2, "libsvm text, '1 1:2': perceptron predict with --format libsvm reads it so", "train", "-t", pairs,
            semicolons, "--sep", ";", OUT + "/m")
    refused(2, "one column only, 'p q', and the model needs 2: --sep says what", "predict",
            put("o.csv", "p q\n1 2\n"), model)
    numbers = train(put("d.svm", "1 1:2\n2 2:3\n"), model="pairs")
    refused(2, "'1;2;3' seem to be separated by semicolons, the model's by ',': --sep ';' reads them", "predict",
            put("o.csv", "1;2;3\n"), numbers)
    for given in (), ("--format", "csv"):
        check(predictions(put("o.csv", "2,0,1\n0,3,2\n"), numbers, *given) == ["1", "2"], "numbers are the same in CSV")
    test_form_found()


def test_form_found():
    """Formats and headers that cannot be guessed from a file alone."""
    colons = put("c.csv", "1:0.5\n2:7\n1:0.25\n2:9\n")
    model = train(colons, "--sep", ":", "--format", "csv", "--label", "1")
    check(predictions(colons, model) == ["1", "2", "1", "2"], "the format is remembered")
    times = put("t.csv", "2024-01-01 12:30:00,5,a\n2024-01-01 12:31:00,7,b\n")
    model = train(times, "--normalize", "standard")
    check(predictions(times, model) == ["a", "b"], f"a time of day is no pair: {predictions(times, model)}")
    years = put("y.csv", "10,20,30\n1,0,7\n0,1,8\n")
    model = train(years, "--header", model="years")
    check(predictions(years, model) == ["7", "8"], "with its header")
    refused(2, "no column '10', which the model needs; the columns are '11', '20', '30'", "predict",
            put("o.csv", "11,20,30\n1,0,7\n"), model)
    check(predictions(put("o.csv", "40,20,10\n5,0,1\n"), model) == ["7"], "an unknown column, in a header of numbers")
    bare = train(put("d.csv", "1,2,3,7\n3,2,1,8\n"), model="bare")
    refused(2, "2 columns and no name that the model knows: it was trained on 4, with the label, which may be missing; --label "
            "and --ignore", "predict", "--missing", "zero", put("o.csv", "1,7\n"), bare)
    refused(2, "3 columns and no name that the model knows: it was trained on 4, with the label; --label and", "train",
            "--resume", bare, put("o.csv", "1,2,7\n"), OUT + "/m")


def test_encodings():
    table = "a,b,y\n1.5,2,0\n2.5,1,1\n"
    packed = put("d.gz", gzip.compress(table.encode()))
    refused(2, "compressed by gzip: read it through gunzip -c", "train", packed, OUT + "/m")
    sheet = put("table.xlsx", b"PK\3\4\x14\0\6\0\x08\0\0\0!\0")
    refused(2, "a spreadsheet or a zip archive: save the table as CSV", "train", sheet, OUT + "/m")
    for order in ("utf-16-le", "utf-16-be"):
        refused(2, "UTF-16 text: read it through iconv -f UTF-16 -t UTF-8", "train",
                put("d.csv", ("\ufeff" + table).encode(order)), OUT + "/m")


def test_label_of_numbers():
    """Without a header, texts that do not come again and a number as the label are a row."""
    model = train(put("d.csv", "".join(f"C{k},{k % 2}\n" for k in range(60))), "-e", "1")
    check(len(features(model)) == 60, f"60 rows, {len(features(model))} values")


def test_ignore():
    table = put("d.csv", "id,a,name,b,y\n17,1,x,2,0\n18,2,y,1,1\n19,1,z,3,0\n")
    plain = put("p.csv", "a,b,y\n1,2,0\n2,1,1\n1,3,0\n")
    expected = train(plain, model="plain")
    model = train(table, "--ignore", "id", "--ignore", "3")
    check(weights(model) == weights(expected), "--ignore by name and by number")
    status, out, err = run("predict", table, train(table, "--ignore", "id", "--ignore", "name", model="named"))
    check(out.split() == ["0", "1", "0"] and "ignored" not in err, f"--ignore at predict: {out} {err}")
    headless = put("h.csv", "17,1,x,2,0\n18,2,y,1,1\n19,1,z,3,0\n")
    model = train(headless, "--ignore", "1", "--ignore", "3")
    check(predictions(headless, model) == ["0", "1", "0"], "without a header")
    check(features(train(table, "--ignore", "y", "--ignore", "id", "--ignore", "name", "--label", "b")) == ["a"], "the label is another column")
    two = features(train(headless, "--ignore", "5", "--ignore", "3"))
    check(two == ["1", "2"], f"the last column that is left is the label: {two}")
    refused(2, "no column 'z' to ignore among 5", "train", "--ignore", "z", table, OUT + "/m")
    refused(2, "no column '9' to ignore", "train", "--ignore", "9", table, OUT + "/m")
    refused(2, "--ignore y: this is the label column", "train", "--ignore", "y", "--label", "y", table, OUT + "/m")


TREES = """height,leaf,bark,kind
20.5,needle,rough,fir
3,"broad, round",smooth,birch
18,needle,rough,fir
2.5,broad,smooth,birch
4,broad,rough,birch
"""


def test_text_columns():
    table = put("t.csv", TREES)
    model = train(table, "-e", "100")
    names = ["height", "leaf=needle", "bark=rough", '"leaf=broad, round"', "bark=smooth", "leaf=broad"]
    check(features(model) == names, f"names of features: {features(model)}")
    check(predictions(table, model) == ["fir", "birch", "fir", "birch", "birch"], "text columns are learned")
    other = put("o.csv", "bark,leaf,height\nrough,needle,19\nsmooth,palm,2\n")
    status, out, err = run("predict", other, model)
    check(out.split() == ["fir", "birch"] and "1 value of a feature" in err, f"a new value is ignored: {out}{err}")
    says("no column 'leaf'; what", "predict", "--missing", "zero", put("o.csv", "bark,height\nrough,19\n"), model)
    sparse = put("s", "fir 1:20.5 2:1 3:1\nbirch 1:3 4:1 5:1\nfir 1:18 2:1 3:1\n"
                      "birch 1:2.5 5:1 6:1\nbirch 1:4 3:1 6:1\n")
    same = train(sparse, "--word-labels", "-e", "100", model="same")
    check(list(weights(model).values()) == list(weights(same).values()), "features column=value are those of libsvm")
    for options in (["-e", "1"], ["-e", "1", "--batch", "2"], ["--threads", "1"], ["--binarize"], ["-a", "kernel"]):
        mine = train(table, *options, model="mine")  # sparse, as all with words; libsvm with a full first row is not
        same = train(sparse, "--word-labels", "--rows", "sparse", *options, model="same")
        check(predictions(table, mine, "-s") == predictions(sparse, same, "-s"), f"with {options}")
    check(weights(train("-", "-e", "100", model="piped", stdin=TREES.encode())) == weights(model), "through a pipe")
    must("train", "-q", "--resume", model, table, OUT + "/on")
    check(predictions(table, OUT + "/on") == predictions(table, model), "--resume")
    must("train", "-q", "--resume", model, put("o.csv", TREES.replace("rough", "scaly")), OUT + "/on")
    check(features(OUT + "/on") == [*features(model), "bark=scaly"], "--resume takes new values")
    refused(2, "'needle' is not a finite decimal number", "train", "--features", "3", "--classes", "fir,birch", "-",
            OUT + "/m", stdin=TREES.encode())
    check_headless()
    check_long()


def check_headless():
    rows = "".join(TREES.splitlines(True)[1:])
    table = put("h.csv", rows)
    model = train(table, "-e", "100", model="headless")
    check(features(model)[:2] == ["1", "2=needle"], f"without a header columns go by numbers: {features(model)}")
    check(predictions(table, model) == ["fir", "birch", "fir", "birch", "birch"], "without a header")
    bare = put("b.csv", "".join(line.rsplit(",", 1)[0] + "\n" for line in rows.splitlines()))
    check(predictions(bare, model) == ["fir", "birch", "fir", "birch", "birch"], "without label and header")
    refused(2, "2 columns and no name that the model knows: it was trained on 4", "predict", put("b.csv", "1,needle\n"), model)
    letters = put("l.csv", "".join("p,x,no\nq,y,yes\n" for i in range(3)))
    check(sorted(features(train(letters))) == ["1=p", "1=q", "2=x", "2=y"], "texts that come again are no header")
    check(sorted(features(train(put("l.csv", "v,w,z\n" + "p,x,no\nq,y,yes\n" * 5)))) == ["v=p", "v=q", "w=x", "w=y"],
          "texts that do not are one")


def check_long():
    """More than the reader looks at before it decides."""
    rows = "".join(f"{i % 7},{'NA' if i < 3 else 'red' if i % 3 else 'blue'},{i % 2}\n" for i in range(60000))
    table = put("long.csv", "n,colour,y\n" + rows)
    model = train(table, "--missing", "zero", "-e", "1")
    check(features(model) == ["n", "colour=blue", "colour=red"], f"a column that begins with gaps: {features(model)}")
    late = put("late.csv", "n,colour,y\n" + rows + "4,green,1\n5,7,0\n")
    model = train(late, "--missing", "zero", "-e", "1")
    check(features(model)[3:] == ["colour=green", "colour=7"], "values that come late")
    options = ["--missing", "zero", "--order", "file", "-e", "2"]
    with open(late, "rb") as f:
        piped = train("-", *options, stdin=f.read(), model="piped")
    check(weights(piped) == weights(train(late, *options)), "pipe == file")
    mixed = put("mixed.csv", "n,code,y\n" + "".join(f"1,{i},{i % 2}\n" for i in range(60000)) + "1,A7,0\n")
    for data in (mixed, put("mixed2.csv", "n,code,y\n1,A7,0\n1,8,1\n")):
        refused(2, "'A7' is not a finite decimal number: --ignore 'code' leaves the column out, --nominal 'code' takes",
                "train", data, OUT + "/m")
    check(features(train(OUT + "/mixed2.csv", "--nominal", "code")) == ["n", "code=A7", "code=8"], "--nominal")
    check(features(train(OUT + "/mixed2.csv", "--nominal", "1", "--ignore", "2")) == ["n=1"], "--nominal by number")
    refused(2, "--nominal z: no such column", "train", "--nominal", "z", OUT + "/mixed2.csv", OUT + "/m")
    refused(2, "--nominal y: this column is the label", "train", "--nominal", "y", OUT + "/mixed2.csv", OUT + "/m")
    refused(2, "more than 2 features", "train", "--max-dim", "2", put("d.csv", "a,b,y\n1,r,0\n2,s,1\n"), OUT + "/m")


def test_missing():
    gaps = put("g.csv", "a,b,c,y\n1,4,r,0\n,3,s,1\n5,?,r,1\n3,NA,,0\nnan,1,s,0\n")
    refused(2, "3:1: column 'a' has no value here (''): --missing zero, mean or drop", "train", gaps, OUT + "/m")
    refused(2, "column 'c' has no value here", "train", put("d.csv", "c,y\nr,0\n,1\n"), OUT + "/m")
    filled = {"zero": "1,4,r,0\n0,3,s,1\n5,0,r,1\n3,0,?,0\n0,1,s,0\n",
              "mean": f"1,4,r,0\n3,3,s,1\n5,{8 / 3:.9g},r,1\n3,{8 / 3:.9g},?,0\n3,1,s,0\n", "drop": "1,4,r,0\n"}
    for how in ("zero", "mean"):
        model = train(gaps, "--missing", how)
        same = train(put("f.csv", "a,b,c,y\n" + filled[how]), "--missing", "zero", model="same")
        check(weights(model) == weights(same), f"--missing {how}")
        for options in (["-e", "1"], ["--normalize", "maxabs"], ["--binarize"], ["--threads", "1"]):
            if options == ["--binarize"] and how == "mean":
                continue
            same = train(OUT + "/f.csv", "--missing", "zero", *options, model="same")
            check(weights(train(gaps, "--missing", how, *options)) == weights(same), f"--missing {how} {options}")
    numbers = put("n.csv", "a,b,y\n1,4,0\n,3,1\n5,NA,1\n2,,0\n")
    drop = train(put("f.csv", "a,b,y\n1,4,0\n5,5,1\n"), model="same")
    status, out, err = run("train", "--missing", "drop", put("d.csv", "a,b,y\n1,4,0\n,3,1\n5,5,1\n2,,0\n"), OUT + "/m")
    check(status == 0 and "rows with missing values that were left out: 2\n" in err, f"drop: {err}")
    check(weights(OUT + "/m") == weights(drop), "--missing drop")
    check(len(predictions(numbers, OUT + "/m", "--missing", "drop")) == 4, "--missing drop predicts all rows")
    mean = train(numbers, "--missing", "mean")
    same = train(put("f.csv", f"a,b,y\n1,4,0\n{8 / 3:.9g},3,1\n5,3.5,1\n2,3.5,0\n"), model="same")
    check(weights(mean) == weights(same), "means of columns of numbers")
    check(predictions(numbers, mean, "-s") == predictions(OUT + "/f.csv", same, "-s"), "means fill rows to predict")
    refused(1, "--missing mean: the model has no means", "predict", "--missing", "mean", numbers, train(put("d.csv", "a,b,y\n1,4,0\n5,5,1\n")))
    must("train", "-q", "--missing", "mean", "-t", numbers, numbers, OUT + "/m")
    words = put("words.csv", "a,b,y\nu,v,1\nw,x,2\nu,x,1\n?,v,2\n")  # which have no means, and need none
    said = [must("train", "-q", "--missing", how, "-t", words, words, f"{OUT}/{how}", plain=False) for how in ("mean", "zero")]
    check(said[0] == said[1] and must("predict", words, OUT + "/mean") == must("predict", words, OUT + "/zero"), "a gap is no word")
    refused(2, "all 2 rows have missing values", "train", "--missing", "drop", put("d.csv", "a,y\n,0\n?,1\n"), OUT + "/m")
    refused(2, "all 2 rows have no label", "train", "--missing", "mean", put("d.csv", "a,y\n1,\n2,?\n"), OUT + "/m")
    # One lost label costs its own row, and not those with gaps elsewhere: all is as if that row was not in the file.
    rows = ["1,4,r,0", ",3,s,1", "5,?,r,1", "7,7,only here,NA", "3,NA,,0", "nan,1,s,0", ",,,"]
    lost, rest = ("a,b,c,y\n" + "".join(row + "\n" for row in some) for some in (rows, rows[:3] + rows[4:6]))
    for how in ("zero", "mean"):
        for options in ([], ["-e", "1"], ["-e", "1", "--order", "file", "--threads", "1"]):
            model = train(put("lost.csv", lost), "--missing", how, *options)
            same = train(put("rest.csv", rest), "--missing", how, *options, model="same")
            check(image(model) == image(same), f"--missing {how} {options}: a row without a label is left out")
            check(len(predictions(OUT + "/lost.csv", model)) == 7, "and is predicted")


MESSAGES = "ham\tDon't be late, see you\nspam\tFREE prize: win, win!\nham\tsee\t you 2morrow\nspam\tcall now to win\n"


def messages():
    """Label and words of each message."""
    for line in MESSAGES.splitlines():
        label, text = line.split("\t", 1)
        yield label, re.findall("[a-z0-9](?:[a-z0-9]|'(?=[a-z0-9]))*", text.lower())


def test_text():
    data = put("m.txt", MESSAGES)
    model = train(data, "--text", model="words")
    words = ["don't", "be", "late", "see", "you", "free", "prize", "win", "2morrow", "call", "now", "to"]
    check(features(model) == words, f"words: {features(model)}")
    check(predictions(put("n.csv", "1,p,red\n2,q,blue\n"), train(put("d.csv", "1,p,red\n2,q,blue\n"), "--label", "2")) ==
          ["p", "q"], "the place of the label, without a header")
    check(predictions(data, model) == ["ham", "spam", "ham", "spam"], "messages are learned")
    status, out, err = run("predict", put("n.txt", "WIN a prize\n\nsee you\nspam\twin\n"), model)
    check(out.split() == ["spam", "ham", "ham", "spam"] and "1 value of a feature" in err, f"new messages: {out}{err}")
    sparse = ""
    for label, found in messages():
        sparse += label + "".join(f" {i}:1" for i in sorted({words.index(w) + 1 for w in found})) + "\n"
    sparse = put("s", sparse)
    for options in ([], ["-e", "1"], ["-a", "kernel"]):
        mine = train(data, "--text", *options, model="mine")
        same = train(sparse, "--word-labels", "--rows", "sparse", *options, model="same")
        check(predictions(data, mine, "-s") == predictions(sparse, same, "-s"), f"the same as libsvm {options}")
    check(weights(train("-", "--text", stdin=MESSAGES.encode())) == weights(model), "through a pipe")
    pairs = features(train(data, "--text", "--ngrams", "2"))
    check(pairs[:4] == ["don't", "don't be", "be", "be late"] and "win win" in pairs, f"--ngrams: {pairs}")
    check("to win" in features(train(data, "--text", "--ngrams", "3")), "--ngrams 3 has pairs, too")
    accents = train(put("a.txt", "x\tÉTÉ été\ny\t'tis o''clock\n"), "--text")
    check(features(accents) == ["été", "tis", "o", "clock"], f"words by Unicode: {features(accents)}")
    must("train", "-q", "--resume", model, put("n.txt", "ham\tsee the sea\n"), OUT + "/on")
    check(features(OUT + "/on") == [*words, *(w for w in ("see", "the", "sea") if w not in words)], "--resume takes new words")
    check_text_errors(data, model)


def test_long_texts():
    """Many words are sorted in another way than few: each is there once, with how often it came."""
    often = {f"w{i}": i % 3 + 1 for i in range(1, 301)}
    turned = [word for word in reversed(often) for _ in range(often[word])]
    text = put("m.txt", f"x\t{' '.join(often)}\ny\t{' '.join(turned)}\nx\tw7 w7 w2\n")
    sparse = put("s", "\n".join(["x " + " ".join(f"{i}:1" for i in range(1, 301)),
                                 "y " + " ".join(f"{i}:{n}" for i, n in enumerate(often.values(), 1)), "x 2:1 7:2\n"]))
    for options in ([], ["-e", "1"]):
        mine = train(text, "--text", "--words", "counts", "--normalize", "none", *options, model="mine")
        same = train(sparse, "--word-labels", "--rows", "sparse", "--normalize", "none", *options, model="same")
        check(predictions(text, mine, "-s") == predictions(sparse, same, "-s"), f"the same as libsvm {options}")


def test_fasttext():
    """A line __label__x text has the label x; the same models as of lines with a tab."""
    tabbed, marked = (put(name, MESSAGES.replace("ham\t", a).replace("spam\t", b)) for name, a, b in (
        ("tabs.tsv", "ham\t", "spam\t"), ("marked.txt", "__label__ham ", "__label__spam  \t")))
    mixed = put("mixed.txt", MESSAGES.replace("ham\t", "__label__ham\t"))
    for options in ([], ["-e", "1"], ["--online"], ["--hash", "8"]):
        model = train(tabbed, "--text", *options)
        for data in marked, mixed:
            check(get(train(data, "--text", *options, model="same")) == get(model), f"{data} {options}")
    check(json.loads(must("show", "--json", model))["labels"] == ["ham", "spam"], "labels without the mark")
    check("(4/4)" in must("predict", marked, model, OUT + "/out"), "rows to predict have labels so, too")
    one = put("one.txt", "__label__ham\n__label__news see\nsee __label__spam\n__label__ call now to win\n")
    result = json.loads(must("predict", "--json", one, model))
    check((result["rows"], result["unlabelled"]) == (4, 2), f"no text; a new label; none; none: {result}")
    must("train", "-q", "--text", put("one.txt", "__label__a\n__label__b see\n"), OUT + "/m")
    refused(2, "one.txt:2: several labels (__label__a  __label__b see): one a row; with several, train a model for each",
            "train", "--text", put("one.txt", "__label__b you\n__label__a  __label__b see\n"), OUT + "/m")
    refused(2, "one.txt:1: several labels (__label__b __label__a): one", "predict", put("one.txt", "__label__b __label__a\n"), model)
    refused(2, "one.txt:1:10: empty label", "train", "--text", put("one.txt", "__label__ you\n"), OUT + "/m")
    for text in "__label__a win cash\n", "__label__a win, cash\n", "__label__a 7:30\n":
        refused(2, f"a line of fastText, '{text.strip()}': --text reads it", "train", put("one.txt", text), OUT + "/m")
    twice = train(put("twice.tsv", "__label____label__a win\n__label__b see\n"), "--text", model="twice")
    check("(2/2)" in must("predict", OUT + "/twice.tsv", twice, OUT + "/out"), "one mark is no part of the label, a second is")
    check("(1/2)" in must("predict", put("once.tsv", "__label__a win\n__label__b see\n"), twice, OUT + "/out"), "a is another label")


def test_several_labels():
    """They are not supported, and it is said so."""
    says = "' is one label here; of rows with several, train a model for each label against the others\n"
    for options, text in ((["--text"], "sport\tgoal\nsport,news\tlate goal\nnews\tlate\n"),
                          (["--text", "-e", "1"], "sport\tgoal\nsport,news\tlate goal\nnews\tlate\n"),
                          ([], "a,y\n1,sport\n2,\"sport,news\"\n3,news\n"), (["--word-labels"], "sport 1:1\nsport,news 2:1\n")):
        err = run("train", *options, put("several", text), OUT + "/m")[2]
        check("advice: 'sport,news" + says in err, f"{options}: {err}")
        check("advice" not in run("train", "-q", *options, OUT + "/several", OUT + "/m")[2], "quiet")
        once = put("several", text.replace("sport,news", "Paris, France"))
        check("several" not in run("train", *options, once, OUT + "/m")[2] or "--word-labels" in options, f"a comma and a blank: {options}")


def check_text_errors(data, model):
    refused(2, "no value is of a feature that the model has seen", "predict", put("n.csv", "a,b,y\n1,2,0\n3,4,1\n"), model)
    refused(2, "no row has a value or a label of the model: --format csv reads a table", "predict", "--format", "libsvm",
            put("n.csv", "1.5,2,0\n3.5,4,1\n"), model)
    check(must("predict", "--format", "libsvm", put("n", "0\n0\n"), model).count("\n") == 2, "rows of zeros, no labels")
    refused(2, "a model file, where rows are wanted", "train", model, OUT + "/m")
    bare = put("n.txt", "ham see you\n")
    refused(2, "no tab: with --text a line is a label, a tab and a text", "train", "--text", bare, OUT + "/m")
    refused(2, "empty label", "train", "--text", put("n.txt", "\tsee you\n"), OUT + "/m")
    refused(1, "--ngrams needs --text", "train", "--ngrams", "2", data, OUT + "/m")
    refused(1, "--text needs rows to read, and no --format, since it is one", "train", "--text", "--format", "csv", data,
            OUT + "/m")
    refused(1, "give --hash BITS", "train", "--text", "--features", "9", "--classes", "ham,spam", data, OUT + "/m")
    refused(1, "the model has no words", "predict", "--text", data, train(put("d", "1 1:1\n-1 2:1\n"), model="numbers"))
    refused(2, "more than 3 features (--max-dim)", "train", "--text", "--max-dim", "3", data, OUT + "/m")
    refused(2, "NUL byte", "train", "--text", put("n.txt", "ham\tsee \0 you\n"), OUT + "/m")


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


def test_words_of_columns():
    """Of one column of texts --text-column makes what --text makes of the same texts; beside others it adds words."""
    words = ["Free", "CASH,", "now\u2019s", "it's", "\u00c9T\u00c9", "3.5", "\u201cwin\u201d", "a-b", "lunch", '"you"', "at", ""]
    rows = [("ham" if draw(2) else "spam", " ".join(words[draw(len(words))] for _ in range(draw(9))))
            for _ in range(300)]
    rows = [(label, "win " + text if label == "spam" and draw(3) else text) for label, text in rows]
    rows.append(("spam", "NA"))
    lines = put("w.tsv", "".join(f"{label}\t{text}\n" for label, text in rows))
    table = put("w.csv", "label,text\n" + "".join(f"{label},{quoted(text)}\n" for label, text in rows))
    for options in ([], ["--ngrams", "3"], ["-a", "arow", "-e", "1"], ["-a", "kernel"], ["--normalize", "l2"],
                    ["--online"], ["--shards", "2"]):
        by_line = train(lines, "--text", *options, model="lines")
        by_column = train(table, "--text-column", "text", "--label", "label", *options, model="columns")
        check(predictions(table, by_column, "-s") == predictions(lines, by_line, "-s"), f"{options}: the same scores")
        if "kernel" not in options:
            named = {(name if name == "(bias)" else "text:" + name, label): w
                     for (name, label), w in weights(by_line).items()}
            check(weights(by_column) == named, f"{options}: the same weights")
    more = put("v.csv", "n,text,c,y\n1,Buy now!,x,a\n2,\"not now,\nnot now\",y,b\n3,,x,a\n")
    model = train(more, "--text-column", "2", "--missing", "drop", model="more")
    names = ["n", "text:buy", "text:now", "c=x", "text:not", "c=y"]
    check(features(model) == names, f"words beside numbers and categories: {features(model)}")
    moved = put("u.csv", "c,y,text,n\nx,a,now buy,1\ny,b,NOT now,2\n")
    check(predictions(moved, model) == ["a", "b"], "a column given by its number is found by its name")
    says("1 value of a feature that the model has not seen was ignored", "predict",
         put("o.csv", "n,text,c\n1,buy tomorrow,x\n"), model)
    grown = must("train", "-q", "--resume", model, put("o.csv", "n,text,c,y\n1,buy tomorrow,x,a\n"), OUT + "/grown")
    check(features(OUT + "/grown") == names + ["text:tomorrow"], f"--resume takes new words {grown}")
    refused(2, "'text:tomorrow' is not one of the model's features: --fixed", "train", "--fixed", "--resume", model,
            OUT + "/o.csv", OUT + "/m")
    bare = put("o.csv", "1,buy,a\n2,sell,b\n")
    model = train(bare, "--text-column", "2", model="bare")
    check(features(model) == ["1", "2:buy", "2:sell"] and predictions(bare, model) == ["a", "b"], "without a header")
    check(predictions(put("o.csv", "1,buy\n2,sell\n"), model) == ["a", "b"], "nor label")
    out = must("export", "--as", "arrays", "--predict", OUT + "/more")
    check("(train --text)" in out and '1 "text:buy"\n' in out and "_predict_text(" not in out, "export says what not")
    check_word_errors(more)


def check_word_errors(data):
    refused(1, "--hash needs --text", "train", "--text-column", "text", "--hash", "4", data, OUT + "/m")
    refused(1, "--ngrams needs --text or --text-column", "train", "--ngrams", "2", data, OUT + "/m")
    refused(1, "--text-column needs rows of CSV", "train", "--text-column", "2", put("d", "1 1:1\n2 2:1\n"),
            OUT + "/m")
    refused(2, "1:10: --text-column y: this column is the label", "train", "--text-column", "y", data, OUT + "/m")
    refused(2, "1:3: --text-column text: this column is left out by --ignore", "train", "--text-column", "text", "--ignore",
            "text", data, OUT + "/m")
    refused(2, "--text-column z: no such column", "train", "--text-column", "z", data, OUT + "/m")
    refused(2, "--nominal text: --text-column has it", "train", "--text-column", "text", "--nominal", "text", data,
            OUT + "/m")
    refused(2, "column 't:b' could be a feature of column 't'", "train", "--text-column", "t",
            put("d.csv", "t,t:b,y\na,1,0\nb,2,1\n"), OUT + "/m")
    refused(2, "no column 'text', which the model needs", "predict", put("d.csv", "c,label\n1,ham\n"),
            OUT + "/columns")
    sentences = put("s.csv", "y,s,c\n" + "".join(f"{k % 2},row {k} is a text,name{k}\n" for k in range(50)))
    says("column 's' has 50 texts in 50 rows; --text-column 's' takes their words, --ignore", "train", "--label", "y",
         sentences, OUT + "/m")
    says("column 'c' has 50 texts in 50 rows; --ignore 'c' leaves it out", "train", "--label", "y", sentences,
         OUT + "/m")
    refused(2, "'two or more' is not a finite decimal number: --ignore 'a' leaves the column out, --text-column 'a' takes "
            "its words", "train", put("d.csv", "a,y\n1,0\n2,1\ntwo or more,0\n"), OUT + "/m")


MARKED = [("ham", "see you, at 7:30 :)"), ("spam", '"win" cash!!! x=1, a*b \\'), ("ham", "=5 * 2; 你好吗"), ("spam", "**free** cash: http://x 你们")]


def marked_table(rows):
    return "y,t\n" + "".join(f"{label},{quoted(text)}\n" for label, text in rows)


def test_marks():
    """Models of texts say whether marks are words. What has a comma, a colon, a quote or an equals sign for a name is read
    again from a table, from what show and --explain print, and after --resume and --online."""
    lines, table = put("k.tsv", "".join(f"{label}\t{text}\n" for label, text in MARKED)), put("k.csv", marked_table(MARKED))
    for options in ([], ["--ngrams", "2"], ["--online"], ["-e", "1"]):
        options = ["--marks", "yes", *options]
        by_line = train(lines, "--text", *options, model="lines")
        by_column = train(table, "--label", "y", "--text-column", "t", *options, model="columns")
        check(predictions(lines, by_line, "-s") == predictions(table, by_column, "-s"), f"{options}: the same scores")
        on = [must("train", "-q", "--resume", model, data, OUT + "/on") or predictions(data, OUT + "/on", "-s")
              for model, data in ((by_line, lines), (by_column, table))]
        check(on[0] == on[1], f"{options}: the same after --resume")
    model = train(table, "--label", "y", "--text-column", "t", "--marks", "yes", model="columns")
    names = names_of(model)
    check({"t:,", "t::", 't:"', "t:=", "t:**", "t:\\", "t:!!", "t:你好"} <= set(names), f"names {names}")
    for row in must("predict", "--explain", "--json", table, model).splitlines()[:-1]:
        check({each["feature"] for each in json.loads(row)["features"]} <= set(names), f"explained as {row}")
    check(predictions(put("other.csv", "t:,t\n1,cash!!\n2,7:30\n"), model) == ["spam", "ham"], "a column 't:' is another")
    refused(2, "no column 't', which the model needs", "predict", put("other.csv", "t:,y\n1,ham\n"), model)
    must("train", "-q", "--resume", model, put("more.csv", marked_table([("ham", "50% = #1")])), OUT + "/on")
    check(names_of(OUT + "/on")[len(names):] == ["t:50", "t:%", "t:#"], "--resume takes new marks")
    for given, kept in (([], "yes"), (["--marks", "no"], "no"), (["--textbook"], "no")):
        model = train(lines, "--text", *given, model="said", plain=False)
        check(json.loads(must("show", "--json", model))["options"]["marks"] == kept, f"{given}: --marks {kept}")
    refused(1, "--marks yes: the model has no, as it was trained", "predict", "--marks", "yes", lines, model)
    refused(1, "--marks cannot be given with --resume", "train", "--marks", "no", "--resume", model, lines, OUT + "/m")
    refused(1, "--marks needs --text or --text-column", "train", "--marks", "no", put("d", "1 1:1\n2 2:1\n"), OUT + "/m")
    check("marks" not in json.loads(must("show", "--json", train(put("d", "1 1:1\n2 2:1\n"))))["options"], "numbers have none")
    signs = put("signs.csv", "y,t\n" + "".join(f"{k % 2},word ={chr(0x2600 + k)}\n" for k in range(50)))
    err = run("train", "--label", "y", "--text-column", "t", "--marks", "yes", signs, OUT + "/m")[2]
    check("column 't:'" not in err, f"a word with an = is no column: {err}")


def pieces(word, least, most):
    """fastText's, whose ends count as a letter each: without the word as a whole."""
    ends = "<" + word + ">"
    for i in range(len(ends)):
        for n in range(least, min(most, len(ends) - i) + 1):
            piece = ends[i:i + n]
            if piece.strip("<>") and piece != ends:
                yield ("" if piece[0] == "<" else "-") + piece.strip("<>") + ("" if piece[-1] == ">" else "-")


def test_letters():
    data = put("m.txt", MESSAGES.replace("win", "w\u00efn"))
    words = [(label, [word.replace("win", "w\u00efn") for word in found]) for label, found in messages()]
    for least, most in ((2, 4), (1, 1), (3, 16)):
        expected = [name for _, found in words for word in found for name in (word, *pieces(word, least, most))]
        for options in ([], ["--ngrams", "2"]):
            got = [name for name in names_of(train(data, "--text", *options, "--letters", f"{least}-{most}")) if " " not in name]
            check(got == list(dict.fromkeys(expected)), f"--letters {least}-{most} {options}: {got}")
        hashed = train(data, "--text", "--hash", "18", "--letters", f"{least}-{most}", model="hashed")
        rows = ""
        for label, found in words:
            names = {fnv1a(name) % 2**18 + 1 for word in found for name in (word, *pieces(word, least, most))}
            rows += label + "".join(f" {i}:1" for i in sorted(names)) + "\n"
        other = weights(train(put("s", rows), "--word-labels", model="same"))
        got = weights(hashed)
        check(all(got[key] == value for key, value in other.items()), f"--hash --letters {least}-{most}")
    table = put("k.csv", marked_table(MARKED))
    model = train(table, "--label", "y", "--text-column", "t", "--letters", "2-3", "--marks", "yes", model="columns")
    names = names_of(model)
    check("t:se-" in names and "t:-ee" in names and not any("你" in name and "-" in name for name in names), f"columns: {names}")
    must("train", "-q", "--resume", model, put("more.csv", marked_table([("ham", "seen")])), OUT + "/on")
    check(names_of(OUT + "/on")[len(names):] == ["t:seen", "t:-een-", "t:-en-", "t:-en"], "--resume makes pieces")
    refused(1, "--letters 2-4: the model has 2-3, as it was trained", "predict", "--letters", "2-4", OUT + "/more.csv", model)
    refused(1, "--letters 2-4: the model has no, as it was trained", "predict", "--letters", "2-4", data, train(data, "--text"))
    for wrong in ("4-2", "0-3", "2-17", "2", "2-4x", "02-4", "-2-4", ""):
        refused(1, "give two whole numbers from 1 to 16, the greater one last, such as 2-4", "train", "--text",
                "--letters=" + wrong, data, OUT + "/m")
    check(get(train(data, "--text", "--letters", "no", model="a")) == get(train(data, "--text", model="b")), "no is the default")


def fnv1a(text):
    value = 2166136261
    for byte in text.encode():
        value = (value ^ byte) * 16777619 % 2**32
    return value


def test_hash():
    data = put("m.txt", MESSAGES)
    check(fnv1a("a") == 0xE40C292C, "the hash is FNV-1a")
    for bits, n in (("10", "1"), ("3", "2"), ("18", "3")):
        options = ["--text", "--hash", bits, "--ngrams", n]
        model = train(data, *options)
        rows = ""
        for label, words in messages():
            grams = [" ".join(words[i:i + k]) for k in range(1, int(n) + 1) for i in range(len(words) - k + 1)]
            rows += label + "".join(f" {i}:1" for i in sorted({fnv1a(g) % 2**int(bits) + 1 for g in grams})) + "\n"
        same = train(put("s", rows), "--word-labels", model="same")
        got, expected = weights(model), weights(same)
        check(all(got[key] == value for key, value in expected.items()), f"--hash {bits}")
        check(len(got) == 2**int(bits) + 1, f"--hash {bits}: {len(got)} features")
        learned = predictions(data, model, *options) == ["ham", "spam", "ham", "spam"]
        check(learned or bits == "3", f"--hash {bits} predicts")
    refused(1, "--hash 4: the model has 18", "predict", "--text", "--hash", "4", data, model)
    known = ["-e", "1", "--features", "262144", "--classes", "ham,spam"]
    piped = train("-", "--text", "--hash", "18", *known, model="piped", stdin=MESSAGES.encode())
    check(weights(piped) == weights(train(data, "--text", "--hash", "18", "-e", "1")), "hashed in a stream")


def main():
    for test in (test_names, test_same_name, test_label_text, test_beyond, test_separators, test_numbers_of_others, test_gaps, test_late, test_all_columns, test_head, test_carriage_return, test_form, test_encodings, test_label_of_numbers,
                 test_ignore,
                 test_text_columns, test_missing, test_text, test_long_texts, test_fasttext, test_several_labels, test_words_of_columns, test_marks, test_letters, test_hash):
        test()
    finish()


main()
