"""The playground's engine, under node, has the images and scores that the program has, byte for byte, for each learner
of the page, rows and settings at random. What the stories compute is within the proofs' bounds.

PLAYGROUND_SEED=... other ones.
"""
import json
import os
import shlex
import shutil
import struct
import subprocess
import sys
import zlib

from cli import OUT, check, finish, get, image, must, put, run, skip

ENGINE = "build/playground/engine.wasm"


def missing():
    """The first tool that is not there, and its package."""
    tools = {"node": "nodejs", "clang": "clang", "wasm-ld": "lld", "make": "make"}
    return next(((tool, package) for tool, package in tools.items() if not shutil.which(tool)), None)


def scores(path, rows):
    """Those of `predict --scores`, as single floats."""
    lines = must("predict", "-q", "--scores", "--no-header", rows, path).splitlines()
    return b"".join(struct.pack("<f", float(number)) for line in lines for number in line.split()[1:])


def plus_zero(floats):
    """The program prints a score of -0 as 0."""
    return [f + 0.0 for (f,) in struct.iter_unpack("<f", floats)]


def compare(number, case):
    arguments = shlex.split(case["command"])[1:]
    rows, model = arguments[-2:]
    status, _, err = run(arguments[0], "-q", *arguments[1:], plain=False)
    if case["error"] or status:
        check(case["error"] and case["error"] in err, f"{case['command']}: page '{case['error']}', program '{err}'")
        return
    here, there = get(f"{OUT}/{number}.image"), image(model)
    check(here == there, f"{case['command']}: other bytes: {len(here)} and {len(there)}")
    check(case["crc"] == zlib.crc32(here[:-4]), f"{case['command']}: the checksum")
    check(not case["wrong"], f"{case['command']}: {case['wrong']}")
    check(plus_zero(get(f"{OUT}/{number}.scores")) == plus_zero(scores(model, rows)), f"{case['command']}: scores")


def make_beside_wasm_opt():
    """A wasm-opt in the PATH, which clang would run, may be too old for this."""
    folder = os.path.abspath(OUT + "/bin")
    os.makedirs(folder, exist_ok=True)
    os.chmod(put("bin/wasm-opt", "#!/bin/sh\necho wasm-opt runs >&2\nexit 1\n"), 0o755)
    made = subprocess.run(["make", "-s", "-B", ENGINE], capture_output=True, text=True,
                          env={**os.environ, "PATH": folder + ":" + os.environ["PATH"]})
    check(made.returncode == 0 and "wasm-opt" not in made.stderr, f"make {ENGINE}: {made.stderr}")
    return made


def stories():
    """2,000 runs within the bounds of the proof, committees and curves beside other ways to compute them."""
    done = subprocess.run(["node", "tests/others/playground/model.js", ENGINE], capture_output=True, text=True)
    found = json.loads(done.stdout) if done.returncode == 0 else {"checks": 0, "wrong": [done.stderr]}
    check(found["checks"] > 2500 and not found["wrong"], f"model.js: {found}")


def main():
    if missing():
        skip("%s is not installed (Debian: apt-get install %s)" % missing())
        finish()
    made = make_beside_wasm_opt()
    seed = os.environ.get("PLAYGROUND_SEED", "1")
    done = subprocess.run(["node", "tests/others/playground/images.js", ENGINE, OUT, seed], capture_output=True, text=True)
    check(done.returncode == 0, f"images.js: {done.stderr}")
    if made.returncode or done.returncode:
        finish()
    cases = json.loads(get(OUT + "/cases.json"))
    for number, case in enumerate(cases):
        compare(number, case)
    stories()
    check(sum(case["error"] is None for case in cases) > len(cases) * 0.9, "hardly a case could be trained")
    finish()


if __name__ == "__main__":
    sys.exit(main())
