# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests several GPUs, GPUs that other processes use, and the facts of a trial's GPU.

    test_gpus.py APERTUNE LIBRARIES"""

import datetime
import os
import sys
import unittest

from standin import StandinCase

LIBRARIES = sys.argv.pop()
APERTUNE = sys.argv.pop()
BOTH = "cuda:0,cuda:1"
# A pass uses the GPU time of 37 kernels and almost no processor time.
WAITING = {"gpus": "2", "wait": "sleep", "kernel_ns": "1600000"}
SPREAD = ("--levels", "O0,O1", "--precisions", "fp32,fp16")


class GpusTest(StandinCase):
    apertune, libraries = APERTUNE, LIBRARIES

    def study(self, *arguments, **settings):
        return self.standin.run("tune", *arguments, "--search", "grid", "--budget", "0", **settings)

    def times(self, study):
        """(device, begin, end) of each measured trial, and the begin of the study, in seconds."""
        document = self.standin.run(
            "workspace", "query", "SELECT t.device, t.started_utc, t.finished_utc, s.created_utc FROM trial t "
            f"JOIN study s ON s.id = t.study_id WHERE s.id = {study['id'][1:]} AND t.state = 3")
        second = lambda text: datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
        rows = [(row[0], second(row[1]), second(row[2])) for row in document["rows"]]
        return rows, second(document["rows"][0][3])

    def model(self, name):
        from standin import MODELS
        return f"python:{MODELS}:{name}"

    def test_two_gpus_share_the_configurations_side_by_side(self):
        """Prints how long they take, next to one GPU."""
        self.study(self.model("pooling"), "--devices", "cuda:0", "--levels", "O0", "--batches", "1",
                   **WAITING)  # the model is imported
        seconds, found = {}, {}
        for devices in ("cuda:0", BOTH):
            # The precision cannot be reached, so that each trial uses its whole time.
            study = self.study(self.model("pooling"), "--devices", devices, "--spread", "--batches", "1", "--target",
                               "0.001%", *SPREAD, **WAITING)
            said = self.standin.stderr
            rows, begin = self.times(study)
            self.assertEqual({t["state"] for t in study["trials"]}, {"ok"}, study["trials"])
            seconds[devices] = max(end for _, _, end in rows) - begin
            found[devices] = {str(t["config"]) for t in study["trials"]}
        interference = study["interference"]
        self.assertEqual(len(interference["devices"]), 2)
        self.assertEqual(found[BOTH], found["cuda:0"], "both studies have the same configurations")
        print(f"one GPU {seconds['cuda:0']:.1f} s, two {seconds[BOTH]:.1f} s, ratio",
              f"{seconds[BOTH] / seconds['cuda:0']:.3f}; {interference}", file=sys.stderr)
        if interference["verdict"] != "undisturbed":
            self.skipTest(f"this machine is busy: {interference['text']}")
        self.assertIn("are measured side by side", said)
        spans = {device: [(begin, end) for d, begin, end in rows if d == device] for device in BOTH.split(",")}
        self.assertTrue(any(a < d and c < b for a, b in spans["cuda:0"] for c, d in spans["cuda:1"]), "at once")
        shown = self.standin.run("show", study["id"])
        self.assertEqual(shown["interference"], interference, "the workspace keeps it")

    def test_gpus_whose_kernels_spin_on_one_processor_follow_each_other(self):
        allowed = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(allowed)})
        try:
            study = self.study(self.model("pooling"), "--devices", BOTH, "--levels", "O0,O1", "--precisions", "fp32",
                               "--batches", "1", gpus="2", wait="spin")
        finally:
            os.sched_setaffinity(0, allowed)
        self.assertNotEqual(study["interference"]["verdict"], "undisturbed", study["interference"])
        self.assertIn("are measured one after the other", self.standin.stderr)
        rows, _ = self.times(study)
        first = [end for device, _, end in rows if device == "cuda:0"]
        second = [begin for device, begin, _ in rows if device == "cuda:1"]
        self.assertLessEqual(max(first), min(second), "one after the other")

    def test_the_list_of_devices_says_which_gpu_is_which(self):
        document = self.standin.run("device", "list", gpus="2", other_memory="1G")
        first, second = document["devices"][1:]
        self.assertNotEqual(first["pci"], second["pci"])
        self.assertNotEqual(first["uuid"], second["uuid"])
        self.assertEqual(first["use"], {"processes": 1, "memory_bytes": 1 << 30, "load": 0})
        self.assertEqual(second["use"]["processes"], 0)

    def test_a_gpu_that_nobody_uses_is_chosen(self):
        arguments = ("tune", self.model("pooling"), "--levels", "O0", "--batches", "1", "--dry-run")
        plan = self.standin.run(*arguments, gpus="2", other_memory="1G")
        self.assertEqual({c["device"] for c in plan["cells"]}, {"cuda:1"})
        plan = self.standin.run(*arguments, gpus="2")
        self.assertEqual({c["device"] for c in plan["cells"]}, {"cuda:0"})

    def test_a_gpu_that_somebody_uses_is_told_and_flagged(self):
        for others in ({"other_load": "40"}, {"other_memory": "3G"}):
            with self.subTest(others):
                trials = self.standin.tune("pooling", **others)
                self.assertIn("Other programs use cuda:0", self.standin.stderr)
                self.assertIn("shared_gpu", trials[0]["flags"])
                gpu = trials[0]["conditions"]["gpu"]
                self.assertEqual(gpu["other_processes"], 1)
                self.assertEqual(gpu["other_memory_bytes"], 3 << 30 if "other_memory" in others else 0)
                self.assertEqual(gpu["other_load"], 40 if "other_load" in others else 0)
        trials = self.standin.tune("pooling")
        self.assertNotIn("Other programs use", self.standin.stderr)
        self.assertNotIn("shared_gpu", trials[0]["flags"])

    def test_a_trial_tells_clock_power_and_energy_of_its_gpu(self):
        trial = self.standin.tune("pooling", "--target", "0.001%", wait="sleep", kernel_ns="1000000")[0]
        gpu = trial["conditions"]["gpu"]
        self.assertEqual((gpu["clock_low_mhz"], gpu["clock_high_mhz"], gpu["power_cap_w"]), (1980, 1980, 700))
        # The card draws 70 W when idle and 490 W more while it works, which is nearly all of a pass.
        self.assertEqual(gpu["energy_source"], "counter")
        watts = gpu["energy_j"] / (trial["device_ms"]["median"] / 1000)
        self.assertTrue(300 < watts < 800, watts)
        self.assertEqual((gpu["capped_s"], gpu["heat_s"]), (0, 0))
        energy = trial["energy_mj"]
        self.assertTrue(energy["lo"] <= energy["value"] <= energy["hi"], energy)
        self.assertEqual(trial["conditions"]["energy"]["source"], "gpu_counter")
        self.assertAlmostEqual(trial["conditions"]["energy"]["idle_w"], 70, delta=5)
        above = trial["energy_above_idle_mj"]["value"] / energy["value"]
        self.assertTrue(0.75 < above < 0.95, above)

    def test_a_study_of_the_energy_is_begun_only_where_the_gpu_reports_it(self):
        trials = self.standin.tune("pooling", "--target", "0.001%", "--goal", "energy", wait="sleep", kernel_ns="1000000")
        self.assertTrue(all(t["energy_mj"] for t in trials if t["state"] == "ok"), trials)
        with self.assertRaisesRegex(AssertionError, "reports neither the energy nor the power of this GPU"):
            self.standin.tune("pooling", "--goal", "energy", mig="1g.18gb")

    def test_what_holds_the_clock_down_is_shown_with_its_time(self):
        capped = self.standin.tune("pooling", throttle="power")[0]
        self.assertGreater(capped["conditions"]["gpu"]["capped_s"], 0)
        self.assertNotIn("throttled", capped["flags"], "a GPU at its power cap is as fast as it gets")
        self.assertEqual(capped["conditions"]["gpu"]["clock_high_mhz"], 1485)
        hot = self.standin.tune("pooling", throttle="heat")[0]
        self.assertGreater(hot["conditions"]["gpu"]["heat_s"], 0)
        self.assertIn("throttled", hot["flags"])


if __name__ == "__main__":
    unittest.main()
