#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares `apertune trace import FOLDER --json` with an independent reading of the ranks of a job.

    tests/trace/compare_ranks.py APERTUNE FOLDER

FOLDER has one Kineto trace of each rank of a job that ran the same collectives. Read from the JSON alone: a collective
moves data for as long as it takes on the rank where it is shortest; what is more elsewhere is waiting. Nothing of
Apertune is used but its figures. Exits with 1 when the straggler or a figure differs by more than 5 % and 10 µs."""

import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

TOLERANCE, LEAST_MS = 0.05, 0.01


def events(path):
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else open(path, encoding="utf-8")
    with opened as stream:
        return json.load(stream)


def collectives(document):
    """The durations in ms of the communication kernels of the recording, in order."""
    kernels = [
        event
        for event in document["traceEvents"]
        if event.get("cat") == "kernel" and event["name"].lower().startswith(("nccl", "rccl"))
    ]
    return [event["dur"] / 1e3 for event in sorted(kernels, key=lambda event: event["ts"])]


def reading(folder):
    """{rank: (waiting, transferring)} in ms, and the rank at which most others wait."""
    documents = [events(path) for path in sorted(folder.iterdir()) if ".json" in path.name]
    ranks = {document["distributedInfo"]["rank"]: collectives(document) for document in documents}
    shortest = [min(durations) for durations in zip(*ranks.values())]
    figures = {
        rank: (sum(d - s for d, s in zip(durations, shortest)), sum(shortest)) for rank, durations in ranks.items()
    }
    for_it = dict.fromkeys(ranks, 0.0)
    for position, least in enumerate(shortest):
        last = min(ranks, key=lambda rank: ranks[rank][position])
        for_it[last] += sum(durations[position] - least for durations in ranks.values())
    return figures, max(for_it, key=for_it.get)


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as scratch:
        command = [program, "trace", "import", str(folder), "--json", "--store", f"{scratch}/ranks.apertune"]
        told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["ranks"]
    figures, straggler = reading(folder)
    wrong = told["straggler"] != straggler
    print(f"straggler: rank {told['straggler']}, read independently: rank {straggler}")
    print(f"{'rank':>4}  {'waits ms':>9}  {'read':>9}  {'moves ms':>9}  {'read':>9}")
    for rank in told["ranks"]:
        waiting, transferring = figures[rank["rank"]]
        print(
            f"{rank['rank']:>4}  {rank['waiting_ms']:9.3f}  {waiting:9.3f}  "
            f"{rank['transferring_ms']:9.3f}  {transferring:9.3f}"
        )
        for ours, theirs in ((rank["waiting_ms"], waiting), (rank["transferring_ms"], transferring)):
            wrong |= abs(ours - theirs) > max(TOLERANCE * theirs, LEAST_MS)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
