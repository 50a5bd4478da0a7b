# SPDX-License-Identifier: GPL-3.0-or-later
"""The `accuracy` command: runs a model file on labelled images, and compares it with the model as imported."""

import json
import os
import time

import numpy
import torch

from ..artifact.manifest import read_manifest
from ..common.engines import require
from ..common.files import require_within
from ..common.protocol import ExportError
from ..quantize.calibration import image_input, preprocessing_of, read_image
from ..tensors.flatten import tensors_of
from . import labelled, scores

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
    runners = {"imported": _imported(arguments.artifact, manifest)}
    if arguments.file:
        runners["measured"] = _RUNNERS[arguments.format](arguments.file, arguments.precision)
    tasks = {which: task(manifest, names, how, arguments) for which in runners}
    images = next(iter(tasks.values())).images
    if arguments.limit and len(images) > arguments.limit:
        images = [images[i * len(images) // arguments.limit] for i in range(arguments.limit)]
    channel.expect_steps(1)
    channel.progress("evaluate", f"Evaluation of {len(images)} images")
    evaluated = skipped = 0
    for k, (path, truth) in enumerate(images):
        channel.update(f"Evaluation: image {k + 1} of {len(images)}")
        try:
            values = read_image(path, how)
        except FileNotFoundError as failure:
            raise ExportError("bad_source", f"{path} does not exist.", "The annotations name it: check --images.") from failure
        except (OSError, ValueError, SyntaxError):
            skipped += 1
            continue
        evaluated += 1
        for which, run in runners.items():
            tasks[which].add(path, truth, [numpy.asarray(value) for value in run(values)])
    if evaluated == 0:
        raise ExportError("bad_source", "None of the images can be read.", "Use JPEG or PNG files.")
    results = {which: task.results() for which, task in tasks.items()}
    if arguments.file:
        results["change"] = tasks["measured"].change_from(tasks["imported"])
    channel.done(name=manifest["name"], family=manifest["family"], samples=evaluated, skipped=skipped, accuracy=results,
                 seconds=round(time.monotonic() - started, 3))


def _first(sample, fixed):
    """Repeat a sample to fill the batch of a file with a fixed batch."""
    return numpy.repeat(sample, fixed, 0) if fixed and fixed > 1 else sample


def _imported(folder, manifest):
    """The imported model in float, run by eager PyTorch or by the engine of its file."""
    torch.backends.mha.set_fastpath_enabled(False)
    for form in ("torchscript", "onnx", "openvino_ir"):
        if described := manifest["files"].get(form):
            return _RUNNERS[form](require_within(folder, os.path.join(folder, described["path"])), "fp32")
    raise ExportError("unsupported", f"{manifest['name']} has no file that could be run.", "Import the model again.")


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


def _package(path, _precision):
    with open(path + ".json", encoding="utf-8") as stream:
        description = json.load(stream)
    batch, dtype = description["batch"], getattr(torch, description["inputs"][0]["dtype"])
    runner = torch._inductor.aoti_load_package(path)

    def run(values):
        values = torch.from_numpy(_first(values.numpy(), batch)).to(dtype)
        if description["channels_last"] and values.dim() == 4:
            values = values.contiguous(memory_format=torch.channels_last)
        with torch.no_grad():
            found = tensors_of(runner(values))[1]
        return [t.float().numpy() if t.is_floating_point() else t.numpy() for t in found]

    return run


_RUNNERS = {"torchscript": _torchscript, "onnx": _onnx, "openvino_ir": _openvino, "aoti_package": _package}


class _Task:
    """Shares by name, with their intervals. Images are assigned to groups in their order."""

    def results(self):
        return self._intervals(lambda name, without: self.metric(name, without), 0.0)

    def change_from(self, other):
        return self._intervals(lambda name, without: self.metric(name, without) - other.metric(name, without), -1.0)

    def _intervals(self, estimate, least):
        groups = sorted({k % scores.GROUPS for k in range(self.evaluated)})
        found = {n: scores.jackknife(groups, lambda without, n=n: estimate(n, without), least, 1.0) for n in self.names}
        return {name: share for name, share in found.items() if share}


class _Classes:
    def __init__(self, manifest, _names, _how, arguments):
        self.output = next((i for i, o in enumerate(manifest["outputs"]) if len(o["shape"]) == 2), None)
        if self.output is None:
            raise ExportError("unsupported", "The model has no output of class scores.", "Check the model.")
        if arguments.annotations:
            raise ExportError("bad_source", "This model names classes of whole images, which annotations do not.",
                              "Use a folder with one subfolder of images per class.")
        self.images = labelled.by_folder(arguments.images, manifest["outputs"][self.output]["shape"][1])
        self.hits = {"top1": [], "top5": []}

    def add(self, _path, truth, outputs):
        for name, k in (("top1", 1), ("top5", 5)):
            self.hits[name].append(scores.within_top(outputs[self.output][0], truth, k))

    def results(self):
        return {name: scores.share(hits) for name, hits in self.hits.items()}

    def change_from(self, other):
        return {name: scores.change_of_share(other.hits[name], hits) for name, hits in self.hits.items()}


def _annotated(arguments):
    if not arguments.annotations:
        raise ExportError("bad_source", "This model needs annotations of its images.",
                          "Name COCO's JSON with --annotations.")
    annotations = labelled.Annotations(arguments.annotations)
    return annotations, [(os.path.join(arguments.images, file), image) for image, file in annotations.images]


class _Segments(_Task):
    names = ("miou",)

    def __init__(self, manifest, _names, how, arguments):
        self.output = next((i for i, o in enumerate(manifest["outputs"]) if len(o["shape"]) == 4), None)
        if self.output is None:
            raise ExportError("unsupported", "The model has no output of classes by pixel.", "Check the model.")
        how["resize"] = None  # the whole image, because a part that is cut off may have labels
        self.annotations, self.images = _annotated(arguments)
        self.classes = manifest["outputs"][self.output]["shape"][1]
        self.overlaps = [scores.Overlap(self.classes) for _ in range(scores.GROUPS)]
        self.evaluated = 0

    def add(self, path, truth, outputs):
        from PIL import Image

        with Image.open(path) as image:
            mask = self.annotations.mask(truth, image.size, self.classes)
        found = outputs[self.output][0].argmax(0)
        size = (found.shape[1], found.shape[0])
        mask = numpy.asarray(Image.fromarray(mask).resize(size, Image.Resampling.NEAREST))
        self.overlaps[self.evaluated % scores.GROUPS].add(mask, found)
        self.evaluated += 1

    def metric(self, _name, without):
        whole = scores.Overlap(self.classes)
        whole.confusion = sum(o.confusion for group, o in enumerate(self.overlaps) if group != without)
        return whole.mean()


class _Detections(_Task):
    names = ("map", "map50")

    def __init__(self, _manifest, names, how, arguments):
        if not set(_BOXES) <= set(names):
            raise ExportError("unsupported", "The model has no outputs boxes, scores, labels and count.", "Check the model.")
        how["resize"] = None
        self.places = [names.index(name) for name in _BOXES]
        self.size = how["size"]
        self.annotations, self.images = _annotated(arguments)
        self.seen = []
        self.known = {}

    @property
    def evaluated(self):
        return len(self.seen)

    def add(self, path, truth, outputs):
        from PIL import Image

        with Image.open(path) as image:
            width, height = image.size
        boxes, confidence, labels, count = (outputs[place][0] for place in self.places)
        count = int(count)
        scale = numpy.asarray([width / self.size[1], height / self.size[0]] * 2)
        self.known.clear()
        self.seen.append(scores.Detections(boxes[:count] * scale, confidence[:count], labels[:count],
                                          *self.annotations.boxes(truth)))

    def metric(self, name, without):
        if without not in self.known:
            kept = [p for k, p in enumerate(self.seen) if without is None or k % scores.GROUPS != without]
            self.known[without] = scores.mean_average_precision(kept)
        return self.known[without][name]


_TASKS = {"classification": _Classes, "segmentation": _Segments, "detection": _Detections}
