#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Optuna's TPE as a contestant of bench_search: one JSON object a line in, one out.

    {"new": {"families": [batches of each family], "seed": N}}  a fresh study       -> {}
    {"ask": 1}                                                  the next cell       -> {"family": I, "position": K}
    {"tell": COST or null}                                      null: it failed     -> {}

The first line out is {"optuna": VERSION}, or {"error": TEXT} when there is no Optuna.
"""
import json
import sys
import warnings


def main():
    try:
        import optuna
    except ImportError as failure:
        print(json.dumps({"error": str(failure)}), flush=True)
        return
    warnings.simplefilter("ignore")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    print(json.dumps({"optuna": optuna.__version__}), flush=True)
    study = trial = None
    batches = []
    for line in sys.stdin:
        command = json.loads(line)
        reply = {}
        if "new" in command:
            batches = command["new"]["families"]
            study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=command["new"]["seed"]))
        elif "ask" in command:
            trial = study.ask()
            group = trial.suggest_categorical("family", list(range(len(batches))))
            # One axis for all groups, so that what is learnt of batches in one serves the others.
            position = trial.suggest_int("position", 0, max(batches) - 1)
            reply = {"family": group, "position": min(position, batches[group] - 1)}
        elif command["tell"] is None:
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
        else:
            study.tell(trial, command["tell"])
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
