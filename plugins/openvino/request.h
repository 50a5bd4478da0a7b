// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::openvino {

enum class Precision { fp32, bf16, fp16 };

/// What open() is asked for, checked for sense but not against the model.
struct Request
{
    std::filesystem::path artifact;
    std::filesystem::path model; ///< .xml or .onnx
    Precision precision = Precision::fp32;
    std::int64_t batch = 1;
    int threads = 0; ///< 0: OpenVINO's own choice
    std::map<std::string, bool, std::less<>> switches;
    std::uint32_t inputSets = 1;

    bool on(std::string_view name) const; ///< a switch that is not mentioned is off
};

struct Switch
{
    const char* name;
    const char* summary;
};

/// streams      a pass is cut into parts that run side by side, one stream each (throughput hint); otherwise all
///              threads work on the whole batch (latency hint)
/// cpu_pinning  threads stay on their cores
/// model_cache  the compiled model is kept on the disk, for the next load
const std::vector<Switch>& knownSwitches();

/// Reads a request (see apertune_plugin.h). Throws Fault: BAD_INPUT when it is malformed, UNSUPPORTED when it names
/// what this backend does not have.
Request parseRequest(const char* json);

} // namespace apertune::openvino
