# SPDX-License-Identifier: GPL-3.0-or-later
"""What a model takes and gives: example inputs, flat signatures and the batch dimension."""
