// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/onnxruntime/export/onnxruntime_api.h"
#include "plugins/support/request.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::ort {

struct Library;

using plugins::Precision;

/// What open() is asked for, checked for sense and against the engine, but not against the model.
/// Its switches are every known one: the level's, then what was asked for; its package is the ONNX file, without one
/// that of the artifact.
struct Request : plugins::OpenRequest
{
    GraphLevel graphLevel() const;
};

/// The switches of this backend. ONNX Runtime's graph levels are graph_basic, graph_extended and graph_all; each
/// contains those before it, so the highest that is on counts. no_spinning, no_arena, no_memory_pattern, io_binding and
/// parallel_execution are its session options where they differ from what it does by itself; cudnn_benchmark, tf32
/// (with the precision tf32) and tensorrt exist where the build has CUDA and TensorRT. What a level stands for: O0 no
/// graph level, O1 graph_basic, O2 graph_extended, O3 graph_all, and nothing else.
std::vector<std::string> knownSwitches(const Library& engine);

/// One line on each.
std::map<std::string, std::string> summaries();

/// Those of them that are on at a level.
bool levelHas(std::string_view level, std::string_view name);

/// The precisions that this build computes in on this machine. On a CPU that is fp32, on 64-bit ARM with bf16
/// instructions also bf16 in matrix products; tf32 with CUDA, bf16 and fp16 with TensorRT.
std::vector<std::string> knownPrecisions(const Library& engine);

/// Whether the CPU provider rounds matrix products to bf16 when asked to: an ARM processor that has the instructions.
bool cpuHasBf16();

/// Reads a request (see apertune_plugin.h). Throws Fault: BAD_INPUT when it is malformed, UNSUPPORTED when it names
/// what this build of ONNX Runtime does not have or combines what cannot be combined.
Request parseRequest(const char* json, const Library& engine);

} // namespace apertune::ort
