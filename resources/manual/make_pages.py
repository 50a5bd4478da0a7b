#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the outputs and the pictures of the manual, from the sample workspace and the built program.

    make_pages.py BUILD [--no-pictures]

Outputs are checked by the ctest case manual.pages; pictures need Xvfb or a display. What tests write from declarations
(pages of the reference) is written by APERTUNE_UPDATE_GOLDEN=1 and the test programs that the comments there name."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pages

# Page, further options, and name of the picture. A page of the window has one where its page of the manual shows it.
PICTURES = [(file.stem, [], file.stem) for file in sorted((pages.MANUAL / "window").glob("*.md"))
            if f"../pictures/{file.stem}.png" in pages.links(file.read_text())]
PICTURES += [("trace", ["--trace", "tr1", "--tab", tab], f"trace-{tab}") for tab in ("timeline", "bottleneck")]
PICTURES += [("trace", ["--trace", "tr3", "--tab", "timeline"], "trace-gpu")]
SIZE = "1280x800"


def make_smaller(picture: pathlib.Path) -> None:
    """Reduces a picture to a palette, which halves it. Without Pillow it stays as it is."""
    try:
        from PIL import Image
    except ImportError:
        print(f"{picture.name} stays large: this Python has no Pillow")
        return
    with Image.open(picture) as image:
        image.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(picture, optimize=True)


def main() -> int:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    programs = pathlib.Path(sys.argv[1]).resolve() / "bin"
    # The path is seen in the pictures.
    with tempfile.TemporaryDirectory(prefix="apertune-") as name:
        folder = pathlib.Path(name)
        shutil.copy(pages.SAMPLE / "sample.apertune", folder)
        for file in pages.files_with_outputs():
            text = file.read_text()
            written = pages.with_outputs(text, programs, folder)
            if written != text:
                file.write_text(written)
                print(f"wrote {file.relative_to(pages.SOURCES)}")
        if "--no-pictures" in sys.argv:
            return 0
        environment = os.environ | {"HOME": name, "XDG_DATA_HOME": name, "XDG_CONFIG_HOME": name}
        display = [] if os.environ.get("DISPLAY") else ["xvfb-run", "-a", "-s", "-screen 0 1920x1080x24"]
        for page, options, picture in PICTURES:
            target = pages.MANUAL / "pictures" / f"{picture}.png"
            subprocess.run([*display, programs / "apertune-gui", "--store", folder / "sample.apertune", "--page", page,
                            "--theme", "dark", "--size", SIZE, "--safe-mode", "--screenshot", target, *options],
                           env=environment, check=True, timeout=300)
            make_smaller(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
