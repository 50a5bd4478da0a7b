// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/switch_conflict.h"

#include "core/model/switch_reasons.h"

#include <string>

namespace apertune::model {

base::Message switchConflict(const SwitchMap& switches)
{
    const auto on = [&](const std::string& name) {
        const auto found = switches.find(name);
        return found != switches.end() && found->second;
    };
    for (const SwitchInfo& info : switchCatalogue())
        for (const SwitchRelation& excluded : info.excludes)
            if (on(info.name) && on(excluded.other))
                return excluded.reason.empty() ? base::message<reasons::kExcludes>(info.name, excluded.other)
                                               : excluded.reason;
    for (const SwitchInfo& info : switchCatalogue())
        if (const SwitchRelation& needs = info.needs; !needs.other.empty() && on(info.name) && !on(needs.other))
            return needs.reason.empty() ? base::message<reasons::kNeedsSwitch>(info.name, needs.other) : needs.reason;
    return {};
}

} // namespace apertune::model
