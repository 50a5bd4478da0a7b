# SPDX-License-Identifier: GPL-3.0-or-later
"""Files and folders that appear whole or not at all.

Work is done under `<target>.partial-<pid>` and renamed when complete. A process that is killed outright leaves
its partial behind; the next one that writes beside it removes it.
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
    """Refuse a file that lies outside of its model's folder when all symbolic links are followed: it would put any file
    of the user into the artifact, and later into what is exported. Returns the path."""
    root, target = os.path.realpath(folder or "."), os.path.realpath(path)
    if os.path.commonpath([root, target]) != root:
        raise ExportError(
            "bad_source",
            f"{path} lies outside the folder of its model: it leads to {target}.",
            "Put a copy of the file into the folder in place of the link.",
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
    """Remove what killed exporters left of `name` in `folder`."""
    for entry in os.listdir(folder):
        found = _PARTIAL.search(entry)
        if entry.startswith(name + ".partial-") and found and not _is_running(int(found.group(1))):
            remove(os.path.join(folder, entry))


def _stop_work(failure):
    """What still writes into a partial must end before the partial is removed."""
    begin_unwinding()
    if isinstance(failure, Cancelled):
        end_descendants()


@contextlib.contextmanager
def partial_folder(target):
    """A new folder that takes the place of `target` when the block ends without an exception.

    An artifact that is already there is replaced; anything else in the way is refused."""
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
    """A path of the same file name that is renamed to `target` when the block ends without an exception.

    It lies in a folder of its own: packages carry the name that they were written under."""
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
