// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::study::errors {

using base::MessageKind;

// Messages: each states the failure and its cause.
inline constexpr MessageKind kFilesGone{"study.files_gone", {"model"}};
inline constexpr MessageKind kDeviceNotHere{"study.device_not_here", {"device"}};
inline constexpr MessageKind kAgainCancelled{"study.again_cancelled"};
inline constexpr MessageKind kStaysBusy{"study.stays_busy", {"waited"}};
inline constexpr MessageKind kNoEnergy{"study.no_energy", {"device", "reason"}};
inline constexpr MessageKind kRaceForEnergy{"study.race_for_energy"};
inline constexpr MessageKind kTakesNoImages{"study.takes_no_images", {"model"}};

// Hints: each states the remedy.
inline constexpr MessageKind kImportAndStart{"study.import_and_start"};
inline constexpr MessageKind kRunWhereMeasured{"study.run_where_measured"};
inline constexpr MessageKind kMeasureAgain{"study.measure_again"};
inline constexpr MessageKind kGiveMoreBudget{"study.give_more_budget"};
inline constexpr MessageKind kResumeLater{"study.resume_later"};
inline constexpr MessageKind kOtherGoal{"study.other_goal"};
inline constexpr MessageKind kMeasureAll{"study.measure_all"};
inline constexpr MessageKind kLeaveOutImageSizes{"study.leave_out_image_sizes"};

inline constexpr std::array kAll{kFilesGone,        kDeviceNotHere, kAgainCancelled,    kStaysBusy,
                                 kNoEnergy,         kRaceForEnergy, kTakesNoImages,     kImportAndStart,
                                 kRunWhereMeasured, kMeasureAgain,  kGiveMoreBudget,    kResumeLater,
                                 kOtherGoal,        kMeasureAll,    kLeaveOutImageSizes};

} // namespace apertune::study::errors
