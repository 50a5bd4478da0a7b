// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/metrics_profiler.h"

#include "profilers/cupti/cupti_library.h"
#include "profilers/cupti/kernel_counter_session.h"
#include "profilers/cupti/sample_session.h"

namespace apertune::profilers {

namespace {

template <CUpti_Profiler_API Kind>
class MetricsProfiler final : public trace::Profiler
{
public:
    std::string_view name() const override
    {
        return Kind == CUPTI_PROFILER_PM_SAMPLING ? "hardware samples" : "kernel counters";
    }

    trace::Availability availability() override
    {
        // The driver is checked first, because CUPTI's functions for devices crash without it.
        if (const base::Status driver = checkDriver(cudaDriverVersion()); !driver)
            return {false, driver.error().message, driver.error().hint};
        const base::Status can = check();
        return can ? trace::Availability{} : trace::Availability{false, can.error().message, can.error().hint};
    }

    base::Result<std::unique_ptr<trace::ProfilerSession>> start() override
    {
        if (const base::Status can = check(); !can)
            return can.error();
        if constexpr (Kind == CUPTI_PROFILER_PM_SAMPLING)
            return startSamples(*api());
        else
            return startKernelCounters(*api());
    }

private:
    static const base::Result<MetricsApi>& api()
    {
        static const auto loaded = loadMetrics(); // outlives every session
        return loaded;
    }

    static base::Status check()
    {
        if (!api())
            return api().error();
        return checkMetrics(*api(), Kind);
    }
};

} // namespace

std::unique_ptr<trace::Profiler> makeSampleProfiler()
{
    return std::make_unique<MetricsProfiler<CUPTI_PROFILER_PM_SAMPLING>>();
}

std::unique_ptr<trace::Profiler> makeKernelCounterProfiler()
{
    return std::make_unique<MetricsProfiler<CUPTI_PROFILER_RANGE_PROFILING>>();
}

} // namespace apertune::profilers
