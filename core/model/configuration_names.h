// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"

#include <map>
#include <string>
#include <vector>

namespace apertune::model {

/// The one text of each configuration of a study: shortName() with the threads and switches that tell it from others.
///   - Threads are named unless most trials of the device have as many.
///   - Switches are named where they differ from what the study's trials of that level share.
/// Tables, documents, sentences and progress all use it. A value.
class ConfigurationNames
{
public:
    ConfigurationNames() = default; ///< belongs to no study: names no threads
    explicit ConfigurationNames(const std::vector<Trial>& trials);

    std::string of(const Trial& trial) const { return of(trial, typeOfDevice(trial.device)); }
    std::string of(const Trial& trial, DeviceType device) const;

private:
    CommonSwitches m_common;
    bool m_ofStudy = false;
    std::map<std::string, int> m_usualThreads; ///< for each device most of whose trials have as many
};

} // namespace apertune::model
