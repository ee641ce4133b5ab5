"""What the tests of the command-line program share: they run it, check, count, and say the sum."""
import csv
import glob
import io
import json
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import zlib

PROGRAM = os.environ.get("PROGRAM") or "build/perceptron"  # tests/targets/windows.sh has another
SOURCES = sorted(glob.glob("examples/perceptron/**/*.c", recursive=True))
DIGITS = "examples/data/digits.csv"
WRITES = ("train", "predict", "export", "import")
OUT = "build/tests/" + os.path.splitext(os.path.basename(sys.argv[0]))[0]
os.makedirs(OUT, exist_ok=True)
WHOLE = os.environ.get("TESTS") == "all"  # not the short form of a long test
cases = {}  # name -> did all of its checks pass?
counts = {"checks": 0, "skipped": 0}
# Under nohup and in the background of a shell they are ignored, and the program would go on ignoring them.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)


def check(condition, what):
    """A check belongs to the case that main() calls, a function; of main() itself, each one is a case."""
    frame, case, script = sys._getframe(1), what, sys.modules["__main__"].__file__
    while frame and frame.f_code.co_name not in ("main", "<module>"):
        if frame.f_code.co_filename == script:
            case = frame.f_code.co_name
        frame = frame.f_back
    cases[case] = cases.get(case, True) and bool(condition)
    counts["checks"] += 1
    if not condition:
        print("FAIL", what)


def skip(why):
    counts["skipped"] += 1
    print("skipped:", why)


def short(what):
    """Says what the short form leaves out; True where it is to be left out."""
    if not WHOLE:
        print("short:", what)
    return not WHOLE


def fewer(some, of, what):
    """How many are tried: some in the short form, which says so, otherwise all."""
    return some if short(f"{some} of {of} {what}") else of


def finish():
    """The last line, as tests/run.sh reads it, and the status."""
    failed = list(cases.values()).count(False)
    print(f"({counts['checks']} checks)")
    print(f"{len(cases) - failed} passed, {failed} failed, {counts['skipped']} skipped")
    sys.exit(failed != 0)


def plainly(arguments):
    """Arguments of train for the averaged perceptron on rows as they are: what a test can follow by hand. How rows are
    prepared by default, and the default rule, is the matter of defaults.py."""
    words = [str(word) for word in arguments]
    if words[:1] != ["train"] or "--resume" in words or "--textbook" in words:
        return arguments
    more = ["--textbook"]
    learner = [b for a, b in zip(words, words[1:]) if a in ("-a", "--algorithm")]
    if not learner:
        more += ["-a", "averaged"]
    if "--stop" not in words:
        more += ["--stop", "never"]
    once = "--online" in words or "-e1" in words or any(a == "-e" and b == "1" for a, b in zip(words, words[1:]))
    if "--order" not in words and "--online" not in words and (not once or learner[-1:] in (["voted"], ["kernel"])):
        more += ["--order", "each"]
    return (words[0], *more, *arguments[1:])


def run(*arguments, stdin=b"", program=PROGRAM, force=True, plain=True, **more):
    """Exit status, standard output, standard error (text). The tests use names again for other things: with --force."""
    if plain and program == PROGRAM:
        arguments = plainly(arguments)
    if force and arguments and arguments[0] in WRITES:
        arguments = (arguments[0], "--force", *arguments[1:])
    done = subprocess.run([program, *arguments], input=stdin, capture_output=True, **more)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def put(name, content):
    path = os.path.join(OUT, name)
    with open(path, "wb") as f:
        f.write(content if isinstance(content, bytes) else content.encode())
    return path


def hurry():
    """Tests need not outlive a power cut: where there is a C compiler, what they run does not wait for the disk."""
    source = put("hurry.c", "int fsync(int file) { return -(file < 0); }\n")
    library = os.path.abspath(OUT + "/hurry.so")
    command = ["cc", "-shared", "-fPIC", source, "-o", library]
    if shutil.which("cc") and subprocess.run(command, capture_output=True).returncode == 0:
        os.environ["LD_PRELOAD"] = library


def get(path):
    with open(path, "rb") as f:
        return f.read()


def must(*arguments, **more):
    """Runs what should succeed and returns standard output."""
    status, out, err = run(*arguments, **more)
    check(status == 0, f"{arguments} ends with {status}: {err}")
    return out


def train(data, *options, model="m", **more):
    path = os.path.join(OUT, model)
    must("train", "-q", *options, data, path, **more)
    return path


def names_of(model):
    """The features, as show --csv has them: quoted, and an apostrophe before what a spreadsheet would compute."""
    rows = [row[0] for row in csv.reader(io.StringIO(must("show", "--csv", model)))][1:]
    return [name[1:] if name.startswith("'") else name for name in dict.fromkeys(rows) if name != "(bias)"]


def refused(status, text, *arguments, **more):
    """The program must end with this status and a message that holds the text, and say no more."""
    got, out, err = run(*arguments, **more)
    check(got == status and text in err and err.count("\n") == 1 and err.startswith("perceptron: "),
          f"{arguments}: status {got} ({status} expected), '{err.strip()}' ('{text}' expected)")


def section(model):
    """How it was learned: the bytes of a model file behind the image, without the last 12."""
    content = get(model)
    return content[-12 - int.from_bytes(content[-8:-4], "little"):-12]


def stored(model):
    """What a model file has before that."""
    return get(model)[:-12 - len(section(model))]


def with_section(head, section, name="forged"):
    """A model file of this image and this section, whose checksum is right."""
    return put(name, head + section + struct.pack("<II", zlib.crc32(section), len(section)) + b"PCNP")


def image(model):
    """What was learned: the image of a model file, however it is stored there."""
    head = stored(model)
    if head[:4] != b"PCNM":
        return head
    packed, size = struct.unpack("<4xIQ", head[:16])
    return unpacked(head[16:], size) if packed else head[16:]


def unpacked(runs, size):
    """Runs of words: how many 0 (or, of 2^15 more, how many 1.0) are before it, how many it has, and these."""
    whole, at = b"", 0
    while at < len(runs) and len(whole) < size:  # in a section other things follow
        filled, run = struct.unpack_from("<HH", runs, at)
        whole += (b"\0\0\x80\x3f" if filled >> 15 else bytes(4)) * (filled & 0x7fff) + runs[at + 4:at + 4 + 4 * run]
        at += 4 + 4 * run
    check(len(whole) == size, f"{size} bytes are stored, not {len(whole)}")
    return whole


hurry()


def predictions(data, model, *options, **more):
    return must("predict", "-q", *options, data, model, **more).split("\n")[:-1]


def report(data, *options, test=None):
    """What train --json says of a run."""
    more = ["-t", test] if test else []
    return json.loads(must("train", "--json", "-q", *options, *more, data, OUT + "/m"))


def digits_parts():
    """The digits in two files: five of six rows, and the others."""
    lines = get(DIGITS).split(b"\n")[:-1]
    test = put("test.csv", b"\n".join(lines[0::6]) + b"\n")
    rest = put("train.csv", b"\n".join(line for i, line in enumerate(lines) if i % 6) + b"\n")
    return rest, test


def digits_svm():
    """The digits as libsvm text."""
    sparse = []
    for line in get(DIGITS).decode().split():
        *pixels, label = line.split(",")
        sparse.append(label + "".join(f" {i + 1}:{v}" for i, v in enumerate(pixels) if v != "0"))
    return put("digits.svm", "\n".join(sparse) + "\n")


def as_table(text, features):
    """The rows of libsvm text as CSV, the label last."""
    lines = []
    for line in text.splitlines():
        label, *pairs = line.split()
        x = dict(pair.split(":") for pair in pairs)
        lines.append(",".join([x.get(str(j), "0") for j in range(1, features + 1)] + [label.lstrip("+")]))
    return "\n".join(lines) + "\n"


def noisy(rows, features, seed):
    """Two classes in libsvm text, not quite separable."""
    draw = random.Random(seed)
    lines = []
    for _ in range(rows):
        x = [round(draw.gauss(0, 1), 3) for _ in range(features)]
        y = 1 if sum(x[:3]) + draw.gauss(0, 1) > 0 else -1
        lines.append(f"{y:+d} " + " ".join(f"{i + 1}:{v}" for i, v in enumerate(x) if v))
    return "\n".join(lines) + "\n"
