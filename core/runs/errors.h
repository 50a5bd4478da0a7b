// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::runs::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kCeilingsCancelled{"runs.ceilings_cancelled"};
inline constexpr MessageKind kCeilingsFailed{"runs.ceilings_failed", {"backend", "reason"}};
inline constexpr MessageKind kNoRate{"runs.no_rate", {"backend"}};
inline constexpr MessageKind kNoFileToEvaluate{"runs.no_file_to_evaluate", {"model"}};
inline constexpr MessageKind kUnreadableExporter{"runs.unreadable_exporter"};
inline constexpr MessageKind kUnreadableWorker{"runs.unreadable_worker", {"why"}};
inline constexpr MessageKind kNoData{"runs.no_data", {"path"}};
inline constexpr MessageKind kNoImages{"runs.no_images", {"path"}};
inline constexpr MessageKind kCannotEvaluateOnDevice{"runs.cannot_evaluate_on_device", {"device"}};
inline constexpr MessageKind kNotMadeInt8{"runs.not_made_int8"};
inline constexpr MessageKind kLayersOfPackage{"runs.layers_of_package"};
inline constexpr MessageKind kUnreadableFolder{"runs.unreadable_folder", {"folder"}};
inline constexpr MessageKind kNoJpeg{"runs.no_jpeg", {"folder"}};
inline constexpr MessageKind kTakesNoImage{"runs.takes_no_image", {"model"}};
inline constexpr MessageKind kNeverMeasured{"runs.never_measured"};
inline constexpr MessageKind kCountersNeedGpu{"runs.counters_need_gpu", {"device"}};
inline constexpr MessageKind kNoSwitchDoesThat{"runs.no_switch_does_that", {"knob"}};
inline constexpr MessageKind kRunsWithIt{"runs.runs_with_it", {"change"}};
inline constexpr MessageKind kNothingLeads{"runs.nothing_leads"};
inline constexpr MessageKind kSweepCancelled{"runs.sweep_cancelled"};

// Hints on what to do.
inline constexpr MessageKind kTryCeilingsAgain{"runs.try_ceilings_again"};
inline constexpr MessageKind kReportWithLog{"runs.report_with_log"};
inline constexpr MessageKind kSameVersion{"runs.same_version"};
inline constexpr MessageKind kNameFolderOrCoco{"runs.name_folder_or_coco"};
inline constexpr MessageKind kGiveFolderOrCoco{"runs.give_folder_or_coco"};
inline constexpr MessageKind kChooseCpuTrial{"runs.choose_cpu_trial"};
inline constexpr MessageKind kTuneInt8{"runs.tune_int8"};
inline constexpr MessageKind kTuneInt8ByEngine{"runs.tune_int8_by_engine"};
inline constexpr MessageKind kCheckName{"runs.check_name"};
inline constexpr MessageKind kNameJpegs{"runs.name_jpegs"};
inline constexpr MessageKind kUseImageModel{"runs.use_image_model"};
inline constexpr MessageKind kNameOkTrial{"runs.name_ok_trial"};
inline constexpr MessageKind kChooseGpuTrial{"runs.choose_gpu_trial"};
inline constexpr MessageKind kChangeAndCompare{"runs.change_and_compare", {"trial"}};
inline constexpr MessageKind kTryOtherFinding{"runs.try_other_finding"};
inline constexpr MessageKind kTuneLonger{"runs.tune_longer"};

inline constexpr std::array kAll{
    kCeilingsCancelled, kCeilingsFailed,   kNoRate,           kNoFileToEvaluate,       kUnreadableExporter,
    kUnreadableWorker,  kNoData,           kNoImages,         kCannotEvaluateOnDevice, kNotMadeInt8,
    kLayersOfPackage,   kUnreadableFolder, kNoJpeg,           kTakesNoImage,           kNeverMeasured,
    kCountersNeedGpu,   kNoSwitchDoesThat, kRunsWithIt,       kTryCeilingsAgain,       kReportWithLog,
    kSameVersion,       kNameFolderOrCoco, kGiveFolderOrCoco, kChooseCpuTrial,         kTuneInt8,
    kTuneInt8ByEngine,  kCheckName,        kNameJpegs,        kUseImageModel,          kNameOkTrial,
    kChooseGpuTrial,    kChangeAndCompare, kTryOtherFinding,  kNothingLeads,           kTuneLonger,
    kSweepCancelled};

} // namespace apertune::runs::errors
