// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of CUPTI for hardware counters, which need a real GPU. The answer is that of a machine that keeps its
// counters for administrators, which most are. Their parameters are not looked at, so this file needs no declarations.
#include "tests/standin/settings.h"

#include <cupti_result.h>

namespace {

CUptiResult refused()
{
    return apertune::standin::settings().mig.empty() ? CUPTI_ERROR_INSUFFICIENT_PRIVILEGES
                                                     : CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED;
}

} // namespace

extern "C" {

CUptiResult cuptiProfilerInitialize(void*)
{
    return refused();
}

CUptiResult cuptiProfilerDeInitialize(void*)
{
    return refused();
}

CUptiResult cuptiDeviceGetChipName(void*)
{
    return refused();
}

CUptiResult cuptiProfilerDeviceSupported(void*)
{
    return refused();
}

CUptiResult cuptiProfilerGetCounterAvailability(void*)
{
    return refused();
}

CUptiResult cuptiProfilerHostGetSupportedChips(void*)
{
    return refused();
}

CUptiResult cuptiProfilerHostInitialize(void*)
{
    return refused();
}

CUptiResult cuptiProfilerHostDeinitialize(void*)
{
    return refused();
}

CUptiResult cuptiProfilerHostConfigAddMetrics(void*)
{
    return refused();
}

CUptiResult cuptiProfilerHostGetConfigImageSize(void*)
{
    return refused();
}

CUptiResult cuptiProfilerHostGetConfigImage(void*)
{
    return refused();
}

CUptiResult cuptiProfilerHostGetNumOfPasses(void*)
{
    return refused();
}

CUptiResult cuptiProfilerHostEvaluateToGpuValues(void*)
{
    return refused();
}

CUptiResult cuptiPmSamplingGetCounterAvailability(void*)
{
    return refused();
}

CUptiResult cuptiPmSamplingEnable(void*)
{
    return refused();
}

CUptiResult cuptiPmSamplingDisable(void*)
{
    return refused();
}

CUptiResult cuptiPmSamplingSetConfig(void*)
{
    return refused();
}

CUptiResult cuptiPmSamplingGetCounterDataSize(void*)
{
    return refused();
}

CUptiResult cuptiPmSamplingCounterDataImageInitialize(void*)
{
    return refused();
}

CUptiResult cuptiPmSamplingStart(void*)
{
    return refused();
}

CUptiResult cuptiPmSamplingStop(void*)
{
    return refused();
}

CUptiResult cuptiPmSamplingDecodeData(void*)
{
    return refused();
}

CUptiResult cuptiPmSamplingGetCounterDataInfo(void*)
{
    return refused();
}

CUptiResult cuptiPmSamplingCounterDataGetSampleInfo(void*)
{
    return refused();
}

CUptiResult cuptiRangeProfilerEnable(void*)
{
    return refused();
}

CUptiResult cuptiRangeProfilerDisable(void*)
{
    return refused();
}

CUptiResult cuptiRangeProfilerSetConfig(void*)
{
    return refused();
}

CUptiResult cuptiRangeProfilerGetCounterDataSize(void*)
{
    return refused();
}

CUptiResult cuptiRangeProfilerCounterDataImageInitialize(void*)
{
    return refused();
}

CUptiResult cuptiRangeProfilerStart(void*)
{
    return refused();
}

CUptiResult cuptiRangeProfilerStop(void*)
{
    return refused();
}

CUptiResult cuptiRangeProfilerDecodeData(void*)
{
    return refused();
}

CUptiResult cuptiRangeProfilerGetCounterDataInfo(void*)
{
    return refused();
}

CUptiResult cuptiRangeProfilerCounterDataGetRangeInfo(void*)
{
    return refused();
}

} // extern "C"
