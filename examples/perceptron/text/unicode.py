"""What words.h takes from Unicode's own data (Debian: unicode-data), and words.h as text for exported C. From the
project's root: python3 examples/perceptron/text/unicode.py writes unicode.h beside it, and export/words_code.h. If the
package is not there, only the second."""
import os
import re

DATA = "/usr/share/unicode"
HERE = os.path.dirname(os.path.abspath(__file__))
DIVIDES, MARK, LETTER = 0, 1, 2
END = 0x110000  # words.h has bytes that are not UTF-8 from here on, as letters


def data_version():
    """Of the package's data; None if it is not installed."""
    try:
        with open(DATA + "/PropList.txt", encoding="utf-8") as f:
            return re.match(r"# PropList-([\d.]+)\.txt", f.readline())[1]
    except OSError:
        return None


def characters():
    """(code point, category, lower case) of each that is assigned, rising."""
    with open(DATA + "/UnicodeData.txt", encoding="utf-8") as f:
        for line in f:
            fields = line.split(";")
            code = int(fields[0], 16)
            if fields[1].endswith(", First>"):
                first = code
                continue
            for c in range(first if fields[1].endswith(", Last>") else code, code + 1):
                yield c, fields[2], int(fields[13], 16) if fields[13] else c


def joiners():
    with open(DATA + "/PropList.txt", encoding="utf-8") as f:
        first, last = re.search(r"^(\w+)\.\.(\w+) +; Join_Control", f.read(), re.M).groups()
    return range(int(first, 16), int(last, 16) + 1)


def class_of(code, category, joining):
    if category[0] in "LN":
        return LETTER
    return MARK if category[0] == "M" or code in joining else DIVIDES


def tables():
    """The arrays of unicode.h: name -> numbers."""
    bounds, capitals, shifts, joining = [0x80 << 2], [], [], joiners()
    for code, category, small in characters():
        if code < 0x80:
            continue
        kind = class_of(code, category, joining)
        if kind != bounds[-1] & 3:
            bounds.append(code << 2 | kind)
        if kind != LETTER or small == code:
            continue
        past = code - (capitals[-1][0] + capitals[-1][2]) if capitals else 0
        if capitals and shifts[-1] == small - code and past in (1, 2) and capitals[-1][1] in (0, past):
            capitals[-1][1:] = past, capitals[-1][2] + past
        else:
            capitals.append([code, 0, 0])
            shifts.append(small - code)
    assert max(span for _, _, span in capitals) < 256
    return {"bound": bounds + [END << 2 | LETTER], "shift": shifts,
            "capital": [first << 9 | (step == 2) << 8 | span for first, step, span in capitals]}


def array(kind, name, numbers):
    lines, line = [], "   "
    for number in numbers:
        text = f" {number},"
        if len(line + text) > 120:
            lines.append(line)
            line = "   "
        line += text
    return "\n".join([f"static const {kind} words_{name}[{len(numbers)}] = {{", *lines, line, "};", ""])


def table():
    """unicode.h"""
    found = tables()
    return "\n".join([
        f"/* From the Unicode Character Database {data_version()}, by unicode.py: {sum(map(len, found.values())) * 4} bytes.",
        " * Its terms of use: https://www.unicode.org/license.txt */",
        "#ifndef WORDS_UNICODE_H",
        "#define WORDS_UNICODE_H",
        "",
        "#include <stdint.h>",
        "",
        "/* Where what a character is to words changes: 4 * code point + what it and those behind it are: 2 letter or",
        " * digit, 1 mark or joiner, 0 neither. A code point that is not assigned is what the one before it is. */",
        "/* clang-format off */",
        array("uint32_t", "bound", found["bound"]),
        "/* Runs of letters with a lower case of one letter: 512 * first + 256 if only each second of them + last - first. */",
        array("uint32_t", "capital", found["capital"]),
        "/* What is added to each letter of the run. */",
        array("int32_t", "shift", found["shift"]),
        "/* clang-format on */",
        "#endif", ""])


def code():
    """words_code.h: the functions of words.h, each name with $_ before it."""
    with open(HERE + "/words.h", encoding="utf-8") as f:
        text = re.search(r'#include "unicode.h"\n\n(.*)\n#endif\n', f.read(), re.S)[1]
    text = re.sub(r"\b(words_|WORDS_)", r"$_\1", text)
    text = re.sub(r"^static ", "PERCEPTRON_UNUSED static ", text, flags=re.M)
    lines = [line.replace("\\", "\\\\").replace('"', '\\"') for line in text.split("\n")]
    return "\n".join(['/* The functions of words.h as text, by unicode.py; $ stands for the name of an exported model. */',
                      "static const char *const words_code[] = {", *(f'    "{line}\\n",' for line in lines), "};", ""])


def write(name, text):
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as f:
        f.write(text)


if __name__ == "__main__":
    if data_version():
        write("unicode.h", table())
    write("../export/words_code.h", code())
