# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared parts of all commands: the protocol on stdout, files, child processes and the packages of engines."""
