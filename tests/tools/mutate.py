"""Mutants: small changes of the code, each of which a test must notice. From the project's root:
    python3 tests/tools/mutate.py [header|reader|program]     N=6 SEED=1 CC=gcc FLAGS='-O1 -DPERCEPTRON_SIMD=0'
Draws N mutants of the implementation in perceptron.h, of the program's reader or of all the program, that change the compiled object
file. Those that no test notices go to build/mutate/survivors.txt, and fail unless tests/tools/mutants.txt gives a reason;
of fewer than 100 a fifth may lack one.
Where there is tcc, which compiles in a hundredth of the time, it goes first; CC decides on what survives."""
import collections
import glob
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

OUT = "build/mutate"
CC = os.environ.get("CC", "gcc").split()
FLAGS = os.environ.get("FLAGS", "-O1 -DPERCEPTRON_SIMD=0").split()
STB = (os.environ.get("STB") or "-isystem /usr/include/stb").split()
KNOWN = "tests/tools/mutants.txt"
# The quickest first.
QUICK = "errors quantized defects traces final images integer_images dual_images".split()
TESTS = [*QUICK, *"""measures top sort_row invariances bounds definition changes rules passes same_model resize means confidence
         following scaler calibration mixing integer stored dual kernels winnow""".split()]
WHOLE = "integer stored dual winnow"  # the header in the same unit: own allocator; no growth; functions within reach
READER = [f"examples/perceptron/{name}.c" for name in
          "text/number text/lines text/looks read/formats read/reader read/read_row read/read_fields read/read_header read/read_columns read/read_names "
          "read/read_products read/read_csv read/read_plain read/read_libsvm read/read_text read/reader_options text/labels".split()]
SOURCES = sorted(glob.glob("examples/perceptron/**/*.c", recursive=True))
FOLDERS = [f"-I{folder}" for folder in sorted({os.path.dirname(source) for source in SOURCES})]  # mutants stand elsewhere
PROGRAM_TESTS = """reports weights robust row_by_row reading online commands products first_line defaults lessons compare
                   training sure small ways export_rows""".split()

# What is replaced, and by what; blanks around an operator say that it has two operands.
OPERATORS = [
    (r"==", "!="), (r"!=", "=="), (r"<=", "<"), (r">=", ">"), (r" < ", " <= "), (r" > ", " >= "),
    (r"&&", "||"), (r"\|\|", "&&"), (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " / "), (r" / ", " * "),
    (r" % ", " / "),
    (r"\+\+", "--"), (r"--", "++"), (r"\+=", "-="), (r"-=", "+="), (r" & ", " | "), (r" \| ", " & "), (r"<<", ">>"),
    (r">>", "<<"), (r"!(?=[\w(])", ""), (r"\b(?:continue|break);", ";"),
]
NUMBER = r"(?<![\w.])(\d+|0x[0-9a-f]+)(u?)(?![\w.])"
STATEMENT = r"^[ \t]+(?![ \t]|return|break|continue|goto|case|default|else|do\b)[^{}#/\n]*[^{}\s];[ \t]*$"


def code(text):
    """The text with comments, strings and preprocessor lines blanked out, letter by letter."""
    blank = lambda m: re.sub(r"[^\n]", " ", m.group())
    text = re.sub(r"/\*.*?\*/", blank, text, flags=re.S)
    text = re.sub(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", blank, text)
    return re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", blank, text, flags=re.M)


def changes(text, lines):
    """All mutants of those lines: (where it begins, where it ends, the new text)."""
    plain, found = code(text), []
    for pattern, new in OPERATORS:
        found += [(m.start(), m.end(), new) for m in re.finditer(pattern, plain)]
    for m in re.finditer(NUMBER, plain):
        n = int(re.sub(r"^0(?=\d)", "0o", m.group(1)), 0)
        found += [(m.start(), m.end(), str(other) + m.group(2)) for other in {n + 1, n - 1} if other >= 0]
    for m in re.finditer(r"\b(?:if|while) (\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\))", plain):
        found.append((m.start(1), m.end(1), f"(!{text[m.start(1):m.end(1)]})"))
    for m in re.finditer(STATEMENT, plain, re.M):
        if plain[max(0, m.start() - 2000):m.start()].rstrip()[-1:] in list(";{})"):
            found.append((m.start() + len(m.group()) - len(m.group().lstrip()), m.end(), ";"))
    line_of = []
    for number, line in enumerate(text.split("\n"), 1):
        line_of += [number] * (len(line) + 1)
    return sorted((b, e, new) for b, e, new in set(found) if line_of[b] in lines)


longest = {}  # the most seconds that a command may take: five times what it took without a mutant


def run(command, **more):
    """The status; not 0 also for a crash, and if it takes too long."""
    key, begun = " ".join(command), time.time()
    try:
        status = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                timeout=longest.get(key, 100), **more).returncode
    except subprocess.TimeoutExpired:
        return 1
    if status == 0:
        longest.setdefault(key, 5 * (time.time() - begun) + 5)
    return status


def fails(script, root):
    """Does the script say so, or not end in time? Ends it and the programs that it runs at the first failure."""
    test = subprocess.Popen([sys.executable, "-u", script], cwd=root, start_new_session=True, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, text=True)
    timer = threading.Timer(300, os.killpg, (test.pid, signal.SIGKILL))
    timer.start()
    failed = any(line.startswith("FAIL") for line in test.stdout)
    if failed:
        os.killpg(test.pid, signal.SIGKILL)
    timer.cancel()
    return test.wait() != 0 or failed


def must(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")
    return done.stdout


def compiled_lines(command, name):
    """The lines of the file that the preprocessor leaves."""
    lines, here, number = set(), False, 0
    for line in must(command + ["-E"]).split("\n"):
        mark = re.match(r'# (\d+) "(.*?)"', line)
        if mark:
            number, here = int(mark.group(1)), os.path.basename(mark.group(2)) == os.path.basename(name)
        else:
            if here and line.strip():
                lines.add(number)
            number += 1
    return lines


class Header:
    """perceptron.h, compiled once for each mutant, beside objects of the tests."""
    files = ["perceptron.h"]

    def __init__(self):
        self.flags = ["-std=c99", *FLAGS, *STB]
        for source in [*glob.glob("tests/*.h"), *glob.glob("tests/header/*.[ch]")]:  # who writes tests meanwhile does not kill mutants
            shutil.copy(source, OUT)
        for test in TESTS:
            if test not in WHOLE:
                must([*CC, *self.flags, "-DPCN_IMPLEMENTED", "-I.", "-c", f"{OUT}/{test}.c",
                      "-o", f"{OUT}/{test}.o"])
        self.tcc = shutil.which("tcc")
        if self.tcc:
            shutil.copy("perceptron.h", OUT)
            with open(f"{OUT}/unit.c", "w") as f:
                f.write('#include "perceptron.h"\n')
            must(self.library())
            for test in QUICK:
                must([*CC, f"{OUT}/{test}.o", f"-L{OUT}", "-lmutant", f"-Wl,-rpath,{os.path.abspath(OUT)}", "-lm",
                      "-o", f"{OUT}/{test}.quick"])

    def library(self):
        return [self.tcc, "-std=c99", *FLAGS, "-w", *[word.replace("-isystem", "-I") for word in STB],
                "-DPERCEPTRON_GROW", "-DPERCEPTRON_IMPLEMENTATION", "-shared", f"{OUT}/unit.c",
                "-o", f"{OUT}/libmutant.so", "-lm"]

    def noticed(self):
        """The quick test that notices the mutant in OUT/perceptron.h, compiled by tcc; or None."""
        self.rest = TESTS
        if self.tcc and run(self.library()) == 0:
            for test in QUICK:
                if run([f"{OUT}/{test}.quick"]):
                    return test
            self.rest = [test for test in TESTS if test not in QUICK]
        return None

    def command(self, source):
        return [*CC, *self.flags, "-w", "-DPERCEPTRON_GROW", "-DPERCEPTRON_IMPLEMENTATION", "-x", "c", source, "-c"]

    def killed(self, name):
        """The other test that notices the mutant in OUT/perceptron.h, whose object is OUT/mutant.o; or None."""
        return next(filter(self.notices, self.rest), None)

    def notices(self, test):
        program = f"{OUT}/{test}"
        if test in WHOLE:
            built = run([*CC, *self.flags, "-w", f"-I{OUT}", "-Itests", f"{OUT}/{test}.c", "-o", program, "-lm"])
        else:
            built = run([*CC, f"{OUT}/{test}.o", f"{OUT}/mutant.o", "-o", program, "-lm"])
        return bool(built or run([program]))


class Program:
    """Files of the program; a root of its own has the program with the mutant."""

    def __init__(self, files, tests):
        self.files, self.tests = files, tests
        self.root = f"{OUT}/root"
        os.makedirs(f"{self.root}/build", exist_ok=True)
        for name in "tests", "examples", "perceptron.h", "Makefile", "README.md":
            if not os.path.lexists(f"{self.root}/{name}"):
                os.symlink(os.path.abspath(name), f"{self.root}/{name}")
        self.objects = {}
        for source in SOURCES:
            self.objects[source] = f"{OUT}/{os.path.basename(source)}.o"
            must([*self.command(source), "-o", self.objects[source]])

    def command(self, source):
        return [*CC, "-std=gnu99", *FLAGS, *STB, "-w", "-I.", *FOLDERS, "-x", "c", source, "-c"]

    def noticed(self):
        return None

    def killed(self, name):
        if name.endswith("/number.c"):  # numbers.c includes it, and draws a tenth of its ten million
            text = open("tests/program/numbers.c").read().replace("../../examples/perceptron/text/number.c", "number.c")
            with open(f"{OUT}/numbers.c", "w") as f:
                f.write(text.replace("../../examples", os.path.abspath("examples")))
            if (run([*CC, "-std=gnu99", "-O1", "-w", f"-I{OUT}", "-Iexamples/perceptron/text", "-I.", "-Itests",
                     f"{OUT}/numbers.c", "-o", f"{OUT}/numbers", "-lm"]) or run([f"{OUT}/numbers"])):
                return "numbers"
        self.link(name)
        return next(filter(self.notices, self.tests), None)

    def link(self, name):
        objects = [f"{OUT}/mutant.o" if source == name else o for source, o in self.objects.items()]
        must([*CC, *objects, "-o", f"{self.root}/build/perceptron", "-pthread", "-lm"])

    def notices(self, test):
        return fails(f"tests/program/{test}.py", self.root)


def line_at(text, at):
    begin = text.rfind("\n", 0, at) + 1
    return text[begin:text.find("\n", at)].strip()


def reasons():
    """(line, changed line) -> reason: paragraphs of '- line', '+ changed line', '= reason'."""
    known = {}
    if os.path.exists(KNOWN):
        for paragraph in open(KNOWN).read().split("\n\n"):
            lines = paragraph.strip().split("\n")
            part = {line[0]: line[2:].strip() for line in lines if line[:2] in ("- ", "+ ", "= ")}
            if len(part) == 3:
                known[part["-"], part["+"]] = part["="]
    return known


def main():
    what = {"reader": lambda: Program(READER, ["reading"]), "program": lambda: Program(SOURCES, PROGRAM_TESTS)}.get(
        (sys.argv[1:] or ["header"])[0], Header)()
    wanted, seed = int(os.environ.get("N", "6")), int(os.environ.get("SEED", "1"))
    only = os.environ.get("ONLY", "")  # mutants of lines with this text
    texts, mutants, objects = {}, [], {}
    for name in reversed(what.files):  # so that mutant.o is in the end the first one, which is tried without a mutant
        texts[name] = open(name).read()
        lines = compiled_lines(what.command(name)[:-1], name)
        if name == "perceptron.h":
            first = texts[name][:texts[name].index("#ifdef PERCEPTRON_IMPLEMENTATION")].count("\n")
            lines = {line for line in lines if line > first}
        # from the place where the mutants will stand, so that debug names do not differ
        copy = f"{OUT}/{os.path.basename(name)}"
        shutil.copy(name, copy)
        must([*what.command(copy), "-o", f"{OUT}/mutant.o"])
        objects[name] = open(f"{OUT}/mutant.o", "rb").read()
        mutants += [(name, *change) for change in changes(texts[name], lines)
                    if only in line_at(texts[name], change[0])]
    print(f"{len(mutants)} mutants", flush=True)
    random.Random(seed).shuffle(mutants)
    if not os.environ.get("TRUST") and (test := what.noticed() or what.killed(what.files[0])):
        sys.exit(f"the test {test} fails without a mutant")
    tolerated = 0 if wanted >= 100 else wanted // 5  # every change of the code is another draw
    known, count, survivors, begun = reasons(), collections.Counter(), [], time.time()
    for name, begin, end, new in mutants:
        if count["killed"] + count["survived"] >= wanted:
            break
        text = texts[name]
        changed, copy = text[:begin] + new + text[end:], f"{OUT}/{os.path.basename(name)}"
        with open(copy, "w") as f:
            f.write(changed)
        test, pair = what.noticed(), (line_at(text, begin), line_at(changed, begin))
        if not test:
            if run([*what.command(copy), "-o", f"{OUT}/mutant.o"]):
                count["not compiled"] += 1
                continue
            with open(f"{OUT}/mutant.o", "rb") as f:
                if f.read() == objects[name]:
                    count["same object"] += 1
                    continue
            test = None if pair in known else what.killed(name)
        count["killed" if test else "survived"] += 1
        if (count["killed"] + count["survived"]) % 20 == 0:
            print(f"{count['killed']} killed, {count['survived']} not, {time.time() - begun:.0f} s", flush=True)
        if test:
            count["by " + test] += 1
            continue
        survivors.append((f"{name}:{text.count(chr(10), 0, begin) + 1}", *pair, known.get(pair)))
        print("survived %s\n- %s\n+ %s" % survivors[-1][:3], *(["= " + known[pair]] if pair in known else []), sep="\n",
              flush=True)
    with open(f"{OUT}/survivors.txt", "w") as f:
        for where, old, mutant, why in survivors:
            f.write(f"{where}\n- {old}\n+ {mutant}\n" + (f"= {why}\n" if why else "") + "\n")
    total, unknown = count["killed"] + count["survived"], sum(s[3] is None for s in survivors)
    classes = collections.Counter(s[3].split(":")[0] if s[3] else "missing test" for s in survivors)
    print(dict(count), f"in {time.time() - begun:.0f} s, seed {seed}")
    print(f"{count['killed']} of {total} killed ({100 * count['killed'] / max(1, total):.1f} %); survivors: "
          f"{dict(classes) or 'none'}")
    failed = unknown if unknown > tolerated else 0
    print(f"{total - failed} passed, {failed} failed")
    sys.exit(failed != 0)


os.makedirs(OUT, exist_ok=True)
if __name__ == "__main__":
    main()
