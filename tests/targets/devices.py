"""Trainers that perceptron export wrote, on emulated devices: what they store is, byte for byte, what they store here, which
tests/program/trainer.py compares with train --resume --online."""
import re
import shutil
import subprocess
import sys

sys.path.insert(0, "tests/program")
from cli import OUT, check, finish, put, skip
from trainer import CASES, prepare, trainer_answers

ROWS = 40
SEMIHOSTING = "-display none -monitor none -serial none -semihosting-config enable=on,target=native"
PICOLIBC = ("--specs=picolibc.specs --oslib=semihost --crt0=hosted -DPICOLIBC_INTEGER_PRINTF_SCANF -ffunction-sections "
            "-fdata-sections -Wl,--gc-sections,--defsym=__stack_size=0x800")


def memory(flash, ram, ram_size):
    return (f"-Wl,--defsym=__flash={flash},--defsym=__flash_size=0x80000,--defsym=__ram={ram},"
            f"--defsym=__ram_size={ram_size}")


def cortex(cpu, board, ram_size):
    return (f"arm-none-eabi-gcc {PICOLIBC} -mthumb -mcpu=cortex-{cpu} {memory(0, 0x20000000, ram_size)}",
            f"qemu-system-arm -M {board} {SEMIHOSTING} -kernel")


RISCV = (f"riscv64-unknown-elf-gcc {PICOLIBC} -march=rv32imac -mabi=ilp32 {memory(0x80000000, 0x80200000, 0x10000)}",
         f"qemu-system-riscv32 -M virt -bios none {SEMIHOSTING} -kernel")
M4F = cortex("m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16", "mps2-an386", 0x10000)
# An AVR has 16 KB, which constants share: one trainer a program.
AVR = ("avr-gcc -mmcu=atmega1284p -ffunction-sections -fdata-sections -Wl,--gc-sections", "simavr -m atmega1284p -f 16000000")
HERE = ("cc", "env")
MACHINES = {"M0 -Os": (*cortex("m0", "mps2-an385", 0x10000), "-Os"), "M4F -Os": (*M4F, "-Os"), "M4F -O2": (*M4F, "-O2"),
            "rv32imac -O2": (*RISCV, "-O2")}
ON_AVR = "sure", "two_labels", "fixed", "last", "arow_mean"


def learn(compiler, runner, level, source, name):
    """What the program prints."""
    path, program = put(name + ".c", source), f"{OUT}/{name}.elf"
    done = subprocess.run([*compiler.split(), "-std=gnu99", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", level, "-I.",
                           "-I" + OUT, path, "-o", program], capture_output=True, text=True)
    check(done.returncode == 0, f"{name} by {compiler}: {done.stderr[:600]}")
    done = subprocess.run([*runner.split(), program], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    return done.stdout + done.stderr # simavr has them there


def plain_lines(text):
    """Without simavr's colours, and its dots for ends of lines."""
    lines = (re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip("\r").removesuffix(".") for line in text.split("\n"))
    return "".join(line + "\n" for line in lines)


def same(where, cases, answers, expected):
    for name in cases:
        check(answers.get(name) == expected[name] and expected[name][0] == 0,
              f"{name} on {where}: another state or prediction, {answers.get(name, ['no answer'])[0]}")


def test_devices():
    source = prepare(CASES, ROWS)
    expected = trainer_answers(learn(*HERE, "-O2", source, "here"))
    check(set(expected) == set(CASES), "every trainer learns here")
    for where, (compiler, runner, level) in MACHINES.items():
        if not all(shutil.which(tool.split()[0]) for tool in (compiler, runner)):
            skip(f"trainers on {where}: {compiler.split()[0]} or {runner.split()[0]} not installed")
            continue
        same(where, CASES, trainer_answers(learn(compiler, runner, level, source, "there")), expected)
    if not all(map(shutil.which, ("avr-gcc", "simavr"))):
        return skip("trainers on an AVR: gcc-avr, avr-libc or simavr not installed")
    for name in ON_AVR:
        one = prepare({name: CASES[name]}, ROWS)
        same("AVR", [name], trainer_answers(plain_lines(learn(*AVR, "-Os", one, "avr"))), expected)


test_devices()
finish()
