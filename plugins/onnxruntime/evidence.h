// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/onnxruntime/profile.h"
#include "plugins/support/report.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace apertune::ort {

/// The number of runs of each operator in a pass.
using Census = std::map<std::string, std::int64_t>;

/// Facts about one pass, taken from its profile.
struct PassSeen
{
    Census operators;
    std::set<std::string> providers;
    std::size_t threads = 0; ///< number of threads that ran operators

    // Convolutions and matrix products, by name.
    std::vector<std::string> int8Layers;
    std::vector<std::string> floatLayers;
    Census int8Kernels; ///< number of runs of each int8 operator: "QLinearConv": 53
};
PassSeen passSeen(const Profile& onePass);

/// The facts from which a session makes its report.
struct Evidence
{
    std::optional<PassSeen> pass; ///< none: `passMissing` has the reason
    std::string passMissing;
    std::vector<Census> levels; ///< one pass at each graph level, from none to the session's own; may be empty
    std::optional<ArenaFigures> arena;
    std::optional<std::int64_t> allocations;          ///< allocations of a pass
    std::optional<std::int64_t> allocationsOtherwise; ///< allocations of a pass with no_memory_pattern switched over
    std::string spinning;                             ///< value of the spinning option, read back from the engine
};

/// Reports whether a quantized model runs in int8 kernels. Below graph_extended the engine computes it in float.
void reportInt8(const Evidence& evidence, plugins::Report& into);

/// Reports for each switch whether it is in effect, with the evidence. A graph level is in effect when it changes the
/// operators that a pass runs. A graph that it cannot change leaves it without effect.
void report(const Request& request, const Evidence& evidence, plugins::Report& into);

} // namespace apertune::ort
