# SPDX-License-Identifier: GPL-3.0-or-later
"""INT8 models: what is in the file, what calibrates it, and what cannot."""

import json
import os
import unittest
from unittest import mock

import numpy

from apertune_exporter.common.engines import add_engine_folders
from apertune_exporter.common.protocol import ExportError
from apertune_exporter.convert import convert
from apertune_exporter.quantize import calibration, quantizers, sensitivity
from apertune_exporter.quantize.quantizers import OTHERS
from support import Case, run, source

add_engine_folders()
try:
    import nncf  # noqa: F401
    import onnx
    import onnxruntime
    import openvino
except ImportError as failure:
    raise unittest.SkipTest(f"the engines are not installed ({failure}): make setup")


def image_files(folder, count, size=(40, 24)):
    from PIL import Image

    os.makedirs(folder, exist_ok=True)
    for i in range(count):
        values = numpy.random.default_rng(i).integers(0, 255, (size[1], size[0], 3)).astype(numpy.uint8)
        Image.fromarray(values).save(os.path.join(folder, f"{i}.png"))


class Int8(Case):
    def convert(self, form, *options, model="model"):
        """format.json and the path of a successful conversion."""
        out = self.path(f"{model}-{form}")
        status, last = run("convert", "--artifact", self.path(model), "--format", form, "--out", out, "--precision",
                           "int8", "--calibration-samples", 5, *options)
        self.assertEqual((status, last["t"]), (0, "done"), last)
        with open(os.path.join(out, "format.json"), encoding="utf-8") as stream:
            told = json.load(stream)
        return told, os.path.join(out, told["file"])

    def refused(self, code, *options, contains=(), form="onnx", status=2, model="model"):
        self.assert_refused(code, "convert", "--artifact", self.path(model), "--format", form, "--out",
                            self.path("refused"), "--precision", "int8", *options, contains=contains, status=status)
        self.assertFalse(os.path.exists(self.path("refused")))

    @staticmethod
    def weight_types(path):
        """Element types of the weights that convolutions and matrix products read."""
        if path.endswith(".onnx"):
            return {t.data_type for t in onnx.load(path).graph.initializer if len(t.dims) > 1}
        return {op.get_element_type().get_type_name() for op in openvino.Core().read_model(path).get_ordered_ops()
                if op.get_type_name() == "Constant" and len(op.get_output_shape(0)) > 1 and
                op.get_output_size() > 0 and numpy.prod(op.get_output_shape(0)) > 64}

    def test_weights_are_int8_in_both_formats(self):
        self.export(source("tiny"))
        for form, int8 in (("onnx", onnx.TensorProto.INT8), ("openvino_ir", "i8")):
            told, path = self.convert(form)
            made = told["quantization"]
            self.assertEqual((made["precision"], made["samples"], made["weight_bits"]), ("int8", 5, 8))
            self.assertEqual(made["calibration"], "5 generated samples")
            self.assertGreater(told["agreement"]["cosine"], 0.9)
            self.assertTrue(told["dynamic_batch"])
            self.assertIn(int8, self.weight_types(path), form)

    def test_a_layer_may_stay_in_float(self):
        self.export(source("tiny"))
        for form in ("onnx", "openvino_ir"):
            layers = self.convert(form)[0]["quantization"]["layers"]
            told, path = self.convert(form, *[f"--float-layer={name}" for name in layers])
            self.assertEqual(told["quantization"]["float_layers"], sorted(layers))
            self.assertFalse(self.weight_types(path) & {onnx.TensorProto.INT8, "i8"}, form)
            self.refused("unsupported", "--float-layer=nothing", form=form, contains="no layer nothing")

    def test_int8_is_made_of_what_was_converted_before(self):
        self.export(source("tiny"))
        for form in ("onnx", "openvino_ir"):
            plain = self.path("plain-" + form)
            run("convert", "--artifact", self.path("model"), "--format", form, "--out", plain)
            file = os.path.join(plain, "model.onnx" if form == "onnx" else "model.xml")
            told, path = self.convert(form, "--from", file)
            self.assertEqual(told["quantization"]["layers"], self.convert(form)[0]["quantization"]["layers"])
            self.assertIn({"onnx": onnx.TensorProto.INT8, "openvino_ir": "i8"}[form], self.weight_types(path))
            self.refused("bad_source", "--from", self.path("nothing.onnx"), form=form, contains="not written by")

    def evaluated(self, form, model="model"):
        plain = self.path(f"{model}-plain-{form}")
        run("convert", "--artifact", self.path(model), "--format", form, "--out", plain)
        status, last = run("sensitivity", "--artifact", self.path(model), "--format", form, "--calibration-samples", 4,
                           "--file", os.path.join(plain, "model.onnx" if form == "onnx" else "model.xml"))
        self.assertEqual((status, last["t"]), (0, "done"), last)
        return last

    def test_the_layer_that_int8_cannot_do_is_named(self):
        # One of its layers reads values of which one is so large that the others have no bits left.
        self.export(source("fragile"))
        for form in ("onnx", "openvino_ir"):
            told = self.evaluated(form)
            everything, _ = self.convert(form)
            first, fragile = everything["quantization"]["layers"][:2]
            rows = {row["name"]: row for row in told["layers"]}
            self.assertLess(told["all"], 0.99, form)
            self.assertEqual([row["only"] for row in told["layers"]], sorted(row["only"] for row in told["layers"]))
            self.assertLess(rows[fragile]["only"], rows[first]["only"] - 0.005, form)
            kept, _ = self.convert(form, f"--float-layer={fragile}", f"--float-layer={OTHERS}")
            self.assertGreater(kept["agreement"]["cosine"], everything["agreement"]["cosine"], form)

    def test_mixes_lie_between_the_float_and_the_int8_file(self):
        manifest = self.export(source("fragile"))  # its activations are gone from the int8 file
        float_file = os.path.join(self.path("plain"), "model.onnx")
        run("convert", "--artifact", self.path("model"), "--format", "onnx", "--out", self.path("plain"))
        values = [calibration.reference_inputs(self.path("model"), manifest, 1)[0].numpy()]

        def answers(path):
            session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
            return session.run(None, {session.get_inputs()[0].name: values[0]})[0]

        samples = [list(v) for v in calibration.Calibration(self.path("model"), manifest, None, 4).samples()]
        quantizers.quantize_onnx(float_file, self.path("int8.onnx"), iter(samples), False)
        mix = sensitivity._OnnxMix(float_file, iter(samples), 4, False)
        self.assertLess(numpy.abs(mix.run(set(), values)[0] - answers(float_file)).max(), 1e-5)
        self.assertLess(numpy.abs(mix.run(set(mix.kinds), values)[0] - answers(self.path("int8.onnx"))).max(), 1e-5)

    def test_what_is_no_layer_can_stay_in_float_too(self):
        self.export(source("summed"))
        for form in ("onnx", "openvino_ir"):
            rows = self.evaluated(form)["layers"]
            self.assertIn(OTHERS, [row["name"] for row in rows], form)
            everything = self.roundings(self.convert(form)[1])
            self.assertLess(self.roundings(self.convert(form, f"--float-layer={OTHERS}")[1]), everything, form)

    @staticmethod
    def roundings(path):
        if path.endswith(".onnx"):
            return sum(node.op_type == "QuantizeLinear" for node in onnx.load(path).graph.node)
        return sum(op.get_type_name() == "FakeQuantize" for op in openvino.Core().read_model(path).get_ordered_ops())

    def test_images_of_a_folder_calibrate(self):
        self.export(source("tiny"))
        photos = self.path("photos")
        for kind in ("cat", "dog"):
            image_files(os.path.join(photos, kind), 4)
        with open(os.path.join(photos, "cat", "broken.png"), "wb") as stream:
            stream.write(b"no picture")
        told, _ = self.convert("onnx", "--calibration", photos, "--calibration-samples", 100)
        self.assertEqual(told["quantization"]["calibration"], "8 images of photos (1 could not be read)")
        self.assertEqual(told["quantization"]["samples"], 8)

    def test_folders_that_cannot_calibrate_are_refused(self):
        self.export(source("tiny"))
        os.mkdir(self.path("empty"))
        self.refused("bad_source", "--calibration", self.path("empty"), contains="no images")
        self.refused("bad_source", "--calibration", self.path("nowhere"), contains="not a folder")
        os.mkdir(self.path("broken"))
        with open(os.path.join(self.path("broken"), "a.jpg"), "wb") as stream:
            stream.write(b"no picture")
        self.refused("bad_source", "--calibration", self.path("broken"), contains="can be read")
        self.export(source("two_in"), out="two")
        image_files(self.path("photos"), 1)
        self.refused("unsupported", "--calibration", self.path("photos"), contains="does not take one image", model="two")

    def test_processors_that_overflow_get_seven_bits(self):
        self.export(source("tiny"))
        told, path = self.convert("onnx", "--narrow-weights")
        self.assertEqual(told["quantization"]["weight_bits"], 7)
        for tensor in onnx.load(path).graph.initializer:
            if tensor.data_type == onnx.TensorProto.INT8:
                self.assertLessEqual(numpy.abs(onnx.numpy_helper.to_array(tensor).astype(int)).max(), 64)

    def test_symmetric_activations_have_no_zero_point(self):
        self.export(source("summed"))
        told, path = self.convert("onnx", "--symmetric-activations")
        self.assertIn("symmetric", told["quantization"]["method"])
        self.assertGreater(told["agreement"]["cosine"], 0.99)
        graph = onnx.load(path).graph
        constants = {t.name: onnx.numpy_helper.to_array(t) for t in graph.initializer}
        roundings = [n for n in graph.node if n.op_type in ("QuantizeLinear", "DequantizeLinear")]
        self.assertGreaterEqual(len(roundings), 9)  # two for each of three layers, and their weights
        for node in roundings:
            zero = constants[node.input[2]]
            self.assertEqual((zero.dtype, int(numpy.abs(zero).max())), (numpy.int8, 0), node.name)
        made = {o: n for n in graph.node for o in n.output}
        layers = [n for n in graph.node if n.op_type in ("Conv", "Gemm", "MatMul")]
        self.assertEqual(len(layers), 3)
        for node in layers:
            self.assertEqual([made[i].op_type for i in node.input[:2]], ["DequantizeLinear"] * 2)
            self.assertTrue(all(i in constants and constants[i].dtype == numpy.float32 for i in node.input[2:]))
        self.refused("unsupported", "--symmetric-activations", form="openvino_ir", contains="ONNX only")
        plain = self.path("plain")
        run("convert", "--artifact", self.path("model"), "--format", "onnx", "--out", plain)
        status, last = run("sensitivity", "--artifact", self.path("model"), "--format", "onnx", "--symmetric-activations",
                           "--file", os.path.join(plain, "model.onnx"), "--calibration-samples", 4)
        self.assertEqual((status, len(last["layers"])), (0, 3), last)
        self.assertGreater(last["all"], 0.99)

    def test_layers_without_names_are_told_apart(self):
        self.export(source("summed"))
        run("convert", "--artifact", self.path("model"), "--format", "onnx", "--out", self.path("float"))
        file = os.path.join(self.path("float"), "model.onnx")
        model = onnx.load(file)
        for node in model.graph.node:
            node.name = ""
        onnx.save(model, file)
        self.export(file, out="file")
        kept, path = self.convert("onnx", "--float-layer=Conv#2", model="file")
        self.assertEqual(kept["quantization"]["layers"][:2], ["Conv#1", "Conv#2"])
        in_int8 = [n.name for n in onnx.load(path).graph.node if n.op_type == "Conv" and "DequantizeLinear" in n.input[1]]
        status, last = run("sensitivity", "--artifact", self.path("file"), "--format", "onnx", "--calibration-samples", 4,
                           "--file", os.path.join(self.path("file"), "model.onnx"))
        self.assertEqual((status, last["t"]), (0, "done"), last)
        self.assertLessEqual({"Conv#1", "Conv#2"}, {row["name"] for row in last["layers"]})
        self.assertEqual(in_int8, ["Conv#1"])

    def test_weights_in_a_file_of_their_own_are_found_under_the_models_name(self):
        self.export(source("fragile"))
        with mock.patch.object(convert, "LARGEST_SINGLE_FILE", 0), mock.patch.object(quantizers, "_LARGEST_SINGLE_FILE", 0):
            told, path = self.convert("onnx")
        self.assertEqual(told["files"], ["model.onnx", "model.onnx.data"])
        places = {entry.value for tensor in onnx.load(path, load_external_data=False).graph.initializer
                  for entry in tensor.external_data if entry.key == "location"}
        self.assertEqual(places, {"model.onnx.data"})
        self.assertIn(onnx.TensorProto.INT8, self.weight_types(path))
        self.assertLess(os.path.getsize(os.path.join(os.path.dirname(path), "model.onnx.data")), 4 * 1152,
                        "the float model's weights are gone")

    def test_a_file_of_an_engine_is_quantized_itself_but_not_twice(self):
        self.export(source("tiny"))
        run("convert", "--artifact", self.path("model"), "--format", "onnx", "--out", self.path("float"))
        self.export(os.path.join(self.path("float"), "model.onnx"), out="file")
        told, path = self.convert("onnx", model="file")
        self.assertIn(onnx.TensorProto.INT8, self.weight_types(path))
        self.assertGreater(told["agreement"]["cosine"], 0.9)
        self.export(path, out="again")
        self.refused("unsupported", model="again", contains="quantised already")


class Samples(Case):
    def test_a_picture_is_scaled_cropped_and_normalised(self):
        from PIL import Image

        path = self.path("half.png")
        values = numpy.zeros((20, 40, 3), dtype=numpy.uint8)
        values[:, 20:] = 255  # right half white
        Image.fromarray(values).save(path)
        how = {"size": [10, 10], "channels": 3, "interpolation": "nearest", "resize": 10, "mean": [0.5, 0.5, 0.5],
               "std": [0.5, 0.25, 1.0]}
        tensor = calibration.read_image(path, how).numpy()
        self.assertEqual(tensor.shape, (1, 3, 10, 10))
        # The crop is the middle half: its left part black, its right part white.
        self.assertEqual([tensor[0, c, 5, 0] for c in range(3)], [-1.0, -2.0, -0.5])
        self.assertEqual([tensor[0, c, 5, 9] for c in range(3)], [1.0, 2.0, 0.5])

    def test_samples_are_spread_over_a_sorted_folder(self):
        for kind in "abc":
            image_files(os.path.join(self.path("photos"), kind), 4)
        files = [os.path.relpath(f, self.path("photos")) for f in calibration._chosen(self.path("photos"), 3)]
        self.assertEqual(files, ["a/0.png", "b/0.png", "c/0.png"])
        self.assertEqual(len(calibration._chosen(self.path("photos"), 100)), 12)

    def test_generated_samples_are_not_those_that_quality_is_measured_with(self):
        manifest = self.export(source("tiny"))
        made = calibration.Calibration(self.path("model"), manifest, None, 4)
        reference = calibration.reference_inputs(self.path("model"), manifest, 8)[0].numpy()
        sets = [values[0] for values in made.samples()]
        self.assertEqual(len(sets), 4)
        for values in sets:
            self.assertEqual(values.shape, (1, 3, 32, 32))
            self.assertGreater(numpy.abs(reference - values).reshape(8, -1).max(1).min(), 0.01)
        self.assertEqual([v[0].shape for v in made.samples(batch=3)], [(3, 3, 32, 32)] * 4)

    def test_only_one_image_input_can_be_a_picture(self):
        manifest = self.export(source("two_in"))
        with self.assertRaises(ExportError):
            calibration.image_input(manifest)
