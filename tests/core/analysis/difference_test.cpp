// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/difference.h"
#include "core/analysis/flame_difference.h"
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
    EXPECT_NEAR(d.residual(), 100 * kUs, 1) << "what runs there is not known";
    EXPECT_NEAR(sumOfChanges(d), d.change.value, 1);
}

/// Iterations of operators of a host: {name, µs}, with pauses before, between and after them.
std::unique_ptr<Recorded> operators(const std::vector<std::pair<std::string, std::int64_t>>& names,
                                    std::int64_t before = 0, std::int64_t between = 0, std::int64_t after = 0)
{
    SmallTrace t;
    std::int64_t now = 0;
    for (int i = 0; i < 5; ++i) {
        const std::int64_t begin = now;
        now += before;
        for (const auto& [name, length] : names) {
            const bool product = name == "aten::conv2d" || name == "Conv";
            t.op(name, now, now + length, product ? "[[1, 64, 8, 8], [64, 64, 3, 3], []]" : "");
            now += length + between;
        }
        now += after - between;
        step(t, i, begin, now);
    }
    return record(t);
}

TEST(Difference, TimeOutsideOfOperatorsIsSplitByItsPlace)
{
    const auto a = operators({{"aten::conv2d", 100}, {"aten::relu", 20}}, 3, 2, 5);
    const auto b = operators({{"aten::conv2d", 100}, {"aten::relu", 20}}, 13, 6, 35);
    const TraceDifference d = compareTraces(a->side(), b->side());
    const auto changeOf = [&d](HostGap gap) {
        const auto part = std::find_if(d.parts.begin(), d.parts.end(), [gap](const auto& p) { return p.gap == gap; });
        return part == d.parts.end() ? 0 : part->change.value;
    };
    EXPECT_NEAR(changeOf(HostGap::before), 10 * kUs, 1);
    EXPECT_NEAR(changeOf(HostGap::between), 4 * kUs, 1);
    EXPECT_NEAR(changeOf(HostGap::after), 30 * kUs, 1);
    EXPECT_NEAR(sumOfChanges(d), d.change.value, 1);
    EXPECT_NEAR(d.residual(), 0, 1) << "the place is known";
}

TEST(Difference, LayersAreMatchedAcrossEngines)
{
    const auto a = operators({{"aten::pad", 5},
                              {"aten::conv2d", 100},
                              {"aten::batch_norm", 20},
                              {"aten::relu", 10},
                              {"aten::conv2d", 80},
                              {"aten::relu", 10},
                              {"aten::linear", 40}});
    const auto b = operators({{"Conv", 60}, {"Relu", 5}, {"Conv", 90}, {"Relu", 5}, {"Gemm", 40}});
    const TraceDifference d = compareTraces(a->side(), b->side());
    ASSERT_EQ(d.layers.size(), 4u) << "what comes before the first product, and three layers";
    double sum = 0;
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        EXPECT_EQ(d.layers[i].position, static_cast<std::int64_t>(i));
        sum += d.layers[i].change.value;
    }
    EXPECT_NEAR(d.layers[0].change.value, -5 * kUs, 1);
    EXPECT_NEAR(d.layers[1].change.value, -65 * kUs, 1);
    EXPECT_EQ(d.layers[1].a.front().name, "aten::conv2d");
    EXPECT_EQ(d.layers[1].b.front().name, "Conv");
    EXPECT_EQ(d.layers[1].shapes, "1×64×8×8, 64×64×3×3");
    EXPECT_NEAR(d.layers[2].change.value, 5 * kUs, 1);
    EXPECT_EQ(d.layers[3].b.front().name, "Gemm");
    EXPECT_NEAR(sum, d.change.value, 1) << "no time is outside of operators here";
}

TEST(Difference, AGapWithAllocationsIsWorkThatIsNotRecorded)
{
    const auto make = [](bool fused) {
        SmallTrace t;
        for (int i = 0; i < 5; ++i) {
            std::int64_t now = 1000 * i;
            step(t, i, now, now + 1000);
            for (int layer = 0; layer < 3; ++layer) {
                if (fused) {
                    t.memory(trace::EventKind::tensorMemory, 4096, 0x1000, now + 20, -1);
                    now += 120;
                } else {
                    t.op("aten::conv2d", now, now + 150, "[[1, 64, 8, 8], [64, 64, 3, 3]]");
                    t.op("aten::batch_norm", now + 150, now + 200);
                    now += 200;
                }
                t.op("aten::hardtanh_", now, now + 30);
                now += 30;
            }
        }
        return record(t);
    };
    const auto a = make(false);
    const auto b = make(true);
    const TraceDifference d = compareTraces(a->side(), b->side());
    const auto replaced = partsOf(d, DifferenceKind::replaced);
    ASSERT_EQ(replaced.size(), 1u);
    EXPECT_EQ(replaced[0].places, 3);
    EXPECT_EQ(replaced[0].a[0].name, "aten::conv2d") << "a product is what runs outside of operators";
    EXPECT_EQ(replaced[0].b[0].name, kUnrecordedWork);
    EXPECT_TRUE(replaced[0].b[0].recorded.empty());
    EXPECT_NEAR(replaced[0].change.value, -90 * kUs, 1);
    EXPECT_EQ(partsOf(d, DifferenceKind::removed).size(), 1u) << "the normalisation";
    EXPECT_NEAR(d.b.unrecorded, (360 + 550) * kUs, 1) << "with the pause after the last operator";
    EXPECT_NEAR(d.residual(), 0, 1) << "the place of the work is known";
    EXPECT_EQ(d.layers.size(), 3u) << "each begins with the product of A";
    EXPECT_NEAR(sumOfChanges(d), d.change.value, 1);

    const auto none = operators({{"aten::hardtanh_", 30}});
    EXPECT_GT(std::abs(compareTraces(none->side(), b->side()).residual()), 300 * kUs) << "here it takes no place";
}

TEST(Difference, BranchesInAnotherOrderAreMatchedByTheirShapes)
{
    const auto make = [](bool other) {
        SmallTrace t;
        for (int i = 0; i < 4; ++i) {
            std::int64_t now = 1000 * i;
            step(t, i, now, now + 1000);
            const auto conv = [&](const std::string& shapes, std::int64_t length) {
                t.op(other ? "Conv" : "aten::conv2d", now, now + length, shapes);
                now += length;
            };
            conv("[[1, 3, 32, 32], [64, 3, 3, 3], []]", 300);
            if (other)
                conv("[[1, 64, 16, 16], [128, 64, 1, 1]]", 10);
            conv("[[1, 64, 16, 16], [128, 64, 3, 3]]", 200);
            conv("[[1, 128, 16, 16], [128, 128, 3, 3]]", 250);
            if (!other)
                conv("[[1, 64, 16, 16], [128, 64, 1, 1], []]", 15);
        }
        return record(t);
    };
    const auto a = make(false);
    const auto b = make(true);
    const TraceDifference d = compareTraces(a->side(), b->side());
    for (const DifferencePart& part : d.parts)
        EXPECT_TRUE(part.kind == DifferenceKind::replaced || part.kind == DifferenceKind::idle) << toString(part.kind);
    EXPECT_NEAR(d.matchedShare, 1, 1e-9);
    ASSERT_EQ(d.layers.size(), 4u);
    EXPECT_NEAR(d.layers[3].change.value, -5 * kUs, 1) << "the branch of 1×1";
    EXPECT_NEAR(sumOfChanges(d), d.change.value, 1);
}

TEST(Difference, TheSpeedOfTheMachineIsAStepOfItsOwn)
{
    const auto make = [](double clock, std::int64_t slow) {
        std::vector<std::pair<std::string, std::int64_t>> names;
        for (int k = 0; k < 10; ++k)
            names.emplace_back("gemm_" + std::string(1, static_cast<char>('a' + k)),
                               static_cast<std::int64_t>(clock * 100) + (k == 4 ? slow : 0));
        return kernels(names);
    };
    const auto a = make(1, 0);
    const auto clock = make(1.2, 0);
    const TraceDifference slower = compareTraces(a->side(), clock->side());
    ASSERT_TRUE(machineDiffers(slower));
    const auto steps = differenceSteps(slower);
    ASSERT_EQ(steps.front().machine, true);
    EXPECT_NEAR(steps.front().change.value, 200 * kUs, 1);
    double sum = 0;
    for (const DifferenceStep& each : steps) {
        sum += each.change.value;
        EXPECT_TRUE(each.machine || std::abs(each.change.value) < 1) << "no code is slower";
    }
    EXPECT_NEAR(sum, slower.change.value, 1);

    const auto code = make(1, 60); // one kernel of ten: the machine is as fast as before
    const TraceDifference other = compareTraces(a->side(), code->side());
    EXPECT_FALSE(machineDiffers(other));
    EXPECT_NEAR(differenceSteps(other).front().change.value, 60 * kUs, 1);
}

TEST(Difference, AllocationsAreComparedByOperator)
{
    const auto make = [](bool more) {
        SmallTrace t;
        for (int i = 0; i < 4; ++i) {
            const std::int64_t begin = 200 * i;
            step(t, i, begin, begin + 200);
            t.op("aten::conv2d", begin, begin + 100);
            t.op("aten::empty", begin + 2, begin + 6);
            t.memory(trace::EventKind::tensorMemory, 4096, 0x1000, begin + 4, -1);
            t.op("aten::clone", begin + 110, begin + 130);
            if (more)
                t.memory(trace::EventKind::tensorMemory, 1024, 0x2000, begin + 112, -1);
            t.memory(trace::EventKind::tensorMemory, -4096, 0x1000, begin + 150, -1);
            if (more)
                t.memory(trace::EventKind::tensorMemory, -1024, 0x2000, begin + 160, -1);
        }
        return record(t);
    };
    const auto a = make(false);
    const auto b = make(true);
    const AllocationDifference d = compareTraces(a->side(), b->side()).allocations;
    ASSERT_TRUE(d.recorded());
    EXPECT_EQ(d.a.peak, 4096);
    EXPECT_EQ(d.b.peak, 5120);
    EXPECT_NEAR(d.a.amount.count, 1, 1e-9);
    EXPECT_NEAR(d.b.amount.bytes, 5120, 1e-6);
    const auto changes = d.changes();
    ASSERT_EQ(changes.size(), 2u);
    EXPECT_EQ(changes[0].owner, "aten::clone");
    EXPECT_NEAR(changes[0].b.bytes, 1024, 1e-6);
    EXPECT_EQ(changes[1].owner, "aten::conv2d") << "aten::empty allocates for it";
    EXPECT_FALSE(compareTraces(kernels({{"gemm", 10}})->side(), b->side()).allocations.recorded());
}

TEST(Difference, FlameTreesAreJoinedByTheNamesOnTheirPaths)
{
    const auto a = operators({{"aten::conv2d", 100}, {"aten::batch_norm", 30}, {"aten::relu", 20}});
    const auto b = operators({{"aten::conv2d", 60}, {"aten::relu", 20}, {"aten::add", 40}});
    const auto tree = [](const Recorded& r) {
        return flameTree(r.indexed.index, r.indexed.forest, r.indexed.iterations.window(), FlameWeight::hostTime);
    };
    const FlameTree treeA = tree(*a);
    const FlameTree treeB = tree(*b);
    const FlameDifference d = flameDifference({treeA, a->trace, 5}, {treeB, b->trace, 5});
    ASSERT_EQ(d.tree.nodes.size(), 5u) << "the root and four operators";
    const auto timesOf = [&d](const std::string& name) {
        for (std::size_t i = 1; i < d.tree.nodes.size(); ++i)
            if (d.strings[d.tree.nodes[i].name] == name)
                return std::pair(d.timeA[i], d.timeB[i]);
        return std::pair(-1.0, -1.0);
    };
    EXPECT_EQ(timesOf("aten::conv2d"), std::pair(100 * kUs, 60 * kUs));
    EXPECT_EQ(timesOf("aten::batch_norm"), std::pair(30 * kUs, 0.0)) << "a path that vanished keeps its place";
    EXPECT_EQ(timesOf("aten::add"), std::pair(0.0, 40 * kUs));
    EXPECT_NEAR(static_cast<double>(d.tree.nodes[0].total), 135 * kUs, 1) << "the mean of 150 and 120";
    EXPECT_EQ(d.tree.nodes[0].end, 5);
    EXPECT_FALSE(layOutFlame(d.tree, 0, 500).empty());
}

TEST(Difference, ShapesAreReadFromTheTextsOfRecorders)
{
    EXPECT_EQ(leadingShapes("[[1, 3, 224, 224], [64, 3, 7, 7], [], [64]]"), "1×3×224×224, 64×3×7×7");
    EXPECT_EQ(leadingShapes("[[], [8, 512]]"), "8×512");
    EXPECT_EQ(leadingShapes("[[2"), "");
    EXPECT_EQ(leadingShapes("[[[1, 2], [3, 4]], [5]]"), "1×2, 3×4") << "a list of tensors";
    EXPECT_EQ(leadingShapes(""), "");
    EXPECT_EQ(leadingShapes("]["), "");
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
