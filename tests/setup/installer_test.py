#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs what the installer starts on the target (resources/installer) with a small tree, and the checks of what is packed
(resources/setup/packing.sh) with small programs."""
import configparser
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

SOURCES = pathlib.Path(__file__).resolve().parents[2]


class Installer(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.sandbox = pathlib.Path(folder.name)
        self.home = self.sandbox / "home dir"
        self.prefix = self.home / ".local"
        self.home.mkdir()
        self.unpacked = self.unpack("1.0")

    def unpack(self, version, runs=True):
        """What the archive holds, with programs that are scripts."""
        tree = self.sandbox / f"unpacked-{version}"
        for path, text in {
            "bin/apertune": f"#!/bin/sh\necho apertune {version}\n" if runs else "#!/bin/sh\necho 'GLIBC_9.9 not found' >&2\nexit 1\n",
            "bin/apertune-gui": "#!/bin/sh\n",
            "lib/libQt.so.6": "",
            "lib/fallback/libc.so.6": "the system has one",
            "lib/fallback/libstrange.so.1": "no system has one",
            "share/applications/apertune.desktop": "[Desktop Entry]\nExec=apertune-gui %f\nTryExec=apertune-gui\n",
            "share/man/man1/apertune.1": "",
            "share/apertune/exporter/a.py": "",
        }.items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_text(text)
        for program in ("apertune", "apertune-gui"):
            (tree / "bin" / program).chmod(0o755)
        for script in ("setup", "uninstall"):
            shutil.copy(SOURCES / "resources/installer" / script, tree / script)
        return tree

    def run_script(self, script, *arguments, **extra):
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.home), **extra}
        run = subprocess.run(["/bin/sh", script, *map(str, arguments)], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                             text=True, timeout=120)
        self.output = run.stdout + run.stderr
        return run.returncode

    def install(self, *arguments, tree=None, **extra):
        return self.run_script((tree or self.unpacked) / "setup", *(arguments or ["--prefix", self.prefix]), **extra)

    def files(self):
        return sorted(str(path.relative_to(self.home)) for path in self.home.rglob("*"))

    def test_programs_run_by_links_and_the_desktop_file_names_them_by_path(self):
        self.assertEqual(self.install(), 0, self.output)
        said = subprocess.run([self.prefix / "bin/apertune"], capture_output=True, text=True).stdout
        self.assertEqual(said, "apertune 1.0\n")
        desktop = (self.prefix / "share/applications/apertune.desktop").read_text()
        self.assertIn(f"\nExec={self.prefix}/opt/apertune/bin/apertune-gui %f\n", desktop)
        self.assertIn(f"\nTryExec={self.prefix}/opt/apertune/bin/apertune-gui\n", desktop)
        self.assertIn("is not on your PATH", self.output)

    def test_only_libraries_that_the_system_lacks_are_taken_from_the_archive(self):
        self.assertEqual(self.install(), 0, self.output)
        lib = self.prefix / "opt/apertune/lib"
        self.assertTrue((lib / "libstrange.so.1").exists())
        self.assertFalse((lib / "libc.so.6").exists())

    def test_the_uninstaller_leaves_the_folder_as_it_was(self):
        (self.prefix / "bin").mkdir(parents=True)
        (self.prefix / "bin/mine").write_text("")
        before = self.files()
        self.assertEqual(self.install(), 0, self.output)
        self.assertNotEqual(self.files(), before)
        self.assertEqual(self.run_script(self.prefix / "opt/apertune/uninstall"), 0, self.output)
        self.assertEqual(self.files(), before)

    def test_purge_removes_engines_and_caches_and_keeps_workspaces_and_the_environments_of_sources(self):
        for path in (".local/share/apertune/engines/fast/engine.json", ".local/share/apertune/default.apertune", ".cache/apertune/packages/a",
                     ".cache/apertune/env/current", ".config/apertune/apertune-gui.ini"):
            (self.home / path).parent.mkdir(parents=True, exist_ok=True)
            (self.home / path).write_text("")
        self.assertEqual(self.install(), 0, self.output)
        self.assertEqual(self.run_script(self.prefix / "opt/apertune/uninstall", "--purge"), 0, self.output)
        left = [path for path in self.files() if (self.home / path).is_file()]
        self.assertEqual(left, [".cache/apertune/env/current", ".local/share/apertune/default.apertune"])
        self.assertIn(str(self.home / ".local/share/apertune"), self.output)

    def test_a_newer_version_replaces_the_older_one(self):
        self.assertEqual(self.install(), 0, self.output)
        (self.prefix / "opt/apertune/lib/old").write_text("")
        self.assertEqual(self.install(tree=self.unpack("2.0")), 0, self.output)
        self.assertIn("apertune 2.0", self.output)
        self.assertFalse((self.prefix / "opt/apertune/lib/old").exists())

    def test_what_others_put_there_is_kept(self):
        (self.prefix / "bin").mkdir(parents=True)
        (self.prefix / "bin/apertune-gui").write_text("another program")
        self.assertEqual(self.install(), 0, self.output)
        self.assertIn(f"left out: {self.prefix}/bin/apertune-gui", self.output)
        self.run_script(self.prefix / "opt/apertune/uninstall")
        self.assertEqual((self.prefix / "bin/apertune-gui").read_text(), "another program")
        (self.prefix / "opt/apertune").mkdir(parents=True)
        self.assertNotEqual(self.install(), 0)
        self.assertIn("this installer did not make it", self.output)

    def test_a_system_that_is_too_old_is_told_so_and_stays_as_it_was(self):
        self.assertNotEqual(self.install(tree=self.unpack("3.0", runs=False)), 0)
        for text in ("GLIBC_9.9 not found", "Nothing was installed"):
            self.assertIn(text, self.output)
        self.assertEqual(self.files(), [])

    def test_nonsense_is_refused(self):
        for arguments in (["--nonsense"], ["--prefix"]):
            self.assertNotEqual(self.install(*arguments), 0)
            self.assertIn("error:", self.output)
        self.assertEqual(self.install("--help"), 0)
        self.assertIn("--prefix DIR", self.output)


class Packing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = self.folder / "tree/bin/program"
        self.program.parent.mkdir(parents=True)
        (self.folder / "a.c").write_text("#include <zlib.h>\n#include <stdio.h>\nint main(void) { return puts(zlibVersion()) < 0; }\n")
        self.link("-Wl,-rpath,$ORIGIN/../lib")

    def link(self, *flags):
        subprocess.run(["gcc", self.folder / "a.c", "-o", self.program, *flags, "-lz"], check=True)

    def run_function(self, line):
        script = f"""set -euo pipefail
            tree={self.folder}/tree
            die() {{ echo "$*" >&2; exit 1; }}
            source {SOURCES}/resources/setup/packing.sh
            {line}"""
        run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=120)
        self.output = run.stdout + run.stderr
        return run.returncode

    def test_libraries_are_taken_but_those_of_glibc(self):
        self.assertEqual(self.run_function("take_libraries"), 0, self.output)
        self.assertEqual(os.listdir(self.folder / "tree/lib"), ["libz.so.1"])

    def test_a_promise_that_a_program_breaks_is_refused(self):
        self.assertEqual(self.run_function("check_version GLIBC 99.9"), 0, self.output)
        self.assertIn("promised: 99.9", self.output)
        self.assertNotEqual(self.run_function("check_version GLIBC 2.1"), 0)
        self.assertIn("more than the promised 2.1", self.output)

    def test_a_program_without_run_path_is_refused(self):
        self.assertEqual(self.run_function("check_run_paths"), 0, self.output)
        self.link()
        self.assertNotEqual(self.run_function("check_run_paths"), 0)
        self.assertIn("does not look for libraries beside itself", self.output)


class Desktop(unittest.TestCase):
    def test_desktop_file_mime_types_and_appstream_data_name_the_same_types(self):
        folder = SOURCES / "resources/desktop"
        mime = {node.get("type") for node in xml.etree.ElementTree.parse(folder / "apertune.mime.xml").getroot()}
        entry = configparser.ConfigParser(interpolation=None)
        entry.read(folder / "apertune.desktop")
        listed = {name for name in entry["Desktop Entry"]["MimeType"].split(";") if name}
        component = xml.etree.ElementTree.parse(folder / "org.apertune.Apertune.metainfo.xml").getroot()
        provided = {node.text for node in component.iter("mediatype")}
        self.assertEqual(len(mime), 3)
        self.assertEqual((listed, provided), (mime, mime))
        self.assertEqual(component.find("launchable").text, "apertune.desktop")


if __name__ == "__main__":
    unittest.main()
