"""The reader tells whether the first line of a table holds names: of 60 headers and 60 first rows none is read
wrongly, and few are asked about. What a model's names say."""
import csv
import lzma
import os
import random

from cli import OUT, check, finish, must, predictions, put, refused, run, skip, train

draw = random.Random(4)
ROWS = 150


# ---- Tables: a list of columns makes a row; a name, or none, stands for each ----

def whole(low, high):
    return lambda k: str(draw.randint(low, high))


def decimal(mean=0.0, digits=2):
    return lambda k: f"{draw.gauss(mean, 1):.{digits}f}"


def word(*words):
    return lambda k: draw.choice(words)


def often(share, first, *others):
    return lambda k: first if draw.random() < share else draw.choice(others)


def sentence(k):
    some = "see you at the old bridge, call now! win cash free lunch Monday".split()
    return '"' + " ".join(draw.choice(some) for _ in range(draw.randint(2, 9))) + '"'


def person(k):
    return f'"{draw.choice(("Smith", "Khan", "Olsen", "Weber"))}, {draw.choice(("Mr.", "Mrs."))} {chr(65 + k % 26)}{k}"'


def counted(start=0, before=""):
    return lambda k: f"{before}{k + start}"


def day(k):
    return f"20{k % 24:02}-{k % 12 + 1:02}-{k % 28 + 1:02}"


def gaps(share, column):
    return lambda k: draw.choice(("", "NA", "?")) if draw.random() < share else column(k)


YES = word("yes", "no")
IRIS = [decimal(5.8, 1), decimal(3, 1), decimal(3.7, 1), decimal(1.2, 1), word("setosa", "versicolor", "virginica")]
MUSHROOM = [word("e", "p")] + [word(*some) for some in ("xbs", "yfs", "nbcg", "tf", "pan", "fa", "cw", "bn", "kng", "et")]
TIC = [word(*"xob")] * 9 + [word("positive", "negative")]
CAR = [word("vhigh", "high", "med", "low"), word("vhigh", "high", "med", "low"), word("2", "3", "4", "5more"),
       word("2", "4", "more"), word("small", "med", "big"), word("low", "med", "high"), word("unacc", "acc", "good")]
ADULT = [whole(17, 90), word("Private", "State-gov", "?"), whole(12285, 999999), word("Bachelors", "HS-grad", "11th"),
         word("Male", "Female"), whole(1, 99), word("<=50K", ">50K")]
TITANIC = [whole(1, 3), person, word("male", "female"), gaps(0.2, whole(1, 80)), decimal(30, 4), gaps(0.7, counted(7, "C")),
           word("S", "C", "Q"), word("0", "1")]
MAIL = [word("ham", "spam"), sentence]
GAUSS = [decimal()] * 4
DIGITS = [whole(0, 16)] * 12 + [whole(0, 9)]
PRICES = [day, decimal(70), decimal(71), decimal(69), whole(100000, 999999), word("up", "down")]
UNITS = [lambda k: f"{draw.randint(40, 99)} kg", lambda k: f"{draw.randint(10, 99)}%", word("small", "large")]
ZOO = [lambda k: "".join(chr(97 + int(digit)) for digit in str(k + 1000)), *[word("0", "1")] * 6, word("0", "2", "4", "6"), whole(1, 7)]
TENNIS = [word("sunny", "overcast", "rain"), word("hot", "mild", "cool"), word("high", "normal"), word("FALSE", "TRUE"), YES]
BANDS = [whole(0, 255), gaps(0.3, decimal()), gaps(0.1, whole(1, 9)), YES]
TIMES = [lambda k: f"{k % 24:02}:{k % 60:02}:00", decimal(20), YES]

ASKED = "asked"
# (what, columns, header, how: None, or ASKED if that is all right)
HEADERS = [
    ("iris", IRIS, "sepal_length,sepal_width,petal_length,petal_width,species"),
    ("iris, units and blanks", IRIS, "sepal length (cm),sepal width (cm),petal length (cm),petal width (cm),species"),
    ("iris, R", IRIS, '"Sepal.Length","Sepal.Width","Petal.Length","Petal.Width","Species"'),
    ("iris, R's V1", IRIS, "V1,V2,V3,V4,V5"), ("iris, X1", IRIS, "X1,X2,X3,X4,y"),
    ("pandas, no names", GAUSS + [YES], "0,1,2,3,4"), ("pandas, label", GAUSS + [YES], "0,1,2,3,label"),
    ("pandas, numbers as labels", GAUSS + [word("0", "1")], "0,1,2,3,4"),
    ("pandas, named label of numbers", GAUSS + [word("0", "1")], "0,1,2,3,target"),
    ("pandas, two columns", [decimal(), decimal(), YES], "0,1,label"),
    ("pandas, index", [counted()] + GAUSS + [YES], ",a,b,c,d,y"),
    ("pandas, index of numbers", [counted()] + GAUSS + [YES], ",0,1,2,3,y"),
    ("pandas, index that came back", [counted()] + GAUSS + [YES], "Unnamed: 0,a,b,c,d,y"),
    ("from 1", GAUSS + [YES], "1,2,3,4,class"), ("quoted numbers", GAUSS + [YES], '"0","1","2","3","y"'),
    ("quoted, from 1", GAUSS + [word("1", "2")], '"1","2","3","4","5"'),
    ("years", GAUSS + [YES], "2019,2020,2021,2022,default"),
    ("years, label of numbers", GAUSS + [word("0", "1")], "2019,2020,2021,2022,default"),
    ("years of whole numbers", [whole(0, 999)] * 5 + [YES], "1999,2000,2001,2002,2003,sold"),
    ("years with a name before", [word("a", "b")] + GAUSS + [YES], "region,2019,2020,2021,2022,default"),
    ("lags", GAUSS + [word("up", "down")], "1,2,3,4,direction"), ("lags, names", GAUSS + [YES], "t-1,t-2,t-3,t-4,y"),
    ("digits, pandas", DIGITS, ",".join(map(str, range(13)))), ("digits", DIGITS, ",".join(f"pixel{j}" for j in range(12)) + ",label"),
    ("mushrooms", MUSHROOM, "class,cap-shape,cap-surface,cap-color,bruises,odor,gill,spacing,size,stalk,ring"),
    ("tic-tac-toe", TIC, "tl,tm,tr,ml,mm,mr,bl,bm,br,Class"), ("car", CAR, "buying,maint,doors,persons,lug_boot,safety,class"),
    ("tennis, 14 rows", TENNIS, "outlook,temperature,humidity,windy,play", 14), ("zoo", ZOO, "animal_name,hair,feathers,eggs,milk,airborne,aquatic,legs,type"),
    ("adult", ADULT, "age,workclass,fnlwgt,education,sex,hours-per-week,income"), ("titanic", TITANIC, "Pclass,Name,Sex,Age,Fare,Cabin,Embarked,Survived"),
    ("messages", MAIL, "v1,v2"), ("messages, named", MAIL[::-1], "text,label"), ("two words", [word("red", "blue"), YES], "colour,ripe"),
    ("prices", PRICES, "Date,Open,High,Low,Volume,direction"), ("units", UNITS, "weight,fat,size"), ("times", TIMES, "time,temperature,rain"),
    ("bands", BANDS, "red,nir,class,water"), ("upper case", IRIS, "A,B,C,D,E"), ("one letter, text", TENNIS, "a,b,c,d,e"),
    ("one number column", [decimal(), YES], "x,y"), ("one whole column", [whole(0, 9), word("0", "1")], "x,y"),
    ("id before", [counted(1000)] + GAUSS + [YES], "id,a,b,c,d,y"), ("id of texts", [counted(1000, "P")] + GAUSS + [YES], "patient,a,b,c,d,y"),
    ("label first", [word("M", "F", "I"), decimal(), decimal()], "sex,length,diameter"), ("semicolon in a name", IRIS, '"a;b",b,c,d,y'),
    ("not ASCII", IRIS, "länge,breite,höhe,größe,art"), ("not ASCII, texts", TENNIS, "воздух,тепло,влага,ветер,игра"),
    ("gaps", [gaps(0.5, column) for column in GAUSS] + [YES], "a,b,c,d,y"), ("negative numbers", [whole(-9, -1)] * 3 + [YES], "a,b,c,y"),
    ("exponents", [lambda k: f"{draw.random():.3e}"] * 3 + [YES], "a,b,c,y"), ("4 rows", GAUSS + [YES], "a,b,c,d,y", 4),
    ("2 rows", [decimal(), word("0", "1")], "a,y", 2), ("one number among words", CAR + [whole(1, 9)], "b,m,d,p,l,s,c,n"),
    ("sorted by label", GAUSS + [lambda k: "low" if k < 120 else "high"], "a,b,c,d,y"),
    ("names of one column are numbers", [whole(0, 9), decimal(), word("a", "b")], "count,2020,y"),
    ("years that skip", GAUSS + [YES], "2005,2010,2015,2019,default"), ("quantiles", GAUSS + [word("0", "1")], "0.5,1.0,1.5,2.0,y"),
    ("exponents as names", GAUSS + [word("0", "1")], "1e-3,1e-2,1e-1,1,y"), ("texts, 4 rows", TENNIS[:2] + [YES], "outlook,heat,play", 4),
]
FIRST_ROWS = [
    ("iris", IRIS, None), ("iris, a known row", IRIS, "5.1,3.5,1.4,0.2,setosa"), ("iris, whole numbers", IRIS, "5,3,1,0,setosa"),
    ("iris, a rare first class", IRIS, "5.1,3.5,1.4,0.2,hybrid"), ("whole numbers, a rare first class", DIGITS[:-1] + [YES], "0,3,5,1,9,2,0,8,7,7,7,1,maybe"),
    ("a rare class of numbers", DIGITS[:-1] + [word("1", "2")], "0,3,5,1,9,2,0,8,7,7,7,1,4"),
    ("gauss", GAUSS + [YES], None), ("gauss, numbers as labels", GAUSS + [word("0", "1")], None),
    ("labels -1 and 1", GAUSS + [word("-1", "1")], None), ("labels that are decimals", GAUSS + [word("0.0", "1.0")], None),
    ("digits", DIGITS, None), ("pixels, all zeros", DIGITS, "0,0,0,0,0,0,0,0,0,0,0,0,7"), ("counts up by luck", [whole(0, 9)] * 3 + [YES], "3,4,5,yes"),
    ("counts up by luck, 6 columns", [whole(0, 9)] * 6 + [YES], "1,2,3,4,5,6,yes"), ("always counts up", [counted(0), counted(1), counted(2), YES], None),
    ("a truth table", [word("0", "1"), word("0", "1"), word("0", "1")], "0,1,1"), ("a truth table of words", [word("0", "1"), word("0", "1"), YES], "0,1,yes"),
    ("4 rows", [whole(0, 9)] * 3 + [YES], "5,3,9,yes", 4), ("2 rows", [decimal(), word("p", "q")], "0.5,p", 2), ("2 rows of words", [decimal(), word("p", "q"), YES], "0.5,p,yes", 2),
    ("mushrooms", MUSHROOM, "p,x,s,n,t,p,f,c,n,k,e"), ("mushrooms, a rare value", MUSHROOM, "p,x,s,n,t,m,f,c,n,k,e"), ("tic-tac-toe", TIC, "x,x,x,x,o,o,x,o,o,positive"),
    ("car", CAR, "vhigh,vhigh,2,2,small,low,unacc"), ("tennis, 14 rows", TENNIS, "sunny,hot,high,FALSE,no", 14), ("zoo", ZOO, "aardvark,1,0,0,1,0,0,4,1"),
    ("adult", ADULT, "39,State-gov,77516,Bachelors,Male,40,<=50K"), ("adult, a gap", ADULT, "54,?,180211,HS-grad,Male,60,>50K"),
    ("titanic", TITANIC, '3,"Braund, Mr. Owen",male,22,7.25,,S,0'), ("titanic, a cabin", TITANIC, '1,"Cumings, Mrs. John",female,38,71.2833,C85,C,1'),
    ("messages", MAIL, 'ham,"see you, call"'), ("messages, one word", MAIL, "spam,FREE"), ("messages, a text first", MAIL[::-1], '"Go until jurong point, crazy",ham'),
    ("two words", [word("red", "blue"), YES], "red,yes"), ("two words, a rare one", [word("red", "blue"), YES], "violet,yes"), ("words, rare ones", [word("red", "green"), word("round", "long"), word("apple", "banana")], "violet,oval,plum", 5),
    ("prices", PRICES, "2020-01-02,74.06,75.15,73.8,135480,up"), ("units", UNITS, "52 kg,12%,small"), ("units, one without", UNITS, "52,12%,small"), ("times", TIMES, "00:00:00,21.5,no"),
    ("bands", BANDS, "12,?,3,yes"), ("bands, a gap first", BANDS, ",0.5,3,no"), ("id of numbers", [counted(1001)] + GAUSS + [YES], "1000,0.1,0.2,0.3,0.4,yes"),
    ("id from 0", [counted(1)] + GAUSS + [YES], "0,0.1,0.2,0.3,0.4,yes"), ("id of texts", [counted(1001, "P")] + GAUSS + [YES], "P1000,0.1,0.2,0.3,0.4,yes"), ("id of texts alone", [counted(1, "C"), word("0", "1")], "C0,0"),
    ("label first", [word("M", "F", "I"), decimal(), whole(1, 29)], "M,0.455,15"), ("negative numbers", [whole(-9, -1)] * 3 + [YES], "-3,-2,-7,no"), ("exponents", [lambda k: f"{draw.random():.3e}"] * 3 + [YES], "1.5e-1,2e-1,3.25e-1,no"),
    ("sorted by label", GAUSS + [lambda k: "low" if k < 120 else "high"], "0.1,0.2,0.3,0.4,low"), ("sorted by label of words", [word("red", "blue"), lambda k: "low" if k < 120 else "high"], "red,low"), ("many labels", GAUSS + [whole(1, 400)], "0.1,0.2,0.3,0.4,777"),
    ("many labels of words", GAUSS + [counted(0, "class")], "0.1,0.2,0.3,0.4,class999"), ("quoted", IRIS, '"5.1","3.5","1.4","0.2","setosa"'), ("years as values", [whole(1990, 2020), decimal(), YES], "2019,0.5,yes"),
    ("years that count up", [whole(1990, 2020)] * 3 + [word("0", "1")], "2001,2002,2003,1"), ("a marker for a gap", [often(0.1, "unknown", "5", "3", "8", "1"), decimal(), YES], "unknown,0.5,yes"),
    ("a rare marker for a gap", [whole(0, 9), decimal(), YES], "unknown,0.5,yes"), ("a time series from 0", [lambda k: f"{k / 10 + 0.1:.1f}", decimal(), word("0", "1")], "0,1,0"),
    ("plurals", [word("5more", "2", "3"), word("more", "2", "4"), YES], "5more,more,yes"),
]


def rows_of(columns, first, count=ROWS):
    body = [",".join(column(k) for column in columns) for k in range(count)]
    return "\n".join(([first] if first else []) + body) + "\n", count + (first is not None)


def is_number(text):
    try:
        return float(text) == float(text)
    except ValueError:
        return False


def mixed(rows):
    """Options for columns of words and numbers, which learning refuses."""
    for i, column in enumerate(zip(*csv.reader(rows))):
        if len({is_number(value) for value in column if value not in ("", "NA", "?")}) == 2:
            yield from ("--nominal", str(i + 1))


def read_as(content, *options):
    """How many rows the program finds; None if it asks."""
    data = put("t.csv", content)
    status, out, err = run("train", "--json", "-q", "-e", "1", "--order", "draw", "--missing", "zero", *options, data, OUT + "/m")
    if status:
        asks = "are these names or a row? As names, '" in err and "--header takes names, --header=no a row" in err
        check(asks, f"{options}: {err}{content[:60]}")
        return None
    return int(out.split('"rows": ')[1].split(",")[0])


def test_tables():
    """Of --header=yes and --header=no, which are right for their own, every table is read in one way by auto."""
    asked = []
    for kind, tables, names in (("header", HEADERS, 1), ("row", FIRST_ROWS, 0)):
        check(len(tables) == 60, f"{len(tables)} of {kind}s")
        for what, columns, first, *count in tables:
            content, lines = rows_of(columns, first, *count)
            options = [*mixed(content.splitlines()[names:])]
            found = read_as(content, *options)
            if found is None:
                asked.append(f"{kind}: {what}")
                found = read_as(content, *options, "--header" if names else "--header=no")
            check(found == lines - names, f"{kind}, {what}: {found} rows of {lines} lines: {first}")
    quoted = "".join(",".join(f'"{field}"' for field in line.split(",")) + "\n" for line in numbers("a,b,c,y", rows=4).splitlines())
    check(read_as(quoted) == 4, "names above numbers, all of them quoted")
    check(0 < len(asked) <= 18, f"asked about {len(asked)} of 120: {asked}")


ASKS = "1:1: are these names or a row? As names, '{}' is a column and '{}' the column of the label; as a row, '{}' is a value and '{}' the label"
CHOICE = "--header takes names, --header=no a row"


def numbers(header, label=("no", "yes"), rows=40, label_too=True):
    lines = [header] if header else []
    for _ in range(rows):
        x = [draw.gauss(0, 1) for _ in range(3)]
        lines.append(",".join(f"{v:.2f}" for v in x) + f",{label[x[0] - 2 * x[1] > 0]}" * label_too)
    return "\n".join(lines) + "\n"


def test_options():
    """Yes, no and auto; the value stands behind an equals sign; names in other options say that there are names."""
    data = put("o.csv", numbers("4,9,16,25"))
    says = ASKS.format(4, 25, 4, 25) + ": " + CHOICE
    for options in (), ("--header=auto",), ("--ignore", "2"), ("--label", "4"):
        refused(2, says, "train", *options, data, OUT + "/m")
    for options, names in ((("--header",), 1), (("--header=yes",), 1), (("--header=no",), 0), (("--ignore", "4,"), None)):
        if names is not None:
            check(read_as(numbers("4,9,16,25"), *options) == 41 - names, f"{options}")
    named = put("n.csv", numbers("a,9,16,25"))
    refused(2, says.replace("'4'", "'a'"), "train", named, OUT + "/m")
    for options in ("--ignore", "a"), ("--nominal", "a"), ("--text-column", "a"):
        check(read_as(numbers("a,9,16,25"), *options) == 40, f"{options} names a column")
    check(read_as("y" + numbers("x,9,16,25").replace("x,", ",", 1), "--label", "25", "--header") == 40, "a number that is a name")
    refused(1, "--header maybe: choose one of yes|no|auto", "train", "--header=maybe", data, OUT + "/m")
    refused(1, "perceptron train takes DATA [MODEL]", "train", "--header", "no", data, OUT + "/m")
    refused(1, "--header needs rows of CSV", "train", "--header", put("d", "1 1:1\n-1 2:1\n"), OUT + "/m")
    model = train(data, "--header", model="yes")
    check(len(predictions(data, model)) == 40 and len(predictions(data, model, "--header=no")) == 41, "a model remembers it")
    model = train(data, "--header=no", model="no")
    check(len(predictions(data, model)) == 41 and len(predictions(data, model, "--header")) == 40, "and that there is none")
    old = bytearray(open(OUT + "/yes", "rb").read())
    check(old.count(b"header=yes") == 1, "as a model has it")


def test_online():
    """Rows that are learned as they come: the first and at most one more tell."""
    rows = "0.1,2,no\n0.3,4,yes\n"
    for first, names in (("a,b,y\n", 1), ("", 0), ("3,1,no\n", 0)):
        train(put("s.csv", first + rows), "--online", model="s")
        check(f"learned    {3 - names if first else 2} rows" in must("show", OUT + "/s"), f"{first!r}: {must('show', OUT + '/s')}")
    refused(2, CHOICE, "train", "--online", put("s.csv", "2,3,4,no\n1,0.5,1,yes\n"), OUT + "/s")
    refused(2, CHOICE, "train", "--online", put("s.csv", "free,lunch,ham\nwin,cash,spam\n"), OUT + "/s")


def test_model_knows():
    """What a model calls its columns says whether there are names; otherwise columns go by number, in the same count."""
    model = train(put("t.csv", numbers("a,b,c,y")), model="named")
    rows = numbers(None)
    bare = "".join(line.rpartition(",")[0] + "\n" for line in rows.splitlines())
    want = predictions(put("p.csv", "a,b,c,y\n" + rows), model)
    for text in (rows, bare, "a,b,c\n" + bare, "y" + ",c,b,a\n" + "".join(",".join(line.split(",")[::-1]) + "\n" for line in rows.splitlines())):
        check(predictions(put("p.csv", text), model) == want, f"{text[:20]!r}")
    refused(2, "no columns 'a', 'b', 'c', which the model needs; the columns are 'u', 'v', 'w'", "predict",
            put("p.csv", "u,v,w\n" + bare), model)
    for first in "0,1,2\n", "1,2,3,4\n", "2019,2020,2021\n":
        text = put("p.csv", first + (rows if first.count(",") > 2 else bare))
        refused(2, CHOICE, "predict", text, model)
        check(len(predictions(text, model, "--header=no")) == 41, f"{first} as a row")
        refused(2, "no columns 'a', 'b', 'c', which", "predict", "--header", text, model)
    refused(2, "are these names or a row?", "train", "-t", put("p.csv", "0,1,2,3\n" + rows), OUT + "/t.csv", OUT + "/m")
    years = train(put("y.csv", numbers("2019,2020,2021,default")), model="years")
    for first, count in (("2019,2020,2021\n", 40), ("2019,2020,2021,default\n", 40), ("", 40)):
        text = put("p.csv", first + (rows if "default" in first else bare))
        check(len(predictions(text, years)) == count, f"{first!r}")
    refused(2, CHOICE, "predict", put("p.csv", "2021,2020,2019\n" + bare), years)
    plain = train(put("t.csv", rows), model="plain")
    check(predictions(put("p.csv", "a,b,c,y\n" + rows), plain) == predictions(OUT + "/t.csv", plain), "names for none")
    check(predictions(put("p.csv", "a,b,c\n" + bare), plain) == predictions(OUT + "/t.csv", plain), "without a label")
    refused(2, CHOICE, "predict", put("p.csv", "0,1,2\n" + bare), plain)
    check(len(predictions(put("p.csv", "5,6,7\n" + bare), plain)) == 41, "a row may count up")
    words = train(put("w.csv", "red,round,apple\nyellow,long,banana\n" * 9), model="words")
    check(predictions(put("p.csv", "red,long\nyellow,square\n"), words) == ["apple", "banana"], "words that are known")
    refused(2, CHOICE, "predict", put("p.csv", "colour,form\nred,long\n"), words)
    check(predictions(OUT + "/p.csv", words, "--header") == ["apple"], "and with --header")


def test_counts():
    """Columns without names are as many as in training, the label apart; an ignored one must be known, too."""
    table = "".join(f"{i},{line}\n" for i, line in enumerate(numbers(None).splitlines()))
    bare = "".join(line.rpartition(",")[0] + "\n" for line in table.splitlines())
    named = train(put("t.csv", "id,a,b,c,y\n" + table), "--ignore", "id", model="named")
    want = predictions(OUT + "/t.csv", named)
    for text in table, bare:
        refused(2, "1:1: the model leaves out the column 'id', and no field here is a name that it knows: put a line of names "
                "before the rows, or --ignore NUMBER says which column it is", "predict", put("p.csv", text), named)
        check(predictions(OUT + "/p.csv", named, "--ignore", "1") == want, "its number says it")
        less = put("p.csv", "".join(line.partition(",")[2] + "\n" for line in text.splitlines()))
        refused(2, "the model leaves out the column 'id'", "predict", less, named)
    for at in (1, 3):  # the label in front of what is left out
        moved = ["y", "a", "b", "c"]
        moved.insert(at, "id")
        order = [["id", "a", "b", "c", "y"].index(name) for name in moved]
        lines = ["".join(line.split(",")[i] + "," for i in order)[:-1] for line in table.splitlines()]
        model = train(put("t.csv", "\n".join(lines) + "\n"), "--label", "1", "--ignore", str(at + 1), model="moved")
        check(predictions(OUT + "/t.csv", model) == want, f"{moved}")
        check(predictions(put("p.csv", "\n".join(line.partition(",")[2] for line in lines) + "\n"), model) == want,
              f"{moved} without the label")
        refused(2, "3 columns and no name that the model knows: it was trained on 5, with the label and those left out, which may "
                "be missing; --label and --ignore leave columns out", "predict", put("p.csv", "1,2.5,3\n"), model)
    pairs = train(put("d", "1 1:1 3:1\n-1 2:1\n"), model="pairs")
    check(len(predictions(put("p.csv", "1,0,1\n0,1,0\n"), pairs)) == 2, "libsvm text, then CSV")
    refused(2, "5 columns and no name that the model knows: it was trained on 4", "predict", put("p.csv", "1,0,1,5,1\n"), pairs)
    words = train(put("w.csv", "n,colour,y\n1,red,a\n2,blue,b\n"), model="mixed")
    refused(2, "2 columns and no name that the model knows: it was trained on 3, with the label, which may be missing: put a line "
            "of names before the rows", "predict", put("p.csv", "1,red\n"), words)


def test_shared():
    """Tables as they are shared."""
    folder = os.environ.get("PCN_DATA")
    if not folder:
        return skip("tables as they are shared: set PCN_DATA")
    for name in "diamonds.train.csv", "diamonds.test.csv":
        with lzma.open(f"{folder}/{name}.xz", "rt") as f:
            lines = [line for line, _ in zip(f, range(2000))]
        check(read_as("".join(lines)) == len(lines) - 1, f"{name}: with its header")
        check(read_as("".join(lines[1:])) == len(lines) - 1, f"{name}: without")


for test in (test_tables, test_options, test_online, test_model_knows, test_counts, test_shared):
    test()
finish()
