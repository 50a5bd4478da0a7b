# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the line of a failure that says what went wrong, and the line of the model's code where it did."""

import os
import re
import traceback


def describe(failure):
    """The line of a failure that says what went wrong, cut to the length of a sentence."""
    lines = str(failure).strip().splitlines() or ["no message"]
    if "TorchScript interpreter" in lines[0]:
        # The trace through the script comes first, the error last.
        line = lines[-1].removeprefix("RuntimeError: ")
    else:
        line = lines[0]
    return f"{type(failure).__name__}: {line if len(line) <= 240 else line[:240] + '…'}"


_PLACES = re.compile(r'File "([^"\n]+)", line (\d+)|^\s*(\S+\.py)\((\d+)\): ', re.MULTILINE)

_LIBRARY = os.path.dirname(os.__file__)
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def _is_model_code(path):
    if not os.path.isfile(path) or path.startswith(_OWN + os.sep):
        return False
    packages = re.search(r"/(?:site|dist)-packages/([^/]+)", path)
    return packages.group(1) != "torch" if packages else not path.startswith(_LIBRARY + os.sep)


def place_of(failure):
    """"FILE, line N" of the model's own code: the innermost line outside of Python's library, torch and this package.
    "" where the failure has none."""
    written = [(a or c, int(b or d)) for a, b, c, d in _PLACES.findall(str(failure))]
    frames = [(frame.filename, frame.lineno) for frame in reversed(traceback.extract_tb(failure.__traceback__))]
    return next((f"{file}, line {line}" for file, line in [*written, *frames] if _is_model_code(file)), "")


def cause(failure):
    """Why tracing, scripting or torch.export could not take a model, with the line of the model's code."""
    function = re.search(r"Could not export Python function call '(\w+)'", str(failure))
    if function:
        what = f"the Python function {function.group(1)} has no TorchScript form"
    elif "DataDependent" in type(failure).__name__:
        what = "it decides something by the values of a tensor"
    else:
        what = describe(failure).rstrip(".:")
    place = place_of(failure)
    return f"{what} ({place})" if place else what


def compiler_line(text):
    """The line of a long failure that says what went wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for pattern in (r"\berror: ", r"\b(?:fatal|undefined reference)\b", r"(?:Error|Exception): "):
        found = [line for line in lines if re.search(pattern, line)]
        if found:
            # g++ names a temporary file that is deleted before a user reads this.
            return re.sub(r"^\S*/(\S+?:\d+)", r"\1", found[-1])[:300]
    return lines[-1][:300] if lines else "no message"
