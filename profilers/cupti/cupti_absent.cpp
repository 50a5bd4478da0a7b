// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces the collectors where the headers of CUPTI were not found.
#include "profilers/cupti/cupti_profiler.h"
#include "profilers/cupti/metrics_profiler.h"

namespace apertune::profilers {

namespace {

constexpr const char* kReason = "This build has no GPU recorder: the headers of CUPTI were not found.";
constexpr const char* kRemedy = "Use an Apertune that was built with the CUDA build of torch.";

class AbsentProfiler final : public trace::Profiler
{
public:
    explicit AbsentProfiler(std::string_view name) : m_name(name) {}
    std::string_view name() const override { return m_name; }
    trace::Availability availability() override { return {false, kReason, kRemedy}; }
    base::Result<std::unique_ptr<trace::ProfilerSession>> start() override
    {
        return base::Error{base::ErrorCode::unsupported, kReason, {}, kRemedy};
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

void setCuptiLibrary(std::string)
{
}

void enterOperator(std::uint64_t)
{
}

void leaveOperator()
{
}

} // namespace apertune::profilers
