# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks of the zoo that no installed library has."""
