"""What each test notices that no cheaper one does: lines that it reaches, and mutants. From the project's root:
    python3 tests/tools/worth.py     N=30 SEED=1 PROGRAM=6
Runs each C test of the header, and each Python test of the program, by itself over the code as it is, and over N mutants
of the header and PROGRAM mutants of the program whose line it reaches. The tables go to tests/tools/worth.txt; with N=0 or
PROGRAM=0 one of them stays as it is."""
import collections
import glob
import os
import random
import resource
import shutil
import subprocess
import sys

import coverage
import mutate

OUT = "build/worth"
TABLE = "tests/tools/worth.txt"
STB = mutate.STB


def timed(command, **more):
    """Seconds of a processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def reached(program, raws, sources):
    """The lines of the sources that one test has run."""
    one = coverage.Reached()
    one.add(raws, [program], sources)
    return {(name, line) for (name, line), count in one.line.items() if count}, set(one.line)


class HeaderTests:
    title, what = "perceptron.h, by the C tests (portable, -O1)", "header"
    tests = [*mutate.TESTS, "corruption", "endurance"]

    def __init__(self):
        self.lines, self.code, self.seconds = {}, set(), {}
        for test in self.tests:
            program = f"{OUT}/{test}"
            coverage.compile([f"tests/header/{test}.c"], program, "-std=c99", "-O1", "-DPERCEPTRON_SIMD=0", "-Itests", "-w")
            subprocess.run([program], env={**os.environ, "LLVM_PROFILE_FILE": program + ".raw"}, stdout=subprocess.DEVNULL,
                           check=True)
            self.lines[test], code = reached(program, [program + ".raw"], ["perceptron.h"])
            self.code |= code
            subprocess.run([*mutate.CC, "-std=c99", *mutate.FLAGS, *STB, "-w", "-I.", "-Itests", f"tests/header/{test}.c",
                            "-o", program, "-lm"], check=True)
            self.seconds[test] = timed([program])
        mutate.TESTS, mutate.WHOLE = self.tests, mutate.WHOLE + " corruption endurance"
        self.tool = mutate.Header()

    def prepare(self, name):
        pass


class ProgramTests:
    title, what = "examples/perceptron, by its Python tests", "program"
    tests = [test for test in (os.path.basename(name)[:-3] for name in sorted(glob.glob("tests/program/*.py")))
             if test not in ("exported", "export_bits", "faults", "figures", "rooms", "words", "readme", "pages")]  # of other things

    def __init__(self):
        self.lines, self.code, self.seconds = {}, set(), {}
        self.tool = mutate.Program(mutate.SOURCES, self.tests)
        built = f"{self.tool.root}/build/perceptron"
        for test in self.tests:
            raw = os.path.abspath(f"{OUT}/raw")
            shutil.rmtree(raw, ignore_errors=True)
            coverage.compile(mutate.SOURCES, built, "-std=gnu99", "-O1", "-w", "-Iexamples/perceptron", "-mllvm",
                             "-runtime-counter-relocation=true")
            self.seconds[test] = timed([sys.executable, f"tests/program/{test}.py"], cwd=self.tool.root,
                                       env={**os.environ, "LLVM_PROFILE_FILE": raw + "/%m%c.raw"})
            self.lines[test], code = reached(built, glob.glob(raw + "/*.raw"), mutate.SOURCES)
            self.code |= code
            print(f"{test}: {self.seconds[test]:.1f} s, {len(self.lines[test])} lines", flush=True)

    def prepare(self, name):
        self.tool.link(name)


def mutants(tool, wanted, seed):
    """(file, line) of mutants that change the object, which is OUT/mutant.o of mutate.py then."""
    drawn, texts = [], {name: open(name).read() for name in tool.files}
    for name, text in texts.items():
        first = text.find("#ifdef PERCEPTRON_IMPLEMENTATION") if name == "perceptron.h" else 0
        lines = {line for line in mutate.compiled_lines(tool.command(name)[:-1], name) if line > text.count("\n", 0, first)}
        drawn += [(name, *change) for change in mutate.changes(text, lines)]
    random.Random(seed).shuffle(drawn)
    for name, begin, end, new in drawn:
        copy, before = f"{mutate.OUT}/{os.path.basename(name)}", f"{mutate.OUT}/before.o"
        objects = []
        for text in texts[name], texts[name][:begin] + new + texts[name][end:]:
            with open(copy, "w") as f:
                f.write(text)
            if mutate.run([*tool.command(copy), "-o", f"{mutate.OUT}/mutant.o"]) == 0:
                objects.append(open(f"{mutate.OUT}/mutant.o", "rb").read())
        if len(objects) == 2 and objects[0] != objects[1]:
            yield name, texts[name].count("\n", 0, begin) + 1
            wanted -= 1
        if wanted == 0:
            return


def table(unit, wanted, seed):
    """Lines of text: the tests, the cheapest first."""
    noticed, none = collections.defaultdict(set), 0
    for number, (name, line) in enumerate(mutants(unit.tool, wanted, seed)):
        unit.prepare(name)
        for test in unit.tests:
            if ((name, line) in unit.lines[test] or (name, line) not in unit.code) and unit.tool.notices(test):
                noticed[test].add(number)
        by = [test for test in unit.tests if number in noticed[test]]
        none += not by
        print(f"{name}:{line}: {' '.join(by) or 'nobody'}", flush=True)
    yield f"{unit.title}: {len(unit.code)} lines, {wanted} mutants, {none} noticed by none"
    yield f"{'test':20}{'seconds':>8}{'lines':>8}{'only':>8}{'first':>8}{'mutants':>9}{'only':>8}{'first':>8}"
    lines, found = set(), set()
    for test in sorted(unit.tests, key=unit.seconds.get):
        others = [other for other in unit.tests if other != test]
        here, also = unit.lines[test], set().union(*(unit.lines[other] for other in others))
        killed, elsewhere = noticed[test], set().union(*(noticed[other] for other in others))
        yield (f"{test:20}{unit.seconds[test]:8.2f}{len(here):8}{len(here - also):8}{len(here - lines):8}"
               f"{len(killed):9}{len(killed - elsewhere):8}{len(killed - found):8}")
        lines |= here
        found |= killed


def main():
    for folder in OUT, mutate.OUT:
        os.makedirs(folder, exist_ok=True)
    seed = int(os.environ.get("SEED", "1"))
    parts = open(TABLE).read().rstrip("\n").split("\n\n") if os.path.exists(TABLE) else ["", "", ""]
    parts[0] = f"What `make worth` printed, seed {seed}. seconds: of a processor. only: no other test does so; first: no cheaper test."
    for place, kind, wanted in (1, HeaderTests, os.environ.get("N", "30")), (2, ProgramTests, os.environ.get("PROGRAM", "6")):
        if int(wanted):
            parts[place] = "\n".join(table(kind(), int(wanted), seed))
    with open(TABLE, "w") as f:
        f.write("\n\n".join(parts) + "\n")
    print("\n\n".join(parts))


main()
