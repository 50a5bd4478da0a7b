# SPDX-License-Identifier: GPL-3.0-or-later
"""What a compiled package really does, read from the C++ that it was generated as and that lies in it."""

import zipfile


def counts(package, *patterns):
    """For each pattern how often its group is found, by what it matched: {"convolution": 53}. As many as patterns."""
    with zipfile.ZipFile(package) as archive:
        code = "".join(
            archive.read(name).decode("utf-8", "replace") for name in archive.namelist() if name.endswith(".wrapper.cpp")
        )
    found = [{} for _ in patterns]
    for counted, pattern in zip(found, patterns):
        for name in pattern.findall(code):
            counted[name] = counted.get(name, 0) + 1
    return found
