// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/base/units.h"
#include "core/model/config.h"
#include "core/model/search_space.h"

#include <map>
#include <string>
#include <vector>

namespace apertune::search {

/// Capabilities that one backend reported.
struct BackendInfo
{
    std::string name;
    std::vector<std::string> switches;
    std::vector<std::string> precisions; ///< precisions that it has on at least one device
    std::vector<std::string> deviceIds;  ///< devices that it can open
    bool canCompile = false;             ///< AOTInductor can run here: there is a Python environment and g++
    base::Message cannotCompileReason;
    std::string version{};            ///< "2.11.0"
    std::vector<std::string> notes{}; ///< remarks about this machine, for example "CUDA is unavailable: no driver"
    /// The backend's own levels, each with all its switches. When empty, the levels are those of model::expandLevel().
    std::map<model::OptLevel, model::SwitchMap> levels{};
    std::map<std::string, std::string> summaries{};                 ///< help text by switch, for the backend's own
    std::map<std::string, std::vector<std::string>> precisionsOn{}; ///< precisions by device, where it reports them
    std::vector<std::string> formats{};  ///< formats of model files that it opens, best first; empty when unknown
    base::Message cannotConvertReason{}; ///< why no model can be converted to its formats; empty when one can
    bool forTests = false;               ///< scripted backend: it runs only when a user names it
    base::Bytes resident{}; ///< resident memory of its worker on the CPU without a model; 0 when it was not probed

    /// The precisions of one device; those of the whole backend where it reports none by device.
    const std::vector<std::string>& precisionsFor(const std::string& device) const
    {
        const auto own = precisionsOn.find(device);
        return own == precisionsOn.end() ? precisions : own->second;
    }
};

} // namespace apertune::search
