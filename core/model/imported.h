// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"

#include <string_view>

namespace apertune::model {

/// Whether another tool measured the study, so that its model is not here.
inline bool isImported(const Study& study)
{
    return study.purpose == StudyPurpose::imported;
}

// Names in Environment::settings of an imported study.
inline constexpr std::string_view kImportedFrom = "imported from"; ///< name of the file
inline constexpr std::string_view kStandIns =
    "stand-ins"; ///< "O0 and fp32": they stand for what the file does not state
inline constexpr std::string_view kPlatform = "platform";        ///< the platform of a measuring kit: "rocm"
inline constexpr std::string_view kModelSource = "model source"; ///< "torchvision:resnet50", from a measuring kit
inline constexpr std::string_view kStandInFor = "in place of"; ///< title of the platform that a processor stood in for

/// Returns a setting of the environment; empty when there is none.
inline std::string_view settingOf(const Environment& environment, std::string_view name)
{
    for (const auto& [known, value] : environment.settings)
        if (known == name)
            return value;
    return {};
}

/// Name of an Applied of an imported trial that says which values of the file contradict each other or could not be
/// read.
inline constexpr std::string_view kRemark = "remark";

/// Whether an imported measurement has such a remark.
inline bool isDoubtful(const Measurement& measurement)
{
    for (const Applied& fact : measurement.applied)
        if (fact.name == kRemark)
            return true;
    return false;
}

} // namespace apertune::model
