# SPDX-License-Identifier: GPL-3.0-or-later
"""The `accuracy` command: a model file on labelled pictures, beside the model as it was imported."""

import os
import time

import numpy
import torch

from . import labelled, scores
from .calibration import image_input, preprocessing_of, read_image
from .engines import require
from .flatten import tensors_of
from .manifest import read_manifest
from .protocol import ExportError

_BOXES = ("boxes", "scores", "labels", "count")


def accuracy(arguments, channel):
    started = time.monotonic()
    manifest = read_manifest(arguments.artifact)
    names = [output["name"] for output in manifest["outputs"]]
    how = preprocessing_of(manifest, image_input(manifest))
    task = _TASKS.get(manifest["family"])
    if task is None:
        raise ExportError("unsupported", f"{manifest['name']} is of no kind whose accuracy is known ({manifest['family']}).",
                          "Classification, segmentation and detection are.")
    runners = {"imported": _imported(arguments.artifact, manifest)} if manifest["files"].get("torchscript") else {}
    if arguments.file:
        runners["measured"] = _RUNNERS[arguments.format](arguments.file, arguments.precision)
    tasks = {which: task(manifest, names, how, arguments) for which in runners}
    if not tasks:
        raise ExportError("unsupported", f"{manifest['name']} needs the file that is to be judged.", "Name it with --file.")
    pictures = next(iter(tasks.values())).pictures
    if arguments.limit and len(pictures) > arguments.limit:
        pictures = [pictures[i * len(pictures) // arguments.limit] for i in range(arguments.limit)]
    channel.expect_steps(1)
    channel.progress("judge", f"Judging {len(pictures)} pictures")
    judged = skipped = 0
    for k, (path, truth) in enumerate(pictures):
        channel.update(f"Judging: picture {k + 1} of {len(pictures)}")
        try:
            values = read_image(path, how)
        except FileNotFoundError as failure:
            raise ExportError("bad_source", f"{path} is not there.", "The annotations name it: check --images.") from failure
        except (OSError, ValueError, SyntaxError):
            skipped += 1
            continue
        judged += 1
        for which, run in runners.items():
            tasks[which].add(path, truth, [numpy.asarray(value) for value in run(values)])
    if judged == 0:
        raise ExportError("bad_source", "None of the pictures can be read.", "Give JPEG or PNG files.")
    told = {which: {k: v for k, v in task.metrics().items() if v == v} for which, task in tasks.items()}
    channel.done(name=manifest["name"], family=manifest["family"], samples=judged, skipped=skipped, accuracy=told,
                 seconds=round(time.monotonic() - started, 3))


def _first(sample, fixed):
    """The sample as often as a file of a fixed batch wants it."""
    return numpy.repeat(sample, fixed, 0) if fixed and fixed > 1 else sample


def _imported(folder, manifest):
    torch.backends.mha.set_fastpath_enabled(False)
    return _torchscript(os.path.join(folder, manifest["files"]["torchscript"]["path"]), "fp32")


def _torchscript(path, precision):
    dtype = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(precision, torch.float32)
    module = torch.jit.load(path).eval().to(dtype)

    def run(values):
        with torch.no_grad():
            found = tensors_of(module(values.to(dtype)))[1]
        return [t.float().numpy() if t.is_floating_point() else t.numpy() for t in found]

    return run


def _onnx(path, _precision):
    runtime = require("onnxruntime")
    session = runtime.InferenceSession(path, providers=["CPUExecutionProvider"])
    entry = session.get_inputs()[0]
    fixed = entry.shape[0] if isinstance(entry.shape[0], int) else None
    return lambda values: session.run(None, {entry.name: _first(values.numpy(), fixed)})


def _openvino(path, precision):
    openvino = require("openvino")
    core = openvino.Core()
    model = core.read_model(path)
    first = model.inputs[0].get_partial_shape()[0]
    fixed = first.get_length() if first.is_static else None
    hint = {"bf16": "bf16", "fp16": "f16"}.get(precision, "f32")
    compiled = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": hint})

    def run(values):
        found = compiled([_first(values.numpy(), fixed)])
        return [found[port] for port in compiled.outputs]

    return run


_RUNNERS = {"torchscript": _torchscript, "onnx": _onnx, "openvino_ir": _openvino}


class _Classes:
    def __init__(self, manifest, _names, _how, arguments):
        self.output = next((i for i, o in enumerate(manifest["outputs"]) if len(o["shape"]) == 2), None)
        if self.output is None:
            raise ExportError("unsupported", "The model has no output of class scores.", "Check the model.")
        self.pictures = labelled.by_folder(arguments.images, manifest["outputs"][self.output]["shape"][1])
        self.rows, self.labels = [], []

    def add(self, _path, truth, outputs):
        self.rows.append(outputs[self.output][0])
        self.labels.append(truth)

    def metrics(self):
        return {"top1": scores.top_k(self.rows, self.labels, 1), "top5": scores.top_k(self.rows, self.labels, 5)}


def _annotated(arguments):
    if not arguments.annotations:
        raise ExportError("bad_source", "This model needs annotations of its pictures.",
                          "Name COCO's JSON with --annotations.")
    annotations = labelled.Annotations(arguments.annotations)
    return annotations, [(os.path.join(arguments.images, file), picture) for picture, file in annotations.pictures]


class _Segments:
    def __init__(self, manifest, _names, how, arguments):
        self.output = next((i for i, o in enumerate(manifest["outputs"]) if len(o["shape"]) == 4), None)
        if self.output is None:
            raise ExportError("unsupported", "The model has no output of classes by pixel.", "Check the model.")
        how["resize"] = None  # the whole picture: what is cut off has labels too
        self.annotations, self.pictures = _annotated(arguments)
        self.classes = manifest["outputs"][self.output]["shape"][1]
        self.overlap = scores.Overlap(self.classes)

    def add(self, path, truth, outputs):
        from PIL import Image

        with Image.open(path) as picture:
            mask = self.annotations.mask(truth, picture.size, self.classes)
        found = outputs[self.output][0].argmax(0)
        size = (found.shape[1], found.shape[0])
        self.overlap.add(numpy.asarray(Image.fromarray(mask).resize(size, Image.Resampling.NEAREST)), found)

    def metrics(self):
        return {"miou": self.overlap.mean()}


class _Detections:
    def __init__(self, _manifest, names, how, arguments):
        if not set(_BOXES) <= set(names):
            raise ExportError("unsupported", "The model has no outputs boxes, scores, labels and count.", "Check the model.")
        how["resize"] = None
        self.places = [names.index(name) for name in _BOXES]
        self.size = how["size"]
        self.annotations, self.pictures = _annotated(arguments)
        self.judged = []

    def add(self, path, truth, outputs):
        from PIL import Image

        with Image.open(path) as picture:
            width, height = picture.size
        boxes, confidence, labels, count = (outputs[place][0] for place in self.places)
        count = int(count)
        scale = numpy.asarray([width / self.size[1], height / self.size[0]] * 2)
        self.judged.append(scores.Picture(boxes[:count] * scale, confidence[:count], labels[:count],
                                          *self.annotations.boxes(truth)))

    def metrics(self):
        return scores.mean_average_precision(self.judged)


_TASKS = {"classification": _Classes, "segmentation": _Segments, "detection": _Detections}
