// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::profilers::cupti::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kNotFound{"cupti.not_found"};
inline constexpr MessageKind kTwoCopies{"cupti.two_copies"};
inline constexpr MessageKind kLacksFunctions{"cupti.lacks_functions"};
inline constexpr MessageKind kLacksCounterFunctions{"cupti.lacks_counter_functions"};
inline constexpr MessageKind kOtherRecords{"cupti.other_records", {"version"}};
inline constexpr MessageKind kNoDriver{"cupti.no_driver"};
inline constexpr MessageKind kOldDriver{"cupti.old_driver", {"major", "minor"}};
inline constexpr MessageKind kDoesNotStart{"cupti.does_not_start"};
inline constexpr MessageKind kNotAllowed{"cupti.not_allowed"};
inline constexpr MessageKind kRefused{"cupti.refused", {"call"}};
inline constexpr MessageKind kKinetoAttached{"cupti.kineto_attached"};
inline constexpr MessageKind kRecordsAlready{"cupti.records_already"};
inline constexpr MessageKind kNothingRuns{"cupti.nothing_runs"};
inline constexpr MessageKind kNoCounterLibrary{"cupti.no_counter_library", {"library"}};
inline constexpr MessageKind kCountersBusy{"cupti.counters_busy"};
inline constexpr MessageKind kCountersFailed{"cupti.counters_failed"};
inline constexpr MessageKind kOtherToolAttached{"cupti.other_tool_attached"};
inline constexpr MessageKind kToolAttached{"cupti.tool_attached", {"tool"}};
inline constexpr MessageKind kAbsent{"cupti.absent"};
inline constexpr MessageKind kNoDriverForCounters{"cupti.no_driver_for_counters"};
inline constexpr MessageKind kHiddenByHypervisor{"cupti.hidden_by_hypervisor"};
inline constexpr MessageKind kConfidential{"cupti.confidential"};
inline constexpr MessageKind kNotThisConfiguration{"cupti.not_this_configuration"};
inline constexpr MessageKind kFailedSilently{"cupti.failed_silently"};
inline constexpr MessageKind kDriverSilent{"cupti.driver_silent", {"error"}};
inline constexpr MessageKind kTooOld{"cupti.too_old"};
inline constexpr MessageKind kNotSupported{"cupti.not_supported"};
inline constexpr MessageKind kNoneOfTheCounters{"cupti.none_of_the_counters", {"chip", "problem"}};

// Hints on what to do.
inline constexpr MessageKind kWhereFrom{"cupti.where_from"};
inline constexpr MessageKind kOneOnPath{"cupti.one_on_path"};
inline constexpr MessageKind kUseCuda13{"cupti.use_cuda13"};
inline constexpr MessageKind kInstallDriver{"cupti.install_driver"};
inline constexpr MessageKind kUpdateDriver{"cupti.update_driver"};
inline constexpr MessageKind kUnrestrict{"cupti.unrestrict"};
inline constexpr MessageKind kCheckFit{"cupti.check_fit"};
inline constexpr MessageKind kUnsetDaemon{"cupti.unset_daemon"};
inline constexpr MessageKind kEndOther{"cupti.end_other"};
inline constexpr MessageKind kStopFirst{"cupti.stop_first"};
inline constexpr MessageKind kCountWhenLoaded{"cupti.count_when_loaded"};
inline constexpr MessageKind kBesideCupti{"cupti.beside_cupti"};
inline constexpr MessageKind kStopOther{"cupti.stop_other"};
inline constexpr MessageKind kUseOtherBuild{"cupti.use_other_build"};
inline constexpr MessageKind kRunAsRoot{"cupti.run_as_root"};
inline constexpr MessageKind kEnableForGuest{"cupti.enable_for_guest"};
inline constexpr MessageKind kMeasureWithout{"cupti.measure_without"};
inline constexpr MessageKind kNeedsPlainGpu{"cupti.needs_plain_gpu"};

inline constexpr std::array kAll{kNotFound,
                                 kTwoCopies,
                                 kLacksFunctions,
                                 kLacksCounterFunctions,
                                 kOtherRecords,
                                 kNoDriver,
                                 kOldDriver,
                                 kDoesNotStart,
                                 kNotAllowed,
                                 kRefused,
                                 kKinetoAttached,
                                 kRecordsAlready,
                                 kNothingRuns,
                                 kNoCounterLibrary,
                                 kCountersBusy,
                                 kCountersFailed,
                                 kOtherToolAttached,
                                 kToolAttached,
                                 kAbsent,
                                 kNoDriverForCounters,
                                 kHiddenByHypervisor,
                                 kConfidential,
                                 kNotThisConfiguration,
                                 kFailedSilently,
                                 kDriverSilent,
                                 kTooOld,
                                 kNotSupported,
                                 kNoneOfTheCounters,
                                 kWhereFrom,
                                 kOneOnPath,
                                 kUseCuda13,
                                 kInstallDriver,
                                 kUpdateDriver,
                                 kUnrestrict,
                                 kCheckFit,
                                 kUnsetDaemon,
                                 kEndOther,
                                 kStopFirst,
                                 kCountWhenLoaded,
                                 kBesideCupti,
                                 kStopOther,
                                 kUseOtherBuild,
                                 kRunAsRoot,
                                 kEnableForGuest,
                                 kMeasureWithout,
                                 kNeedsPlainGpu};

} // namespace apertune::profilers::cupti::errors
