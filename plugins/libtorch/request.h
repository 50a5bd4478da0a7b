// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/request.h"

#include <chrono>
#include <string>
#include <vector>

namespace apertune::libtorch {

using plugins::Precision;

/// What open() is asked for, checked for sense but not against the model.
struct Request : plugins::OpenRequest
{
    bool sixteenBit() const { return precision == Precision::bf16 || precision == Precision::fp16; }
    std::string deviceName() const;
};

/// The switches this backend knows, in the order of core/model/switches.h.
const std::vector<std::string>& knownSwitches();

/// Reads a request (see apertune_plugin.h). Throws Fault: BAD_INPUT when it is malformed, UNSUPPORTED when
/// it names what this backend does not have or combines what cannot be combined.
Request parseRequest(const char* json);

/// What ceilings() of apertune_plugin.h is asked for.
struct CeilingRequest
{
    bool cuda = false;
    int deviceIndex = 0; ///< of a CUDA device
    int threads = 0;     ///< 0: LibTorch's own choice
    std::vector<Precision> precisions;
    std::chrono::nanoseconds most{};
};

/// Throws Fault as parseRequest() does.
CeilingRequest parseCeilingRequest(const char* json);

} // namespace apertune::libtorch
