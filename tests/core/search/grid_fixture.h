// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/grid.h"
#include "core/sentences/sentences.h"
#include "tests/core/search/machines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apertune::search::test {

/// A grid of one configuration, O0 fp32 at batch 1 with LibTorch on a CPU, for a test to widen.
class Grid : public ::testing::Test
{
protected:
    Grid()
    {
        space.levels = {model::OptLevel::o0};
        space.precisions = {model::Precision::fp32};
        space.batches = {1};
    }
    base::Result<std::vector<PlannedConfiguration>> plan() const { return planGrid(space, devices, backends, model); }
    std::vector<PlannedConfiguration> configurations() const
    {
        auto result = plan();
        EXPECT_TRUE(result) << (result ? "" : sentences::describe(result.error()));
        return result ? *result : std::vector<PlannedConfiguration>{};
    }
    /// The reason of the only configuration, "" when it can run.
    std::string onlyReason() const
    {
        const auto all = configurations();
        EXPECT_EQ(all.size(), 1u);
        if (all.size() != 1)
            return "?";
        EXPECT_EQ(all[0].impossible.kind, sentences::sentence(all[0].impossible.message).empty()
                                              ? model::ReasonKind::none
                                              : model::ReasonKind::impossible);
        return sentences::sentence(all[0].impossible.message);
    }
    void expectInvalid(const std::string& message, const std::string& hint) const
    {
        const auto result = plan();
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, base::ErrorCode::invalidArgument);
        EXPECT_THAT(sentences::sentence(result.error().message), ::testing::HasSubstr(message));
        EXPECT_THAT(sentences::sentence(result.error().hint), ::testing::HasSubstr(hint));
    }

    model::SearchSpace space;
    std::vector<model::Device> devices{amxCpu()};
    std::vector<BackendInfo> backends{libtorch()};
    model::ModelRef model = resnet();
};

} // namespace apertune::search::test
