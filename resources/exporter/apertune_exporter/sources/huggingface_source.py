# SPDX-License-Identifier: GPL-3.0-or-later
"""hf:FOLDER, a model of Hugging Face as its tools save it: config.json, and weights where there are some.

Nothing in the folder runs: the model is built by the installed transformers (or timm), and code that a folder brings is
refused. The network is not used."""

import difflib
import os

from ..common.failures import describe
from ..common.protocol import ExportError
from .architectures import load_timm
from .huggingface_inputs import Inputs, vision_part
from .json_files import read_object
from .loaded import Loaded
from .optional import quiet_transformers
from .weights import load_weights

_WEIGHTS = ("model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json")

_FAMILIES = (
    ("ForImageClassification", "classification"),
    ("ForVideoClassification", "classification"),
    ("ForSequenceClassification", "classification"),
    ("ForAudioClassification", "classification"),
    ("ForSemanticSegmentation", "segmentation"),
)

# Detectors whose last class says that there is no object, as the pipeline reads DETR's outputs.
_LIKE_DETR = ("detr", "yolos", "table-transformer")


def _folder_of(text):
    """Return (folder, whether only its configuration counts): config.json itself asks for random weights."""
    path = os.path.abspath(text)
    if os.path.isfile(path) and os.path.basename(path) == "config.json":
        return os.path.dirname(path), True
    if not os.path.isdir(path):
        raise ExportError(
            "bad_source",
            f"There is no folder {text}.",
            "hf: takes a folder with config.json, as save_pretrained() writes it. Fetch one by its name with "
            f"`hf download {text} --local-dir FOLDER`; an import uses no network.",
        )
    return path, False


def _read_config(folder):
    path = os.path.join(folder, "config.json")
    if not os.path.exists(path):
        raise ExportError(
            "bad_source",
            f"{folder} has no config.json.",
            "Give a folder that save_pretrained() of transformers or diffusers wrote.",
        )
    config = read_object(path)
    if config is None:
        raise ExportError("not_a_model", f"{path} describes no model.", "Copy the file again.")
    return config


def load_huggingface(rest, image_size, arguments):
    folder, only_config = _folder_of(rest)
    if not os.path.exists(os.path.join(folder, "config.json")) and os.path.exists(os.path.join(folder, "model_index.json")):
        raise ExportError(
            "bad_source", f"{folder} is a pipeline of diffusers.", f"Import its parts as diffusers:{rest}#unet and so on."
        )
    written = _read_config(folder)
    if "_class_name" in written:
        raise ExportError(
            "bad_source",
            f"{folder} is a part of a diffusers pipeline ({written['_class_name']}).",
            f"Import it as diffusers:{rest}.",
        )
    has_weights = not only_config and not arguments.weights
    weights = next((name for name in _WEIGHTS if os.path.exists(os.path.join(folder, name))), None) if has_weights else None
    if "architecture" in written and "model_type" not in written:
        return _load_timm_folder(folder, written, weights, image_size, arguments)
    return _load_transformers(rest, folder, written, weights, image_size, arguments)


def _name_of(folder):
    return os.path.basename(folder.rstrip("/"))


def _load_timm_folder(folder, written, weights, image_size, arguments):
    """timm writes its own configuration: the architecture, the number of classes and further arguments."""
    classes = written.get("num_classes")
    own = written.get("model_args") or {}
    loaded = load_timm(str(written["architecture"]), image_size, classes if isinstance(classes, int) else None, own)
    loaded.name = _name_of(folder)
    loaded.weights = f"random, seed {arguments.seed}"
    if weights:
        loaded.notes += load_weights(loaded.module, os.path.join(folder, weights))
        loaded.weights, loaded.random_weights = f"of the folder, {weights}", False
    return loaded


def _class_of(transformers, folder, written, config):
    names = written.get("architectures") or []
    if names and isinstance(names, list):
        found = getattr(transformers, str(names[0]), None)
        if found is not None:
            return found
        if written.get("auto_map"):
            raise _own_code(folder)
        near = difflib.get_close_matches(str(names[0]), dir(transformers), 2)
        raise ExportError(
            "unknown_architecture",
            f"transformers {transformers.__version__} has no model named {names[0]}.",
            f"{f'Did you mean {near[0]}? ' if near else ''}Install the version that the folder was written with, or import "
            "the model as python:FILE.py:CALLABLE.",
        )
    try:
        return transformers.AutoModel._model_mapping[type(config)]
    except KeyError as failure:
        raise ExportError(
            "unknown_architecture",
            f"{folder}/config.json names no architecture.",
            'Write the class of the model into it: "architectures": ["BertForSequenceClassification"].',
        ) from failure


def _own_code(folder):
    return ExportError(
        "unsupported",
        f"{folder} brings code of its own (auto_map), which is not run here.",
        "Write a function that builds the model with trust_remote_code=True, and import it as python:FILE.py:CALLABLE.",
    )


def _load_transformers(rest, folder, written, weights, image_size, arguments):
    transformers = quiet_transformers(f"hf:{rest}")
    try:
        config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception as failure:
        if written.get("auto_map"):
            raise _own_code(folder) from failure
        raise ExportError(
            "unknown_architecture",
            f"transformers {transformers.__version__} does not know the model of {folder}: {describe(failure)}",
            "Install the version that the folder was written with, or import the model as python:FILE.py:CALLABLE.",
        ) from failure
    kind = _class_of(transformers, folder, written, config)
    # A cache of keys and values is for writing a text word by word; one pass does not use it.
    for part in (config, getattr(config, "text_config", None), getattr(config, "decoder", None)):
        if hasattr(part, "use_cache"):
            part.use_cache = False
    config.return_dict = True
    notes = []
    is_random = weights is None
    if image_size and is_random and hasattr(vision_part(config), "image_size"):
        vision_part(config).image_size = image_size
    try:
        model = kind(config) if is_random else _pretrained(kind, folder, config, notes)
    except ExportError:
        raise
    except Exception as failure:
        raise ExportError(
            "unsupported",
            f"{kind.__name__} cannot be built from {folder}: {describe(failure)}",
            "Check config.json, or import the model as python:FILE.py:CALLABLE.",
        ) from failure
    model.eval()
    inputs = Inputs(model, folder, image_size, arguments.seed, arguments.input_shape)
    family = next((family for ending, family in _FAMILIES if kind.__name__.endswith(ending)), "other")
    rename = {}
    if kind.__name__.endswith("ForObjectDetection") and config.model_type in _LIKE_DETR:
        family, rename = "detection", {"logits": "pred_logits"}
    return Loaded(
        name=_name_of(folder),
        module=model,
        family=family,
        weights=f"random, seed {arguments.seed}" if is_random else f"of the folder, {weights}",
        example={name: rows[:1] for name, rows in inputs.samples.items()},
        samples=inputs.samples,
        renamed_outputs=rename,
        distribution="normal",
        preprocessing=inputs.preprocessing(),
        random_weights=is_random,
        notes=notes,
    )


def _pretrained(kind, folder, config, notes):
    import torch

    model, told = kind.from_pretrained(
        folder, config=config, local_files_only=True, trust_remote_code=False, dtype=torch.float32, output_loading_info=True
    )
    missing = sorted(told.get("missing_keys") or [])
    wrong = sorted(str(item[0] if isinstance(item, tuple) else item) for item in told.get("mismatched_keys") or [])
    if missing or wrong:
        notes.append(
            f"{len(missing) + len(wrong)} tensors are not in the weights of the folder and stay random (the first is "
            f"{(missing + wrong)[0]})."
        )
    return model
