# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests the message of each fault of a GPU, and that the sweep continues.

    test_faults.py APERTUNE LIBRARIES

The words are those that a user has to read; what the stand-in does is README.md's."""

import sys
import unittest

from standin import StandinCase

LIBRARIES = sys.argv.pop()
APERTUNE = sys.argv.pop()

# Fault, settings of the stand-in, words of `device list` (of the notes and of what cannot be recorded).
REFUSING_DRIVERS = (
    ("a driver of CUDA 12.2", {"driver": "535.183.01"}, ("driver version is insufficient", "CUDA 12.2", "CUDA 13.0")),
    ("a driver of CUDA 12.4", {"driver": "550.54.14"}, ("driver version is insufficient", "CUDA 12.4", "CUDA 13.0")),
    ("a driver of CUDA 12.8", {"driver": "570.86.15"}, ("driver version is insufficient", "CUDA 12.8", "CUDA 13.0")),
    ("a runtime that finds the driver too old", {"cuinit": "35"}, ("driver version is insufficient",)),
    ("a fabric manager that does not run", {"cuinit": "802"}, ("system not yet initialized",)),
    ("a driver that sees no GPU", {"cuinit": "100"}, ("no CUDA-capable device is detected",)),
)

# Fault, settings, words of the trial's reason.
FAILING_TRIALS = (
    ("an allocation that fails", {"fail_allocation": "2"}, ("oom: Memory ran out: CUDA out of memory",)),
    ("a kernel that writes where it must not", {"fault_launch": "300"},
     ("device_lost: The device stopped working: an illegal memory access was encountered",)),
    ("a card older than LibTorch's kernels", {"gpu": "v100"},
     ("no kernel image is available for execution on the device",)),
)

# Fault, settings, words that stand beside the trace.
TRACES = (
    ("a tool that is attached already", {"subscriber": "Nsight Systems"}, ("Nsight Systems",)),
    ("a CUPTI of another major version", {"cupti": "120800"}, ("120800",)),
    ("records that CUPTI drops", {"drop_record": "50"}, ("dropped",)),
)


class FaultsTest(StandinCase):
    apertune, libraries = APERTUNE, LIBRARIES

    def assert_said(self, words, text):
        for word in words:
            self.assertIn(word, text)

    def assert_goes_on(self):
        """Without the fault the same configuration is measured."""
        self.assertEqual(self.standin.tune("pooling")[0]["state"], "ok")

    def test_a_driver_that_refuses_is_quoted_before_anything_is_measured(self):
        for fault, settings, words in REFUSING_DRIVERS:
            with self.subTest(fault):
                document = self.standin.run("device", "list", **settings)
                notes = " ".join(note for b in document["backends"] for note in b.get("notes", []))
                self.assert_said(words, notes)
                captures = {c["name"]: c for c in document["captures"]}
                self.assertFalse(captures["GPU timing"]["available"])
                self.assertTrue(captures["CPU timing"]["available"])
                trial = self.standin.tune("pooling", **settings)[0]
                self.assertEqual(trial["state"], "pruned")
                self.assert_said(("impossible: ", *words), trial["reason"])
        self.assert_goes_on()

    def test_a_trial_that_fails_says_why_and_the_next_one_runs(self):
        for fault, settings, words in FAILING_TRIALS:
            with self.subTest(fault):
                trial = self.standin.tune("pooling", **settings)[0]
                self.assertEqual(trial["state"], "failed")
                self.assert_said(words, trial["reason"])
        self.assert_goes_on()

    def test_a_capture_that_is_invalidated_is_told_and_the_model_runs_without_a_graph(self):
        trial = self.standin.tune("pooling", "--switch", "cuda_graph=on", break_capture="5")[0]
        self.assertEqual(trial["state"], "ok", trial["reason"])
        self.assertEqual(trial["quality"]["cosine"], 1.0)
        graph = next(a for a in trial["applied"] if a["switch"] == "cuda_graph")
        self.assertEqual(graph["state"], "requested_not_in_effect")
        self.assert_said(("capture failed: ", "operation failed due to a previous error during capture"),
                         graph["evidence"])

    def test_a_trace_without_records_or_with_fewer_says_so(self):
        trial = self.standin.tune("pooling")[0]["id"]
        for fault, settings, words in TRACES:
            with self.subTest(fault):
                document = self.standin.run("trace", "record", trial, **settings)
                self.assert_said(words, " ".join(loss["reason"] for loss in document["losses"]))
                self.assertGreater(document["events"], 0)

    def test_a_clock_that_is_held_back_is_told_beside_the_trace(self):
        trial = self.standin.tune("pooling")[0]["id"]
        document = self.standin.run("trace", "record", trial, throttle="power,heat")
        self.assert_said(("power cap", "heat"), " ".join(loss["reason"] for loss in document["losses"]))

    def test_a_container_without_the_management_library_is_told_what_it_lacks(self):
        document = self.standin.run("device", "list", without="libnvidia-ml")
        timing = next(c for c in document["captures"] if c["name"] == "GPU timing")
        self.assertTrue(timing["available"])
        self.assertEqual([d["name"] for d in document["devices"][1:]], ["NVIDIA H200"])
        telemetry = next(c for c in document["captures"] if c["name"] == "GPU telemetry")
        self.assertIn("without its library libnvidia-ml.so.1", telemetry["reason"])
        self.assertIn("NVIDIA_DRIVER_CAPABILITIES", telemetry["remedy"])
        trial = self.standin.tune("pooling", without="libnvidia-ml")[0]
        self.assertEqual((trial["device"], trial["state"]), ("cuda:0", "ok"), trial["reason"])

    def test_a_gpu_that_heat_slows_down_flags_its_trial(self):
        trial = self.standin.tune("pooling", throttle="heat")[0]
        self.assertEqual(trial["state"], "ok", trial["reason"])
        self.assertIn("throttled", trial["flags"])
        self.assertGreater(trial["conditions"]["throttled_blocks"], 0)

    def test_several_gpus_are_listed_and_each_is_measured(self):
        document = self.standin.run("device", "list", gpus="2")
        self.assertEqual([d["id"] for d in document["devices"]], ["cpu", "cuda:0", "cuda:1"])
        trials = self.standin.tune("pooling", device="cuda:1", gpus="2")
        self.assertEqual([(t["device"], t["state"]) for t in trials], [("cuda:1", "ok")])

    def test_a_mig_instance_is_measured_as_the_gpu_that_it_is(self):
        document = self.standin.run("device", "list", mig="1g.18gb")
        gpu = next(d for d in document["devices"] if d["id"] == "cuda:0")
        self.assertEqual((gpu["name"], gpu["memory_bytes"]), ("NVIDIA H200 MIG 1g.18gb", 18 << 30))
        counters = next(c for c in document["captures"] if c["name"] == "hardware counters")
        self.assertIn("MIG", counters["reason"])
        self.assertEqual(self.standin.tune("pooling", mig="1g.18gb")[0]["state"], "ok")


if __name__ == "__main__":
    unittest.main()
