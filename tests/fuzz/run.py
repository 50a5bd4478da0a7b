#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets libFuzzer look for inputs that break a parser.

    run.py BUILD [--seconds N] [--only REGEX] [--jobs N] [--once] [--found FOLDER]

N seconds go to each target; by default an hour to all of them.

BUILD is a build tree of the preset fuzz. Each target begins with its seeds, the inputs in FOLDER/NAME (by default
tests/fuzz/found) that once found a bug, and what earlier runs kept in ${XDG_CACHE_HOME:-~/.cache}/apertune/fuzz. An input
that ends the program is left in FOLDER/NAME, with the command that replays it on the terminal; exit status 1 then.
--once leaves out a target whose program passed for as long before.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEMORY_MIB = 2048
SECONDS_AN_INPUT = 20
MOST_KEPT = 1500  # inputs of a target; reading them all takes a part of its time


def cache_folder(name):
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return pathlib.Path(base) / "apertune" / name


class Target:
    def __init__(self, name, program, seeds=(), dictionary=""):
        self.name = name
        self.program = program
        self.seeds = [pathlib.Path(seed) for seed in seeds]
        self.dictionary = dictionary

    def mark(self, seconds):
        """The file that remembers that this very program passed for so long."""
        digest = hashlib.sha256(self.program.read_bytes())
        digest.update(str(seconds).encode())
        return cache_folder("gates") / f"fuzz-{self.name}-{digest.hexdigest()[:32]}"


def targets_of(build):
    folder = build / "tests" / "fuzz"
    listed = json.loads((folder / "targets.json").read_text())
    return [Target(name, folder / f"fuzz_{name}", told["seeds"], told["dictionary"])
            for name, told in sorted(listed.items()) if name]


def shrink(target, corpus, environment):
    """Keeps of the inputs those that cover what all of them do."""
    if len(list(corpus.iterdir())) <= MOST_KEPT:
        return
    smaller = corpus.with_suffix(".new")
    shutil.rmtree(smaller, ignore_errors=True)
    smaller.mkdir()
    done = subprocess.run([target.program, "-merge=1", smaller, corpus], env=environment, capture_output=True, check=False)
    if done.returncode == 0:
        shutil.rmtree(corpus)
        smaller.rename(corpus)


def summary(log):
    """The line that says what ended the program."""
    for pattern in (r"^fuzz: .*$", r"^\S+: runtime error: .*$", r"^SUMMARY: .*$", r"^==\d+== ?ERROR: .*$",
                    r"^terminate called.*$"):
        found = re.search(pattern, log, re.MULTILINE)
        if found:
            return found.group(0)
    return "it ended"


def run(target, seconds, found, temporary):
    """Returns (passed, lines to print, inputs a second)."""
    corpus = cache_folder("fuzz") / target.name
    seeds = temporary / target.name / "seeds"
    scratch = temporary / target.name / "tmp"
    for folder in (corpus, seeds, scratch):
        folder.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, TMPDIR=str(scratch), UBSAN_OPTIONS="print_stacktrace=1")
    written = subprocess.run([target.program, f"--write-seeds={seeds}"], env=environment, capture_output=True, text=True,
                             check=False)
    if written.returncode != 0:
        return False, [f"{target.name}: its seeds cannot be made", written.stdout + written.stderr], 0
    for seed in target.seeds:
        shutil.copy(seed, seeds)
    shrink(target, corpus, environment)
    inputs = [corpus, seeds]
    known = found / target.name
    if known.is_dir():
        inputs.append(known)
    artifacts = temporary / target.name / "artifacts"
    artifacts.mkdir()
    command = [target.program, f"-max_total_time={seconds}", f"-timeout={SECONDS_AN_INPUT}", f"-rss_limit_mb={MEMORY_MIB}",
               f"-artifact_prefix={artifacts}/", "-print_final_stats=1", "-use_value_profile=1"]
    if target.dictionary:
        command.append(f"-dict={target.dictionary}")
    done = subprocess.run([*command, *inputs], env=environment, cwd=scratch, capture_output=True, text=True,
                          errors="replace", check=False)
    rate = re.search(r"stat::average_exec_per_sec:\s*(\d+)", done.stderr)
    if done.returncode == 0:
        return True, [], int(rate.group(1)) if rate else 0
    lines = [f"{target.name}: {summary(done.stderr)}"]
    for artifact in sorted(artifacts.iterdir()):
        known.mkdir(parents=True, exist_ok=True)
        shutil.move(artifact, known / artifact.name)
        place = known / artifact.name
        lines.append(f"    replay: {os.path.relpath(target.program)} {os.path.relpath(place)}")
    if len(lines) == 1:
        lines.append(done.stderr[-3000:])
    return False, lines, 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, help="for each target")
    parser.add_argument("--only", default="", help="only targets whose name matches this expression")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--found", type=pathlib.Path, default=ROOT / "tests" / "fuzz" / "found")
    options = parser.parse_args()
    began = time.monotonic()
    chosen = [t for t in targets_of(options.build.resolve()) if re.search(options.only, t.name)]
    if not chosen:
        print("There is no such target.", file=sys.stderr)
        return 2
    seconds = options.seconds or max(1, 3600 * options.jobs // len(chosen))
    todo = [t for t in chosen if not (options.once and t.mark(seconds).exists())]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="apertune-fuzz-") as temporary, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        work = {pool.submit(run, t, seconds, options.found, pathlib.Path(temporary)): t for t in todo}
        for done in concurrent.futures.as_completed(work):
            target = work[done]
            passed, lines, rate = done.result()
            if passed:
                target.mark(seconds).parent.mkdir(parents=True, exist_ok=True)
                target.mark(seconds).touch()
                print(f"{target.name}: nothing found in {seconds} s ({rate} inputs a second)", flush=True)
            else:
                failed += 1
                print("\n".join(lines), flush=True)
    print(f"{len(chosen)} targets, {failed} with findings; {len(chosen) - len(todo)} were known; "
          f"{time.monotonic() - began:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
