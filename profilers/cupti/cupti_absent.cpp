// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for the collector where the headers of CUPTI were not found.
#include "profilers/cupti/cupti_profiler.h"

namespace apertune::profilers {

namespace {

constexpr const char* kReason = "This build has no GPU recorder: the headers of CUPTI were not found.";
constexpr const char* kRemedy = "Run `make setup`, whose torch brings them, and build again.";

class AbsentProfiler final : public trace::Profiler
{
public:
    std::string_view name() const override { return "cupti"; }
    trace::Availability availability() override { return {false, kReason, kRemedy}; }
    base::Result<std::unique_ptr<trace::ProfilerSession>> start() override
    {
        return base::Error{base::ErrorCode::unsupported, kReason, {}, kRemedy};
    }
};

} // namespace

std::unique_ptr<trace::Profiler> makeCuptiProfiler()
{
    return std::make_unique<AbsentProfiler>();
}

void enterOperator(std::uint64_t)
{
}

void leaveOperator()
{
}

} // namespace apertune::profilers
