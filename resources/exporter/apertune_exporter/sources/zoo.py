# SPDX-License-Identifier: GPL-3.0-or-later
"""The zoo: models that are known to export, by short name."""

import json

from ..common.protocol import ExportError
from .architectures import load_detector, load_detr, load_torchvision, load_unet, unknown
from .families import load_diffusion, load_tiled, load_yolo

# name, source, family, parameters at the default size, one line
ENTRIES = (
    ("resnet18", "torchvision:resnet18", "classification", 11_689_512, "Small residual network; quick to sweep"),
    ("resnet50", "torchvision:resnet50", "classification", 25_557_032, "The standard benchmark of convolutional networks"),
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
    ("unet_tiled", "zoo:unet_tiled", "segmentation", 7_763_701, "The U-Net on overlapping tiles of 128, blended"),
    ("yolo", "zoo:yolo", "detection", 2_271_503, "YOLO-like, three scales; NMS is left to the pipeline"),
    ("yolo_nms", "zoo:yolo_nms", "detection", 2_271_503, "The same with NMS in the graph"),
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
    ("sd_text_encoder", "zoo:sd_text_encoder", "other", 931_200, "Diffusion, small: tokens to the context of a prompt"),
    ("sd_unet", "zoo:sd_unet", "other", 5_617_860, "Diffusion, small: one step of the U-Net"),
    ("sd_unet_sliced", "zoo:sd_unet_sliced", "other", 5_617_860, "The same with attention in slices, one head after the other"),
    ("sd_vae_decoder", "zoo:sd_vae_decoder", "other", 1_302_115, "Diffusion, small: latent to image"),
    ("sd_vae_decoder_tiled", "zoo:sd_vae_decoder_tiled", "other", 1_302_115, "The same on overlapping tiles, one after the other"),
    ("sd_pipeline", "zoo:sd_pipeline", "other", 7_851_175, "Diffusion, small: prompt to image, four guided steps"),
)

_OWN = {"unet": load_unet, "mobilenet_detector": load_detector, "detr": load_detr}
_FAMILIES = {
    "yolo": load_yolo,
    "yolo_nms": load_yolo,
    "unet_tiled": load_tiled,
    **{entry: load_diffusion for entry, *_ in ENTRIES if entry.startswith("sd_")},
}


def load_zoo(name, image_size, classes=None):
    if classes and (name in _OWN or name in _FAMILIES):
        raise ExportError(
            "bad_source",
            f"The weights are those of {classes} classes, which zoo:{name} does not have.",
            "Leave --weights out, or import the model that the weights belong to as python:FILE.py:CALLABLE.",
        )
    if name in _OWN:
        return _OWN[name](image_size)
    if name in _FAMILIES:
        return _FAMILIES[name](name, image_size)
    for entry, source, *_ in ENTRIES:
        if name in (entry, source.partition(":")[2]):
            return load_torchvision(source.partition(":")[2], image_size, classes)
    raise unknown("zoo", name, [entry[0] for entry in ENTRIES])


def listing(as_json):
    keys = ("name", "source", "family", "parameters", "description")
    if as_json:
        return json.dumps([dict(zip(keys, entry)) for entry in ENTRIES])
    lines = [f"{'NAME':<22}{'FAMILY':<16}{'PARAMETERS':>11}  DESCRIPTION"]
    lines += [f"{name:<22}{family:<16}{count / 1e6:>10.1f}M  {text}" for name, _, family, count, text in ENTRIES]
    return "\n".join(lines)
