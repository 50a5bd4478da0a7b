# SPDX-License-Identifier: GPL-3.0-or-later
import faulthandler
import os
import sys

from .common.processes import adopt_orphans
from .common.protocol import install_cancellation, open_channel

if __name__ == "__main__":
    # A crash in a library leaves the Python stack on stderr, which the program that started this one keeps.
    faulthandler.enable()
    CHANNEL = open_channel()
    adopt_orphans()
    from .cli import main

    STATUS = main(sys.argv[1:], CHANNEL, install_cancellation)
    sys.stderr.flush()
    # Destructors of LibTorch's thread pools may hang or crash at exit; all files are closed by now.
    os._exit(STATUS)
