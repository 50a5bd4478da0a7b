# SPDX-License-Identifier: GPL-3.0-or-later
"""Apertune's exporter: turns a PyTorch vision model into an artifact folder, and compiles packages from it.

Run as a child process: `python -m apertune_exporter export|compile|list|version`. What it writes and what
it says on stdout are specified in FORMAT.md beside this package.
"""

EXPORTER_VERSION = 1
"""Goes into every manifest; rises when the meaning of an artifact's content changes."""

MODEL_SCHEMA = "apertune.model/1"
PACKAGE_SCHEMA = "apertune.package/1"
FORMAT_SCHEMA = "apertune.format/1"

REFERENCE_SAMPLES = 8
"""Samples in inputs/*.bin along the batch dimension."""
