"""Images of 1.0 are read by the tables of examples/FORMAT.md alone and by the header, which writes the same bytes
again and answers and learns on as 1.0 did: one of every kind, rule and budget.

A reader that knows only the tables reads the images of tests/header/golden: what it finds, its scores and its classes
are those of the header. Answers, and what a trainer is after more rows, are those that the version said that the folder
is named after (answers.txt). `python3 tests/header/format.py tests/header/golden/VERSION` adds what a new version has;
what is there stays.
"""
import glob
import math
import os
import re
import struct
import subprocess
import sys
import zlib

from cli import OUT, check, finish, get, put

PAGE = "examples/FORMAT.md"
TYPES = {"u16": "H", "u32": "I", "u64": "Q", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "f32": "f"}
QUESTIONS = [[1, 0, 0], [0.5, -1, 2], [1, 1, 1]]
PROGRAM = OUT + "/golden"


def tables(page):
    """The rows of each table, a dictionary each, by the names of its columns."""
    found = {}
    for block in re.findall(r"(?:^\|.*\|\n)+", page, re.M):
        lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]
        found.setdefault(tuple(lines[0]), []).extend(dict(zip(lines[0], line)) for line in lines[2:])
    return found


def number(kind, data, at):
    return struct.unpack_from("<" + TYPES[kind], data, at)[0]


def read(data, page):
    """The fields of the header, the names of its parts, and its arrays. ValueError: no image."""
    offsets = page["offset", "type", "name", "meaning"]
    fields = {row["name"]: number(row["type"], data, int(row["offset"])) for row in offsets if int(row["offset"]) < 64}
    if fields["magic"] != 0x1A4E4350 or fields["version"] != 1:
        raise ValueError("magic or version")
    if fields["kind"] == 3:
        fields.update({row["name"]: number(row["type"], data, int(row["offset"])) for row in offsets})
    parts = {row["name"] for row in page["bit", "name", "meaning"] if fields["parts"] & int(row["bit"])}
    if not parts & {"8-bits", "16-bits"}:
        parts.add("32-bits")
    at, arrays = 104 if fields["kind"] == 3 else 64, {}
    sizes = {**fields, "n": fields["features"], "S": fields["scores"]}
    for row in page["kinds", "array", "if", "type", "numbers"]:
        if str(fields["kind"]) in row["kinds"].split() and (row["if"] == "always" or parts & set(row["if"].split())):
            count = eval(row["numbers"], {}, sizes)  # a formula of the page
            arrays[row["array"]] = list(struct.unpack_from(f"<{count}{TYPES[row['type']]}", data, at))
            at += count * struct.calcsize(TYPES[row["type"]])
            at += -at % 4
    if zlib.crc32(data[:at]) != number("u32", data, at):
        raise ValueError("checksum")
    return fields, parts, arrays, at + 4


def linear_scores(fields, parts, arrays):
    n, size = fields["features"], fields["scores"]
    both = arrays["weights"] + arrays["biases"]
    whole = fields["kind"] > 3
    ahead = fields["entries"] if fields["entries"] < 1 << 31 else fields["entries"] - (1 << 32)
    if "sums" in arrays and not ("following" in parts and ahead > 0):
        age = fields["clock"] + 1
        rests = arrays.get("rests", [0] * len(both))
        both = [w * (age if whole else 1) - (s + r) / (1 if whole else age)
                for w, s, r in zip(both, arrays["sums"], rests)]
    scales = arrays["scales"] if "scales" in arrays and size > 1 else [1] * size
    for x in QUESTIONS:
        for c in range(size):
            at = [j * size + c if "feature-major" in parts else c * n + j for j in range(n)]
            sum_ = sum(both[i] * x[j] * (2 if whole else 1) for j, i in enumerate(at))
            yield scales[c] * (sum_ + both[n * size + c])


def kernel_value(fields, x, z):
    dot = sum(a * b for a, b in zip(x, z))
    if fields["kernel"] == 1:
        value = dot
    elif fields["kernel"] == 2:
        value = (fields["gamma"] * dot + fields["coef0"]) ** fields["degree"]
    else:
        value = math.exp(-fields["gamma"] * sum((a - b) ** 2 for a, b in zip(x, z)))
    return value + fields["bias2"]


def votes(entries, values, end, by_class, size):
    """entries: (slot, class, step, clock). The votes for each of `size` scores."""
    count, f = [0] * size, [0] * size
    clocks = sorted({e[3] for e in entries}) + [end]
    for clock, after in zip(clocks, clocks[1:]):
        for slot, cls, step, when in entries:
            if when == clock:
                f[cls] += step * values[slot]
        if by_class is None:
            count[f.index(max(f))] += after - clock
        else:
            count[by_class] += after - clock if f[by_class] >= 0 else clock - after
    return count


def kernel_scores(fields, parts, arrays):
    slots, size = fields["slots"], fields["scores"]
    starts = [tuple(arrays["slot"][3 * s:3 * s + 2]) for s in range(slots)]
    vectors = []
    for start, count in starts:
        z = [0] * fields["features"]
        for k in range(start, start + count):
            z[arrays["indices"][k] if "sparse" in parts else k - start] = arrays["values"][k]
        vectors.append(z)
    values = [[kernel_value(fields, x, z) for z in vectors] for x in QUESTIONS]
    for row in values:
        for c in range(size):
            yield sum(arrays["coefficients"][s * size + c] * row[s] for s in range(slots))
    if "log" not in parts:
        return
    words, end = arrays["log"], fields["clock"] + 1
    entries = [(words[k], words[k + 1], struct.unpack("<f", struct.pack("<I", words[k + 2]))[0], words[k + 3])
               for k in range(0, len(words), 4)]
    for row in values:
        for c in range(size):
            yield sum(step * (end - clock) * row[s] for s, cls, step, clock in entries if cls == c) / end
    for row in values:
        if fields["votes"] & 1:
            for c in range(size):
                yield votes([e for e in entries if e[1] == c], row, end, c, size)[c]
        else:
            yield from votes(entries, row, end, None, size)


def probabilities(path, arrays):
    """Of values of the questions as scores: one, or three of "...-3"."""
    a, b, c = (arrays[name][0] for name in "abc")
    for x in QUESTIONS:
        if "-3" in path:
            t = math.exp(min(abs(b), 12)) - 1
            odds = [likelihood(a * (s - max(x)), t, b > 0) for s in x]
            yield from (share / sum(odds) for share in odds)
        else:
            odds = likelihood(a * x[0] + b, math.exp(c) - 1, False)
            yield odds / (1 + odds)


def likelihood(u, t, flat):
    """e^z"""
    if flat:
        return (1 + t) * math.exp(u) / (1 + t * math.exp(u))
    return math.exp(u / math.sqrt(1 + t * u * u / 32))


def scaled(fields, arrays):
    """The questions, scaled. With a window no lower variance is there."""
    for x in QUESTIONS:
        for j, value in enumerate(x):
            mean = arrays["means"][j] + arrays["lower means"][j]
            variance = arrays["variances"][j] + (0 if fields["entries"] else arrays["lower variances"][j])
            yield (value - mean) / math.sqrt(variance)


def scores(path, fields, parts, arrays):
    if fields["kind"] == 7:
        return scaled(fields, arrays)
    if fields["kind"] == 6:
        return probabilities(path, arrays)
    return (kernel_scores if fields["kind"] == 3 else linear_scores)(fields, parts, arrays)


def classes(fields, parts, scores_):
    """What the page says of scores; of a kernel model's votes and means, too."""
    k = fields["scores"]
    negative = fields["votes"] & 2 if fields["kind"] == 3 else "zero-negative" in parts
    for row in (scores_[i:i + k] for i in range(0, len(scores_), k)):
        yield row.index(max(row)) if k > 1 else int(row[0] > 0 or (row[0] == 0 and not negative))


def check_image(path, page, answers):
    data = get(path)
    fields, parts, arrays, length = read(data, page)
    done = subprocess.run([PROGRAM, "read", path], capture_output=True, text=True)
    check(done.returncode == 0, f"{path} is refused")
    if done.returncode != 0:
        return
    lines = [line.split() for line in done.stdout.splitlines()]
    told = {name: int(value) for name, *rest in lines for value in rest if name not in ("score", "class", "later")}
    told["scores"] = told.pop("classes")  # the word of answers.txt
    check(told.pop("length") == length == len(data), f"{path} is {len(data)} bytes long; read: {length}")
    check(all(fields[name] == value for name, value in told.items()) and len(told) == 10,
          f"{path}: the page gives {fields}, the header {told}")
    theirs = [float(line[1]) for line in lines if line[0] == "score"]
    ours = list(scores(path, fields, parts, arrays))
    check(len(ours) == len(theirs) > 0 and all(math.isclose(a, b, rel_tol=2e-6, abs_tol=2e-6)
                                               for a, b in zip(ours, theirs)), f"{path}: scores {ours}, not {theirs}")
    if fields["kind"] < 6:
        predicted = [int(line[1]) for line in lines if line[0] == "class"]
        check(predicted == list(classes(fields, parts, ours)), f"{path}: classes {predicted}")
    check(any(line[0] == "later" for line in lines) == (fields["kind"] not in (1, 4)), f"{path} does not learn on")
    check(lines[-1] == ["same"], f"{path} is saved with other bytes")
    check(answers.get(os.path.basename(path)) == done.stdout, f"{path} gives other answers:\n{done.stdout}")


def check_written(path):
    """The same rows give the same image, bit for bit."""
    anew = put(os.path.basename(path), b"")
    done = subprocess.run([PROGRAM, "write", anew])
    check(done.returncode == 0 and get(anew) == get(path), f"{path}: the header writes another image today")


def check_noticed(page):
    """A changed golden image or a changed table is noticed."""
    data = bytearray(get("tests/header/golden/1.0/arow.pcn"))
    data[70] ^= 1
    try:
        read(bytes(data), page)
        check(False, "a changed image is read")
    except ValueError:
        check(True, "")
    text = get(PAGE).decode().replace("| 16 | u32 | features", "| 20 | u32 | features")
    try:
        fields = read(get("tests/header/golden/1.0/linear.pcn"), tables(text))[0]
    except ValueError:
        fields = {}
    check(fields.get("features") != 3, "a wrong table reads an image")


def write(folder):
    """The images of a version, and what the header says of each. An image that is there stays as it is."""
    os.makedirs(folder, exist_ok=True)
    for name in re.findall(r'\{"([a-z0-9-]+)", \d, ', get("tests/header/golden.c").decode()):
        path = f"{folder}/{name}.pcn"
        if not os.path.exists(path):
            subprocess.run([PROGRAM, "write", path], check=True)
    with open(folder + "/answers.txt", "w", encoding="utf-8") as f:
        for path in sorted(glob.glob(folder + "/*.pcn")):
            said = subprocess.run([PROGRAM, "read", path], check=True, capture_output=True, text=True).stdout
            f.write(f"{os.path.basename(path)}\n{said}\n")


def main():
    command = [os.environ.get("CC", "cc"), "-std=c99", "-O1", "-I.", "tests/header/golden.c", "-o", PROGRAM, "-lm"]
    subprocess.run(command, check=True)
    if len(sys.argv) == 2:
        return write(sys.argv[1])
    page = tables(get(PAGE).decode())
    check(len(page) >= 5, f"the page has {len(page)} tables")
    kinds = set()
    for folder in sorted(glob.glob("tests/header/golden/*")):
        told = get(folder + "/answers.txt").decode()
        answers = {block.split("\n", 1)[0]: block.split("\n", 1)[1] + "\n" for block in told.split("\n\n")[:-1]}
        images = sorted(glob.glob(folder + "/*.pcn"))
        check(set(answers) == {os.path.basename(path) for path in images}, f"{folder} has other images than answers")
        for path in images:
            kinds.add(read(get(path), page)[0]["kind"])
            check_image(path, page, answers)
            check_written(path)
    check(kinds == {1, 2, 3, 4, 5, 6, 7}, f"there are images of the kinds {kinds}")
    check_noticed(page)
    finish()


if __name__ == "__main__":
    main()
