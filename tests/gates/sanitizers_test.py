#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Proves that a test of the presets tsan and asan fails on a planted fault: a race, an access beyond a vector, an integer
that overflows. The fault lies in a project of its own, which is built by the project's CMake modules with the preset's
settings.

    sanitizers_test.py
"""
import json
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(faults LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH {ROOT}/resources/cmake)
include(ApertuneModule)
find_package(Threads REQUIRED)
enable_testing()
foreach(name fault mended)
  add_executable(${{name}} ${{name}}.cpp)
  target_link_libraries(${{name}} PRIVATE apertune_options Threads::Threads)
  add_test(NAME ${{name}} COMMAND ${{name}})
endforeach()
"""
RACE = """#include <mutex>
#include <thread>
int main()
{
    int counted = 0;
    std::mutex mutex;
    const auto count = [&] {
        for (int i = 0; i < 1000; ++i) {
            %s
            ++counted;
        }
    };
    std::thread other(count);
    count();
    other.join();
}
"""
# Both take a number from the command line, so that no compiler sees the fault.
BEYOND = """#include <vector>
int main(int count, char**)
{
    const std::vector<int> values(8, 0);
    return values.data()[count %s];
}
"""
OVERFLOW = """#include <climits>
int main(int count, char**)
{
    const int most = INT_MAX %s;
    const volatile int sum = most + count;
    return sum == 0;
}
"""


class Sanitizers(unittest.TestCase):
    def check(self, preset, sanitizers, source, fault, mended, words):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())
        settings = next(p["cacheVariables"] for p in presets["configurePresets"] if p["name"] == preset)
        self.assertEqual(settings["APERTUNE_SANITIZE"], sanitizers)
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            (tree / "CMakeLists.txt").write_text(PROJECT)
            (tree / "fault.cpp").write_text(source % fault)
            (tree / "mended.cpp").write_text(source % mended)
            options = [f"-D{name}={value}" for name, value in settings.items()]
            for command in (["cmake", "-G", "Ninja", "-S", tree, "-B", tree / "build", *options],
                            ["cmake", "--build", tree / "build"]):
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            run = subprocess.run(["ctest", "--test-dir", tree / "build", "--output-on-failure"], capture_output=True,
                                 text=True, check=False)
            self.assertNotEqual(run.returncode, 0, run.stdout)
            self.assertIn(words, run.stdout)
            self.assertIn("1 - fault (Failed)", run.stdout)
            self.assertNotIn("mended (Failed)", run.stdout)

    def test_a_planted_race_fails_and_a_lock_mends_it(self):
        self.check("tsan", "thread", RACE, "", "const std::lock_guard lock(mutex);",
                   "WARNING: ThreadSanitizer: data race")

    def test_an_access_beyond_a_vector_fails(self):
        self.check("asan", "address,undefined", BEYOND, "+ 7", "", "AddressSanitizer: heap-buffer-overflow")

    def test_an_integer_that_overflows_fails(self):
        self.check("asan", "address,undefined", OVERFLOW, "", "- 1", "runtime error: signed integer overflow")


if __name__ == "__main__":
    unittest.main()
