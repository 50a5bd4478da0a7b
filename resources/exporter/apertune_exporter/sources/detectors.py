# SPDX-License-Identifier: GPL-3.0-or-later
"""torchvision's detectors with results of fixed size, and with random class heads that find about as much as trained
ones."""

import math

import torch

from .loaded import Loaded
from .padded_detections import OUTPUT_NAMES, PaddedDetections

# The deviation of the class logits, and the number of deviations from their mean at which a candidate passes the
# detector's threshold. About two in a hundred pass. With initial heads either none or all would pass.
_DEVIATION = 2.0
_PASSING = 2.0


def wrap_detector(name, detector, size):
    """The source for a freshly built detector of torchvision that takes images of `size`."""
    notes = ["Detections are padded to a fixed number; count says how many are real."]
    if name.startswith(("maskrcnn", "keypointrcnn")):
        notes.append("Masks and keypoints are left out.")
    return Loaded(
        name=name,
        module=PaddedDetections(detector, getattr(detector, "roi_heads", detector).detections_per_img),
        family="detection",
        weights="random",
        image_shape=(1, 3, size, size),
        distribution="uniform01",
        output_names=OUTPUT_NAMES,
        preprocessing={"layout": "NCHW", "channels": "RGB", "scale": "0..1", "resize": size},
        random_weights=True,
        finish=lambda module, run_once: _spread_scores(module.detector, run_once),
        script=True,
        notes=notes,
    )


def _class_layers(detector):
    """The last layers of the class heads."""
    found = []
    for name, layer in detector.named_modules():
        if name.endswith(("cls_score", "cls_logits")) and not name.startswith("rpn."):
            found.append(layer)
        elif name.endswith("classification_head.module_list"):
            found += [[m for m in child.modules() if hasattr(m, "weight")][-1] for child in layer]
    return found


def _shift_scores(detector, layer):
    """Set the biases so that a logit `_PASSING` deviations above the mean reaches the threshold."""
    two_stage = hasattr(detector, "roi_heads")
    threshold = (detector.roi_heads if two_stage else detector).score_thresh
    reach = _PASSING * _DEVIATION
    layer.bias.zero_()
    if two_stage or type(detector).__name__ == "SSD":
        classes = layer.out_features if two_stage else detector.head.classification_head.num_columns
        # With softmax, class 0 is the background, which outweighs all other classes together.
        layer.bias.view(-1, classes)[:, 0] = reach - math.log(threshold)
    else:
        layer.bias.fill_(math.log(threshold / (1 - threshold)) - reach)


def _spread_scores(detector, run_once):
    deviations = {}

    def note(layer, _inputs, output):
        deviations.setdefault(layer, []).append(float(output.std()))

    layers = _class_layers(detector)
    handles = [layer.register_forward_hook(note) for layer in layers]
    with torch.no_grad():
        run_once()
        for layer, handle in zip(layers, handles):
            handle.remove()
            measured = deviations.get(layer, [0.0])
            mean = sum(measured) / len(measured)
            if mean > 0:
                layer.weight.mul_(_DEVIATION / mean)
            _shift_scores(detector, layer)
