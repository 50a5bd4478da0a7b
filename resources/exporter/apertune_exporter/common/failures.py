# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the line of a failure that says what went wrong."""

import re


def describe(failure):
    """The line of a failure that says what went wrong, cut to the length of a sentence."""
    lines = str(failure).strip().splitlines() or ["no message"]
    if "TorchScript interpreter" in lines[0]:
        # The trace through the script comes first, the error last.
        line = lines[-1].removeprefix("RuntimeError: ")
    else:
        line = lines[0]
    return f"{type(failure).__name__}: {line if len(line) <= 240 else line[:240] + '…'}"


def compiler_line(text):
    """The line of a long failure that says what went wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for pattern in (r"\berror: ", r"\b(?:fatal|undefined reference)\b", r"(?:Error|Exception): "):
        found = [line for line in lines if re.search(pattern, line)]
        if found:
            # g++ names a temporary file that is deleted before a user reads this.
            return re.sub(r"^\S*/(\S+?:\d+)", r"\1", found[-1])[:300]
    return lines[-1][:300] if lines else "no message"
