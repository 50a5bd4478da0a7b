# SPDX-License-Identifier: GPL-3.0-or-later
"""What the scripts of this folder and their test share: the pages, their links and headings, and their outputs.

An output stands between two comments, and is what the command prints over the sample workspace:

    <!-- output: apertune show last | tail 2 -->
    <!-- end of output -->

`| head N` and `| tail N` leave lines out, `| cut N` cuts long ones, `| wrap N` breaks them."""

import pathlib
import re
import shlex
import subprocess
import textwrap

MANUAL = pathlib.Path(__file__).resolve().parent
SOURCES = MANUAL.parents[1]
SAMPLE = SOURCES / "resources" / "sample"
# Documents of other folders that the manual links to and that are installed with it (resources/CMakeLists.txt).
OTHERS = [SOURCES / name for name in (
    "core/glossary.md", "core/advice/rules.md", "core/models/trust.md", "core/report/schema.md",
    "core/sandbox/sandbox.md", "core/store/schema.md", "core/trace/chunk_format.md", "core/worker/protocol.md",
    "plugins/export.md", "resources/exporter/FORMAT.md")]

_OUTPUT = re.compile(r"(<!-- (output|transcript): (.+?) -->\n)(.*?)(<!-- end of \2 -->\n)", re.S)
_BLOCK = re.compile(r"^```.*?^```\n", re.S | re.M)
_CODE = re.compile(r"`[^`]*`")
_LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")


def files() -> list[pathlib.Path]:
    return sorted(MANUAL.rglob("*.md"))


def files_with_outputs() -> list[pathlib.Path]:
    return [SOURCES / "README.md", *files()]


def anchor(heading: str) -> str:
    """The anchor that GitHub, the window and the site give to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.replace("`", "").strip().lower()).replace(" ", "-")


def headings(text: str) -> list[str]:
    return [match[1] for match in re.finditer(r"^#{1,6} +(.+?)\s*$", _BLOCK.sub("", text), re.M)]


def section(text: str, name: str) -> str:
    """The part of a page from the heading with this anchor to the next heading."""
    parts = re.split(r"^(?=#{1,6} )", text, flags=re.M)
    return next(part for part in parts if [anchor(heading) for heading in headings(part)] == [name])


def links(text: str) -> list[str]:
    """The targets of links and pictures outside of code."""
    return _LINK.findall(_CODE.sub("", _BLOCK.sub("", text)))


def broken_links(file: pathlib.Path) -> list[str]:
    """The links of a document to files or headings that do not exist. Links to the network are not followed."""
    broken = []
    for link in links(file.read_text()):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, fragment = link.partition("#")
        target = (file.parent / path).resolve() if path else file
        if not target.exists():
            broken.append(link)
        elif fragment and fragment not in map(anchor, headings(target.read_text())):
            broken.append(link)
    return broken


def _shortened(text: str, filters: list[str]) -> str:
    lines = text.strip("\n").split("\n")
    for word in filters:
        name, count = word.split()
        if name == "head" and len(lines) > int(count):
            lines = lines[:int(count)] + ["…"]
        elif name == "tail":
            lines = lines[-int(count):]
        elif name == "cut":
            lines = [line if len(line) <= int(count) else line[:int(count)].rstrip() + " …" for line in lines]
        elif name == "wrap":
            lines = [part for line in lines for part in textwrap.wrap(line, int(count)) or [""]]
    return "\n".join(line.rstrip() for line in lines)


def output_of(call: str, programs: pathlib.Path, folder: pathlib.Path) -> str:
    """What a command prints over `folder`/sample.apertune. Nothing of the user's own is read."""
    command, *filters = (part.strip() for part in call.split("|"))
    words = shlex.split(command)
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    run = subprocess.run([programs / words[0], *words[1:], "--store", "sample.apertune"], cwd=folder, env=environment,
                         stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    if run.returncode not in (0, 3):
        raise RuntimeError(f"{command}: exit code {run.returncode}: {run.stderr.strip()}")
    return f"```text\n$ {command}\n{_shortened(run.stdout, filters)}\n```\n"


def transcript_of(call: str) -> str:
    """What a long run printed when the sample was made."""
    name, *filters = (part.strip() for part in call.split("|"))
    return f"```text\n{_shortened((SAMPLE / name).read_text(), filters)}\n```\n"


def with_outputs(text: str, programs: pathlib.Path, folder: pathlib.Path) -> str:
    """The page with what its commands print now."""
    def block(match):
        made = output_of(match[3], programs, folder) if match[2] == "output" else transcript_of(match[3])
        return match[1] + made + match[5]
    return _OUTPUT.sub(block, text)


def count_outputs(text: str) -> int:
    return len(_OUTPUT.findall(text))
