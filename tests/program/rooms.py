#!/usr/bin/env python3
"""Rooms and files of the program use each other in one direction, none is too long, and one table knows what each
learner is.

A room is a folder of examples/perceptron.
"""
import glob
import os
import re
import shlex
import shutil
import subprocess

from cli import OUT, SOURCES, check, finish, put, skip

FOLDER = "examples/perceptron/"
FILES = sorted(glob.glob(FOLDER + "**/*.[ch]", recursive=True))
ROOMS = "cli text read model report learn train export teach".split()  # each uses those before it; perceptron.c uses all
OWN = {"read/state.h", "read/reader_parts.h"}  # of no concern to other rooms
MOST_LINES, MOST_FILES = 4000, 28  # of a room
LOOK_INSIDE = "tests/header/", "tests/targets/", "tests/fuzz/", "tests/tools/"  # the library, as tests of it
STB = shlex.split(os.environ.get("STB") or "-isystem /usr/include/stb")
COMPILE = [*shlex.split(os.environ.get("CC") or "cc"), "-std=gnu99", "-O0", "-w", "-I.", "-I" + FOLDER, *STB]


def text_of(name):
    with open(name) as f:
        return f.read()


def compiled(source):
    """The object that make has made of a source of the program; otherwise a new one."""
    path = f"build/objects/{source[len('examples/'):-2]}.o"
    if os.path.exists(path) and os.path.getmtime(path) > os.path.getmtime(source):
        return path
    path = f"{OUT}/{os.path.basename(source)[:-2]}.o"
    subprocess.run([*COMPILE, "-c", source, "-o", path], check=True)
    return path


def uses(made):
    """{file: the files whose functions or tables it names}; the library is in one of them. made: {file: object}"""
    defined, wanted = {}, {}
    for source, path in made.items():
        lines = subprocess.run(["nm", path], check=True, capture_output=True, text=True).stdout.splitlines()
        symbols = [line.split()[-2:] for line in lines]
        defined.update({name: source for kind, name in symbols if kind in "TDBRC"})
        wanted[source] = {name for kind, name in symbols if kind == "U" and not name.startswith("pcn_")}
    return {source: {defined[name] for name in names if name in defined} for source, names in wanted.items()}


def includes(texts):
    """{file: the files that it includes}; what is in its own room has no folder before it."""
    found = {}
    for name, text in texts.items():
        room = os.path.dirname(name) + "/"
        named = [other if FOLDER + other in texts else room + other
                 for other in re.findall(r'^[ \t]*#[ \t]*include[ \t]*"(.*)"', text, re.M)]
        found[name] = {FOLDER + other if FOLDER + other in texts else other for other in named}
    return found


def test_sections():
    """perceptron.h names its sections at the top, in their order. One of them declares the functions that are called before
    they are defined, so no section calls a later one by another way."""
    text = text_of("perceptron.h")
    listed = text[text.index("WHAT IS WHERE"):text.index("#ifndef PERCEPTRON_H_")]
    titles = re.findall(r"^/\* ---- (.*?) -{5,}", text, re.M)
    check(len(titles) > 50, f"{len(titles)} sections")
    for title in titles:
        check(title in listed or title.split(": ")[0] in listed, f"the list of sections of perceptron.h lacks '{title}'")
    block = text[text.index("/* ---- What the engine room gives"):text.index("/* ---- Bytes")]
    code = re.sub(r"/\*.*?\*/", "", text[text.index("#ifdef PERCEPTRON_IMPLEMENTATION"):], flags=re.S)
    declared = re.findall(r"^static [^={;]*?\b(pcnp_\w+)\([^{;]*\);", code, re.M)
    check(len(declared) > 30, f"{len(declared)} declarations")
    for name in declared:
        check(re.search(rf"\b{name}\(", block), f"perceptron.h declares {name} elsewhere than in 'What the engine room gives'")


def floor(name):
    room = os.path.relpath(name, FOLDER).split("/")[0]
    return ROOMS.index(room) if room in ROOMS else len(ROOMS)


def upwards(graph):
    return [f"{source} -> {other}" for source in sorted(graph) for other in sorted(graph[source])
            if floor(source) < floor(other)]


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


def test_rooms(made):
    texts = {name: text_of(name) for name in FILES}
    here = includes(texts)
    known = {*FILES, *(os.path.dirname(name) + "/" + other for name in FILES for other in ("perceptron.h", "stb_ds.h"))}
    for graph, verb in (here, "includes"), (uses(made), "uses"):
        check(len(graph) > 20 and sum(map(len, graph.values())) > 50, f"a file {verb} others")
        check(not upwards(graph), f"a file {verb} one of a higher room: {upwards(graph)}")
    for name, others in here.items():
        check(others <= known, f"{name} includes what is no file of this or another room: {others - known}")
        own = {other for other in others if os.path.relpath(other, FOLDER) in OWN}
        check(not own or "/read/" in name, f"{name} includes what is the reader's own: {own}")
    # what is not so is seen
    name = FOLDER + "cli/options.h"
    raised = includes({**texts, name: '#include "learn/processes.h"\n' + texts[name]})
    check(upwards(raised) == [f"{name} -> {FOLDER}learn/processes.h"], f"an include that goes upwards is seen: {raised[name]}")
    source = put("up.c", "unsigned process_count(void);\nunsigned up(void) { return process_count(); }\n")
    raised = upwards(uses({**made, FOLDER + "model/up.c": compiled(source)}))
    check(raised == [f"{FOLDER}model/up.c -> {FOLDER}learn/processes.c"], f"a call that goes upwards is seen: {raised}")


def test_system():
    """What is not C99 is in one place, so that a system is one file to change."""
    c99 = {name + ".h" for name in "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal "
           "stdarg stdbool stddef stdint stdio stdlib string tgmath time wchar wctype".split()}
    simd = {"emmintrin.h", "tmmintrin.h", "immintrin.h"}
    for name in FILES:
        foreign = set(re.findall(r"^[ \t]*#[ \t]*include[ \t]*<(.*)>", text_of(name), re.M)) - c99 - simd
        asks = re.findall(r"_WIN32|__linux__|_(?:GNU|POSIX_C)_SOURCE", text_of(name))
        check(not foreign | {*asks} or name.startswith(FOLDER + "cli/system."), f"{name} is not C99: {foreign} {asks}")


def test_sizes_of_rooms():
    there = {name for name in os.listdir(FOLDER) if not name.startswith("__")}
    check(there == {*ROOMS, "README.md", "perceptron.c"}, f"{FOLDER} has {there}")
    for room in ROOMS:
        files = [name for name in os.listdir(FOLDER + room) if not name.startswith("__")]
        lines = sum(text_of(name).count("\n") for name in FILES if name.startswith(FOLDER + room + "/"))
        check(len(files) <= MOST_FILES, f"{room}: {len(files)} files")
        check(0 < lines <= MOST_LINES, f"{room}: {lines} lines")


def test_circles(made):
    check(circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"] and not circle({"a": {"b", "c"}, "b": {"c"}}),
          "a circle is found")
    found = circle(uses(made))
    check(not found, f"files call each other in a circle: {' -> '.join(map(os.path.basename, found))}")
    found = circle(includes({name: text_of(name) for name in FILES}))
    check(not found, f"headers include each other in a circle: {found}")


def test_bench(made):
    """The benchmark of the reader links with the files that the Makefile gives it, and with the library."""
    rule = re.search(r"^build/bench_reading build/bench_streams: \$\(wildcard \$\(addprefix (.*?),(.*)\)\)",
                     text_of("Makefile"), re.M)
    parts = [made[name] for pattern in rule[2].split() for name in glob.glob(rule[1] + pattern)]
    linked = subprocess.run([*COMPILE, "tests/bench/reading.c", *parts, "-o", OUT + "/reading", "-lm"], capture_output=True,
                            text=True)
    check(linked.returncode == 0, f"bench_reading does not link: {linked.stderr[-300:]}")


def private_members():
    """Of the structs of perceptron.h: what is in `own`."""
    text = re.sub(r"/\*.*?\*/", "", text_of("perceptron.h").split("/* ==== Implementation")[0], flags=re.S)
    bodies = re.findall(r"struct \{([^{}]*)\} own;", text)
    check(len(bodies) == 4, f"three trainers and the scaler have an own: {len(bodies)}")
    return {name for body in bodies for name in re.findall(r"(\w+)\s*[,;]", re.sub(r"\(\*(\w+)\)\([^)]*\)", r"\1", body))}


def test_private():
    """What a struct of perceptron.h has for itself alone nobody else touches, as anybody's program."""
    names = private_members()
    check({"take", "batch", "sum", "state", "slot", "coef", "log", "row", "learn", "clock"} <= names, f"found: {names}")
    touches = re.compile(r"\bown\s*\.\s*(?:" + "|".join(sorted(names)) + r")\b")
    check(touches.search("state.own.batch = NULL;") and not touches.search("r->own.columns"), "touching it is seen")
    files = [name for folder in ("examples", "tests") for kind in ("[ch]", "cpp", "ino", "py")
             for name in glob.glob(f"{folder}/**/*.{kind}", recursive=True) if not name.startswith(LOOK_INSIDE)]
    check({FOLDER + "model/linear.c", "examples/mpi/mix.c", "tests/program/exported.py"} <= set(files), "files are there")
    for name in files:
        found = touches.findall(text_of(name))
        check(not found or name == "tests/program/rooms.py", f"{name} touches what is private: {found}")


def test_one_table():
    """Nothing but the table asks which learner it is, by number or by name."""
    words = re.findall(r'^ +\{"([a-z0-9-]+)", ', text_of(FOLDER + "model/learner.c"), re.M)
    check({"averaged", "balanced-winnow", "kernel"} <= set(words), f"learners: {words}")
    asks = re.compile(r"ALGORITHM_[A-Z]|model_is_|strcmp\([^()]*\b(?:name|kind)\b[^()]*, \"(?:" + "|".join(words) + r")\"\)")
    for name in FILES + glob.glob("examples/mpi/*.[ch]"):
        found = asks.findall(text_of(name))
        check(not found or name == FOLDER + "model/learner.c", f"{name} asks which learner it is: {found}")


def test_size():
    """No function is longer than a screen, no file than seven."""
    for name in FILES + glob.glob("examples/mpi/*.[ch]"):
        text = text_of(name)
        check(text.count("\n") <= 400, f"{name} has {text.count(chr(10))} lines")
        for m in re.finditer(r"^[a-z][^\n;={}]*\n?[^\n;={}]*\)\n\{\n(.*?)^\}", text, re.M | re.S):
            check(m.group(1).count("\n") <= 60, f"{name}: {m.group(0)[:60]} has {m.group(1).count(chr(10))} lines")


def main():
    test_sections()
    test_private()
    test_one_table()
    test_size()
    test_sizes_of_rooms()
    test_system()
    if not shutil.which(COMPILE[0]) or not shutil.which("nm"):
        skip("the compiler and nm are needed (Debian: apt-get install gcc)")
        finish()
    made = {source: compiled(source) for source in SOURCES}
    test_rooms(made)
    test_circles(made)
    test_bench(made)
    finish()


main()
