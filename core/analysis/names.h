// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/op_class.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace apertune::analysis {

/// Returns the class of a device's kernel. It knows the kernels of cuDNN, cuBLAS, CUTLASS, Triton, MIOpen, rocBLAS and
/// PyTorch.
OpClass classifyKernel(std::string_view name);
/// Returns the class of an operator of PyTorch, oneDNN or TorchScript, or of an ONNX node by its type, also when
/// engines fused it.
OpClass classifyOperator(std::string_view name);

/// The effect of a call of the CUDA or HIP runtime or driver on the host thread that makes it.
enum class CallKind : std::uint8_t {
    other,
    launch,
    graphLaunch,
    copy,         ///< asynchronous by contract, but blocks when one end is pageable memory
    blockingCopy, ///< cudaMemcpy, hipMemcpyWithStream
    fill,
    blockingFill,
    synchronize,
    allocate, ///< device or pinned host memory
    release,
    compile,      ///< loads modules and libraries, makes a graph that was captured executable
    beginCapture, ///< launches after it become parts of a graph and do not run
    endCapture,
};
CallKind classifyCall(std::string_view name);

/// Returns a name without template arguments, parameters and return type: "at::native::vectorized_elementwise_kernel".
std::string shortName(std::string_view name);

} // namespace apertune::analysis
