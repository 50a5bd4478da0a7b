# SPDX-License-Identifier: GPL-3.0-or-later
"""Accuracy against labels, by cases that were computed by hand."""

import json
import math
import os
import unittest

import numpy

from apertune_exporter.common import engines
from apertune_exporter.common.protocol import ExportError
from apertune_exporter.evaluate import accuracy, labelled, scores
from support import Case, run, source

engines.add_engine_folders()


def picture(found=(), true=(), crowd=None):
    """`found`: (box, score, label), `true`: (box, label)."""
    return scores.Detections(
        numpy.asarray([f[0] for f in found], dtype=float).reshape(-1, 4),
        numpy.asarray([f[1] for f in found], dtype=float),
        numpy.asarray([f[2] for f in found], dtype=int),
        numpy.asarray([t[0] for t in true], dtype=float).reshape(-1, 4),
        numpy.asarray([t[1] for t in true], dtype=int),
        crowd,
    )


A, B, FAR = (0, 0, 10, 10), (20, 20, 30, 30), (70, 70, 80, 80)


class Formulas(unittest.TestCase):
    def test_top_k_counts_labels_among_the_best(self):
        rows = [[0.1, 0.7, 0.2], [0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.4, 0.4, 0.2]]
        for k, hits in ((1, [True, False, False, False]), (2, [True, True, False, True]), (5, [True] * 4)):
            self.assertEqual([scores.within_top(row, label, k) for row, label in zip(rows, [1, 1, 0, 1])], hits)

    def test_shares_have_intervals_that_published_tables_have(self):
        told = scores.share([True] * 15 + [False] * 133)  # Newcombe (1998), table I: 15/148
        self.assertEqual([round(told[k], 4) for k in ("value", "lo", "hi")], [0.1014, 0.0624, 0.1605])
        self.assertLess(scores.share([True] * 8)["lo"], 0.7)
        # Of 30 images 8 were lost and 2 gained: (2 - 8) / 32 -+ 1.96 sqrt(11 - 36 / 32) / 32
        before = [True] * 8 + [False] * 2 + [True] * 20
        after = [False] * 8 + [True] * 2 + [True] * 20
        told = scores.change_of_share(before, after)
        self.assertEqual([round(told[k], 4) for k in ("value", "lo", "hi")], [-0.2, -0.38, 0.005])

    def test_the_jackknife_of_a_mean_is_its_standard_error(self):
        values = [1.0, 2.0, 4.0, 9.0]

        def mean(without):
            kept = [v for k, v in enumerate(values) if k != without]
            return sum(kept) / len(kept)

        told = scores.jackknife(range(4), mean, -100, 100)
        half = 3.182 * numpy.std(values, ddof=1) / 2
        self.assertAlmostEqual(told["lo"], 4 - half)
        self.assertAlmostEqual(told["hi"], 4 + half)
        self.assertEqual(scores.jackknife(range(1), mean, 0, 100), {"value": 4.0})
        self.assertIsNone(scores.jackknife(range(4), lambda _: math.nan, 0, 1))

    def test_mean_iou_counts_pixels_over_the_whole_set(self):
        overlap = scores.Overlap(3)
        overlap.add(numpy.array([[0, 0, 1, 1]]), numpy.array([[0, 1, 1, 1]]))
        overlap.add(numpy.array([[1, scores.IGNORED]]), numpy.array([[0, 2]]))
        # class 0: 1 of {2 true, 2 found}: 1/3; class 1: 2 of {3 true, 3 found}: 2/4; class 2 nowhere
        self.assertAlmostEqual(overlap.mean(), (1 / 3 + 1 / 2) / 2)
        self.assertTrue(math.isnan(scores.Overlap(2).mean()))

    def test_overlap_of_boxes(self):
        shared = scores.overlaps([A, (5, 0, 15, 10)], [A, B], [False, False])
        self.assertTrue(numpy.allclose(shared, [[1, 0], [1 / 3, 0]]))
        self.assertTrue(numpy.allclose(scores.overlaps([A], [(0, 0, 100, 5)], [True]), [[0.5]]))

    def test_precision_is_that_of_coco_at_101_recalls(self):
        perfect = [picture([(A, 0.9, 1), (B, 0.8, 1)], [(A, 1), (B, 1)])]
        self.assertEqual(scores.mean_average_precision(perfect), {"map": 1.0, "map50": 1.0})
        # A false one in front: precision 0/1, 1/2, 2/3; the envelope is 2/3 up to recall 1.
        behind = [picture([(FAR, 0.9, 1), (A, 0.8, 1), (B, 0.7, 1)], [(A, 1), (B, 1)])]
        self.assertAlmostEqual(scores.average_precision(behind, 1, 0.5), 2 / 3)
        # One of two found: precision 1 at the recalls 0 … 0.50, which are 51 of 101.
        half = [picture([(A, 0.9, 1)], [(A, 1), (B, 1)])]
        self.assertAlmostEqual(scores.average_precision(half, 1, 0.5), 51 / 101)
        self.assertEqual(scores.average_precision([picture([], [(A, 1)])], 1, 0.5), 0)
        self.assertIsNone(scores.average_precision([picture([(A, 0.9, 1)], [])], 1, 0.5))

    def test_a_box_is_found_once_and_as_well_as_it_overlaps(self):
        twice = [picture([(A, 0.9, 1), (A, 0.8, 1)], [(A, 1), (B, 1)])]
        self.assertAlmostEqual(scores.average_precision(twice, 1, 0.5), 51 / 101)
        # 8 of 10 columns: an overlap of 0.8 counts at 0.50 … 0.80, seven of ten.
        shifted = [picture([((0, 0, 8, 10), 0.9, 1)], [(A, 1)])]
        told = scores.mean_average_precision(shifted)
        self.assertAlmostEqual(told["map50"], 1)
        self.assertAlmostEqual(told["map"], 0.7)

    def test_what_lies_in_a_crowd_is_neither_right_nor_wrong(self):
        crowd = [picture([(B, 0.9, 1), (A, 0.8, 1)], [(A, 1), ((18, 18, 60, 60), 1)], [False, True])]
        self.assertAlmostEqual(scores.average_precision(crowd, 1, 0.5), 1)

    def test_classes_count_alike(self):
        mixed = [picture([(A, 0.9, 1), (FAR, 0.9, 2)], [(A, 1), (B, 2)])]
        self.assertAlmostEqual(scores.mean_average_precision(mixed)["map"], 0.5)
        self.assertTrue(math.isnan(scores.mean_average_precision([picture([(A, 0.9, 1)])])["map"]))


class Labels(Case):
    def folders(self, *names):
        for name in names:
            os.makedirs(os.path.join(self.path("set"), name), exist_ok=True)
            with open(os.path.join(self.path("set"), name, "a.png"), "wb") as stream:
                stream.write(b"x")
        return self.path("set")

    def test_folders_are_numbered_or_as_many_as_there_are_classes(self):
        found = labelled.by_folder(self.folders("0", "12"), 1000)
        self.assertEqual([number for _, number in found], [0, 12])
        with self.assertRaisesRegex(ExportError, "folder 12"):
            labelled.by_folder(self.path("set"), 10)
        self.folders("cat")
        self.assertEqual([number for _, number in labelled.by_folder(self.path("set"), 3)], [0, 1, 2])
        with self.assertRaisesRegex(ExportError, "3 folders, the model 4 classes"):
            labelled.by_folder(self.path("set"), 4)
        with self.assertRaisesRegex(ExportError, "not a folder"):
            labelled.by_folder(self.path("nowhere"), 4)

    def write(self, told):
        with open(self.path("a.json"), "w", encoding="utf-8") as stream:
            stream.write(told if isinstance(told, str) else json.dumps(told))
        return self.path("a.json")

    def test_annotations_become_boxes_and_masks(self):
        square = [2, 1, 5, 1, 5, 3, 2, 3]
        told = {"images": [{"id": 7, "file_name": "a.png"}],
                "annotations": [{"image_id": 7, "category_id": 2, "bbox": [2, 1, 3, 2], "segmentation": [square]},
                                {"image_id": 7, "category_id": 1, "bbox": [0, 0, 1, 1], "iscrowd": 1, "segmentation": {}}]}
        annotations = labelled.Annotations(self.write(told))
        boxes, classes, crowds = annotations.boxes(7)
        self.assertEqual(boxes.tolist(), [[2, 1, 5, 3], [0, 0, 1, 1]])
        self.assertEqual((classes.tolist(), crowds.tolist()), ([2, 1], [False, True]))
        mask = annotations.mask(7, (8, 6), 3)
        self.assertEqual((mask[2, 3], mask[5, 7], mask[0, 0]), (2, 0, scores.IGNORED))
        self.assertEqual(annotations.mask(7, (8, 6), 2)[2, 3], scores.IGNORED)

    def test_broken_annotations_are_refused(self):
        for bad in ("{", "[]", '{"images": [], "annotations": []}', '{"images": [{"id": 1}], "annotations": []}'):
            with self.assertRaises(ExportError):
                labelled.Annotations(self.write(bad))


class Evaluated(Case):
    """The `accuracy` command on images of plain colours."""

    COLOURS = ((255, 0, 0), (0, 255, 0), (0, 0, 255))

    def paint(self, name, colour, size=(40, 20), corner=None):
        from PIL import Image

        path = os.path.join(self.path("set"), name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        image = Image.new("RGB", size, self.COLOURS[colour])
        if corner is not None:
            image.paste(self.COLOURS[corner], (0, 0, size[0] // 2, size[1]))
        image.save(path)

    def evaluate(self, *options, model="model"):
        status, last = run("accuracy", "--artifact", self.path(model), "--images", self.path("set"), *options)
        self.assertEqual((status, last["t"]), (0, "done"), last)
        return last

    def test_classes_of_a_labelled_folder(self):
        self.export(source("colours"))
        for kind, colour in ((0, 0), (1, 1), (2, 2), (2, 0)):  # the last is labelled wrongly
            self.paint(f"{kind}/{colour}.png", colour)
        with open(os.path.join(self.path("set"), "0", "broken.png"), "wb") as stream:
            stream.write(b"no picture")
        told = self.evaluate()
        self.assertEqual((told["samples"], told["skipped"]), (4, 1))
        imported = told["accuracy"]["imported"]
        self.assertEqual((imported["top1"]["value"], imported["top5"]["value"]), (0.75, 1.0))
        self.assertLess(imported["top1"]["lo"], 0.4)
        self.assertNotIn("change", told["accuracy"])
        script = os.path.join(self.path("model"), "model.ts.pt")
        told = self.evaluate("--file", script, "--precision", "bf16", "--limit", 3)
        self.assertEqual(told["samples"] + told["skipped"], 3)
        self.assertIn("top1", told["accuracy"]["measured"])
        self.assertEqual(told["accuracy"]["change"]["top1"]["value"], 0)

    def test_annotations_are_nothing_for_a_classifier(self):
        self.export(source("colours"))
        self.paint("0/0.png", 0)
        self.assert_refused("bad_source", "accuracy", "--artifact", self.path("model"), "--images", self.path("set"),
                            "--annotations", self.path("labels.json"), contains="one subfolder of images per class")

    def test_a_compiled_package_is_evaluated_at_its_batch(self):
        self.export(source("colours"))
        package = self.path("model.pt2")
        status, last = run("compile", "--artifact", self.path("model"), "--batch", 2, "--out", package)
        self.assertEqual((status, last["t"]), (0, "done"), last)
        for colour in range(3):
            self.paint(f"{colour}/{colour}.png", colour)
        told = self.evaluate("--file", package, "--format", "aoti_package")
        self.assertEqual(told["accuracy"]["measured"]["top1"]["value"], 1)

    def test_a_file_of_an_engine_is_evaluated_beside_itself_in_float(self):
        try:
            for name in ("onnx", "onnxscript", "onnxruntime"):
                engines.require(name)
        except ExportError as missing:
            self.skipTest(missing.message)
        self.export(source("colours"))
        run("convert", "--artifact", self.path("model"), "--format", "onnx", "--out", self.path("float"))
        self.export(os.path.join(self.path("float"), "model.onnx"), out="file")
        for colour in range(3):
            self.paint(f"{colour}/{colour}.png", colour)
        told = self.evaluate("--file", os.path.join(self.path("float"), "model.onnx"), "--format", "onnx", model="file")
        self.assertEqual([told["accuracy"][which]["top1"]["value"] for which in ("imported", "measured")], [1, 1])

    def test_classes_of_pixels(self):
        self.export(source("coloured_pixels"))
        self.paint("a.png", 2, corner=1)  # left half green, right half blue
        half = [0, 0, 19, 0, 19, 19, 0, 19]
        with open(self.path("a.json"), "w", encoding="utf-8") as stream:
            json.dump({"images": [{"id": 1, "file_name": "a.png"}],
                       "annotations": [{"image_id": 1, "category_id": 1, "bbox": [0, 0, 20, 20], "segmentation": [half]}]},
                      stream)
        told = self.evaluate("--annotations", self.path("a.json"))
        # green is right everywhere; blue was background: 1, 0 and 0 over the three classes
        self.assertAlmostEqual(told["accuracy"]["imported"]["miou"]["value"], 1 / 3, delta=0.03)
        self.assertNotIn("lo", told["accuracy"]["imported"]["miou"])  # one picture has no interval
        self.assert_refused("bad_source", "accuracy", "--artifact", self.path("model"), "--images", self.path("set"),
                            contains="needs annotations")

    def test_boxes_are_compared_in_the_images_own_pixels(self):
        self.paint("a.png", 0, size=(40, 20))
        with open(self.path("a.json"), "w", encoding="utf-8") as stream:
            json.dump({"images": [{"id": 1, "file_name": "a.png"}],
                       "annotations": [{"image_id": 1, "category_id": 5, "bbox": [20, 10, 10, 10]}]}, stream)

        class Arguments:
            images, annotations = self.path("set"), self.path("a.json")

        task = accuracy._Detections({}, ["boxes", "scores", "labels", "count"], {"size": [10, 10], "resize": 10}, Arguments)
        path, truth = task.images[0]
        boxes = numpy.zeros((1, 3, 4))
        boxes[0, 0] = (5, 5, 7.5, 10)  # the network sees 10 x 10
        task.add(path, truth, [boxes, numpy.array([[0.9, 0, 0]]), numpy.array([[5, 5, 5]]), numpy.array([1])])
        self.assertEqual(task.results(), {"map": {"value": 1.0}, "map50": {"value": 1.0}})
        for _ in range(3):
            task.add(path, truth, [boxes, numpy.array([[0.9, 0, 0]]), numpy.array([[5, 5, 5]]), numpy.array([1])])
        task.add(path, truth, [boxes, numpy.array([[0.1, 0, 0]]), numpy.array([[6, 5, 5]]), numpy.array([1])])
        told = task.results()["map"]
        self.assertAlmostEqual(told["value"], 81 / 101)  # four of five are found
        self.assertLess(told["lo"], 0.75)
        self.assertEqual(task.change_from(task)["map"], {"value": 0.0, "lo": 0.0, "hi": 0.0})
