# SPDX-License-Identifier: GPL-3.0-or-later
"""The `export` command: SOURCE to an artifact folder."""

import functools
import json
import os
import time

import torch

from .. import MODEL_SCHEMA
from ..common.failures import describe
from ..common.files import partial_folder, sha256_of, write_json
from ..common.protocol import ExportError
from ..sources.load import load_source
from ..sources.loaded import to_eval
from ..tensors.batching import DEPENDS_ON_BATCH, describe_outputs, given_plan, image_plan, run
from ..tensors.flatten import copying, flatten, flatten_inputs
from ..tensors.inputs import images
from ..tensors.passes import slow_passes_reported
from ..tensors.task import task_of
from .base_model import write_base, write_base_manifest, write_variant_base
from .behaviour import ModuleState, observe
from .condition import calibrate_normalisation, wake_parameters
from .manifest import content_hash, describe_file, dtype_name, raw_bytes, stamp
from .measure import layers_and_macs, parameters_of
from .program import Program, make_program
from .program_file import save_program
from .script import make_torchscript

_STEPS = 7


def export(arguments, channel, load=load_source):
    """Write the artifact folder `arguments.out`. `load(arguments)` returns the `Loaded` that `arguments.source` names."""
    started = time.monotonic()
    channel.expect_steps(_STEPS)
    # The fast path of attention in eval mode exists in no other form of the model, so only eager results would have it.
    torch.backends.mha.set_fastpath_enabled(False)
    with partial_folder(arguments.out) as folder:
        manifest = _write_artifact(arguments, channel, folder, load)
        channel.progress("write", "Writing the manifest")
        write_json(os.path.join(folder, "manifest.json"), manifest)
    channel.done(
        artifact=os.path.abspath(arguments.out), name=manifest["name"], seconds=round(time.monotonic() - started, 2)
    )


def _write_artifact(arguments, channel, folder, load):
    channel.progress("load", f"Loading {arguments.source}")
    loaded = load(arguments)
    name = arguments.name or loaded.name
    with slow_passes_reported(channel, name):
        return _write_files(arguments, channel, folder, loaded, name)


def _write_files(arguments, channel, folder, loaded, name):
    channel.progress("inspect", f"Running {name}")
    module, plan, input_names, output_names, state = _inspect(loaded, arguments.seed)
    behaviour = observe(module, plan, state)
    if behaviour.changed_inputs:
        module = copying(module, plan.batch(1), behaviour.changed_inputs)
        to_eval(module)
    if behaviour.state or behaviour.unexplained:
        # The results of any two passes differ, not of those of two batches.
        plan.notes = [note for note in plan.notes if note != DEPENDS_ON_BATCH]
    for note in plan.notes:
        channel.log(note)

    channel.progress("trace", f"{'Scripting' if loaded.script else 'Tracing'} {name}")
    inputs = _describe_inputs(folder, plan, input_names, loaded)
    outputs = [
        {"name": n, "dtype": dtype_name(d), "shape": s, "batch_dim": b}
        for n, d, s, b in zip(output_names, plan.output_dtypes, plan.output_shapes, plan.output_batch_dims)
    ]
    extra = {"apertune.json": json.dumps({"schema": MODEL_SCHEMA, "inputs": inputs, "outputs": outputs})}
    base, base_notes = None, []
    if loaded.variant:
        _require_no_state(loaded, behaviour)
        base = write_variant_base(module, loaded, plan, folder, extra, base_notes)
        module = loaded.variant.wrap(module, plan, base_notes)
        to_eval(module)
    exported = functools.cache(lambda: make_program(module, plan))

    def save(scripted):
        state.restore(module, scripted)
        torch.jit.save(scripted, os.path.join(folder, "model.ts.pt"), _extra_files=extra)

    script = make_torchscript(module, plan, loaded.script, loaded.torchscript, exported, save, behaviour, state)
    remarks = behaviour.notes(input_names, traced=script.road in ("tracing", "torch.export"))
    notes = list(dict.fromkeys([*loaded.notes, *plan.notes, *remarks, *base_notes, *script.notes]))
    state.restore(module, script.module)
    base = base or write_base(loaded, plan, folder, extra, notes)

    channel.progress("measure", f"Counting the work of {name}")
    layers, macs = _measure(module, plan, notes)

    channel.progress("export", f"Exporting {name} for compilation")
    if loaded.script:
        # The tracer of torch.export follows one path, so it fails on such modules, after half a minute.
        made = Program(notes=["torch.export does not take this model, whose control flow depends on the data."])
    elif behaviour.state or behaviour.random:
        why = "keeps state from pass to pass" if behaviour.state else "draws random numbers"
        made = Program(
            notes=[f"torch.export is left out, because the model {why}: compiled code would not do the same."]
        )
    else:
        made = exported()
    notes += made.notes
    if made.program is not None:
        save_program(made.program, os.path.join(folder, "model.ep.pt2"), script.module)

    channel.progress("hash", "Hashing the files")
    files = {"torchscript": describe_file(folder, "model.ts.pt"), "exported": None}
    if made.program is not None:
        files["exported"] = {**describe_file(folder, "model.ep.pt2"), "dynamic_batch": made.dynamic}
    if base:
        files["base"] = base
    input_hashes = [sha256_of(os.path.join(folder, described["file"])) for described in inputs]
    content = content_hash(files, inputs, outputs, input_hashes)
    for described, digest in zip(inputs, input_hashes):
        described["sha256"] = digest
    count, size = parameters_of(module)
    manifest = {
        "schema": MODEL_SCHEMA,
        "name": name,
        "source": arguments.source,
        "family": loaded.family or task_of([d["shape"] for d in inputs], [(d["name"], d["shape"]) for d in outputs]),
        "weights": loaded.weights,
        "parameters": count,
        "parameter_bytes": size,
        "macs": macs,
        "inputs": inputs,
        "outputs": outputs,
        "dynamic_batch": script.dynamic,
        "failing_batches": [{"batch": batch, "why": why} for batch, why in sorted(script.failing.items())],
        "state": behaviour.state,
        "random": behaviour.random,
        "preprocessing": loaded.preprocessing,
        "files": files,
        "layers": layers,
        **stamp(),
        "content_hash": content,
        "notes": notes,
    }
    if base:
        write_base_manifest(manifest, folder, loaded.base_source or arguments.source)
    return manifest


def _require_no_state(loaded, behaviour):
    if behaviour.state or behaviour.unexplained:
        raise ExportError(
            "unsupported",
            f"{loaded.base_source} gives other outputs in each pass, so a variant of it cannot be compared with it.",
            "Leave the variant out for this model.",
        )


def _inspect(loaded, seed):
    """Return (flat module, complete plan, input names, output names, the module's state before the first pass). Random
    weights are conditioned."""
    # Parameters keep requires_grad. With it, LibTorch's matmul folds a transposed input. Without it, the weight is
    # copied for each row of the batch (ViT-B in bf16 at batch 4: 22 times slower).
    try:
        if loaded.image_shape:
            plan = image_plan(loaded.image_shape, loaded.distribution, seed)
            if loaded.random_weights:
                _condition(loaded, seed)
            state = ModuleState(loaded.module)
            module, names, _, output_names = flatten(loaded.module, plan.batch(1))
        else:
            if loaded.random_weights:
                _condition(loaded, seed)
            state = ModuleState(loaded.module)
            module, names, tensors, output_names = flatten(loaded.module, loaded.example)
            given = flatten_inputs(loaded.module, loaded.samples)[1] if loaded.samples else None
            plan = given_plan(module, [t.detach() for t in tensors], loaded.distribution, seed, given)
            output_names = [loaded.renamed_outputs.get(name, name) for name in output_names]
    except ExportError:
        raise
    except Exception as failure:
        raise ExportError(
            "throws",
            f"The model fails on its example inputs: {describe(failure)}",
            "Check the model and the inputs that go with it.",
        ) from failure
    to_eval(module)
    outputs = describe_outputs(module, plan)
    output_names = loaded.output_names or output_names
    plan.notes += _remarks_on(module, plan, outputs, output_names)
    return module, plan, loaded.input_names or names, output_names, state


def _condition(loaded, seed):
    wake_parameters(loaded.module, seed)
    if not loaded.image_shape:
        return
    shape, distribution = loaded.image_shape, loaded.distribution

    def run_once():
        loaded.module(images(shape, distribution, seed + 1))

    calibrate_normalisation(loaded.module, run_once)
    if loaded.finish:
        loaded.finish(loaded.module, run_once)


def _remarks_on(module, plan, outputs, names):
    """Notes on outputs that make a comparison of precisions meaningless."""
    notes = []
    others = run(module, plan.batch(1, first=1)) if plan.batched else None
    for index, (name, tensor) in enumerate(zip(names, outputs)):
        if not tensor.is_floating_point() or tensor.numel() == 0:
            continue
        if not bool(tensor.isfinite().all()):
            notes.append(f"Output {name} has NaN or infinite values for the reference inputs.")
        elif others is not None and torch.equal(tensor, others[index]):
            notes.append(f"Output {name} is the same for two different inputs.")
    return notes


def _describe_inputs(folder, plan, names, loaded):
    os.mkdir(os.path.join(folder, "inputs"))
    described = []
    for index, (name, dim, sample) in enumerate(zip(names, plan.batch_dims, plan.samples)):
        file = f"inputs/{index}.bin"
        with open(os.path.join(folder, file), "wb") as stream:
            stream.write(raw_bytes(sample))
        shape = list(sample.shape)
        if dim is not None:
            shape[dim] = 1
        described.append(
            {
                "name": name,
                "dtype": dtype_name(sample.dtype),
                "shape": shape,
                "batch_dim": dim,
                "file": file,
                "samples": sample.shape[dim] if dim is not None else 1,
                "distribution": loaded.distribution,
            }
        )
    return described


def _measure(module, plan, notes):
    try:
        return layers_and_macs(module, plan.batch(1))
    except Exception as failure:
        notes.append(f"The work of the layers could not be counted: {describe(failure)}")
        return [], None
