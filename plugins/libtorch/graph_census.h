// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>

#include <map>
#include <string>

namespace apertune::libtorch {

/// The number of nodes of each kind in a graph, including nested blocks and fused subgraphs.
using NodeKinds = std::map<std::string, std::size_t>;
NodeKinds countNodes(const torch::jit::Graph& graph);

/// Returns the kinds whose number differs: "aten::conv2d 53 -> 0, prim::mkldnn_convolution 0 -> 53". New kinds come
/// first, the others follow by size. At most `limit` are listed. Empty when the graphs are equal.
std::string differences(const NodeKinds& before, const NodeKinds& after, std::size_t limit);

/// A count of the tensors of a prepared module: parameters, buffers and constants in its graph.
struct TensorCensus
{
    std::size_t attributes = 0;                ///< parameters and buffers left in the module
    std::map<std::string, std::size_t> dtypes; ///< floating-point tensors by type
    std::size_t channelsLast = 0;              ///< 4-D weights whose strides are NHWC alone
    std::size_t channelsFirst = 0;             ///< 4-D weights whose strides are NCHW alone
    std::size_t opaque = 0;                    ///< weights in a private layout of oneDNN
};
TensorCensus countTensors(const torch::jit::Module& module);

/// Return whether a 4-D tensor's strides are NHWC and cannot be read as NCHW, and the reverse.
bool isOnlyChannelsLast(const at::Tensor& tensor);
bool isOnlyChannelsFirst(const at::Tensor& tensor);

} // namespace apertune::libtorch
