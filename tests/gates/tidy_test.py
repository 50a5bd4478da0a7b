#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Proves that tidy.py fails where it should: a changed file with a planted fault, and only a changed one.

    tidy_test.py CLANG_TIDY
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).with_name("tidy.py")
CONFIG = pathlib.Path(__file__).resolve().parents[2] / ".clang-tidy"
TIDY = sys.argv.pop() if len(sys.argv) > 1 else "clang-tidy-14"
FAULT = "#include <string>\n#include <utility>\nstd::size_t f(std::string s)\n{\n    std::string t = std::move(s);\n    return t.size() + s.size();\n}\n"


class ChangedFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        shutil.copy(CONFIG, self.root)
        (self.root / "core").mkdir()
        (self.root / "build").mkdir()
        (self.root / ".gitignore").write_text("build/\n")
        for name in ("a", "b"):
            self.write(name, "int f();\n")
        commands = [{"directory": str(self.root), "file": str(self.root / f"core/{name}.cpp"),
                     "command": f"clang++ -I. -std=c++20 -c core/{name}.cpp"} for name in ("a", "b")]
        (self.root / "build/compile_commands.json").write_text(json.dumps(commands))
        self.git("init", "-q")
        self.commit()

    def write(self, name, text):
        (self.root / f"core/{name}.cpp").write_text(text)

    def git(self, *words):
        names = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", "-C", self.root, *names, *words], check=True)

    def commit(self):
        self.git("add", ".")
        self.git("commit", "-q", "-m", "a commit")

    def check(self, *more):
        return subprocess.run([sys.executable, CHECKER, self.root, self.root / "build", "--tidy", TIDY, *more],
                              capture_output=True, text=True, check=False,
                              env={**os.environ, "XDG_CACHE_HOME": str(self.root / "build/cache")})

    def test_a_changed_file_with_a_fault_fails(self):
        self.write("a", FAULT)
        self.commit()
        run = self.check()
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("bugprone-use-after-move", run.stdout)
        self.assertIn("1 files, 1 with findings", run.stdout)

    def test_the_whole_tree_is_looked_at_when_asked_for(self):
        self.write("a", FAULT)
        self.commit()
        self.write("b", "int g();\n")
        self.commit()
        self.assertEqual(self.check("--since", "HEAD~1").returncode, 0)
        self.assertEqual(self.check("--all").returncode, 1)

    def test_a_clone_is_compared_with_the_commit_before_the_last_hours(self):
        self.write("a", FAULT)
        self.commit()
        self.write("b", "int g();\n")
        self.commit()
        self.assertEqual(self.check().returncode, 1)

    def test_a_clone_is_compared_with_the_last_commit_that_passed(self):
        self.write("a", "int g();\n")
        self.commit()
        self.assertIn("1 files, 0 with findings", self.check().stdout)  # since the first commit
        self.assertIn("0 files", self.check().stdout)
        self.write("b", FAULT)
        self.assertIn("1 files, 1 with findings", self.check().stdout)
        self.commit()
        self.write("a", "int h();\n")
        self.commit()
        self.assertIn("2 files, 1 with findings", self.check().stdout, "what failed is looked at again")

    def test_files_that_differ_from_the_commit_do_not_make_it_a_tested_one(self):
        self.write("a", FAULT)
        self.commit()
        self.write("a", "int g();\n")
        self.assertEqual(self.check().returncode, 0)
        self.git("checkout", "-q", "core/a.cpp")
        self.assertEqual(self.check().returncode, 1)

    def test_a_file_that_passed_is_known(self):
        self.write("a", '#include "core/c.h"\nint g();\n')
        self.git("add", ".")
        (self.root / "core/c.h").write_text("int h();\n")
        self.assertIn("0 were known", self.check("--since", "HEAD").stdout)
        self.assertIn("1 were known", self.check("--since", "HEAD").stdout)
        (self.root / "core/c.h").write_text("int i();\n")
        self.assertIn("0 were known", self.check("--since", "HEAD").stdout)

    def test_changed_files_are_looked_at_though_no_time_is_left(self):
        run = self.check("--all", "--minutes", "0")
        self.assertIn("0 files, 0 with findings; 0 were known", run.stdout)
        self.assertEqual(run.stdout.splitlines()[-1], "UNFINISHED: 2 of 2 files were left for the next run.")
        self.write("a", FAULT)
        run = self.check("--all", "--minutes", "0")
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn("UNFINISHED: 1 of 2 files", run.stdout)


if __name__ == "__main__":
    unittest.main()
