"""What the tests of export and import share: sets of data, programs around exported C and the machines that
run them, and the tools of others. More data sets are taken from the folder PCN_DATA, if it is set."""
import concurrent.futures
import os
import random
import re
import shutil
import struct
import subprocess

from cli import DIGITS, OUT, check, get, predictions, put, run, short, skip

DATA = os.environ.get("PCN_DATA")
WARN = ("-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wdouble-promotion "
        "-Werror").split()
M4F = "-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 --specs=picolibc.specs".split()
BOARD = ["--oslib=semihost", "--crt0=hosted", "-Wl,--defsym=__flash=0,--defsym=__flash_size=0x400000,"
         "--defsym=__ram=0x20000000,--defsym=__ram_size=0x400000"]
EMULATOR = ("qemu-system-arm -M mps2-an386 -display none -monitor none -serial none "
            "-chardev stdio,id=console -semihosting-config enable=on,target=native,chardev=console "
            "-kernel").split()
FILE = ("--order", "file")
BINARY = "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\nw\n1 \n-2 \n"


def equal(got, expected, what):
    """The same label on every row, and there is a row."""
    wrong = [i for i, (a, b) in enumerate(zip(got, expected)) if a != b]
    check(len(got) == len(expected) > 0 and not wrong,
          f"{what}: {len(got)} of {len(expected)} rows predicted, {len(wrong)} of them otherwise: {wrong[:5]}")


def must(*arguments, says="", **more):
    """Runs what should succeed, with at most this said, and returns standard output."""
    status, out, err = run(*arguments, **more)
    check(status == 0 and err.count("\n") == bool(says) and says in err,
          f"{arguments} ends with {status}: {err}")
    return out


def imported(text, name="imported"):
    path = os.path.join(OUT, name)
    must("import", put("text", text), path)
    return path


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


def scattered(rows, features, labels, seed):
    """A dozen values in each row, among many features."""
    draw, lines, n = random.Random(seed), [], len(labels)
    for _ in range(rows):
        index = sorted(draw.sample(range(features), 12))
        label = max(labels, key=lambda k: sum(j % n == labels.index(k) for j in index))
        lines.append(f"{label}" + "".join(f" {j + 1}:{draw.choice((0.5, 1, 3.7))}" for j in index) + "\n")
    return "".join(lines)


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
        "sparse 3": (put("sparse.train", scattered(300, 1500, (1, 2, 3), 14)),
                     put("sparse.test", scattered(200, 1600, (1, 2, 3), 15))),
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


def features_of(path):
    return max(int(word.split(":")[0]) for line in get(path).decode().split("\n") for word in line.split()[1:])


def labels_of(path):
    """As the program orders them."""
    return [str(k) for k in sorted({int(line.split()[0]) for line in get(path).decode().split("\n")[:-1]})]


# ---- C: programs around the exported headers ----
HOST = {"C99": ["gcc", "-std=c99", "-x", "c"], "C++11": ["g++", "-std=c++11", "-x", "c++"]}
ROWS = """
#define INCLUDE(name, file) ".balign 4\\n.globl " name "\\n" name ":\\n.incbin \\"%(folder)s/" file "\\"\\n"
__asm__(".section .rodata\\n" INCLUDE("rows", "rows") INCLUDE("cell_index", "index") INCLUDE("cell_value", "value")
        INCLUDE("cell_start", "start") INCLUDE("expected", "scores") ".text\\n");
#ifdef __cplusplus
extern "C" {
#endif
extern const %(type)s rows[], cell_value[];
extern const uint32_t cell_index[], cell_start[];
extern const float expected[];
#ifdef __cplusplus
}
#endif
"""
TEXTS = r"""
#include "NAME.h"
#include <stdio.h>

int main(void)
{
    char line[4096];
    while (fgets(line, sizeof line, stdin)) puts(NAME_label[NAME_predict_text(line)]);
    return 0;
}
"""
BY_PREDICT = """
static int dense_$(const %(type)s *x)
{
    return $_predict(NULL, x, $_FEATURES);
}

static int sparse_$(const %(type)s *x)
{
    unsigned long i = (unsigned long)(x - rows) / $_FEATURES;
    return $_predict(cell_index + cell_start[i], %(values)s, cell_start[i + 1] - cell_start[i]);
}
"""
BY_MANUAL = """
static int by_%(name)s(const %(type)s *x)
{
%(sparse)s
%(code)s
    return k;
}
"""
SPARSE_ROW = """
    unsigned long number = (unsigned long)(x - rows) / %(name)s_FEATURES;
    const uint32_t *index = cell_index + cell_start[number];
    const float *value = %(values)s;
    uint32_t count = cell_start[number + 1] - cell_start[number];
"""
KERNEL_BITS = """
static int kernel_bits(const float *x)
{
%(sparse)s
%(code)s
    unsigned long i = (unsigned long)(x - rows) / image_FEATURES;
    unsigned c;
    for (c = 0; c < image_SCORES; c++)
        if (score[c] != expected[i * image_SCORES + c]) return 0;
    return k >= 0;
}
"""
BY_TRAINER = """
static int by_trainer(const float *x)
{
    static float memory[PCN_PERCEPTRON_FLOATS(image_FEATURES, image_CLASSES)];
    pcn_perceptron trainer;
%(sparse)s
    %(row)s
    if (pcn_perceptron_init(&trainer, image_FEATURES, image_CLASSES, memory, sizeof memory) < 0) return -1;
    %(load)s
    return pcn_perceptron_predict(&trainer, row);
}
"""
SAME_BITS = """
static int same_bits(const float *x)
{
    float score[image_SCORES], again[image_SCORES];
    pcn_linear m;
    unsigned long i = (unsigned long)(x - rows) / image_FEATURES;
    unsigned c;
%(sparse)s
    %(row)s
    if (pcn_linear_open(&m, image_image.byte, sizeof image_image.byte) < 0) return 0;
    pcn_linear_scores(&m, row, score);
    pcn_linear_scores(&arrays_linear, row, again);
    for (c = 0; c < image_SCORES; c++)
        if (score[c] != again[c] || (%(exact)d && score[c] != expected[i * image_SCORES + c]) || score[c] != arrays_score(NULL, x, arrays_FEATURES, c) ||
            score[c] != arrays_score(cell_index + cell_start[i], %(values)s, cell_start[i + 1] - cell_start[i], c))
            return 0;
    return 1;
}
"""
SAME_SCORES = """
static int same_scores_$(const int16_t *x)
{
    int64_t score[image$_SCORES];
    pcn_ilinear m;
    unsigned c;
    if (pcn_ilinear_open(&m, image$_image.byte, sizeof image$_image.byte) < 0) return 0;
    pcn_ilinear_scores(&m, pcn_idense(x, m.features), score);
    for (c = 0; c < m.scores; c++)
        if (score[c] != arrays$_score(NULL, x, m.features, c)) return 0;
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
    load = [line for line in code if "trainer" in line]
    return "\n".join(line for line in code if "trainer" not in line), load


def row_of(header):
    """How its manual makes a row."""
    return next(line.strip(" *") for line in header.split("\n") if "vec row = " in line)


def sparse_row(header, values, name):
    """What the manual's row of floats is made of, if it is a sparse one."""
    values = values.replace("[i]", "[number]")
    return SPARSE_ROW % {"values": values, "name": name} if "pcn_sparse(" in row_of(header) else ""


def by_manual(header, name, values, kind="float"):
    return BY_MANUAL % {"name": name, "type": kind, "sparse": sparse_row(header, values, name),
                        "code": manual(header)[0]}


def put_rows(rows, letter, features, scores=()):
    """Rows for the programs, dense and sparse; these have a feature more than the model. Returns where in C the
    values of a sparse row are: nowhere, if all of them are 1. scores: what the programs must find."""
    index, value, start = [], [], [0]
    for row in rows:
        cells = [(j, v) for j, v in enumerate(row) if v] + [(features + 2, 1)]
        index += [j for j, v in cells]
        value += [v for j, v in cells]
        start.append(len(index))
    put("rows", b"".join(struct.pack(f"<{features}{letter}", *row) for row in rows))
    put("value", struct.pack(f"<{len(value)}{letter}", *value))
    put("index", struct.pack(f"<{len(index)}I", *index))
    put("start", struct.pack(f"<{len(start)}I", *start))
    put("scores", struct.pack(f"<{len(scores)}f", *scores))
    return "NULL" if set(value) == {1} else "cell_value + cell_start[i]"


def by_predict(name, kind, values):
    """Functions of a row, and their names, that call the function of an exported header."""
    return (BY_PREDICT % {"type": kind, "values": values}).replace("$", name), ["dense_" + name, "sparse_" + name]


def c_program(headers, functions, ways, name, count, kind="float"):
    """A program that prints the labels, then a line for each row: of each way (a function of the row) the
    number, as a letter."""
    return ("".join(f'#include "{header}"\n' for header in headers) + "#include <stdint.h>\n#include <stdio.h>\n" +
            ROWS % {"folder": OUT, "type": kind} + functions +
            MAIN % {"name": name, "count": count, "type": kind,
                    "ways": ", ".join(f"(char)('A' + {way}(x))" for way in ways)})


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
        self.all, self.turn, self.few = {}, 0, short("each model on one of the machines, in turn")
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
        names = [name for name in self.all if not (self.all[name][2] and features > 100)]
        self.turn += 1
        chosen = [names[self.turn % len(names)]] if self.few else names
        jobs = [(name, program) for name in names for program in sources
                if (name in chosen if program == "with" else name == "C99")]

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


# ---- The other tools ----

def tool_predictions(tool, data, model):
    done = subprocess.run([tool, data, model, OUT + "/predicted"], capture_output=True, text=True)
    check(done.returncode == 0, f"{tool} ends with {done.returncode}: {done.stderr[:200]}")
    return get(OUT + "/predicted").decode().split("\n")[:-1] if done.returncode == 0 else []


# ---- Trainers: what learns on, in C ----
TRAINER_MAIN = """
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "tests/targets/serial.h"
static void put_bytes(const void *bytes, size_t size)
{
    const unsigned char *b = (const unsigned char *)bytes;
    for (; size > 0; size--) printf("%02x%s", *b++, size % 32 == 1 ? "\\n" : "");
}
static void put_number(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    printf(" %08lx", (unsigned long)bits);
}
"""
# Learns half of the rows, loses power, goes on from what it has stored, and prints its state, read in pieces; then its
# predictions. Lines: the result, the state, each prediction.
TRAINER = """
static $_trainer trainer_$;
static unsigned char stored_$[$_STATE], piece_$[7];
static int learn_$(void)
{
    size_t at, i, k;
    if ($_start(&trainer_$, $_factory.byte, sizeof $_factory.byte - 1) != PCN_EIMAGE) return 1;
    if ($_start(&trainer_$, $_factory.byte, sizeof $_factory.byte) != PCN_OK) return 2;
    for (i = 0; i < ROWS_%(set)s; i++) {
        if (i == ROWS_%(set)s / 2) {
            if ($_save(&trainer_$, 0, stored_$, sizeof stored_$) != $_STATE) return 3;
            memset(&trainer_$, 0xff, sizeof trainer_$);
            if ($_start(&trainer_$, stored_$, sizeof stored_$) != PCN_OK) return 4;
        }
        if ($_learn(&trainer_$, rows_%(set)s[i], label_%(set)s[i]) < 0) return 5;
    }
    if ($_learn(&trainer_$, rows_%(set)s[0], $_CLASSES) != PCN_ELABEL) return 6;
    if ($_learn(&trainer_$, rows_%(set)s[0], -1) != PCN_ELABEL || $_save(&trainer_$, 0, NULL, 0) != $_STATE) return 7;
    for (at = 0; at < $_STATE + 30; at += sizeof piece_$) {
        if ($_save(&trainer_$, at, piece_$, sizeof piece_$) != $_STATE) return 8;
        for (k = 0; k < sizeof piece_$; k++)
            if (at + k < $_STATE)
                stored_$[at + k] = piece_$[k];
            else if (piece_$[k] != 0xff)
                return 9;
    }
    return 0;
}
static void show_$(void)
{
    int i, result = learn_$();
    printf("$ %%d\\n", result);
    put_bytes(stored_$, result == 0 ? sizeof stored_$ : 0);
    puts("end");
    for (i = 0; i < 12; i++) {
        %(predict)s
        puts("");
    }
}
"""
TRAINER_PREDICT = """printf("%d", $_predict(&trainer_$, rows_SET[i]));"""
TRAINER_SURE = """int k;
        float p[$_CLASSES];
        printf("%d", $_predict(&trainer_$, rows_SET[i], p));
        for (k = 0; k < $_CLASSES; k++) put_number(p[k]);"""


def trainer_program(trainers, sets):
    """The source for trainers, pairs of a name and a set's name; a set: rows, and the numbers of their labels. NAME.h has
    the trainer, which has probabilities if their functions are there."""
    source = "#ifndef PCN_IMPLEMENTED\n#define PERCEPTRON_STATIC\n#define PERCEPTRON_IMPLEMENTATION\n#endif\n"
    source += '#include "perceptron.h"\n'
    source += "".join(f'#include "{name}.h"\n' for name, _ in trainers) + TRAINER_MAIN
    for name in dict.fromkeys(name for _, name in trainers):
        rows, labels = sets[name]
        source += f"enum {{ ROWS_{name} = {len(rows)} }};\nstatic const float rows_{name}[][{len(rows[0])}] = {{\n"
        source += "".join("    {" + ", ".join(f"{float(v)!r}f" if v else "NAN" for v in row) + "},\n" for row in rows)
        source += f"}};\nstatic const unsigned char label_{name}[] = {{{', '.join(map(str, labels))}}};\n"
    for name, of in trainers:
        sure = "_calibrate(" in get(f"{OUT}/{name}.h").decode()
        predict = (TRAINER_SURE if sure else TRAINER_PREDICT).replace("SET", of)
        source += (TRAINER % {"set": of, "predict": predict}).replace("$", name)
    calls = "".join(f"    show_{name}();\n" for name, _ in trainers)
    return source + "int main(void)\n{\n    serial_begin();\n" + calls + "    serial_end();\n    return 0;\n}\n"


def trainer_answers(text):
    """Name -> the result, the state, and the lines of predictions."""
    answers = {}
    for name, result, state, predictions in re.findall(r"^(\w+) (\d+)\n([0-9a-f\n]*)end\n((?:.*\n){12})", text, re.M):
        answers[name] = int(result), bytes.fromhex(state), predictions.split("\n")[:-1]
    return answers
