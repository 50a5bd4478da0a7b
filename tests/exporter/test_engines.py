# SPDX-License-Identifier: GPL-3.0-or-later
"""Models written for other engines, and files of other engines as models."""

import hashlib
import json
import os
import unittest

import numpy
import torch

from apertune_exporter.common.engines import add_engine_folders
from support import Case, run, run_child, source

add_engine_folders()
try:
    import onnx
    import onnxruntime  # noqa: F401
    import openvino  # noqa: F401
except ImportError as failure:
    raise unittest.SkipTest(f"the engines are not installed ({failure}): make setup")


@torch.jit.script
class Scale:
    def __init__(self):
        self.by = 2.0

    def of(self, x: torch.Tensor):
        return x * self.by


class Scaled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = Scale()
        self.mix = torch.nn.Conv2d(3, 4, 3)

    def forward(self, x):
        return self.scale.of(self.mix(x))


class Engines(Case):
    def convert(self, form, *options, model="model"):
        """format.json of a successful conversion."""
        out = self.path(f"{model}-{form}")
        status, last = run("convert", "--artifact", self.path(model), "--format", form, "--out", out, *options)
        self.assertEqual((status, last["t"]), (0, "done"), last)
        with open(os.path.join(out, "format.json"), encoding="utf-8") as stream:
            return json.load(stream), out

    def test_both_formats_agree_with_the_eager_model_at_an_open_batch(self):
        self.export(source("tiny"))
        for form, file in (("onnx", "model.onnx"), ("openvino_ir", "model.xml")):
            told, out = self.convert(form)
            self.assertEqual((told["schema"], told["file"]), ("apertune.format/1", file))
            self.assertTrue(told["dynamic_batch"])
            self.assertIsNone(told["batch"])
            self.assertGreater(told["agreement"]["cosine"], 0.9999)
            self.assertEqual(told["bytes"], os.path.getsize(os.path.join(out, file)))

    def test_a_fixed_batch_stands_in_the_file(self):
        self.export(source("tiny"))
        told, out = self.convert("onnx", "--batch", 2)
        self.assertEqual((told["dynamic_batch"], told["batch"]), (False, 2))
        shape = onnx.load(os.path.join(out, "model.onnx")).graph.input[0].type.tensor_type.shape
        self.assertEqual(shape.dim[0].dim_value, 2)

    def test_names_of_inputs_and_outputs_are_those_of_the_manifest(self):
        manifest = self.export(source("two_in"))
        _, out = self.convert("onnx")
        graph = onnx.load(os.path.join(out, "model.onnx")).graph
        self.assertEqual([value.name for value in graph.input], [i["name"] for i in manifest["inputs"]])
        self.assertEqual([value.name for value in graph.output], [o["name"] for o in manifest["outputs"]])

    def test_a_script_that_holds_objects_is_told_in_words(self):
        torch.jit.save(torch.jit.script(Scaled().eval()), self.path("scaled.pt"))
        self.export(self.path("scaled.pt"), "--input-shape", "x:float32:1x3x8x8")
        last = self.assert_refused("compile_failed", "convert", "--artifact", self.path("model"), "--format", "onnx",
                                   "--out", self.path("never"), contains=["(Scale)", "only LibTorch"], status=1)
        self.assertNotIn("0x", last["message"])

    def test_a_batch_that_the_model_does_not_take_is_refused(self):
        self.export(source("one_only"))
        self.assert_refused("unsupported", "convert", "--artifact", self.path("model"), "--format", "onnx", "--batch", 4,
                            "--out", self.path("four"), contains="batch 1 only")
        self.assertFalse(os.path.exists(self.path("four")))

    def test_a_file_of_an_engine_is_a_model_and_needs_no_pytorch(self):
        self.export(source("tiny"))
        for form, file in (("onnx", "model.onnx"), ("openvino_ir", "model.xml")):
            _, out = self.convert(form)
            # A torch package that cannot be imported stands in for a machine without one.
            blocked = self.path("blocked")
            os.makedirs(os.path.join(blocked, "torch"), exist_ok=True)
            with open(os.path.join(blocked, "torch", "__init__.py"), "w", encoding="utf-8") as stream:
                stream.write("raise ImportError('there is no torch')\n")
            exporter = os.path.join(os.path.dirname(__file__), "..", "..", "resources", "exporter")
            done = run_child("export", os.path.join(out, file), "--out", self.path(form),
                             PYTHONPATH=f"{blocked}:{exporter}")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            with open(os.path.join(self.path(form), "manifest.json"), encoding="utf-8") as stream:
                manifest = json.load(stream)
            self.assertIsNone(manifest["files"]["torchscript"])
            main = manifest["files"][form]
            self.assertEqual([other["path"] for other in main["beside"]], ["model.bin"] if form == "openvino_ir" else [])
            for described in (main, *main["beside"], *({"path": i["file"], **i} for i in manifest["inputs"])):
                with open(os.path.join(self.path(form), described["path"]), "rb") as stream:
                    self.assertEqual(hashlib.sha256(stream.read()).hexdigest(), described["sha256"])
            self.assertTrue(manifest["dynamic_batch"])
            self.assertGreater(manifest["parameters"], 0)
            given = manifest["inputs"][0]
            self.assertEqual((given["batch_dim"], given["shape"][0], given["samples"]), (0, 1, 8))
            self.assertEqual(manifest["outputs"][0]["batch_dim"], 0)
            self.assert_refused("unsupported", "convert", "--artifact", self.path(form), "--format", "onnx",
                                "--out", self.path("again"), contains="file of another engine")

    def test_the_same_file_has_the_same_hash(self):
        self.export(source("tiny"))
        _, out = self.convert("onnx")
        first = self.export(os.path.join(out, "model.onnx"), out="first")
        second = self.export(os.path.join(out, "model.onnx"), out="second")
        self.assertEqual(first["content_hash"], second["content_hash"])


class BrokenFiles(Case):
    def write(self, name, data):
        with open(self.path(name), "wb") as stream:
            stream.write(data)
        return self.path(name)

    def graph(self, **changes):
        """The bytes of a small ONNX file."""
        helper, kind = onnx.helper, onnx.TensorProto.FLOAT
        shape = changes.get("shape", ["N", 4])
        weight = helper.make_tensor("w", kind, [4], [1, 2, 3, 4])
        if "location" in changes:
            weight.ClearField("float_data")
            weight.data_location = onnx.TensorProto.EXTERNAL
            weight.external_data.add(key="location", value=changes["location"])
        graph = helper.make_graph(
            [helper.make_node(changes.get("operator", "Mul"), ["x", "w"], ["y"])], "g",
            [helper.make_tensor_value_info("x", kind, shape)], [helper.make_tensor_value_info("y", kind, ["N", 4])],
            [weight])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10).SerializeToString()

    def test_the_small_file_itself_is_whole(self):
        manifest = self.export(self.write("good.onnx", self.graph()))
        self.assertEqual(manifest["parameters"], 4)

    def test_files_that_are_no_model_are_refused(self):
        good = self.graph()
        self.assert_import_refused("truncated", self.write("noise.onnx", bytes(range(256)) * 4), contains="no ONNX file")
        self.assert_import_refused("truncated", self.write("empty.onnx", b""), contains="no graph")
        self.assert_import_refused("truncated", self.write("cut.onnx", good[: len(good) // 2]))
        self.write("net.bin", b"")
        self.assert_import_refused("truncated", self.write("net.xml", b"<net>"), contains="OpenVINO cannot read")
        self.assert_import_refused("bad_source", self.write("alone.xml", b"<net/>"), contains="not beside it")

    def test_every_cut_of_a_file_is_an_answer(self):
        good = self.graph()
        for size in range(1, len(good), 5):
            status, last = run("export", self.write("cut.onnx", good[:size]), "--out", self.path("cut"))
            self.assertEqual((status, last["t"]), (2, "error"), (size, last))

    def test_an_operator_that_does_not_exist_is_refused(self):
        self.assert_import_refused("not_a_model", self.write("op.onnx", self.graph(operator="Mull")), contains="Mull")

    def test_weights_outside_the_folder_are_not_read(self):
        for location in ("../secret", "/etc/passwd", "sub/../../secret", "."):
            self.assert_import_refused("not_a_model", self.write("out.onnx", self.graph(location=location)),
                                       contains="outside its own folder")
        self.assert_import_refused("bad_source", self.write("gone.onnx", self.graph(location="gone.bin")),
                                   contains="missing")

    def test_weights_that_are_a_link_out_of_the_folder_are_not_copied(self):
        os.mkdir(self.path("model-folder"))
        secret = self.write("secret", bytes(16))
        os.symlink(secret, self.path("model-folder/weights.bin"))
        self.assert_import_refused("bad_source", self.write("model-folder/net.onnx", self.graph(location="weights.bin")),
                                   contains="outside of its model's folder")
        os.symlink(secret, self.path("model-folder/net.bin"))
        self.assert_import_refused("bad_source", self.write("model-folder/net.xml", b"<net/>"),
                                   contains="outside of its model's folder")

    def test_weights_in_other_files_become_one_beside_the_model(self):
        os.mkdir(self.path("sub"))
        weight = numpy.arange(4, dtype=numpy.float32)
        weight.tofile(self.path("sub/weights"))
        manifest = self.export(self.write("split.onnx", self.graph(location="sub/weights")))
        made = onnx.load(self.path("model/model.onnx"))  # so few that they are within the model now
        self.assertEqual(onnx.numpy_helper.to_array(made.graph.initializer[0]).tolist(), weight.tolist())
        self.assertEqual(manifest["files"]["onnx"]["beside"], [])
        wide = numpy.arange(1024, dtype=numpy.float32)
        wide.tofile(self.path("sub/weights"))
        model = onnx.ModelProto.FromString(self.graph(location="sub/weights", shape=["N", 1024]))
        model.graph.initializer[0].dims[:] = [1024]
        model.graph.output[0].type.tensor_type.shape.dim[1].dim_value = 1024
        manifest = self.export(self.write("wide.onnx", model.SerializeToString()))
        self.assertEqual([f["path"] for f in manifest["files"]["onnx"]["beside"]], ["model.onnx.data"])
        made = onnx.load(self.path("model/model.onnx"))
        self.assertEqual(onnx.numpy_helper.to_array(made.graph.initializer[0]).tolist(), wide.tolist())

    def test_a_batch_that_is_open_in_name_only_is_batch_1(self):
        helper, kind = onnx.helper, onnx.TensorProto.FLOAT
        shape = onnx.numpy_helper.from_array(numpy.array([1, 8], dtype=numpy.int64), "shape")
        graph = helper.make_graph(
            [helper.make_node("Reshape", ["x", "shape"], ["y"])], "g",
            [helper.make_tensor_value_info("x", kind, ["N", 2, 4])], [helper.make_tensor_value_info("y", kind, [1, 8])],
            [shape])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
        manifest = self.export(self.write("reshape.onnx", model.SerializeToString()))
        self.assertFalse(manifest["dynamic_batch"])
        self.assertIn("batch 3 does not run", " ".join(manifest["notes"]))

    def test_outputs_that_are_no_tensors_are_refused(self):
        helper, kind = onnx.helper, onnx.TensorProto.FLOAT
        output = helper.make_tensor_sequence_value_info("y", kind, None)
        graph = helper.make_graph([helper.make_node("SequenceConstruct", ["x"], ["y"])], "g",
                                  [helper.make_tensor_value_info("x", kind, ["N", 4])], [output])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
        self.assert_import_refused("unsupported", self.write("list.onnx", model.SerializeToString()),
                                   contains="no tensor of numbers")

    def test_open_sizes_must_be_told(self):
        path = self.write("open.onnx", self.graph(shape=["N", "W"]))
        self.assert_import_refused("bad_source", path, contains=["dimension 1", "--input-shape x:1x"])
        manifest = self.export(path, "--input-shape", "x:1x4")
        self.assertEqual(manifest["inputs"][0]["shape"], [1, 4])
        self.assert_import_refused("bad_source", path, "--input-shape", "z:1x4", contains="no input z")
        self.assert_import_refused("unsupported", path, "--input-shape", "x", contains="NAME:1x3x224x224")

    def test_a_huge_input_is_refused_before_it_is_made(self):
        self.assert_import_refused("unsupported", self.write("huge.onnx", self.graph(shape=["N", 1 << 40])),
                                   contains="elements")
