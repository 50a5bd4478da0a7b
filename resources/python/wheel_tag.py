# SPDX-License-Identifier: GPL-3.0-or-later
"""The name of the wheel: programs for x86-64 Linux, which run with every Python 3."""

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WheelTag(BuildHookInterface):
    def initialize(self, version, build_data):
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-manylinux_@GLIBC@_x86_64"
