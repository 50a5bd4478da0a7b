# SPDX-License-Identifier: GPL-3.0-or-later
"""The inputs and outputs of a model: example inputs, flat signatures and the batch dimension."""
