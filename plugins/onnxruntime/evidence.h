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

/// How often each operator runs in a pass.
using Census = std::map<std::string, std::int64_t>;

/// What one pass did, seen from outside.
struct PassSeen
{
    Census operators;
    std::set<std::string> providers;
    std::size_t threads = 0; ///< that operators ran on

    // Convolutions and matrix products, by name.
    std::vector<std::string> int8Layers;
    std::vector<std::string> floatLayers;
    Census int8Kernels; ///< "QLinearConv": 53
};
PassSeen passSeen(const Profile& onePass);

/// What is known when a session reports.
struct Evidence
{
    std::optional<PassSeen> pass; ///< nothing: `passMissing` says why
    std::string passMissing;
    std::vector<Census> levels; ///< of passes at each graph level from none to the session's own; may be empty
    std::optional<ArenaFigures> arena;
    std::optional<std::int64_t> allocations;          ///< in a pass
    std::optional<std::int64_t> allocationsOtherwise; ///< in a pass with no_memory_pattern the other way round
    std::string spinning;                             ///< the option as the engine has it
};

/// Whether a quantized model runs in int8 kernels: below graph_extended the engine computes it in float.
void reportInt8(const Evidence& evidence, plugins::Report& into);

/// Says of each switch whether it is in effect and how that is known. A graph level is in effect when it changes what a
/// pass runs: on a graph that offers it nothing it is not.
void report(const Request& request, const Evidence& evidence, plugins::Report& into);

} // namespace apertune::ort
