// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profilers/cupti/metrics_api.h"

namespace apertune::profilers {

/// CUPTI's profiler, enabled for as long as this object lives. CUPTI wants host objects destroyed before it, so a
/// session declares the scope before its MetricSet.
class ProfilerScope
{
public:
    explicit ProfilerScope(const MetricsApi& api) : m_api(api) {}
    ~ProfilerScope()
    {
        if (!m_begun)
            return;
        auto end = APERTUNE_PARAMS(CUpti_Profiler_DeInitialize_Params);
        m_api.deInitialize(&end);
    }
    ProfilerScope(const ProfilerScope&) = delete;
    ProfilerScope& operator=(const ProfilerScope&) = delete;

    /// Enables the profiler and asks for the chip's name, which CUPTI owns.
    CUptiResult begin(const char*& chip)
    {
        auto begin = APERTUNE_PARAMS(CUpti_Profiler_Initialize_Params);
        if (const CUptiResult result = m_api.initialize(&begin); result != CUPTI_SUCCESS)
            return result;
        m_begun = true;
        auto name = APERTUNE_PARAMS(CUpti_Device_GetChipName_Params);
        const CUptiResult result = m_api.deviceGetChipName(&name);
        chip = name.pChipName;
        return result;
    }

private:
    const MetricsApi& m_api;
    bool m_begun = false;
};

} // namespace apertune::profilers
