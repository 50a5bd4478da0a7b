# SPDX-License-Identifier: GPL-3.0-or-later
"""Guesses the task of a model whose source does not name it, from the names and shapes of its inputs and outputs."""

_FILTERED = {"boxes", "scores", "labels", "count"}
_LIKE_DETR = {"pred_logits", "pred_boxes"}
# Detectors of the YOLO kind have a grid for each of these steps of pixels, and a head for masks has one at 4.
_STEPS = ((8, 16, 32), (8, 16, 32, 64))
_MASK_STEP = 4


def _is_yolo(image, outputs):
    """Whether the first output has a candidate for each cell of the grids: [1, 4 + classes, cells] or
    [1, cells · anchors, 5 + classes]."""
    if len(outputs[0]) != 3:
        return False
    _, rows, columns = outputs[0]
    for steps in _STEPS:
        cells = sum((image[2] // step) * (image[3] // step) for step in steps)
        if (columns == cells and rows > 4) or (cells and rows in (cells, 3 * cells) and columns > 5):
            return [image[2] // _MASK_STEP, image[3] // _MASK_STEP] not in [shape[2:] for shape in outputs]
    return False


def task_of(inputs, outputs):
    """"classification", "segmentation", "detection" or "other". `inputs` are shapes at batch 1, `outputs` pairs of a name
    and such a shape."""
    names = {name for name, _ in outputs}
    if _FILTERED <= names or _LIKE_DETR <= names:
        return "detection"
    shapes = [list(shape) for _, shape in outputs]
    # A model that takes more than an image, such as the U-Net of diffusion, labels no pixels.
    image = list(inputs[0]) if len(inputs) == 1 and len(inputs[0]) == 4 else None
    if image and shapes and _is_yolo(image, shapes):
        return "detection"
    if len(shapes) == 1 and len(shapes[0]) == 2 and shapes[0][1] > 1:
        return "classification"
    if image and any(len(shape) == 4 and shape[2:] == image[2:] for shape in shapes):
        return "segmentation"
    return "other"
