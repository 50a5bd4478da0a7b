#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the script behind `make image` with stand-ins for docker, podman and buildah."""
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCES = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r"^project\(apertune VERSION ([0-9.]+)", (SOURCES / "CMakeLists.txt").read_text(), re.MULTILINE).group(1)


class Image(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name) / "tree"
        for part in ("CMakeLists.txt", "resources/setup/image", "resources/setup/requirements.txt", "resources/image/Dockerfile"):
            (self.tree / part).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCES / part, self.tree / part)
        self.programs = pathlib.Path(folder.name) / "programs"
        self.programs.mkdir()

    def builder(self, name, works=True):
        program = self.programs / name
        program.write_text(f'#!/bin/bash\nif [[ $1 == info ]]; then exit {0 if works else 1}; fi\nprintf "%s\\n" {name} "$@"\n')
        program.chmod(0o755)

    def wheel(self, version=VERSION):
        (self.tree / "build/wheel").mkdir(parents=True, exist_ok=True)
        (self.tree / f"build/wheel/apertune-{version}-py3-none-any.whl").touch()

    def run_image(self, *options):
        return subprocess.run([self.tree / "resources/setup/image", *options], env={"PATH": f"{self.programs}:/usr/bin:/bin"},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)

    def test_the_first_builder_that_works_gets_the_wheel_and_the_options(self):
        self.wheel()
        self.builder("docker", works=False)
        self.builder("podman")
        self.builder("buildah")
        run = self.run_image("--build-arg", "BASE=debian:13-slim")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout.splitlines(), ["podman", "build", "--file", "resources/image/Dockerfile", "--tag", f"apertune:{VERSION}",
                                                   "--tag", "apertune:latest", "--build-arg", "BASE=debian:13-slim", "build/wheel"])

    def test_cuda_names_the_torch_that_apertune_is_built_for(self):
        self.wheel()
        self.builder("docker")
        pins = (self.tree / "resources/setup/requirements.txt").read_text()
        torch = [re.search(rf"^{name}==.*$", pins, re.MULTILINE).group() for name in ("torch", "torchvision", "timm")]
        run = self.run_image("--cuda")
        self.assertIn("TORCH=" + " ".join(torch), run.stdout.splitlines())

    def test_a_wheel_of_another_version_is_not_packed(self):
        self.wheel("0.0.1")
        self.builder("docker")
        run = self.run_image()
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("run: make wheel", run.stderr)

    def test_without_a_builder_the_message_says_what_to_install(self):
        self.wheel()
        for name in ("docker", "podman", "buildah"):
            self.builder(name, works=False)
        run = self.run_image()
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("apt-get install buildah", run.stderr)

    def test_the_dockerfile_takes_what_the_script_passes_on(self):
        arguments = re.findall(r"^ARG (\w+)", (SOURCES / "resources/image/Dockerfile").read_text(), re.MULTILINE)
        self.assertIn("TORCH", arguments)


if __name__ == "__main__":
    unittest.main()
