# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the model of an artifact in the file format of another engine."""
