// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/study.h"
#include "core/store/sample_codec.h"

#include <gtest/gtest.h>

#include <limits>

namespace apertune::store::test {

using model::TrialState;
using Times = std::vector<base::Nanoseconds>;

TEST(StoredValues, PersistentEnumValuesNeverChange)
{
    // These numbers are in people's files. Add at the end; never change one.
    EXPECT_EQ(static_cast<int>(TrialState::queued), 0);
    EXPECT_EQ(static_cast<int>(TrialState::leased), 1);
    EXPECT_EQ(static_cast<int>(TrialState::running), 2);
    EXPECT_EQ(static_cast<int>(TrialState::ok), 3);
    EXPECT_EQ(static_cast<int>(TrialState::failed), 4);
    EXPECT_EQ(static_cast<int>(TrialState::pruned), 5);
    EXPECT_EQ(static_cast<int>(TrialState::cancelled), 6);
    EXPECT_EQ(static_cast<int>(model::StudyState::running), 0);
    EXPECT_EQ(static_cast<int>(model::StudyState::finished), 1);
    EXPECT_EQ(static_cast<int>(model::StudyState::interrupted), 2);
    EXPECT_EQ(static_cast<int>(model::StudyPurpose::tuning), 0);
    EXPECT_EQ(static_cast<int>(model::StudyPurpose::verification), 1);
    EXPECT_EQ(static_cast<int>(model::StudyPurpose::claim), 2);
    EXPECT_EQ(static_cast<int>(model::StudyPurpose::memory), 3);
    EXPECT_EQ(static_cast<int>(model::StudyPurpose::imported), 4);
    EXPECT_EQ(static_cast<int>(model::DeviceKind::cpu), 0);
    EXPECT_EQ(static_cast<int>(model::DeviceKind::gpu), 1);
    EXPECT_EQ(static_cast<int>(model::DeviceKind::npu), 2);
}

TEST(StoredValues, PersistentWordsNeverChange)
{
    // Stored by name, inside JSON.
    EXPECT_EQ(model::toString(model::AppliedState::on), "on");
    EXPECT_EQ(model::toString(model::AppliedState::off), "off");
    EXPECT_EQ(model::toString(model::AppliedState::requestedNotInEffect), "requested_not_in_effect");
    EXPECT_EQ(model::toString(model::AppliedState::notApplicable), "not_applicable");
    EXPECT_EQ(model::toString(model::Objective::throughput), "throughput");
    EXPECT_EQ(model::toString(model::Objective::latency), "latency");
    EXPECT_EQ(model::toString(model::Objective::memory), "memory");
    EXPECT_EQ(model::toString(model::Precision::fp32), "fp32");
    EXPECT_EQ(model::toString(model::Precision::tf32), "tf32");
    EXPECT_EQ(model::toString(model::Precision::bf16), "bf16");
    EXPECT_EQ(model::toString(model::Precision::fp16), "fp16");
    EXPECT_EQ(model::toString(model::Precision::int8), "int8");
    EXPECT_EQ(model::toString(model::Precision::fp8), "fp8");
    EXPECT_EQ(model::toString(model::OptLevel::o0), "O0");
    EXPECT_EQ(model::toString(model::OptLevel::o3), "O3");
}

TEST(StoredValues, IterationTimesAreSmallAndExact)
{
    Times times;
    for (int i = 0; i < 1000; ++i)
        times.push_back({3'000'000 + (i * 7919) % 4000});
    const std::string bytes = encodeTimes(times);
    EXPECT_LT(bytes.size(), 2'100u);
    EXPECT_EQ(*decodeTimes(bytes, 1000), times);
    EXPECT_EQ(encodeTimes({{0}, {1}, {0}, {64}}), std::string("\0\2\1\x80\1", 5));
    EXPECT_EQ(*decodeTimes("", 0), Times{});
    const Times extremes{{std::numeric_limits<std::int64_t>::min()}, {std::numeric_limits<std::int64_t>::max()}, {0}};
    EXPECT_EQ(*decodeTimes(encodeTimes(extremes), 3), extremes);
}

TEST(StoredValues, DamagedIterationTimesAreRefused)
{
    const std::string bytes = encodeTimes({{1000}, {2000}, {3000}});
    EXPECT_TRUE(decodeTimes(bytes, 3).ok());
    EXPECT_FALSE(decodeTimes(bytes, 2).ok());
    EXPECT_FALSE(decodeTimes(bytes, 4).ok());
    EXPECT_FALSE(decodeTimes(bytes, -1).ok());
    EXPECT_FALSE(decodeTimes(bytes, std::numeric_limits<std::int64_t>::max()).ok());
    EXPECT_FALSE(decodeTimes(bytes.substr(0, bytes.size() - 1), 3).ok());
    EXPECT_FALSE(decodeTimes(std::string(30, '\xff'), 1).ok());
    EXPECT_TRUE(decodeTimes("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 1).ok());
    EXPECT_FALSE(decodeTimes("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 1).ok()); // a 65th bit
}

} // namespace apertune::store::test
