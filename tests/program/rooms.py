#!/usr/bin/env python3
"""The program's source: files call each other in one direction, and one table knows what each learner is."""
import glob
import os
import re
import shlex
import shutil
import subprocess

from cli import OUT, SOURCES, check, finish, put, skip

FOLDER = "examples/perceptron/"
FILES = sorted(glob.glob(FOLDER + "**/*.[ch]", recursive=True))
STB = shlex.split(os.environ.get("STB") or "-isystem /usr/include/stb")
COMPILE = [*shlex.split(os.environ.get("CC") or "cc"), "-std=gnu99", "-O0", "-w", "-I.", "-I" + FOLDER, *STB]


def objects():
    """{file: object}"""
    made = {}
    for source in SOURCES:
        made[source] = f"{OUT}/{os.path.basename(source)[:-2]}.o"
        subprocess.run([*COMPILE, "-c", source, "-o", made[source]], check=True)
    return made


def uses(made):
    """{file: the files whose functions or tables it names}; the library is in one of them."""
    defined, wanted = {}, {}
    for source, path in made.items():
        lines = subprocess.run(["nm", path], check=True, capture_output=True, text=True).stdout.splitlines()
        symbols = [line.split()[-2:] for line in lines]
        defined.update({name: source for kind, name in symbols if kind in "TDBRC"})
        wanted[source] = {name for kind, name in symbols if kind == "U" and not name.startswith("pcn_")}
    return {source: {defined[name] for name in names if name in defined} for source, names in wanted.items()}


def circle(graph):
    """The files of a circle, in order; empty: there is none."""
    done, path = set(), []

    def visit(source):
        if source in path:
            return path[path.index(source):] + [source]
        if source in done:
            return []
        path.append(source)
        for other in sorted(graph.get(source, ())):
            found = visit(other)
            if found:
                return found
        done.add(path.pop())
        return []

    return next(filter(None, map(visit, sorted(graph))), [])


def test_circles(made):
    check(circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"] and not circle({"a": {"b", "c"}, "b": {"c"}}),
          "a circle is found")
    graph = uses(made)
    check(len(graph) > 20 and sum(map(len, graph.values())) > 50, "files use each other")
    found = circle(graph)
    check(not found, f"files call each other in a circle: {' -> '.join(map(os.path.basename, found))}")
    headers = {os.path.basename(name): {os.path.basename(other) for other in re.findall(r'^#include "(.*)"',
                                                                                        open(name).read(), re.M)}
               for name in FILES if name.endswith(".h")}
    check(not circle(headers), f"headers include each other in a circle: {circle(headers)}")


# word, what it takes, is or allows, and what holds where the command line says nothing; in the order of model files.
# Weights: all but voted and kernel. B bias, R rule, V variances, A alpha, K kernel, D decision, b batch, s shards,
# k keeping, o others, g grows, l learns on from its image, w exported as weights.
LEARNERS = """
perceptron      BRbskoglw bias=1 margin=0 kernel=-1 decision=0 threshold=0 classes=0 eliminates=0 balanced=0 01=0 state=0
averaged        BRbskoglw bias=1 margin=0 kernel=-1 decision=1 threshold=0 classes=0 eliminates=0 balanced=0 01=0 state=0
winnow          Abskow    bias=0 margin=0 kernel=-1 decision=0 threshold=0 classes=0 eliminates=0 balanced=0 01=0 state=1
winnow1         Abskow    bias=0 margin=0 kernel=-1 decision=0 threshold=1 classes=2 eliminates=1 balanced=0 01=1 state=1
winnow2         Abskow    bias=0 margin=0 kernel=-1 decision=0 threshold=1 classes=0 eliminates=0 balanced=0 01=1 state=1
balanced-winnow Abskow    bias=0 margin=0 kernel=-1 decision=0 threshold=0 classes=0 eliminates=0 balanced=1 01=1 state=1
voted           BRKDo     bias=1 margin=0 kernel=0 decision=2 threshold=0 classes=0 eliminates=0 balanced=0 01=0 state=0
kernel          BRKDo     bias=0 margin=0 kernel=2 decision=0 threshold=0 classes=0 eliminates=0 balanced=0 01=0 state=0
arow            BVDskglw  bias=1 margin=1 kernel=-1 decision=0 threshold=0 classes=0 eliminates=0 balanced=0 01=0 state=1
"""
PRINTER = """
#define PERCEPTRON_IMPLEMENTATION
#define PERCEPTRON_GROW
#include "model/model.h"
int main(void)
{
    static const struct { unsigned bit; char letter; } what[] = {{TAKES_BIAS, 'B'}, {TAKES_RULE, 'R'}, {TAKES_R, 'V'},
        {TAKES_ALPHA, 'A'}, {TAKES_KERNEL, 'K'}, {TAKES_DECISION, 'D'}, {TAKES_BATCH, 'b'}, {TAKES_SHARDS, 's'},
        {TAKES_KEEPING, 'k'}, {TAKES_OTHERS, 'o'}, {GROWS, 'g'}, {LEARNS_ON, 'l'}, {AS_WEIGHTS, 'w'}};
    uint32_t i, j;
    for (i = 0; i < learner_count; i++) {
        const learner *k = &learners[i];
        unsigned rest = k->takes;
        printf("%s ", k->name);
        for (j = 0; j < sizeof what / sizeof *what; rest &= ~what[j++].bit)
            if (k->takes & what[j].bit) putchar(what[j].letter);
        printf("%s bias=%g margin=%g kernel=%d decision=%d threshold=%g classes=%lu eliminates=%d balanced=%d 01=%d "
               "state=%d%s\\n", rest ? "?" : "", k->bias, k->margin, k->kernel, (int)k->decision, k->threshold,
               (unsigned long)k->most_classes, k->eliminates, k->balanced, k->values_01, k->state != NULL,
               (k->family == &vector_family) == !!(k->takes & TAKES_KERNEL) && learner_named(k->name) == k ? "" : " ?");
    }
    return 0;
}
"""


def test_learners(made):
    parts = [path for source, path in made.items() if not source.endswith("/perceptron.c")]
    program = OUT + "/learners"
    subprocess.run([*COMPILE, put("learners.c", PRINTER), *parts, "-o", program, "-pthread", "-lm"], check=True)
    got = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    want = [" ".join(line.split()) for line in LEARNERS.strip().splitlines()]
    check(len(got) == len(want), f"{len(got)} learners")
    for mine, table in zip(want, got):
        check(mine == table, f"the table says '{table}', not '{mine}'")


def test_bench(made):
    """The benchmark of the reader links with the files that the Makefile gives it, and with the library."""
    with open("Makefile") as f:
        rule = re.search(r"^build/bench_reading: \$\(wildcard (.*)\)", f.read(), re.M).group(1)
    parts = [made[name] for pattern in rule.split() for name in glob.glob(pattern)]
    linked = subprocess.run([*COMPILE, "tests/bench/reading.c", *parts, "-o", OUT + "/reading", "-lm"], capture_output=True,
                            text=True)
    check(linked.returncode == 0, f"bench_reading does not link: {linked.stderr[-300:]}")


def test_one_table():
    """Nothing but the table asks which learner it is, by number or by name."""
    words = [line.split()[0] for line in LEARNERS.strip().splitlines()]
    asks = re.compile(r"ALGORITHM_[A-Z]|model_is_|strcmp\([^()]*\b(?:name|kind)\b[^()]*, \"(?:" + "|".join(words) + r")\"\)")
    for name in FILES + glob.glob("examples/mpi/*.[ch]"):
        with open(name) as f:
            found = asks.findall(f.read())
        check(not found or name == FOLDER + "model/learner.c", f"{name} asks which learner it is: {found}")


def test_size():
    """No function is longer than a screen, no file than ten."""
    for name in FILES + glob.glob("examples/mpi/*.[ch]"):
        with open(name) as f:
            text = f.read()
        check(text.count("\n") <= 500, f"{name} has {text.count(chr(10))} lines")
        for m in re.finditer(r"^[a-z][^\n;={}]*\n?[^\n;={}]*\)\n\{\n(.*?)^\}", text, re.M | re.S):
            check(m.group(1).count("\n") <= 60, f"{name}: {m.group(0)[:60]} has {m.group(1).count(chr(10))} lines")


def main():
    test_one_table()
    test_size()
    if not shutil.which(COMPILE[0]) or not shutil.which("nm"):
        skip("the compiler and nm are needed (Debian: apt-get install gcc)")
        finish()
    made = objects()
    test_circles(made)
    test_learners(made)
    test_bench(made)
    finish()


main()
