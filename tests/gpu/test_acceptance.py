# SPDX-License-Identifier: GPL-3.0-or-later
"""The acceptance run on a machine without a GPU: with a bundle whose apertune is scripted, sound and with faults."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent


class AcceptanceTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "bundle" / "bin").mkdir(parents=True)
        shutil.copy(HERE / "fake_apertune.py", self.folder / "bundle" / "bin" / "apertune")
        (self.folder / "scratch").mkdir()
        # The commands that describe the system take seconds and belong to the machine; only the path to Python stays.
        (self.folder / "tools").mkdir()
        os.symlink(sys.executable, self.folder / "tools" / "python3")
        (self.folder / "tools" / "df").write_text("#!/bin/sh\necho 7 of 9 GiB\n")
        (self.folder / "tools" / "df").chmod(0o755)

    def start(self, fault="", *options):
        environment = {"PATH": f"{self.folder}/tools:/bin", "HOME": str(self.folder), "TMPDIR": str(self.folder / "scratch"),
                       "FAKE_FAULT": fault, "XDG_CACHE_HOME": "/the/users/own", "CUDA_VISIBLE_DEVICES": "0",
                       "SECRET_TOKEN": "hidden"}
        return subprocess.Popen([sys.executable, HERE / "run", self.folder / "bundle", "--out", self.folder / "out",
                                 *options],
                                env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def evidence(self):
        """The contents of the one file that the run left, by path."""
        files = list((self.folder / "out").iterdir())
        self.assertEqual(len(files), 1, files)
        self.assertRegex(files[0].name, r"^apertune-gpu-.+-\d{4}-\d\d-\d\d-\d{6}\.tar\.gz$")
        found = {}
        with tarfile.open(files[0]) as packed:
            for entry in packed.getmembers():
                if entry.isfile():
                    found[entry.name.partition("/")[2]] = packed.extractfile(entry).read().decode()
        self.assertEqual(list((self.folder / "scratch").iterdir()), [], "the scratch folder is removed")
        return found

    def finish(self, fault="", *options):
        run = self.start(fault, *options)
        self.output, _ = run.communicate(timeout=300)
        self.files = self.evidence()
        self.results = json.loads(self.files["results.json"])
        self.failed = sorted({r["stage"] for r in self.results["checks"] if not r["passed"]})
        return run.returncode

    def commands(self):
        return [json.loads(text)["command"] for name, text in sorted(self.files.items())
                if name.startswith("logs/") and name.endswith(".json")]

    def test_a_sound_gpu_passes_and_everything_that_was_seen_is_in_one_file(self):
        self.assertEqual(self.finish(), 0, self.output)
        self.assertEqual(self.failed, [])
        self.assertEqual(self.results["gpu"]["name"], "NVIDIA H200")
        self.assertIn("everything that was seen is in", self.output)
        logs = [name for name in self.files if name.startswith("logs/")]
        self.assertTrue(any(name.endswith("-device-list.stdout") and "H200" in self.files[name] for name in logs), logs)
        self.assertTrue(any(name.endswith("-tune.stderr") and "progress on stderr" in self.files[name] for name in logs))
        self.assertTrue(any(name.endswith("-disk.stdout") and "7 of 9 GiB" in self.files[name] for name in logs))
        missing = next(name for name in logs if name.endswith("-nvidia-smi.json"))
        self.assertIn("could not be started", self.files[missing])
        self.assertIn("system/proc-version", self.files)
        told = json.loads(self.files["environment.json"])
        self.assertEqual(told["CUDA_VISIBLE_DEVICES"], "0")
        self.assertNotIn("hidden", "".join(self.files.values()))

    def test_the_configurations_that_are_compared_are_measured_in_full_and_no_search_drops_them(self):
        self.finish()
        sweeps = [c for c in self.commands() if "tune" in c]
        self.assertTrue(sweeps)
        for command in sweeps:
            self.assertEqual(command[command.index("--search") + 1], "grid")
            self.assertEqual(command[command.index("--budget") + 1], "0")
            configurations = 1
            for axis in ("--levels", "--precisions", "--batches"):
                configurations *= len(command[command.index(axis) + 1].split(","))
            self.assertLessEqual(configurations, 4, command)

    def test_the_batch_that_runs_out_of_memory_fills_the_gpu_and_not_the_host(self):
        self.finish()
        beyond = next(c for c in self.commands() if "tune" in c and c[c.index("--batches") + 1].count(",") == 2)
        batch = int(beyond[beyond.index("--batches") + 1].split(",")[1])
        memory = self.results["gpu"]["memory_bytes"]
        sample = 3 * 224 * 224 * 4
        self.assertLess(batch * sample, memory / 4, "the inputs fit")
        self.assertGreater(batch * 64 * 112 * 112 * 4, memory, "the first activation does not")

    def test_the_caches_of_the_user_stay_where_the_set_up_keeps_its_torch(self):
        script = self.folder / "bundle" / "bin" / "apertune"
        told = 'os.environ["XDG_CACHE_HOME"], os.environ["XDG_DATA_HOME"]'
        script.write_text(script.read_text().replace('"progress on stderr"', told))
        self.finish()
        told = next(text for name, text in self.files.items() if name.endswith("-device-list.stderr")).split()
        self.assertEqual(told[0], "/the/users/own")
        self.assertTrue(told[1].startswith(str(self.folder / "scratch")), told)

    def test_a_command_that_prints_nothing_fails_its_stage_and_the_others_go_on(self):
        self.assertEqual(self.finish("trace-report r1 nothing"), 1, self.output)
        self.assertEqual(self.failed, ["planted extra waits", "planted pageable copies", "planted tiny kernels"])
        reasons = [r["evidence"] for r in self.results["checks"] if not r["passed"]]
        self.assertIn("exit code 3", reasons[0])

    def test_a_command_that_dies_fails_its_stage_and_leaves_its_last_words(self):
        self.assertEqual(self.finish("tune tiny_kernels dies"), 1, self.output)
        self.assertEqual(self.failed, ["planted tiny kernels"])
        failure = next(r for r in self.results["checks"] if not r["passed"])["evidence"]
        self.assertIn("exit code -11", failure)
        self.assertIn("the last words", failure)
        self.assertTrue(any("the last words" in text for name, text in self.files.items() if name.endswith(".stderr")))

    def test_a_document_that_lacks_a_member_fails_its_stage_and_the_others_go_on(self):
        self.assertEqual(self.finish("workspace-query without_operator missing"), 1, self.output)
        self.assertTrue(self.failed)
        self.assertTrue(all("trace, " in stage for stage in self.failed), self.failed)
        self.assertIn("KeyError", self.files["logs/failures.txt"])
        self.assertTrue(any(r["stage"] == "TensorRT" for r in self.results["checks"]))

    def test_a_sweep_that_fails_leaves_the_stages_that_do_not_need_it(self):
        self.assertEqual(self.finish("tune vit_b_16 nothing"), 1, self.output)
        self.assertTrue(self.failed)
        self.assertTrue(all("vit_b_16" in stage for stage in self.failed), self.failed)

    def test_the_other_stages_go_on_when_the_devices_cannot_be_listed(self):
        self.assertEqual(self.finish("device-list device nothing"), 1, self.output)
        self.assertIn("devices", self.failed)
        passed = {r["stage"] for r in self.results["checks"] if r["passed"]}
        self.assertIn("torchvision:resnet50: sweep", passed)

    def test_a_machine_without_a_gpu_ends_early_with_its_evidence(self):
        script = self.folder / "bundle" / "bin" / "apertune"
        script.write_text(script.read_text().replace('"vendor": "nvidia"', '"vendor": None'))
        self.assertEqual(self.finish(), 2, self.output)
        self.assertFalse(any("tune" in command for command in self.commands()))

    def test_an_interrupted_run_keeps_what_it_has_and_the_log_of_the_command_that_ran(self):
        for word in (signal.SIGINT, signal.SIGTERM):
            run = self.start("tune pageable_copies hangs")
            deadline = time.monotonic() + 300
            started = False
            while not started and time.monotonic() < deadline:
                logs = (self.folder / "scratch").glob("*/logs/*-tune.stdout")
                started = any(file.read_text() == "{\n" for file in logs)
                time.sleep(0.05)
            self.assertTrue(started)
            run.send_signal(word)
            output, _ = run.communicate(timeout=300)
            self.assertEqual(run.returncode, 130, output)
            files = self.evidence()
            results = json.loads(files["results.json"])
            self.assertTrue(results["interrupted"])
            self.assertTrue(any(r["stage"] == "out of memory" for r in results["checks"]))
            self.assertTrue(any("it was interrupted" in text for name, text in files.items() if name.endswith("-tune.json")))
            shutil.rmtree(self.folder / "out")

    def test_a_quick_run_checks_one_model_with_one_batch_size(self):
        self.assertEqual(self.finish("", "--quick"), 0, self.output)
        self.assertNotIn("vit_b_16", self.output)
        sweeps = [c for c in self.commands() if "tune" in c and "torchvision:resnet50" in c]
        self.assertIn("1", [c[c.index("--batches") + 1] for c in sweeps])
        self.assertNotIn("1,32", [c[c.index("--batches") + 1] for c in sweeps])
        self.assertFalse(any("fp8" in c[c.index("--precisions") + 1] for c in sweeps))

    def test_a_stage_that_is_selected_runs_without_the_others(self):
        self.assertEqual(self.finish("", "--stages", "traces", "--quick"), 0, self.output)
        stages = {r["stage"] for r in self.results["checks"]}
        self.assertEqual({s.partition(": ")[2].partition(",")[0] or s for s in stages}, {"devices", "trace"})
        self.assertGreaterEqual(self.results["stage_seconds"]["devices"], 0)
        refused = self.start("", "--stages", "traces,nothing")
        said, _ = refused.communicate(timeout=300)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("there is no stage 'nothing'", said)

    def test_a_folder_that_is_no_bundle_is_a_wrong_argument(self):
        run = subprocess.run([sys.executable, HERE / "run", self.folder], capture_output=True, text=True)
        self.assertEqual(run.returncode, 2)
        self.assertIn("make gpu-bundle", run.stderr)


if __name__ == "__main__":
    unittest.main()
