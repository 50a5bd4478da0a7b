// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/cupti_profiler.h"

#include "profilers/cupti/cupti_session.h"

namespace apertune::profilers {

namespace {

class CuptiProfiler final : public trace::Profiler
{
public:
    explicit CuptiProfiler(trace::GraphRecords graphs) : m_graphs(graphs) {}

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
        CuptiOptions options;
        options.graphs = m_graphs;
        return startCupti(*api, options);
    }

private:
    trace::GraphRecords m_graphs;
};

} // namespace

std::unique_ptr<trace::Profiler> makeCuptiProfiler(trace::GraphRecords graphs)
{
    return std::make_unique<CuptiProfiler>(graphs);
}

} // namespace apertune::profilers
