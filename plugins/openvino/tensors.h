// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/api/apertune_plugin.h"

#include <openvino/runtime/tensor.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apertune::openvino {

/// Returns the element type for a type name of the manifest. Throws std::out_of_range for an unknown name.
ov::element::Type elementType(const std::string& dtype);

/// Joins one output of all parts of a pass along its batch dimension, in a type of apertune_tensor (float32 or int64).
/// Without a batch dimension, the first part's output is used. Throws Fault UNSUPPORTED for an element type that cannot
/// be compared.
apertune_dtype joined(const std::vector<ov::Tensor>& parts, std::optional<int> dim, std::vector<char>& values,
                      std::vector<std::int64_t>& shape);

} // namespace apertune::openvino
