// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/request.h"

#include <chrono>
#include <string>
#include <vector>

namespace apertune::libtorch {

using plugins::Precision;

/// A request of open(). It is well-formed, but was not checked against the model.
struct Request : plugins::OpenRequest
{
    bool sixteenBit() const { return precision == Precision::bf16 || precision == Precision::fp16; }
    std::string deviceName() const { return cuda ? "cuda:" + std::to_string(deviceIndex) : "cpu"; }
};

/// A request of ceilings() of apertune_plugin.h.
struct CeilingRequest
{
    bool cuda = false;
    int deviceIndex = 0; ///< index of the CUDA device
    int threads = 0;     ///< 0: LibTorch's own choice
    std::vector<Precision> precisions;
    std::chrono::nanoseconds most{};
};

} // namespace apertune::libtorch
