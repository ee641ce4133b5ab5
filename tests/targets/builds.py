"""The program, built in other ways: the same model bytes from every compiler."""
import os
import shutil
import subprocess

from cli import DIGITS, OUT, SOURCES, check, finish, get, noisy, put, short, skip, train


def build(compiler, flags, program):
    """The program built in another way; None: this compiler cannot."""
    stb = subprocess.run(["pkg-config", "--cflags-only-I", "stb"], capture_output=True, text=True)
    stb = stb.stdout.split() if shutil.which("pkg-config") else []
    command = [compiler, "-std=gnu17", *flags.split(), "-I.", "-Iexamples/perceptron",
               *(stb or ["-I/usr/include/stb"]), *SOURCES, "-o", program, "-pthread", "-lm", "-w"]
    done = shutil.which(compiler) and subprocess.run(command, stderr=subprocess.DEVNULL)
    return program if done and done.returncode == 0 else None


def test_builds():
    data = put("d", noisy(300, 70, 6))
    texts = os.path.abspath("examples/data/languages.tsv")
    runs = [DIGITS], [data], ["--rule", "fixed", data], ["--text", texts], ["-e", "1", "--text", texts]
    expected = b"".join(get(train(arguments[-1], *arguments[:-1], plain=False)) for arguments in runs)
    builds = [("gcc", "-O0 -DPERCEPTRON_SIMD=0", ""), ("clang", "-O2 -DPERCEPTRON_SIMD=1", ""),
              ("gcc", "-O3 -march=native", ""), ("clang", "-O3 -march=native", ""),
              ("aarch64-linux-gnu-gcc", "-O2 -static", "qemu-aarch64")]
    for compiler, flags, runner in builds[:2] if short("gcc -O0 and clang -O2 of five builds") else builds:
        if not shutil.which(compiler) or (runner and not shutil.which(runner)):
            skip(f"program built by {compiler}: not installed")
            continue
        program = build(compiler, flags, f"{OUT}/perceptron-{compiler}")
        got = b""
        for arguments in runs:
            done = subprocess.run([*runner.split(), program, "train", "-q", *arguments, OUT + "/m"])
            check(done.returncode == 0, f"{compiler} {flags}: status {done.returncode}")
            got += get(OUT + "/m")
        check(got == expected, f"{compiler} {flags}: other model bytes")


test_builds()
finish()
