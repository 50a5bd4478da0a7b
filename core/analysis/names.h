// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace apertune::analysis {

/// What a kernel or an operator does, told by its name; finer than WorkClass, which is made of it for colours.
enum class OpClass : std::uint8_t {
    other,
    matrixProduct,
    convolution,
    attention,
    elementwise, ///< also activations and chains of them that a compiler made
    normalization,
    reduction, ///< also softmax
    pooling,
    layout, ///< the same values in another order: NCHW ↔ NHWC, transposes, oneDNN reorders, aten::contiguous
    cast,   ///< the same values in another type
    copy,   ///< the same values elsewhere: copy_, clone, cat
    fill,
    indexing,   ///< gather, scatter, embedding, resampling
    allocation, ///< operators only: empty, resize_
    view,       ///< operators only: no data moves
    optimizer,
    communication,
};

/// The lasting word: "matrix_product", "elementwise", …
std::string_view toString(OpClass opClass);

/// Most of the arithmetic is multiply-add over operands that are used again and again.
bool isArithmetic(OpClass opClass);
/// Moves about as many bytes as it computes values: bound by memory on every device that there is.
bool isTraffic(OpClass opClass);

/// A kernel of a device. Kernels of cuDNN, cuBLAS, CUTLASS, Triton, MIOpen, rocBLAS and PyTorch are known.
OpClass classifyKernel(std::string_view name);
/// An operator of PyTorch, oneDNN or TorchScript, or a node of ONNX by its type, also as engines fuse them.
OpClass classifyOperator(std::string_view name);

/// What a call of the CUDA or HIP runtime or driver does to the host thread that makes it.
enum class CallKind : std::uint8_t {
    other,
    launch,
    graphLaunch,
    copy,         ///< asynchronous by contract; blocks all the same from or to pageable memory
    blockingCopy, ///< cudaMemcpy, hipMemcpyWithStream
    fill,
    blockingFill,
    synchronize,
    allocate, ///< of device or pinned host memory
    release,
    compile, ///< modules and libraries are loaded
};
CallKind classifyCall(std::string_view name);

/// A name without template arguments, parameters and return type: "at::native::vectorized_elementwise_kernel".
std::string shortName(std::string_view name);

} // namespace apertune::analysis
