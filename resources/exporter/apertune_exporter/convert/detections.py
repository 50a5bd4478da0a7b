# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares lists of detections as sets, so that two rows may swap ranks. The rules are those of
app/worker/detections.h."""

import numpy

_SAME_BOX = 0.5


def aligned(found, expected):
    """The float arrays of two runs in pairs of equal shape. If the outputs hold boxes and falling scores, matching rows
    stand beside each other, with zeros where only one side has a row."""
    boxes, scores, labels = _list_of(expected)
    if boxes is None:
        return [(f, e) for f, e in zip(found, expected) if numpy.issubdtype(e.dtype, numpy.floating)]
    leading = expected[scores].shape
    rows = _matched(found, expected, boxes, scores, labels)
    pairs = []
    for got, wanted in zip(found, expected):
        if not numpy.issubdtype(wanted.dtype, numpy.floating):
            continue
        if wanted.shape[: len(leading)] == leading:
            got = got.reshape(-1, *got.shape[len(leading) :])
            wanted = wanted.reshape(-1, *wanted.shape[len(leading) :])
            pairs.append((_gathered(got, [r[0] for r in rows]), _gathered(wanted, [r[1] for r in rows])))
        else:
            pairs.append((got, wanted))
    return pairs


def _list_of(outputs):
    """Return (boxes, scores, labels or None) as indices, or three times None without such a list."""
    for b, boxes in enumerate(outputs):
        if boxes.ndim not in (2, 3) or boxes.shape[-1] != 4 or boxes.dtype.kind != "f":
            continue
        for s, scores in enumerate(outputs):
            if scores.dtype.kind != "f" or scores.shape != boxes.shape[:-1] or not scores.size:
                continue
            corners = (boxes[..., 0] <= boxes[..., 2]).all() and (boxes[..., 1] <= boxes[..., 3]).all()
            if corners and (numpy.diff(scores, axis=-1) <= 0).all():
                labels = [i for i, o in enumerate(outputs) if o.dtype.kind == "i" and o.shape == scores.shape]
                return b, s, labels[0] if labels else None
    return None, None, None


def _matched(found, expected, boxes, scores, labels):
    """Pairs of row numbers, counted over all images. A side without a matching row has None."""
    rows = []
    per_image = expected[scores].shape[-1]
    ours, theirs = found[boxes].reshape(-1, per_image, 4), expected[boxes].reshape(-1, per_image, 4)
    score = found[scores].reshape(-1, per_image)
    label = (found[labels].reshape(-1, per_image), expected[labels].reshape(-1, per_image)) if labels is not None else None
    for image in range(len(theirs)):
        free = list(range(per_image))
        for i in sorted(range(per_image), key=lambda row: -score[image, row]):
            alike = [j for j in free if label is None or label[0][image, i] == label[1][image, j]]
            overlaps = [_overlap(ours[image, i], theirs[image, j]) for j in alike]
            if overlaps and max(overlaps) >= _SAME_BOX:
                j = alike[overlaps.index(max(overlaps))]
                free.remove(j)
                rows.append((image * per_image + i, image * per_image + j))
            else:
                rows.append((image * per_image + i, None))
        rows += [(None, image * per_image + j) for j in free]
    return rows


def _overlap(a, b):
    """Intersection over union. It is 1 for equal boxes, even without area."""
    if (a == b).all():
        return 1.0
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if not (width > 0 and height > 0):
        return 0.0
    both = float(width) * float(height)
    area = float(a[2] - a[0]) * float(a[3] - a[1]) + float(b[2] - b[0]) * float(b[3] - b[1])
    return both / (area - both)


def _gathered(values, rows):
    return numpy.stack([values[row] if row is not None else numpy.zeros_like(values[0]) for row in rows])
