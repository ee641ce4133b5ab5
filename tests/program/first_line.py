"""Does the first line of a table hold names? 60 headers and 60 first rows, by kind: none is read wrongly, few are asked
about. What a model's names say, and what it asks."""
import csv
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
    if "the first column has no name" in err:  # which it says of a header
        return read_as(content, "--ignore", "", *options)
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
    print("asked:", "; ".join(asked))
    check(0 < len(asked) <= 18, f"asked about {len(asked)} of 120: {asked}")
    return asked


test_tables()
finish()
