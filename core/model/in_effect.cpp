// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/in_effect.h"

namespace apertune::model {

InEffect inEffect(const Trial& trial)
{
    InEffect result{trial.config, {}};
    for (const Applied& applied : trial.measurement.applied) {
        const auto asked = result.config.switches.find(applied.name);
        if (asked == result.config.switches.end()) // Applied::kPrecision and kCalibration are no switches.
            continue;
        if (applied.state == AppliedState::on) {
            asked->second = true;
        } else if (applied.state == AppliedState::requestedNotInEffect && asked->second) {
            asked->second = false;
            result.leftOut.push_back({applied.name, applied.evidence});
        }
    }
    return result;
}

} // namespace apertune::model
