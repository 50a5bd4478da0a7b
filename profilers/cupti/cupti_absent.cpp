// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces the collectors where the headers of CUPTI were not found.
#include "profilers/cupti/cupti_operators.h"
#include "profilers/cupti/cupti_profiler.h"
#include "profilers/cupti/errors.h"
#include "profilers/cupti/metrics_profiler.h"

namespace apertune::profilers {

namespace {

trace::Availability absent()
{
    return {false, base::message<cupti::errors::kAbsent>(), base::message<cupti::errors::kUseOtherBuild>()};
}

class AbsentProfiler final : public trace::Profiler
{
public:
    explicit AbsentProfiler(std::string_view name) : m_name(name) {}
    std::string_view name() const override { return m_name; }
    trace::Availability availability() override { return absent(); }
    base::Result<std::unique_ptr<trace::ProfilerSession>> start() override
    {
        return base::Error{base::ErrorCode::unsupported, absent().reason, {}, absent().remedy};
    }

private:
    std::string_view m_name;
};

} // namespace

std::unique_ptr<trace::Profiler> makeCuptiProfiler(trace::GraphRecords)
{
    return std::make_unique<AbsentProfiler>("cupti");
}

std::unique_ptr<trace::Profiler> makeSampleProfiler()
{
    return std::make_unique<AbsentProfiler>("hardware samples");
}

std::unique_ptr<trace::Profiler> makeKernelCounterProfiler()
{
    return std::make_unique<AbsentProfiler>("kernel counters");
}

void enterOperator(std::uint64_t)
{
}

void leaveOperator()
{
}

} // namespace apertune::profilers
