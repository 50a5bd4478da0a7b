# SPDX-License-Identifier: GPL-3.0-or-later
"""Labelled images: a folder with one folder for each class, or COCO's JSON beside the images."""

import json
import os

import numpy

from ..common.protocol import ExportError
from ..quantize.calibration import image_files
from .scores import IGNORED


def by_folder(folder, classes):
    """Return [(file, class)]. Folders are named by the numbers of their classes. Otherwise there has to be one for each
    class of the model, and their order by name is that of the classes."""
    if not os.path.isdir(folder):
        raise ExportError("bad_source", f"{folder} is not a folder.", "Use a folder with one subfolder of images per class.")
    names = sorted(entry for entry in os.listdir(folder) if os.path.isdir(os.path.join(folder, entry)))
    if not names:
        raise ExportError("bad_source", f"{folder} has no folders in it.", "Put the images of each class in a folder.")
    if all(name.isdecimal() for name in names):
        numbers = [int(name) for name in names]
        wrong = next((n for n in numbers if n >= classes), None)
        if wrong is not None:
            raise ExportError("bad_source", f"There is a folder {wrong}, but the model has the classes 0 to {classes - 1}.",
                              "Name the folders by the classes of the model.")
    elif len(names) == classes:
        numbers = range(classes)
    else:
        raise ExportError("bad_source", f"{folder} has {len(names)} folders, the model {classes} classes.",
                          "Name each folder by the number of its class: 0, 1, 2 …")
    found = [(file, number) for name, number in zip(names, numbers) for file in image_files(os.path.join(folder, name))]
    if not found:
        raise ExportError("bad_source", f"{folder} holds no images.", "Use JPEG or PNG files.")
    return found


class Annotations:
    """COCO's JSON with the objects of each image."""

    def __init__(self, path):
        try:
            with open(path, encoding="utf-8") as stream:
                document = json.load(stream)
            self.images = [(int(i["id"]), str(i["file_name"])) for i in document["images"]]
            self.objects = {image: [] for image, _ in self.images}
            for entry in document["annotations"]:
                entry["bbox"] = [float(v) for v in entry.get("bbox", (0, 0, 0, 0))]
                entry["category_id"] = int(entry["category_id"])
                self.objects[int(entry["image_id"])].append(entry)
        except FileNotFoundError as failure:
            raise ExportError("bad_source", f"{path} does not exist.", "Use the JSON file of the annotations.") from failure
        except (OSError, ValueError, KeyError, TypeError) as failure:
            raise ExportError("bad_source", f"{path} is not COCO's JSON ({type(failure).__name__}: {failure}).",
                              "It needs images (id, file_name) and annotations (image_id, category_id, bbox).") from failure
        if not self.images:
            raise ExportError("bad_source", f"{path} names no images.", "Use the JSON file of the annotations.")

    def boxes(self, image):
        """Return (boxes as x1, y1, x2, y2; classes; a mask of crowds)."""
        entries = self.objects[image]
        boxes = numpy.asarray([e["bbox"] for e in entries], dtype=float).reshape(-1, 4)
        boxes[:, 2:] += boxes[:, :2]
        crowds = numpy.asarray([bool(e.get("iscrowd", 0)) for e in entries], dtype=bool)
        return boxes, numpy.asarray([e["category_id"] for e in entries], dtype=int), crowds

    def mask(self, image, size, classes):
        """The class of every pixel of an image of (width, height). 0 is the background. Crowds, and classes that the
        model lacks, are not counted. Later objects cover earlier ones."""
        from PIL import Image, ImageDraw

        mask = Image.new("L", size, 0)
        draw = ImageDraw.Draw(mask)
        for entry in self.objects[image]:
            polygons = entry.get("segmentation")
            known = entry["category_id"] < min(classes, IGNORED) and not entry.get("iscrowd", 0)
            if not isinstance(polygons, list):  # run lengths, which COCO uses for crowds
                x, y, width, height = entry["bbox"]
                polygons = [[x, y, x + width, y, x + width, y + height, x, y + height]]
            for polygon in polygons:
                if len(polygon) >= 6:
                    draw.polygon([tuple(p) for p in numpy.reshape(polygon, (-1, 2))],
                                 fill=entry["category_id"] if known else IGNORED)
        return numpy.asarray(mask)
