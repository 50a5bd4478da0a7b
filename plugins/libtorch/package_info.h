// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace apertune::libtorch {

/// An input of a compiled package. Name, type, shape and stride have to match exactly.
struct PackageInput
{
    std::string name;
    std::string dtype;
    std::vector<std::int64_t> shape; ///< −1: any size
    std::vector<std::int64_t> stride;
};

/// The contents of FILE.pt2.json, which the exporter writes beside a package.
struct PackageInfo
{
    std::string isa;               ///< "AVX512 AVX512_VNNI"; empty when not recorded
    std::string computeCapability; ///< digits only, "90"; empty for a CPU
    std::vector<PackageInput> inputs;
    std::uint64_t bytes = 0;
    std::vector<std::string> quantizedLayers; ///< int8 and fp8: the exporter's names of the layers
    std::map<std::string, int> int8Kernels;   ///< number of calls in the package's code, by kernel: "qconv_pointwise"
    std::map<std::string, int> floatKernels;  ///< number of calls for layers that are computed in float, by kernel
    std::optional<int> attentionCalls;        ///< number of scaled dot-product attentions in the model
    std::map<std::string, int> attentionKernels; ///< calls of fused attention kernels: "flash_attention_for_cpu"
};

} // namespace apertune::libtorch
