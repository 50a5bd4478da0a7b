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

/// The functions of CUPTI and of the driver that reading hardware counters needs. They are bound at run time like those
/// of CuptiApi. Tests fill in a table of their own. Functions whose names begin with host work without a GPU.
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

    // Functions of the driver, null where there is none.
    decltype(&cuInit) driverInit = nullptr;
    decltype(&cuCtxGetCurrent) contextGetCurrent = nullptr;
    // NOLINTEND

    /// Returns the name of a result, "CUPTI_ERROR_…", or its number.
    std::string textOf(CUptiResult result) const;
    /// Returns the reason why the counters cannot be read, with the remedy: permission, MIG, another tool, the chip,
    /// the driver.
    base::Error errorOf(CUptiResult result) const;
};

/// Opens a library for the whole process: the file beside `neighbour`, otherwise the one that the loader finds under
/// its bare name. Returns null when there is neither. The library stays loaded.
void* openBeside(const std::string& neighbour, const char* name);

/// Binds the functions in the copy of CUPTI that loadCupti() binds. It is loaded once and kept.
///
/// Failures: those of loadCupti(), unsupported (functions or libnvperf missing).
base::Result<MetricsApi> loadMetrics();

/// Checks whether counters of that kind can be read on the first GPU that this process sees. No state remains.
/// Failures: unsupported, with the reason and the remedy.
base::Status checkMetrics(const MetricsApi& api, CUpti_Profiler_API kind);

/// Returns a parameter block of CUPTI with its size set and all other fields zero.
template <typename Params>
Params params(std::size_t structSize)
{
    Params p{};
    p.structSize = structSize;
    return p;
}
#define APERTUNE_PARAMS(type) ::apertune::profilers::params<type>(type##_STRUCT_SIZE)

} // namespace apertune::profilers
