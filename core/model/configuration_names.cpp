// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/configuration_names.h"

#include <set>

namespace apertune::model {

ConfigurationNames::ConfigurationNames(const std::vector<Trial>& trials)
{
    StudySnapshot plain; // without measurements, which may be large
    std::set<std::string> devices;
    std::set<std::pair<std::string, int>> threads;
    for (const Trial& trial : trials) {
        Trial& copy = plain.trials.emplace_back();
        copy.device = trial.device;
        copy.config = trial.config;
        devices.insert(trial.device);
        threads.emplace(trial.device, trial.config.threads);
    }
    m_common = CommonSwitches(plain);
    m_withThreads = threads.size() > devices.size();
}

std::string ConfigurationNames::of(const Trial& trial, DeviceType device) const
{
    return shortName(trial.config, device, m_withThreads, m_common.of(trial));
}

} // namespace apertune::model
