# SPDX-License-Identifier: GPL-3.0-or-later
"""What every command uses: the protocol on stdout, files, child processes and the packages of engines."""
