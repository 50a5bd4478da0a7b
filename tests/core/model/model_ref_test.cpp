// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_ref.h"

#include <gtest/gtest.h>

namespace apertune::model {
namespace {

TEST(ModelRef, TakesImagesByItsTaskAndItsInputs)
{
    ModelRef model;
    EXPECT_FALSE(model.takesImages());
    model.taskType = TaskType::classification;
    EXPECT_TRUE(model.takesImages()) << "nothing is known of its inputs";
    model.inputs = {{"input_ids", "int64", {1, 128}, 0}, {"attention_mask", "int64", {1, 128}, 0}};
    EXPECT_FALSE(model.takesImages());
    EXPECT_EQ(model.rateUnit(), base::RateUnit::samples);
    model.inputs.push_back({"pixel_values", "float32", {1, 3, 224, 224}, 0});
    EXPECT_TRUE(model.takesImages()) << "it takes both";
    model.inputs = {{"x", "uint8", {1, 224, 224, 3}, 0}};
    EXPECT_TRUE(model.takesImages());
    model.inputs = {{"spectrum", "float32", {1, 80, 3000}, 0}};
    EXPECT_FALSE(model.takesImages());
    model.inputs = {{"tokens", "int64", {1, 1, 1, 128}, 0}};
    EXPECT_FALSE(model.takesImages());
}

} // namespace
} // namespace apertune::model
