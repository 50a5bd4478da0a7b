// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweeps/sweep_of.h"

#include <gtest/gtest.h>

namespace apertune::sweeps {
namespace {

TEST(SweepOf, WhatHasItsDefaultIsLeftOut)
{
    EXPECT_EQ(sweepYaml(sweepOf({"resnet50", {}, {}, base::fromSeconds(120)})),
              "# A sweep of Apertune: `apertune tune --config FILE` measures it.\n"
              "schema: apertune.sweep/1\n"
              "model: resnet50\n"
              "budget: 2m\n");
}

TEST(SweepOf, SaysEveryPartOfAStudy)
{
    Sweep sweep{"my model", {}, {}, {}, model::BudgetKind::measuring, 0.005};
    model::SearchSpace& space = sweep.space;
    space.backends = {"libtorch", "openvino"};
    space.levels = {model::OptLevel::o0, model::OptLevel::o3};
    space.precisions = {model::Precision::fp32, model::Precision::bf16};
    space.batches = {model::SearchSpace::kAutoBatch};
    space.devices = {"cpu", "cuda:0"};
    space.threads = {1, 2};
    space.switches = {{"channels_last", {true}}, {"freeze", {true, false}}};
    space.calibration = "/my photos";
    space.calibrationSamples = 8;
    space.spread = true;
    space.emulated = true;
    space.memoryShare = 0.9;
    space.search = model::SearchAlgorithm::racing;
    model::Goal& goal = sweep.goal;
    goal.objective = model::Objective::latency;
    goal.also = {model::Objective::memory};
    goal.maxLatency = base::Nanoseconds{20'500'000};
    goal.maxPercentiles = {{99, base::fromSeconds(0.025)}};
    goal.maxMemory = base::Bytes{3LL << 30};
    goal.minQuality = 0.999;
    goal.maxRelError = 0.3;
    goal.maxAbsError = 1e-3;
    goal.maxEnergy = 0.05;
    goal.maxFirst = base::fromSeconds(5400);
    EXPECT_EQ(sweepYaml(sweepOf(sweep)), "# A sweep of Apertune: `apertune tune --config FILE` measures it.\n"
                                         "schema: apertune.sweep/1\n"
                                         "model: \"my model\"\n"
                                         "levels: [O0, O3]\n"
                                         "precisions: [fp32, bf16]\n"
                                         "batches: [auto]\n"
                                         "memory-share: 90%\n"
                                         "switch: {channels_last: [on], freeze: [on, off]}\n"
                                         "emulated: true\n"
                                         "search: racing\n"
                                         "goal: [latency, memory]\n"
                                         "max-latency: [20500us, p99=25ms]\n"
                                         "max-memory: 3GiB\n"
                                         "max-energy: 0.05J\n"
                                         "max-first: 90m\n"
                                         "measuring-budget: 0\n"
                                         "target: 0.5%\n"
                                         "min-quality: 0.999\n"
                                         "max-rel-error: 0.3\n"
                                         "max-abs-error: 0.001\n"
                                         "calibration: \"/my photos\"\n"
                                         "calibration-samples: 8\n"
                                         "backends: [libtorch, openvino]\n"
                                         "devices: [cpu, cuda:0]\n"
                                         "threads: [1, 2]\n"
                                         "spread: true\n");
}

TEST(SweepOf, ASourceStandsForAModelWhereverItCanBeHad)
{
    model::ModelRef model;
    model.name = "mine";
    model.source = "torchvision:resnet50";
    EXPECT_EQ(portableName(model), "torchvision:resnet50");
    model.weights = "file mine.pth";
    EXPECT_EQ(portableName(model), "mine") << "the source alone would have other weights";
    model.weights = {};
    model.source = "/home/me/model.pt";
    EXPECT_EQ(portableName(model), "mine");
}

} // namespace
} // namespace apertune::sweeps
