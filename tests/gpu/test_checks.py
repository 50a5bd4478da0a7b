# SPDX-License-Identifier: GPL-3.0-or-later
"""The GPU checks themselves, on planted documents: a good one passes each check, each spoilt one fails its own."""

import copy
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import checks  # noqa: E402


def trial(ident, level, precision, batch, median, **changes):
    document = {
        "id": ident, "state": "ok", "reason": None, "device_ms": {"median": median * 0.9},
        "config": {"level": level, "precision": precision, "batch": batch, "switches": {"cuda_graph": level == "O3"}},
        "latency_ms": {"median": median, "lo": median * 0.99, "hi": median * 1.01},
        "memory_bytes": {"process_peak": 9, "allocator_peak": 100, "device_peak": 500},
        "quality": {"max_abs": 1e-2 if precision == "tf32" else 1e-5},
        "conditions": {"gpu": {"clock_high_mhz": 1980, "power_cap_w": 700.0, "energy_j": median * 0.3}},
        "applied": [
            {"switch": "tf32", "state": "on" if precision == "tf32" else "off", "evidence": ""},
            {"switch": "cuda_graph", "state": "on" if level == "O3" else "off", "evidence": ""},
        ],
    }
    document.update(changes)
    return document


GOOD = {
    "trials": [
        trial("t1", "O0", "fp32", 1, 5.0),
        trial("t2", "O1", "fp32", 1, 4.0),
        trial("t3", "O1", "tf32", 1, 3.0),
        trial("t4", "O3", "fp16", 1, 1.0),
        trial("t5", "O1", "fp32", 4096, 0, state="failed", reason="oom: CUDA out of memory. Tried to allocate 90 GiB."),
        trial("t6", "O1", "fp32", 8192, 0, state="pruned", reason="batch_edge: Batch 4096 ran out of memory already."),
    ]
}


FP8 = {
    "trials": [
        trial("t1", "O3", "fp16", 1, 1.0),
        trial("t2", "O3", "fp8", 1, 1.1, memory_bytes={"device_peak": 300}, quality={"cosine": 0.999}, applied=[
            {"switch": "precision", "state": "on", "evidence": "50 of 161 constants are float8_e4m3fn"}]),
    ]
}


def verdicts(document):
    found = {}
    for results in (
        checks.levels_differ(document, 1), checks.tf32_differs(document, 1), checks.graphs_captured(document),
        checks.memory_agrees(document), checks.device_time_below_host_time(document),
        checks.conditions_told(document, 1980), checks.out_of_memory(
            {"trials": [t for t in document["trials"] if t["config"]["level"] == "O1" and t["config"]["precision"] == "fp32"]},
            4096),
        checks.everything_accounted_for(document),
    ):
        for name, passed, _ in results:
            found[name] = passed
    return found


def built(ident, level, precision, effort):
    made = trial(ident, level, precision, 1, 1.0)
    made["applied"] += [{"switch": f"builder_optimization_level_{n}", "state": "on" if n == effort else "off"}
                        for n in (2, 3, 5)]
    if precision != "fp32":
        made["applied"].append({"switch": "precision", "state": "on", "evidence": ""})
    return made


BUILT = {"trials": [built("t1", "O1", "fp32", 2), built("t2", "O2", "tf32", 3), built("t3", "O3", "fp16", 5),
                    built("t4", "O3", "bf16", 5)]}


class TensorRtChecksTest(unittest.TestCase):
    def failed(self, document):
        return [name for name, passed, _ in checks.builder_levels_read_back(document) if not passed]

    def test_what_tensorrt_must_show_passes_and_what_is_spoilt_fails(self):
        self.assertEqual(self.failed(BUILT), [])
        for number, name, word in ((0, "builder_optimization_level_2", "O1"), (2, "precision", "fp16")):
            spoilt = copy.deepcopy(BUILT)
            checks.switch_state(spoilt["trials"][number], name)["state"] = "requested_not_in_effect"
            self.assertEqual(len(self.failed(spoilt)), 1)
            self.assertIn(word, self.failed(spoilt)[0])
        spoilt = copy.deepcopy(BUILT)
        checks.switch_state(spoilt["trials"][0], "tf32")["state"] = "on"
        self.assertIn("TF32", self.failed(spoilt)[0])


class ChecksTest(unittest.TestCase):
    def test_a_good_document_passes_every_check(self):
        self.assertEqual([n for n, passed in verdicts(GOOD).items() if not passed], [])

    def assert_only_fails(self, spoil, *words):
        document = copy.deepcopy(GOOD)
        spoil(document["trials"])
        failed = [n for n, passed in verdicts(document).items() if not passed]
        self.assertTrue(failed)
        self.assertTrue(all(any(w in name for w in words) for name in failed), failed)

    def test_each_fault_is_seen(self):
        self.assert_only_fails(lambda t: t[3]["latency_ms"].update(median=6.0, lo=5.9, hi=6.1) or t[3].update(device_ms={"median": 1}), "faster")
        self.assert_only_fails(lambda t: t[1]["applied"][0].update(state="on"), "TF32 switch")
        self.assert_only_fails(lambda t: t[2]["quality"].update(max_abs=1e-5), "outputs")
        self.assert_only_fails(lambda t: t[3]["applied"][1].update(state="requested_not_in_effect"), "CUDA graph")
        self.assert_only_fails(lambda t: t[0]["memory_bytes"].update(allocator_peak=900), "memory agree")
        self.assert_only_fails(lambda t: t[0].update(device_ms={"median": 50.0}), "device time")
        self.assert_only_fails(lambda t: t[0].update(conditions={"gpu": None}), "clock and power cap")
        self.assert_only_fails(lambda t: t[0]["conditions"]["gpu"].update(clock_high_mhz=2500), "highest")
        self.assert_only_fails(lambda t: t[0]["conditions"]["gpu"].update(energy_j=9.0), "energy")
        self.assert_only_fails(lambda t: t[4].update(reason="model_threw: No."), "beyond the GPU's memory")
        self.assert_only_fails(lambda t: t[4].update(reason=None), "says why", "beyond the GPU's memory")
        self.assert_only_fails(lambda t: t[5].update(reason="budget: No time."), "left out because of it")
        self.assert_only_fails(lambda t: t.pop(2), "tf32")

    def test_memory_that_ran_out_on_the_host_is_not_taken_for_the_gpus(self):
        host = "oom: [enforce fail at alloc_cpu.cpp:124] DefaultCPUAllocator: can't allocate memory"
        self.assert_only_fails(lambda t: t[4].update(reason=host), "beyond the GPU's memory")

    def test_a_gpu_that_is_unusable_after_it_ran_out_of_memory_is_seen(self):
        self.assertTrue(passed(checks.measures_again({"trials": GOOD["trials"][:1]})))
        self.assertFalse(passed(checks.measures_again({"trials": GOOD["trials"][4:5]})))
        self.assertFalse(passed(checks.measures_again({"trials": []})))

    def test_a_gpu_that_is_seen_but_not_usable_fails(self):
        document = {"backends": [{"name": "libtorch", "devices": ["cpu", "cuda:0"], "reason": None, "notes": []}],
                    "captures": [{"name": "kernel trace", "available": True, "reason": None}]}
        self.assertTrue(passed(checks.gpu_usable(document)))
        document["captures"][0].update(available=False, reason="CUPTI was not found.")
        self.assertEqual([e for _, ok, e in checks.gpu_usable(document) if not ok], ["CUPTI was not found."])
        document["backends"][0].update(devices=["cpu"], notes=["CUDA is unavailable: no NVIDIA driver"])
        self.assertIn("CUDA is unavailable: no NVIDIA driver", [e for _, ok, e in checks.gpu_usable(document) if not ok])

    def test_fp8_is_in_effect_or_explained(self):
        self.assertTrue(passed(checks.fp8_stored(FP8)))
        needs = "fp8 needs compute capability 8.9, NVIDIA A40 has 8.6."
        refused = trial("t3", "O3", "fp8", 1, 0, state="pruned", reason=needs)
        self.assertTrue(passed(checks.fp8_stored({"trials": [FP8["trials"][0], refused]})))
        for spoil in (
            lambda t: t.pop(), lambda t: t.pop(0), lambda t: t[1]["applied"][0].update(state="requested_not_in_effect"),
            lambda t: t[1]["memory_bytes"].update(device_peak=500), lambda t: t[1]["quality"].update(cosine=0.9),
            lambda t: t[1].update(state="failed", reason="The model threw."),
        ):
            document = copy.deepcopy(FP8)
            spoil(document["trials"])
            self.assertFalse(passed(checks.fp8_stored(document)))


TRACE = {
    "name": "resnet50 O1 fp32 b1", "kinds": [{"kind": "kernel", "events": 900}, {"kind": "counter", "events": 40}],
    "losses": [{"severity": "notice", "count": 0, "reason": "Clocks were not locked."}],
    "cost": {"ratio": {"median": 1.02}},
}
LINKS = {"kernels": 900, "without_operator": 0, "without_call": 0, "of_graphs": 5}
SAMPLES = [
    {"label": "SM active", "unit": "1e-3 %", "least": 0, "most": 88_000},
    {"label": "DRAM read", "unit": "B/s", "least": 0, "most": 3_000_000_000_000},
]


def passed(results):
    results = list(results)
    return bool(results) and all(ok for _, ok, _ in results)


class TraceChecksTest(unittest.TestCase):
    def spoilt(self, document, **changes):
        return {**copy.deepcopy(document), **changes}

    def test_a_good_trace_passes(self):
        self.assertTrue(passed(checks.nothing_dropped(TRACE)))
        self.assertTrue(passed(checks.overhead_known(TRACE)))
        self.assertTrue(passed(checks.links_complete(LINKS, False)))
        self.assertTrue(passed(checks.links_complete(LINKS, True)))
        self.assertTrue(passed(checks.cause_named("extra waits", "waits-in-iteration", {"findings": [{"rule": "waits-in-iteration", "title": "t"}]})))
        self.assertTrue(passed(checks.counters_there([TRACE, TRACE], "", True)))
        self.assertTrue(passed(checks.counters_there([], "administrators only", False)))
        self.assertTrue(passed(checks.counters_plausible(SAMPLES)))

    def test_each_fault_is_seen(self):
        error = [{"severity": "error", "count": 3, "reason": "CUPTI dropped records."}]
        self.assertFalse(passed(checks.nothing_dropped(self.spoilt(TRACE, losses=error))))
        self.assertFalse(passed(checks.nothing_dropped(self.spoilt(TRACE, kinds=[]))))
        self.assertFalse(passed(checks.overhead_known(self.spoilt(TRACE, cost=None))))
        for change in ({"without_operator": 1}, {"without_call": 2}, {"kernels": 0}):
            self.assertFalse(passed(checks.links_complete(self.spoilt(LINKS, **change), False)))
        self.assertFalse(passed(checks.links_complete(self.spoilt(LINKS, of_graphs=0), True)))
        self.assertFalse(passed(checks.cause_named("extra waits", "waits-in-iteration", {"findings": [{"rule": "device-idle", "title": "t"}]})))
        self.assertFalse(passed(checks.counters_there([TRACE], "", True)))
        self.assertFalse(passed(checks.counters_there([TRACE, self.spoilt(TRACE, losses=error)], "", True)))
        self.assertFalse(passed(checks.counters_there([], "", False)))
        self.assertFalse(passed(checks.counters_plausible([])))
        self.assertFalse(passed(checks.counters_plausible([{**SAMPLES[0], "most": 500}])))
        self.assertFalse(passed(checks.counters_plausible([{**SAMPLES[0], "least": -1}])))

    def test_the_query_for_links_asks_for_what_the_check_reads(self):
        for column in LINKS:
            self.assertIn(f"AS {column}", checks.UNLINKED.replace("\n", " "))


if __name__ == "__main__":
    unittest.main()
