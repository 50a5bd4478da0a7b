// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/fault.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::plugins {

/// Storage type of floating-point tensors:
///
/// * tf32 is fp32 storage with the switch tf32 on.
/// * int8 is a quantized package; its remaining floating-point tensors are fp32.
/// * fp8 is a package with weights in float8_e4m3fn; everything else in it is bf16.
enum class Precision { fp32, tf32, bf16, fp16, int8, fp8 };

std::string_view toString(Precision precision);

/// A request of open() of apertune_plugin.h, the same for all engines. Backends derive from it.
struct OpenRequest
{
    std::filesystem::path artifact;
    std::optional<std::filesystem::path> package; ///< the file made for this engine
    std::string device = "cpu";                   ///< id of the device
    bool cuda = false;                            ///< the device is a CUDA device
    int deviceIndex = 0;                          ///< the number in the id
    Precision precision = Precision::fp32;
    std::string level; ///< "O0" …
    std::int64_t batch = 1;
    int threads = 0;             ///< 0: the engine's own choice
    std::uint32_t inputSets = 1; ///< within the limits of every backend
    std::map<std::string, bool, std::less<>> switches;

    bool on(std::string_view name) const; ///< a switch that is not mentioned is off
};

/// The abilities of a backend, for messages about what it lacks.
struct BackendTraits
{
    std::string name;
    std::vector<Precision> precisions;
    std::string precisionHint; ///< "Choose fp32."
    /// Types of device besides the CPU that the backend supports, present or not: "cuda".
    std::vector<std::string> accelerators{};
    std::string title{}; ///< name for people, set by a backend that opens a file format of its own
};

/// A switch of a backend, as in describe().
struct Switch
{
    const char* name;
    const char* summary;
};

/// Reads a request. It checks neither switches nor the model. Throws Fault BAD_INPUT when the request is malformed,
/// UNSUPPORTED when it names a precision or device that the backend does not have.
OpenRequest readRequest(const char* json, const BackendTraits& backend);

/// These functions parse single members, for requests of another form. They throw Fault like readRequest().
Precision parsePrecision(const std::string& name, const BackendTraits& backend);
void parseDevice(const std::string& name, const BackendTraits& backend, OpenRequest& request);

/// Throws Fault UNSUPPORTED.
[[noreturn]] void unsupported(std::string message, std::string hint);
/// Throws Fault BAD_INPUT for a mistake of the calling program, not of its user.
[[noreturn]] void malformed(const std::string& message, const std::string& detail = {});
[[noreturn]] void unknownSwitch(const std::string& name, const BackendTraits& backend);
/// Checks that every switch that is on is one of `known`. Throws like unknownSwitch().
void requireKnown(const OpenRequest& request, const std::vector<Switch>& known, const BackendTraits& backend);

/// Checks that the request names a file for the backend. Throws Fault BAD_INPUT.
void requireFile(const OpenRequest& request, const BackendTraits& backend);

} // namespace apertune::plugins
