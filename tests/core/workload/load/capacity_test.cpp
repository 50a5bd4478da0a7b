// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/load/capacity.h"
#include "tests/core/workload/load/references.h"
#include "tests/core/workload/load/virtual_machine.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace apertune::workload {
namespace {

using base::Nanoseconds;
using testing::ms;
using testing::theoreticalCapacity;
using testing::VirtualMachine;
using testing::waitBelow;

Scenario boundedBy(double bound, double seconds = 20)
{
    Scenario s = defaultScenario(ScenarioKind::server);
    s.bound = ms(bound);
    s.duration = base::fromSeconds(seconds);
    return s;
}

RunAt simulated(Nanoseconds service)
{
    return [service](const Scenario& at) {
        VirtualMachine machine(service);
        return serve(arrivals(at, at.rate), policyOf(at, 1), machine, {});
    };
}

TEST(Capacity, TheFormulaItIsCheckedAgainstKnowsTheTextbook)
{
    // Half loaded, a query that comes finds the server free half the time.
    EXPECT_NEAR(waitBelow(0, 0.5, 1), 0.5, 1e-9);
    // The mean wait of M/D/1 is ρd / 2(1 − ρ): the integral of P(wait > t).
    double mean = 0;
    for (double t = 0; t < 12; t += 0.001)
        mean += (1 - waitBelow(t, 0.5, 1)) * 0.001;
    EXPECT_NEAR(mean, 0.5, 2e-3);
}

TEST(Capacity, IsWithinThreePercentOfQueueingTheory)
{
    for (const double bound : {6.0, 12.0}) {
        const double theory = theoreticalCapacity(2e-3, bound * 1e-3, 0.99);
        const Scenario s = boundedBy(bound, 600);
        EXPECT_NEAR(predictCapacity(s, 1, {ms(2)}) / theory, 1, 0.03) << bound;
        const auto found = findCapacity(s, 1, {ms(2)}, simulated(ms(2)));
        ASSERT_TRUE(found.ok());
        EXPECT_NEAR(found.value().highestKept / theory, 1, 0.03) << bound;
        EXPECT_GT(found.value().lowestMissed, found.value().highestKept);
    }
}

TEST(Capacity, ShortRunsNeverClaimMoreThanTheory)
{
    const double theory = theoreticalCapacity(2e-3, 5e-3, 0.99);
    const auto found = findCapacity(boundedBy(5, 1), 1, {ms(2)}, simulated(ms(2)));
    ASSERT_TRUE(found.ok());
    EXPECT_LT(found.value().highestKept / theory, 1.03) << "few queries must be the more convincing";
    EXPECT_GT(found.value().highestKept / theory, 0.7);
}

TEST(Capacity, ALoneQueryThatMissesTheBoundLeavesNothingToTry)
{
    const auto found = findCapacity(boundedBy(1.9), 1, {ms(2)}, simulated(ms(2)));
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found.value().predicted, 0);
    EXPECT_EQ(found.value().highestKept, 0);
    EXPECT_TRUE(found.value().probes.empty());
    EXPECT_TRUE(toJson(found.value())["holds"].is_null());
}

TEST(Capacity, AMachineSlowerThanItsSinglePassesIsFoundOut)
{
    // Passes took 2 ms alone; under load they take 2.2.
    const auto found = findCapacity(boundedBy(8, 100), 1, {ms(2)}, simulated(ms(2.2)));
    ASSERT_TRUE(found.ok());
    EXPECT_GT(found.value().predicted, found.value().highestKept);
    EXPECT_NEAR(found.value().highestKept / theoreticalCapacity(2.2e-3, 8e-3, 0.99), 1, 0.03);
}

TEST(Capacity, BatchesCarryMoreThanOneByOne)
{
    Scenario s = boundedBy(20);
    s.maxWait = ms(2);
    EXPECT_GT(predictCapacity(s, 4, {ms(4)}), 1.5 * predictCapacity(s, 1, {ms(4)}));
}

TEST(Capacity, TheFailureOfARunIsItsFailure)
{
    const auto failing = [](const Scenario&) -> base::Result<std::vector<Served>> {
        return base::plainError(base::ErrorCode::crashed, "Gone.");
    };
    EXPECT_EQ(findCapacity(boundedBy(5), 1, {ms(2)}, failing).error().code, base::ErrorCode::crashed);
}

} // namespace
} // namespace apertune::workload
