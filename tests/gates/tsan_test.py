#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Proves that a test of the preset tsan fails on a planted race: two threads count in a project of its own, which is built
by the project's CMake modules with the preset's settings.

    tsan_test.py
"""
import json
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(race LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH {ROOT}/resources/cmake)
include(ApertuneModule)
find_package(Threads REQUIRED)
enable_testing()
foreach(name race locked)
  add_executable(${{name}} ${{name}}.cpp)
  target_link_libraries(${{name}} PRIVATE apertune_options Threads::Threads)
  add_test(NAME ${{name}} COMMAND ${{name}})
endforeach()
"""
SOURCE = """#include <mutex>
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


class Races(unittest.TestCase):
    def test_a_planted_race_fails_and_a_lock_mends_it(self):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())
        settings = next(p["cacheVariables"] for p in presets["configurePresets"] if p["name"] == "tsan")
        self.assertEqual(settings["APERTUNE_SANITIZE"], "thread")
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            (tree / "CMakeLists.txt").write_text(PROJECT)
            (tree / "race.cpp").write_text(SOURCE % "")
            (tree / "locked.cpp").write_text(SOURCE % "const std::lock_guard lock(mutex);")
            options = [f"-D{name}={value}" for name, value in settings.items()]
            for command in (["cmake", "-G", "Ninja", "-S", tree, "-B", tree / "build", *options],
                            ["cmake", "--build", tree / "build"]):
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            run = subprocess.run(["ctest", "--test-dir", tree / "build", "--output-on-failure"], capture_output=True,
                                 text=True, check=False)
            self.assertNotEqual(run.returncode, 0, run.stdout)
            self.assertIn("WARNING: ThreadSanitizer: data race", run.stdout)
            self.assertIn("1 - race (Failed)", run.stdout)
            self.assertNotIn("locked (Failed)", run.stdout)


if __name__ == "__main__":
    unittest.main()
