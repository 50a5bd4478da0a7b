# SPDX-License-Identifier: GPL-3.0-or-later
"""The `compile` command: makes an AOTInductor package for one precision and device, and for one batch or any, from an
artifact."""

import contextlib
import os
import time
import zipfile

import torch

from .. import PACKAGE_SCHEMA
from ..artifact.manifest import dtype_name, read_manifest, reference_inputs
from ..artifact.program import LARGEST_BATCH
from ..artifact.program_file import load_program
from ..common.failures import compiler_line, describe
from ..common.files import partial_file, require_within, write_json
from ..common.protocol import ExportError
from ..quantize.calibration import Calibration
from ..sources.sniff import package_metadata
from ..tensors.batching import run
from ..tensors.flatten import tensors_of
from .attention import attention_kernel, attention_of
from .fp8 import CAPABILITY, constant_types, kept_from_folding, quantize_weights
from .masked_scalars import kept_scalar
from .pt2e import kernels_of, quantize_program
from .toolchain import NEEDED_TOOLS, compiler_with_shared_runtime, lacks_a_tool, lead_to_cuda

# The type of the remaining floating-point tensors. With int8 it does not change; with fp8 weights it is bf16, in which
# GPUs are fast.
_DTYPES = {
    "fp32": torch.float32,
    "bf16": torch.bfloat16,
    "fp16": torch.float16,
    "int8": torch.float32,
    "fp8": torch.bfloat16,
}
_NOT_FP8 = "Use another precision there."
# A package whose cosine similarity to the model is below _FAR is wrong if that of what was compiled is above _NEAR.
_FAR, _NEAR = 0.9, 0.99


def compile_package(arguments, channel):
    started = time.monotonic()
    int8, fp8 = arguments.precision == "int8", arguments.precision == "fp8"
    channel.expect_steps(7 if int8 else 6)
    channel.progress("load", "Loading the exported program")
    manifest = read_manifest(arguments.artifact)
    program = _load_program(arguments, manifest)
    target = _require_target(arguments)
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    torch.backends.mha.set_fastpath_enabled(False)
    allow_tf32(arguments.tf32)
    # The first batch is the one of the export. Further ones show that the batch is open.
    batches = [arguments.batch] if arguments.batch else [2, 1, 3]
    samples = [reference_inputs(arguments.artifact, manifest, batch) for batch in batches]
    references = [run(program.module(check_guards=False), inputs) for inputs in samples]

    channel.progress("cast", f"Preparing {_batch_text(arguments)} in {arguments.precision} on {arguments.device}")
    module = _prepare(program, arguments)
    samples = [_placed(inputs, arguments) for inputs in samples]
    quantised, quantising = None, time.monotonic()
    if int8:
        channel.progress("calibrate", "Calibrating")
        module, quantised = _quantize(module, manifest, arguments, channel)
    elif fp8:
        quantised = quantize_weights(module)
    quantising = time.monotonic() - quantising
    channel.progress("export", f"Exporting for {_batch_text(arguments)}")
    exported = _export(module, samples[0], manifest, arguments)

    channel.progress("compile", "Compiling with AOTInductor")
    sidecar = arguments.out + ".json"
    with partial_file(arguments.out) as partial, partial_file(sidecar) as partial_sidecar:
        # Files of a killed compiler are removed with the partial folder.
        os.environ["TMPDIR"] = os.path.dirname(partial)
        seconds = quantising + _compile(exported, partial, arguments)
        attention = attention_of(exported, partial, arguments.attention)
        del exported
        channel.progress("verify", "Running the package once")
        agreement = _verify(partial, samples, references, module)
        del module
        channel.progress("write", "Writing the package")
        metadata = _metadata_of(partial)
        if fp8:
            quantised["constants"] = constant_types(partial)
        elif int8:
            quantised["kernels"], quantised["float_kernels"] = kernels_of(partial)
        size = os.path.getsize(partial)
        write_json(
            partial_sidecar,
            {
                "schema": PACKAGE_SCHEMA,
                "model": manifest["name"],
                "content_hash": manifest["content_hash"],
                "batch": arguments.batch,
                "dynamic_batch": arguments.dynamic_batch,
                "precision": arguments.precision,
                "device": arguments.device,
                "device_name": target,
                "isa": metadata.get("AOTI_CPU_ISA") or None,
                "compute_capability": metadata.get("AOTI_COMPUTE_CAPABILITY") or None,
                "threads": arguments.threads if arguments.device == "cpu" else None,
                "max_autotune": arguments.max_autotune,
                "tf32": arguments.tf32,
                "freezing": not arguments.no_freezing,
                "channels_last": arguments.channels_last,
                "attention": attention,
                "torch": torch.__version__,
                "compile_seconds": round(seconds, 3),
                "bytes": size,
                "inputs": [
                    {
                        "name": described["name"],
                        "dtype": dtype_name(tensor.dtype),
                        "shape": _open_shape(tensor, described, arguments),
                        "stride": list(tensor.stride()),
                    }
                    for described, tensor in zip(manifest["inputs"], samples[0])
                ],
                "agreement": agreement,
                **({"quantization": quantised} if quantised else {}),
            },
        )
    channel.done(
        package=os.path.abspath(arguments.out),
        seconds=round(seconds, 3),
        total_seconds=round(time.monotonic() - started, 3),
        bytes=size,
    )


def allow_tf32(allowed):
    """Inductor builds this into the kernels that it generates, and the package is verified with it: convolutions would
    otherwise be computed in TF32, products not."""
    torch.backends.cuda.matmul.allow_tf32 = allowed
    torch.backends.cudnn.allow_tf32 = allowed


def _batch_text(arguments):
    return f"batch {arguments.batch}" if arguments.batch else "every batch"


def _open_shape(tensor, described, arguments):
    shape = list(tensor.shape)
    if arguments.dynamic_batch and described["batch_dim"] is not None:
        shape[described["batch_dim"]] = -1
    return shape


def _failed(message, hint="Leave the compiled level out for this configuration, or try another batch or precision."):
    return ExportError("compile_failed", message, hint)


def _load_program(arguments, manifest):
    if not arguments.out.endswith(".pt2"):
        raise ExportError("unsupported", f"A package must be named .pt2, not {arguments.out}.", "Change --out.")
    described = manifest["files"]["exported"]
    if described is None:
        reason = next((n for n in reversed(manifest["notes"]) if "torch.export" in n), "torch.export did not succeed")
        raise ExportError(
            "unsupported",
            f"{manifest['name']} has no exported program, so it cannot be compiled. {reason}",
            "Leave the compiled level out for this model.",
        )
    if not described["dynamic_batch"] and arguments.batch != 1:
        raise ExportError(
            "unsupported",
            f"{manifest['name']} was exported for batch 1 only, so it cannot be compiled for {_batch_text(arguments)}.",
            "Use batch 1, or make the model's batch dimension dynamic and import it again.",
        )
    path = require_within(arguments.artifact, os.path.join(arguments.artifact, described["path"]))
    if not os.path.isfile(path) or os.path.getsize(path) != described["bytes"]:
        raise ExportError(
            "truncated", f"{path} is missing or has not the size that the manifest says.", "Import the model again."
        )
    try:
        return load_program(arguments.artifact, manifest)
    except Exception as failure:
        raise ExportError(
            "truncated", f"{path} cannot be loaded: {describe(failure)}", "Import the model again."
        ) from failure


def _require_target(arguments):
    """Name of the device that the package is made for."""
    if arguments.precision == "int8" and arguments.device != "cpu":
        raise ExportError("unsupported", "PyTorch has no int8 convolutions on a GPU.", "Use int8 on a CPU.")
    if arguments.precision == "fp8" and arguments.device == "cpu":
        raise ExportError("unsupported", f"fp8 needs a GPU of compute capability {_dotted(CAPABILITY)}.", _NOT_FP8)
    if arguments.device == "cpu":
        return torch.backends.cpu.get_cpu_capability()
    if not torch.cuda.is_available():
        raise ExportError(
            "unsupported",
            "There is no CUDA device here, and a package for one can only be compiled beside it.",
            "Use --device cpu, or compile on the GPU machine.",
        )
    name, capability = torch.cuda.get_device_name(), torch.cuda.get_device_capability()
    if arguments.precision == "fp8" and capability < CAPABILITY:
        has = f"{name} has {_dotted(capability)}"
        raise ExportError("unsupported", f"fp8 needs compute capability {_dotted(CAPABILITY)}, {has}.", _NOT_FP8)
    return name


def _dotted(capability):
    return ".".join(str(part) for part in capability)


def _prepare(program, arguments):
    """The module in the precision, on the device and in the layout of the package."""
    module = program.module(check_guards=False)
    module.to(device=arguments.device, dtype=_DTYPES[arguments.precision])
    if arguments.channels_last:
        module.to(memory_format=torch.channels_last)
    if arguments.device != "cpu":
        _redevice(module, arguments.device)
    return module


def _placed(inputs, arguments):
    """Inputs as the module of _prepare() takes them."""
    dtype = _DTYPES[arguments.precision]
    moved = []
    for tensor in inputs:
        tensor = tensor.to(device=arguments.device, dtype=dtype if tensor.is_floating_point() else tensor.dtype)
        if arguments.channels_last and tensor.dim() == 4:
            tensor = tensor.contiguous(memory_format=torch.channels_last)
        moved.append(tensor)
    return tuple(moved)


def _quantize(module, manifest, arguments, channel):
    calibration = Calibration(arguments.artifact, manifest, arguments.calibration, arguments.calibration_samples)
    try:
        return quantize_program(module, calibration, arguments.narrow_weights, channel)
    except ExportError:
        raise
    except Exception as failure:
        text = compiler_line(str(failure)) if str(failure) else describe(failure)
        raise _failed(f"{manifest['name']} cannot be quantised: {text}") from failure


def _rewrite_arguments(module, change):
    for graph_module in [m for m in module.modules() if isinstance(m, torch.fx.GraphModule)]:
        for node in graph_module.graph.nodes:
            node.args = torch.fx.node.map_aggregate(node.args, change)
            node.kwargs = torch.fx.node.map_aggregate(node.kwargs, change)
        graph_module.recompile()


def _recast(module, dtype):
    _rewrite_arguments(module, lambda value: dtype if value is torch.float32 else value)


def _redevice(module, device):
    _rewrite_arguments(module, lambda value: torch.device(device) if isinstance(value, torch.device) else value)


def _export(module, inputs, manifest, arguments):
    """Export the module again with the sizes of `inputs`, except for a batch that stays open."""
    shapes = None
    if arguments.dynamic_batch:
        batch = torch.export.Dim("batch", min=1, max=LARGEST_BATCH)
        shapes = tuple(None if d["batch_dim"] is None else {d["batch_dim"]: batch} for d in manifest["inputs"])
    try:
        with torch.no_grad():
            try:
                return torch.export.export(module, inputs, dynamic_shapes=shapes)
            except Exception:
                if arguments.precision in ("fp32", "int8"):
                    raise
                # The graph names float32 where the model made or converted a tensor, and so mixes it with the new
                # precision. A tensor that the model widens on purpose stays wide unless it causes this failure.
                _recast(module, _DTYPES[arguments.precision])
                return torch.export.export(module, inputs, dynamic_shapes=shapes)
    except Exception as failure:
        raise _failed(
            f"torch.export for {_batch_text(arguments)} in {arguments.precision} failed: {describe(failure)}"
        ) from failure


def _compile(exported, partial, arguments):
    """Write the package and return the seconds that the compiler took."""
    configs = {"freezing": not arguments.no_freezing}
    if arguments.max_autotune:
        configs["max_autotune"] = True
    if arguments.device == "cpu" and not arguments.threads:
        configs["cpp.dynamic_threads"] = True
    compiler = compiler_with_shared_runtime(os.path.dirname(partial))
    if compiler:
        configs["cpp.cxx"] = (None, compiler)
    if arguments.device != "cpu":
        lead_to_cuda(os.path.dirname(partial))
        # Else the weights are missing in the peak that a trial reports.
        configs["aot_inductor.weight_use_caching_allocator"] = True
    started = time.monotonic()
    try:
        weights = kept_from_folding() if arguments.precision == "fp8" else contextlib.nullcontext()
        with torch.no_grad(), weights, attention_kernel(arguments.attention), kept_scalar():
            torch._inductor.aoti_compile_and_package(exported, package_path=partial, inductor_configs=configs)
    except Exception as failure:
        what = f"{_batch_text(arguments)} in {arguments.precision}"
        message = f"AOTInductor could not compile {what}: {compiler_line(str(failure))}"
        if lacks_a_tool(str(failure)):
            raise ExportError("toolchain", message, NEEDED_TOOLS) from failure
        raise _failed(message) from failure
    return time.monotonic() - started


def _verify(partial, samples, references, module):
    """Run the package once for each batch in this process, and return its agreement with the fp32 eager program.

    `module` is what was compiled. A package that is far from `references` where the module is not is wrong."""
    try:
        runner = torch._inductor.aoti_load_package(partial)
        with torch.no_grad():
            found = [tensors_of(runner(*inputs))[1] for inputs in samples]
        # The loader removes its folder in /tmp when it is destroyed.
        del runner
    except Exception as failure:
        raise _failed(f"The compiled package does not run: {compiler_line(str(failure))}") from failure
    for got, expected in _pairs(found, references):
        if list(got.shape) != list(expected.shape):
            raise _failed(
                f"The compiled package returns a tensor of {list(got.shape)} instead of {list(expected.shape)}."
            )
        if bool(expected.isfinite().all()) and not bool(got.cpu().isfinite().all()):
            raise _failed("The compiled package returns NaN or infinite values where the eager model does not.")
    agreement = _agreement(found, references)
    if agreement["cosine"] < _FAR:
        before = _agreement([run(module, inputs) for inputs in samples], references)["cosine"]
        if before > _NEAR:
            raise _failed(
                "The compiled package is wrong: the cosine similarity of its outputs to the model's is "
                f"{agreement['cosine']:.3g}, and before compiling it is {before:.3g}."
            )
    return agreement


def _pairs(found, references):
    """Each tensor of every batch with the one of the fp32 eager program."""
    return [pair for batch in zip(found, references) for pair in zip(*batch)]


def _agreement(found, references):
    worst = 0.0
    cosine = 1.0
    for got, expected in _pairs(found, references):
        if not expected.is_floating_point():
            continue
        got, expected = got.cpu().double(), expected.double()
        worst = max(worst, float((got - expected).abs().max()) if got.numel() else 0.0)
        if float(expected.norm()) > 0:
            cosine = min(cosine, float(torch.nn.functional.cosine_similarity(got.flatten(), expected.flatten(), 0)))
    return {"max_abs": worst, "cosine": cosine}


def _metadata_of(path):
    with zipfile.ZipFile(path) as archive:
        return package_metadata(archive)
