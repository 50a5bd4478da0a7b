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
    std::string deviceName() const;
};

enum class Where { anywhere, cpu, cuda };

/// A switch that this backend knows. It stands in the list of the file that applies it and reads it back.
struct KnownSwitch
{
    std::string name;
    Where where = Where::anywhere;
};

/// All switches of this backend: the lists of the files that apply them, together.
const std::vector<KnownSwitch>& knownSwitches();

/// Reads a request (see apertune_plugin.h). Throws Fault BAD_INPUT when it is malformed, UNSUPPORTED when it names
/// something that this backend does not have or a combination that is not possible.
Request parseRequest(const char* json);

/// A request of ceilings() of apertune_plugin.h.
struct CeilingRequest
{
    bool cuda = false;
    int deviceIndex = 0; ///< index of the CUDA device
    int threads = 0;     ///< 0: LibTorch's own choice
    std::vector<Precision> precisions;
    std::chrono::nanoseconds most{};
};

/// Throws Fault as parseRequest() does.
CeilingRequest parseCeilingRequest(const char* json);

} // namespace apertune::libtorch
