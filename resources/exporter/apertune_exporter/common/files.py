# SPDX-License-Identifier: GPL-3.0-or-later
"""Files and folders that appear whole or not at all.

Work is done in `<target>.partial-<pid>`, which is renamed when complete. A killed process leaves its partial behind;
the next process that writes the same target removes it.
"""

import contextlib
import hashlib
import json
import os
import re
import shutil

from .processes import end_descendants
from .protocol import Cancelled, ExportError, begin_unwinding

_PARTIAL = re.compile(r"\.partial-(\d+)(?:\.old)?$")


def sha256_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def require_within(folder, path):
    """Return the path, with all symbolic links followed. Refuse a file outside of its model's folder, because it could
    put any file of the user into the artifact, and later into exports."""
    root, target = os.path.realpath(folder or "."), os.path.realpath(path)
    if os.path.commonpath([root, target]) != root:
        raise ExportError(
            "bad_source",
            f"The file {path} is outside of its model's folder: it leads to {target}.",
            "Replace the link by a copy of the file.",
        )
    return path


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(value, stream, indent=1)
        stream.write("\n")


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)


def _is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def remove_stale_partials(folder, name):
    """Remove the partials of `name` in `folder` that killed exporters left behind."""
    for entry in os.listdir(folder):
        found = _PARTIAL.search(entry)
        if entry.startswith(name + ".partial-") and found and not _is_running(int(found.group(1))):
            remove(os.path.join(folder, entry))


def _stop_work(failure):
    """End the processes that still write into a partial, before the partial is removed."""
    begin_unwinding()
    if isinstance(failure, Cancelled):
        end_descendants()


@contextlib.contextmanager
def partial_folder(target):
    """Yield a new folder that takes the place of `target` when the block ends without an exception.

    An existing artifact is replaced. Anything else with that name is an error."""
    target = os.path.abspath(target)
    parent, name = os.path.split(target)
    if os.path.lexists(target) and not _is_replaceable(target):
        raise ExportError(
            "io",
            f"{target} exists and is not a model artifact.",
            "Choose another --out, or move that file or folder away.",
        )
    partial = f"{target}.partial-{os.getpid()}"
    try:
        os.makedirs(parent, exist_ok=True)
        remove_stale_partials(parent, name)
        os.mkdir(partial)
        yield partial
        replaced = None
        if os.path.lexists(target):
            replaced = f"{target}.partial-{os.getpid()}.old"
            os.rename(target, replaced)
        os.rename(partial, target)
        if replaced:
            remove(replaced)
    except BaseException as failure:
        _stop_work(failure)
        raise
    finally:
        remove(partial)


def _is_replaceable(target):
    if not os.path.isdir(target) or os.path.islink(target):
        return False
    entries = os.listdir(target)
    return not entries or "manifest.json" in entries or "format.json" in entries


@contextlib.contextmanager
def partial_file(target):
    """Yield a path with the same file name, which is renamed to `target` when the block ends without an exception.

    It lies in a folder of its own, because packages contain the name under which they were written."""
    target = os.path.abspath(target)
    parent, name = os.path.split(target)
    folder = f"{target}.partial-{os.getpid()}"
    try:
        os.makedirs(parent, exist_ok=True)
        remove_stale_partials(parent, name)
        os.mkdir(folder)
        partial = os.path.join(folder, name)
        yield partial
        os.replace(partial, target)
    except BaseException as failure:
        _stop_work(failure)
        raise
    finally:
        remove(folder)
