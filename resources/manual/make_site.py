#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the manual one HTML site, with python3-markdown: `make manual`.

    make_site.py OUT

Pages keep their places below OUT, and OUT/index.html leads to the first one. The site needs no network and no script;
its colours follow the reader's preference for dark or light."""

import html
import pathlib
import re
import shutil
import sys

import markdown
from markdown.extensions.toc import TocExtension

import pages

# The groups of the contents beside each page. A page stands where the first group that has it links to it.
GROUPS = [
    ("Begin", ["index.md", "install.md", "first-run.md"]),
    ("The window", "window/index.md"),
    ("Tasks", "index.md#tasks"),
    ("Subjects", "index.md#subjects"),
    ("Reference", "index.md#reference"),
]
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} – Apertune</title>
<link rel="stylesheet" href="{root}manual.css">
</head>
<body>
<nav aria-label="Contents">
{contents}
</nav>
<main>
{body}
</main>
</body>
</html>
"""


def title_of(file: pathlib.Path) -> str:
    return pages.headings(file.read_text())[0]


def place_of(file: pathlib.Path) -> pathlib.PurePath:
    """The place of a page in the site: those of the manual at its top, other documents as in the sources."""
    root = pages.MANUAL if file.is_relative_to(pages.MANUAL) else pages.SOURCES
    return file.relative_to(root).with_suffix(".html")


def relative(target: pathlib.PurePath, place: pathlib.PurePath) -> str:
    return "../" * (len(place.parts) - 1) + target.as_posix()


def contents() -> list[tuple[str, list[pathlib.Path]]]:
    """The groups with their pages, in the order in which the manual links to them."""
    groups, placed = [], set()
    for title, source in GROUPS:
        if isinstance(source, list):
            found = [pages.MANUAL / name for name in source]
        else:
            name, _, section = source.partition("#")
            file = pages.MANUAL / name
            text = pages.section(file.read_text(), section) if section else file.read_text()
            links = [(file.parent / link.partition("#")[0]).resolve() for link in pages.links(text)]
            found = ([] if section else [file]) + [link for link in links if link in pages.files()]
        found = [page for page in dict.fromkeys(found) if page not in placed]
        placed.update(found)
        groups.append((title, found))
    return groups


def contents_of(place: pathlib.PurePath) -> str:
    lines = []
    for group, files in contents():
        lines.append(f"<h2>{html.escape(group)}</h2>\n<ul>")
        for file in files:
            current = ' aria-current="page"' if place_of(file) == place else ""
            lines.append(f'<li><a href="{relative(place_of(file), place)}"{current}>{html.escape(title_of(file))}</a></li>')
        lines.append("</ul>")
    return "\n".join(lines)


def rendered(file: pathlib.Path, known: set[pathlib.Path]) -> str:
    place = place_of(file)
    converter = markdown.Markdown(extensions=["fenced_code", "tables", "sane_lists",
                                              TocExtension(slugify=lambda value, _: pages.anchor(value))])
    # Pages are written as GitHub reads them, where a list needs no empty line before it.
    text = re.sub(r"(?m)^(?![*\d|>#\s])(.+)\n(?=\* |1\. )", r"\1\n\n", file.read_text())
    body = converter.convert(text)

    def link(match):
        path, _, fragment = match[1].partition("#")
        target = (file.parent / path).resolve()
        if not path or re.match(r"[a-z]+:", path) or target not in known:
            return match[0]
        return f'href="{relative(place_of(target), place)}{"#" + fragment if fragment else ""}"'
    body = re.sub(r'href="([^"]*)"', link, body)
    body = re.sub(r"<table>.*?</table>", r'<div class="wide" tabindex="0">\g<0></div>', body, flags=re.S)
    return PAGE.format(title=html.escape(title_of(file)), root=relative(pathlib.PurePath(), place).removesuffix("."),
                       contents=contents_of(place), body=body)


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[1])
    known = {*pages.files(), *pages.OTHERS}
    missing = set(pages.files()) - {file for _, files in contents() for file in files}
    if missing:
        sys.exit("no group of the contents links to " + ", ".join(sorted(str(file.relative_to(pages.MANUAL)) for file in missing)))
    shutil.rmtree(out, ignore_errors=True)
    for file in sorted(known):
        target = out / place_of(file)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(rendered(file, known))
    shutil.copytree(pages.MANUAL / "pictures", out / "pictures")
    shutil.copy(pages.MANUAL / "manual.css", out)
    print(f"{out / 'index.html'}: {len(known)} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
