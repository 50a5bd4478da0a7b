// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/model/task_type.h"

#include <cstdint>
#include <string>
#include <vector>

namespace apertune::models {

/// One entry of the built-in zoo.
struct ZooEntry
{
    std::string source; ///< "torchvision:resnet50"
    std::string name;
    model::TaskType task = model::TaskType::other;
    base::Message summary; ///< "Small residual network; quick to sweep"
    std::int64_t parameters = 0;
};

/// Returns the zoo. It is static data and needs no Python.
/// The list is the one in resources/exporter/apertune_exporter/sources/zoo.py; a test compares the two.
const std::vector<ZooEntry>& zoo();

} // namespace apertune::models
