#!/usr/bin/env python3
"""Is the library slower than it was? Runs tests/bench/against.c with the header of a commit, which must have the same
interface, and with the present one, in turns of 4 ms. Prints for each row the time of a call before and now and the median
of now / before with its quartiles. Rows above the limit are marked. For AArch64 qemu-user counts instructions.

    python3 tests/bench/against.py COMMIT      from the root of the project; writes only to build/against

    HEADER      the present header; default: perceptron.h
    FLAGS       sets of compiler flags, between commas; default: -O2,-O2 -mavx2 (not x86-64: -O2)
    ROWS        only rows that match this regular expression
    CC, ARM_CC  compilers; default: cc, aarch64-linux-gnu-gcc
"""
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time

OUT = "build/against"
VERSIONS = ("old", "new")
PAIRS = 5  # of processes: each has its memory elsewhere
SECONDS, FEWEST, MOST = 0.3, 3, 15  # of each pair and row: time and rounds
X86 = platform.machine() in ("x86_64", "AMD64")
LIMIT, LIMIT_SSE2 = 1.10, 1.25


def setting(name, default):
    return os.environ.get(name) or default


def output(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def build(cc, flags):
    """The programs with the old and the new header."""
    programs = [f"{OUT}/{v}/{re.sub('[^a-z0-9]+', '_', cc + flags)}" for v in VERSIONS]
    for v, program in zip(VERSIONS, programs):
        output(cc.split() + ["-std=gnu99", *flags.split(), f"-I{OUT}/{v}", "tests/bench/against.c", "-o", program])
    return programs


def rows(command):
    return [name for name in output(command).splitlines() if re.search(setting("ROWS", ""), name)]


def table(title, limit, lines):
    """lines: name, old, new, ratios of new to old, remark."""
    print(f"\n{title} of a call, before and now; now / before (marked above {limit:.2f}), quartiles")
    middles = []
    for name, old, new, ratios, remark in lines:
        low, middle, high = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else ratios * 3
        spread = f"  {low:.2f}-{high:.2f}" if len(ratios) > 1 else ""
        mark = " SLOWER" if middle > limit else ""
        print(f"{name:48}{old:12,.0f}{new:12,.0f}{middle:7.2f}{spread}{mark}{remark}", flush=True)
        middles.append(middle)
    print(f"{sum(m > limit for m in middles)} of {len(middles)} rows above {limit:.2f}; "
          f"geometric mean {statistics.geometric_mean(middles):.3f}")


# ---- Times

def start(program):
    return subprocess.Popen([program, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def run(process, name):
    """Nanoseconds of a call, updates of an epoch."""
    process.stdin.write(name + "\n")
    process.stdin.flush()
    _, ns, updates = process.stdout.readline().split("\t")
    return float(ns), updates


def in_turns(pair, name):
    """Rounds of old and new nanoseconds."""
    rounds, begin = [], time.monotonic()
    while len(rounds) < FEWEST or (len(rounds) < MOST and time.monotonic() - begin < SECONDS):
        order = (0, 1) if len(rounds) % 2 else (1, 0)
        ns = {k: run(pair[k], name)[0] for k in order}
        rounds.append((ns[0], ns[1]))
    return rounds


def timed(programs):
    for name in rows(programs[0]):
        rounds, remark = [], ""
        for _ in range(PAIRS):
            pair = [start(p) for p in programs]
            if run(pair[0], name)[1] != run(pair[1], name)[1]:
                remark = " OTHER UPDATES"
            rounds += in_turns(pair, name)
            for p in pair:
                p.communicate()
        old, new = (statistics.median(r[k] for r in rounds) for k in (0, 1))
        yield name, old, new, [b / a for a, b in rounds], remark


# ---- Instructions

def instructions(program, name, calls):
    counted = subprocess.run(["qemu-aarch64", "-plugin", f"{OUT}/instructions.so", "-d", "plugin", program, name,
                              str(calls)], stderr=subprocess.PIPE, text=True).stderr
    return int(counted.split("instructions ")[1])


def counted(programs):
    for name in rows(["qemu-aarch64", programs[0]]):
        old, new = ((instructions(p, name, 3) - instructions(p, name, 1)) / 2 for p in programs)
        yield name, old, new, [new / old], ""


def arm():
    cc = setting("ARM_CC", "aarch64-linux-gnu-gcc")
    if not shutil.which(cc.split()[0]) or not shutil.which("qemu-aarch64"):
        print("\nskipped: AArch64: apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user")
        return
    output(["cc", "-shared", "-fPIC", "tests/bench/instructions.c", "-o", f"{OUT}/instructions.so"])
    programs = build(cc, "-O2 -static -DMEMORY_ROWS=600")
    try:
        instructions(programs[0], "dot 16", 1)
    except IndexError:
        print("\nskipped: AArch64: this qemu-aarch64 does not take tests/bench/instructions.c")
        return
    table(f"{cc} -O2, 600 rows from memory: instructions", LIMIT, counted(programs))


def main():
    if len(sys.argv) != 2:
        sys.exit("make bench-against REF=commit")
    for v in VERSIONS:
        os.makedirs(f"{OUT}/{v}", exist_ok=True)
    with open(f"{OUT}/old/perceptron.h", "w", encoding="utf-8") as f:
        f.write(output(["git", "show", f"{sys.argv[1]}:perceptron.h"]))
    shutil.copy(setting("HEADER", "perceptron.h"), f"{OUT}/new/perceptron.h")
    cc = setting("CC", "cc")
    for flags in setting("FLAGS", "-O2,-O2 -mavx2" if X86 else "-O2").split(","):
        limit = LIMIT_SSE2 if X86 and "-m" not in flags else LIMIT
        table(f"{cc} {flags}: ns", limit, timed(build(cc, flags)))
    arm()


main()
