// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::libtorch {

/// Storage type of floating-point tensors; tf32 is fp32 storage with the switch tf32 on.
enum class Precision { fp32, tf32, bf16, fp16 };

std::string_view toString(Precision precision);

/// What open() is asked for, checked for sense but not against the model.
struct Request
{
    std::filesystem::path artifact;
    bool cuda = false;
    int deviceIndex = 0; ///< of a CUDA device
    Precision precision = Precision::fp32;
    std::int64_t batch = 1;
    int threads = 0; ///< 0: LibTorch's own choice
    std::map<std::string, bool, std::less<>> switches;
    std::optional<std::filesystem::path> package;
    std::uint32_t inputSets = 1;

    bool on(std::string_view name) const; ///< a switch that is not mentioned is off
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
