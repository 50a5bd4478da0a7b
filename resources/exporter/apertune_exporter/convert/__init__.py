# SPDX-License-Identifier: GPL-3.0-or-later
"""The model of an artifact in the file format of another engine."""
