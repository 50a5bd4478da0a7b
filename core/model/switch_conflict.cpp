// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/switch_conflict.h"

namespace apertune::model {

std::string switchConflict(const SwitchMap& switches)
{
    const auto on = [&](const char* name) {
        const auto found = switches.find(name);
        return found != switches.end() && found->second;
    };
    if (on("onednn_graph") && on("optimize_for_inference"))
        return "onednn_graph and optimize_for_inference are alternatives: each replaces the operators that the other "
               "looks for.";
    for (const char* name : {"jit_optimize", "optimize_for_inference", "onednn_graph"})
        if (on("aoti") && on(name))
            return std::string(name) + " works on the TorchScript graph, which aoti replaces by a compiled package.";
    if (on("sdpa_math") + on("sdpa_flash") + on("sdpa_efficient") > 1)
        return "sdpa_math, sdpa_flash and sdpa_efficient are alternatives.";
    if (on("onednn_graph") && !on("jit_optimize"))
        return "onednn_graph fuses in the profiling executor and needs jit_optimize.";
    if (on("max_autotune") && !on("aoti"))
        return "max_autotune is a way to compile and needs aoti.";
    if (on("aoti_dynamic_batch") && !on("aoti"))
        return "aoti_dynamic_batch is a way to compile and needs aoti.";
    return {};
}

} // namespace apertune::model
