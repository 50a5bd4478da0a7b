# SPDX-License-Identifier: GPL-3.0-or-later
"""The artifact folder of an imported model: how it is written and read."""
