// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/api/apertune_plugin.h"

#include <openvino/runtime/tensor.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apertune::openvino {

/// Of a type as the manifest calls it. Throws std::out_of_range for an unknown one.
ov::element::Type elementType(const std::string& dtype);

/// One output of all parts of a pass as apertune_tensor wants it, float32 or int64, put together along its batch
/// dimension; without one the first part's. Throws Fault: UNSUPPORTED for an element type that cannot be compared.
apertune_dtype joined(const std::vector<ov::Tensor>& parts, std::optional<int> dim, std::vector<char>& values,
                      std::vector<std::int64_t>& shape);

} // namespace apertune::openvino
