#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a class for each of TensorRT's implementation interfaces that the fake stands in for, with every function of
the header that it is given there: whatever the fake does not override ends the process with its name. So the fake is
compiled against any 10.x headers, whose tables grow from version to version.

    make_stubs.py INCLUDE_FOLDER OUT.h
"""
import pathlib
import re
import sys

IMPLEMENTATIONS = ("VHostMemory", "VRuntime", "VOptimizationProfile", "VCudaEngine", "VExecutionContext",
                   "VEngineInspector", "VTensor", "VLayer", "VNetworkDefinition", "VTimingCache", "VBuilderConfig",
                   "VBuilder")


def without_comments(text):
    return re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))


def body_of(text, name):
    found = re.search(rf"\bclass {name}\b[^;{{]*\{{(.*?)\n\}};", text, flags=re.DOTALL)
    if not found:
        sys.exit(f"make_stubs.py: the header has no class {name}")
    return found.group(1)


def stub_of(text, name, base):
    functions = re.findall(r"\bvirtual\s+([^;{}]*?)\s*=\s*0\s*;", body_of(text, name), flags=re.DOTALL)
    if not functions:
        sys.exit(f"make_stubs.py: {name} has no functions")
    lines = [f"class {name}Stub : public {base}", "{", "public:"]
    for function in functions:
        flat = re.sub(r"\s+", " ", function)
        called = re.search(r"(\w+)\s*\(", flat).group(1)
        lines.append(f'    {flat} override {{ unexpectedCall("{name}::{called}"); }}')
    return "\n".join(lines + ["};", ""])


def main():
    include, out = map(pathlib.Path, sys.argv[1:])
    implementations = without_comments((include / "NvInferImpl.h").read_text(encoding="utf-8"))
    parser = without_comments((include / "NvOnnxParser.h").read_text(encoding="utf-8"))
    parts = ["#pragma once", "#pragma GCC system_header", "#include <NvInfer.h>", "#include <NvOnnxParser.h>", "",
             "[[noreturn]] void unexpectedCall(const char* function) noexcept;", "", "namespace nvinfer1 {", ""]
    parts += [stub_of(implementations, name, f"apiv::{name}") for name in IMPLEMENTATIONS]
    parts += ["} // namespace nvinfer1", "", "namespace nvonnxparser {", ""]
    parts += [stub_of(parser, name, name) for name in ("IParserError", "IParser")]
    parts += ["} // namespace nvonnxparser", ""]
    out.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
