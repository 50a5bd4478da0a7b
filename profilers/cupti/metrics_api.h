// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cupti.h>
#include <cupti_pmsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <string>

namespace apertune::profilers {

/// The functions of CUPTI and of the driver that reading hardware counters needs, bound at run time like those of
/// CuptiApi. Tests fill in a table of their own. What begins with host works without a GPU.
struct MetricsApi
{
    // NOLINTBEGIN: named as the library names its functions, without the prefix cupti
    decltype(&cuptiGetResultString) getResultString = nullptr;
    decltype(&cuptiGetTimestamp) getTimestamp = nullptr;
    decltype(&cuptiProfilerInitialize) initialize = nullptr;
    decltype(&cuptiProfilerDeInitialize) deInitialize = nullptr;
    decltype(&cuptiDeviceGetChipName) deviceGetChipName = nullptr; ///< crashes where there is no driver
    decltype(&cuptiProfilerDeviceSupported) deviceSupported = nullptr;
    decltype(&cuptiProfilerGetCounterAvailability) getCounterAvailability = nullptr;

    decltype(&cuptiProfilerHostGetSupportedChips) hostGetSupportedChips = nullptr;
    decltype(&cuptiProfilerHostInitialize) hostInitialize = nullptr;
    decltype(&cuptiProfilerHostDeinitialize) hostDeinitialize = nullptr;
    decltype(&cuptiProfilerHostConfigAddMetrics) hostConfigAddMetrics = nullptr;
    decltype(&cuptiProfilerHostGetConfigImageSize) hostGetConfigImageSize = nullptr;
    decltype(&cuptiProfilerHostGetConfigImage) hostGetConfigImage = nullptr;
    decltype(&cuptiProfilerHostGetNumOfPasses) hostGetNumOfPasses = nullptr;
    decltype(&cuptiProfilerHostEvaluateToGpuValues) hostEvaluateToGpuValues = nullptr;

    decltype(&cuptiPmSamplingGetCounterAvailability) pmGetCounterAvailability = nullptr;
    decltype(&cuptiPmSamplingEnable) pmEnable = nullptr;
    decltype(&cuptiPmSamplingDisable) pmDisable = nullptr;
    decltype(&cuptiPmSamplingSetConfig) pmSetConfig = nullptr;
    decltype(&cuptiPmSamplingGetCounterDataSize) pmGetCounterDataSize = nullptr;
    decltype(&cuptiPmSamplingCounterDataImageInitialize) pmCounterDataImageInitialize = nullptr;
    decltype(&cuptiPmSamplingStart) pmStart = nullptr;
    decltype(&cuptiPmSamplingStop) pmStop = nullptr;
    decltype(&cuptiPmSamplingDecodeData) pmDecodeData = nullptr;
    decltype(&cuptiPmSamplingGetCounterDataInfo) pmGetCounterDataInfo = nullptr;
    decltype(&cuptiPmSamplingCounterDataGetSampleInfo) pmCounterDataGetSampleInfo = nullptr;

    decltype(&cuptiRangeProfilerEnable) rangeEnable = nullptr; ///< crashes without a context
    decltype(&cuptiRangeProfilerDisable) rangeDisable = nullptr;
    decltype(&cuptiRangeProfilerSetConfig) rangeSetConfig = nullptr;
    decltype(&cuptiRangeProfilerGetCounterDataSize) rangeGetCounterDataSize = nullptr;
    decltype(&cuptiRangeProfilerCounterDataImageInitialize) rangeCounterDataImageInitialize = nullptr;
    decltype(&cuptiRangeProfilerStart) rangeStart = nullptr;
    decltype(&cuptiRangeProfilerStop) rangeStop = nullptr;
    decltype(&cuptiRangeProfilerDecodeData) rangeDecodeData = nullptr;
    decltype(&cuptiRangeProfilerGetCounterDataInfo) rangeGetCounterDataInfo = nullptr;
    decltype(&cuptiRangeProfilerCounterDataGetRangeInfo) rangeCounterDataGetRangeInfo = nullptr;

    // Of the driver, so null where there is none.
    decltype(&cuInit) driverInit = nullptr;
    decltype(&cuCtxGetCurrent) contextGetCurrent = nullptr;
    // NOLINTEND

    /// "CUPTI_ERROR_…" or the number.
    std::string textOf(CUptiResult result) const;
    /// Why the counters cannot be read, and what to do: permission, MIG, another tool, the chip, the driver.
    base::Error errorOf(CUptiResult result) const;
};

/// Opens a library for the whole process: the one beside `neighbour`, else the one that the loader finds under its bare
/// name; null when there is neither. Kept.
void* openBeside(const std::string& neighbour, const char* name);

/// From the copy of CUPTI that loadCupti() binds. Loaded once and kept. Failures: those of loadCupti(), unsupported
/// (functions or libnvperf missing).
base::Result<MetricsApi> loadMetrics();

/// Whether counters of that kind can be read on the first GPU that this process sees. Failures: unsupported, with the
/// reason and the remedy. Leaves nothing behind.
base::Status checkMetrics(const MetricsApi& api, CUpti_Profiler_API kind);

/// A parameter block of CUPTI with its size set and all else zero.
template <typename Params>
Params params(std::size_t structSize)
{
    Params p{};
    p.structSize = structSize;
    return p;
}
#define APERTUNE_PARAMS(type) ::apertune::profilers::params<type>(type##_STRUCT_SIZE)

} // namespace apertune::profilers
