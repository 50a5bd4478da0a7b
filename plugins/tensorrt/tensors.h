// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/api/apertune_plugin.h"

#include <NvInfer.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apertune::tensorrt {

/// Returns TensorRT's type for a type name of the manifest; nullopt for a type without TensorRT tensors.
std::optional<nvinfer1::DataType> elementType(const std::string& dtype);

/// Returns the name of a type: "float32", or "type 6" for a type that no manifest has.
std::string typeName(nvinfer1::DataType type);

/// Returns the bytes of one element. Throws Fault UNSUPPORTED for an output type that cannot be compared.
std::size_t bytesOf(nvinfer1::DataType type);

/// Converts values to a type of apertune_tensor: float32 or int64.
///
/// REQUIRES: bytesOf(type) does not throw.
apertune_dtype widened(nvinfer1::DataType type, const std::vector<char>& values, std::vector<char>& into);

nvinfer1::Dims dimsOf(const std::vector<std::int64_t>& shape);
std::vector<std::int64_t> shapeOf(const nvinfer1::Dims& dims); ///< with -1 for any extent

} // namespace apertune::tensorrt
