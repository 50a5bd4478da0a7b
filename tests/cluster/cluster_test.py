#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Shards through a real Slurm and a real sshd, with daemons of the test's own on this host and scripted models.

    cluster_test.py BUILD [TEST …]

The daemons come from the PATH, or from a folder into which their Debian packages were unpacked (dpkg -x):
APERTUNE_CLUSTER_ROOT. What is not there is skipped with the reason; exit status 77 when all is. As root, sshd runs in a
mount namespace of its own, so that it needs neither its user nor its folder in /run.
"""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release").resolve()
PROGRAM = BUILD / "bin" / "apertune"
ROOT = os.environ.get("APERTUNE_CLUSTER_ROOT")
LIBRARIES = f"{ROOT}/usr/lib/x86_64-linux-gnu" if ROOT else "/usr/lib/x86_64-linux-gnu"
# The first pass of a group that is measured late hangs, once.
HANG = {"at": "run", "n": 1, "do": "hang", "when": {"level": "O2", "precision": "fp32"}, "once": "hangs"}
PATIENCE = 240  # s, on a busy machine
SKIPPED = 77
MANIFEST = {
    "schema": "apertune.model/1", "name": "m", "source": "fake:m", "family": "classification", "content_hash": "hash of m",
    "torch": "2.11.0", "outputs": [], "dynamic_batch": True,
    "inputs": [{"name": "x", "dtype": "float32", "shape": [1, 4], "batch_dim": 0, "file": "inputs/0.bin", "samples": 8}],
    "files": {"torchscript": {"path": "model.ts.pt"}, "exported": None}}


def tool(*names):
    """The path of a program under one of its names, or None."""
    for name in names:
        for folder in ([f"{ROOT}/usr/sbin", f"{ROOT}/usr/bin"] if ROOT else []) + ["/usr/sbin"]:
            if os.access(f"{folder}/{name}", os.X_OK):
                return f"{folder}/{name}"
        if found := shutil.which(name):
            return found
    return None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class ClusterTest(unittest.TestCase):
    """A folder with a scripted model, and daemons that end with the test."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="apertune-cluster-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.plan = self.folder / "plan"
        self.store = self.folder / "w.apertune"
        # A scripted fault leaves a file beside the model.
        self.own = {"XDG_DATA_HOME": self.folder / "data", "XDG_CACHE_HOME": self.folder / "cache",
                    "APERTUNE_SANDBOX_WRITE": self.folder}
        self.environment = {**os.environ, **{name: str(value) for name, value in self.own.items()}}

    def start(self, words, **more):
        """A daemon, which is ended after the test."""
        log = open(self.folder / "daemons.log", "ab")
        process = subprocess.Popen(words, stdout=log, stderr=log, stdin=subprocess.DEVNULL, **more)
        self.addCleanup(log.close)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def apertune(self, *words, store=False, codes=(0, 4)):
        """Runs the program; its document."""
        words = [str(PROGRAM), *map(str, words), "--json"] + (["--store", str(self.store)] if store else [])
        ran = subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=PATIENCE)
        self.assertIn(ran.returncode, codes, f"{words}\n{ran.stdout}{ran.stderr}{self.daemons()}")
        return json.loads(ran.stdout)

    def daemons(self):
        return (self.folder / "daemons.log").read_text(errors="replace")[-4000:]

    def model(self, faults=()):
        artifact = self.folder / "m"
        (artifact / "inputs").mkdir(parents=True)
        script = {"latency_ms": 5, "levels": {"O1": 0.5, "O2": 0.2}, "faults": list(faults)}
        for name, text in (("manifest.json", json.dumps(MANIFEST)), ("fake.json", json.dumps(script)),
                           ("model.ts.pt", "no model"), ("inputs/0.bin", "no input")):
            (artifact / name).write_text(text)
        return artifact

    def options(self):
        return ["--backends", "fake", "--devices", "cpu", "--precisions", "fp32,bf16,tf32", "--emulated", "--batches", "1,2",
                "--threads", "1", "--target", "50%", "--budget", "0", "--search", "grid", "--levels", "O0,O1,O2"]

    def make_plan(self, shards, faults=()):
        return self.apertune("shard", "plan", self.model(faults), *self.options(), "--shards", shards, "--out", self.plan,
                             store=True)

    def states(self):
        return [shard["state"] for shard in self.apertune("shard", "status", self.plan)["shards"]]

    def wait_for(self, condition, what):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if condition():
                return
            time.sleep(0.2)
        self.fail(f"{what} did not happen: {self.states()}\n{self.daemons()}{self.logs()}")

    def logs(self):
        return "".join(f"{log.name}:\n{log.read_text(errors='replace')}" for log in self.plan.glob("slurm-*.log"))

    @staticmethod
    def rows(study):
        """All that a study says of its configurations but the numbers."""
        return [(trial["device"], trial["config"], trial["state"], trial["reason"], trial["applied"]) for trial in study["trials"]]

    def expect_the_rows_of_the_whole_study(self):
        merged = self.apertune("shard", "merge", self.plan, store=True)
        self.assertTrue(merged["complete"])
        again = self.apertune("shard", "merge", self.plan, store=True)
        self.assertEqual(again["added"], 0)
        divided = self.apertune("show", merged["study"], store=True)
        (self.folder / "m" / "hangs").touch()  # the fault has struck
        whole = self.apertune("tune", self.folder / "m", *self.options(), store=True)
        self.assertEqual(self.rows(divided), self.rows(whole))
        self.assertGreaterEqual(sum(trial["state"] == "ok" for trial in divided["trials"]), 8)

    def expect_no_second_run(self, shard):
        """A shard that runs is left alone."""
        second = subprocess.run([PROGRAM, "shard", "run", self.plan, "--shard", str(shard)], env=self.environment,
                                capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(second.returncode, 2, second.stderr)
        self.assertIn("is being written by process", second.stderr)

    def kill_the_runner(self, shard):
        """Sends SIGKILL to the process that measures a shard."""
        pid = int((self.plan / f"shard-{shard}.apertune.lock").read_text().split()[0])
        os.kill(pid, signal.SIGKILL)


class SlurmTest(ClusterTest):
    def setUp(self):
        super().setUp()
        names = {"mungekey": ("mungekey",), "munged": ("munged",), "ctld": ("slurmctld", "slurmctld-wlm"),
                 "slurmd": ("slurmd", "slurmd-wlm"), "stepd": ("slurmstepd", "slurmstepd-wlm"), "sbatch": ("sbatch",)}
        self.tools = {key: tool(*known) for key, known in names.items()}
        if missing := [key for key, path in self.tools.items() if not path]:
            self.skipTest(f"Slurm is not here: {', '.join(missing)}")
        if os.getuid() != 0:
            self.skipTest("slurmd needs root")
        host = socket.gethostname().split(".")[0]
        here = self.folder
        (here / "state").mkdir()
        (here / "spool").mkdir()
        (here / "slurm.conf").write_text(f"""
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket={here}/munge
SlurmUser=root
SlurmdUser=root
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
StateSaveLocation={here}/state
SlurmdSpoolDir={here}/spool
SlurmctldPidFile={here}/ctld.pid
SlurmdPidFile={here}/slurmd.pid
SlurmctldLogFile={here}/ctld.log
SlurmdLogFile={here}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
PluginDir={LIBRARIES}/slurm-wlm
NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES State=UP
""")
        folders = {os.path.dirname(path) for path in self.tools.values()}
        # Only the daemons and sbatch need these libraries.
        self.environment.update(SLURM_CONF=str(here / "slurm.conf"), PATH=":".join([*folders, os.environ["PATH"]]),
                                LD_LIBRARY_PATH=f"{LIBRARIES}:{LIBRARIES}/slurm-wlm")
        subprocess.run([self.tools["mungekey"], "--create", "--keyfile", here / "key"], check=True, env=self.environment)
        self.start([self.tools["munged"], "--foreground", "--force", f"--socket={here}/munge", f"--key-file={here}/key",
                    f"--pid-file={here}/munge.pid", f"--log-file={here}/munge.log", f"--seed-file={here}/seed"],
                   env=self.environment)
        time.sleep(0.5)
        self.controller = self.start_controller("-c")
        time.sleep(1)
        self.start([self.tools["slurmd"], "-c", "-f", here / "slurm.conf", "-d", self.tools["stepd"], "-D"], env=self.environment)

    def start_controller(self, *flags):
        return self.start([self.tools["ctld"], *flags, "-f", self.folder / "slurm.conf", "-D"], env=self.environment)

    def submit(self):
        return self.apertune("shard", "submit", self.plan, "--slurm")

    def test_four_shards_have_the_rows_of_the_whole_study(self):
        self.make_plan(4)
        self.assertIn("Submitted batch job", self.submit()["answer"])
        self.wait_for(lambda: self.states() == ["finished"] * 4, "the end of all shards")
        self.expect_the_rows_of_the_whole_study()

    def test_a_task_that_was_killed_goes_on_when_it_is_submitted_again(self):
        self.make_plan(2, [HANG])
        self.submit()
        self.wait_for((self.plan / "model" / "hangs").exists, "the pass that hangs")
        hanging = [shard["shard"] for shard in self.apertune("shard", "status", self.plan)["shards"] if shard["state"] == "running"]
        self.assertEqual(len(hanging), 1, "a task has the node for itself")
        self.expect_no_second_run(hanging[0])
        self.kill_the_runner(hanging[0])
        self.wait_for(lambda: sorted(self.states()) == ["finished", "interrupted"], "the end of the other shard")
        half = self.apertune("shard", "merge", self.plan, store=True)
        self.assertFalse(half["complete"])
        self.assertEqual(self.submit()["shards"], hanging)
        self.wait_for(lambda: self.states() == ["finished"] * 2, "the end of all shards")
        self.expect_the_rows_of_the_whole_study()

    def test_a_task_that_is_requeued_goes_on(self):
        self.make_plan(1, [HANG])
        job = self.apertune("shard", "submit", self.plan, "--slurm", "--sbatch=--requeue")["answer"].split()[-1]
        self.wait_for((self.plan / "model" / "hangs").exists, "the pass that hangs")
        before = self.apertune("shard", "status", self.plan)["shards"][0]["done"]
        subprocess.run(["scontrol", "requeue", f"{job}_1"], env=self.environment, check=True, timeout=PATIENCE)
        # Slurm waits two minutes before a task begins again.
        self.wait_for(lambda: self.states() == ["finished"], "the end of the shard")
        self.expect_the_rows_of_the_whole_study()
        self.assertGreater(before, 0)

    def test_the_death_of_the_controller_costs_no_result(self):
        self.make_plan(1)
        self.submit()
        self.wait_for(lambda: self.states() == ["running"], "the begin of the shard")
        self.controller.kill()
        self.controller.wait()
        self.wait_for(lambda: self.states() == ["finished"], "the end of the shard without a controller")
        self.expect_the_rows_of_the_whole_study()


class SshTest(ClusterTest):
    def setUp(self):
        super().setUp()
        sshd, ssh, keygen = tool("sshd"), tool("ssh"), tool("ssh-keygen")
        if not (sshd and ssh and keygen):
            self.skipTest("sshd, ssh or ssh-keygen is not here")
        if os.getuid() != 0 or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0:
            self.skipTest("sshd needs root and a mount namespace")
        here, port = self.folder, free_port()
        for key in ("host", "user"):
            subprocess.run([keygen, "-q", "-t", "ed25519", "-N", "", "-f", here / key], check=True)
        (here / "sshd.conf").write_text(f"""
Port {port}
ListenAddress 127.0.0.1
HostKey {here}/host
AuthorizedKeysFile {here}/user.pub
StrictModes no
UsePAM no
PermitRootLogin yes
PidFile {here}/sshd.pid
SetEnv {' '.join(f"{name}={value}" for name, value in self.own.items())}
""")
        (here / "passwd").write_text(pathlib.Path("/etc/passwd").read_text() + "sshd:x:65533:65534::/run/sshd:/bin/false\n")
        (here / "ssh.conf").write_text(f"""
Host node1 node2
  HostName 127.0.0.1
  Port {port}
  User root
  IdentityFile {here}/user
  StrictHostKeyChecking no
  UserKnownHostsFile {here}/known
  LogLevel ERROR
""")
        (here / "bin").mkdir()
        (here / "bin" / "ssh").write_text(f'#!/bin/sh\nexec {ssh} -F {here}/ssh.conf "$@"\n')
        (here / "bin" / "ssh").chmod(0o755)
        self.environment["PATH"] = f"{here}/bin:{os.environ['PATH']}"
        self.sshd = self.start(
            ["unshare", "-m", "sh", "-c",
             f"mount --bind {here}/passwd /etc/passwd && mount -t tmpfs none /run && mkdir -m 755 /run/sshd && "
             f"exec {sshd} -D -e -f {here}/sshd.conf"],
            env={**os.environ, "LD_LIBRARY_PATH": LIBRARIES} if ROOT else None)
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.1)
        self.fail("sshd does not answer:\n" + self.daemons())

    def test_four_shards_on_two_hosts_have_the_rows_of_the_whole_study(self):
        self.make_plan(4)
        submitted = self.apertune("shard", "submit", self.plan, "--ssh", "node1,node2")
        self.assertEqual({run["host"] for run in submitted["runs"]}, {"node1", "node2"})
        self.assertEqual([run["end"] for run in submitted["runs"]], ["ended"] * 4)
        self.assertEqual(self.states(), ["finished"] * 4)
        self.expect_the_rows_of_the_whole_study()

    def test_a_connection_that_was_cut_is_taken_up_again(self):
        self.make_plan(1, [HANG])
        submitting = subprocess.Popen([str(PROGRAM), "shard", "submit", str(self.plan), "--ssh", "node1"], env=self.environment,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(submitting.stdout.close)
        self.addCleanup(self.end, submitting)
        self.wait_for((self.plan / "model" / "hangs").exists, "the pass that hangs")
        runner = int((self.plan / "shard-1.apertune.lock").read_text().split()[0])
        # The processes of the connection, from the shell there up to the daemon's child.
        session, above = runner, parent_of(runner)
        while above not in (self.sshd.pid, 1, 0):
            session, above = above, parent_of(above)
        os.kill(session, signal.SIGKILL)
        submitting.wait(PATIENCE)
        self.assertEqual(submitting.returncode, 4, submitting.stdout.read())
        # The runner may have gone on without its connection. Here it hangs, and is ended.
        if self.states() == ["running"]:
            self.kill_the_runner(1)
        self.wait_for(lambda: self.states() == ["interrupted"], "the end of the runner")
        self.apertune("shard", "submit", self.plan, "--ssh", "node2")
        self.assertEqual(self.states(), ["finished"])
        self.expect_the_rows_of_the_whole_study()


def parent_of(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stream:
        return int(stream.read().rsplit(")", 1)[1].split()[1])


if __name__ == "__main__":
    outcome = unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2, exit=False).result
    if not outcome.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if outcome.testsRun == len(outcome.skipped) else 0)
