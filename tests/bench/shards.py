"""What shards cost in accuracy and give in time. From the project's root:
    PCN_DATA=/folder python3 tests/bench/shards.py errors      test errors in % after ten epochs, on the sets of the folder
    PCN_DATA=/folder python3 tests/bench/shards.py speed       seconds of learning by one thread and by two
The files of `speed` are those of peers.py; every round runs everything once, in an order of its own; medians."""
import json
import os
import random
import statistics
import subprocess
import sys

import errors
import peers

SHARDS = 1, 2, 4, 8, 16
LEARNERS = {"AROW": ["-a", "arow"], "AROW, mean": ["-a", "arow", "--decision", "averaged"], "averaged": ["-a", "averaged"]}
ROUNDS = 5


def row(*fields):
    print("|", " | ".join(fields), "|", flush=True)


def compare_errors():
    os.makedirs(errors.OUT, exist_ok=True)
    row("test error, %, S =", *(f"{name} {s}" for name in LEARNERS for s in SHARDS))
    row(*["---"] * (1 + len(LEARNERS) * len(SHARDS)))
    for name, part in errors.SETS.items():
        stem, _, kind = name.partition(".")
        files = [errors.find(f"{stem}.{which}{'.' + kind if kind else ''}.svm") for which in ("train", part)]
        row(name, *(f"{errors.ours([*options, '--shards', str(s)], 10, *files):.2f}" for options in LEARNERS.values()
                    for s in SHARDS))


def learn(path, options, shards, threads):
    """Seconds of learning, and those of mixing among them."""
    cache = path + ".cache"
    command = ["build/perceptron", "train", "-q", "--json", "--force", "-e", "10", *options, "--shards", str(shards),
               *(["--threads", str(threads)] if shards > 1 else []), "--cache", cache, path, peers.DIR + "/model"]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return told["seconds"]["train"], told.get("mixing_seconds", 0)


def compare_speed():
    os.makedirs(peers.DIR, exist_ok=True)
    print("machine:", peers.machine())
    row("ten epochs", "S", "T = 1, s", "mixing, s", "T = 2, s", "mixing, s", "T = 1 / T = 2")
    row(*["---"] * 7)
    for name in peers.SETS[:-1]:
        path = peers.make_set(name).path
        for learner in "averaged", "AROW":
            jobs = [(s, t) for s in SHARDS for t in (1, 2) if s > 1 or t == 1]
            taken = {job: [] for job in jobs}
            learn(path, LEARNERS[learner], 1, 1)  # makes the cache
            for number in range(ROUNDS):
                for job in random.Random(number).sample(jobs, len(jobs)):
                    taken[job].append(learn(path, LEARNERS[learner], *job))
            for s in SHARDS:
                fields = []
                for t in (1, 2) if s > 1 else (1,):
                    fields += [f"{statistics.median(part):.3f}" for part in zip(*taken[s, t])]
                ratio = statistics.median(a[0] / b[0] for a, b in zip(taken[s, 1], taken.get((s, 2), taken[s, 1])))
                row(f"{name}, {learner}", str(s), *fields, *([f"{ratio:.2f}"] if s > 1 else ["", "", ""]))
        for file in os.listdir(peers.DIR):
            os.remove(os.path.join(peers.DIR, file))


if os.environ.get("PCN_DATA") and sys.argv[1:] in (["errors"], ["speed"]):
    compare_errors() if sys.argv[1] == "errors" else compare_speed()
else:
    sys.exit(__doc__)
