# SPDX-License-Identifier: GPL-3.0-or-later
"""Every kind of bad input gets its code, one sentence and a way on, and leaves nothing behind."""

import json
import os
import pickle
import random
import zipfile

import torch
from models import tiny
from support import HERE, Case, run, run_child, source


class BadInput(Case):
    def write(self, name, data):
        with open(self.path(name), "wb") as stream:
            stream.write(data)
        return self.path(name)

    def script(self):
        """A small TorchScript file without an input description."""
        torch.jit.save(torch.jit.script(tiny()[0].eval()), self.path("tiny.pt"))
        return self.path("tiny.pt")

    def test_names_that_no_library_knows_get_the_nearest_ones(self):
        self.assert_import_refused("unknown_architecture", "torchvision:resnet51", contains="torchvision:resnet50")
        self.assert_import_refused("unknown_architecture", "timm:efficientnet_bo", contains="timm:efficientnet_b0")
        self.assert_import_refused("unknown_architecture", "zoo:unett", contains="zoo:unet")
        self.assert_import_refused("unknown_architecture", "torchvision:", contains="no model named")

    def test_sources_that_are_no_source_are_refused(self):
        self.assert_import_refused("bad_source", "resnet50", contains="torchvision:resnet50")
        self.assert_import_refused("bad_source", "huggingface:resnet50", contains="no kind of source")
        self.assert_import_refused("bad_source", "models/nowhere.pt", contains="no file")
        self.assert_import_refused("unsupported", "torchvision:quantized_resnet50", contains="torchvision:resnet50")

    def test_python_files_that_do_not_keep_the_contract_are_refused(self):
        self.assert_import_refused("bad_source", "python:nowhere.py:make", contains="no file")
        self.assert_import_refused("bad_source", "python:justafile.py", contains="CALLABLE")
        self.assert_import_refused("bad_source", source("tinny"), contains="tiny")
        self.assert_import_refused("bad_source", source("not_a_pair"), contains="Sequential")
        self.assert_import_refused("bad_source", source("no_inputs"), contains="no tensor")
        self.assert_import_refused("throws", source("raises"), contains=("KeyError", "line "))
        self.assert_import_refused("throws", source("refuses"), contains="sizes do not match here")
        self.assert_import_refused("unsupported", source("no_tensor"), contains="str")
        broken = self.write("broken.py", b"def make(:\n")
        self.assert_import_refused("throws", f"python:{broken}:make", contains="SyntaxError")
        needy = self.write("needy.py", b"import a_module_that_nobody_has\n")
        self.assert_import_refused("missing_module", f"python:{needy}:make", contains="a_module_that_nobody_has")

    def test_a_model_that_no_road_takes_is_refused_with_the_lines_that_stop_each(self):
        done = run_child("export", source("own_function_and_branch"), "--out", self.path("refused"))
        last = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual((done.returncode, last["t"], last["code"]), (2, "error", "unsupported"))
        with open(os.path.join(HERE, "models.py"), encoding="utf-8") as stream:
            lines = [line.strip() for line in stream]
        called = lines.index("x = Swish.apply(x)") + 1
        for road, why, line in (
            ("tracing", "the Python function Swish has no TorchScript form", called),
            ("scripting", "the Python function Swish has no TorchScript form", called),
            ("torch.export", "it decides something by the values of a tensor", called + 1),
        ):
            self.assertIn(f"{road} fails: {why} ({os.path.join(HERE, 'models.py')}, line {line})", last["message"])
        self.assertEqual(done.stderr, "")
        self.assertEqual(os.listdir(self.folder), [])

    def test_files_that_are_no_torchscript_are_named_for_what_they_are(self):
        self.assert_import_refused("truncated", self.write("empty.pt", b""), contains="empty")
        self.assert_import_refused("not_a_model", self.write("notes.pt", b"dear diary, " * 40), contains="zip")
        self.assert_import_refused("not_a_model", self.write("legacy.pt", pickle.dumps({"a": 1}, 2)), contains="pickle")
        header = json.dumps({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
        tensors = len(header).to_bytes(8, "little") + header + b"\0" * 4
        self.assert_import_refused("not_a_model", self.write("w.safetensors", tensors), contains="--weights")
        torch.save(tiny()[0].state_dict(), self.path("state.pt"))
        self.assert_import_refused("not_a_model", self.path("state.pt"), contains="python:FILE.py:CALLABLE")
        with zipfile.ZipFile(self.path("photos.zip"), "w") as archive:
            archive.writestr("photo.txt", "a photo")
        self.assert_import_refused("not_a_model", self.path("photos.zip"), contains="zip archive")
        self.assert_import_refused("not_a_model", self.folder, contains="folder")

    def package(self, **metadata):
        with zipfile.ZipFile(self.path("package.pt2"), "w") as archive:
            archive.writestr("package/archive_format", "pt2")
            archive.writestr("package/data/aotinductor/model/x.wrapper.so", b"\x7fELF")
            archive.writestr("package/data/aotinductor/model/x.wrapper_metadata.json", json.dumps(metadata))
        return self.path("package.pt2")

    def test_a_compiled_package_is_refused_naming_what_it_was_built_for(self):
        package = self.package(AOTI_DEVICE_KEY="cpu", AOTI_CPU_ISA="AVX512 AMX_TILE", AOTI_COMPUTE_CAPABILITY="")
        self.assert_import_refused("foreign_package", package, contains="AVX512 AMX_TILE")
        package = self.package(AOTI_DEVICE_KEY="cuda", AOTI_COMPUTE_CAPABILITY="90")
        self.assert_import_refused("foreign_package", package, contains="compute capability 90")

    def test_a_torchscript_file_without_inputs_says_what_to_pass(self):
        script = self.script()
        self.assert_import_refused("bad_source", script, contains=("--input-shape", "run code"))
        self.assert_import_refused("bad_source", script, "--input-shape", "x:float32:1x0", contains="form")
        self.assert_import_refused("bad_source", script, "--input-shape", "x:float31:1x3", contains="float32")
        self.assert_import_refused("throws", script, "--input-shape", "x:float32:1x4x32x32", contains="channels")

    def test_a_torchscript_file_cut_anywhere_is_refused(self):
        with open(self.script(), "rb") as stream:
            data = stream.read()
        self.assertEqual(
            run("export", self.path("tiny.pt"), "--input-shape", "1x3x32x32", "--out", self.path("whole"))[0], 0
        )
        for i in range(20):
            size = 1 + (len(data) - 2) * i // 19
            with self.subTest(size=size):
                cut = self.write("cut.pt", data[:size])
                self.assert_import_refused("truncated", cut, "--input-shape", "1x3x32x32")

    def test_a_torchscript_file_with_flipped_bytes_is_refused_or_still_right(self):
        with open(self.script(), "rb") as stream:
            data = stream.read()
        generator = random.Random(3)
        for _ in range(20):
            damaged = bytearray(data)
            position = generator.randrange(len(data))
            damaged[position] ^= 1 << generator.randrange(8)
            with self.subTest(position=position):
                path = self.write("damaged.pt", bytes(damaged))
                status, last = run("export", path, "--input-shape", "1x3x32x32", "--out", self.path("maybe"))
                self.assertIn(status, (0, 2), last)
                self.assertNotIn("The exporter failed", last.get("message", ""))

    def test_weights_that_do_not_fit_are_refused(self):
        torch.save(tiny()[0].state_dict(), self.path("tiny.pth"))
        self.assert_import_refused(
            "bad_source",
            source("tokens"),
            "--weights",
            self.path("tiny.pth"),
            contains=("1 of 1 tensors are missing", "table.weight"),
        )
        self.assert_import_refused(
            "bad_source", source("tiny"), "--weights", self.path("none.pth"), contains="no weights file"
        )
        for junk in (b"junk", b"e, or not", b"", bytes(range(256))):
            last = self.assert_import_refused(
                "bad_source", source("tiny"), "--weights", self.write("junk.pth", junk), contains="cannot be read"
            )
            self.assertRegex(last["message"], r"weights: \D{10,}", junk)

    def test_options_that_do_not_go_together_are_refused(self):
        self.assert_import_refused("unsupported", source("tiny"), "--input-shape", "1x3", contains="--input-shape")
        self.assert_import_refused("unsupported", "zoo:unet@50", contains="multiple of 16")
        self.assert_import_refused("bad_source", "zoo:unet@big", contains="Invalid image size")
        self.assert_refused("unsupported", "export", contains="SOURCE")
        self.assert_refused("unsupported", "dance", contains="dance")

    def test_a_full_or_forbidden_disk_is_not_the_inputs_fault(self):
        blocked = self.write("blocked", b"")
        status, last = run("export", source("tiny"), "--out", os.path.join(blocked, "model"))
        self.assertEqual((status, last["code"]), (1, "io"))
