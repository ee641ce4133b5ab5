"""What shards cost in accuracy and give in time. From the project's root:
    PCN_DATA=/folder python3 tests/bench/shards.py errors      test errors in % after ten epochs, on the folder's sets
    PCN_DATA=/folder python3 tests/bench/shards.py speed       seconds of learning by one thread and by two
Keeps the tables that a page quotes in results.txt. The files of `speed` are those of peers.py; every round runs everything once, in
an order of its own; medians."""
import json
import os
import random
import statistics
import subprocess
import sys

import errors
import peers
import results

SHARDS = 1, 2, 4, 8, 16
LEARNERS = {"AROW": ["-a", "arow"], "AROW, mean": ["-a", "arow", "--decision", "averaged"],
            "averaged": ["-a", "averaged", "--rule", "fixed"]}
ROUNDS = 5
HOW = f"PCN_DATA=/folder python3 tests/bench/shards.py {' '.join(sys.argv[1:])}; "


def compare_errors():
    os.makedirs(errors.OUT, exist_ok=True)
    table = {}
    for name, part in errors.SETS.items():
        stem, _, kind = name.partition(".")
        files = [errors.find(f"{stem}.{which}{'.' + kind if kind else ''}.svm") for which in ("train", part)]
        for learner, options in LEARNERS.items():
            table[name, learner] = {s: f"{errors.ours([*options, '--shards', str(s)], 10, *files):.2f}" for s in SHARDS}
    rows = [[*key, *by_shards.values()] for key, by_shards in table.items()]
    keep_errors("shards, errors", SHARDS, rows)
    keep_errors("shards, short", (1, 4, 16), [[*key, *(table[key][s] for s in (1, 4, 16))] for key in (
        ("ewt", "AROW"), ("ewt", "averaged"), ("letter", "AROW"), ("letter", "averaged"))])


def keep_errors(name, shards, rows):
    head = ["test error, %", "learner", f"S = {shards[0]}", *map(str, shards[1:])]
    results.keep(name, [head, "|---" * len(head) + "|", *rows], HOW + results.here())


def learn(path, options, shards, threads):
    """Seconds of learning."""
    command = ["build/perceptron", "train", "-q", "--json", "--force", *errors.RAW, "-e", "10", *options,
               "--shards", str(shards), *(["--threads", str(threads)] if shards > 1 else []), path, peers.DIR + "/model"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["seconds"]["train"]


def compare_speed():
    os.makedirs(peers.DIR, exist_ok=True)
    head = ["ten epochs, s", "S = 1", *(f"{s}: T = 1, 2" for s in SHARDS[1:]), "T = 2 beside T = 1"]
    rows = [head, "|---" * len(head) + "|"]
    for name in peers.SETS[:-1]:
        path = peers.make_set(name).path
        for learner in "averaged", "AROW":
            jobs = [(s, t) for s in SHARDS for t in (1, 2) if s > 1 or t == 1]
            taken = {job: [] for job in jobs}
            for number in range(ROUNDS):
                for job in random.Random(number).sample(jobs, len(jobs)):
                    taken[job].append(learn(path, LEARNERS[learner], *job))
            seconds = {job: f"{statistics.median(times):.3f}" for job, times in taken.items()}
            ratios = [statistics.median(a / b for a, b in zip(taken[s, 1], taken[s, 2])) for s in SHARDS[1:]]
            rows.append([f"{name}, {learner}", seconds[1, 1], *(f"{seconds[s, 1]}, {seconds[s, 2]}" for s in SHARDS[1:]),
                         ", ".join(f"{ratio:.2f}" for ratio in ratios)])
            print(rows[-1], flush=True)
        for file in os.listdir(peers.DIR):
            os.remove(os.path.join(peers.DIR, file))
    results.keep("shards, speed", rows, HOW + results.here())


if os.environ.get("PCN_DATA") and sys.argv[1:] in (["errors"], ["speed"]):
    compare_errors() if sys.argv[1] == "errors" else compare_speed()
else:
    sys.exit(__doc__)
