"""The C tests reach every line, branch and condition of perceptron.h, and the program's tests every line of it, but
those for which tests/tools/coverage.txt has a reason.

With clang and llvm of one version, 19 or newer:
    python3 tests/tools/coverage.py [header|program]
The header is built as x86 builds it; what one build reaches counts for the same code in another. TESTS=all (make
coverage): every build and every test, and what stands in tests/tools/coverage.txt must not be reached.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys

from cli import OUT, SOURCES, WHOLE, check, finish, short, skip

KNOWN = "tests/tools/coverage.txt"
TESTS = """kernels traces bounds measures invariances same_model means rules changes definition passes top resize sort_row final
           images errors winnow confidence following scaler calibration mixing dual stored dual_images integer integer_images
           quantized defects""".split()
GROW = {"stored", "dual_images", "defects"}  # these need a C library
ALONE = {"stored"}  # has the header's code in itself
BUILDS = {
    "portable": ["-O1", "-DPERCEPTRON_SIMD=0"],
    "small": ["-Os", "-DPERCEPTRON_SIMD=0"],
    "sse2": ["-O1"],
    "avx2": ["-O1", "-mavx2"],
    "fma": ["-O1", "-mavx2", "-mfma"],
    "no_libc": ["-O1", "-DPERCEPTRON_NO_LIBC"],
}
SIMD = "kernels traces errors defects same_model definition final images dual_images winnow confidence scaler calibration mixing dual stored integer quantized".split()
QUICK_BUILDS = {"portable": TESTS, "small": ["traces", "errors", "integer", "quantized"], "fma": SIMD}  # what has code of its own
OTHER_TESTS = "exported faults".split()  # of the program: they build other things, or run for long
LEAST_LINES = 95  # %
VERSION = next((v for v in range(30, 18, -1) if shutil.which(f"clang-{v}") and shutil.which(f"llvm-cov-{v}")), None)


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(command)} ends with status {done.returncode}:\n" +
                 (done.stdout + done.stderr).decode(errors="replace")[-2000:])
    return done.stdout.decode(errors="replace")


def compile(sources, program, *flags, **more):
    stb = (os.environ.get("STB") or "-isystem /usr/include/stb").split()
    run(f"clang-{VERSION}", "-fprofile-instr-generate", "-fcoverage-mapping", "-I.", *stb, *flags,
        *sources, "-o", program, "-lm", "-pthread", **more)


def constant(text):
    """Is it known when the code is compiled?"""
    return re.fullmatch(r"[A-Z_0-9 !=<>]*", text) is not None


def percent(counts):
    return 100 * sum(map(bool, counts.values())) / max(1, len(counts))


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
                count *= count < 1 << 63  # below 0: one count got lost
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
                key = name, line, column, last, end, "never " + way
                self.branch[key] = self.branch.get(key, 0) + count
        for record in file["mcdc_records"]:
            begin, after, alone = tuple(record[:2]), tuple(record[2:4]), record[9]
            inside = sorted(p for p in places if begin <= p[:2] and p[2:] <= after)
            for i, counts in enumerate(alone):
                place = inside[i] if len(inside) == len(alone) else begin + after
                if not constant(self.part(name, *place)):
                    key = name, *place, "never alone"
                    self.condition[key] = self.condition.get(key, 0) + counts

    def figures(self):
        sums = []
        for what, counts in ("lines", self.line), ("branches", self.branch), ("conditions", self.condition):
            if counts:
                sums.append(f"{what} {sum(map(bool, counts.values()))} of {len(counts)} ({percent(counts):.2f} %)")
        return ", ".join(sums)

    def gaps(self):
        """(file, line, text): what stands in the line, or a branch or condition and what it never did."""
        for (name, line), count in sorted(self.line.items()):
            if not count and len(self.part(name, line, 1, line, 999)) > 1:  # not only a brace
                yield name, line, self.part(name, line, 1, line, 999)
        for counts in self.branch, self.condition:
            for (name, line, column, last, end, never), count in sorted(counts.items()):
                if not count:
                    yield name, line, f"{never}: {self.part(name, line, column, last, end)}"


def header():
    reached = Reached()
    for build, flags in BUILDS.items():
        lacking = [f for f in ("avx2", "fma")
                   if "-m" + f in flags and not re.search(rf"^flags.*\b{f}\b", open("/proc/cpuinfo").read(), re.M)]
        if lacking:
            skip(f"build {build}: this processor has no {lacking[0]}")
        if lacking or not WHOLE and build not in QUICK_BUILDS:
            continue
        folder, one, of_build = f"{OUT}/{build}", Reached(), TESTS if WHOLE else QUICK_BUILDS[build]
        os.makedirs(folder, exist_ok=True)
        # Apart: of functions with one name and other code, llvm-cov takes only the first.
        for grow in [], ["-DPERCEPTRON_GROW"]:
            tests = [t for t in of_build if (t in GROW) == bool(grow)]
            if not tests or build == "no_libc" and grow:
                continue
            flags_of, header_object = ["-std=c99", "-fcoverage-mcdc", *flags], folder + "/header.o"
            # from standard input all units have one name, and so have functions that are the same in all
            compile(["-x", "c", "-c", "-"], header_object, *flags_of, "-DPERCEPTRON_IMPLEMENTATION", *grow,
                    input=b'#include "perceptron.h"')
            programs = [f"{folder}/{test}" for test in tests]
            for test, program in zip(tests, programs):
                linked = [] if test in ALONE else ["-DPCN_IMPLEMENTED", header_object]
                with open(f"tests/header/{test}.c", "rb") as source:
                    compile(["-x", "c", "-"], program, *flags_of, "-Itests", "-Itests/header", *linked, stdin=source)
                run(program, env={**os.environ, "LLVM_PROFILE_FILE": program + ".raw"})
            for each in (one, reached) if WHOLE else [reached]:
                each.add([p + ".raw" for p in programs], programs, ["perceptron.h"])
        if WHOLE:
            print(f"{build}: {one.figures()}", flush=True)
    print("perceptron.h:", reached.figures())
    compare(reached.gaps(), "perceptron.h", *([] if WHOLE else ["perceptron.h in three builds"]))


def program():
    """The Python tests, in a root of their own whose build/perceptron counts."""
    root, raw = f"{OUT}/tree", os.path.abspath(f"{OUT}/tree/raw")
    shutil.rmtree(raw, ignore_errors=True)
    os.makedirs(f"{root}/build", exist_ok=True)
    for name in "tests", "examples", "perceptron.h", "Makefile", "README.md", "LICENSE":
        if not os.path.lexists(f"{root}/{name}"):
            os.symlink(os.path.abspath(name), f"{root}/{name}")
    built = f"{root}/build/perceptron"
    # The counts lie in mapped files, %c: they outlive a signal. Nine, chosen by process, %9m: of two processes that count
    # in one file at a time, one loses, and llvm-cov subtracts counts, so that lines look as if they were reached.
    compile(SOURCES, built, "-std=gnu99", "-O1", "-Iexamples/perceptron", "-mllvm", "-runtime-counter-relocation=true")
    env = {**os.environ, "LLVM_PROFILE_FILE": raw + "/%9m%c.raw", "TESTS": ""}
    for test in sorted(glob.glob("tests/program/*.py")):
        name = os.path.basename(test)[:-3]
        if name not in OTHER_TESTS:
            done = subprocess.run([sys.executable, test], cwd=root, env=env, capture_output=True, text=True)
            last = (done.stdout.splitlines() or ["no result"])[-1]
            print(f"{name}: {last}", flush=True)
            # not whether all pass: there is no room for a mapped file where a test limits the memory
            check(re.fullmatch(r"\d+ passed, .*", last), f"{name} did not finish: {done.stderr[-500:]}")
    reached = Reached()
    reached.add(glob.glob(raw + "/*.raw"), [built], SOURCES)
    reached.line = {place: n for place, n in reached.line.items() if place[0] in SOURCES}
    print("the program:", reached.figures())
    check(percent(reached.line) >= LEAST_LINES, f"below {LEAST_LINES} % of the program's lines")
    reached.branch = {}
    gaps = ((name, line, f"{os.path.basename(name)}: {text}") for name, line, text in reached.gaps())
    compare(gaps, "the program")


def reasons(of):
    """{text: reason} from paragraphs of '- TEXT', several, and '= reason', behind the line '== of'."""
    known = {}
    section = open(KNOWN).read().split("\n== ")
    for paragraph in next(s for s in section if s.startswith(of + "\n")).split("\n\n"):
        lines = paragraph.strip().split("\n")
        why = " ".join(line[2:] for line in lines if line[:2] == "= ")
        known.update({line[2:]: why for line in lines if line[:2] == "- "})
    return known


def compare(gaps, *sections):
    """All gaps must be known; if everything ran, all that is known must be a gap."""
    known, used = {}, set()
    for section in sections:
        known.update(reasons(section))
    for name, line, text in gaps:
        used.add(text)
        check(text in known, f"{name}:{line}: not reached: {text}")
        if text in known and WHOLE:
            print(f"  {name}:{line}: {text}\n      {known[text]}")
    for text in known.keys() - used if WHOLE else ():
        check(False, f"{KNOWN}: reached now: {text}")


def main():
    what = (sys.argv[1:] or ["all"])[0]
    if VERSION is None:
        skip("no clang and llvm of one version, 19 or newer (Debian: apt-get install clang-19 llvm-19)")
        finish()
    if what in ("all", "header"):
        header()
    if what == "program" or what == "all" and not short(f"{', '.join(QUICK_BUILDS)} of {len(BUILDS)} builds, and not the program"):
        program()
    finish()


if __name__ == "__main__":
    main()
