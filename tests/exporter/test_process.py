# SPDX-License-Identifier: GPL-3.0-or-later
"""The exporter as a child: what is on its stdout, how it ends, what it leaves."""

import contextlib
import json
import os
import signal
import subprocess
import time

import torch
from support import Case, child_arguments, child_environment, run_child, source


class Process(Case):
    def start(self, name):
        """An export that waits inside the user's callable, once its partial folder is there."""
        child = subprocess.Popen(
            child_arguments("export", source(name), "--out", self.path("model")),
            env=child_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(child.stderr.close)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        self.assertEqual(json.loads(child.stdout.readline())["step"], "load")
        self.assertIn("waiting\n", child.stderr)
        self.assertEqual(len(os.listdir(self.folder)), 1)
        return child

    def test_stdout_carries_the_protocol_and_nothing_else(self):
        done = run_child("export", source("chatty"), "--out", self.path("model"))
        records = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(done.returncode, 0)
        # Where the machine is busy, slow passes are told besides.
        records = [r for r in records if r["t"] != "log" and ": pass " not in r.get("text", "")]
        self.assertEqual([r["t"] for r in records], ["progress"] * 7 + ["done"])
        self.assertEqual([r["i"] for r in records[:-1]], list(range(1, 8)))
        self.assertTrue(all(r["n"] == 7 for r in records[:-1]))
        self.assertEqual(records[-1]["artifact"], self.path("model"))
        self.assertIn("a line on stdout from Python", done.stderr)
        self.assertIn("a line on stdout from a child", done.stderr)
        self.assertNotIn("Warning", done.stderr)

    def test_a_slow_pass_is_told_with_its_time_and_what_the_import_will_take(self):
        done = run_child("export", source("slow_twice"), "--out", self.path("model"))
        self.assertEqual(done.returncode, 0, done.stderr)
        records = [json.loads(line) for line in done.stdout.splitlines()]
        logs = [r["text"] for r in records if r["t"] == "log"]
        self.assertRegex(logs[0], r"^One pass of slow_twice takes \d+ s\. An import runs about \d+ of them, about \d+ \w+ in all;")
        inspected = [r["text"] for r in records if r.get("step") == "inspect"]
        self.assertEqual(inspected[0], "Running slow_twice")
        self.assertRegex(inspected[1], r"^Running slow_twice: pass 1 took \d+ s, \d+ s so far$")

    def test_a_first_pass_that_loads_code_says_nothing_about_the_others(self):
        done = run_child("export", source("slow_once"), "--out", self.path("model"))
        self.assertEqual(done.returncode, 0, done.stderr)
        logs = [r["text"] for r in map(json.loads, done.stdout.splitlines()) if r["t"] == "log"]
        self.assertEqual([text for text in logs if text.startswith("One pass")], [])

    def test_a_refusal_is_one_line_and_exit_code_2(self):
        done = run_child("export", "torchvision:resnet", "--out", self.path("model"))
        self.assertEqual(done.returncode, 2)
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["code"], "unknown_architecture")
        self.assertEqual(os.listdir(self.folder), [])

    def test_terminate_and_interrupt_leave_nothing(self):
        for number, name in (
            (signal.SIGTERM, "slow"),
            (signal.SIGINT, "slow"),
            (signal.SIGTERM, "slow_and_deaf"),
            (signal.SIGTERM, "asleep_again"),
        ):
            with self.subTest(number=number, name=name):
                child = self.start(name)
                child.send_signal(number)
                rest, _ = child.communicate(timeout=240)
                self.assertEqual(child.returncode, 130)
                self.assertEqual(json.loads(rest.splitlines()[-1]), {"t": "cancelled"})
                self.assertEqual(os.listdir(self.folder), [])

    def test_cancelling_a_compile_ends_the_compiler_too(self):
        self.export(source("tiny"))
        with open(self.path("cxx"), "w", encoding="utf-8") as stream:
            stream.write(f'#!/bin/sh\nsleep 300 & echo $! >> {self.path("pids")}\nwait\n')
        os.chmod(self.path("cxx"), 0o755)
        child = subprocess.Popen(
            child_arguments("compile", "--artifact", self.path("model"), "--batch", 1, "--out", self.path("p.pt2")),
            env=child_environment(CXX=self.path("cxx"), TORCHINDUCTOR_CACHE_DIR=self.path("cache")),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        deadline = time.monotonic() + 120
        while not os.path.exists(self.path("pids")) and time.monotonic() < deadline:
            time.sleep(0.1)
        child.terminate()
        rest, _ = child.communicate(timeout=240)
        self.assertEqual((child.returncode, json.loads(rest.splitlines()[-1])["t"]), (130, "cancelled"))
        with open(self.path("pids"), encoding="ascii") as stream:
            for pid in stream.read().split():
                self.assertFalse(os.path.exists(f"/proc/{pid}"), "a compiler is still running")
        self.assertFalse(os.path.exists(self.path("p.pt2")))

    def test_an_exporter_whose_reader_is_gone_stops(self):
        for name in ("slow", "asleep_again"):
            with self.subTest(name=name):
                child = self.start(name)
                child.stdout.close()
                self.assertEqual(child.wait(timeout=240), 130)
                self.assertEqual(os.listdir(self.folder), [])

    def test_the_next_export_removes_what_kill_left(self):
        child = self.start("slow")
        child.kill()
        child.wait()
        self.assertEqual(len(os.listdir(self.folder)), 1)
        done = run_child("export", source("tiny"), "--out", self.path("model"))
        self.assertEqual(done.returncode, 0)
        self.assertEqual(os.listdir(self.folder), ["model"])

    def peak_of(self, name, *options):
        """The largest private memory of an export, which includes what the interpreter and torch take."""
        child = subprocess.Popen(
            child_arguments("export", source(name), "--out", self.path(name), *options),
            env=child_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.addCleanup(child.stdout.close)
        peak = 0
        while child.poll() is None:
            with contextlib.suppress(OSError, StopIteration), open(f"/proc/{child.pid}/status", encoding="ascii") as status:
                peak = max(peak, int(next(line for line in status if line.startswith("RssAnon")).split()[1]) << 10)
            time.sleep(0.01)
        self.assertEqual(child.returncode, 0)
        return peak

    def test_weights_are_in_memory_and_on_disk_once(self):
        from models import heavy

        module, _ = heavy()
        torch.save(module.state_dict(), self.path("weights.pth"))
        weights = sum(p.numel() * p.element_size() for p in module.parameters())
        base = self.peak_of("light")
        for options in ([], ["--weights", self.path("weights.pth")]):
            self.assertLess(self.peak_of("heavy", *options) - base, 1.3 * weights, options)
        files = [os.path.join(folder, file) for folder, _, names in os.walk(self.path("heavy")) for file in names]
        self.assertLess(sum(map(os.path.getsize, files)), 1.3 * weights)

    def test_version_is_one_json_object(self):
        done = run_child("version")
        described = json.loads(done.stdout)
        self.assertTrue(described["torch"] and described["cpu_capability"])
        self.assertIn("cuda", described)
