// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/configuration_names.h"

#include <cstddef>
#include <map>

namespace apertune::model {

ConfigurationNames::ConfigurationNames(const std::vector<Trial>& trials)
{
    StudySnapshot plain;                                      // without measurements, which may be large
    std::map<std::string, std::map<int, std::size_t>> counts; // number of trials by device and threads
    for (const Trial& trial : trials) {
        Trial& copy = plain.trials.emplace_back();
        copy.device = trial.device;
        copy.config = trial.config;
        ++counts[trial.device][trial.config.threads];
    }
    m_ofStudy = true;
    m_common = CommonSwitches(plain);
    for (const auto& [device, byThreads] : counts) {
        std::size_t all = 0;
        for (const auto& [threads, count] : byThreads)
            all += count;
        for (const auto& [threads, count] : byThreads)
            if (2 * count > all)
                m_usualThreads[device] = threads;
    }
}

std::string ConfigurationNames::of(const Trial& trial, DeviceType device) const
{
    const auto usual = m_usualThreads.find(trial.device);
    const bool isUsual = usual != m_usualThreads.end() && usual->second == trial.config.threads;
    return shortName(trial.config, device, m_ofStudy && !isUsual, m_common.of(trial));
}

} // namespace apertune::model
