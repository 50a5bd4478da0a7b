// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/track_record.h"

#include <algorithm>
#include <string>
#include <vector>

namespace apertune::runs {

model::Circumstances circumstancesOf(const model::Study& study, const model::Trial& trial)
{
    const std::vector<model::Device>& devices = study.environment.devices;
    const auto device = std::ranges::find(devices, trial.device, &model::Device::id);
    return {device == devices.end() ? std::string() : model::machineClass(*device), study.model.taskType,
            trial.config.backend};
}

std::shared_ptr<const advice::TrackRecord> trackRecord(const store::Store& store, const model::Circumstances& here)
{
    const auto kept = store.experiments();
    if (!kept || kept->empty())
        return nullptr;
    return std::make_shared<const advice::TrackRecord>(*kept, here);
}

} // namespace apertune::runs
