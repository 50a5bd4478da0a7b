# SPDX-License-Identifier: GPL-3.0-or-later
"""Apertune's exporter: turns a PyTorch vision model into an artifact folder, and compiles packages from it.

It runs as a child process: `python -m apertune_exporter export|compile|list|version`. FORMAT.md beside this package
specifies the files that it writes and the protocol on stdout.
"""

EXPORTER_VERSION = 1
"""Version in every manifest. It rises when the meaning of an artifact's content changes."""

MODEL_SCHEMA = "apertune.model/1"
PACKAGE_SCHEMA = "apertune.package/1"
FORMAT_SCHEMA = "apertune.format/1"

REFERENCE_SAMPLES = 8
"""Number of samples in inputs/*.bin along the batch dimension."""
