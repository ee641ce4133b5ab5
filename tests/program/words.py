"""Words and marks of texts are Python's Unicode words, in the program and in exported C, which takes a text and says
what perceptron predict says: known words, any characters, and bytes that are no UTF-8."""
import os
import random
import re
import shutil
import subprocess
import sys
import unicodedata

from cli import OUT, check, fewer, finish, get, must, names_of, put, run, skip, train
from exported import WARN

sys.path.insert(0, "examples/perceptron/text")
import unicode  # noqa: E402

COMPILERS = {"gcc": ["gcc", "-std=c99"], "clang": ["clang", "-std=c99"], "g++": ["g++", "-std=c++11", "-x", "c++"]}
SANITIZE = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all".split()
TEXTS, FEW = fewer(2000, 10000, "texts"), fewer(300, 1500, "texts of models that are asked about few")
ALL_TEXTS = (0, 3)  # models that are asked about all texts, the others about FEW
EVERYWHERE = (0, 4)  # models whose C is compiled by every compiler
ODD = "aB9'\u2019 \u0301\u200d\u00e9\u0130\u023a-.*\u3000\U0001f600\u4f60\u0e01\u0e34\uff0c"
draw = random.Random(30)


# ---- The tables ----

def test_tables():
    folder = "examples/perceptron/"
    check(get(folder + "export/words_code.h").decode() == unicode.code(), "words_code.h is not words.h: unicode.py writes it")
    made_of = re.search(r"Database ([\d.]+),", get(folder + "text/unicode.h").decode())[1]
    there = unicode.data_version()
    if there != made_of:
        skip(f"unicode.h is of Unicode {made_of}, and here is {there} (Debian: apt-get install unicode-data)")
    else:
        check(get(folder + "text/unicode.h").decode() == unicode.table(), "unicode.h is not what unicode.py makes")
    return [int(n) for n in made_of.split(".")]


# ---- Words, by Python ----

def kind(c):
    if "\udc80" <= c <= "\udcff": # a byte that is not UTF-8
        return "L"
    if c in "'\u2019":
        return "'"
    category = unicodedata.category(c)
    return "L" if category[0] in "LN" else "M" if category[0] == "M" or c in "\u200c\u200d" else " "


def small(c):
    if c == "\u2019":
        return "'"
    return "i" if c == "\u0130" else c.lower()


def words_of(text):
    """Of bytes: a list of bytes."""
    text = text.decode("utf-8", "surrogateescape")
    kinds = "".join(map(kind, text))
    found = (text[m.start():m.end()] for m in re.finditer("L(?:[LM]|'(?=L))*", kinds))
    return ["".join(map(small, word)).encode("utf-8", "surrogateescape") for word in found]


BLANKS = [(0, 0x20), (0x7F, 0xA0), (0xAD, 0xAD), (0x61C, 0x61C), (0x1680, 0x1680), (0x180E, 0x180E), (0x2000, 0x200F),
          (0x2028, 0x202F), (0x205F, 0x206F), (0x3000, 0x3000), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0xE0000, 0xE0FFF)]
NO_BLANKS = [(0xE00, 0xEFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3005, 0x30FF), (0x31F0, 0x31FF), (0x3400, 0x9FFF),
             (0xF900, 0xFAFF), (0xFF66, 0xFF9F), (0x1B000, 0x1B2FF), (0x20000, 0x3FFFF)]


def kind_with_marks(c):
    """As kind; C: a character of a script without blanks; P: a mark."""
    found = kind(c)
    if found == "L" and any(low <= ord(c) <= high for low, high in NO_BLANKS):
        return "C"
    return "P" if found == " " and not any(low <= ord(c) <= high for low, high in BLANKS) else found


def tokens_of(text):
    """With marks, of bytes: (bytes, touches the one before)."""
    text = text.decode("utf-8", "surrogateescape")
    kinds = re.sub("C[CM]*", lambda m: "C" * len(m[0]), "".join(map(kind_with_marks, text)))
    found, last = [], " "
    for m in re.finditer("L(?:[LM]|'(?=L))*|.", kinds):
        now, token = m[0][0], text[m.start():m.end()]
        if now == "'":
            now = " " if last in "LC" and re.match("[LC]", kinds[m.end():]) else "P"
        elif now != "P":
            token = "".join(map(small, token))
        if now in "LCP":
            found.append((token.encode("utf-8", "surrogateescape"), now == last != "L"))
        last = last if now == "M" else now
    return found


def features_of(text, most=1):
    """Of 1 to so many tokens; pairs that touch are there anyhow."""
    tokens = tokens_of(text)
    for i in range(len(tokens)):
        name = b""
        for k in range(i, min(i + max(most, 2), len(tokens))):
            name += (b"" if k == i or tokens[k][1] else b" ") + tokens[k][0]
            if k < i + most or tokens[k][1]:
                yield name


def ascii_words(text):
    """As they were before words knew Unicode."""
    return re.findall(rb"[a-z0-9](?:[a-z0-9]|'(?=[a-z0-9]))*", text.lower())


def known_characters(version):
    """Those that Python and the table both know; a newer Python also says of which it knew in Unicode 3.2."""
    newer = [int(n) for n in unicodedata.unidata_version.split(".")] > version
    data = unicodedata.ucd_3_2_0 if newer else unicodedata
    return [chr(c) for c in range(1, 0x110000)
            if data.category(chr(c)) not in ("Cn", "Cs", "Co") and unicodedata.category(chr(c)) != "Cn"]


# ---- Texts ----

def some_word(characters):
    letters = [c for c in draw.choices(characters, k=40) if kind(c) == "L"][:draw.randint(1, 6)]
    return "".join(letters) + draw.choice(("", "", "", "'s", "\u2019T", "\u0301"))


def damaged(text):
    data = bytearray(text)
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(data) + 1)
        what = draw.randrange(3)
        if what == 0:
            data[at:at] = bytes(draw.choices(range(1, 256), k=draw.randint(1, 4)))
        elif what == 1:
            del data[at:at + 1]
        elif at < len(data):
            data[at] = draw.randrange(1, 256)
    return bytes(data)


def some_text(known, characters):
    way = draw.randrange(8)
    if way == 0:
        return bytes(draw.choices(range(1, 256), k=draw.randint(0, 60)))
    if way == 1:
        return "".join(draw.choices(characters, k=draw.randint(0, 30))).encode()
    if way == 2:
        return "".join(draw.choices(ODD, k=draw.randint(0, 20))).encode()
    count = draw.choice((3, 10, 25, 25, 64, 65, 300)) if way < 5 else draw.randint(1, 12)
    words = [draw.choice((str, str, str.upper, str.title))(word) for word in draw.choices(known, k=count)]
    text = draw.choice((" ", " ", ", ", "-", "\u00a0")).join(words)
    return damaged(text.encode()) if way == 7 else text.encode()


def line(text):
    """Without what ends a line or a label in a file, and without what is no character yet."""
    text = text.decode("utf-8", "surrogateescape")
    text = "".join(" " if c in "\0\t\r\n" or unicodedata.category(c) == "Cn" else c for c in text)
    return text.encode("utf-8", "surrogateescape")


# ---- The tokenizer itself, each text in memory of its own size ----

READ = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *read_text(void) /* up to a line's end */
{
    size_t size = 0, room = 64;
    char *text = (char *)malloc(room), *exact;
    int c;
    while ((c = getchar()) != EOF && c != '\n') {
        if (size + 1 == room) text = (char *)realloc(text, room *= 2);
        text[size++] = (char)c;
    }
    if (c == EOF) return free(text), (char *)NULL;
    exact = (char *)malloc(size + 1);
    memcpy(exact, text, size);
    exact[size] = 0;
    free(text);
    return exact;
}
"""
CUT = READ + r"""
#include "examples/perceptron/text/words.h"
int main(int argc, char **argv)
{
    char *text, to[4];
    while ((text = read_text()) != NULL) {
        words_token t = words_begin(text);
        while (words_go(&t, argc > 1)) {
            unsigned size;
            if (t.touches) putchar('\1');
            while ((size = words_next(&t, to)) > 0) fwrite(to, 1, size, stdout);
            putchar(' ');
        }
        putchar('\n');
        (void)argv;
        free(text);
    }
    return 0;
}
"""
PREDICT = READ + r"""
#include "%s"
int main(void)
{
    char *text;
    while ((text = read_text()) != NULL) {
        puts(model_label[model_predict_text(text)]);
        free(text);
    }
    return 0;
}
"""


def built(compiler, source, program):
    """The path of the program, or None."""
    if not shutil.which(compiler):
        return skip(f"{compiler} is not installed")
    path = f"{OUT}/{program}-{compiler}"
    source = put(program + ".c", source)
    command = [*COMPILERS[compiler], *SANITIZE, *WARN, "-I.", "-I" + OUT, source, "-o", path, "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    if "cannot find" in done.stderr and "san" in done.stderr:
        return skip(f"{compiler} has no sanitizers")
    check(done.returncode == 0, f"{program} by {compiler}: {done.stderr[:600]}")
    return path if done.returncode == 0 else None


def answers(program, texts, *arguments):
    """Sanitizers want nothing loaded before them."""
    alone = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    done = subprocess.run([program, *arguments], input=b"".join(text + b"\n" for text in texts), capture_output=True, env=alone)
    check(done.returncode == 0, f"{program} ends with {done.returncode}: {done.stderr[:600]}")
    return done.stdout.split(b"\n")[:-1]


def compare(got, expected, texts, what):
    wrong = [(texts[i], a, b) for i, (a, b) in enumerate(zip(got, expected)) if a != b]
    check(len(got) == len(expected) > 0 and not wrong,
          f"{what}: {len(got)} of {len(expected)} answers, {len(wrong)} of them wrong: {wrong[:3]}")


def test_words(texts, characters):
    each = [line(f"a{c}B {c}a {c}'{c}".encode()) for c in characters]
    check(len(each) > 90000, f"{len(each)} characters")
    plain = [bytes(draw.choices(range(32, 127), k=draw.randint(0, 60))) for _ in range(TEXTS)]
    asked = [((), some, [b"".join(word + b" " for word in rule(text)) for text in some], rule.__name__)
             for some, rule in ((texts, words_of), (each, words_of), (plain, ascii_words))]
    asked += [(("marks",), some, [b"".join(touches * b"\1" + name + b" " for name, touches in tokens_of(text)) for text in some],
               "marks") for some in (texts, each, plain)]
    for compiler in ("gcc", "clang"):
        program = built(compiler, CUT, "cut")
        for arguments, some, expected, what in asked if program else ():
            compare(answers(program, some, *arguments), expected, some, f"{what} by {compiler}")


TYPED = {  # by hand: words, and features with marks
    "Don't, don\u2019t 'tis dogs' o''clock 9'9": ("don't don't tis dogs o clock 9'9",
                                                 "don't , don't ' tis dogs ' o ' '' ' clock 9'9"),
    "well-known 3.5 2morrow a_b #tag": ("well known 3 5 2morrow a b tag", "well - known 3 . 5 2morrow a _ b # tag"),
    "\u00c9T\u00c9 \u0418\u043b\u044c\u044f \u0391\u03a3": ("\u00e9t\u00e9 \u0438\u043b\u044c\u044f \u03b1\u03c3",) * 2,
    "Stra\u00dfe STRA\u1e9eE \u0130x \u00b2": ("stra\u00dfe stra\u00dfe ix \u00b2",) * 2,
    "e\u0301A \u0301b \u201cwin\u201d\u2026 \U0001f600hi\u2764\ufe0f!":
        ("e\u0301a b win hi", "e\u0301a b \u201c win \u201d \u201d\u2026 \u2026 \U0001f600 hi \u2764 \u2764! !"),
    "\u0915\u094d\u200d\u0937 \u4f60\u597d\uff0c\u4e16\u754cA":
        ("\u0915\u094d\u200d\u0937 \u4f60\u597d \u4e16\u754ca",
         "\u0915\u094d\u200d\u0937 \u4f60 \u4f60\u597d \u597d \uff0c \u4e16 \u4e16\u754c \u754c a"),
    "\u0e01\u0e34\u0e19 :-) a'\u4f60 \u4f60'b http://":
        ("\u0e01\u0e34\u0e19 a'\u4f60 \u4f60'b http",
         "\u0e01 \u0e01\u0e34 \u0e34 \u0e34\u0e19 \u0e19 : :- - -) ) a \u4f60 b http :/ / //"),
}


def test_program(texts):
    """The words that a model has are those of its texts, in the order of their first coming; with marks, too."""
    data = put("typed.txt", "".join(f"{'ab'[i % 2]}\t{text}\n" for i, text in enumerate(TYPED)) + "b\tx\n")
    for way, options in enumerate((["--marks", "no"], ["--marks", "yes"])):
        got = names_of(train(data, "--text", *options, model="typed"))
        expected = list(dict.fromkeys(" ".join(one[way] for one in TYPED.values()).split() + ["x"]))
        check(got == expected, f"words of the program, {options}: {got} not {expected}")


def test_features(texts):
    """Each way to make features of tokens, beside Python; names in a table have the column's before them."""
    some = [text for text in texts if 0 < len(text) < 40][:200]
    labels = [b"ab"[i % 2:i % 2 + 1] for i in range(len(some))]
    lines = put("features.txt", b"".join(label + b"\t" + text + b"\n" for label, text in zip(labels, some)))
    table = put("features.csv", b"y,t\n" + b"".join(label + b',"' + text.replace(b'"', b'""') + b'"\n'
                                                   for label, text in zip(labels, some)))
    for most in (1, 2, 3):
        expected = list(dict.fromkeys(name for text in some for name in features_of(text, most)))
        expected = [name.decode("utf-8", "replace") for name in expected]
        options = ["--marks", "yes", "--ngrams", str(most)]
        text = train(lines, "--text", *options, model="features")
        column = train(table, "--label", "y", "--text-column", "t", *options, model="column")
        for model, before in ((text, ""), (column, "t:")):
            got, wanted = names_of(model), list(dict.fromkeys(before + name for name in expected))
            check(got == wanted, f"--ngrams {most} {before}: {len(got)} and {len(wanted)}, {list(set(got) ^ set(wanted))[:5]}")


# ---- Exported C ----

def labelled(texts, labels):
    return b"".join(draw.choice(labels) + b"\t" + text + b"\n" for text in texts)


MARKS = "--marks", "yes"
MODELS = [
    ((), 2), (("--ngrams", "2"), 3), (("--hash", "9", "--ngrams", "3"), 3), (("--hash", "13"), 2),
    (("--normalize", "l2"), 3), (("--normalize", "maxabs"), 2),
    (("--rows", "dense", "--normalize", "l2"), 3), (("-a", "arow", "-e", "1"), 5),
    (("-a", "balanced-winnow"), 2), (("--marks", "no"), 2), (("--marks", "no", "--ngrams", "2"), 3),
]


def test_export(texts):
    learned = [text for text in texts[:1500] if text.strip()]
    rows = put("rows.txt", b"".join(b"\t" + text + b"\n" for text in texts))
    for i, (options, labels) in enumerate(MODELS):
        asked = texts if i in ALL_TEXTS else texts[:FEW]
        data = put("learn.txt", labelled(learned, [b"ham", b"spam", b"eggs", b"tea", b"milk"][:labels]))
        model = train(data, "--text", "-e", "2", *MARKS, *options, model=f"text{i}")
        run("export", "--as", "arrays", "--predict", model, f"{OUT}/text{i}.h")
        expected = must("predict", "-q", rows, model).encode().split(b"\n")[:len(asked)]
        check(len(set(expected)) == labels, f"{options}: labels {set(expected)}")
        for compiler in COMPILERS if i in EVERYWHERE else ["gcc"]:
            program = built(compiler, PREDICT % f"text{i}.h", f"text{i}")
            if program:
                compare(answers(program, asked), expected, asked, f"{options} by {compiler}")


def test_no_text():
    """Only models of texts take one, and only with --predict."""
    model = train(put("d", "1 1:1\n-1 2:1\n"), model="numbers")
    check("_text" not in must("export", "--as", "arrays", "--predict", model), "a model of numbers")
    for options in (("--as", "image"), ("--as", "arrays")):
        check("_text" not in must("export", *options, OUT + "/text0"), f"a model of texts, {options}")


version = test_tables()
characters = known_characters(version)
known = [some_word(characters[:400] if draw.random() < 0.6 else characters) for _ in range(400)]
texts = [line(some_text(known, characters)) for _ in range(TEXTS)]
test_words(texts, characters)
test_program(texts)
test_features(texts)
test_export(texts)
test_no_text()
finish()
