# SPDX-License-Identifier: GPL-3.0-or-later
"""Accuracy against labels: top-1 and top-5, mean intersection over union, COCO's mean average precision.

Sources of the formulas:
top-k   Russakovsky et al., ImageNet Large Scale Visual Recognition Challenge (2015), section 4.1: the share of images
        whose class is among the k best scores.
mIoU    Everingham et al., The PASCAL Visual Object Classes Challenge (2015), section 4.3: true positives over true
        positives, false positives and false negatives, counted over all pixels of the set, then the mean over classes.
mAP     Lin et al., Microsoft COCO (2014), and pycocotools' cocoeval.py: precision at 101 recalls 0, 0.01 … 1, the mean
        over classes and over the overlaps 0.50, 0.55 … 0.95; at most 100 detections an image; crowds are ignored.

Intervals, all at 95 %:
a share        Wilson, Probable Inference (1927).
two of the same images   Agresti & Min, Simple Improved Confidence Intervals for Comparing Matched Proportions (2005).
anything else  the delete-a-group jackknife, Kott (2001): the images dealt into groups, each left out once.
"""

import math
from dataclasses import dataclass, field

import numpy

IGNORED = 255  # a pixel that nobody labelled
OVERLAPS = numpy.linspace(0.5, 0.95, 10)
_RECALLS = numpy.linspace(0, 1, 101)
_MOST_DETECTIONS = 100
_Z = 1.959964
GROUPS = 20
# 97.5 % of Student's t with 1 … 19 degrees of freedom
_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
      2.110, 2.101, 2.093)


def within_top(scores, label, k):
    """Whether the label is among the k best `scores`. Of equal scores the lower class counts as better."""
    return bool((numpy.argsort(-numpy.asarray(scores), kind="stable")[:k] == label).any())


def share(hits):
    """The share of true values in `hits`, as {"value", "lo", "hi"}."""
    n = len(hits)
    p = sum(hits) / n
    middle = (p + _Z * _Z / (2 * n)) / (1 + _Z * _Z / n)
    half = _Z / (1 + _Z * _Z / n) * math.sqrt(p * (1 - p) / n + _Z * _Z / (4 * n * n))
    return {"value": p, "lo": max(0.0, middle - half), "hi": min(1.0, middle + half)}


def change_of_share(before, after):
    """The change of a share of true values on the same images."""
    n = len(before)
    gained = sum(a and not b for b, a in zip(before, after))
    lost = sum(b and not a for b, a in zip(before, after))
    middle = (gained - lost) / (n + 2)
    half = _Z * math.sqrt(gained + lost + 1 - (gained - lost) ** 2 / (n + 2)) / (n + 2)
    return {"value": (gained - lost) / n, "lo": max(-1.0, middle - half), "hi": min(1.0, middle + half)}


def jackknife(groups, estimate, least, most):
    """The interval of `estimate(left_out)`, which returns a number or NaN; estimate(None) is that of all images.
    There is no interval if a part of the images gives NaN, and no result if all of them do."""
    value = estimate(None)
    if math.isnan(value):
        return None
    parts = [estimate(group) for group in groups] if len(groups) > 1 else [float("nan")]
    if any(math.isnan(part) for part in parts):
        return {"value": value}
    n = len(parts)
    middle = sum(parts) / n
    half = _T[n - 2] * math.sqrt((n - 1) / n * sum((part - middle) ** 2 for part in parts))
    return {"value": value, "lo": max(least, value - half), "hi": min(most, value + half)}


class Overlap:
    """Mean intersection over union, accumulated image by image."""

    def __init__(self, classes):
        self.confusion = numpy.zeros((classes, classes), dtype=numpy.int64)  # truth, prediction

    def add(self, truth, predicted):
        classes = len(self.confusion)
        known = truth != IGNORED
        pairs = truth[known].astype(numpy.int64) * classes + predicted[known]
        self.confusion += numpy.bincount(pairs.ravel(), minlength=classes * classes).reshape(classes, classes)

    def mean(self):
        """The mean over the classes that are in the truth or in a prediction; NaN when there are none."""
        both = numpy.diag(self.confusion)
        union = self.confusion.sum(0) + self.confusion.sum(1) - both
        present = union > 0
        return float((both[present] / union[present]).mean()) if present.any() else float("nan")


@dataclass
class Detections:
    """Detections and truth of one image; boxes are x1, y1, x2, y2."""

    boxes: numpy.ndarray
    scores: numpy.ndarray
    labels: numpy.ndarray
    true_boxes: numpy.ndarray
    true_labels: numpy.ndarray
    crowd: numpy.ndarray = field(default=None)


def overlaps(found, true, crowd):
    """Intersection over union of every found box with every true one. For a crowd the union is the found box alone."""
    found, true = numpy.asarray(found, dtype=float).reshape(-1, 4), numpy.asarray(true, dtype=float).reshape(-1, 4)
    low = numpy.maximum(found[:, None, :2], true[None, :, :2])
    high = numpy.minimum(found[:, None, 2:], true[None, :, 2:])
    inside = numpy.clip(high - low, 0, None).prod(2)
    area = (found[:, 2:] - found[:, :2]).prod(1)
    union = area[:, None] + (true[:, 2:] - true[:, :2]).prod(1)[None] - inside
    union = numpy.where(numpy.asarray(crowd, dtype=bool)[None], area[:, None], union)
    return numpy.divide(inside, union, out=numpy.zeros_like(inside), where=union > 0)


def _matches(shared, crowd, overlap):
    """For each found box, best first: 1 for a true positive, 0 for a false one, -1 if it lies in a crowd and is
    ignored."""
    taken = numpy.zeros(shared.shape[1], dtype=bool)
    verdicts = []
    for row in shared:
        verdict, best, chosen = 0, min(overlap, 1 - 1e-10), None
        # A free true box has priority over a crowd. Of equal overlaps the later one counts.
        for k in sorted(range(len(row)), key=lambda j: crowd[j]):
            if taken[k] and not crowd[k]:
                continue
            if chosen is not None and not crowd[chosen] and crowd[k]:
                break
            if row[k] >= best:
                best, chosen = row[k], k
        if chosen is not None:
            taken[chosen] = True
            verdict = -1 if crowd[chosen] else 1
        verdicts.append(verdict)
    return verdicts


def average_precision(images, label, overlap):
    """The average precision of one class at one overlap; None when no image has the class."""
    scores, verdicts, positives = [], [], 0
    for image in images:
        crowd = numpy.zeros(len(image.true_labels), dtype=bool) if image.crowd is None else numpy.asarray(image.crowd)
        mine = numpy.asarray(image.true_labels) == label
        crowd, true = crowd[mine].astype(bool), numpy.asarray(image.true_boxes).reshape(-1, 4)[mine]
        positives += int((~crowd).sum())
        of_class = numpy.flatnonzero(numpy.asarray(image.labels) == label)
        order = of_class[numpy.argsort(-numpy.asarray(image.scores)[of_class], kind="stable")][:_MOST_DETECTIONS]
        shared = overlaps(numpy.asarray(image.boxes).reshape(-1, 4)[order], true, crowd)
        scores.extend(numpy.asarray(image.scores)[order])
        verdicts.extend(_matches(shared, crowd, overlap))
    if positives == 0:
        return None
    order = numpy.argsort(-numpy.asarray(scores), kind="stable") if scores else []
    verdicts = numpy.asarray(verdicts, dtype=int)[order] if scores else numpy.zeros(0, dtype=int)
    verdicts = verdicts[verdicts >= 0]
    hits = numpy.cumsum(verdicts)
    recall = hits / positives
    precision = hits / numpy.arange(1, len(hits) + 1)
    # The precision at a recall is the best one at this or any greater recall.
    envelope = numpy.maximum.accumulate(precision[::-1])[::-1]
    places = numpy.searchsorted(recall, _RECALLS, side="left")
    return float(numpy.mean([envelope[p] if p < len(envelope) else 0.0 for p in places]))


def mean_average_precision(images):
    """{"map": over all overlaps, "map50": at 0.5}; NaN when no image has a labelled object."""
    labels = sorted({int(label) for p in images for label in p.true_labels})
    rows = []
    for label in labels:
        row = [average_precision(images, label, overlap) for overlap in OVERLAPS]
        if row[0] is not None:
            rows.append(row)
    if not rows:
        return {"map": float("nan"), "map50": float("nan")}
    return {"map": float(numpy.mean(rows)), "map50": float(numpy.mean([row[0] for row in rows]))}
