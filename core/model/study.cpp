// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/study.h"

namespace apertune::model {

std::string_view toString(StudyState state)
{
    switch (state) {
    case StudyState::running:
        return "running";
    case StudyState::finished:
        return "finished";
    case StudyState::interrupted:
        return "interrupted";
    }
    return "interrupted";
}

const Trial* StudySnapshot::find(TrialId id) const
{
    for (const Trial& trial : trials)
        if (trial.id == id)
            return &trial;
    return nullptr;
}

const Device* StudySnapshot::device(const std::string& id) const
{
    for (const Device& device : study.environment.devices)
        if (device.id == id)
            return &device;
    return nullptr;
}

} // namespace apertune::model
