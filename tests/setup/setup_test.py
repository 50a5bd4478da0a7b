#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs resources/setup/setup in a sandbox: its own HOME, its own package lists, and stand-ins for apt, sudo, dpkg
and Python that note how they were called and fail on demand. Nothing is installed and no network is used."""
import fcntl
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

SETUP = pathlib.Path(__file__).resolve().parents[2] / "resources" / "setup" / "setup"
# All that the set-up may use before it has installed anything: an essential Debian and no more.
TOOLS = """awk basename bash cat comm cut date dirname du env flock grep head ln mkdir mktemp rm sed sha256sum sleep sort
    tail touch tr xargs""".split()

FAKES = {
    "id": 'echo "${FAKE_UID:-0}"',
    "df": 'printf "h\\nx 1 1 %s 1 /\\n" "${FAKE_FREE_KIB:-99999999}"',
    "dpkg": ":",
    # Knows a package when the file installed/NAME is there.
    "dpkg-query": 'sleep "${FAKE_QUERY_SECONDS:-0}"; shift 3; for p; do [[ -e $SANDBOX/installed/$p ]] && echo "$p installed"; done; true',
    "apt-get": '''
        for word; do last=$word; done
        case "$*" in
          *" update") exit "${FAKE_UPDATE_STATUS:-0}" ;;
          *" install "*)
            echo "E: the disk is full of eels"
            [[ ${FAKE_INSTALL_STATUS:-0} == 0 ]] || exit "$FAKE_INSTALL_STATUS"
            [[ -z ${FAKE_INSTALL_FORGETS:-} ]] || exit 0
            for word; do [[ $word == -* || $word == install || $word == *=* ]] || touch "$SANDBOX/installed/$word"; done ;;
        esac''',
    "sudo": '''
        if [[ $1 == -n || $1 == -v ]]; then exit "${FAKE_SUDO_STATUS:-0}"; fi
        exec "$@"''',
    "python": '''
        case "$*" in
          -c*ensurepip*) exit "${FAKE_PYTHON_STATUS:-0}" ;;
          -c*"print("*python*) echo "python 3.11" ;;
          -c*"import torch"*) [[ -z ${FAKE_TORCH_BROKEN:-} ]] ;;
          -c*"import openvino"*) [[ -z ${FAKE_ENGINES_BROKEN:-} ]] ;;
          -c*"import fastapi"*) ;;
          "-m venv "*) mkdir -p "$3/bin" && /bin/cp "$0" "$3/bin/python" ;;
          *--version) ;;
          "-m pip install "*)
            for word; do
              [[ $word == *==* ]] || continue
              if [[ $word == "${FAKE_PIP_FAILS_AT:-none}" ]]; then echo "no such wheel: $word"; exit 1; fi
              if [[ $word == "${FAKE_PIP_HANGS_AT:-none}" ]]; then touch "$SANDBOX/hanging"; exec sleep 600; fi
            done ;;
          *) echo "unexpected: $*" >&2; exit 99 ;;
        esac''',
}


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.sandbox = pathlib.Path(self.folder.name)
        for name in ("bin", "home", "installed", "setup"):
            (self.sandbox / name).mkdir()
        for tool in TOOLS:
            (self.sandbox / "bin" / tool).symlink_to(shutil.which(tool, path="/usr/bin:/bin"))
        for name, body in FAKES.items():
            self.fake(name, body)
        shutil.copy(SETUP, self.sandbox / "setup" / "setup")
        (self.sandbox / "setup" / "packages.txt").write_text("# a comment\n\ncompiler\nsqlite\nqt gui\ntidy gates\nmakeself packaging\n")
        self.pins = [f"wheel{i}=={i}.0" for i in range(1, 9)]
        self.requirements = self.sandbox / "setup" / "requirements.txt"
        self.requirements.write_text("# pins\n" + "\n".join(self.pins) + "\n")
        self.engines = self.sandbox / "setup" / "engines.txt"
        self.engines.write_text("engine1==1.0\nengine2==2.0 # with a comment\n")
        self.serving = self.sandbox / "setup" / "serving.txt"
        self.serving.write_text("server1==1.0\n")

    def fake(self, name, body):
        path = self.sandbox / "bin" / name
        path.write_text(f'#!/bin/bash\necho "{name} $*" >>"$SANDBOX/calls"\n{body}\n')
        path.chmod(0o755)

    def environment(self, **extra):
        return {"PATH": str(self.sandbox / "bin"), "HOME": str(self.sandbox / "home"), "SANDBOX": str(self.sandbox),
                "APERTUNE_SETUP_PYTHON": "python", **extra}

    def run_setup(self, *options, **extra):
        (self.sandbox / "calls").write_text("")
        run = subprocess.run([self.sandbox / "setup" / "setup", *options], env=self.environment(**extra),
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        self.output = run.stdout + run.stderr
        return run.returncode

    def calls(self, word):
        return [line for line in (self.sandbox / "calls").read_text().splitlines() if word in line]

    def install_all_packages(self):
        for name in ("compiler", "sqlite", "qt"):
            (self.sandbox / "installed" / name).touch()

    def env_folder(self, kind="env"):
        return pathlib.Path(subprocess.run([self.sandbox / "setup" / "setup", f"--print-{kind}"],
                                           env=self.environment(), capture_output=True, text=True,
                                           check=True).stdout.strip())

    def expect_failure(self, *words, options=(), **extra):
        self.assertEqual(self.run_setup(*options, **extra), 1, self.output)
        self.assertIn("setup: error:", self.output)
        for word in words:
            self.assertIn(word, self.output)

    # --- what it does ---

    def test_from_nothing_it_installs_packages_and_wheels_and_the_second_run_calls_neither(self):
        self.assertEqual(self.run_setup(), 0, self.output)
        self.assertEqual(len(self.calls("apt-get")), 2, self.output)
        self.assertTrue(self.calls("install")[0].endswith("install -y --no-install-recommends compiler qt sqlite"))
        self.assertTrue((self.env_folder() / ".complete").exists())
        self.assertEqual((self.env_folder().parent / "current").resolve(), self.env_folder().resolve())
        self.assertEqual(self.run_setup(), 0, self.output)
        self.assertIn("everything is there", self.output)
        self.assertEqual(self.calls("apt-get") + self.calls("-m pip"), [])

    def test_looking_for_packages_on_a_slow_machine_is_no_change(self):
        self.install_all_packages()
        self.assertEqual(self.run_setup("--no-torch", FAKE_QUERY_SECONDS="1.1"), 0, self.output)
        self.assertEqual(self.output, "setup: everything is there\n")

    def test_only_what_is_missing_is_installed(self):
        (self.sandbox / "installed" / "compiler").touch()
        self.assertEqual(self.run_setup("--no-torch"), 0, self.output)
        self.assertTrue(self.calls("install")[0].endswith(" qt sqlite"))
        self.assertFalse((self.sandbox / "home/.cache/apertune/env/current").exists())

    def test_headless_leaves_out_the_window(self):
        self.assertEqual(self.run_setup("--headless", "--no-torch"), 0, self.output)
        self.assertTrue(self.calls("install")[0].endswith(" compiler sqlite"))

    def test_what_makes_packages_is_installed_on_request_alone(self):
        self.assertEqual(self.run_setup("--packaging", "--no-torch"), 0, self.output)
        self.assertTrue(self.calls("install")[0].endswith(" compiler makeself qt sqlite"))

    def test_no_packages_asks_neither_dpkg_nor_apt(self):
        self.assertEqual(self.run_setup("--no-packages"), 0, self.output)
        self.assertEqual(self.calls("apt-get") + self.calls("dpkg"), [])

    def test_a_user_with_sudo_installs_through_it(self):
        self.assertEqual(self.run_setup("--no-torch", FAKE_UID="1000"), 0, self.output)
        self.assertTrue(self.calls("sudo env DEBIAN_FRONTEND=noninteractive"))

    def test_print_env_is_keyed_by_the_requirements_and_changes_nothing(self):
        before = self.env_folder()
        self.assertEqual(len(before.name), 12)
        self.requirements.write_text("wheel1==1.1\n")
        self.assertNotEqual(self.env_folder(), before)
        self.assertFalse((self.sandbox / "home" / ".cache").exists())

    def test_changed_requirements_make_a_new_environment_beside_the_old(self):
        self.install_all_packages()
        self.run_setup()
        first = self.env_folder()
        self.requirements.write_text("wheel1==1.1\n")
        self.assertEqual(self.run_setup(), 0, self.output)
        self.assertTrue((first / ".complete").exists())
        self.assertTrue((self.env_folder() / ".complete").exists())
        self.assertEqual((first.parent / "current").resolve(), self.env_folder().resolve())

    def test_xdg_cache_home_moves_the_environment(self):
        self.install_all_packages()
        self.assertEqual(self.run_setup(XDG_CACHE_HOME=str(self.sandbox / "elsewhere")), 0, self.output)
        self.assertTrue(list((self.sandbox / "elsewhere/apertune/env").glob("*/.complete")))

    # --- the engines ---

    def test_the_engines_have_an_environment_of_their_own(self):
        self.install_all_packages()
        self.assertEqual(self.run_setup(), 0, self.output)
        engines = self.env_folder("engines")
        self.assertTrue((engines / ".complete").exists())
        self.assertEqual((engines.parent / "current").resolve(), engines.resolve())
        self.assertEqual((engines / ".installed").read_text().split(), ["engine1==1.0", "engine2==2.0"])
        self.assertNotIn("engine1==1.0", (self.env_folder() / ".installed").read_text())

    def test_what_serves_exports_has_an_environment_of_its_own(self):
        self.install_all_packages()
        self.assertEqual(self.run_setup(), 0, self.output)
        serving = self.env_folder("serving")
        self.assertTrue((serving / ".complete").exists())
        self.assertEqual((serving / ".installed").read_text().split(), ["server1==1.0"])
        before = self.env_folder("engines")
        self.serving.write_text("server1==1.1\n")
        self.assertEqual(self.env_folder("engines"), before)
        self.assertNotEqual(self.env_folder("serving"), serving)

    def test_a_changed_engine_list_leaves_libtorch_alone(self):
        self.install_all_packages()
        self.run_setup()
        before = self.env_folder()
        self.engines.write_text("engine1==1.1\n")
        self.assertEqual(self.env_folder(), before)
        self.assertEqual(self.run_setup(), 0, self.output)
        self.assertEqual(len(self.calls("-m pip install")), 1, self.calls("-m pip"))
        self.assertIn("engine1==1.1", self.calls("-m pip install")[0])

    def test_engines_can_be_left_out_and_added_later(self):
        self.install_all_packages()
        self.assertEqual(self.run_setup("--no-engines"), 0, self.output)
        self.assertFalse((self.sandbox / "home/.cache/apertune/engines").exists())
        self.assertTrue((self.env_folder() / ".complete").exists())
        self.assertEqual(self.run_setup("--engines"), 0, self.output)
        self.assertTrue((self.env_folder("engines") / ".complete").exists())
        self.assertEqual(self.calls("apt-get") + self.calls("dpkg"), [])

    def test_a_failing_engine_says_how_to_go_on_without(self):
        self.install_all_packages()
        self.expect_failure("no such wheel: engine2==2.0", "--no-engines", FAKE_PIP_FAILS_AT="engine2==2.0")
        self.assertTrue((self.env_folder() / ".complete").exists())
        self.assertFalse((self.env_folder("engines") / ".complete").exists())

    def test_engines_that_do_not_load_are_not_called_complete(self):
        self.install_all_packages()
        self.expect_failure("does not load", FAKE_ENGINES_BROKEN="1")
        self.assertFalse((self.env_folder("engines") / ".complete").exists())

    # --- what can go wrong ---

    def test_one_unreachable_package_source_does_not_stop_it(self):
        self.assertEqual(self.run_setup("--no-torch", FAKE_UPDATE_STATUS="100"), 0, self.output)
        self.assertIn("trying with what there is", self.output)

    def test_a_failing_apt_shows_its_last_words_and_the_command(self):
        self.expect_failure("full of eels", "apt-get install --no-install-recommends compiler qt sqlite", FAKE_INSTALL_STATUS="100")
        self.assertEqual(self.calls("-m pip"), [])

    def test_packages_that_apt_did_not_install_are_named(self):
        self.expect_failure("compiler qt sqlite", FAKE_INSTALL_FORGETS="1")

    def test_neither_root_nor_sudo_says_what_an_administrator_should_run(self):
        (self.sandbox / "bin" / "sudo").unlink()
        self.expect_failure("no sudo", "apt-get install --no-install-recommends compiler", FAKE_UID="1000")

    def test_a_sudo_that_refuses_says_what_an_administrator_should_run(self):
        self.expect_failure("apt-get install", FAKE_UID="1000", FAKE_SUDO_STATUS="1")

    def test_another_distribution_is_told_how_to_go_on(self):
        (self.sandbox / "bin" / "apt-get").unlink()
        self.expect_failure("not a Debian system", "--no-packages")

    def test_no_python_says_what_to_install(self):
        self.install_all_packages()
        self.expect_failure("python3-venv", FAKE_PYTHON_STATUS="1")

    def test_a_short_disk_stops_before_pip(self):
        self.install_all_packages()
        self.expect_failure("the disk is short: 2 GiB free", "XDG_CACHE_HOME", FAKE_FREE_KIB=str(3 * 1024 * 1024 - 1))
        self.assertEqual(self.calls("-m pip"), [])

    def test_after_a_failing_pip_the_next_run_installs_only_the_rest(self):
        self.install_all_packages()
        self.expect_failure("no such wheel: wheel7==7.0", "https_proxy", FAKE_PIP_FAILS_AT="wheel7==7.0")
        self.assertFalse((self.env_folder() / ".complete").exists())
        self.assertEqual(self.run_setup("--no-engines"), 0, self.output)
        installs = self.calls("pip install")
        self.assertEqual(len(installs), 1)
        self.assertTrue(installs[0].endswith(" wheel7==7.0 wheel8==8.0"), installs)
        self.assertTrue((self.env_folder() / ".complete").exists())

    def test_an_interrupted_set_up_stops_its_child_and_resumes(self):
        self.install_all_packages()
        (self.sandbox / "calls").write_text("")
        run = subprocess.Popen([self.sandbox / "setup" / "setup"], env=self.environment(FAKE_PIP_HANGS_AT="wheel8==8.0"),
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
        for _ in range(3000):
            if (self.sandbox / "hanging").exists():
                break
            time.sleep(0.1)
        run.send_signal(signal.SIGINT)
        output, _ = run.communicate(timeout=300)  # an orphaned child would hold the pipe open
        self.assertEqual(run.returncode, 130, output)
        self.assertIn("goes on where it stopped", output)
        self.assertEqual(self.run_setup(), 0, self.output)
        self.assertTrue(self.calls("pip install")[0].endswith(" wheel7==7.0 wheel8==8.0"))

    def test_a_libtorch_that_does_not_load_is_no_finished_environment(self):
        self.install_all_packages()
        self.expect_failure("LibTorch does not load", "Remove", FAKE_TORCH_BROKEN="1")
        self.assertFalse((self.env_folder() / ".complete").exists())

    def test_two_at_once_wait_for_each_other(self):
        self.install_all_packages()
        cache = self.sandbox / "home/.cache/apertune"
        cache.mkdir(parents=True)
        with open(cache / "setup.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            (self.sandbox / "calls").write_text("")
            run = subprocess.Popen([self.sandbox / "setup" / "setup"], env=self.environment(), stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
            first_line = run.stdout.readline()
            self.assertIn("another set-up is running", first_line)
            self.assertEqual(self.calls("-m pip"), [])
        run.communicate(timeout=300)
        self.assertEqual(run.returncode, 0)
        self.assertTrue((self.env_folder() / ".complete").exists())

    def test_no_home_says_so(self):
        env = self.environment()
        del env["HOME"]
        run = subprocess.run([self.sandbox / "setup" / "setup"], env=env, capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn("Set HOME", run.stderr)

    def test_an_unknown_option_lists_the_known_ones(self):
        self.expect_failure("--headless", options=("--hedless",))


if __name__ == "__main__":
    unittest.main()
