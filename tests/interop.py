"""Models on their way out and in: what perceptron export writes must predict every row as perceptron
predict does, in C and C++ here, on an emulated Cortex-M4F, and through liblinear-predict and
svm-predict; quantised models, as whole numbers computed here say; what perceptron import reads must
predict as liblinear-predict. More data sets are taken from the folder PCN_DATA, if it is set."""
import concurrent.futures
import json
import math
import operator
import os
import random
import re
import shutil
import struct
import subprocess
import sys

PROGRAM = "build/perceptron"
OUT = "build/tests/interop"
DIGITS = "examples/data/digits.csv"
DATA = os.environ.get("PCN_DATA")
WARN = ("-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wdouble-promotion "
        "-Werror").split()
M4F = "-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 --specs=picolibc.specs".split()
BOARD = ["--oslib=semihost", "--crt0=hosted", "-Wl,--defsym=__flash=0,--defsym=__flash_size=0x400000,"
         "--defsym=__ram=0x20000000,--defsym=__ram_size=0x400000"]
EMULATOR = ("qemu-system-arm -M mps2-an386 -display none -monitor none -serial none "
            "-chardev stdio,id=console -semihosting-config enable=on,target=native,chardev=console "
            "-kernel").split()
passed = failed = skipped = 0


def check(condition, what):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print("FAIL", what)


def skip(why):
    global skipped
    skipped += 1
    print("skipped:", why)


def equal(got, expected, what):
    """The same label on every row, and there is a row."""
    wrong = [i for i, (a, b) in enumerate(zip(got, expected)) if a != b]
    check(len(got) == len(expected) > 0 and not wrong,
          f"{what}: {len(got)} of {len(expected)} rows predicted, {len(wrong)} of them otherwise: {wrong[:5]}")


def run(*arguments, stdin=b""):
    """Exit status, standard output, standard error (text). The tests use names again for other things: with --force."""
    if arguments and arguments[0] in ("train", "predict", "export", "import"):
        arguments = (arguments[0], "--force", *arguments[1:])
    done = subprocess.run([PROGRAM, *arguments], input=stdin, capture_output=True)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def must(*arguments, says="", **more):
    """Runs what should succeed, with at most this said, and returns standard output."""
    status, out, err = run(*arguments, **more)
    check(status == 0 and err.count("\n") == bool(says) and says in err,
          f"{arguments} ends with {status}: {err}")
    return out


def refused(status, text, *arguments, **more):
    """The program must end with this status and one line that holds the text, and write nothing."""
    got, out, err = run(*arguments, **more)
    check(got == status and text in err and err.count("\n") == 1 and err.startswith("perceptron: ") and
          out == "", f"{arguments}: status {got} ({status} expected), '{err.strip()}' ('{text}' expected)")


def put(name, content):
    path = os.path.join(OUT, name)
    with open(path, "wb") as f:
        f.write(content if isinstance(content, bytes) else content.encode())
    return path


def get(path):
    with open(path, "rb") as f:
        return f.read()


def train(data, *options, model="m"):
    path = os.path.join(OUT, model)
    must("train", "-q", *options, data, path)
    return path


def parts(model):
    """What the image at the start of a model file has (enum pcn_part)."""
    return struct.unpack_from("<I", model, 12)[0]


def predictions(data, model, *options):
    return must("predict", "-q", *options, data, model).split("\n")[:-1]


# ---- Data: libsvm text that the other tools read, too ----

def svm_line(label, values):
    return f"{label}" + "".join(f" {i + 1}:{v}" for i, v in enumerate(values) if float(v) != 0) + "\n"


def digits():
    lines = [line.split(",") for line in get(DIGITS).decode().split()]
    write = lambda name, some: put(name, "".join(svm_line(line[-1], line[:-1]) for line in some))
    return (write("digits.train", [line for i, line in enumerate(lines) if i % 6]),
            write("digits.test", lines[0::6]))


def noisy(rows, features, labels, seed, spread=10):
    """Decimals of different size, labels by the greatest of some sums, a few of them wrong."""
    draw, lines, n = random.Random(seed), [], len(labels)
    for _ in range(rows):
        x = [draw.gauss(0, 1) for _ in range(features)]
        best = max(range(n), key=lambda k: sum(x[k::n]) + draw.gauss(0, 0.5))
        lines.append(svm_line(labels[best], [round(v * spread**(i % 3), 3) for i, v in enumerate(x)]))
    return "".join(lines)


def small(rows, features, labels, seed):
    """Values -1, 0 and 1: many scores are 0 and many classes tie."""
    draw = random.Random(seed)
    return "".join(svm_line(draw.choice(labels), [draw.choice((-1, 0, 0, 1)) for _ in range(features)])
                   for _ in range(rows))


def sets():
    """Name -> training and test rows."""
    found = {
        "digits": digits(),
        "noisy": (put("noisy.train", noisy(600, 8, (1, -1), 1)), put("noisy.test", noisy(400, 8, (1, -1), 2))),
        "noisy 4": (put("noisy4.train", noisy(600, 20, (7, 2, 30, -4), 3)),
                    put("noisy4.test", noisy(400, 20, (7, 2, 30, -4), 4))),
        "small": (put("small.train", small(40, 4, (3, 8), 5)), put("small.test", small(300, 4, (3, 8), 6))),
        "small 3": (put("small3.train", small(40, 4, (5, 2, 9), 7)),
                    put("small3.test", small(300, 4, (5, 2, 9), 8))),
    }
    if not DATA:
        skip("PCN_DATA names no folder with more data sets")
        return found
    for name in ("letter", "shuttle", "vehicle", "sms"):
        found[name] = tuple(os.path.join(DATA, f"{name}.{part}.svm") for part in ("train", "test"))
    found["heart"] = (os.path.join(DATA, "heart_scale.svm"),) * 2
    return found


def dense_rows(path, features):
    """All values of a file of libsvm text, as a list of rows."""
    rows = []
    for line in get(path).decode().split("\n")[:-1]:
        row = [0.0] * features
        for pair in line.split()[1:]:
            index, value = pair.split(":")
            if int(index) <= features:
                row[int(index) - 1] = float(value)
        rows.append(row)
    return rows


def prepared(path, options):
    """What the user of an exported model must do himself: a copy of the rows of unit length, or of 0 and 1."""
    lines = []
    for line in get(path).decode().split("\n")[:-1]:
        label, *pairs = line.split()
        pairs = [(i, float(v)) for i, v in (pair.split(":") for pair in pairs) if float(v) != 0]
        if "--binarize" in options:
            pairs = [(i, 1.0) for i, v in pairs]
        if "l2" in options:
            length = sum(v * v for i, v in pairs)**0.5
            pairs = [(i, v / length) for i, v in pairs]
        lines.append(label + "".join(f" {i}:{v!r}" for i, v in pairs))
    return put("prepared", "\n".join(lines) + "\n")


# ---- C: programs around the exported headers ----

HOST = {"C99": ["gcc", "-std=c99", "-x", "c"], "C++11": ["g++", "-std=c++11", "-x", "c++"]}
ROWS = """
__asm__(".section .rodata\\n.balign 4\\n.globl rows\\nrows:\\n.incbin \\"%(file)s\\"\\n.text\\n");
#ifdef __cplusplus
extern "C" const %(type)s rows[];
#else
extern const %(type)s rows[];
#endif
"""
BY_MANUAL = """
static int by_%s(const %s *x)
{
%s
    return k;
}
"""
BY_TRAINER = """
static int by_trainer(const float *x)
{
    static float memory[PCN_WEIGHTS(image_FEATURES, image_CLASSES)];
    pcn_perceptron trainer;
    pcn_vec row = pcn_dense(x, image_FEATURES);
    pcn_perceptron_init(&trainer, memory, PCN_LENGTH(memory), image_FEATURES, image_CLASSES);
    if (%s < 0) return -1;
    if (image_CLASSES > 1) return pcn_linear_predict_class(&trainer.model, row);
    return pcn_linear_predict(&trainer.model, row) > 0;
}
"""
SAME_BITS = """
static int same_bits(const float *x)
{
    float score[image_CLASSES], again[image_CLASSES];
    pcn_linear m;
    unsigned c;
    pcn_linear_open(&m, image_image.byte, sizeof image_image.byte);
    pcn_linear_scores(&m, pcn_dense(x, image_FEATURES), score);
    pcn_linear_scores(&arrays_linear, pcn_dense(x, arrays_FEATURES), again);
    for (c = 0; c < image_CLASSES; c++)
        if (score[c] != again[c] || score[c] != arrays_score(x, c)) return 0;
    return 1;
}
"""
SAME_SCORES = """
static int same_scores_$(const int16_t *x)
{
    int64_t score[image$_CLASSES];
    pcn_ilinear m;
    unsigned c;
    pcn_ilinear_open(&m, image$_image.byte, sizeof image$_image.byte);
    pcn_ilinear_scores(&m, pcn_idense(x, m.features), score);
    for (c = 0; c < m.classes; c++)
        if (score[c] != arrays$_score(x, c)) return 0;
    return image$_unit == arrays$_unit;
}
"""
MAIN = """
int main(void)
{
    unsigned long i;
    for (i = 0; i < sizeof %(name)s_label / sizeof *%(name)s_label; i++) puts(%(name)s_label[i]);
    for (i = 0; i < %(count)d; i++) {
        const %(type)s *x = rows + i * %(name)s_FEATURES;
        char line[] = {%(ways)s, 0};
        puts(line);
    }
    return 0;
}
"""


def manual(header):
    """The code in the comment of a header: the lines that find k, and what a trainer calls."""
    comment = header[:header.index("*/")].split("\n")
    code = [line[3:] for line in comment if line.startswith(" *     ") and line.endswith(";")]
    load = [line.strip(" ;") for line in code if "trainer" in line]
    return "\n".join(line for line in code if "trainer" not in line), load


def c_program(headers, functions, ways, name, count, kind="float"):
    """A program that prints the labels, then a line for each row: of each way (a function of the row) the
    number, as a letter."""
    return ("".join(f'#include "{header}"\n' for header in headers) + "#include <stdio.h>\n" +
            ROWS % {"file": OUT + "/rows", "type": kind} + functions +
            MAIN % {"name": name, "count": count, "type": kind,
                    "ways": ", ".join(f"(char)('A' + {way}(x))" for way in ways)})


def c_sources(image, arrays, count):
    """Name -> source and the ways in it, for floats."""
    code, load = manual(image)
    headers, functions, ways = ["perceptron.h", "image.h"], BY_MANUAL % ("image", "float", code), ["by_image"]
    if load:
        functions += BY_TRAINER % load[0]
        ways.append("by_trainer")
    if not arrays:
        return {"with": (c_program(headers, functions, ways, "image", count), ways)}
    functions += BY_MANUAL % ("arrays", "float", manual(arrays)[0]) + SAME_BITS
    ways += ["by_arrays", "arrays_predict", "same_bits"]
    return {"with": (c_program(headers + ["arrays.h"], functions, ways, "image", count), ways),
            "without": (c_program(["arrays.h"], "", ["arrays_predict"], "arrays", count), ["arrays_predict"])}


def c_quantised_sources(headers, count):
    """The same for quantised models: headers image8, arrays8, image16, arrays16."""
    functions, ways, alone = "", [], ["arrays8_predict", "arrays16_predict"]
    for name, text in headers.items():
        functions += BY_MANUAL % (name, "int16_t", manual(text)[0])
        ways.append("by_" + name)
    for bits in ("8", "16"):
        functions += SAME_SCORES.replace("$", bits)
        ways += ["same_scores_" + bits, f"arrays{bits}_predict"]
    files = [name + ".h" for name in headers]
    return {"with": (c_program(["perceptron.h"] + files, functions, ways, "image8", count, "int16_t"), ways),
            "without": (c_program(["arrays8.h", "arrays16.h"], "", alone, "arrays8", count, "int16_t"), alone)}


def build_and_run(compiler, flags, runner, source, program, objects):
    """What is wrong, and the lines that the program prints."""
    path = put(program + ".c", source)
    done = subprocess.run([*compiler, path, "-x", "none", *objects, "-I.", "-I" + OUT, *flags, "-o",
                           f"{OUT}/{program}"], capture_output=True, text=True)
    if done.returncode != 0:
        return "does not compile: " + done.stderr[:400], []
    done = subprocess.run([*runner, f"{OUT}/{program}"], capture_output=True, text=True, timeout=60,
                          stdin=subprocess.DEVNULL)
    wrong = done.returncode and f"ends with {done.returncode}: {done.stderr[:400]}"
    return wrong, done.stdout.split("\n")[:-1]


class Machines:
    """Where exported C runs: compiler, flags, how to start a program, the library's object file."""

    def __init__(self):
        self.all = {}
        for name, compiler in HOST.items():
            self.add(name, compiler, ["-O1", *WARN], [])
        if all(map(shutil.which, ("arm-none-eabi-gcc", EMULATOR[0]))):
            self.add("Cortex-M4F", ["arm-none-eabi-gcc", "-std=c99", "-x", "c"],
                     ["-O2", *WARN, *M4F, *BOARD], EMULATOR)
        else:
            skip("exported C on a Cortex-M4F needs arm-none-eabi-gcc and qemu-system-arm")

    def add(self, name, compiler, flags, runner):
        if not shutil.which(compiler[0]):
            return skip(f"exported C by {compiler[0]}: not installed")
        source = put("library.c", "#define PERCEPTRON_IMPLEMENTATION\n#include \"perceptron.h\"\n")
        target = f"{OUT}/library-{name}.o"
        cpu = M4F if runner else []
        done = subprocess.run([*compiler, "-O1", *cpu, "-I.", "-c", source, "-o", target],
                              capture_output=True, text=True)
        if "picolibc.specs" in done.stderr:
            return skip(f"exported C on a {name}: picolibc is not installed")
        check(done.returncode == 0, f"perceptron.h on {name}: {done.stderr[:400]}")
        self.all[name] = (compiler, flags, runner, target)

    def run(self, what, sources, labels, features, expected):
        """expected: way -> the labels it must find; the other ways must answer 1 for every row. As many
        programs at once as there are processors."""
        jobs = [(name, program) for name in self.all for program in sources
                if (program == "with" or name == "C99") and not (self.all[name][2] and features > 100)]

        def work(job):
            compiler, flags, runner, library = self.all[job[0]]
            return build_and_run(compiler, flags, runner, sources[job[1]][0], "-".join(job),
                                 [library] if job[1] == "with" else [])

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(work, jobs))
        for (name, program), (wrong, lines) in zip(jobs, results):
            check(not wrong, f"{what} in {name} {wrong}")
            printed, lines = lines[:len(labels)], lines[len(labels):]
            check(printed == labels, f"{what} in {name}: labels {printed}")
            for i, way in enumerate(sources[program][1]):
                got = [ord(line[i]) - ord("A") for line in lines]
                if way in expected:
                    equal([labels[k] if 0 <= k < len(labels) else k for k in got], expected[way],
                          f"{what} in {name}, {way}")
                else:
                    check(len(got) > 0 and set(got) == {1}, f"{what} in {name}, {way}")

    def compare(self, what, model, options, test, expected, labels, features):
        kernel = {"kernel", "voted"} & set(options)
        says = "prepared" if {"--binarize", "l2"} & set(options) else ""
        image = put("image.h", must("export", "--name", "image", model, says=says))
        arrays = None if kernel else put("arrays.h", must("export", "--as", "arrays", "--predict", "--name",
                                                          "arrays", model, says=says))
        rows = dense_rows(prepared(test, options) if says else test, features)
        put("rows", b"".join(struct.pack(f"<{features}f", *row) for row in rows))
        sources = c_sources(get(image).decode(), arrays and get(arrays).decode(), len(rows))
        ways = ("by_image", "by_trainer", "by_arrays", "arrays_predict")
        self.run(what, sources, labels, features, dict.fromkeys(ways, expected))


# ---- The other tools ----

def tool_predictions(tool, data, model):
    done = subprocess.run([tool, data, model, OUT + "/predicted"], capture_output=True, text=True)
    check(done.returncode == 0, f"{tool} ends with {done.returncode}: {done.stderr[:200]}")
    return get(OUT + "/predicted").decode().split("\n")[:-1] if done.returncode == 0 else []


def compare_tools(what, model, options, test, expected):
    kernel = {"kernel", "voted"} & set(options)
    says = "prepared" if {"--binarize", "l2"} & set(options) else ""
    rows = prepared(test, options) if says else test
    for tool, form in (("liblinear-predict", "liblinear"), ("svm-predict", "libsvm")):
        if (kernel and form == "liblinear") or not shutil.which(tool):
            continue
        text = must("export", "--format", form, model, says=says)
        got = tool_predictions(tool, rows, put("text", text))
        equal([f"{float(label):g}" for label in got], expected, f"{what} by {tool}")


# ---- Exports of every kind ----

FILE = ("--order", "file")
CASES = [  # set, options
    ("digits", ()), ("digits", ("-a", "perceptron", "--normalize", "maxabs")),
    ("noisy", ("-B", "0")), ("noisy", ("--normalize", "maxabs")), ("noisy", ("--normalize", "l2")),
    ("noisy", ("-a", "perceptron", "--pocket", "--zero-class", "negative")),
    ("noisy", ("-a", "kernel", "--gamma", "0.0001", "-B", "1")),
    ("noisy", ("-a", "kernel", "--kernel", "poly", "--normalize", "maxabs", "--decision", "averaged")),
    ("noisy", ("-a", "voted", "--decision", "averaged", "--normalize", "maxabs")),
    ("noisy 4", ("--normalize", "maxabs")), ("noisy 4", ("-a", "balanced-winnow", "--normalize", "maxabs")),
    ("small", ("-a", "perceptron", "-e", "1", "-B", "0", *FILE)),
    ("small", ("-a", "perceptron", "-e", "1", "-B", "0", "--zero-class", "negative", *FILE)),
    ("small", ("-a", "winnow2", "--binarize", "-e", "1", *FILE)),
    ("small", ("-a", "kernel", "--kernel", "poly", "--gamma", "1", "-e", "1", *FILE)),
    ("small", ("-a", "kernel", "--kernel", "linear", "--zero-class", "negative", "-B", "2", "-e", "1", *FILE)),
    ("small 3", ("-a", "perceptron", "-e", "1", "-B", "0", *FILE)),
    ("small 3", ("-a", "perceptron", "-e", "1", *FILE)),
    ("letter", ("-e", "2")), ("shuttle", ("-e", "1", "--normalize", "maxabs")), ("vehicle", ()),
    ("heart", ("--rule", "pa1")), ("heart", ("-a", "kernel",)),
    ("heart", ("-a", "kernel", "--budget", "40", "--policy", "oldest")),
    ("heart", ("-a", "kernel", "--decision", "averaged", "--zero-class", "negative")),
    ("sms", ("-a", "winnow2", "--binarize", "-e", "2")),
]
IN_C_ONLY = [  # votes, and kernel models of more than two labels
    ("small", ("-a", "voted", "--zero-class", "negative")),
    ("noisy", ("-a", "kernel", "--gamma", "0.0001", "--decision", "voted")),
    ("small 3", ("-a", "voted", "--decision", "averaged")),
    ("noisy 4", ("-a", "kernel", "--gamma", "0.0001", "-e", "1")),
]


def features_of(path):
    return max(int(word.split(":")[0]) for line in get(path).decode().split("\n") for word in line.split()[1:])


def labels_of(path):
    """As the program orders them."""
    return [str(k) for k in sorted({int(line.split()[0]) for line in get(path).decode().split("\n")[:-1]})]


def test_exports(data, machines):
    for tool, package in (("liblinear-predict", "liblinear-tools"), ("svm-predict", "libsvm-tools")):
        if not shutil.which(tool):
            skip(f"exported models by {tool}: not installed (Debian: {package})")
    ties = set()
    for name, options in CASES + IN_C_ONLY:
        if name not in data:
            continue
        rows, test = data[name]
        what = f"{name} {' '.join(options)}"
        model = train(rows, *options)
        expected = predictions(test, model)
        check(len(set(expected)) > 1, f"{what}: all rows are predicted alike")
        for line in predictions(test, model, "-s"):
            label, *scores = line.split()
            if scores.count(max(scores, key=float)) > 1 or scores == ["0"]:
                ties.add((name, label))
        machines.compare(what, model, options, test, expected, labels_of(rows), features_of(rows))
        if (name, options) not in IN_C_ONLY:
            compare_tools(what, model, options, test, expected)
    check({("small", "3"), ("small", "8")} <= ties and len(ties) >= 4, f"ties are among the rows: {ties}")


# ---- Quantised models, by whole numbers of our own ----

def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def unit_length(row):
    """As the program divides, in single precision: 32 partial sums of squares, then a halving tree."""
    sums = [0.0] * 32
    for i, v in enumerate(row):
        sums[i % 32] = single(sums[i % 32] + single(v * v))
    for half in (16, 8, 4, 2, 1):
        sums = [single(a + b) for a, b in zip(sums[:half], sums[half:])]
    length = single(sums[0]**0.5)
    return [single(v / length) for v in row] if length > 0 else row


def device_rows(path, options, features):
    """The values that a device has before it divides by the unit."""
    rows = [[single(v) for v in row] for row in dense_rows(path, features_of(path))]
    if "--binarize" in options:
        rows = [[float(v != 0) for v in row] for row in rows]
    if "l2" in options:
        rows = [unit_length(row) for row in rows]
    return [row[:features] + [0.0] * (features - len(row)) for row in rows]


def default_unit(rows, options):
    """1, or the least power of two that fits."""
    most, unit = max(abs(v) for row in rows for v in row), 2.0**-14
    if "l2" in options or all(v.is_integer() and -32768 <= v <= 32767 for row in rows for v in row):
        return unit if "l2" in options else 1.0
    while 32767 * unit < most:
        unit *= 2
    while 32767 * unit / 2 >= most:
        unit /= 2
    return unit


def in_units(rows, unit):
    """Rows of int16, and how many values had to be cut."""
    whole = [[v and int(math.copysign(math.floor(abs(single(v / unit)) + 0.5), v)) for v in row] for row in rows]
    return ([[max(-32768, min(32767, v)) for v in map(int, row)] for row in whole],
            sum(not -32768 <= v <= 32767 for row in whole for v in row))


def numbers(header, what, kind=int):
    """The numbers of an array in a header."""
    found = re.search(r"_%s\[[^]]*\] = \{([^}]*)\}" % what, header).group(1)
    return [kind(word.rstrip("f")) for word in found.replace(",", " ").split()]


def dot(a, b):
    return sum(map(operator.mul, a, b))


class Quantised:
    """What the arrays of a header say."""

    def __init__(self, header, options):
        self.bits = int(re.search(r"const int(\d+)_t \w+_weight\[", header).group(1))
        self.unit = single(float(re.search(r"_unit = (\S+)f;", header).group(1)))
        self.bias, self.scale = numbers(header, "bias"), numbers(header, "scale")
        weights, classes = numbers(header, "weight"), len(self.bias)
        self.features = len(weights) // classes
        self.weight = [weights[c * self.features:][:self.features] for c in range(classes)]
        self.lowest_positive = 1 if "negative" in options else 0

    def predict(self, x):
        scores = [(dot(w, x) + b) * s for w, b, s in zip(self.weight, self.bias, self.scale)]
        return scores.index(max(scores)) if len(scores) > 1 else int(scores[0] >= self.lowest_positive)

    def check_weights(self, weight, bias, what):
        """Every weight and bias is the nearest multiple of its row's step, a whole number of times the least
        that lets all rows fit. 1e-6: several roundings of floats. Returns the steps."""
        most = 2**(self.bits - 1) - 1
        need = [max(max(map(abs, w)) / most, abs(b) / self.unit / 2**30) for w, b in zip(weight, bias)]
        least = max(need) / 65535
        steps, good = [least * s for s in self.scale], True
        for w, b, step, n, row, whole in zip(weight, bias, steps, need, self.weight, self.bias):
            good &= n * (1 - 1e-6) <= step <= n * (1 + 1e-6) + least
            good &= all(abs(q * step - v) <= step * (0.5 + most * 1e-6) for q, v in zip(row, w))
            good &= abs(whole * step - b / self.unit) <= step / 2 + abs(b / self.unit) * 1e-6
        check(good, f"{what}: weights are the nearest")
        return steps

    def may_change(self, weight, bias, steps, row, whole):
        """Whether the errors of weights (half a step each) and features can turn the prediction of a row."""
        cut = [abs(v - q * self.unit) for v, q in zip(row, whole)]
        inexact, size, units = any(cut), sum(map(abs, row)), self.unit * (sum(map(abs, whole)) + 1)
        scores = [dot(w, row) + b for w, b in zip(weight, bias)]
        errors = [(0.5 + 2**self.bits * 1e-6) * step * units + 1e-6 * (abs(b) + size * max(map(abs, w))) +
                  (dot(map(abs, w), cut) if inexact else 0) for w, b, step in zip(weight, bias, steps)]
        if len(scores) == 1:
            return abs(scores[0]) <= errors[0]
        best = scores.index(max(scores))
        return any(scores[best] - s <= errors[best] + e for c, (s, e) in enumerate(zip(scores, errors)) if c != best)


QUANTISED = [  # set, options of training, unit
    ("digits", (), None), ("letter", ("-e", "2"), None), ("shuttle", ("-e", "1", "--normalize", "maxabs"), None),
    ("noisy", (), None), ("noisy", ("--normalize", "maxabs"), "0.003"), ("noisy", ("--normalize", "l2"), None),
    ("small", ("--normalize", "l2", "--binarize"), None), ("noisy", ("-a", "balanced-winnow"), None),
    ("noisy 4", ("--normalize", "maxabs"), None), ("heart", ("--rule", "pa1"), None), ("vehicle", (), "0.01"),
    ("small", ("-a", "perceptron", "-e", "1", "-B", "0", *FILE), None),
    ("small", ("-a", "perceptron", "-e", "1", "-B", "0", "--zero-class", "negative", *FILE), None),
    ("small", ("-a", "winnow2", "--binarize", "-e", "1", *FILE), None),
    ("small 3", ("-a", "perceptron", "-e", "1", "-B", "0", *FILE), None),
]


def export_quantised(model, bits, form, unit, test):
    """The header in one form, and what the program says of it."""
    alone = ("--predict",) if form == "arrays" else ()
    path = f"{OUT}/{form}{bits}.h"
    status, out, err = run("export", "--bits", str(bits), "--as", form, *alone, *(("--unit", unit) if unit else ()),
                           "--name", f"{form}{bits}", "--json", "-t", test, model, path)
    check(status == 0, f"export of {form} of {bits} bits ends with {status}: {err}")
    return get(path).decode(), json.loads(out or "{}")


def check_report(what, q, image, said, also, before, after, truth, cut):
    """What the program says of the image and of the arrays, and what stands in the comment."""
    differ = lambda a, b: sum(map(operator.ne, a, b))
    size = len(re.findall(r"\d+,", image[image.index("= {{"):]))
    report = {"bits": q.bits, "unit": float(f"{q.unit:.9g}"), "rows": len(truth),
              "errors_float": differ(before, truth), "errors_quantized": differ(after, truth),
              "changed": differ(before, after), "saturated": cut, "bytes": size}
    check(said == report, f"{what}: {said}, {report} expected")
    report["bytes"] = len(q.bias) * (q.features * q.bits // 8 + 6)
    check(also == report, f"{what}: {also}, {report} expected")
    comment = (f"Measured on {len(truth)} rows: {report['changed']} predictions other than in floats, {cut} values "
               f"outside, {report['errors_quantized']} errors (in floats {report['errors_float']}).")
    check(comment in " ".join(image.replace(" * ", " ").split()), f"{what}: the comment has the numbers")
    print(f"{what}: {len(truth)} rows, {report['errors_float']} wrong in floats, {report['errors_quantized']} in "
          f"{q.bits} bits, {report['changed']} predictions change", end="")


def check_loss(what, q, model, says, rows, whole, before, after):
    """Weights are right, and only predictions change whose margin is within the error."""
    floats = must("export", "--as", "arrays", model, says=says)
    weights, bias = numbers(floats, "weight", float), numbers(floats, "bias", float)
    weight = [weights[c * q.features:][:q.features] for c in range(len(bias))]
    steps = q.check_weights(weight, bias, what)
    may = [q.may_change(weight, bias, steps, row, x) for row, x in zip(rows, whole)]
    check(all(m or a == b for m, a, b in zip(may, before, after)),
          f"{what}: with {q.bits} bits a prediction changes whose margin exceeds the error")
    print(f" of {sum(may)} that could")


def test_quantised_set(name, options, unit, train_file, test, machines):
    """Both sizes in all forms against whole numbers of our own. Returns which labels a score of 0 gets, and how
    many values saturate."""
    what = f"quantised {name} {' '.join(options)}"
    says = "prepared" if {"--binarize", "l2"} & set(options) else ""
    model, labels, features = train(train_file, *options), labels_of(train_file), features_of(train_file)
    truth = [str(int(line.split()[0])) for line in get(test).decode().split("\n")[:-1]]
    before, rows = predictions(test, model), device_rows(test, options, features)
    headers, expected = {}, {}
    for bits in (8, 16):
        headers[f"image{bits}"], said = export_quantised(model, bits, "image", unit, test)
        headers[f"arrays{bits}"], also = export_quantised(model, bits, "arrays", unit, test)
        q = Quantised(headers[f"arrays{bits}"], options)
        check(q.bits == bits and q.features == features, f"{what}: shape")
        check(q.unit == (single(float(unit)) if unit else default_unit(rows, options)), f"{what}: unit {q.unit}")
        whole, cut = in_units(rows, q.unit)
        after = [labels[q.predict(x)] for x in whole]
        check_report(what, q, headers[f"image{bits}"], said, also, before, after, truth, cut)
        check_loss(what, q, model, says, rows, whole, before, after)
        expected.update({way: after for way in (f"by_image{bits}", f"by_arrays{bits}", f"arrays{bits}_predict")})
    put("rows", b"".join(struct.pack(f"<{features}h", *row) for row in whole))
    machines.run(what, c_quantised_sources(headers, len(rows)), labels, features, expected)
    return {a for a, x in zip(after, whole) if len(q.bias) == 1 and dot(q.weight[0], x) + q.bias[0] == 0}, cut


def test_quantised(data, machines):
    zeros, cuts = set(), 0
    for name, options, unit in QUANTISED:
        if name in data:
            zero, cut = test_quantised_set(name, options, unit, *data[name], machines)
            zeros |= {(name, label) for label in zero}
            cuts += cut > 0
    check({("small", "3"), ("small", "8")} <= zeros, f"scores of 0 are among the rows: {zeros}")
    check(cuts > 0, "values saturate somewhere")


def test_report(data):
    """The same numbers as text, from CSV, from standard input and without labels."""
    rows, test = data["digits"]
    model = train(rows)
    header, said = export_quantised(model, 8, "image", None, test)
    options, path = ("export", "--bits", "8", "--name", "image8"), OUT + "/again.h"
    text = "".join(f"{what}: Accuracy = {100 * (1 - said[key] / said['rows']):g}% ({said['rows'] - said[key]}/"
                   f"{said['rows']})\n" for what, key in (("Floats", "errors_float"), ("8 bits", "errors_quantized")))
    last = (f"{said['changed']} of {said['rows']} predictions differ; 0 values saturated in units of 1; "
            f"{said['bytes']} bytes\n")
    text += last
    check(run(*options, "-t", test, model, path) == (0, text, "") and get(path).decode() == header, "report as text")
    check(run(*options, "-t", test, model) == (0, header, text), "report beside a header on standard output")
    check(run(*options, "-t", "-", model, path, stdin=get(test)) == (0, text, ""), "rows from standard input")
    check(run(*options, "-t", test, "-", path, stdin=get(model)) == (0, text, ""), "model from standard input")
    table = put("table", b"".join(get(DIGITS).splitlines(True)[0::6]))
    for more in ((), ("--test-format", "csv")):
        check(run(*options, *more, "-t", table, model, path) == (0, text, ""), f"rows from CSV {more}")
    check("Measured" not in must(*options, model) and "_unit = 1.0f;" in must(*options, model), "without --test")
    bare = put("bare", b"".join(line.split(b" ", 1)[1] for line in get(test).splitlines(True)))
    check(run(*options, "-t", bare, model, path) == (0, last, ""), "rows without labels as text")
    check("Measured" in get(path).decode() and "errors" not in get(path).decode(), "no errors without labels")
    said.update(errors_float=None, errors_quantized=None)
    check(export_quantised(model, 8, "image", None, bare)[1] == said, "rows without labels")


def test_units():
    """The default unit, and what counts: worked by hand. Weights of 1 for feature 1, -1 for feature 2."""
    model = imported(BINARY.replace("-2", "-1"))
    for rows, unit, saturated, errors in [
            ("1 1:1\n-1 2:1\n", 1, 0, 0), ("1 1:32767 2:-32768\n", 1, 0, 0), ("1 1:32768\n", 2, 0, 0),
            ("1 1:32767.5\n", 2, 0, 0), ("1 1:0.5\n", 2**-15, 0, 0), ("1 1:-1.5 2:-9\n", 2**-11, 0, 0),
            ("1 1:65534\n", 2, 0, 0), ("1 1:65536\n", 4, 0, 0), ("-1 1:0\n", 1, 0, 0), ("-1\n", 1, 0, 0),
            ("1 1:1 100:0.5\n", 1, 0, 0), ("7 1:1\n", 1, 0, 1), ("1 1:1e-42 2:1e-43\n", 2.0**-126, 0, 1),
            ("1 1:3e38\n", 2.0**113, 0, 0)]:
        said = export_quantised(model, 16, "image", None, put("rows", rows))[1]
        got = said["unit"], said["saturated"], said["errors_quantized"]
        expected = float(f"{unit:.9g}"), saturated, errors
        check(got == expected, f"{rows!r}: {got}, {expected} expected")
    for rows, unit, saturated, changed in [
            ("1 1:32767.49\n", "1", 0, 0), ("1 1:32767.5\n", "1", 1, 0), ("1 2:-32768.49\n", "1", 0, 0),
            ("1 2:-32768.5\n", "1", 1, 0), ("1 1:3e38 2:-3e38\n", "1e-30", 2, 0), ("1 1:40000 2:39000\n", "1", 2, 1),
            ("1 1:1 100:1e9\n", "1", 0, 0), # the model has not that feature
            ("-1 1:39000 2:40000\n", "1", 2, 0), ("1 1:3 2:2\n", "10", 0, 1), ("1 1:5 2:4\n", "10", 0, 0)]:
        said = export_quantised(model, 8, "image", unit, put("rows", rows))[1]
        check((said["saturated"], said["changed"]) == (saturated, changed), f"{rows!r} in units of {unit}: {said}")
    for more, unit in (((), "1.0f"), (("--unit", "0.1"), "0.100000001f")):
        check(f"_unit = {unit};" in must("export", "--bits", "8", *more, model), f"unit without --test {more}")
    long = train(put("d", small(30, 4, (1, 2), 1)), "--normalize", "l2")
    check("_unit = 6.10351562e-05f;" in must("export", "--bits", "8", long, says="prepared"), "unit of l2")


def test_names():
    """Columns are matched by name, as in predict."""
    model = train(put("d.csv", "a,b,y\n1,0,p\n0,1,q\n2,1,p\n1,3,q\n"), "--label", "y")
    report = lambda text, *more: run("export", "--bits", "8", "--json", *more, "-t", put("t.csv", text), model,
                                     OUT + "/names.h")[1]
    first = json.loads(report("a,b,y\n5,1,p\n1,5,q\n", "--label", "y"))
    check((first["rows"], first["errors_float"], first["errors_quantized"]) == (2, 0, 0), f"CSV with names: {first}")
    check(json.loads(report("b;y;a\n1;p;5\n5;q;1\n", "--label", "y", "--sep", ";")) == first, "another order")


def test_wide():
    """More features than a row may have values."""
    model = train(put("wide", "1 1:1 70000:2\n-1 2:1 70000:-2\n"), model="wide.model")
    header, said = export_quantised(model, 16, "image", None, OUT + "/wide")
    check((said["rows"], said["changed"], said["errors_quantized"]) == (2, 0, 0), f"70,000 features: {said}")
    check("pcn_isparse(index, x, n);" in header, "a sparse row in the manual")
    must("export", "--bits", "8", "--as", "arrays", model)
    refused(1, "at most 65535 features, the model has 70000", "export", "--bits", "16", "--as", "arrays", "--predict",
            model, OUT + "/wide.h")
    row = "1" + "".join(f" {i}:1" for i in range(1, 65537)) + "\n"
    for text, status in ((row.replace(" 65536:1", ""), 0), (row, 2)):
        got, out, err = run("export", "--bits", "16", "-t", put("full", text), model, OUT + "/wide.h")
        check(got == status and ("full:1: more than 65535 values" in err) == (status == 2), f"{got} {err}")


# ---- The headers by themselves ----

def test_headers():
    names = ["plain", 'say "hi"', "*/ int x; /*", "back\\slash", "what??/", "na\u00efve", "two\nlines"]
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    rows = "".join(",".join(str(int(i == j)) for j in range(7)) + f",{quoted[i]}\n" for i in range(7))
    table = put("names.csv", ",".join(quoted) + ",kind\n" + rows)
    words = train(table, "--format", "csv", "--label", "kind")
    headers = {
        "words.h": must("export", "--as", "arrays", "--predict", "--name", "Words_1", words),
        "plain.h": must("export", "--as", "arrays", words),
        "words8.h": must("export", "--bits", "8", "--as", "arrays", "--predict", "--name", "Words_8", words),
        "words16.h": must("export", "--bits", "16", "--as", "arrays", "--predict", words),
        "small.h": must("export", "--bits", "16", words),
        "image.h": must("export", words),
        "kernel.h": must("export", train(put("d", small(30, 4, (1, 2), 1)), "-a", "kernel", model="k")),
        "two.h": must("export", "--as", "arrays", "--predict", "--name", "two", train(OUT + "/d")),
        "two8.h": must("export", "--bits", "8", "--as", "arrays", "--predict", OUT + "/m"),
    }
    source = put("words.c", '#include "words.h"\n#include <stdio.h>\nint main(void)\n{\n    int i;\n'
                 "    for (i = 0; i < 7; i++) {\n        float x[7] = {0};\n        x[i] = 1;\n"
                 "        printf(\"%s%c\", Words_1_label[Words_1_predict(x)], 0);\n    }\n    return 0;\n}\n")
    for header, text in headers.items():
        put(header, text)
    for compiler, options in (("gcc", "-std=c99 -x c"), ("g++", "-std=c++11 -x c++"), ("clang", "-std=c99 -x c"),
                              ("clang++", "-std=c++11 -x c++")):
        if not shutil.which(compiler):
            skip(f"exported headers by {compiler}: not installed")
            continue
        strict = ["-Wstrict-prototypes"] if "c99" in options else []
        for header in headers:
            done = subprocess.run([compiler, *options.split(), *WARN, *strict, "-c", f"{OUT}/{header}", "-o",
                                   OUT + "/header.o"], capture_output=True, text=True)
            check(done.returncode == 0, f"{header} alone by {compiler}: {done.stderr[:400]}")
        subprocess.run([compiler, *options.split(), source, "-I" + OUT, "-o", OUT + "/words"], check=True)
        done = subprocess.run([OUT + "/words"], capture_output=True)
        check(done.stdout == "".join(name + "\0" for name in names).encode(), f"labels by {compiler}: {done.stdout}")
    check(all(f' *     {i} "' in headers["image.h"] for i in range(7)), "feature names stand in the comment")
    check("Words_1_predict" not in headers["plain.h"] and "model_weight" in headers["plain.h"], "--name, --predict")


# ---- Import ----

BINARY = "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\nw\n1 \n-2 \n"
THREE = "solver_type MCSVM_CS\nnr_class 3\nlabel 20 10 30\nnr_feature 2\nbias 2\nw\n1 0 -1\n0 1 -1\n0.1 0.2 0.25\n"


def imported(text, name="imported"):
    path = os.path.join(OUT, name)
    must("import", put("text", text), path)
    return path


def test_import():
    rows = put("rows", "0 1:1\n0 2:1\n0\n0 1:2 2:1\n")
    for text, expected in [  # worked by hand
            (BINARY, "1 -1 -1 -1"), (BINARY.replace("label 1 -1", "label -1 1"), "-1 1 1 1"),
            (BINARY.replace("-1\nw", "3\nw") + "0.5\n", "1 -1 1 1"),
            (BINARY.replace("L2R_LR", "MCSVM_CS").replace("1 \n-2 \n", "1 0\n0 2\n"), "1 -1 -1 1"),
            (BINARY.replace("L2R_LR", "MCSVM_CS").replace("label 1 -1", "label -1 1").replace(
                "1 \n-2 \n", "1 0\n0 2\n"), "-1 1 1 -1"),
            (THREE, "20 10 30 20"), (THREE.replace("bias 2", "bias 0"), "20 10 20 20"),
            (THREE.replace("0.1 0.2 0.25\n", "").replace("bias 2", "bias -1"), "20 10 20 20")]:
        equal(predictions(rows, imported(text)), expected.split(), f"import of {text!r}")
        if shutil.which("liblinear-predict"):
            got = tool_predictions("liblinear-predict", rows, put("text", text))
            equal(got, expected.split(), f"liblinear-predict with {text!r}")
    model = get(imported(BINARY))
    turned = get(imported(BINARY.replace("label 1 -1", "label -1 1"), "turned"))
    check(parts(model) & 512 and not parts(turned) & 512, "the class at a score of 0 is part of the image")
    head, weights = BINARY.split("w\n")
    lines = head.split("\n")[:-1]
    for same in (" ".join(BINARY.split()), BINARY.replace("\n", "\r\n"), BINARY.strip(),
                 "\n".join(lines[::-1][:2] + lines[:3]) + "\nw\n" + weights,
                 BINARY.replace("1 \n-2", "1e0\t-.2E+1"), BINARY.replace("label 1", "label +1.0")):
        check(get(imported(same)) == model, f"the same model from {same!r}")
    done = subprocess.run([PROGRAM, "import", "-"], input=BINARY.encode(), capture_output=True)
    check(done.returncode == 0 and done.stdout == model, "from standard input to standard output")
    biased = imported(BINARY.replace("-1\nw", "3\nw") + "0.5\n")
    more = train(put("d", "-1\n"), "-e", "1", "--resume", biased, model="more")
    check(predictions(put("d", "-1\n"), more, "-s") == ["-1 -7.5"], "a bias of input 3 learns on: 1.5 - 3 * 3")


def test_round_trip(data):
    zeros = ("-a", "perceptron", "-e", "1", "-B", "0", *FILE)
    for name, options in (("digits", ()), ("small", zeros), ("small", (*zeros, "--zero-class", "negative")),
                          ("small 3", ("-a", "perceptron", "-e", "1"))):
        rows, test = data[name]
        model = train(rows, *options)
        text = must("export", "--format", "liblinear", model)
        back = imported(text)
        equal(predictions(test, back, "-s"), predictions(test, model, "-s"), f"{name} out and in, with scores")
        check(must("export", "--format", "liblinear", back) == text, f"{name} out, in and out")


def test_liblinear_models(data):
    """Every solver; among the rows are an empty one and features that the model has not seen."""
    if not all(map(shutil.which, ("liblinear-train", "liblinear-predict"))):
        return skip("import against liblinear-predict: liblinear-tools not installed")
    trained = [("two labels", put("two.train", noisy(300, 8, (1, -1), 11, 1)), data["noisy"][1]),
               ("four labels", put("four.train", noisy(300, 12, (7, 2, 30, -4), 12, 1)), data["noisy 4"][1])]
    if "heart" in data:
        trained.append(("heart", *data["heart"]))
    for name, rows, test in trained:
        tested = put("tested", get(test) + b"1\n1 100:1\n1 1:1 100:1\n")
        for solver in range(8):
            for bias in ("-1", "1", "0.3"):
                subprocess.run(["liblinear-train", "-q", "-s", str(solver), "-e", "1", "-B", bias, rows,
                                OUT + "/text"], check=True,
                               capture_output=True)
                expected = tool_predictions("liblinear-predict", tested, OUT + "/text")
                must("import", OUT + "/text", OUT + "/imported")
                equal(predictions(tested, OUT + "/imported"), expected, f"{name} by solver {solver}, -B {bias}")
    for solver in (11, 12, 13):
        subprocess.run(["liblinear-train", "-q", "-s", str(solver), data["noisy"][0], OUT + "/text"], check=True,
                       capture_output=True)
        refused(2, "another task", "import", OUT + "/text", OUT + "/imported")


DAMAGE = [  # what in BINARY becomes what, the line and the words of the answer
    ("label 1 -1\n", "", 5, "no label"), ("nr_feature 2\n", "", 5, "no nr_feature"),
    ("bias -1\n", "", 5, "no bias"), ("solver_type L2R_LR\n", "", 5, "no solver_type"),
    ("nr_class 2\n", "", 2, "label stands before nr_class"), (BINARY, "w\n", 1, "no solver_type"),
    ("nr_feature", "nr_class 2\nnr_feature", 4, "nr_class stands twice"),
    ("w\n", "label 1 -1\nw\n", 6, "label stands twice"), ("w\n", "bias -1\nw\n", 6, "bias stands twice"),
    ("w\n", "nr_feature 2\nw\n", 6, "nr_feature stands"), ("w\n", "solver_type L2R_LR\nw\n", 6, "solver_type st"),
    ("L2R_LR", "L2R_L2LOSS_SVR", 1, "another task"), ("L2R_LR", "ONECLASS_SVM", 1, "another task"),
    ("L2R_LR", "L2R", 1, "'L2R' is not a solver"), ("L2R_LR\n", "", 1, "'nr_class' is not a solver"),
    ("class 2", "class 1", 2, "nr_class '1'"), ("class 2", "class x", 2, "nr_class 'x'"),
    ("class 2", "class 3", 4, "label 'nr_feature'"), ("class 2", "class 1000000", 4, "label 'nr_feature'"),
    ("label 1 -1", "label 1 1", 3, "label 1 stands twice"), ("label 1 -1", "label 1 1.5", 3, "label '1.5'"),
    ("label 1 -1", "label 1 3000000000", 3, "'3000000000'"), ("label 1 -1", "label 1 -1 2", 3, "'2' is not a line"),
    ("feature 2", "feature 0", 4, "nr_feature '0'"), ("feature 2", "feature -1", 4, "nr_feature '-1'"),
    ("feature 2", "feature 99999999999", 4, "99999999999"), ("feature 2", "feature 4294967298", 4, "4294967298"),
    ("feature 2", "feature 1", 8, "more weights"), ("feature 2", "feature 3", 9, "weight missing"),
    ("feature 2", "feature 9", 6, "too few weights"), ("feature 2", "feature 2147483647", 6, "too few weights"),
    ("bias -1", "bias 1", 9, "weight missing"), ("bias -1", "bias x", 5, "bias 'x'"),
    ("bias -1", "bias nan", 5, "bias 'nan'"), ("bias -1", "bias inf", 5, "bias 'inf'"),
    ("bias -1", "bias 1e39", 5, "bias '1e39' overflows"), ("bias -1", "bias 1e999", 5, "bias '1e999' overflows"),
    ("bias -1\nw\n1 \n-2", "bias 1e20\nw\n1\n-2\n1e30", 9, "weight times bias overflows"),
    ("-2 \n", "", 8, "weight missing"), ("-2 \n", "-2\n3\n", 9, "more weights"),
    ("-2 \n", "-2\nx", 9, "more weights"),
    ("-2", "nan", 8, "weight 'nan'"), ("-2", "-inf", 8, "weight '-inf'"), ("-2", "2,5", 8, "weight '2,5'"),
    ("-2", "-1.3e24", 8, "2^80"), ("bias -1\nw\n1 \n-2", "bias 1e12\nw\n1\n-2\n2e12", 9, "2^80"),
    ("-2", "1e39", 8, "overflows"), ("-2", "-1e999", 8, "overflows"), ("-2", "0x2", 8, "weight '0x2'"),
    ("-2", "2-", 8, "weight '2-'"), ("w\n1 \n-2 \n", "", 6, "line 'w' missing"), (BINARY, "", 1, "line 'w' missing"),
    (BINARY, "hello\n", 1, "'hello' is not a line"), (BINARY, THREE.replace("1 -1", "1"), 10, "weight missing"),
    (BINARY, THREE.replace("10 30", "10"), 4, "label 'nr_feature'"),
]


def test_bad_texts():
    kept = get(imported(BINARY))
    for old, new, line, words in DAMAGE:
        check(BINARY.count(old) == 1, f"{old!r} stands in the text")
        path = put("text", BINARY.replace(old, new))
        refused(2, f"{path}:{line}: ", "import", path, OUT + "/imported")
        refused(2, words, "import", path, OUT + "/imported")
    draw = random.Random(13)
    for text in (BINARY, THREE):
        for _ in range(150):
            at, what = draw.randrange(len(text)), draw.choice(list("0 9-.e\nw\x7f") + [""])
            damaged = put("text", text[:at] + what + text[at + draw.randrange(3):])
            status, out, err = run("import", damaged, OUT + "/damaged")
            check(status == 0 or (status == 2 and f"{damaged}:" in err), f"{get(damaged)}: {status} {err}")
            check(status == 2 or run("predict", "-q", put("rows", "1:1 2:1\n"), OUT + "/damaged")[0] == 0,
                  f"a model from {get(damaged)}")
    refused(2, "NUL", "import", put("text", BINARY.replace("-2", "\0")), OUT + "/imported")
    check(get(OUT + "/imported") == kept, "a bad text leaves the old model")


# ---- What cannot be done ----

def test_refusals(data):
    rows = data["noisy"][0]
    linear, kept = train(rows), put("kept", "kept")
    words = train(put("w", "a 1:1\nb 2:1\n"), "--words", model="words")
    rbf = train(rows, "-a", "kernel", "--normalize", "maxabs", "-e", "1", model="rbf")
    kernel = train(rows, "-a", "kernel", "-e", "1", model="kernel")
    voted = train(rows, "-a", "voted", "-e", "1", model="voted")
    many = train(data["small 3"][0], "-a", "kernel", "-e", "1", model="many")
    forgets = train(rows, "-a", "kernel", "--budget", "9", "--policy", "oldest", "-e", "1", model="forgets")
    huge = train(put("huge", "1 1:3e38\n-1 2:1\n"), "--normalize", "maxabs", model="range")
    tiny = imported(BINARY.replace("1 \n-2", "1e-36\n-1e-36"), "tiny")
    high = imported(BINARY.replace("-1\nw", "1\nw") + "1e20\n", "high")
    steep = train(put("steep", "1 1:1e-25 2:1\n-1 2:1\n"), "--normalize", "maxabs", model="steep.model")
    for unit in ("0", "-1", "nan", "inf", "1e-31", "1e31", "x", ""):
        refused(1, "give a number from 1e-30 to 1e+30", "export", "--bits", "8", "--unit", unit, linear, kept)
    for more in (("--json",), ("--test-format", "csv"), ("--label", "1"), ("--header",), ("--sep", ","),
                 ("--zero-based",), ("--sort",), ("--words",), ("--max-dim", "9")):
        refused(1, more[0] + " needs --test", "export", "--bits", "8", *more, linear, kept)
    for name in ("", "1a", "a-b", "a b", "a.b", "\u00e4"):
        refused(1, "C identifier", "export", "--name", name, linear, kept)
    for status, text, *arguments in [
            (1, "takes MODEL", "export"), (1, "takes MODEL", "export", linear, kept, kept),
            (1, "choose one of", "export", "--format", "onnx", linear, kept),
            (1, "choose one of", "export", "--as", "text", linear, kept),
            (1, "not an option", "export", "--walk", linear, kept),
            (1, "are for --format c", "export", "--format", "libsvm", "--as", "image", linear, kept),
            (1, "are for --format c", "export", "--format", "liblinear", "--name", "x", linear, kept),
            (1, "are for --format c", "export", "--format", "libsvm", "--predict", linear, kept),
            (1, "needs --as arrays", "export", "--predict", linear, kept),
            (1, "needs --as arrays", "export", "--bits", "8", "--predict", linear, kept),
            (1, "choose one of 8|16", "export", "--bits", "7", linear, kept),
            (1, "choose one of 8|16", "export", "--bits", "32", linear, kept),
            (1, "are for --format c", "export", "--bits", "8", "--format", "liblinear", linear, kept),
            (1, "are for --format c", "export", "--bits", "8", "--format", "libsvm", linear, kept),
            (1, "--bits is for linear models", "export", "--bits", "8", kernel, kept),
            (1, "--bits is for linear models", "export", "--bits", "16", "-t", rows, voted, kept),
            (1, "--unit needs --bits", "export", "--unit", "1", linear, kept),
            (1, "--test needs --bits", "export", "-t", rows, linear, kept),
            (1, "--test needs --bits", "export", "-t", rows, "--json", linear, kept),
            (1, "cannot both go to standard output", "export", "--bits", "8", "-t", rows, "--json", linear),
            (1, "cannot both go to standard output", "export", "--bits", "8", "-t", rows, "--json", linear, "-"),
            (1, "cannot both be standard input", "export", "--bits", "8", "-t", "-", "-", kept),
            (1, "choose one of auto", "export", "--bits", "8", "-t", rows, "--test-format", "c", linear, kept),
            (1, "--sep ab: give one character", "export", "--bits", "8", "-t", rows, "--sep", "ab", linear, kept),
            (2, "to be quantised", "export", "--bits", "8", tiny, kept),
            (2, "to be quantised", "export", "--bits", "16", "--unit", "1e-30", high, kept),
            (2, "bad:2:3: 'x' is not", "export", "--bits", "8", "-t", put("bad", "1 1:1\n1 x\n"), linear, kept),
            (2, "none: no examples", "export", "--bits", "8", "-t", put("none", ""), linear, kept),
            (3, "absent: No such file", "export", "--bits", "8", "-t", OUT + "/absent", linear, kept),
            (1, "voted and kernel", "export", "--decision", "last", linear, kept),
            (1, "only the last", "export", "--decision", "averaged", forgets, kept),
            (1, "for linear models", "export", "--as", "arrays", kernel, kept),
            (1, "no kernel models", "export", "--format", "liblinear", kernel, kept),
            (1, "label 'a' is not an integer: LIBLINEAR", "export", "--format", "liblinear", words, kept),
            (1, "label 'a' is not an integer: LIBSVM", "export", "--format", "libsvm", words, kept),
            (1, "one against one", "export", "--format", "libsvm", many, kept),
            (1, "the vote of many", "export", "--format", "libsvm", voted, kept),
            (1, "distances of an rbf", "export", "--format", "libsvm", rbf, kept),
            (1, "distances of an rbf", "export", rbf, kept),
            (2, "feature 1: its scale and its weight", "export", huge, kept),
            (2, "too large for an image", "export", steep, kept),
            (2, "not a model file", "export", rows, kept), (3, "No such file", "export", OUT + "/absent", kept),
            (3, "absent", "export", linear, OUT + "/absent/h"),
            (1, "takes TEXT", "import"), (1, "takes TEXT", "import", rows, kept, kept),
            (1, "choose one of", "import", "--format", "libsvm", rows, kept),
            (3, "No such file", "import", OUT + "/absent", kept), (3, "Is a directory", "import", OUT, kept),
            (1, "'walk' is not a command", "walk")]:
        refused(status, text, *arguments)
    must("export", "--as", "arrays", "--predict", steep)
    check(get(kept) == b"kept" and not [name for name in os.listdir(OUT) if name.startswith("kept.")],
          "what is refused leaves the old file")
    refused(2, "feature 1", "export", huge)
    check("pcn_support_scores(&m, PCN_MEAN" in must("export", "--decision", "averaged", voted), "--decision")
    must("export", "--format", "libsvm", "--decision", "last", voted)
    if os.path.exists("/dev/full"):
        refused(3, "No space", "export", linear, "/dev/full")
        refused(3, "No space", "export", "--bits", "8", "-t", rows, linear, "/dev/full")
        refused(3, "No space", "import", put("text", BINARY), "/dev/full")
    for command in ("export", "import"):
        check(must(command, "--help").startswith(f"usage: perceptron {command} "), f"{command} --help")


def main():
    os.makedirs(OUT, exist_ok=True)
    data = sets()
    machines = Machines()
    test_exports(data, machines)
    test_quantised(data, machines)
    test_report(data)
    test_units()
    test_names()
    test_wide()
    test_headers()
    test_import()
    test_round_trip(data)
    test_liblinear_models(data)
    test_bad_texts()
    test_refusals(data)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(failed != 0)


main()
