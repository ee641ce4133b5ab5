"""Which lines, branches and conditions of perceptron.h the C tests reach, and which they do not; and what the tests
of the program reach of the program. From the project's root, with clang and llvm of one version, 19 or newer:
    python3 tests/coverage.py [header|program|report]       report: of the header, from what ran before
The header is built as x86 builds it; what one build reaches counts for the same code in another. A line or a
branch that is not reached must stand in tests/coverage.txt with its reason; otherwise the status is 1."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys

OUT = "build/coverage"
KNOWN = "tests/coverage.txt"
TESTS = """kernels traces properties images errors winnow dual stored dual_images integer integer_images quantized
           defects""".split()
GROW = {"stored", "dual_images", "defects"}  # these need a C library
BUILDS = {
    "portable": ["-O1", "-DPERCEPTRON_SIMD=0"],
    "small": ["-Os", "-DPERCEPTRON_SIMD=0"],
    "sse2": ["-O1"],
    "avx2": ["-O1", "-mavx2"],
    "fma": ["-O1", "-mavx2", "-mfma"],
    "no_libc": ["-O1", "-DPERCEPTRON_NO_LIBC"],
}
VERSION = next((v for v in range(30, 18, -1) if shutil.which(f"clang-{v}") and shutil.which(f"llvm-cov-{v}")), None)


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(command)} ends with status {done.returncode}:\n" +
                 (done.stdout + done.stderr).decode(errors="replace")[-2000:])
    return done.stdout.decode(errors="replace")


def compile(sources, program, *flags, **more):
    stb = (os.environ.get("STB") or "-isystem /usr/include/stb").split()
    run(f"clang-{VERSION}", "-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc", "-I.", *stb, *flags,
        *sources, "-o", program, "-lm", "-pthread", **more)


def constant(text):
    """Is it known when the code is compiled?"""
    return re.fullmatch(r"[A-Z_0-9 !=<>]*", text) is not None


class Reached:
    """How often lines, the two ways of branches, and conditions that decide alone: keys are places."""

    def __init__(self):
        self.text, self.line, self.branch, self.condition = {}, {}, {}, {}

    def part(self, name, line, column, last, end):
        """The source between two places, in one line."""
        if name not in self.text:
            self.text[name] = open(name).read().split("\n")
        lines = self.text[name][line - 1:last]
        lines[-1] = lines[-1][:end - 1]
        lines[0] = lines[0][column - 1:]
        return " ".join(piece.strip(" \\") for piece in lines)

    def add(self, profiles, programs, sources):
        """What the profiles say about the sources that the programs were built from."""
        data = programs[0] + ".data"
        run(f"llvm-profdata-{VERSION}", "merge", "-sparse", "-o", data, *profiles)
        export = [f"llvm-cov-{VERSION}", "export", programs[0], *[w for p in programs[1:] for w in ("-object", p)],
                  "-instr-profile=" + data, "--sources", *sources]
        for text in run(*export, "-format=lcov").splitlines():
            if text.startswith("SF:"):
                name = os.path.relpath(text[3:])
            elif text.startswith("DA:"):
                line, count = map(int, text[3:].split(",")[:2])
                self.line[name, line] = self.line.get((name, line), 0) + count
        for file in json.loads(run(*export))["data"][0]["files"]:
            self.add_branches(os.path.relpath(file["filename"]), file)

    def add_branches(self, name, file):
        places = set()
        for line, column, last, end, true, false, *_ in file["branches"]:
            places.add((line, column, last, end))
            if constant(self.part(name, line, column, last, end)):
                continue
            for way, count in ("true", true), ("false", false):
                key = name, line, column, last, end, way
                self.branch[key] = self.branch.get(key, 0) + count
        for record in file["mcdc_records"]:
            begin, after, alone = tuple(record[:2]), tuple(record[2:4]), record[9]
            inside = sorted(p for p in places if begin <= p[:2] and p[2:] <= after)
            for i, counts in enumerate(alone):
                text = self.part(name, *inside[i]) if len(inside) == len(alone) else "?"
                if not constant(text):
                    key = name, *begin, *after, f"condition {i + 1}"
                    self.condition[key] = self.condition.get(key, 0) + counts

    def figures(self):
        sums = []
        for what, counts in ("lines", self.line), ("branches", self.branch), ("MC/DC", self.condition):
            hit = sum(n != 0 for n in counts.values())
            sums.append(f"{what} {hit} of {len(counts)} ({100 * hit / max(1, len(counts)):.2f} %)")
        return ", ".join(sums)

    def gaps(self):
        """(file, line, what): what is a line's text, or a branch's text and the way that it never went."""
        for (name, line), count in sorted(self.line.items()):
            if not count and len(self.part(name, line, 1, line, 999)) > 1:  # not only a brace
                yield name, line, self.part(name, line, 1, line, 999)
        for (name, line, column, last, end, way), count in sorted(self.branch.items()):
            if not count:
                yield name, line, f"never {way}: {self.part(name, line, column, last, end)}"


def header(compiled):
    reached = Reached()
    for build, flags in BUILDS.items():
        lacking = [f for f in ("avx2", "fma")
                   if "-m" + f in flags and not re.search(rf"^flags.*\b{f}\b", open("/proc/cpuinfo").read(), re.M)]
        if lacking:
            print(f"skipped: build {build}: this processor has no {lacking[0]}")
            continue
        folder, one = f"{OUT}/{build}", Reached()
        os.makedirs(folder, exist_ok=True)
        # Apart: of functions with one name and other code, llvm-cov takes only the first.
        for tests in [t for t in TESTS if t in GROW], [t for t in TESTS if t not in GROW]:
            if build == "no_libc" and tests[0] in GROW:
                continue
            programs = [f"{folder}/{test}" for test in tests]
            for test, program in zip(tests, programs):
                if not compiled:
                    # from standard input all tests have one name, and so have functions that are the same in all
                    with open(f"tests/{test}.c", "rb") as source:
                        compile(["-x", "c", "-"], program, "-std=c99", *flags, "-Itests", stdin=source)
                    run(program, env={**os.environ, "LLVM_PROFILE_FILE": program + ".raw"})
            for sum in one, reached:
                sum.add([p + ".raw" for p in programs], programs, ["perceptron.h"])
        print(f"{build}: {one.figures()}", flush=True)
    print("perceptron.h:", reached.figures())
    return reached


def program():
    """The Python tests, in a root of their own whose build/perceptron counts."""
    root, raw, sources = f"{OUT}/root", os.path.abspath(f"{OUT}/root/raw"), glob.glob("examples/perceptron/*.c")
    shutil.rmtree(raw, ignore_errors=True)
    os.makedirs(f"{root}/build", exist_ok=True)
    for name in "tests", "examples", "perceptron.h", "Makefile", "README.md":
        if not os.path.lexists(f"{root}/{name}"):
            os.symlink(os.path.abspath(name), f"{root}/{name}")
    built = f"{root}/build/perceptron"
    compile(sources, built, "-std=gnu99", "-O1")
    env = {**os.environ, "LLVM_PROFILE_FILE": raw + "/%4m.raw"}
    for test in sorted(glob.glob("tests/*.py")):
        name = os.path.basename(test)[:-3]
        if name not in ("cli", "exported", "export_bits", "references", "coverage", "mutate"):
            done = subprocess.run([sys.executable, test], cwd=root, env=env, capture_output=True, text=True)
            print(f"{name}: {(done.stdout.splitlines() or ['no result'])[-1]}", flush=True)
    reached = Reached()
    reached.add(glob.glob(raw + "/*.raw"), [built], sources)
    print("the program:", reached.figures())
    return reached


def reasons():
    """{(line or branch): reason}: paragraphs of '- LINE' or '- never true: BRANCH', several, and '= reason'."""
    known = {}
    for paragraph in open(KNOWN).read().split("\n\n"):
        lines = paragraph.strip().split("\n")
        why = " ".join(line[2:] for line in lines if line[:2] == "= ")
        known.update({line[2:]: why for line in lines if line[:2] == "- "})
    return known


def main():
    what = (sys.argv[1:] or ["all"])[0]
    if VERSION is None:
        print("skipped: no clang and llvm of one version, 19 or newer (Debian: apt-get install clang-19 llvm-19)")
        return
    missing = 0
    if what != "program":
        reached, known, used = header(what == "report"), reasons(), set()
        for name, line, text in reached.gaps():
            used.add(text)
            missing += text not in known
            print(f"  {name}:{line}: {text}" + (f"\n      {known[text]}" if text in known else ""))
        for (name, line, column, last, end, i), count in sorted(reached.condition.items()):
            if not count:
                print(f"  {name}:{line}: {i} never alone: {reached.part(name, line, column, last, end)}")
        for text in known.keys() - used:
            print(f"  {KNOWN}: reached now: {text}")
        print(f"{missing} lines and branches are not reached without a reason in {KNOWN}")
    if what in ("all", "program"):
        for name, line, text in program().gaps():
            print(f"  {name}:{line}: {text}")
    sys.exit(missing != 0)


main()
