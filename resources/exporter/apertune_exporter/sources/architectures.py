# SPDX-License-Identifier: GPL-3.0-or-later
"""Models by name: torchvision's, timm's and the zoo's own, always built without network."""

import difflib
import functools
import inspect

import torch

from ..common.protocol import ExportError
from .loaded import Loaded

# The published sizes of these families take many seconds for an image on a CPU.
_SEGMENTATION_SIZE = 256
_DETECTION_SIZE = 320
_DETR_SIZE = 384
_UNET_SIZE = 256


def _nearest(name, known, most=4, least=0.6):
    """Names similar to `name`, the most similar first. Equally similar ones are in alphabetic order, which puts the
    usual sizes first."""
    alike = [(-difflib.SequenceMatcher(None, name, other).ratio(), other) for other in set(known)]
    return [other for ratio, other in sorted(alike)[:most] if -ratio >= least]


def unknown(kind, name, known):
    near = _nearest(name, known)
    suggestion = f"Did you mean {', '.join(f'{kind}:{n}' for n in near)}?" if near else ""
    return ExportError(
        "unknown_architecture",
        f'{kind} has no model named "{name}".',
        f"{suggestion} `apertune model zoo` lists the models that are known to work.",
    )


def _missing(module, failure):
    return ExportError(
        "missing_module",
        f"The Python environment has no usable {module} ({failure}).",
        f"Install the {module} that belongs to the installed torch, or name a Python that has both in APERTUNE_PYTHON.",
    )


def load_torchvision(name, image_size, classes=None):
    try:
        import torchvision
    except ImportError as failure:
        raise _missing("torchvision", failure) from failure
    known = torchvision.models.list_models()
    if name not in known:
        raise unknown("torchvision", name, [n for n in known if not n.startswith("quantized_")])
    builder = torchvision.models.get_model_builder(name)
    group = builder.__module__.split(".")[2] if builder.__module__.count(".") > 2 else "classification"
    if group == "quantization":
        raise ExportError(
            "unsupported",
            f"torchvision:{name} is a quantized model, which Apertune does not export.",
            f"Import torchvision:{name.removeprefix('quantized_')} and sweep its precisions.",
        )
    transforms = _torchvision_transforms(torchvision, name)
    build = {
        "detection": _torchvision_detector,
        "video": _torchvision_video,
        "optical_flow": _torchvision_flow,
    }.get(group, _torchvision_image)
    keywords = {"num_classes": classes} if classes else {}
    return build(name, functools.partial(builder, **keywords), group, transforms, image_size)


def _torchvision_transforms(torchvision, name):
    try:
        return torchvision.models.get_model_weights(name).DEFAULT.transforms()
    except (AttributeError, ValueError):
        return None


def _last_size(value, fallback):
    if isinstance(value, (list, tuple)) and value:
        return int(value[-1])
    return int(value) if isinstance(value, int) else fallback


def _preprocessing(transforms, size):
    if transforms is None or not hasattr(transforms, "mean"):
        return None
    resize = getattr(transforms, "resize_size", None)
    interpolation = getattr(getattr(transforms, "interpolation", None), "value", "bilinear")
    return {
        "resize": _last_size(resize, size),
        "crop": size,
        "mean": list(transforms.mean),
        "std": list(transforms.std),
        "interpolation": interpolation,
        "layout": "NCHW",
        "channels": "RGB",
        "scale": "0..1",
    }


def _torchvision_image(name, builder, group, transforms, image_size):
    keywords = {"weights": None}
    parameters = inspect.signature(builder).parameters
    if "weights_backbone" in parameters:
        keywords["weights_backbone"] = None
    segmentation = group == "segmentation"
    published = _last_size(getattr(transforms, "crop_size", None), 224)
    size = image_size or (_SEGMENTATION_SIZE if segmentation else published)
    if image_size and name.startswith("vit_"):
        keywords["image_size"] = image_size
    if name in ("googlenet", "inception_v3"):
        keywords["init_weights"] = True
    module = _build(f"torchvision:{name}", builder, keywords)
    return Loaded(
        name=name,
        module=module,
        family="segmentation" if segmentation else "classification",
        weights="random",
        image_shape=(1, 3, size, size),
        preprocessing=_preprocessing(transforms, size),
        random_weights=True,
    )


def _torchvision_video(name, builder, _group, transforms, image_size):
    size = image_size or _last_size(getattr(transforms, "crop_size", None), 112)
    frames = 32 if name.startswith("swin3d") else 16
    return Loaded(
        name=name,
        module=_build(f"torchvision:{name}", builder, {"weights": None}),
        family="classification",
        weights="random",
        image_shape=(1, 3, frames, size, size),
        random_weights=True,
    )


def _torchvision_flow(name, builder, _group, _transforms, image_size):
    size = image_size or 128
    shape = (1, 3, size, size)
    generator = torch.Generator().manual_seed(0)
    frames = tuple(torch.rand(shape, generator=generator) * 2 - 1 for _ in range(2))
    return Loaded(
        name=name,
        module=_build(f"torchvision:{name}", builder, {"weights": None}),
        family="other",
        weights="random",
        example=frames,
        random_weights=True,
    )


def _torchvision_detector(name, builder, _group, _transforms, image_size):
    from .detectors import wrap_detector

    size = image_size or (300 if name == "ssd300_vgg16" else _DETECTION_SIZE)
    keywords = {"weights": None, "weights_backbone": None}
    if not name.startswith("ssd"):
        keywords.update(min_size=size, max_size=size)
    return wrap_detector(name, _build(f"torchvision:{name}", builder, keywords), size)


def load_timm(name, image_size, classes=None, own=None):
    try:
        import timm
        from timm.data import resolve_data_config
    except ImportError as failure:
        raise _missing("timm", failure) from failure
    plain = name.split(".")[0]
    if plain not in timm.list_models():
        raise unknown("timm", name, timm.list_models())
    keywords = {"pretrained": False, **(own or {})}
    if classes is not None:
        keywords["num_classes"] = classes
    try:
        module = timm.create_model(name, **keywords, **({"img_size": image_size} if image_size else {}))
    except TypeError:
        # Convolutional networks take any size and have no such argument.
        module = _build(f"timm:{name}", timm.create_model, {"model_name": name, **keywords})
    except RuntimeError as failure:
        raise unknown("timm", name, timm.list_models(pretrained=True) + timm.list_models()) from failure
    config = resolve_data_config({}, model=module)
    channels, height, width = config["input_size"]
    if image_size:
        height = width = image_size
    return Loaded(
        name=name,
        module=module,
        family="classification",
        weights="random",
        image_shape=(1, channels, height, width),
        preprocessing={
            "resize": int(round(height / (config.get("crop_pct") or 1))),
            "crop": height,
            "mean": list(config["mean"]),
            "std": list(config["std"]),
            "interpolation": config["interpolation"],
            "layout": "NCHW",
            "channels": "RGB",
            "scale": "0..1",
        },
        random_weights=True,
    )


def _build(source, builder, keywords):
    try:
        return builder(**keywords)
    except (TypeError, ValueError, RuntimeError) as failure:
        raise ExportError(
            "unsupported",
            f"{source} cannot be built: {type(failure).__name__}: {failure}",
            "Check the size behind the @, or write the model as python:FILE.py:CALLABLE.",
        ) from failure


def load_unet(image_size):
    from ..nets.unet import UNet

    size = image_size or _UNET_SIZE
    if size % 16:
        raise ExportError(
            "unsupported", f"zoo:unet cannot take images of {size}.", "Use a size behind the @ that is a multiple of 16."
        )
    return Loaded("unet", UNet(), "segmentation", "random", image_shape=(1, 3, size, size), random_weights=True)


def load_detector(image_size):
    from ..nets.detector import Detector

    size = image_size or _DETECTION_SIZE
    if size % 32 or size < 224:
        raise ExportError(
            "unsupported",
            f"zoo:mobilenet_detector cannot take images of {size}.",
            "Use a size behind the @ that is a multiple of 32 from 224 on.",
        )
    return Loaded(
        "mobilenet_detector", Detector(size), "detection", "random", image_shape=(1, 3, size, size), random_weights=True
    )


def load_detr(image_size):
    from ..nets.detr import Detr

    size = image_size or _DETR_SIZE
    return Loaded("detr", Detr(size), "detection", "random", image_shape=(1, 3, size, size), random_weights=True)
