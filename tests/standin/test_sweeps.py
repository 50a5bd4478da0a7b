# SPDX-License-Identifier: GPL-3.0-or-later
"""The way through Apertune on a GPU: devices, sweep, graphs, memory, traces, reports.

    test_sweeps.py APERTUNE LIBRARIES"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "gpu"))
import checks  # noqa: E402
from standin import StandinCase  # noqa: E402

LIBRARIES = sys.argv.pop()
APERTUNE = sys.argv.pop()
MEBIBYTE = 1 << 20


class SweepsTest(StandinCase):
    apertune, libraries = APERTUNE, LIBRARIES

    def assert_measured(self, trials):
        self.assertTrue(trials)
        for trial in trials:
            self.assertEqual(trial["state"], "ok", trial["reason"])
            self.assertEqual(trial["quality"]["cosine"], 1.0)

    def test_the_gpu_is_seen_with_all_that_it_can_do(self):
        document = self.standin.run("device", "list")
        gpu = next(d for d in document["devices"] if d["id"] == "cuda:0")
        self.assertEqual(gpu["name"], "NVIDIA H200")
        available = {c["name"]: c["available"] for c in document["captures"]}
        for name in ("GPU timing", "kernel trace", "GPU telemetry"):
            self.assertTrue(available[name], name)
        libtorch = next(b for b in document["backends"] if b["name"] == "libtorch")
        self.assertEqual(libtorch["devices"], ["cpu", "cuda:0"])
        self.assertNotIn("CUDA is unavailable", " ".join(libtorch["notes"]))

    def test_a_sweep_measures_as_loaded_and_frozen(self):
        trials = self.standin.tune("pooling", levels="O0,O1", measuring="30s", confirms=True)
        self.assert_measured(trials)
        for trial in trials:
            self.assertGreater(trial["device_ms"]["median"], 0)

    def test_the_memory_told_is_the_memory_handed_out_with_and_without_a_graph(self):
        self.standin.take_tally()
        trials = self.standin.tune("large_activations", "--switch", "cuda_graph=on,off", batches="2", measuring="0")
        eager, graph = sorted(trials, key=lambda t: t["config"]["switches"]["cuda_graph"])
        self.assert_measured([eager, graph])
        handed_out = {p["peak_bytes"] for p in self.standin.take_tally() if p["launches"] and not p["graph_launches"]}
        self.assertEqual(handed_out, {eager["memory_bytes"]["device_peak"]})
        # A graph has inputs of its own, and otherwise needs what eager execution needs.
        inputs = 2 * 16384 * 4 + 4096
        own = 2 * MEBIBYTE  # LibTorch hands out small tensors from blocks of this size
        for figure, more in (("allocator_peak", inputs), ("device_peak", own)):
            self.assertAlmostEqual(graph["memory_bytes"][figure], eager["memory_bytes"][figure], delta=more)

    def test_a_compiled_package_is_measured_with_its_weights_in_the_peak(self):
        trials = self.standin.tune("weighted", levels="O3", measuring="0")
        self.assert_measured(trials)
        self.assertGreater(trials[0]["memory_bytes"]["allocator_peak"], 32 * MEBIBYTE)
        self.assertEqual(next(a for a in trials[0]["applied"] if a["switch"] == "aoti")["state"], "on")

    def test_a_captured_graph_is_told_by_its_nodes(self):
        trials = self.standin.tune("pooling", "--switch", "cuda_graph=on")
        self.assert_measured(trials)
        applied = {a["switch"]: a for a in trials[0]["applied"]}
        graph = applied["cuda_graph"]
        self.assertEqual((graph["state"], graph["evidence"]), ("on", "graph of 37 nodes"))

    def test_memory_runs_out_at_a_batch_and_the_ones_before_are_measured(self):
        trials = {t["config"]["batch"]: t for t in self.standin.tune("large_activations", batches="1,2,16,32",
                                                                      memory="4G", measuring="0")}
        self.assert_measured([trials[1], trials[2]])
        self.assertEqual(trials[16]["state"], "failed")
        self.assertIn("oom: Memory ran out: CUDA out of memory", trials[16]["reason"])
        self.assertEqual(trials[32]["state"], "pruned")
        self.assertIn("batch_edge: Batch 16 of this configuration already ran out of memory", trials[32]["reason"])

    def trace(self, *switches):
        trial = self.standin.tune("pooling", *switches)[0]["id"]
        return self.standin.run("trace", "record", trial)

    def test_every_kernel_of_a_trace_leads_to_its_call_and_operator(self):
        document = self.trace()
        links = self.standin.rows(checks.UNLINKED, document["trace"])[0]
        for name, passed, evidence in (*checks.nothing_dropped(document), *checks.overhead_known(document),
                                       *checks.links_complete(links, False)):
            self.assertTrue(passed, f"{name}: {evidence}")
        outside = self.standin.rows(
            "SELECT count(*) AS n FROM kernel k WHERE NOT EXISTS (SELECT 1 FROM range r WHERE r.name LIKE 'iteration%' "
            'AND k.start_ns >= r.start_ns AND k.end_ns <= r.end_ns)', document["trace"])
        self.assertEqual(outside[0]["n"], 0, "every kernel lies in its iteration")
        report = self.standin.run("trace", "report", document["trace"])
        self.assertIn("tiny-kernels", str(report))

    def test_a_graph_is_traced_by_its_nodes_or_as_a_whole(self):
        trial = self.standin.tune("pooling", "--switch", "cuda_graph=on")[0]["id"]
        counts = {}
        for graphs in ("node", "launch"):
            document = self.standin.run("trace", "record", trial, "--graphs", graphs)
            counts[graphs] = {k["kind"]: k["events"] for k in document["kinds"]}
        self.assertEqual(counts["node"]["kernel"], 37 * 20)
        self.assertNotIn("kernel", counts["launch"])
        self.assertEqual(counts["launch"]["graph_launch"], 20)


if __name__ == "__main__":
    unittest.main()
