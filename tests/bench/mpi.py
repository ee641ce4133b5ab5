"""Several processes on this machine: what an epoch takes, how much of it is mixing, and what a process sends.

    make bench-mpi
    python3 tests/bench/mpi.py scale    the table of examples/mpi/README.md, computed from the constants below

Keeps the page's measured tables in results.txt.
Two generated data sets, -a arow, one thread a process. Files go to build/bench_mpi.* and are removed afterwards. Times
are of the fastest of three runs; learning is without mixing; bytes are those of process 0, beside the formula of
examples/mpi/README.md. Where processes outnumber the processors, they wait for each other."""
import json
import os
import shutil
import subprocess
import sys

import results

EPOCHS = 5
ARRAYS = 2  # of arow: weights and variances
SETS = [("text", 200000), ("images", 20000)]
PROCESSES, SHARDS = (1, 2, 4), (4, 16)
LAUNCH = ["mpirun", "--quiet", "--oversubscribe", *(["--allow-run-as-root"] if os.getuid() == 0 else [])]
# For `scale`: values that a thread learns and numbers that it mixes in a second, measured by make bench-mpi (text, N = 1,
# S = 4 and 16); a network of 10 Gbit/s, with 20 microseconds a message, assumed.
VALUES, NUMBERS, BANDWIDTH, LATENCY = 9e7, 1.5e9, 1.25e9, 20e-6
ROWS, VALUES_A_ROW, THREADS = 1e10, 59, 4
DATA, MODEL = "build/bench_mpi.txt", "build/bench_mpi.model"


def learn(processes, shards):
    """What the program tells of the fastest of three runs."""
    command = [*LAUNCH, "-n", str(processes), "build/perceptron-mpi", "train", "-q", "--json", "--force", "-a", "arow",
               "--normalize", "none", "-e", str(EPOCHS), "--threads", "1", "--shards", str(shards), DATA, MODEL]
    runs = [json.loads(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(3)]
    return min(runs, key=lambda told: told["seconds"]["train"])


def computed(processes, shards, numbers):
    """Bytes that process 0 sends in an epoch."""
    part, own = numbers // processes, (shards - 1) // processes + 1
    return 4 * ARRAYS * (own * (numbers - part) + part * (processes - 1))


def measure(name, rows):
    with open(DATA, "wb") as f:
        subprocess.run(["build/bench_generate", name, str(rows)], stdout=f, check=True)
    print(f"\n{name}: {rows} rows, {os.path.getsize(DATA) / 1e6:.0f} MB of text; milliseconds and bytes of an epoch")
    lines = ["| N | S | reading s | learning | mixing | sent | computed |", "|-|-|-|-|-|-|-|"]
    for processes in PROCESSES:
        for shards in SHARDS:
            told = learn(processes, shards)
            classes = told["classes"] if told["classes"] > 2 else 1
            bytes_ = computed(processes, shards, (told["features"] + 1) * classes)
            mixing, seconds = told["mixing_seconds"] / EPOCHS, told["seconds"]["train"] / EPOCHS
            lines.append(f"| {processes} | {shards} | {told['seconds']['read']:.2f} | {1000 * (seconds - mixing):.1f} | "
                         f"{1000 * mixing:.1f} | {told.get('sent_bytes', 0) // EPOCHS} | {bytes_} |")
    results.keep("mpi " + name, lines, "make bench-mpi; " + results.here())


def quantity(number):
    for limit, name in (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"):
        if number >= limit:
            return f"{number / limit:.3g} {name}"
    return f"{number:.3g} "


def scale():
    print("| N | S | n | sent | memory | learning s | mixing s |\n|-|-|-|-|-|-|-|")
    for numbers in 1e6, 1e8, 1e9:
        for processes in 10, 100, 1000:
            shards = THREADS * processes
            sent = 4 * ARRAYS * numbers * (1 - 1 / processes) * (THREADS + 1)
            memory = 4 * ARRAYS * numbers * (2 * THREADS + 1) + 8 * ROWS * VALUES_A_ROW / processes
            learning = ROWS * VALUES_A_ROW / (processes * THREADS * VALUES)
            messages = ARRAYS * (processes - 1) * (THREADS + 1) + sent / 2**20
            mixing = sent / BANDWIDTH + messages * LATENCY + ARRAYS * numbers / NUMBERS
            print(f"| {processes} | {shards} | {quantity(numbers)}| {quantity(sent)}B | {quantity(memory)}B | "
                  f"{learning:.3g} | {mixing:.2g} |")


if sys.argv[1:] == ["scale"]:
    scale()
    sys.exit()
if not shutil.which("mpirun"):
    sys.exit("Open MPI is missing: install it (Debian: apt-get install openmpi-bin libopenmpi-dev).")
print(f"{os.cpu_count()} processors")
try:
    for data in SETS:
        measure(*data)
finally:
    for path in DATA, MODEL:
        if os.path.exists(path):
            os.remove(path)
