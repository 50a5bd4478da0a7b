// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/request.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace apertune::libtorch {

/// A tensor that a compiled package takes, exactly so.
struct PackageInput
{
    std::string name;
    std::string dtype;
    std::vector<std::int64_t> shape; ///< −1: any size
    std::vector<std::int64_t> stride;
};

/// What FILE.pt2.json, which the exporter writes beside a package, says about it.
struct PackageInfo
{
    std::string isa;               ///< "AVX512 AVX512_VNNI"; empty when not recorded
    std::string computeCapability; ///< digits only, "90"; empty for a CPU
    std::vector<PackageInput> inputs;
    std::uint64_t bytes = 0;
    std::vector<std::string> quantizedLayers;    ///< int8 and fp8: by the names that the exporter gives layers
    std::map<std::string, int> int8Kernels;      ///< "qconv_pointwise": how often its code calls it
    std::map<std::string, int> floatKernels;     ///< the same of layers that it computes in float
    std::optional<int> attentionCalls;           ///< how often the model computes scaled dot-product attention
    std::map<std::string, int> attentionKernels; ///< of those, by fused kernels: "flash_attention_for_cpu"
};

/// The switches of compiled packages. What the sidecar says under the name of one has to be what is asked for.
const std::vector<KnownSwitch>& packageSwitches();

/// Reads the sidecar and checks the package against the configuration and, for CPU code, against the instruction set
/// of this machine, before any of its code is loaded: a package runs only as it was compiled, and does not
/// check that itself. Throws Fault BAD_INPUT that says what differs.
PackageInfo checkPackage(const Request& request, const std::string& contentHash);

/// The parts of `isa` that the flags of /proc/cpuinfo lack.
std::vector<std::string> missingInstructions(const std::string& isa, const std::string& cpuFlags);

} // namespace apertune::libtorch
