// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/cupti_profiler.h"

#include "profilers/cupti/cupti_session.h"

namespace apertune::profilers {

namespace {

class CuptiProfiler final : public trace::Profiler
{
public:
    std::string_view name() const override { return "cupti"; }

    trace::Availability availability() override
    {
        if (!hasNvidiaDriver())
            return {false, "There is no NVIDIA driver, so the GPU cannot be recorded.",
                    "Install the driver (580 or newer for CUDA 13), or trace on the CPU."};
        const auto api = loadCupti();
        if (!api)
            return {false, api.error().message, api.error().hint};
        return {};
    }

    base::Result<std::unique_ptr<trace::ProfilerSession>> start() override
    {
        static const auto api = loadCupti(); // outlives every session
        if (!api)
            return api.error();
        return startCupti(*api);
    }
};

} // namespace

std::unique_ptr<trace::Profiler> makeCuptiProfiler()
{
    return std::make_unique<CuptiProfiler>();
}

} // namespace apertune::profilers
