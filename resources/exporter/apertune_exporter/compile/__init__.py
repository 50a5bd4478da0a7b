# SPDX-License-Identifier: GPL-3.0-or-later
"""AOTInductor packages: compiling, their attention, int8 and fp8 recipes, and joining them."""
