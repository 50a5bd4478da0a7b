#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs resources/setup/gpu-bundle in a small source tree that has this project's build rules and nothing built yet."""
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import unittest

SOURCES = pathlib.Path(__file__).resolve().parents[2]

PRESETS = """{
  "version": 6,
  "configurePresets": [{"name": "headless", "generator": "Ninja", "binaryDir": "${sourceDir}/build/headless",
    "cacheVariables": {"CMAKE_BUILD_TYPE": "Release"}}],
  "buildPresets": [{"name": "headless", "configurePreset": "headless"}]
}
"""
PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_SOURCE_DIR}/resources/cmake)
set(CMAKE_INSTALL_LIBDIR lib)
include(GNUInstallDirs)
include(ApertuneModule)
include(ApertuneEngine)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(APERTUNE_PLUGIN_DIR ${CMAKE_BINARY_DIR}/lib/apertune/plugins)
apertune_add_program(apertune SOURCES program.cpp)
apertune_add_program(apertune-worker SOURCES program.cpp)
foreach(backend libtorch onnxruntime tensorrt)
  apertune_describe_engine(${backend} TITLE ${backend} PACKAGE none FORMATS onnx LIBRARIES none.so)
  if(NOT backend STREQUAL "tensorrt" OR WITH_TENSORRT)
    apertune_add_plugin(${backend} SOURCES plugin.cpp)
  endif()
endforeach()
add_subdirectory(resources)
"""


class Bundle(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        for part in ("LICENSE", "resources/CMakeLists.txt", "resources/cmake", "resources/desktop", "resources/setup",
                     "resources/exporter", "tests/gpu"):
            target = self.tree / part
            target.parent.mkdir(parents=True, exist_ok=True)
            if (SOURCES / part).is_dir():
                shutil.copytree(SOURCES / part, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(SOURCES / part, target)
        (self.tree / "CMakePresets.json").write_text(PRESETS)
        (self.tree / "CMakeLists.txt").write_text(PROJECT)
        (self.tree / "program.cpp").write_text("#include <iostream>\nint main() { std::cout << 1; }\n")
        (self.tree / "plugin.cpp").write_text('extern "C" int entry() { return 1; }\n')

    def pack(self):
        env = {**os.environ, "APERTUNE_ENGINES": str(self.tree / "none")}
        run = subprocess.run([self.tree / "resources/setup/gpu-bundle"], env=env, stdin=subprocess.DEVNULL,
                             capture_output=True, text=True, timeout=600)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        with tarfile.open(self.tree / "build/gpu-bundle/apertune-headless.tar.gz") as packed:
            return {name.removeprefix("apertune-headless/") for name in packed.getnames()}

    def test_a_clean_tree_packs_though_the_backends_that_stay_behind_were_never_built(self):
        packed = self.pack()
        for part in ("bin/apertune", "bin/apertune-worker", "lib/apertune/plugins/libtorch.so", "README.txt",
                     "share/apertune/exporter/apertune_exporter/cli.py", "share/apertune/requirements.txt"):
            self.assertIn(part, packed)
        plugins = {name for name in packed if name.startswith("lib/apertune/plugins/")}
        self.assertEqual({pathlib.Path(name).stem for name in plugins}, {"libtorch", "tensorrt"})
        self.assertFalse((self.tree / "build/headless/lib/apertune/plugins/onnxruntime.so").exists())

    def test_the_check_of_a_gpu_runs_from_the_bundle(self):
        self.pack()
        bundle = self.tree / "build/gpu-bundle/apertune-headless"
        run = subprocess.run([bundle / "share/apertune/gpu-check/run", self.tree], capture_output=True, text=True, timeout=300)
        self.assertIn("holds no bin/apertune", run.stderr)

    def test_tensorrt_is_packed_where_its_backend_can_be_built(self):
        project = self.tree / "CMakeLists.txt"
        project.write_text(project.read_text().replace("OR WITH_TENSORRT", "OR TRUE"))
        self.assertIn("lib/apertune/plugins/tensorrt.so", self.pack())


if __name__ == "__main__":
    unittest.main()
