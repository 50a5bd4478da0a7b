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

/// Storage type of floating-point tensors; tf32 is fp32 storage with the switch tf32 on, int8 a package that was
/// quantized, what is left of floating point in it being fp32, fp8 a package with weights in float8_e4m3fn, all else in
/// it being bf16.
enum class Precision { fp32, tf32, bf16, fp16, int8, fp8 };

std::string_view toString(Precision precision);

/// What open() of apertune_plugin.h is asked for, whatever the engine. Backends derive from it.
struct OpenRequest
{
    std::filesystem::path artifact;
    std::optional<std::filesystem::path> package; ///< the file made for this engine
    std::string device = "cpu";                   ///< its id
    bool cuda = false;                            ///< it is a CUDA device
    int deviceIndex = 0;                          ///< the number in the id
    Precision precision = Precision::fp32;
    std::string level; ///< "O0" …
    std::int64_t batch = 1;
    int threads = 0;             ///< 0: the engine's own choice
    std::uint32_t inputSets = 1; ///< within the limits of every backend
    std::map<std::string, bool, std::less<>> switches;

    bool on(std::string_view name) const; ///< a switch that is not mentioned is off
};

/// What a backend has, for the sentences about what it has not.
struct BackendTraits
{
    std::string name;
    std::vector<Precision> precisions;
    std::string precisionHint;               ///< "Choose fp32."
    std::vector<std::string> accelerators{}; ///< "cuda": the words of devices besides the CPU, if maybe not here
    std::string title{};                     ///< for people; of a backend that opens a file of its own
};

/// A switch of a backend, as describe() tells it.
struct Switch
{
    const char* name;
    const char* summary;
};

/// Reads a request, checked for sense but not against switches or the model. Throws Fault: BAD_INPUT when it is
/// malformed, UNSUPPORTED when it names a precision or device that the backend does not have.
OpenRequest readRequest(const char* json, const BackendTraits& backend);

/// The parts, for requests of another form. Throw Fault as readRequest() does.
Precision parsePrecision(const std::string& name, const BackendTraits& backend);
void parseDevice(const std::string& name, const BackendTraits& backend, OpenRequest& request);

/// Throws Fault UNSUPPORTED.
[[noreturn]] void unsupported(std::string message, std::string hint);
/// Throws Fault BAD_INPUT: the caller made a mistake, not its user.
[[noreturn]] void malformed(const std::string& message, const std::string& detail = {});
[[noreturn]] void unknownSwitch(const std::string& name, const BackendTraits& backend);
/// That every switch that is on is one of `known`; throws as unknownSwitch() does.
void requireKnown(const OpenRequest& request, const std::vector<Switch>& known, const BackendTraits& backend);

/// That the file which was made for the backend is named; throws Fault BAD_INPUT.
void requireFile(const OpenRequest& request, const BackendTraits& backend);

} // namespace apertune::plugins
