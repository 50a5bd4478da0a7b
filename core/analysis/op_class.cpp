// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/op_class.h"

#include <array>
#include <cstddef>

namespace apertune::analysis {

std::string_view toString(OpClass opClass)
{
    constexpr std::array<std::string_view, 17> kWords = {
        "other",     "matrix_product", "convolution", "attention", "elementwise",  "normalization",
        "reduction", "pooling",        "layout",      "cast",      "copy",         "fill",
        "indexing",  "allocation",     "view",        "optimizer", "communication"};
    return kWords[static_cast<std::size_t>(opClass)];
}

bool isArithmetic(OpClass c)
{
    return c == OpClass::matrixProduct || c == OpClass::convolution || c == OpClass::attention;
}

bool isTraffic(OpClass c)
{
    switch (c) {
    case OpClass::elementwise:
    case OpClass::normalization:
    case OpClass::reduction:
    case OpClass::pooling:
    case OpClass::layout:
    case OpClass::cast:
    case OpClass::copy:
    case OpClass::fill:
    case OpClass::indexing:
    case OpClass::optimizer:
        return true;
    default:
        return false;
    }
}

} // namespace apertune::analysis
