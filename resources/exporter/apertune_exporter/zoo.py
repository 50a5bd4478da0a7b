# SPDX-License-Identifier: GPL-3.0-or-later
"""The zoo: models that are known to export, by short name."""

import json

from .architectures import load_detector, load_detr, load_torchvision, load_unet, unknown

# name, source, family, parameters at the default size, one line
ENTRIES = (
    ("resnet18", "torchvision:resnet18", "classification", 11_689_512, "Small residual network; quick to sweep"),
    ("resnet50", "torchvision:resnet50", "classification", 25_557_032, "The usual yardstick of convolutional networks"),
    ("resnet152", "torchvision:resnet152", "classification", 60_192_808, "Deep residual network"),
    (
        "mobilenet_v3_large",
        "torchvision:mobilenet_v3_large",
        "classification",
        5_483_032,
        "Depthwise convolutions for phones",
    ),
    (
        "efficientnet_b0",
        "torchvision:efficientnet_b0",
        "classification",
        5_288_548,
        "Depthwise convolutions with squeeze-excitation",
    ),
    ("vit_b_16", "torchvision:vit_b_16", "classification", 86_567_656, "Vision transformer, 12 blocks"),
    ("vit_l_16", "torchvision:vit_l_16", "classification", 304_326_632, "Large vision transformer, 24 blocks"),
    ("swin_t", "torchvision:swin_t", "classification", 28_288_354, "Transformer with shifted windows"),
    (
        "convnext_tiny",
        "torchvision:convnext_tiny",
        "classification",
        28_589_128,
        "Modern convolutional network with layer norm",
    ),
    (
        "deeplabv3_resnet50",
        "torchvision:deeplabv3_resnet50",
        "segmentation",
        39_638_869,
        "Dilated ResNet-50 with pyramid pooling",
    ),
    ("unet", "zoo:unet", "segmentation", 7_763_701, "Encoder and decoder with skip connections"),
    (
        "mobilenet_detector",
        "zoo:mobilenet_detector",
        "detection",
        3_085_752,
        "One-stage detector with NMS; it also compiles",
    ),
    (
        "fasterrcnn_mobilenet",
        "torchvision:fasterrcnn_mobilenet_v3_large_320_fpn",
        "detection",
        19_410_754,
        "Two-stage detector with NMS",
    ),
    (
        "ssdlite_mobilenet",
        "torchvision:ssdlite320_mobilenet_v3_large",
        "detection",
        3_440_060,
        "One-stage detector with NMS",
    ),
    ("detr", "zoo:detr", "detection", 41_578_400, "ResNet-50 with an encoder-decoder transformer, no NMS"),
)

_OWN = {"unet": load_unet, "mobilenet_detector": load_detector, "detr": load_detr}


def load_zoo(name, image_size):
    if name in _OWN:
        return _OWN[name](image_size)
    for entry, source, *_ in ENTRIES:
        if name in (entry, source.partition(":")[2]):
            return load_torchvision(source.partition(":")[2], image_size)
    raise unknown("zoo", name, [entry[0] for entry in ENTRIES])


def listing(as_json):
    keys = ("name", "source", "family", "parameters", "description")
    if as_json:
        return json.dumps([dict(zip(keys, entry)) for entry in ENTRIES])
    lines = [f"{'NAME':<22}{'FAMILY':<16}{'PARAMETERS':>11}  DESCRIPTION"]
    lines += [f"{name:<22}{family:<16}{count / 1e6:>10.1f}M  {text}" for name, _, family, count, text in ENTRIES]
    return "\n".join(lines)
