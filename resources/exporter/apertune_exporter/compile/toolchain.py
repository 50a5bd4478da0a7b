# SPDX-License-Identifier: GPL-3.0-or-later
"""The C++ compiler and the CUDA that AOTInductor uses, and what this machine lacks for them."""

import os
import re
import shlex
import shutil
import site
import subprocess

from ..common.protocol import ExportError

NEEDED_TOOLS = (
    "Install what is missing, then sweep again: g++ and, on a GPU, gcc and Python's headers (python3-dev). CUDA's headers "
    "come with the CUDA build of torch; without it, CUDA_HOME names a CUDA 13 toolkit."
)
# Messages of Inductor, Triton, g++ and the linker when something is not installed.
_LACKS_A_TOOL = re.compile(
    r"CUDA_HOME environment variable is not set"
    r"|fatal error: \S+: No such file or directory"
    r"|cannot find -l\S+"
    r"|libcuda\.so cannot found"
    r"|Failed to find C compiler"
    r"|No working C\+\+ compiler"
    r"|No such file or directory: '(?:\S*/)?(?:g\+\+|gcc|cc|c\+\+|clang|clang\+\+|nvcc|ptxas|ld|as)'"
)
_SHARED = "libstdc++.so.6"
# Headers that Inductor's generated code includes; not every copy of CUDA's headers has all of it.
_CUDA_HEADERS = ("cuda.h", "cuda_runtime_api.h", "crt/host_defines.h", "nv/target")
_CUDA_WHEELS = ("nvidia/cu13/include", "triton/backends/nvidia/include")
_PROGRAM = "#include <locale>\nstd::string name() { return std::locale().name(); }\n"


def lacks_a_tool(text):
    """Whether a compiler failed because this machine lacks a program, header or library, and not because of the model."""
    return _LACKS_A_TOOL.search(text) is not None


def compiler_with_shared_runtime(folder):
    """A C++ compiler whose shared objects use the libstdc++ of this process; None: the default one does.

    A compiler that was copied to another place finds only its static libstdc++. Packages that it links crash as soon as
    they use a locale, because two copies of libstdc++ number its parts differently. Such a compiler gets a wrapper in
    `folder` that leads it to the shared library."""
    compiler = os.environ.get("CXX") or "g++"
    if _links_shared(compiler, folder):
        return None
    shared = _loaded(_SHARED)
    if shared:
        os.symlink(shared, os.path.join(folder, "libstdc++.so"))
        # Inductor tells compilers apart by their names.
        wrapper = os.path.join(folder, os.path.basename(shlex.split(compiler)[0]))
        with open(wrapper, "w", encoding="utf-8") as script:
            script.write(f'#!/bin/sh\nexec {compiler} -L{shlex.quote(folder)} "$@"\n')
        os.chmod(wrapper, 0o755)
        if _links_shared(wrapper, folder):
            return wrapper
    raise ExportError(
        "toolchain",
        f"The C++ compiler {compiler} puts its own copy of libstdc++ into what it links, and such a package crashes.",
        "Name another compiler in CXX, or install the g++ of this system.",
    )


def _links_shared(compiler, folder):
    """Whether a shared object of the compiler needs libstdc++.so.6. True where it cannot link: that fails later with
    its own message."""
    made = os.path.join(folder, "runtime.so")
    command = [*shlex.split(compiler), "-x", "c++", "-", "-shared", "-fPIC", "-o", made]
    if shutil.which(command[0]) is None:
        return True
    linked = subprocess.run(command, input=_PROGRAM, text=True, capture_output=True, check=False)
    if linked.returncode != 0:
        return True
    with open(made, "rb") as stream:
        needed = _SHARED.encode() in stream.read()
    os.remove(made)
    return needed


def lead_to_cuda(folder):
    """Shows Inductor and Triton the driver of this process, wherever it lies, and the headers of the wheels where no CUDA
    toolkit is installed. What is not there either is missed by the compiler, which names it."""
    from torch.utils import cpp_extension  # it remarks on machines without a GPU

    home = os.path.join(folder, "cuda")
    libraries = os.path.join(home, "lib64")
    os.makedirs(libraries)
    driver = _loaded("libcuda.so")
    if driver:
        for name in ("libcuda.so", "libcuda.so.1"):  # for the linker and for Triton
            os.symlink(driver, os.path.join(libraries, name))
        os.environ.setdefault("TRITON_LIBCUDA_PATH", libraries)
    if cpp_extension.CUDA_HOME and _has_cuda(os.path.join(cpp_extension.CUDA_HOME, "include")):
        return
    wheels = (os.path.join(packages, wheel) for packages in site.getsitepackages() for wheel in _CUDA_WHEELS)
    headers = next(filter(_has_cuda, wheels), None)
    if headers:
        os.symlink(headers, os.path.join(home, "include"))
        os.environ["CUDA_HOME"] = cpp_extension.CUDA_HOME = home


def _has_cuda(headers):
    return all(os.path.exists(os.path.join(headers, header)) for header in _CUDA_HEADERS)


def _loaded(library):
    """The file of a library that this process has loaded."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        found = re.search(rf"(/.*/{re.escape(library)}\S*)$", maps.read(), re.MULTILINE)
    return found and found[1]
