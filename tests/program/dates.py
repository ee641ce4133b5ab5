"""Columns of dates: numbers of days, beside Python's datetime, in each order and with times; learned as a file of these
numbers is, bit for bit, in whatever way it is read; what can be read in two ways, or is no date, is refused by a sentence."""
import json
import random
import struct
import subprocess
from datetime import date, datetime, timedelta, timezone

from cli import OUT, PROGRAM, check, finish, get, image, must, predictions, put, refused, run, section, stored, train, with_section

EPOCH = datetime(1970, 1, 1)
FORMS = {"ymd": ("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d"), "dmy": ("%d.%m.%Y", "%d/%m/%Y", "%d-%m-%Y"), "mdy": ("%m/%d/%Y", "%m-%d-%Y")}
ORDERS = {"ymd": "year, month, day", "dmy": "day, month, year", "mdy": "month, day, year"}


def text_of(day, form):
    """As strftime, whose years below 1000 have fewer digits."""
    return day.strftime(form.replace("%Y", f"{day.year:04}"))


def days_of(moment):
    return (moment - EPOCH).total_seconds() / 86400


def csv(name, rows, names="day,n,y"):
    return put(name, (names + "\n" if names else "") + "".join(",".join(map(str, row)) + "\n" for row in rows))


def dates(model):
    return {entry["feature"]: entry["order"] for entry in json.loads(must("show", "--json", model)).get("dates", [])}


def values(texts, *options):
    """What is learned of each text, as a float."""
    out = must("train", "-q", "--trace", "--json", "-e", "1", "--order", "file", *options,
               csv("values.csv", [[text, "pq"[k % 2]] for k, text in enumerate(texts)], "day,y"), OUT + "/values")
    return [json.loads(line)["x"]["day"] for line in out.splitlines() if line.startswith('{"epoch"')]


def in_float(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def calendar(count, seed):
    """Days of all years, and where years and months end."""
    draw = random.Random(seed)
    edges = [date(year, month, day) for year in (1, 3, 4, 100, 400, 1600, 1700, 1896, 1900, 1904, 1968, 1969, 1970, 1972, 1999, 2000,
                                                 2024, 2026, 2100, 9999) for month, day in ((1, 1), (2, 28), (3, 1), (12, 31))]
    edges += [date(year, 2, 29) for year in (4, 400, 1600, 1904, 1968, 1972, 2000, 2024, 2400)]
    return edges + [date(1, 1, 1) + timedelta(days=draw.randrange(3652059)) for _ in range(count)]


# ---- One date ----

def test_calendar():
    """Days in every order and with every mark between, beside datetime: before 1970, in leap years."""
    for order, forms in FORMS.items():
        for form in forms:
            days = calendar(300, len(form))
            short = form.replace("%m", "@").replace("%d", "#")
            texts = [text_of(d, form) for d in days] + [text_of(d, short).replace("@", str(d.month)).replace("#", str(d.day)) for d in days]
            right = [float((d - date(1970, 1, 1)).days) for d in days] * 2
            check(values(texts) == right and dates(OUT + "/values") == {"day": order}, f"{form}: {dates(OUT + '/values')}")


def test_times():
    """A fraction of a day, from which an offset from UTC has been subtracted."""
    draw = random.Random(2)
    moments = [datetime(draw.randrange(1900, 2100), draw.randrange(1, 13), draw.randrange(1, 28), draw.randrange(24), draw.randrange(60),
                        draw.randrange(60), draw.randrange(10**6)) for _ in range(60)]
    whole, minutes = [m.replace(microsecond=0) for m in moments], [m.replace(second=0, microsecond=0) for m in moments]
    zones = [timezone(timedelta(minutes=draw.choice((-1, 1)) * draw.randrange(14 * 60))) for _ in moments]
    local = [m.replace(tzinfo=z) for m, z in zip(whole, zones)]
    for texts, right in (
            ([m.isoformat() for m in moments], moments), ([m.isoformat(" ") for m in moments], moments),
            ([m.isoformat("T") + "Z" for m in whole], whole), ([m.isoformat(" ")[:16] for m in minutes], minutes),
            ([m.isoformat(" ") + " UTC" for m in whole], whole), ([m.strftime("%m/%d/%Y %I:%M:%S %p") for m in whole], whole),
            ([m.strftime("%d.%m.%Y ") + f"{m.hour}:{m.minute:02}" for m in minutes], minutes),
            ([m.strftime("%m/%d/%Y ") + f"{m.hour % 12 or 12}:{m.minute:02}{'ap'[m.hour > 11]}m" for m in minutes], minutes),
            ([m.isoformat() for m in local], [m.astimezone(timezone.utc).replace(tzinfo=None) for m in local]),
            ([m.strftime("%Y-%m-%d %H:%M:%S %z") for m in local], [m.astimezone(timezone.utc).replace(tzinfo=None) for m in local]),
            ([f"{m.isoformat()}{m.hour - 12:+03}" for m in whole], [m - timedelta(hours=m.hour - 12) for m in whole])):
        check(values(texts) == [in_float(float(f"{in_float(days_of(m)):.9g}")) for m in right] or
              all(abs(in_float(a) - in_float(days_of(m))) < 1e-12 for a, m in zip(values(texts), right)), f"{texts[0]}")
    quoted = [f'"{m.isoformat().replace(".", ",")}"' for m in moments]
    check(values(quoted) == values([m.isoformat() for m in moments]), "a comma before the fraction")
    check(values(["2026-11-28", "2026-11-28T00:00", "2026-11-28 12:00 AM", "2026-11-28 12:00"]) == [20785, 20785, 20785, 20785.5], "noon")


def test_no_dates():
    """What is no date, or not in the calendar, among dates: where, and no proposal to take all of them for words."""
    for bad in ("2026-02-30", "2025-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00", "0000-01-01", "26-11-28",
                "2026-11", "2026-11-28-1", "2026-1-123", "2026-11/28", "2026:11:28", "12026-11-28", "28.11.2026", "x2026-11-28", "2026-11-28x",
                "2026-11-28T", "2026-11-28T12", "2026-11-28T24:00", "2026-11-28T12:60", "2026-11-28T12:00:60", "2026-11-28T1:1", "2026-11-28 13:00 PM",
                "2026-11-28 0:30 AM", "2026-11-28 12:00:", "2026-11-28 12:00:00.", "2026-11-28T12:00+1", "2026-11-28T12:00+24:00", "2026-11-28T12:00+01:60",
                "2026-11-28T12:00z", "2026-11-28  12:00", "5", "5-", "2026-", "1e3", "unknown"):
        rows = [[k, f"2026-11-{k % 28 + 1}", "pq"[k % 2]] for k in range(120)]
        rows[110][1] = bad
        gap = f", and if it says that there is no value, --gap '{bad}' --missing zero" * (" " not in bad)
        refused(2, f"bad.csv:112:5: '{bad}' is not a date in the order year, month, day: --ignore 'day' leaves the column out{gap}\n", "train",
                "-q", csv("bad.csv", rows, "n,day,y"), OUT + "/m", plain=False)
    rows = [[f"2026-11-{k % 28 + 1}", k, "pq"[k % 2]] for k in range(20)]
    rows[3][0], rows[4][0], rows[5][1] = "soon", "late", "NA"
    refused(2, "several.csv:5:1: 'soon' is not a date in the order year, month, day, and more stands in the way: --missing mean --ignore 'day' "
            "leaves it out", "train", "-q", csv("several.csv", rows), OUT + "/m", plain=False)


def test_other_words():
    """Two-digit years, names of months and a few dates among words are words, as they were."""
    for texts in (["28.11.26", "29.11.26"], ["11/28/26", "1/2/26"], ["28 Nov 2026", "1 Dec 2026"], ["2026-11", "2026-12"],
                  ["2026-11-28", "soon", "late"], ["1.2.2026", "a", "b"], ["1-2-3", "2-3-4"], ["11.28.2026", "12.30.2026"]):
        model = train(csv("words.csv", [[texts[k % len(texts)], k % 5, "pq"[k % 2]] for k in range(60)]), "-e", "2", plain=False)
        check(dates(model) == {} and f"day={texts[0]}" in must("show", model), f"{texts}")
    rows = csv("nominal.csv", [[f"2026-11-{k % 9 + 1}", k % 5, "pq"[k % 2]] for k in range(60)])
    for option, feature in (("--nominal", "day=2026-11-1"), ("--text-column", "day:2026")):
        model = train(rows, option, "day", plain=False)
        check(dates(model) == {} and feature in must("show", model), f"{option} day")
        refused(2, f"nominal.csv:1:1: --dates day:ymd: {option} has this column: leave one of them out", "train", option, "day", "--dates",
                "day:ymd", rows, OUT + "/m")
    check(dates(train(rows, "--ignore", "day", plain=False)) == {}, "a column that is left out")
    check("2026-11-1" in must("show", train(rows, "--label", "day", "--nominal", "y", plain=False)), "labels are texts")


# ---- As numbers ----

def mixed(count, gaps=False, time=False, seed=3):
    """Dates, which may be missing, an ordinary number, a word."""
    draw, rows = random.Random(seed), []
    for _ in range(count):
        moment = datetime(2026, 11, 28) + timedelta(seconds=draw.randrange(3600) if time else 86400 * draw.randrange(-400, 400))
        score = days_of(moment) - (20785.02 if time else 20785)
        rows.append([None if gaps and draw.random() < 0.1 else moment, round(draw.gauss(0, 3), 2), draw.choice("uvw"), "pq"[score > 0]])
    return rows


def two_files(name, rows, form):
    """The same rows with dates, and with numbers of days."""
    for kind, of in (("dates", lambda m: m.strftime(form)), ("days", lambda m: repr(days_of(m)))):
        yield csv(f"{name}.{kind}.csv", [["NA" if row[0] is None else of(row[0]), *row[1:]] for row in rows], "day,n,word,y")


def test_bits():
    """A model of dates is that of the numbers, but for what it says of the column: 12 bytes. So are its answers."""
    for time in (False, True):
        for options in ((), ("--missing", "mean"), ("--missing", "drop"), ("--missing", "zero"), ("--ignore", "word"), ("--normalize", "none"),
                        ("--normalize", "maxabs"), ("-a", "arow"), ("--shards", "3", "--threads", "2"), ("--products", "day*n"),
                        ("-a", "kernel", "-e", "2"), ("-e", "1"), ("--probabilities",), ("-a", "winnow", "--binarize", "--nominal", "n")):
            rows, gaps = mixed(120, "--missing" in options, time), ("--missing", "mean") * ("--missing" in options)
            with_dates, with_days = two_files("bits", rows, "%Y-%m-%dT%H:%M:%S" if time else "%d.%m.%Y")
            model, plain = train(with_dates, *options, plain=False), train(with_days, *options, model="days", plain=False)
            if time and options == ("-e", "1"):
                continue  # a stream subtracts the first day of times, and nothing of the numbers
            check(image(model) == image(plain), f"{time} {options}: the weights of numbers")
            check(len(section(model)) == len(section(plain)) + 12 and dates(model) == {"day": "ymd" if time else "dmy"}, f"{options}: the section")
            check(predictions(with_dates, model, *gaps) == predictions(with_days, plain, *gaps), f"{options}: the same answers")
    for command in (("train", "--folds", "5"), ("compare", "--seconds", "1")):
        check(run(*command, with_dates, plain=False)[0] == 0, f"{command}")


def test_digits():
    """An hour of times: floats of days hold two minutes, so an offset is subtracted, of all rows or in a stream."""
    rows = mixed(300, time=True)
    data, _ = two_files("hour", rows, "%Y-%m-%d %H:%M:%S")
    for options in ((), ("--online",), ("--online", "-a", "averaged")):
        model = train(data, "--ignore", "word", *options, plain=False)
        offset = json.loads(must("show", "--json", model))["offsets"]
        check(len(offset) == 1 and 20785 <= offset[0]["offset"] < 20785.05, f"{options}: {offset}")
        wrong = sum(a != row[-1] for a, row in zip(predictions(data, model), rows))
        check(wrong <= (30 if options else 6), f"{options}: {wrong} of 300 wrong")
    check(offset[0]["offset"] == 20785, "a stream subtracts the day of its first row")
    whole = train(csv("whole.csv", [["2026-11-28", 1, "p"], ["2026-11-28T12:00", 2, "q"]]), "--online", plain=False)
    check("offsets" not in must("show", "--json", whole), "and nothing, if that has no time")


def test_missing():
    """Gaps are those of numbers; 0 is 1970-01-01."""
    data = csv("gaps.csv", [["" if k % 7 == 3 else f"1970-01-{k % 9 + 1:02}", k % 5, "pq"[k % 9 > 4]] for k in range(90)])
    refused(2, "gaps.csv:5:1: column 'day' has no value here ('')", "train", "-q", data, OUT + "/m", plain=False)
    model = train(data, "--missing", "zero", plain=False)
    texts = ["day,n\n1970-01-01,3\n", "day,n\nNA,3\n", "day,n\n\\N,3\n", "n,z\n3,1\n"]
    scores = [must("predict", "--scores", "-q", put("gap.test", text), model) for text in texts]
    check(len(set(scores)) == 1, f"{scores}")
    data = csv("none.csv", [["9999-12-31" if k % 7 == 3 else f"2026-01-{k % 9 + 1:02}", k % 5, "pq"[k % 9 > 4]] for k in range(90)])
    model = train(data, "--missing", "mean", "--gap", "9999-12-31", plain=False)
    check(json.loads(must("show", "--json", model))["greatest_value"] < 21000, "a --gap that is a date")


# ---- Which order ----

BOTH = [f"{1 + k % 12:02}/{1 + k % 11:02}/2026" for k in range(1, 40)]


def test_unclear():
    """Both readings, and the options."""
    refused(2, "both.csv:1:1: '02/02/2026' in column 'day' does not tell the day from the month, and nothing else here tells: --dates 'day:dmy' takes the "
            "day first, --dates 'day:mdy' the month", "train", csv("both.csv", [["02/02/2026", 1, "p"], ["02/02/2026", 2, "q"]]), OUT + "/m")
    rows = [[text, text.replace("/", "-"), "pq"[k % 2]] for k, text in enumerate(BOTH)]
    data = csv("both.csv", rows, "day,it's,y")
    for options in ((), ("--folds", "3"), ("-e", "1")):
        refused(2, "both.csv:1:1: '12/01/2026' in column 'day' can be day 12 of month 1, or day 1 of month 12, and nothing else here tells: --dates "
                "'day:dmy' --dates 2:dmy takes the day first, --dates 'day:mdy' --dates 2:mdy the month", "train", *options, data,
                *([] if "--folds" in options else [OUT + "/m"]), plain=False)
    model = train(data, "--dates", "day:dmy", "--dates", "2:mdy", plain=False)
    check(dates(model) == {"day": "dmy", "it's": "mdy"}, f"{dates(model)}")
    check(dates(train(data, "--dates", "day:dmy", "--ignore", "2", plain=False)) == {"day": "dmy"}, "one of them")
    bare = put("bare.csv", get(data).split(b"\n", 1)[1])
    check(dates(train(bare, "--header=no", "--dates", "1:dmy", "--dates", "2:mdy", plain=False)) == {"1": "dmy", "2": "mdy"}, "by number")
    model = train(csv("points.csv", [[text.replace("/", "."), 1, "pq"[k % 2]] for k, text in enumerate(BOTH)]), plain=False)
    check(dates(model) == {"day": "dmy"}, "with points the day is first")
    model = train(csv("points.csv", [["11.28.2026", 1, "p"], ["12.30.2026", 2, "q"]]), "--dates", "day:mdy", plain=False)
    check(dates(model) == {"day": "mdy"}, "unless --dates says otherwise")


def test_decided():
    """One value tells, wherever it stands: behind what is in memory, in a file and a pipe."""
    for last, order in (("13/01/2026", "dmy"), ("01/13/2026", "mdy")):
        rows = [[BOTH[k % len(BOTH)], k % 7, "pq"[k % 2]] for k in range(30000)] + [[last, 1, "p"], [last, 2, "q"]]
        data = csv("late.csv", rows)
        model = train(data, "-e", "1", plain=False)
        check(dates(model) == {"day": order}, f"{last}: {dates(model)}")
        status, _, err = run("train", "-q", "-e", "1", "-", OUT + "/piped", stdin=get(data), plain=False)
        check(status == 0 and get(OUT + "/piped") == get(model), f"a pipe: {err}")
    rows = [[text, k, "pq"[k % 2]] for k, text in enumerate(BOTH + ["28/11/2026", "11/28/2026", "28/11/2026"])]
    refused(2, f"against.csv:{len(rows)}:1: '11/28/2026' is not a date in the order day, month, year: --ignore 'day' leaves the column out",
            "train", csv("against.csv", rows), OUT + "/m")


def test_options():
    rows = csv("o.csv", [[f"2026-11-{k % 28 + 1}", k, "pq"[k % 2]] for k in range(40)])
    for given in ("day", "day:", ":dmy", "day:xyz", "day:dm", "dmy"):
        refused(1, f"--dates {given}: give COLUMN:dmy, COLUMN:mdy or COLUMN:ymd", "train", "--dates", given, rows, OUT + "/m")
    refused(2, "o.csv:1:1: --dates z: no such column among 3", "train", "--dates", "z:dmy", rows, OUT + "/m")
    refused(2, "o.csv:1:7: --dates y: this column is the label", "train", "--dates", "y:dmy", rows, OUT + "/m")
    refused(2, "o.csv:1:1: --dates day: this column is left out by --ignore", "train", "--ignore", "day", "--dates", "day:dmy", rows, OUT + "/m")
    refused(2, "o.csv:1:1: --dates day:dmy: the column has another order already, ymd: leave one of them out", "train", "--dates", "day:ymd",
            "--dates", "day:dmy", rows, OUT + "/m")
    refused(2, "o.csv:2:1: '2026-11-1' is not a date in the order month, day, year: --ignore 'day' leaves the column out, --dates 'day:ymd' "
            "takes its dates", "train", "--dates", "day:mdy", rows, OUT + "/m")
    refused(1, "--dates needs rows of CSV", "train", "--dates", "1:dmy", put("o.svm", "1 1:1\n-1 2:1\n"), OUT + "/m")
    check(get(train(rows, "--dates", "day:ymd", "--dates", "1:ymd")) == get(train(rows, model="same")), "what the dates tell themselves")
    colon = csv("colon.csv", [[text, k % 3, "pq"[k % 2]] for k, text in enumerate(BOTH)], "a:b,n,y")
    check(dates(train(colon, "--dates", "a:b:mdy")) == {"a:b": "mdy"}, "a colon in the name")
    refused(1, "--dates cannot be given with --resume", "train", "--resume", OUT + "/m", "--dates", "day:ymd", rows, OUT + "/n")
    out = must("compare", "--seconds", "1", "--dates", "a:b:mdy", colon, plain=False)
    check("--dates=a:b:mdy " in out.splitlines()[-1], f"compare: {out}")


# ---- For a model ----

def test_model():
    """It reads dates in its own order, in whatever column they stand; others are errors, with their place."""
    rows = [[f"{k % 28 + 1:02}.11.2026", k % 5, "pq"[k % 28 > 14]] for k in range(84)]
    data = csv("model.csv", rows)
    model = train(data, plain=False)
    turned = csv("turned.csv", [row[::-1] for row in rows], "y,n,day")
    right = predictions(data, model)
    check(predictions(turned, model) == right, "columns in another order")
    slashes = csv("slashes.csv", [[row[0].replace(".", "/"), *row[1:]] for row in rows])
    check(predictions(slashes, model) == right, "other marks between, none above 12 needed")
    bare = csv("bare.csv", rows, "")
    check(predictions(bare, model) == right, "rows without names")
    one = put("one.csv", "day,n\n05.06.2026,2\n")
    check(len(predictions(one, model)) == 1, "a row that could be read in two ways")
    for bad in ("2026-11-28", "11/28/2026", "28.11.26", "20785", "x"):
        test = put("bad.csv", f"n,day,y\n1,28.11.2026,p\n2,{bad},q\n3,1.1.2026,p\n")
        for words in (("predict", test, model), ("train", "-q", data, OUT + "/n", "-t", test), ("train", "-q", "--resume", model, test, OUT + "/n"),
                      ("train", "-q", "--online", "--resume", model, test, OUT + "/n"), ("export", "--bits", "8", "--test", test, model, OUT + "/e.h")):
            refused(2, f"bad.csv:3:3: '{bad}' is not a date in the order day, month, year: ", *words, plain=False)
    unnamed = train(bare, "--header=no", model="unnamed", plain=False)
    check(predictions(bare, unnamed) == right and dates(unnamed) == {"1": "dmy"}, "a model without names")
    mixed_kinds = train(csv("bare2.csv", [[row[0], "uv"[row[1] % 2], row[2]] for row in rows], ""), "--header=no", model="numbered", plain=False)
    check(predictions(OUT + "/bare2.csv", mixed_kinds) == right and dates(mixed_kinds) == {"1": "dmy"}, "columns named by numbers")
    skipped = train(csv("skip.csv", [[7, *row] for row in rows], ""), "--header=no", "--ignore", "1", model="skipped", plain=False)
    check(predictions(OUT + "/skip.csv", skipped) == right and dates(skipped) == {"1": "dmy"}, "features are counted, not columns")
    refused(2, "bare.csv:1:1: no column 'day'", "predict", put("bare.csv", "n,z\n1,2\n"), model)


def test_going_on():
    """--resume and streams keep the order, and give what one run gives."""
    rows = [[f"{k % 12 + 1}/{k % 28 + 1}/2026 9:{k % 60:02} PM", k % 5, "pq"[k % 28 > 14]] for k in range(12, 100)]
    first, then = csv("first.csv", rows[:40]), csv("then.csv", [["1/2/2026", 1, "p"], *rows[40:]])
    both = csv("both.csv", [*rows[:40], ["1/2/2026", 1, "p"], *rows[40:]])
    for options in ((), ("-a", "averaged")):
        one = train(first, "--online", *options, plain=False)
        must("train", "-q", "--online", "--resume", one, then, OUT + "/two", plain=False)
        check(get(OUT + "/two") == get(train(both, "--online", *options, model="whole", plain=False)), f"a stream in two runs {options}")
        status, _, err = run("train", "-q", "--online", *options, "-", OUT + "/piped", stdin=get(both), plain=False)
        check(status == 0 and get(OUT + "/piped") == get(OUT + "/whole") and dates(OUT + "/piped") == {"day": "mdy"}, f"a pipe {options}: {err}")
    model = train(first, plain=False)
    must("train", "-q", "--resume", model, "-e", "5", first, OUT + "/more", plain=False)
    check(get(OUT + "/more") == get(train(first, "-e", "15", model="fifteen", plain=False)), "ten epochs and five are fifteen")


def test_stream():
    """The first row decides; what comes later fits, or is an error with its line; a first gap tells nothing."""
    rows = [[f"2026-11-{k % 28 + 1:02}", k, "pq"[k % 2]] for k in range(20)]
    data = csv("s.csv", rows)
    check(dates(train(data, "--online", plain=False)) == {"day": "ymd"}, "the first row")
    refused(2, "s.csv:12:1: '28.11.2026' is not a date in the order year, month, day: --ignore 'day' leaves the column out", "train", "--online",
            csv("s.csv", [*rows[:10], ["28.11.2026", 1, "p"]]), OUT + "/m", plain=False)
    refused(2, "s.csv:1:1: '03/04/2026' in column 'day' can be day 3 of month 4, or day 4 of month 3, and nothing else here tells", "train", "--online",
            csv("s.csv", [["03/04/2026", 1, "p"], ["28/11/2026", 2, "q"]]), OUT + "/m", plain=False)
    check(dates(train(OUT + "/s.csv", "--online", "--dates", "day:dmy", plain=False)) == {"day": "dmy"}, "--dates")
    gap = csv("s.csv", [["NA", 1, "p"], *rows])
    refused(2, "s.csv:3:1: '2026-11-01' is not a finite decimal number: --ignore 'day' leaves the column out, --dates 'day:ymd' takes its dates",
            "train", "--online", "--missing", "zero", gap, OUT + "/m", plain=False)
    refused(2, "s.csv:2:1: column 'day' has no value here ('NA'), and more stands in the way: --missing zero --dates 'day:ymd' takes it all",
            "train", "--online", gap, OUT + "/m", plain=False)
    train(gap, "--online", "--missing", "zero", "--dates", "day:ymd", plain=False)
    refused(2, "s.csv:3:1: '03/04/2026' in column 'day' can be day 3 of month 4", "train", "--online", "--missing", "zero",
            csv("s.csv", [["NA", 1, "p"], ["03/04/2026", 1, "p"]]), OUT + "/m", plain=False)
    done = subprocess.run([PROGRAM, "train", "--force", "--online", "-q", "--header=no", "--predict", "-", "-", OUT + "/m"],
                          input=b"28.11.2026,1,p\n29.11.2026,2,q\n30.11.2026,1,p\n", capture_output=True)
    check(done.returncode == 0 and done.stdout.count(b"\n") == 3 and dates(OUT + "/m") == {"1": "dmy"}, f"a pipe without names: {done.stderr}")


# ---- What the first line is ----

def test_first_line():
    """Dates are to it as numbers are; a time behind a date is no index:value, and no text."""
    rows = [[f"2026-11-{k % 28 + 1:02} {k % 24}:{k % 60:02}", "pq"[k % 2]] for k in range(40)]
    for name, content, options, order in (
            ("names above", "day,y\n", (), {"day": "ymd"}), ("no names", "", (), {"1": "ymd"}), ("no names, label first", None, ("--label", "1"), {"1": "ymd"})):
        some = [row[::-1] for row in rows] if content is None else rows
        model = train(put("first.csv", (content or "") + "".join(",".join(row) + "\n" for row in some)), *options, plain=False)
        check(dates(model) == order, f"{name}: {dates(model)}")
    pivot = csv("pivot.csv", [[k, k % 7, "pq"[k % 2]] for k in range(40)], "2026-11-28,2026-11-29,y")
    check("2026-11-28" in must("show", train(pivot, plain=False)), "dates above numbers are names")
    tabs = put("tabs.tsv", "".join(f"{y}\t{day}\n" for day, y in rows))
    refused(2, "the fields of 'q\\t2026-11-02 1:01' seem to be separated by tabs, not by ',': --sep tab reads them", "train",
            put("tabs.tsv", get(tabs).split(b"\n", 1)[1]), OUT + "/m")
    check(dates(train(tabs, "--sep", "tab", "--label", "1", plain=False)) == {"1": "ymd"}, "a label, a tab and a date")
    check(dates(train(put("pairs.svm", "1 2026:1 11:2 28:3\n-1 2026:2 12:30\n"), "--sort", plain=False)) == {}, "libsvm text")


# ---- What is said ----

def test_said():
    rows = [[f"2026-11-{k % 28 + 1:02}", k % 5, "pq"[k % 28 > 14]] for k in range(84)]
    data = csv("said.csv", rows)
    status, out, err = run("train", data, OUT + "/m", plain=False)
    check("\ndates are days since 1970-01-01: day (year, month, day)\n" in err, f"train: {err}")
    check(json.loads(must("train", "--json", "-q", data, OUT + "/m", plain=False))["dates"] == [{"feature": "day", "order": "ymd"}], "train --json")
    model = OUT + "/m"
    check("\ndates      day (year, month, day), in days since 1970-01-01\n" in must("show", model), f"{must('show', model)}")
    out = must("predict", "--explain", put("said.test", "day,n\n2026-11-28,0\n"), model)
    check("\nday, days since 1970-01-01  20785 " in out, f"--explain: {out}")
    entry = json.loads(must("predict", "--explain", "--json", OUT + "/said.test", model).splitlines()[0])["features"][0]
    check(entry["feature"] == "day" and entry["unit"] == "days since 1970-01-01" and entry["value"] == 20785, f"{entry}")
    daily = csv("daily.csv", [[date(2026, 1, 1) + timedelta(days=k), k % 5, "pq"[k % 5 > 2]] for k in range(100)])
    status, _, err = run("train", daily, OUT + "/m", plain=False)
    check("number the rows" not in err, f"days are no row numbers: {err}")


def test_forged():
    """What is no order is no model; a model without dates has no byte of them."""
    rows = [[k % 5, f"2026-11-{k % 28 + 1:02}", "pq"[k % 28 > 14]] for k in range(84)]
    model = train(csv("f.csv", rows, "n,day,y"), plain=False)
    content = section(model)
    check(content[-12:] == struct.pack("<III", 1, 1, 1), "one date, feature 1, in the order ymd")
    for number, feature, order in ((0, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 0), (1, 1, 4), (1, 1, 2**32 - 1)):
        forged = with_section(stored(model), content[:-12] + struct.pack("<III", number, feature, order))
        refused(2, "damaged", "show", forged)
        refused(2, "damaged", "predict", OUT + "/f.csv", forged)
    check(dates(with_section(stored(model), content[:-12] + struct.pack("<III", 1, 0, 3))) == {"n": "mdy"}, "another order is another")


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
    finish()


main()
