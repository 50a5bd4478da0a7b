// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/switch_conflict.h"

namespace apertune::model {

base::Message switchConflict(const SwitchMap& switches)
{
    const auto on = [&](const std::string& name) {
        const auto found = switches.find(name);
        return found != switches.end() && found->second;
    };
    if (on("onednn_graph") && on("optimize_for_inference"))
        return base::message<reasons::kGraphOrOptimize>();
    for (const char* name : {"jit_optimize", "optimize_for_inference", "onednn_graph"})
        if (on("aoti") && on(name))
            return base::message<reasons::kReplacedByAoti>(name);
    if (on("sdpa_math") + on("sdpa_flash") + on("sdpa_efficient") > 1)
        return base::message<reasons::kOneAttention>();
    if (on("onednn_graph") && !on("jit_optimize"))
        return base::message<reasons::kGraphNeedsJit>();
    for (const SwitchInfo& info : switchCatalogue())
        if (!info.needs.empty() && on(info.name) && !on(info.needs))
            return base::message<reasons::kNeedsSwitch>(info.name, info.needs);
    return {};
}

} // namespace apertune::model
