// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/detection_outputs.h"

#include <algorithm>

namespace apertune::exports {

bool givesDetections(const model::ModelRef& model)
{
    const auto isFloat = [](const model::TensorSpec& output) { return output.dtype.starts_with("float"); };
    for (const model::TensorSpec& boxes : model.outputs)
        for (const model::TensorSpec& scores : model.outputs)
            if (isFloat(boxes) && isFloat(scores) && boxes.shape.size() >= 2 && boxes.shape.back() == 4 &&
                std::equal(scores.shape.begin(), scores.shape.end(), boxes.shape.begin(), boxes.shape.end() - 1))
                return true;
    return false;
}

} // namespace apertune::exports
