# SPDX-License-Identifier: GPL-3.0-or-later
"""Requirements on a sweep, a trace and its counters on a real GPU. Pure functions over the documents that apertune
prints: each yields (name, passed, evidence), so that the same checks are tested on planted documents where there is no
GPU."""

from __future__ import annotations

from typing import Iterator

Check = tuple[str, bool, str]


def gpu_usable(document: dict) -> Iterator[Check]:
    """The driver shows a GPU, and the backends and profilers can use it. Of an "apertune.devices/1" document."""
    libtorch = next((b for b in document["backends"] if b["name"] == "libtorch"), None)
    uses = libtorch is not None and "cuda:0" in libtorch["devices"]
    why = "there is no such backend" if libtorch is None else libtorch["reason"] or "; ".join(libtorch["notes"])
    yield "LibTorch uses the GPU", uses, "cuda:0" if uses else why
    if uses:
        denied = [note for note in libtorch["notes"] if "unavailable" in note]
        yield "no remark denies it", not denied, "; ".join(denied) or "none"
    for capture in document["captures"]:
        if capture["name"] in ("GPU timing", "kernel trace", "GPU telemetry"):
            yield f'{capture["name"]} is possible', capture["available"], f'{capture["reason"] or "yes"}'


def finished(document: dict) -> list[dict]:
    return [t for t in document["trials"] if t["state"] == "ok"]


def configuration(document: dict, level: str, precision: str, batch: int) -> dict | None:
    for trial in finished(document):
        config = trial["config"]
        if (config["level"], config["precision"], config["batch"]) == (level, precision, batch):
            return trial
    return None


def switch_state(trial: dict, name: str) -> dict | None:
    return next((a for a in trial["applied"] if a["switch"] == name), None)


def levels_differ(document: dict, batch: int) -> Iterator[Check]:
    """O1 at 16 bit must not be slower than O0 fp32, and O3 must beat O0 fp32 beyond both intervals."""
    base = configuration(document, "O0", "fp32", batch)
    best = configuration(document, "O3", "fp16", batch)
    if base is None or best is None:
        missing = "O0 fp32" if base is None else "O3 fp16"
        yield f"levels differ at batch {batch}", False, f"{missing} was not measured"
        return
    ends = best["latency_ms"]["hi"], base["latency_ms"]["lo"]
    separated = None not in ends and ends[0] < ends[1]
    yield (
        f"O3 fp16 is faster than O0 fp32 at batch {batch}",
        separated,
        f'{best["latency_ms"]["median"]:.3f} ms against {base["latency_ms"]["median"]:.3f} ms',
    )


def tf32_differs(document: dict, batch: int) -> Iterator[Check]:
    """fp32 must really be fp32: outputs of tf32 and fp32 at one level differ by more than fp32 repeats itself."""
    fp32 = configuration(document, "O1", "fp32", batch)
    tf32 = configuration(document, "O1", "tf32", batch)
    if fp32 is None or tf32 is None:
        yield f"tf32 and fp32 differ at batch {batch}", False, "O1 fp32 or O1 tf32 was not measured"
        return
    flags = switch_state(fp32, "tf32"), switch_state(tf32, "tf32")
    yield (
        f"the TF32 switch reads back off for fp32 and on for tf32 at batch {batch}",
        flags[0] is not None and flags[0]["state"] == "off" and flags[1] is not None and flags[1]["state"] == "on",
        f"{flags[0]} / {flags[1]}",
    )
    a, b = fp32["quality"], tf32["quality"]
    if a is None or b is None:
        yield f"tf32 changes the outputs at batch {batch}", False, "a trial has no quality"
        return
    yield (
        f"tf32 changes the outputs more than O1 fp32 does at batch {batch}",
        b["max_abs"] > 2 * a["max_abs"],
        f'max_abs {b["max_abs"]:.3g} against {a["max_abs"]:.3g}',
    )


def fp8_stored(document: dict) -> Iterator[Check]:
    """Where the GPU has fp8 the weights are in it, their package is smaller than that of fp16 and the outputs agree;
    elsewhere the cell says what it would need."""
    refused = [t for t in document["trials"] if t["config"]["precision"] == "fp8" and "8.9" in (t["reason"] or "")]
    if refused:
        yield "fp8 on a GPU without it is explained", True, refused[0]["reason"]
        return
    fp8, fp16 = configuration(document, "O3", "fp8", 1), configuration(document, "O3", "fp16", 1)
    if fp8 is None or fp16 is None:
        yield "fp8 is measured", False, f"O3 {'fp8' if fp8 is None else 'fp16'} was not measured"
        return
    read = switch_state(fp8, "precision") or {"state": "not recorded", "evidence": ""}
    yield "fp8 weights are read back", read["state"] == "on" and "float8" in read["evidence"], str(read)
    peaks = [t["memory_bytes"]["device_peak"] for t in (fp8, fp16)]
    yield "fp8 weights take less memory than fp16", None not in peaks and peaks[0] < peaks[1], f"{peaks[0]} against {peaks[1]} bytes"
    cosine = (fp8["quality"] or {}).get("cosine")
    yield "fp8 agrees with fp32", cosine is not None and cosine > 0.99, f"cosine {cosine}"


def graphs_captured(document: dict) -> Iterator[Check]:
    compiled = [t for t in finished(document) if t["config"]["switches"].get("cuda_graph")]
    captured = [t for t in compiled if (switch_state(t, "cuda_graph") or {}).get("state") == "on"]
    yield (
        "every trial that asked for a CUDA graph replays one",
        bool(compiled) and len(captured) == len(compiled),
        f"{len(captured)} of {len(compiled)}",
    )


def builder_levels_read_back(document: dict) -> Iterator[Check]:
    """TensorRT: each level built at its own effort, and 16 bits and TF32 are in the layers that it tells of."""
    for level, name in (("O1", "builder_optimization_level_2"), ("O2", "builder_optimization_level_3"),
                        ("O3", "builder_optimization_level_5")):
        trials = [t for t in finished(document) if t["config"]["level"] == level]
        built = [t for t in trials if (switch_state(t, name) or {}).get("state") == "on"]
        yield f"TensorRT builds {level} at its own effort", bool(trials) and len(built) == len(trials), f"{len(built)} of {len(trials)}"
    for precision in ("tf32", "fp16", "bf16"):
        trials = [t for t in finished(document) if t["config"]["precision"] == precision]
        there = [t for t in trials if (switch_state(t, "precision") or {}).get("state") == "on"]
        yield f"TensorRT computes in {precision} when asked to", bool(trials) and bool(there), f"{len(there)} of {len(trials)}"
    exact = [t for t in finished(document) if t["config"]["precision"] == "fp32"]
    clean = [t for t in exact if (switch_state(t, "tf32") or {}).get("state") == "off"]
    yield "TensorRT's fp32 runs no kernel of TF32", bool(exact) and len(clean) == len(exact), f"{len(clean)} of {len(exact)}"


def memory_agrees(document: dict) -> Iterator[Check]:
    """The bytes that the allocator counted cannot exceed what the device gave to the process, nor be zero."""
    bad = []
    seen = 0
    for trial in finished(document):
        memory = trial["memory_bytes"]
        allocator, device = memory["allocator_peak"], memory["device_peak"]
        seen += 1
        if not allocator or not device or allocator > device:
            bad.append(f'{trial["id"]}: allocator {allocator}, device {device}')
    yield "allocator and device memory agree", seen > 0 and not bad, "; ".join(bad) or f"{seen} trials"


def device_time_below_host_time(document: dict) -> Iterator[Check]:
    timed = [t for t in finished(document) if t.get("device_ms") is not None]
    bad = [t["id"] for t in timed if t["device_ms"]["median"] > t["latency_ms"]["median"] * 1.05]
    yield "device time is at most host time", bool(timed) and not bad, f"{len(timed)} timed, {len(bad)} beyond"


def conditions_told(document: dict, max_clock_mhz: int) -> Iterator[Check]:
    """Readings of the driver while each trial ran: clocks that the GPU has, and an energy that its power cap allows."""
    seen = {t["id"]: (t.get("conditions") or {}).get("gpu") for t in finished(document)}
    missing = [i for i, gpu in seen.items() if not (gpu and gpu["clock_high_mhz"] and gpu["power_cap_w"])]
    yield "every trial tells the GPU's clock and power cap", bool(seen) and not missing, ", ".join(missing) or f"{len(seen)} trials"
    fast = [f'{i}: {gpu["clock_high_mhz"]} MHz' for i, gpu in seen.items() if gpu and (gpu["clock_high_mhz"] or 0) > max_clock_mhz]
    yield "no clock is above the GPU's highest", not fast, ", ".join(fast) or f"at most {max_clock_mhz} MHz"
    watts = {}
    for trial in finished(document):
        gpu = seen[trial["id"]]
        if gpu and gpu["energy_j"] and gpu["power_cap_w"]:
            watts[trial["id"]] = gpu["energy_j"] / (trial["latency_ms"]["median"] / 1e3) / gpu["power_cap_w"]
    bad = [i for i, share in watts.items() if not 0.02 < share < 1.2]
    yield (
        "energy of a pass over its time is a power below the cap",
        bool(watts) and not bad,
        ", ".join(f"{i}: {share:.0%} of the cap" for i, share in watts.items()) or "no trial has an energy",
    )


def out_of_memory(document: dict, batch: int) -> Iterator[Check]:
    """The GPU's own memory ran out, not the host's; what is larger was not tried; what fits was measured."""
    rows = {t["config"]["batch"]: t for t in document["trials"]}
    fits, beyond, larger = (rows.get(b, {"state": "not planned", "reason": None}) for b in (1, batch, 2 * batch))
    yield "a batch that fits is measured", fits["state"] == "ok", f'{fits["state"]}: {fits["reason"]}'
    reason = beyond["reason"] or ""
    yield (
        "a batch beyond the GPU's memory is a failed row with CUDA's reason",
        beyond["state"] == "failed" and reason.startswith("oom") and "CUDA out of memory" in reason,
        f'batch {batch}: {beyond["state"]}: {reason}',
    )
    yield (
        "a larger one is left out because of it",
        larger["state"] == "pruned" and (larger["reason"] or "").startswith("batch_edge"),
        f'batch {2 * batch}: {larger["state"]}: {larger["reason"]}',
    )


def measures_again(document: dict) -> Iterator[Check]:
    """The device is usable after it ran out of memory."""
    states = [f'{t["state"]}: {t["reason"]}' for t in document["trials"]]
    yield "the next sweep measures", bool(finished(document)) and len(finished(document)) == len(states), "; ".join(states)


def everything_accounted_for(document: dict) -> Iterator[Check]:
    silent = [t["id"] for t in document["trials"] if t["state"] != "ok" and not t["reason"]]
    yield "every trial that is not ok says why", not silent, ", ".join(map(str, silent)) or f'{len(document["trials"])} trials'


# --- Traces -------------------------------------------------------------------------------------------------------
# Of an "apertune.trace/1" document and, for links, rows of `apertune workspace query --json` as one dictionary.

UNLINKED = """SELECT count(*) AS kernels,
  coalesce(sum(coalesce(e.link, 0) = 0 AND coalesce(e.graph, 0) = 0), 0) AS without_operator,
  coalesce(sum(coalesce(e.graph, 0) = 0 AND NOT EXISTS (SELECT 1 FROM runtime_call r WHERE r.correlation =
    e.correlation) AND NOT EXISTS (SELECT 1 FROM driver_call d WHERE d.correlation = e.correlation)), 0) AS without_call,
  coalesce(sum(coalesce(e.graph, 0) <> 0), 0) AS of_graphs FROM kernel e"""


def nothing_dropped(trace: dict) -> Iterator[Check]:
    lost = [f'{e["count"]}: {e["reason"]}' for e in trace["losses"] if e["severity"] == "error"]
    kernels = next((k["events"] for k in trace["kinds"] if k["kind"] == "kernel"), 0)
    yield "nothing is dropped", kernels > 0 and not lost, "; ".join(lost) or f"{kernels} kernels"


def overhead_known(trace: dict) -> Iterator[Check]:
    cost = trace["cost"]
    yield (
        "what recording costs is known",
        cost is not None,
        "no cost" if cost is None else f'{cost["ratio"]["median"]:.3f} times the bare iteration',
    )


def links_complete(links: dict, graphs: bool) -> Iterator[Check]:
    """Every kernel outside of graphs has the call that launched it and the operator it was launched for."""
    broken = links["without_operator"] + links["without_call"]
    yield (
        "kernels outside of graphs lead to their operators",
        links["kernels"] > 0 and broken == 0,
        f'{links["without_operator"]} without operator, {links["without_call"]} without call of {links["kernels"]}',
    )
    if graphs:
        yield "its kernels belong to a graph", links["of_graphs"] > 0, f'{links["of_graphs"]} of {links["kernels"]}'


def cause_named(cause: str, rule: str, report: dict) -> Iterator[Check]:
    found = [f for f in report["findings"] if f["rule"] == rule]
    yield (
        f"{cause} are named ({rule})",
        bool(found),
        found[0]["title"] if found else "found only " + ", ".join(f["rule"] for f in report["findings"]),
    )


def counters_there(metrics: list[dict], reason: str, possible: bool) -> Iterator[Check]:
    """The passes for hardware counters: there when the device says they are possible, explained when not."""
    if not possible:
        yield "counters that cannot be read are explained", bool(reason), reason or "no reason"
        return
    yield "both passes for counters are there", len(metrics) == 2, reason or f"{len(metrics)} of 2"
    for trace in metrics:
        samples = next((k["events"] for k in trace["kinds"] if k["kind"] == "counter"), 0)
        lost = [e["reason"] for e in trace["losses"] if e["severity"] == "error"]
        yield f'{trace["name"]} has samples', samples > 0 and not lost, "; ".join(lost) or f"{samples} samples"
        for name, passed, evidence in overhead_known(trace):
            yield f'{trace["name"]}: {name}', passed, evidence


def counters_plausible(rows: list[dict]) -> Iterator[Check]:
    """Shares between 0 and 100 %, and an SM that was active while a model ran. Rows: label, unit, least, most."""
    known = {r["label"]: r for r in rows}
    bad = [r["label"] for r in rows if r["unit"].endswith("%") and not 0 <= r["least"] <= r["most"] <= 101_000]
    yield "shares are shares", bool(rows) and not bad, ", ".join(bad) or f"{len(rows)} counters"
    active = known.get("SM active")
    yield "the SMs were active", active is not None and active["most"] > 1000, str(active)
