// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/difference.h"
#include "core/analysis/indexed_trace.h"
#include "small_trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>

namespace apertune::analysis {
namespace {

using testing::SmallTrace;

constexpr double kUs = 1000;

/// A trace with its index, at an address that stays.
struct Recorded
{
    explicit Recorded(SmallTrace& t) : trace(t.finish()), indexed(trace) {}
    ComparedTrace side(double samples = 1) const
    {
        return {indexed.index, indexed.forest, indexed.iterations, samples};
    }

    trace::Trace trace;
    IndexedTrace indexed;
};

std::unique_ptr<Recorded> record(SmallTrace& t)
{
    return std::make_unique<Recorded>(t);
}

void step(SmallTrace& t, int number, std::int64_t from, std::int64_t to)
{
    t.b.add(t.host, trace::EventKind::range, t.event("ProfilerStep#" + std::to_string(number), from, to));
}

double sumOfChanges(const TraceDifference& d)
{
    return std::accumulate(d.parts.begin(), d.parts.end(), 0.0,
                           [](double sum, const DifferencePart& part) { return sum + part.change.value; });
}

std::vector<DifferencePart> partsOf(const TraceDifference& d, DifferenceKind kind)
{
    std::vector<DifferencePart> found;
    std::copy_if(d.parts.begin(), d.parts.end(), std::back_inserter(found),
                 [kind](const DifferencePart& part) { return part.kind == kind; });
    return found;
}

/// Iterations of kernels of one stream: {name, µs}.
std::unique_ptr<Recorded> kernels(const std::vector<std::pair<std::string, std::int64_t>>& names,
                                  std::int64_t pause = 0)
{
    SmallTrace t;
    std::int64_t now = 0;
    for (int i = 0; i < 5; ++i) {
        const std::int64_t begin = now;
        for (const auto& [name, length] : names) {
            t.kernel(name, now, now + length);
            now += length;
        }
        now += pause;
        step(t, i, begin, now);
    }
    return record(t);
}

TEST(Difference, SameKernelsChangeByTheirTime)
{
    const auto a = kernels({{"gemm", 100}, {"relu", 10}});
    const auto b = kernels({{"gemm", 70}, {"relu", 10}});
    const TraceDifference d = compareTraces(a->side(), b->side());
    EXPECT_NEAR(d.change.value, -30 * kUs, 1);
    ASSERT_EQ(d.parts.size(), 2u);
    EXPECT_EQ(d.parts[0].kind, DifferenceKind::sameWork);
    EXPECT_EQ(d.parts[0].b[0].name, "gemm");
    EXPECT_NEAR(d.parts[0].change.value, -30 * kUs, 1);
    EXPECT_NEAR(d.parts[1].change.value, 0, 1);
    EXPECT_GT(d.parts[0].change.confidence, 0.9);
}

TEST(Difference, AFusedKernelReplacesTheOnesBetweenTwoProducts)
{
    const auto a = kernels({{"gemm", 100},
                            {"batch_norm_kernel", 20},
                            {"relu_kernel", 10},
                            {"gemm", 100},
                            {"batch_norm_kernel", 20},
                            {"relu_kernel", 10}});
    const auto b =
        kernels({{"gemm", 100}, {"triton_poi_fused_relu_3", 12}, {"gemm", 100}, {"triton_poi_fused_relu_4", 12}});
    const TraceDifference d = compareTraces(a->side(), b->side());
    const auto replaced = partsOf(d, DifferenceKind::replaced);
    ASSERT_EQ(replaced.size(), 1u) << "both places are one part";
    EXPECT_EQ(replaced[0].places, 2);
    ASSERT_EQ(replaced[0].a.size(), 2u);
    ASSERT_EQ(replaced[0].b.size(), 1u);
    EXPECT_EQ(replaced[0].b[0].name, "triton_poi_fused_relu");
    EXPECT_EQ(replaced[0].b[0].recorded.size(), 2u);
    EXPECT_NEAR(replaced[0].a[0].count, 2, 1e-9);
    EXPECT_NEAR(replaced[0].change.value, -36 * kUs, 1);
    EXPECT_NEAR(sumOfChanges(d), d.change.value, 1);
}

TEST(Difference, WorkOfOneSideIsRemovedOrAdded)
{
    const auto a = kernels({{"gemm", 100}, {"nchwToNhwcKernel", 20}, {"conv2d_wgmma", 50}});
    const auto b = kernels({{"gemm", 100}, {"conv2d_wgmma", 50}, {"check_nan", 5}});
    const TraceDifference d = compareTraces(a->side(), b->side());
    const auto removed = partsOf(d, DifferenceKind::removed);
    const auto added = partsOf(d, DifferenceKind::added);
    ASSERT_EQ(removed.size(), 1u);
    ASSERT_EQ(added.size(), 1u);
    EXPECT_NEAR(removed[0].change.value, -20 * kUs, 1);
    EXPECT_NEAR(added[0].change.value, 5 * kUs, 1);
    EXPECT_TRUE(removed[0].b.empty());
}

TEST(Difference, AnotherProductOfTheSameOperatorTakesItsPlace)
{
    const auto make = [](const std::string& kernel, std::int64_t length) {
        SmallTrace t;
        std::uint32_t number = 0;
        for (int i = 0; i < 4; ++i) {
            const std::int64_t begin = 200 * i;
            step(t, i, begin, begin + 200);
            t.op("aten::linear", begin, begin + 20, "[[8, 512], [512, 512]]");
            t.call("cudaLaunchKernel", begin + 5, begin + 10, ++number);
            t.kernel(kernel, begin + 20, begin + 20 + length, number);
        }
        return record(t);
    };
    const auto a = make("first_library_kernel", 100);
    const auto b = make("second_library_kernel", 60);
    const TraceDifference d = compareTraces(a->side(), b->side());
    const auto replaced = partsOf(d, DifferenceKind::replaced);
    ASSERT_EQ(replaced.size(), 1u);
    EXPECT_EQ(replaced[0].origin, "aten::linear");
    EXPECT_NEAR(replaced[0].change.value, -40 * kUs, 1);
}

TEST(Difference, AFillOfAnOperatorIsNoCounterpartOfItsProduct)
{
    const auto make = [](const std::string& kernel, bool fills) {
        SmallTrace t;
        std::uint32_t number = 0;
        for (int i = 0; i < 4; ++i) {
            const std::int64_t begin = 200 * i;
            step(t, i, begin, begin + 200);
            t.op("aten::linear", begin, begin + 20, "[[8, 512], [512, 512]]");
            if (fills) {
                t.call("cudaMemsetAsync", begin + 1, begin + 3, ++number);
                trace::Event fill = t.event("Memset (Device)", begin + 20, begin + 22, number);
                t.b.add(t.stream, trace::EventKind::memset, fill);
            }
            t.call("cudaLaunchKernel", begin + 5, begin + 10, ++number);
            t.kernel(kernel, begin + 30, begin + 130, number);
        }
        return record(t);
    };
    const auto a = make("sm90_xmma_gemm_first", true);
    const auto b = make("Cijk_second_gemm", false);
    const TraceDifference d = compareTraces(a->side(), b->side());
    const auto replaced = partsOf(d, DifferenceKind::replaced);
    const auto removed = partsOf(d, DifferenceKind::removed);
    ASSERT_EQ(replaced.size(), 1u);
    EXPECT_EQ(replaced[0].a[0].name, "sm90_xmma_gemm_first");
    ASSERT_EQ(removed.size(), 1u);
    EXPECT_EQ(removed[0].opClass, OpClass::fill);
}

TEST(Difference, WorkOfTwoStreamsIsMatchedStreamByStream)
{
    const auto make = [](std::int64_t shift) {
        SmallTrace t;
        for (int i = 0; i < 5; ++i) {
            const std::int64_t begin = 1000 * i;
            step(t, i, begin, begin + 1000);
            for (int k = 0; k < 8; ++k)
                t.kernel("gemm_" + std::string(1, static_cast<char>('a' + k)), begin + 100 * k, begin + 100 * k + 90);
            for (int k = 0; k < 3; ++k) { // beside them, at other moments in each trace
                trace::Event e = t.event("ncclKernel_SendRecv", begin + 250 * k + shift, begin + 250 * k + shift + 40);
                t.b.add(t.copies, trace::EventKind::kernel, e);
            }
        }
        return record(t);
    };
    const auto a = make(10);
    const auto b = make(170);
    const TraceDifference d = compareTraces(a->side(), b->side());
    for (const DifferencePart& part : d.parts)
        EXPECT_TRUE(part.kind == DifferenceKind::sameWork || part.kind == DifferenceKind::idle)
            << toString(part.kind) << " " << (part.a.empty() ? part.b : part.a).front().name;
}

TEST(Difference, CopiesOfFarSizesAreNotTheSameWork)
{
    const auto make = [](std::int64_t bytes) {
        SmallTrace t;
        for (int i = 0; i < 4; ++i) {
            step(t, i, 200 * i, 200 * i + 200);
            t.kernel("gemm", 200 * i, 200 * i + 100);
            t.copy(trace::CopyDirection::hostToDevice, bytes, 200 * i + 110, 200 * i + 130);
        }
        return record(t);
    };
    const auto a = make(256);
    const auto b = make(77'000'000);
    const TraceDifference d = compareTraces(a->side(), b->side());
    for (const DifferencePart& part : partsOf(d, DifferenceKind::sameWork))
        EXPECT_EQ(part.a[0].name, "gemm");
}

TEST(Difference, ExchangedSidesNegateEveryPart)
{
    const auto a = kernels({{"gemm", 100}, {"norm_kernel", 20}, {"gemm", 90}, {"relu_kernel", 8}, {"other_gemm", 30}});
    const auto b = kernels({{"gemm", 70}, {"other_gemm", 25}, {"gemm", 80}, {"check_kernel", 4}});
    const TraceDifference there = compareTraces(a->side(), b->side());
    const TraceDifference back = compareTraces(b->side(), a->side());
    ASSERT_EQ(there.parts.size(), back.parts.size());
    std::vector<double> changes;
    std::vector<double> negated;
    for (std::size_t i = 0; i < there.parts.size(); ++i) {
        changes.push_back(there.parts[i].change.value);
        negated.push_back(-back.parts[i].change.value);
    }
    std::sort(changes.begin(), changes.end());
    std::sort(negated.begin(), negated.end());
    for (std::size_t i = 0; i < changes.size(); ++i)
        EXPECT_NEAR(changes[i], negated[i], 1);
}

TEST(Difference, PlacesThatDisagreeSayNothingOfTheMachine)
{
    std::vector<std::pair<std::string, std::int64_t>> names;
    for (int i = 0; i < 12; ++i)
        names.emplace_back("kernel_of_" + std::string(1, static_cast<char>('a' + i)), 100);
    const auto a = kernels(names);
    for (std::size_t i = 0; i < names.size(); ++i)
        names[i].second = i % 2 ? 40 : 250;
    const auto b = kernels(names);
    EXPECT_FALSE(compareTraces(a->side(), b->side()).sameWorkRatio);
}

TEST(Difference, IdleTimeIsAPartOfItsOwn)
{
    const auto a = kernels({{"gemm", 100}});
    const auto b = kernels({{"gemm", 100}}, 50);
    const TraceDifference d = compareTraces(a->side(), b->side());
    const auto idle = partsOf(d, DifferenceKind::idle);
    ASSERT_FALSE(idle.empty());
    EXPECT_NEAR(idle[0].change.value, 50 * kUs, 15 * kUs) << "the last iteration ends with its work";
    EXPECT_NEAR(sumOfChanges(d), d.change.value, 1);
}

TEST(Difference, EqualWorkThatTakesLongerEverywhereIsTheMachine)
{
    std::vector<std::pair<std::string, std::int64_t>> names;
    for (int i = 0; i < 12; ++i)
        names.emplace_back("kernel_of_" + std::string(1, static_cast<char>('a' + i)), 100 + 10 * i);
    const auto a = kernels(names);
    for (auto& [name, length] : names)
        length = length * 6 / 5;
    const auto b = kernels(names);
    const TraceDifference d = compareTraces(a->side(), b->side());
    ASSERT_TRUE(d.sameWorkRatio);
    EXPECT_NEAR(d.sameWorkRatio->value, 1.2, 0.001);
}

TEST(Difference, OperatorsOfAHostStandForTheWork)
{
    const auto make = [](std::int64_t norm) {
        SmallTrace t;
        std::int64_t now = 0;
        for (int i = 0; i < 6; ++i) {
            t.op("forward", now, now + 112 + norm);
            t.op("aten::conv2d", now + 2, now + 102, "[[1, 3, 8, 8]]");
            t.op("aten::mkldnn_convolution", now + 3, now + 101);
            if (norm > 0)
                t.op("aten::batch_norm", now + 104, now + 104 + norm);
            now += 112 + norm;
        }
        return record(t);
    };
    const auto a = make(30);
    const auto b = make(0);
    const TraceDifference d = compareTraces(a->side(), b->side());
    EXPECT_FALSE(d.a.onDevice);
    EXPECT_NEAR(d.a.works, 2, 1e-9) << "the convolution counts once, whatever it calls";
    const auto removed = partsOf(d, DifferenceKind::removed);
    ASSERT_EQ(removed.size(), 1u);
    EXPECT_EQ(removed[0].a[0].name, "aten::batch_norm");
    EXPECT_NEAR(removed[0].change.value, -30 * kUs, 1);
    EXPECT_NEAR(sumOfChanges(d), d.change.value, 1);
}

TEST(Difference, FusedWorkThatIsNotRecordedIsNoAllocation)
{
    SmallTrace eager;
    SmallTrace fused;
    for (int i = 0; i < 6; ++i) {
        const std::int64_t from = 200 * i;
        eager.op("forward", from, from + 200);
        eager.op("aten::conv2d", from + 2, from + 102, "[[1, 3, 8, 8]]");
        eager.op("aten::relu", from + 104, from + 114);
        fused.op("forward", from, from + 200);
        fused.op("aten::empty", from + 2, from + 4);
        fused.op("aten::relu", from + 104, from + 114);
    }
    const auto a = record(eager);
    const auto b = record(fused);
    const TraceDifference d = compareTraces(a->side(), b->side());
    EXPECT_NEAR(d.b.unrecorded, 190 * kUs, 1) << "the allocation is a part of it";
    EXPECT_NEAR(d.b.works, 1, 1e-9);
    const auto removed = partsOf(d, DifferenceKind::removed);
    ASSERT_EQ(removed.size(), 1u);
    EXPECT_EQ(removed[0].a[0].name, "aten::conv2d");
    const auto grown = std::find_if(d.parts.begin(), d.parts.end(), [](const auto& part) { return part.unrecorded; });
    ASSERT_NE(grown, d.parts.end());
    EXPECT_NEAR(grown->change.value, 100 * kUs, 1);
    EXPECT_NEAR(sumOfChanges(d), d.change.value, 1);
}

TEST(Difference, TimesOfDifferentBatchesAreComparedPerSample)
{
    const auto a = kernels({{"gemm", 100}});
    const auto b = kernels({{"gemm", 160}});
    const TraceDifference d = compareTraces(a->side(1), b->side(4));
    EXPECT_NEAR(d.b.time.value, 40 * kUs, 1);
    EXPECT_NEAR(d.b.works, 0.25, 1e-9);
    EXPECT_NEAR(d.change.value, -60 * kUs, 1);
}

TEST(Difference, PartsAddUpWhateverOverlaps)
{
    std::mt19937 random(11);
    const auto below = [&random](std::uint32_t limit) { return static_cast<std::int64_t>(random() % limit); };
    const auto make = [&] {
        SmallTrace t;
        std::int64_t now = 0;
        for (int i = 0; i < 8; ++i) {
            const std::int64_t begin = now;
            for (int k = 0; k < 30; ++k) {
                const std::int64_t length = 1 + below(20);
                if (below(3) == 0)
                    t.copy(trace::CopyDirection::hostToDevice, 4096, now, now + length + below(40));
                else
                    t.kernel("kernel_" + std::string(1, static_cast<char>('a' + below(9))), now, now + length);
                now += length + (below(4) == 0 ? below(30) : 0);
            }
            step(t, i, begin, now);
        }
        return record(t);
    };
    for (int round = 0; round < 20; ++round) {
        const auto a = make();
        const auto b = make();
        const TraceDifference d = compareTraces(a->side(), b->side());
        ASSERT_NEAR(sumOfChanges(d), d.change.value, 1);
        double timeA = 0;
        for (const DifferencePart& part : d.parts)
            timeA += part.timeA.value;
        ASSERT_NEAR(timeA, d.a.time.value, 1);
    }
}

TEST(Difference, ATraceAgainstItselfHasNoDifference)
{
    const auto a = kernels({{"gemm", 100}, {"relu", 10}, {"gemm", 100}}, 7);
    const TraceDifference d = compareTraces(a->side(), a->side());
    EXPECT_EQ(d.change.value, 0);
    for (const DifferencePart& part : d.parts) {
        EXPECT_EQ(part.change.value, 0);
        EXPECT_TRUE(part.kind == DifferenceKind::sameWork || part.kind == DifferenceKind::idle);
    }
}

TEST(Difference, EmptyTracesAreNoError)
{
    SmallTrace t;
    const auto a = record(t);
    const auto b = kernels({{"gemm", 100}});
    EXPECT_TRUE(compareTraces(a->side(), a->side()).parts.empty());
    EXPECT_NEAR(compareTraces(a->side(), b->side()).change.value, 100 * kUs, 1);
}

TEST(Alignment, PartsOfLongSequencesAreAlignedAlone)
{
    std::vector<WorkKey> a;
    std::vector<WorkKey> b;
    for (std::uint32_t i = 0; i < 300; ++i) {
        const WorkKey work{i % 50 == 7 ? 1000 + i : 1 + i % 3, 0, 0, 0, OpClass::other};
        a.push_back(work);
        b.push_back(work);
        if (i % 40 == 0)
            b.push_back({5000, 0, 0, 0, OpClass::other});
    }
    const auto pairsOf = [&](std::size_t mostCells) {
        std::size_t right = 0;
        for (const AlignedPair& pair : align(a, b, mostCells))
            right += a[pair.a].name == b[pair.b].name;
        return right;
    };
    EXPECT_EQ(pairsOf(kMostCells), 300u);
    EXPECT_EQ(pairsOf(10'000), 300u) << "names that occur once divide the sequence";
    EXPECT_GE(pairsOf(200), 200u);
}

} // namespace
} // namespace apertune::analysis
