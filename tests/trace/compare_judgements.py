#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the verdict on recorded traces with judgements that a person made by hand.

    compare_judgements.py APERTUNE FOLDER [--judgements FILE] [--only TEXT]

FOLDER holds the recordings (public ones: AMD-AGI/TraceLens, facebookresearch/param, and the test data of
facebookresearch/HolisticTraceAnalysis, each named by its folders and its name joined by underscores). The judgements, by default those of
judgements.json beside this script, were written down from the raw events before any report of Apertune was seen. For each
recording they say

  iteration   what one iteration is, in words
  busy        the share of the judged window in which the busiest device works
  first       what costs most above what a well-tuned run needs: a cause of core/advice/cause.h, or "balanced"
  accept      further causes that the recording supports as well
  not         what must not be advised first, as a list of [words, why]

Checked are the cause of the verdict, and that neither the verdict's changes nor the first finding's advise what the
recording rules out. The busy shares stand side by side: they are of windows that two people may choose differently. The
exit status is 1 when fewer than nine of ten verdicts agree, or an advice cannot be followed.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

CAUSE_OF = {
    "launch-bound": "launch", "host-bound": "host", "transfer-bound": "transfer",
    "communication-bound": "communication", "synchronization-bound": "synchronization", "memory-bound": "memory",
    "compute-bound": "compute", "allocation-bound": "allocation", "warming-up": "first_calls", "balanced": "balanced",
    "abstained": "unknown",
}


def report(apertune, file):
    run = subprocess.run([apertune, "trace", "report", str(file), "--json", "--section", "verdict,iterations,idle"],
                         capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"{file}: {run.stdout}{run.stderr}")
    return json.loads(run.stdout)


def advice_of(document):
    """The changes of the verdict and of the first finding, as one text."""
    knobs = list(document["verdict"]["knobs"]) + [f["knob"] for f in document["findings"][:1]]
    return " | ".join(f"{k.get('switch') or ''} {k.get('text') or ''}".strip() for k in knobs if k)


def busy_share(document):
    shares = [use["steady"] or use["recording"] for use in document["idle"]]
    return max((use["busy_share"] for use in shares), default=0.0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("apertune")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--judgements", type=pathlib.Path, default=pathlib.Path(__file__).with_name("judgements.json"))
    parser.add_argument("--only", default="", help="part of the name of the recordings to compare")
    options = parser.parse_args()

    agree, compared, ruled_out = 0, 0, 0
    for judged in json.loads(options.judgements.read_text()):
        if options.only not in judged["file"]:
            continue
        files = sorted(options.folder.glob(judged["file"]))
        if not files:
            print(f"missing: {judged['file']}")
            continue
        document = report(options.apertune, files[0])
        verdict = document["verdict"]
        cause = CAUSE_OF[verdict["word"]]
        same = cause == judged["first"] or cause in judged["accept"]
        advice = advice_of(document)
        wrong = [why for words, why in judged["not"] if re.search(words, advice, re.IGNORECASE)]
        compared += 1
        agree += same
        ruled_out += len(wrong)
        first = document["findings"][0]["rule"] if document["findings"] else "no finding"
        unit = document["iterations"]
        print(f"{'same' if same else 'DIFFERENT'}  {judged['file']}")
        print(f"    by hand: {judged['first']}, busy {judged['busy']:.3f}; {judged['iteration']}")
        print(f"    here:    {cause} ({verdict['word']}), busy {busy_share(document):.3f}, first finding {first}; "
              f"{unit['count']} x {unit['unit']} ({unit['source']} {(unit['name'] or '')[:60]})")
        print(f"    {verdict['sentence']}")
        print(f"    advice:  {advice}")
        for why in wrong:
            print(f"    CANNOT BE FOLLOWED: {why}")
    print(f"{agree} of {compared} verdicts agree; {ruled_out} pieces of advice cannot be followed")
    return 0 if compared and agree >= 0.9 * compared and not ruled_out else 1


if __name__ == "__main__":
    sys.exit(main())
