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

/// A request of open(). It was checked against the engine, but not against the model. Its switches are all known ones:
/// those of the level, overridden by the explicit ones. Its package is the ONNX file, by default that of the artifact.
struct Request : plugins::OpenRequest
{
    GraphLevel graphLevel() const;
    /// Whether idle threads spin. They sleep with the switch no_spinning, and where OMP_WAIT_POLICY says "passive":
    /// ONNX Runtime does not read that variable, but whoever sets it wants no thread to spin.
    bool spins() const;
};

/// The switches of this backend:
///
/// * graph_basic, graph_extended, graph_all: ONNX Runtime's graph levels. Each contains those before it, so the highest
///   one that is on counts.
/// * no_spinning, no_arena, no_memory_pattern, io_binding, parallel_execution: session options that differ from ONNX
///   Runtime's defaults.
/// * cudnn_benchmark, tf32 (with the precision tf32), tensorrt: exist where the build has CUDA and TensorRT.
///
/// O0 turns on no graph level, O1 graph_basic, O2 graph_extended, O3 graph_all. A level turns on nothing else.
std::vector<std::string> knownSwitches(const Library& engine);

/// Returns one line about each switch.
std::map<std::string, std::string> summaries();

/// Returns whether a level turns on a switch.
bool levelHas(std::string_view level, std::string_view name);

/// Returns the precisions in which this build computes on this machine. A CPU has fp32, and bf16 in matrix products if
/// it is a 64-bit ARM processor with bf16 instructions. CUDA adds tf32; TensorRT adds bf16 and fp16.
std::vector<std::string> knownPrecisions(const Library& engine);

/// Returns whether the CPU provider can round matrix products to bf16, which needs an ARM processor with bf16
/// instructions.
bool cpuHasBf16();

/// Reads a request (see apertune_plugin.h). Throws Fault BAD_INPUT when it is malformed, UNSUPPORTED when it names
/// something that this build of ONNX Runtime does not have or a combination that is not possible.
Request parseRequest(const char* json, const Library& engine);

} // namespace apertune::ort
