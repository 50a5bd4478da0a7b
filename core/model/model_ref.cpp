// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_ref.h"

#include <algorithm>

namespace apertune::model {

namespace {

/// Whether a tensor has rows and columns of values that pixels can have. Indices of words are wider integers.
bool isImage(const TensorSpec& input)
{
    constexpr std::size_t kImageRank = 4; // batch, channels, height and width
    return input.shape.size() >= kImageRank &&
           (input.dtype.find("float") != std::string::npos || input.dtype == "uint8");
}

} // namespace

bool ModelRef::takesImages() const
{
    return taskType != TaskType::unknown && taskType != TaskType::other &&
           (inputs.empty() || std::any_of(inputs.begin(), inputs.end(), isImage));
}

} // namespace apertune::model
