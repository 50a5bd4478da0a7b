// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/cupti_profiler.h"

#include "profilers/cupti/cupti_library.h"
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
        if (const base::Status driver = checkDriver(cudaDriverVersion()); !driver)
            return {false, driver.error().message, driver.error().hint};
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
