"""The image format: a reader that knows only the tables of examples/FORMAT.md reads the images of tests/header/golden, one of
every kind. What it finds and the scores that it computes are those of the header, which writes the same bytes again."""
import glob
import math
import os
import re
import struct
import subprocess
import zlib

from cli import OUT, check, finish, get, put

PAGE = "examples/FORMAT.md"
TYPES = {"u16": "H", "u32": "I", "u64": "Q", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "f32": "f"}
QUESTIONS = [[1, 0, 0], [0.5, -1, 2], [1, 1, 1]]
PROGRAM = OUT + "/golden"
# Images of 0.2 that mean something else today.
REFUSED = {"forgetron", "balanced", "iwinnow"}


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
    sizes = {**fields, "n": fields["features"], "K": fields["classes"]}
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
    n, classes = fields["features"], fields["classes"]
    both = arrays["weights"] + arrays["biases"]
    whole = fields["kind"] > 3
    ahead = fields["entries"] if fields["entries"] < 1 << 31 else fields["entries"] - (1 << 32)
    if "sums" in arrays and not ("following" in parts and ahead > 0):
        age = fields["clock"] + 1
        rests = arrays.get("rests", [0] * len(both))
        both = [w * (age if whole else 1) - (s + r) / (1 if whole else age)
                for w, s, r in zip(both, arrays["sums"], rests)]
    scales = arrays["scales"] if "scales" in arrays and classes > 1 else [1] * classes
    for x in QUESTIONS:
        for c in range(classes):
            at = [j * classes + c if "feature-major" in parts else c * n + j for j in range(n)]
            sum_ = sum(both[i] * x[j] * (2 if whole else 1) for j, i in enumerate(at))
            yield scales[c] * (sum_ + both[n * classes + c])


def kernel_value(fields, x, z):
    dot = sum(a * b for a, b in zip(x, z))
    if fields["kernel"] == 1:
        value = dot
    elif fields["kernel"] == 2:
        value = (fields["gamma"] * dot + fields["coef0"]) ** fields["degree"]
    else:
        value = math.exp(-fields["gamma"] * sum((a - b) ** 2 for a, b in zip(x, z)))
    return value + fields["bias2"]


def votes(entries, values, end, by_class, classes):
    """entries: (slot, class, step, clock). The votes for each class."""
    count, f = [0] * classes, [0] * classes
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
    slots, classes = fields["slots"], fields["classes"]
    starts = [tuple(arrays["slot"][3 * s:3 * s + 2]) for s in range(slots)]
    vectors = []
    for start, count in starts:
        z = [0] * fields["features"]
        for k in range(start, start + count):
            z[arrays["indices"][k] if "sparse" in parts else k - start] = arrays["values"][k]
        vectors.append(z)
    values = [[kernel_value(fields, x, z) for z in vectors] for x in QUESTIONS]
    for row in values:
        for c in range(classes):
            yield sum(arrays["coefficients"][s * classes + c] * row[s] for s in range(slots))
    if "log" not in parts:
        return
    words, end = arrays["log"], fields["clock"] + 1
    entries = [(words[k], words[k + 1], struct.unpack("<f", struct.pack("<I", words[k + 2]))[0], words[k + 3])
               for k in range(0, len(words), 4)]
    for row in values:
        for c in range(classes):
            yield sum(step * (end - clock) * row[s] for s, cls, step, clock in entries if cls == c) / end
    for row in values:
        if fields["votes"] & 1:
            for c in range(classes):
                yield votes([e for e in entries if e[1] == c], row, end, c, classes)[c]
        else:
            yield from votes(entries, row, end, None, classes)


def probabilities(path, arrays):
    """Of values of the questions as scores: one, or three of "...-3"."""
    a, b = arrays["a"][0], arrays["b"][0]
    for x in QUESTIONS:
        if "-3" in path:
            top = x.index(max(x))
            logits = [0 if k == top else a * (s - x[top]) + b for k, s in enumerate(x)]
            yield from (math.exp(z) / sum(map(math.exp, logits)) for z in logits)
        else:
            yield 1 / (1 + math.exp(-a * x[0] - b))


def scaled(arrays):
    """The questions, scaled."""
    for x in QUESTIONS:
        for j, value in enumerate(x):
            mean = arrays["means"][j] + arrays["lower means"][j]
            variance = arrays["variances"][j] + arrays["lower variances"][j]
            yield (value - mean) / math.sqrt(variance)


def scores(path, fields, parts, arrays):
    if fields["kind"] == 7:
        return scaled(arrays)
    if fields["kind"] == 6:
        return probabilities(path, arrays)
    return (kernel_scores if fields["kind"] == 3 else linear_scores)(fields, parts, arrays)


def check_image(path, page):
    data = get(path)
    fields, parts, arrays, length = read(data, page)
    done = subprocess.run([PROGRAM, "read", path], capture_output=True, text=True)
    if not check_status(path, done.returncode):
        return
    lines = [line.split() for line in done.stdout.splitlines()]
    told = {name: int(value) for name, *rest in lines for value in rest if name != "score"}
    check(told.pop("length") == length == len(data), f"{path} is {len(data)} bytes long; read: {length}")
    check(all(fields[name] == value for name, value in told.items()) and len(told) == 10,
          f"{path}: the page gives {fields}, the header {told}")
    theirs = [float(line[1]) for line in lines if line[0] == "score"]
    ours = list(scores(path, fields, parts, arrays))
    check(len(ours) == len(theirs) > 0 and all(math.isclose(a, b, rel_tol=2e-6, abs_tol=2e-6)
                                               for a, b in zip(ours, theirs)), f"{path}: scores {ours}, not {theirs}")
    check(lines[-1] == ["same"], f"{path} is saved with other bytes")


def check_status(path, status):
    """0.2 wrote a few images that are refused today."""
    name = os.path.basename(path)[:-4]
    refused = "/0.2/" in path and name in REFUSED
    check((status != 0) == refused, f"{path} is {'taken' if refused else 'refused'}")
    return status == 0


def check_noticed(page):
    """A changed golden image or a changed table is noticed."""
    data = bytearray(get("tests/header/golden/0.3/arow.pcn"))
    data[70] ^= 1
    try:
        read(bytes(data), page)
        check(False, "a changed image is read")
    except ValueError:
        check(True, "")
    text = get(PAGE).decode().replace("| 16 | u32 | features", "| 20 | u32 | features")
    try:
        fields = read(get("tests/header/golden/0.3/linear.pcn"), tables(text))[0]
    except ValueError:
        fields = {}
    check(fields.get("features") != 3, "a wrong table reads an image")


def main():
    command = [os.environ.get("CC", "cc"), "-std=c99", "-O1", "-I.", "tests/header/golden.c", "-o", PROGRAM, "-lm"]
    subprocess.run(command, check=True)
    page = tables(get(PAGE).decode())
    check(len(page) >= 5, f"the page has {len(page)} tables")
    images = sorted(glob.glob("tests/header/golden/*/*.pcn"))
    kinds = {read(get(path), page)[0]["kind"] for path in images}
    check(kinds == {1, 2, 3, 4, 5, 6, 7}, f"there are images of the kinds {kinds}")
    for path in images:
        check_image(path, page)
        if "/0.3/" in path:
            anew = put(os.path.basename(path), b"")
            done = subprocess.run([PROGRAM, "write", anew])
            check(done.returncode == 0 and get(anew) == get(path), f"{path}: the header writes another image today")
    check_noticed(page)
    finish()


main()
