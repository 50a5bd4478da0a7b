# SPDX-License-Identifier: GPL-3.0-or-later
"""What a study measured. The objects are views of the program's documents (apertune.study/1), which `document` holds."""

import collections
import html
import os
from dataclasses import dataclass

from .program import ApertuneError, run


@dataclass(frozen=True)
class Interval:
    """A value with its 95 % interval. The ends are None where too little was measured for one."""

    value: float
    lo: float | None = None
    hi: float | None = None

    def __str__(self):
        if self.lo is None or self.hi is None:
            return f"{self.value:.4g}"
        return f"{self.value:.4g} [{self.lo:.4g}, {self.hi:.4g}]"


def _interval(entry, value="value"):
    if not entry or entry.get(value) is None:
        return None
    return Interval(entry[value], entry.get("lo"), entry.get("hi"))


def store_arguments(store):
    return ["--store", os.fspath(store)] if store else []


class Trial:
    """One configuration of a study, with what was measured of it.

    id          "t12", which every verb of the program takes
    state       "ok", "failed", "pruned" …
    reason      why it was not measured, or None
    config      backend, level, precision, batch, threads, switches
    device      "cpu", "cuda:0" …
    latency     Interval of the median time of a pass in ms, or None
    throughput  Interval in samples/s, or None
    quality     agreement with the O0 fp32 outputs (cosine, max_rel …), or None
    """

    def __init__(self, document, store=None, usual_threads=None):
        self.document = document
        self.store = store
        self._usual_threads = usual_threads
        self.id = document["id"]
        self.state = document["state"]
        self.reason = document["reason"]
        self.config = document["config"]
        self.device = document["device"]
        self.quality = document["quality"]
        self.latency = _interval(document["latency_ms"], "median")
        self.throughput = _interval(document["throughput_per_s"])

    @property
    def name(self):
        """The configuration in short: "openvino O3 bf16 b4"; with its threads ("th1") where most of its study have others."""
        config = self.config
        threads = "" if self._usual_threads in (None, config["threads"]) else f" th{config['threads']}"
        return f"{config['backend']} {config['level']} {config['precision']} b{config['batch']}{threads}"

    @property
    def memory_bytes(self):
        """The peak of the device's own memory, else that of the process; None where it is unknown."""
        memory = self.document["memory_bytes"] or {}
        return memory.get("device_peak") or memory.get("process_peak")

    def export(self, out, target="python", force=False, **options):
        """Write a folder with a program that runs this configuration, and run it once to prove that it does.

        target is "python", "cpp", "json", "server" or "triton". Returns the document of `apertune export`.
        """
        flags = ["--force"] if force else []
        return run("export", self.id, "--target", target, "--out", os.fspath(out), *flags,
                   *arguments_of(options), *store_arguments(self.store))

    def __repr__(self):
        measured = f": {self.latency} ms" if self.latency else f": {self.state}"
        return f"<{self.id} {self.device} {self.name}{measured}>"


class Study:
    """A study of a workspace: the trials of one sweep, and what it recommends.

    id        "s3", which every verb of the program takes
    model     name of the model in the workspace
    trials    all planned configurations in planned order
    best      the recommended trial; None where nothing was confirmed (see shortlist) or nothing keeps to the goal
    speedup   Interval of how many times better it is than the model as loaded, in the objective; None without a number
    verdict   "faster", "same", "cannot_tell" …; None without a recommendation
    shortlist trials that cannot be told apart, where none is recommended
    note      why nothing is recommended, or why the recommendation is unconfirmed; None
    """

    def __init__(self, document, store=None):
        self.document = document
        self.store = store
        self.id = document["id"]
        self.model = document["model"]
        threads = collections.Counter(trial["config"]["threads"] for trial in document["trials"])
        usual = threads.most_common(1)[0][0] if threads else None
        self.trials = [Trial(trial, store, usual) for trial in document["trials"]]
        recommended = document["recommended"]
        shortlist = document["shortlist"]
        self.best = self.trial(recommended["trial"]) if recommended else None
        gain = recommended["speedup"] if recommended else None
        self.speedup = _interval(gain)
        self.verdict = gain["verdict"] if gain else None
        self.shortlist = [self.trial(entry["trial"]) for entry in shortlist["candidates"]] if shortlist else []
        self.note = (recommended or shortlist or {}).get("note")

    def trial(self, name):
        for trial in self.trials:
            if trial.id == name:
                return trial
        raise KeyError(f"{self.id} has no trial {name}")

    def rows(self):
        """The trials as a list of dicts, flat: numbers of None where too little was measured, switches by their names."""
        return [self._row(trial) for trial in self.trials]

    def frame(self):
        """rows() as a pandas.DataFrame with the trials' ids as its index. Needs pandas."""
        try:
            import pandas
        except ImportError as failure:
            raise ApertuneError("A frame needs pandas, which this environment lacks. Add it with `pip install pandas`.") from failure
        return pandas.DataFrame(self.rows()).set_index("trial")

    def report(self, out):
        """Write the study as one HTML file."""
        return run("report", self.id, "--out", os.fspath(out), *store_arguments(self.store))

    @staticmethod
    def _row(trial):
        config, latency, throughput = trial.config, trial.latency, trial.throughput
        quality = trial.quality or {}
        return {
            "trial": trial.id,
            "state": trial.state,
            "reason": trial.reason,
            "device": trial.device,
            **{key: config[key] for key in ("backend", "level", "precision", "batch", "threads")},
            "latency_ms": latency and latency.value,
            "latency_lo_ms": latency and latency.lo,
            "latency_hi_ms": latency and latency.hi,
            "throughput_per_s": throughput and throughput.value,
            "memory_bytes": trial.memory_bytes,
            "cosine": quality.get("cosine"),
            "max_rel": quality.get("max_rel"),
            **config["switches"],
        }

    def _headline(self):
        if self.best is None:
            return self.note or "Nothing is recommended."
        if self.speedup is None or self.speedup.lo is None or self.speedup.hi is None:
            return f"{self.best.name} ({self.best.id})"
        against = self.trial(self.document["recommended"]["speedup"]["against"])
        surely = "" if self.verdict == "faster" else ", but not for certain"
        return f"{self.best.name} ({self.best.id}): {self.speedup} times as fast as {against.name}{surely}"

    def _measured(self):
        """The measured trials: the recommended one, then the shortlist, then the others, the best throughput first."""
        first = [self.best, *self.shortlist]
        place = {trial.id: i for i, trial in enumerate(first) if trial}
        measured = [trial for trial in self.trials if trial.latency]
        return sorted(measured, key=lambda trial: (place.get(trial.id, len(first)), -(trial.throughput or trial.latency).value))

    def __repr__(self):
        count = sum(1 for trial in self.trials if trial.latency)
        return f"<study {self.id} of {self.model}, {count} of {len(self.trials)} configurations measured. {self._headline()}>"

    def _repr_html_(self):
        """The table that notebooks show."""
        most = 12
        measured = self._measured()
        rows = []
        for trial in measured[:most]:
            mark = "✔ " if trial is self.best else ""
            cells = [mark + trial.id, trial.device, trial.name, f"{trial.latency} ms",
                     f"{trial.throughput}" if trial.throughput else "",
                     f"{trial.quality['cosine']:.4f}" if trial.quality and trial.quality["cosine"] is not None else ""]
            rows.append("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
        if len(measured) > most:
            rows.append(f'<tr><td colspan="6">… and {len(measured) - most} more: study.frame()</td></tr>')
        head = "".join(f"<th>{name}</th>" for name in
                       ("Trial", "Device", "Configuration", "Median time of a pass", "Samples/s", "Cosine"))
        return (f"<p><b>{html.escape(self.model)}</b>, study {self.id}: {html.escape(self._headline())}</p>"
                f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>")


def arguments_of(options):
    """Turn keyword arguments into options of the command line: budget="1m" → --budget 1m, batches=[1, 4] → --batches 1,4,
    spread=True → --spread, switch={"channels_last": ["on", "off"]} → --switch channels_last=on,off."""
    arguments = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(option)
        elif isinstance(value, dict):
            for key, entry in value.items():
                arguments += [option, f"{key}={_text(entry)}"]
        else:
            arguments += [option, _text(value)]
    return arguments


def _text(value):
    if isinstance(value, (list, tuple)):
        return ",".join(map(_text, value))
    if isinstance(value, bool):
        return "on" if value else "off"
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def open_study(study="last", store=None):
    """Open a study of a workspace: "s3", or "last". `store` is the workspace's file (default: the user's own)."""
    return Study(run("show", study, *store_arguments(store)), store)
