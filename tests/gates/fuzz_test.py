#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Proves that tests/fuzz/run.py finds a bug, keeps its input and prints the command that replays it: a parser of its own with a
planted bug.

    fuzz_test.py CLANG
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUN = ROOT / "tests" / "fuzz" / "run.py"
CLANG = sys.argv.pop() if len(sys.argv) > 1 else "clang++"
PARSER = """#include "tests/fuzz/fuzz.h"
#include <cstdlib>
namespace apertune::fuzz {
void require(bool holds, const char*)
{
    if (!holds)
        std::abort();
}
std::vector<std::string> seeds()
{
    return {"key=1"};
}
void examine(std::string_view input)
{
    const std::size_t equals = input.find('=');
    if (%s)
        return;
    volatile char after = input.data()[equals + 1]; // behind the end of "key="
    static_cast<void>(after);
}
} // namespace apertune::fuzz
"""
PLANTED = "equals == std::string_view::npos"
SOUND = "equals == std::string_view::npos || equals + 1 >= input.size()"


class Fuzzing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        for name, condition in (("planted", PLANTED), ("sound", SOUND)):
            build = cls.folder / name / "tests" / "fuzz"
            build.mkdir(parents=True)
            (build / "toy.cpp").write_text(PARSER % condition)
            subprocess.run([CLANG, "-std=c++20", "-g1", "-fsanitize=fuzzer,address", f"-I{ROOT}", build / "toy.cpp",
                            ROOT / "tests/fuzz/libfuzzer_main.cpp", "-o", build / "fuzz_toy"], check=True)
            (build / "targets.json").write_text(json.dumps({"toy": {"seeds": [], "dictionary": ""}, "": None}))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)

    def fuzz(self, name, *more):
        environment = dict(os.environ, XDG_CACHE_HOME=str(self.home))
        return subprocess.run([sys.executable, RUN, self.folder / name, "--seconds", "3", "--found", self.home / "found", *more],
                              capture_output=True, text=True, env=environment, cwd=self.home, check=False)

    def test_a_planted_bug_is_found_and_can_be_replayed(self):
        run = self.fuzz("planted")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("heap-buffer-overflow", run.stdout)
        inputs = list((self.home / "found" / "toy").iterdir())
        self.assertEqual(len(inputs), 1)
        command = next(line.split("replay: ")[1] for line in run.stdout.splitlines() if "replay: " in line)
        self.assertNotEqual(subprocess.run(command.split(), cwd=self.home, capture_output=True, check=False).returncode, 0)
        # Inputs that were found are examined first, even when the corpus is gone.
        shutil.rmtree(self.home / "apertune")
        again = self.fuzz("planted", "--seconds", "1")
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertEqual(self.fuzz("sound").returncode, 0)

    def test_a_sound_parser_passes_and_is_known_to(self):
        run = self.fuzz("sound", "--once")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("0 were known", run.stdout)
        self.assertIn("1 were known", self.fuzz("sound", "--once").stdout)
        self.assertIn("0 were known", self.fuzz("sound", "--once", "--seconds", "1").stdout)

    def test_no_target_is_no_success(self):
        self.assertEqual(self.fuzz("sound", "--only", "nothing").returncode, 2)


if __name__ == "__main__":
    unittest.main()
