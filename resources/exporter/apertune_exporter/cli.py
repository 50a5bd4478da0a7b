# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments, exit codes and the one place where failures become protocol lines."""

import argparse
import logging
import os
import sys
import traceback

from .artifact.engine_file import export_engine_file, is_engine_file
from .common.engines import add_engine_folders
from .common.failures import cause
from .common.protocol import EXIT_CANCELLED, EXIT_DONE, EXIT_OTHER, Cancelled, ExportError, begin_unwinding


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise ExportError("unsupported", f"Wrong arguments: {message}.", f"Run `{self.prog} --help` for the usage.")


def _positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def _add_calibration(command):
    command.add_argument("--calibration", metavar="DIR", help="folder of images to calibrate int8 with (default: generated ones)")
    command.add_argument("--calibration-samples", type=_positive, default=64, metavar="N",
                         help="number of calibration samples (default: 64)")
    command.add_argument("--narrow-weights", action="store_true", help="use 7 bits (compile: for activations), for processors without VNNI or AMX")


def _add_symmetry(command):
    command.add_argument("--symmetric-activations", action="store_true",
                         help="use signed activations with zero point 0 in ONNX, for engines that take no other")


def build_parser():
    parser = _Parser(prog="python -m apertune_exporter", description="Export and compile models for Apertune.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)

    export = commands.add_parser("export", help="write an artifact folder from a model")
    export.add_argument(
        "source",
        metavar="SOURCE",
        help="torchvision:NAME, timm:NAME, zoo:NAME, hf:FOLDER, diffusers:NAME#PART or diffusers:FOLDER#PART, each with @N "
        "for images of N by N, python:FILE.py:CALLABLE, a TorchScript or torch.export (.pt2) file, an .onnx or OpenVINO "
        ".xml file, or sliced:N:SOURCE or tiled:SIZExOVERLAP:SOURCE, variants of one of these",
    )
    export.add_argument("--out", required=True, metavar="DIR", help="the artifact folder to write")
    export.add_argument("--name", help="name of the model in the manifest")
    export.add_argument("--weights", metavar="FILE", help="state_dict or safetensors file instead of random weights")
    export.add_argument("--seed", type=int, default=0, help="seed of random weights and inputs")
    export.add_argument(
        "--input-shape",
        action="append",
        default=[],
        metavar="NAME:DTYPE:1x3x224x224",
        help="input of a TorchScript file or an hf: model, once for each",
    )

    compile_ = commands.add_parser("compile", help="make one AOTInductor package from an artifact")
    compile_.add_argument("--artifact", required=True, metavar="DIR", help="the artifact folder of the model")
    batches = compile_.add_mutually_exclusive_group(required=True)
    batches.add_argument("--batch", type=_positive, metavar="N", help="batch size of the package")
    batches.add_argument("--dynamic-batch", action="store_true", help="make one package for every batch size")
    compile_.add_argument("--precision", default="fp32", choices=["fp32", "bf16", "fp16", "int8", "fp8"],
                          help="precision of the package (default: fp32)")
    compile_.add_argument("--device", default="cpu", choices=["cpu", "cuda"],
                          help="device that the package runs on (default: cpu)")
    compile_.add_argument("--out", required=True, metavar="FILE.pt2", help="the package to write")
    compile_.add_argument(
        "--threads", type=_positive, metavar="N", help="number of CPU threads of the package, which is fixed in its code"
    )
    compile_.add_argument("--max-autotune", action="store_true", help="measure several kernels for each operator and use the fastest")
    compile_.add_argument(
        "--tf32", action="store_true", help="multiply in TF32 in the kernels that --max-autotune generates; others follow the program"
    )
    compile_.add_argument("--no-freezing", action="store_true", help="keep weights as inputs of the generated code")
    compile_.add_argument("--channels-last", action="store_true", help="use the memory layout channels_last for weights and inputs")
    compile_.add_argument(
        "--attention", choices=["math", "flash", "efficient"], help="kernel of attention, where it is possible (default: LibTorch chooses)"
    )
    _add_calibration(compile_)

    join = commands.add_parser("join", help="put packages of one model for several batches into one file")
    join.add_argument("--package", action="append", required=True, metavar="FILE.pt2", help="a package to join; repeatable")
    join.add_argument("--out", required=True, metavar="FILE.pt2", help="the package to write")

    convert = commands.add_parser("convert", help="write the model of an artifact for another engine")
    convert.add_argument("--artifact", required=True, metavar="DIR", help="the artifact folder of the model")
    convert.add_argument("--format", required=True, choices=["onnx", "openvino_ir"], help="format of the engine")
    convert.add_argument("--batch", type=_positive, metavar="N", help="batch size (default: dynamic where possible)")
    convert.add_argument("--out", required=True, metavar="DIR", help="the folder to write")
    convert.add_argument("--precision", default="fp32", choices=["fp32", "int8"], help="precision of the file (default: fp32)")
    convert.add_argument("--from", dest="made", metavar="FILE", help="int8: the float model that an earlier conversion wrote")
    _add_calibration(convert)
    _add_symmetry(convert)
    convert.add_argument(
        "--float-layer", action="append", default=[], metavar="NAME", help="a layer that int8 leaves in float; repeatable"
    )

    sensitivity = commands.add_parser("sensitivity", help="measure the error that int8 causes, layer by layer")
    sensitivity.add_argument("--artifact", required=True, metavar="DIR", help="the artifact folder of the model")
    sensitivity.add_argument("--file", required=True, metavar="FILE", help="the float model in the format of an engine")
    sensitivity.add_argument("--format", required=True, choices=["onnx", "openvino_ir"], help="format of --file")
    sensitivity.add_argument("--samples", type=_positive, default=4, metavar="N", help="number of reference inputs to compare (default: 4)")
    _add_calibration(sensitivity)
    _add_symmetry(sensitivity)

    accuracy = commands.add_parser("accuracy", help="measure the accuracy of a model on labelled images")
    accuracy.add_argument("--artifact", required=True, metavar="DIR", help="the artifact folder of the model")
    accuracy.add_argument("--images", required=True, metavar="DIR",
                          help="a folder with one subfolder of images per class, or the images of --annotations")
    accuracy.add_argument("--annotations", metavar="FILE", help="a COCO JSON file, for detection and segmentation")
    accuracy.add_argument("--file", metavar="FILE", help="the model in the format of an engine (default: only as imported)")
    accuracy.add_argument("--format", default="torchscript", choices=["torchscript", "onnx", "openvino_ir", "aoti_package"],
                          help="format of --file (default: torchscript)")
    accuracy.add_argument("--precision", default="fp32", choices=["fp32", "tf32", "bf16", "fp16", "int8", "fp8"],
                          help="precision of --file (default: fp32)")
    accuracy.add_argument("--limit", type=_positive, metavar="N", help="largest number of images, spread evenly (default: all)")

    listing = commands.add_parser("list", help="print the model zoo")
    listing.add_argument("--json", action="store_true", help="print JSON")
    commands.add_parser("version", help="print versions and capabilities as JSON")
    return parser


def _prepare_environment(arguments):
    """Settings that libraries read when they are imported."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["TRANSFORMERS_OFFLINE"] = "1"
    # Remarks of these packages while they are imported; their failures are told all the same.
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("DIFFUSERS_VERBOSITY", "error")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
    # Beside other programs, threads that spin while they wait make a pass ten and more times slower. Nothing is timed
    # here, so sleeping ones cost nothing that counts.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    if arguments.command == "compile":
        if not os.environ.get("TORCHINDUCTOR_CACHE_DIR"):
            cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
            os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.path.join(cache, "apertune", "inductor")
        if arguments.threads:
            os.environ["OMP_NUM_THREADS"] = str(arguments.threads)
    os.environ.setdefault("OPENVINO_TELEMETRY_DISABLED", "1")
    add_engine_folders()
    import warnings

    # Warnings about TorchScript's deprecation and the tracer's remarks do not help the user: comparing the traced
    # module with the eager one checks what they warn of.
    warnings.simplefilter("ignore")


def _run(arguments, channel):
    if arguments.command == "export" and is_engine_file(arguments.source):
        export_engine_file(arguments, channel)
        return
    try:
        import torch  # noqa: F401
    except ImportError as failure:
        raise ExportError(
            "missing_module",
            f"The Python environment has no usable torch ({failure}).",
            "Add it with `apertune engine add libtorch`, or set APERTUNE_PYTHON to a Python that has torch 2.11 and torchvision.",
        ) from failure
    # Remarks of torch.export and FX. Importing torch has reset the level.
    if not os.environ.get("TORCH_LOGS"):
        logging.getLogger("torch").setLevel(logging.ERROR)
    if arguments.command == "export":
        from .artifact.export import export

        export(arguments, channel)
    elif arguments.command == "compile":
        from .compile.package import compile_package

        compile_package(arguments, channel)
    elif arguments.command == "join":
        from .compile.join import join

        join(arguments, channel)
    elif arguments.command == "convert":
        from .convert.convert import convert

        convert(arguments, channel)
    elif arguments.command == "sensitivity":
        from .quantize.sensitivity import sensitivity

        sensitivity(arguments, channel)
    elif arguments.command == "accuracy":
        from .evaluate.accuracy import accuracy

        accuracy(arguments, channel)
    elif arguments.command == "list":
        from .sources.zoo import listing

        channel.text(listing(arguments.json))
    else:
        from .version import version_text

        channel.text(version_text())


def main(argv, channel, prepare=lambda channel: None):
    """Run one command and return the exit status. `prepare` runs once cancellations are handled."""
    try:
        prepare(channel)
        arguments = build_parser().parse_args(argv)
        _prepare_environment(arguments)
        _run(arguments, channel)
        return EXIT_DONE
    except ExportError as failure:
        channel.error(failure)
        return failure.exit_code
    except Cancelled:
        begin_unwinding()
        channel.cancelled()
        return EXIT_CANCELLED
    except SystemExit as leave:  # argparse after --help
        return int(leave.code or 0)
    except OSError as failure:
        target = f" ({failure.filename})" if failure.filename else ""
        message = f"{failure.strerror or failure}{target}."
        channel.error(ExportError("io", message, "Check free space and permissions, then try again."))
        return EXIT_OTHER
    except MemoryError:
        hint = "Close other programs, or choose a smaller model or batch."
        channel.error(ExportError("io", "Not enough memory for this model.", hint))
        return EXIT_OTHER
    except Exception as failure:  # pylint: disable=broad-except
        traceback.print_exc(file=sys.stderr)
        message = f"The exporter failed: {cause(failure)}."
        channel.error(ExportError("unsupported", message, "The full trace is in the log above; please report it."))
        return EXIT_OTHER
