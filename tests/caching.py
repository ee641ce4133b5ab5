"""The cache of rows: what it is good for, when it is not used, and files that change while they are used."""
import math
import os
import random
import shutil
import struct
import subprocess
import sys
import time
import zlib

from cli import DIGITS, OUT, PROGRAM, check, finish, get, must, put, refused, run, skip, train

BASE = b"-1 1:1 2:0.5\n+1 1:-1 3:2\n"
# magic, version, word; of the source: bytes, device, inode, modified, changed, sum; values, sum;
# rows, features, labels, names, text, dense, ones, CRC
HEADER = struct.Struct("8sIIQQQqqqqQQQ8I")
SOURCE, VALUES, SUM, ROWS, LABELS, NAMES, TEXT = 3, 11, 12, 13, 15, 16, 17
NATIVE = sys.byteorder == "little" and sys.maxsize > 2**32


def some_rows(rows, features, seed, ones=False):
    """Two classes in libsvm text, not quite separable; ones: of 0/1 features."""
    draw = random.Random(seed)
    lines = []
    for _ in range(rows):
        x = {i: 1 if ones else round(draw.gauss(0, 1), 3) for i in range(1, features + 1) if draw.random() < 0.3}
        y = 1 if sum(x.get(i, 0) - 0.3 * ones for i in (1, 2, 3)) + draw.gauss(0, 0.5) > 0 else -1
        lines.append(f"{y:+d}" + "".join(f" {i}:{v}" for i, v in x.items() if v))
    return "\n".join(lines) + "\n"


def sparse_digits():
    lines = []
    for line in get(DIGITS).decode().split():
        *pixels, label = line.split(",")
        lines.append(label + "".join(f" {i + 1}:{v}" for i, v in enumerate(pixels) if v != "0"))
    return put("digits.svm", "\n".join(lines) + "\n")


def cache_sum(arrays):
    """Fletcher's sum of words of 64 bits in eight lanes."""
    low, high, mask = [0] * 8, [0] * 8, 2**64 - 1
    for i, (word,) in enumerate(struct.iter_unpack("=Q", arrays)):
        low[i % 8] = (low[i % 8] + word) & mask
        high[i % 8] = (high[i % 8] + low[i % 8]) & mask
    value = 0
    for word in (word for pair in zip(low, high) for word in pair):
        value = ((value ^ word) * 0x9E3779B97F4A7C15) & mask
        value ^= value >> 32
    return value


def begin_of_arrays(fields):
    return (HEADER.size + fields[TEXT] + 63) // 64 * 64


def with_header(content, fields):
    """The cache with these fields of its header, and their CRC."""
    head, rest = HEADER.pack(*fields)[:-4], content[HEADER.size:]
    crc = zlib.crc32(content[HEADER.size:begin_of_arrays(fields)], zlib.crc32(head))
    return head + struct.pack("=I", crc) + bytes(rest)


def forge(content, array, place, code, value):
    """A cache with right sums that says something wrong: that array (start, label, index, value) at place."""
    fields = list(HEADER.unpack_from(content))
    values, rows = fields[VALUES], fields[ROWS]
    at = begin_of_arrays(fields)
    sizes = [8 * (rows + 1), 4 * rows, 4 * values, 4 * values]
    begin = at + sum((size + 63) // 64 * 64 for size in sizes[:array])
    new = bytearray(content)
    struct.pack_into("=" + code, new, begin + place * struct.calcsize(code), value)
    fields[SUM] = cache_sum(new[at:])
    return with_header(new, fields)


def later(path):
    """Another time of modification."""
    now = os.stat(path).st_mtime_ns
    os.utime(path, ns=(now, now + 1))


def test_models():
    sparse, cache = sparse_digits(), OUT + "/cache"
    ones = put("ones", some_rows(300, 30, 1, ones=True))
    flowers = put("f.csv", "length,kind,width\n" + "1.0,setosa,0.5\n4,virginica,2.5\n1.5,setosa,3\n" * 5)
    for data, how in ((DIGITS, []), (sparse, []), (put("d", some_rows(500, 20, 5)), []), (ones, []),
                      (flowers, ["--label", "kind"]), (sparse, ["--sort"]), (sparse, ["--binarize"])):
        made = None
        for options in ([], ["-e", "1"], ["--normalize", "l2"], ["--normalize", "maxabs"],
                        ["--validate", "0.2"], ["-a", "perceptron", "--pocket"],
                        ["--batch", "7", "--order", "once"],
                        ["-a", "kernel", "--budget", "20", "--policy", "oldest"]):
            plain = get(train(data, *how, *options))
            check(get(train(data, *how, *options, "--cache", cache)) == plain,
                  f"cache, {data} {how} {options}")
            made = made or os.stat(cache)
            check(os.stat(cache).st_ino == made.st_ino, "a cache is made once")
        half = train(data, "-e", "2", *how, model="half")
        if how != ["--binarize"]:
            check(get(train(data, "-e", "2", *how, "--resume", half, "--cache", cache)) ==
                  get(train(data, "-e", "2", *how, "--resume", half)) and
                  os.stat(cache).st_ino == made.st_ino, f"a cache and --resume: {data}")
        os.remove(cache)


def source_fields(path):
    """What the file system says of a source."""
    s = os.stat(path)
    return [s.st_size, s.st_dev, s.st_ino, *divmod(s.st_mtime_ns, 10**9), *divmod(s.st_ctime_ns, 10**9)]


def edit(path, place, byte):
    """In place, and without another time of modification."""
    old = os.stat(path)
    with open(path, "r+b") as f:
        f.seek(place)
        f.write(byte)
    os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))


def replace(path, content):
    """By another file, of the same time of modification."""
    old = os.stat(path)
    put("replacement", content)
    os.utime(OUT + "/replacement", ns=(old.st_atime_ns, old.st_mtime_ns))
    os.replace(OUT + "/replacement", path)


def test_stale():
    """A source that has changed, however it was done, is read again."""
    text, cache = some_rows(50, 5, 1), OUT + "/cache"
    data = put("d", text)
    changed = text[:-2] + ("7" if text[-2] != "7" else "6") + "\n"
    made = None
    for change, do in (("nothing yet", lambda: None), ("touch", lambda: later(data)),
                       ("an edit in place", lambda: edit(data, len(text) - 2, changed[-2].encode())),
                       ("a replacement of its size", lambda: replace(data, text)),
                       ("a copy of itself", lambda: replace(data, text)),
                       ("its size", lambda: replace(data, some_rows(51, 5, 2)))):
        do()
        check(get(train(data, "--cache", cache)) == get(train(data)), f"the model after {change}")
        check(os.stat(cache).st_ino != made, f"a cache that is stale by {change}")
        made = os.stat(cache).st_ino
        train(data, "--cache", cache)
        check(os.stat(cache).st_ino == made, f"a cache made again after {change} is used")
    check(get(train(data, "--zero-based", "--cache", cache)) == get(train(data, "--zero-based")) and
          os.stat(cache).st_ino != made, "a cache that is stale by options")
    os.remove(cache)


def test_source():
    """Each part of what a cache knows of its source decides; some blocks of a large one are looked at."""
    if not NATIVE:
        return skip("sources forged: only for 64 bits, little-endian")
    data, cache = put("d", some_rows(3000, 20, 1)), OUT + "/cache"
    train(data, "--cache", cache)
    content = get(cache)
    fields = list(HEADER.unpack_from(content))
    check(fields[SOURCE:SOURCE + 7] == source_fields(data), "the state of the source")
    check(with_header(content, fields) == content, "a header forged to what it was")
    for i in range(SOURCE, SOURCE + 8):
        put("cache", with_header(content, fields[:i] + [fields[i] ^ 1] + fields[i + 1:]))
        train(data, "--cache", cache)
        check(get(cache) == content, f"another state of the source: {i - SOURCE}")
    last = os.stat(data).st_size - 4096
    for place in (last * block // 7 + byte for block in range(8) for byte in (0, 4095)):
        old = get(data)[place:place + 1]
        for byte in (b"#", old):
            edit(data, place, byte)
            forged = with_header(content, fields[:SOURCE] + source_fields(data) + fields[SOURCE + 7:])
            put("cache", forged)
            status, _, _ = run("train", "-q", "--cache", cache, data, OUT + "/m")
            used = status == 0 and get(cache) == forged
            check(used == (byte == old), f"byte {place} of the source is {byte}, {old} when the cache was made")
    os.remove(cache)


def test_use():
    """Rows come from the cache, not from the text."""
    if not NATIVE:
        return skip("values forged: only for 64 bits, little-endian")
    cache = OUT + "/cache"
    expected = get(train(put("other", "1 1:1 2:8 4:1\n-1 2:2 3:1\n1 4:1\n-1\n"), "-e", "1"))
    data = put("d", "1 1:1 2:0.5 4:1\n-1 2:2 3:1\n1 4:1\n-1\n")
    check(get(train(data, "-e", "1", "--cache", cache)) != expected, "and the cache is made from another text")
    put("cache", forge(get(cache), 3, 1, "f", 8))
    check(get(train(data, "-e", "1", "--cache", cache)) == expected, "text is not read when there is a cache")
    os.remove(cache)


def test_cut():
    """A cache that is cut short, or written over, while it is used."""
    data, cache, model = put("d", some_rows(20000, 40, 3)), OUT + "/cache", OUT + "/m"
    options = ["-e", "30", "--order", "each"]
    expected = get(train(data, *options, "--cache", cache))
    content = get(cache)
    for delay in range(16):
        put("cache", content)
        child = subprocess.Popen([PROGRAM, "train", "--force", "-q", *options, "--cache", cache, data, model],
                                 stderr=subprocess.PIPE)
        time.sleep(delay / 500)
        with open(cache, "r+b") as f:
            if delay % 2:
                f.truncate(len(content) // 3)
            else:
                f.seek(len(content) // 3)
                f.write(b"\377" * (len(content) // 3))
        _, err = child.communicate()
        check(child.returncode == 0 and get(model) == expected,
              f"a cache {'cut' if delay % 2 else 'written over'} after {2 * delay} ms: {child.returncode} {err}")
    os.remove(cache)


def test_labels():
    """A cache has the labels of the data, whatever the model or --classes had; errors come from the text."""
    cache = OUT + "/cache"
    two, three = put("two", "5 1:1\n3 2:1\n"), put("three", "1 1:1\n5 2:1\n3 2:2\n")
    old = train(three, model="old")
    for options in (["--resume", old], ["--classes", "3,4,5"]):
        check(get(train(two, *options, "--cache", cache)) == get(train(two, *options)) ==
              get(train(two, *options, "--cache", cache)), f"{options} writes a cache")
        check(get(train(two, "--cache", cache)) == get(train(two)), f"of the labels without {options}")
        os.remove(cache)
    train(three, "--cache", cache)
    for says, *options in (("three:1: label 1 is not one of the --classes", "--classes", "3,5"),
                           ("three:3: label 3 is not one of the --classes", "--classes", "2"),
                           ("3 labels, --classes says 4", "--classes", "4"),
                           ("three:2: 2 features, --features says 1", "--features", "1")):
        refused(2, says, "train", *options, "--cache", cache, three, OUT + "/m")
    refused(2, "three:1: label 1 is not one of the model's", "train", "--resume", train(two, model="old"),
            "--cache", cache, three, OUT + "/m")
    os.remove(cache)
    one, other = put("one.csv", "a,b,y\n1,2,0\n2,0,1\n"), put("other.csv", "b,a,y\n2,1,0\n0,2,1\n")
    old = train(one, "-e", "1", model="old")
    check(get(train(other, "--resume", old, "--cache", cache)) == get(train(other, "--resume", old)) and
          not os.path.exists(cache), "columns in the order of a model are not kept")
    train(other, "--cache", cache)
    check(get(train(other, "--resume", old, "--cache", cache)) == get(train(other, "--resume", old)),
          "nor is a cache with another order used")
    os.remove(cache)


def test_damage():
    cache = OUT + "/cache"
    for data in (put("d", "1 1:1 2:0.5 4:1\n-1 2:2 3:1\n1 4:1\n-1\n"), put("d.csv", "a,b,y\n1,2,0\n2,0,1\n")):
        if os.path.exists(cache):
            os.remove(cache)
        expected, content = get(train(data, "--cache", cache)), get(cache)
        damaged = [content[:n] for n in range(len(content))] + [content + b"x", content + bytes(64)]
        for i in range(len(content)):
            damaged.append(content[:i] + bytes([content[i] ^ 1 << i % 8]) + content[i + 1:])
        foreign = 0
        for bad in damaged:
            put("cache", bad)
            status, out, err = run("train", "-q", "--cache", cache, data, OUT + "/m")
            if bad[:8] == content[:8]:
                good = status == 0 and get(cache) == content and get(OUT + "/m") == expected
            else:
                good = status == 2 and "not a cache" in err and err.count("\n") == 1 and get(cache) == bad
                foreign += 1
            check(good, f"a damaged cache: {status} {err}")
        check(foreign == 8 + 8, "cut or changed in the first 8 bytes: another file")
    data = put("d", "1 1:1 2:0.5 4:1\n-1 2:2 3:1\n1 4:1\n-1\n")
    expected, content = get(train(data, "--cache", cache)), get(cache)
    if not NATIVE:
        return skip("forged caches: only for 64 bits, little-endian")
    check(forge(content, 3, 0, "f", 1) == content, "a cache forged to what it was")
    for array, place, code, value in ((0, 0, "Q", 1), (0, 1, "Q", 2**40), (0, 2, "Q", 1), (0, 4, "Q", 7),
                                      (1, 1, "I", 2), (2, 0, "I", 4), (2, 0, "I", 1), (2, 1, "I", 5),
                                      (2, 3, "I", 2), (2, 0, "I", 2**32 - 1), (2, 5, "I", 4)):
        put("cache", forge(content, array, place, code, value))
        check(get(train(data, "--cache", cache)) == expected and get(cache) == content,
              f"a forged cache is not used: {array} {place} {value}")
    forged = forge(content, 1, 0, "I", 5)
    fields = list(HEADER.unpack_from(forged))
    fields[LABELS:NAMES + 1] = [2**32 - 2, 4]  # as many texts as there are, modulo 2^32
    put("cache", with_header(forged, fields))
    check(get(train(data, "--cache", cache)) == expected and get(cache) == content, "a wrapped number of texts")
    for value in (math.nan, math.inf):
        put("cache", forge(content, 3, 1, "f", value))
        refused(2, "row 1 of the data: NaN", "train", "-q", "-e", "1", "--cache", cache, data, OUT + "/m")
    os.remove(cache)


def test_errors():
    data, cache = put("d", BASE), OUT + "/cache"
    model = train(data)
    kept = get(model)
    refused(1, "--cache needs DATA in a file", "train", "--cache", cache, "-", model)
    os.mkfifo(OUT + "/queue")
    refused(1, "--cache needs DATA in a regular file", "train", "--cache", cache, OUT + "/queue", model)
    os.remove(OUT + "/queue")
    refused(1, "same file", "train", "--cache", model, data, model)
    refused(2, "not a cache of rows", "train", "--cache", data, data, model)
    refused(2, "not a cache of rows", "train", "--cache", model, data, OUT + "/n")
    refused(2, "not a cache of rows", "train", "--cache", OUT, data, model)
    refused(3, "absent", "train", "--cache", OUT + "/absent/cache", data, model)
    refused(3, "Not a directory", "train", "--cache", data + "/cache", data, model)
    refused(3, "No such file", "train", "--cache", cache, OUT + "/absent", model)
    refused(2, ":3:5: ", "train", "--cache", cache, put("bad", BASE + b"1 1:x\n"), model)
    refused(2, "no examples", "train", "--cache", cache, put("bad", b""), model)
    check(get(data) == BASE and get(model) == kept and not os.path.exists(cache) and
          not [name for name in os.listdir(OUT) if name.startswith("cache.")], "and nothing has changed")


def main():
    for test in (test_models, test_stale, test_source, test_use, test_cut, test_labels, test_damage, test_errors):
        test()
    finish()


main()
