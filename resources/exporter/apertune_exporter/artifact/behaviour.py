# SPDX-License-Identifier: GPL-3.0-or-later
"""Effects of a module besides its outputs: it may change the inputs, keep state from pass to pass,
draw random numbers, or do work in Python that no trace has."""

import io
import os
import sys
import sysconfig
import time
from collections import deque
from dataclasses import dataclass, field

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from ..tensors.batching import close, run

_REPEATED = 1e-6
"""Two runs of one computation on one input agree to this share of the largest value."""


_OF_EVERY_MODULE = frozenset(vars(torch.nn.Module()))


def _own_attributes(module):
    """The attributes of a module in Python that are its own, with their paths."""
    for path, part in module.named_modules():
        if not isinstance(part, torch.jit.ScriptModule):
            for name, value in list(vars(part).items()):
                if name not in _OF_EVERY_MODULE:
                    yield (f"{path}.{name}" if path else name), value


def _without_prefix(name):
    """The name in the model itself of what flatten() wrapped."""
    return name.removeprefix("model.")


class ModuleState:
    """The buffers and plain attributes of a module before its first pass, to put those back that are state."""

    def __init__(self, module):
        self._module = module
        self._buffers = {name: buffer.detach().clone() for name, buffer in module.named_buffers()}
        self._plain = {name: value for name, value in _own_attributes(module) if isinstance(value, (bool, int, float, str))}
        self._names = frozenset()

    def choose(self, names):
        """Say which of them are state. Others stay as they are: they may be what a first pass computed once and for all."""
        self._names = frozenset(map(_without_prefix, names))

    def restore(self, *others):
        """Put the state back, in the module and in `others`: the same module wrapped or as TorchScript."""
        with torch.no_grad():
            for module in (self._module, *others):
                for name, buffer in module.named_buffers():
                    name = _without_prefix(name)
                    if name in self._names and name in self._buffers and self._buffers[name].shape == buffer.shape:
                        buffer.copy_(self._buffers[name])
                for name in self._names & self._plain.keys():
                    path, _, attribute = name.rpartition(".")
                    for owner in dict(module.named_modules()), dict(getattr(module, "model", module).named_modules()):
                        if path in owner and hasattr(owner[path], attribute):
                            setattr(owner[path], attribute, self._plain[name])


class _RandomOperators(TorchDispatchMode):
    """Collects the operators that draw from PyTorch's generator, but for those within torch.cond and its like."""

    supports_higher_order_operators = True

    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        name = str(func)
        if torch.Tag.nondeterministic_seeded in getattr(func, "tags", ()) and name not in self.names:
            self.names.append(name)
        return func(*args, **(kwargs or {}))


_STDLIB = os.path.realpath(sysconfig.get_paths()["stdlib"])
_EXPORTER = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))
_WATCHED = {
    ("time", "sleep"): "time.sleep",
    ("builtins", "print"): "print",
    ("builtins", "input"): "input",
    ("io", "open"): "open",
    ("_io", "open"): "open",
    ("posix", "system"): "os.system",
    ("posix", "write"): "os.write",
    ("posix", "read"): "os.read",
    ("_posixsubprocess", "fork_exec"): "subprocess",
}


def _is_of_a_user(file):
    path = os.path.realpath(file)
    return not file.startswith("<") and "site-packages" not in path and not path.startswith((_STDLIB, _EXPORTER))


@dataclass
class PythonCall:
    """A call that TorchScript has no operator for."""

    what: str
    file: str
    line: int
    seconds: float = 0.0

    def __str__(self):
        waits = f"{self.seconds:.2g} s a pass, " if self.seconds >= 0.001 else ""
        return f"{self.what} ({waits}{os.path.basename(self.file)} line {self.line})"


class _PythonWork:
    """Collects such calls of the user's own code, while it is active. Libraries may do as they like."""

    def __init__(self):
        self.calls = {}
        self._begun = []

    def __enter__(self):
        self._before = sys.getprofile()
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_):
        sys.setprofile(self._before)

    def _note(self, frame, event, argument):
        if event == "c_call":
            what = self._name_of(argument)
            if what:
                self._begun.append((argument, self._call(what, frame), time.perf_counter()))
        elif event in ("c_return", "c_exception") and self._begun and self._begun[-1][0] is argument:
            _, call, begin = self._begun.pop()
            if call:
                call.seconds += time.perf_counter() - begin

    @staticmethod
    def _name_of(function):
        owner = getattr(function, "__self__", None)
        name = getattr(function, "__name__", "")
        if isinstance(owner, io.IOBase) or type(owner).__module__ == "_socket":
            return f"{type(owner).__name__}.{name}" if name in ("write", "read", "send", "recv", "connect") else None
        return _WATCHED.get((getattr(function, "__module__", None), name))

    def _call(self, what, frame):
        while frame is not None and not _is_of_a_user(frame.f_code.co_filename):
            if "site-packages" in frame.f_code.co_filename:
                return None
            frame = frame.f_back
        if frame is None:
            return None
        place = (what, frame.f_code.co_filename, frame.f_lineno)
        return self.calls.setdefault(place, PythonCall(*place))


def _value(value, depth=4):
    """A copy of an attribute that can be compared; None for what is no plain value."""
    if isinstance(value, torch.Tensor):
        return ("tensor", str(value.dtype), tuple(value.shape), value.detach().cpu().reshape(-1)[:1000].tolist())
    if isinstance(value, (bool, int, float, str)):
        return value
    if depth > 0 and isinstance(value, (list, tuple, deque)):
        return tuple(_value(item, depth - 1) for item in list(value)[:1000])
    if depth > 0 and isinstance(value, dict):
        return tuple((str(key), _value(item, depth - 1)) for key, item in list(value.items())[:1000])
    if depth > 0 and isinstance(getattr(value, "__dict__", None), dict) and not isinstance(value, (type, torch.nn.Module)):
        return _value(vars(value), depth - 1)
    return None


def _attributes(module):
    """The values of a module's own attributes, by their paths."""
    return {name: _value(value) for name, value in _own_attributes(module)}


class _Contents:
    """Contents of the buffers and attributes of a module at one moment."""

    def __init__(self, module):
        self._module = module
        self._buffers = {name: buffer.detach().clone() for name, buffer in module.named_buffers()}
        self._attributes = _attributes(module)

    def changed(self):
        """The names of those that hold something else now."""
        buffers, attributes = dict(self._module.named_buffers()), _attributes(self._module)
        return [n for n, saved in self._buffers.items() if n in buffers and not close(buffers[n], saved, 0)] + [
            n for n, value in self._attributes.items() if attributes.get(n) != value
        ]


def _same(first, second):
    return len(first) == len(second) and all(close(a, b, _REPEATED) for a, b in zip(first, second))


@dataclass
class Behaviour:
    changed_inputs: list = field(default_factory=list)
    """Positions of the inputs that a pass changes."""
    state: list = field(default_factory=list)
    """Buffers and attributes that a pass changes, when two passes on one input differ."""
    random: bool = False
    """Passes with another seed of PyTorch's generator give other outputs."""
    random_operators: list = field(default_factory=list)
    unexplained: bool = False
    """Two passes on one input differ, and neither state nor PyTorch's generator is the cause."""
    python_calls: list = field(default_factory=list)

    def state_names(self):
        """The state as the model's author calls it."""
        return ", ".join(map(_without_prefix, self.state))

    def notes(self, input_names, traced):
        made = []
        if self.changed_inputs:
            names = ", ".join(input_names[i] for i in self.changed_inputs)
            made.append(f"The model changes its input {names}. It is given a copy in each pass, which is measured too.")
        if self.state:
            made.append(
                f"The model keeps state from pass to pass in {self.state_names()}. Only TorchScript keeps it; other "
                "engines are left out, and outputs are compared from the state that the model is imported with."
            )
        if self.random:
            names = ", ".join(self.random_operators)
            dropout = " Dropout may have been left on." if "dropout" in names or "bernoulli" in names else ""
            made.append(
                f"The model draws random numbers in each pass ({names}).{dropout} Outputs are compared with the same "
                "seed; engines and precisions that draw other numbers are left out."
            )
        if self.unexplained:
            made.append(
                "Two runs of the model on one input differ, for a cause outside of PyTorch's generator and the model's "
                "buffers and attributes (such as the time, or Python's random numbers). Its TorchScript keeps what it "
                "was at the import, and could not be compared."
            )
        if self.python_calls and traced:
            calls = ", ".join(map(str, self.python_calls))
            made.append(
                f"The model does work in Python that its TorchScript leaves out: {calls}. No configuration does it, "
                "O0 as little as the others."
            )
        return made


def _run_on_another_input(module, plan):
    """A pass on another sample, of twice the size, so that state that follows the input or its range changes."""
    inputs = plan.batch(1, first=1)
    try:
        run(module, [2 * tensor if tensor.is_floating_point() else tensor for tensor in inputs])
    except Exception:
        run(module, inputs)


def observe(module, plan, state):
    """Run the module three to five times and report what it does. `state` is its ModuleState, which learns the names.

    REQUIRES: `plan` has its reference samples."""
    found = Behaviour()
    inputs = plan.batch(1)
    given = tuple(tensor.clone() for tensor in inputs)
    with _RandomOperators() as operators, _PythonWork() as work:
        first = run(module, given, copies=False)
    if "torch._dynamo" in sys.modules:
        # Without the reset, code that torch.cond compiled under the mode above fails.
        torch._dynamo.reset()
    found.changed_inputs = [i for i, (a, b) in enumerate(zip(inputs, given)) if not close(a, b, 0)]
    found.python_calls = list(work.calls.values())
    # State that the first pass changed may be computed once and for all. State that is the last input is that of
    # the first pass again after the third.
    contents = _Contents(module)
    _run_on_another_input(module, plan)
    changed = contents.changed()
    if not _same(first, run(module, inputs)):
        found.state = changed + [name for name in contents.changed() if name not in changed]
        found.unexplained = not found.state
        state.choose(found.state)
    if operators.names and not found.unexplained:
        outputs = []
        for seed in (0, 1):
            state.restore(module)
            outputs.append(run(module, inputs, seed=seed))
        found.random = not _same(*outputs)
    if found.random:
        found.random_operators = operators.names
    return found
