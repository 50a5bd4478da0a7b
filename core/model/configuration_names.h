// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"

#include <string>
#include <vector>

namespace apertune::model {

/// The one text of each configuration of a study: shortName() with the threads where the trials of a device differ in
/// them, and nowhere else, and with the switches that differ from what the study's trials of that level share. Tables,
/// documents, sentences and progress all use it. A value.
class ConfigurationNames
{
public:
    ConfigurationNames() = default; ///< belongs to no study: no threads
    explicit ConfigurationNames(const std::vector<Trial>& trials);

    std::string of(const Trial& trial) const { return of(trial, typeOfDevice(trial.device)); }
    std::string of(const Trial& trial, DeviceType device) const;

private:
    CommonSwitches m_common;
    bool m_withThreads = false;
};

} // namespace apertune::model
