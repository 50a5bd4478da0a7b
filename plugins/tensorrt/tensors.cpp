// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/tensorrt/tensors.h"

#include "plugins/support/fault.h"
#include "plugins/support/float16.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace apertune::tensorrt {

using nvinfer1::DataType;
using plugins::Fault;

namespace {

struct Type
{
    DataType type;
    const char* name;
    std::size_t bytes;
};

constexpr std::array kTypes{Type{DataType::kFLOAT, "float32", 4}, Type{DataType::kHALF, "float16", 2},
                            Type{DataType::kBF16, "bfloat16", 2}, Type{DataType::kINT64, "int64", 8},
                            Type{DataType::kINT32, "int32", 4},   Type{DataType::kINT8, "int8", 1},
                            Type{DataType::kUINT8, "uint8", 1},   Type{DataType::kBOOL, "bool", 1}};

template <typename From, typename Wide, typename Convert>
void widen(const std::vector<char>& values, std::vector<char>& into, Convert&& convert)
{
    const std::size_t count = values.size() / sizeof(From);
    into.resize(count * sizeof(Wide));
    for (std::size_t i = 0; i < count; ++i) {
        From from{};
        std::memcpy(&from, values.data() + i * sizeof(From), sizeof(From));
        const Wide wide = convert(from);
        std::memcpy(into.data() + i * sizeof(Wide), &wide, sizeof(Wide));
    }
}

template <typename From>
void widenInteger(const std::vector<char>& values, std::vector<char>& into)
{
    widen<From, std::int64_t>(values, into, [](From value) { return static_cast<std::int64_t>(value); });
}

} // namespace

std::optional<DataType> elementType(const std::string& dtype)
{
    const auto it = std::find_if(kTypes.begin(), kTypes.end(), [&](const Type& type) { return dtype == type.name; });
    return it == kTypes.end() ? std::nullopt : std::optional(it->type);
}

std::string typeName(DataType type)
{
    const auto it = std::find_if(kTypes.begin(), kTypes.end(), [&](const Type& known) { return known.type == type; });
    return it == kTypes.end() ? "type " + std::to_string(static_cast<int>(type)) : it->name;
}

std::size_t bytesOf(DataType type)
{
    const auto it = std::find_if(kTypes.begin(), kTypes.end(), [&](const Type& known) { return known.type == type; });
    if (it == kTypes.end())
        throw Fault(APERTUNE_UNSUPPORTED,
                    "An output has the element " + typeName(type) + " of TensorRT, which cannot be compared.",
                    "Export the model with outputs of numbers.");
    return it->bytes;
}

apertune_dtype widened(DataType type, const std::vector<char>& values, std::vector<char>& into)
{
    switch (type) {
    case DataType::kFLOAT:
        into = values;
        return APERTUNE_FLOAT32;
    case DataType::kHALF:
        widen<std::uint16_t, float>(values, into, plugins::fromFloat16);
        return APERTUNE_FLOAT32;
    case DataType::kBF16:
        widen<std::uint16_t, float>(values, into, plugins::fromBfloat16);
        return APERTUNE_FLOAT32;
    case DataType::kINT64:
        into = values;
        break;
    case DataType::kINT32:
        widenInteger<std::int32_t>(values, into);
        break;
    case DataType::kINT8:
        widenInteger<std::int8_t>(values, into);
        break;
    default: // bool and uint8
        widenInteger<std::uint8_t>(values, into);
        break;
    }
    return APERTUNE_INT64;
}

nvinfer1::Dims dimsOf(const std::vector<std::int64_t>& shape)
{
    nvinfer1::Dims dims{};
    if (shape.size() > std::size(dims.d))
        throw Fault(APERTUNE_UNSUPPORTED,
                    "TensorRT takes tensors of at most " + std::to_string(std::size(dims.d)) + " dimensions.",
                    "Leave TensorRT out for this model.");
    dims.nbDims = static_cast<std::int32_t>(shape.size());
    std::copy(shape.begin(), shape.end(), dims.d);
    return dims;
}

std::vector<std::int64_t> shapeOf(const nvinfer1::Dims& dims)
{
    return {dims.d, dims.d + std::max(0, dims.nbDims)};
}

} // namespace apertune::tensorrt
