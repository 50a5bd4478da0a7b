// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace apertune::analysis {

/// The work of a kernel or an operator, according to its name. It is finer than WorkClass, which groups it into
/// colours.
enum class OpClass : std::uint8_t {
    other,
    matrixProduct,
    convolution,
    attention,
    elementwise, ///< also activations, and chains of them that a compiler fused
    normalization,
    reduction, ///< also softmax
    pooling,
    layout, ///< copies values into another order: NCHW ↔ NHWC, transposes, oneDNN reorders, aten::contiguous
    cast,   ///< converts values to another type
    copy,   ///< copies values unchanged: copy_, clone, cat
    fill,
    indexing,   ///< gather, scatter, embedding, resampling
    allocation, ///< operators only: empty, resize_
    view,       ///< operators only: no data moves
    optimizer,
    communication,
};

/// The persistent name of a class: "matrix_product", "elementwise", …
std::string_view toString(OpClass opClass);

/// True for classes whose work is mostly multiply-add over operands that are used again and again.
bool isArithmetic(OpClass opClass);
/// True for classes that move about as many bytes as they compute values. Memory limits them on every current device.
bool isTraffic(OpClass opClass);

} // namespace apertune::analysis
