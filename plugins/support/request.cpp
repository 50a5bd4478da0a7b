// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/support/request.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace apertune::plugins {

namespace {

/// A larger number is an error of the caller; the sets would fill the memory.
constexpr std::uint32_t kMaxInputSets = 1024;

} // namespace

std::string_view toString(Precision precision)
{
    switch (precision) {
    case Precision::fp32:
        return "fp32";
    case Precision::tf32:
        return "tf32";
    case Precision::bf16:
        return "bf16";
    case Precision::fp16:
        return "fp16";
    case Precision::int8:
        return "int8";
    case Precision::fp8:
        return "fp8";
    }
    return "fp32";
}

void unsupported(std::string message, std::string hint)
{
    throw Fault(APERTUNE_UNSUPPORTED, std::move(message), std::move(hint));
}

void malformed(const std::string& message, const std::string& detail)
{
    throw Fault(APERTUNE_BAD_INPUT, message, "The request to the backend is wrong; please report it.", detail);
}

void unknownSwitch(const std::string& name, const BackendTraits& backend)
{
    unsupported("The " + backend.name + " backend does not know the switch " + name + ".", "Leave it off.");
}

void requireKnown(const OpenRequest& request, const std::vector<Switch>& known, const BackendTraits& backend)
{
    for (const auto& [name, value] : request.switches)
        if (value &&
            std::none_of(known.begin(), known.end(), [&text = name](const Switch& s) { return text == s.name; }))
            unknownSwitch(name, backend);
}

bool OpenRequest::on(std::string_view name) const
{
    const auto found = switches.find(name);
    return found != switches.end() && found->second;
}

Precision parsePrecision(const std::string& name, const BackendTraits& backend)
{
    for (const Precision precision : backend.precisions)
        if (name == toString(precision))
            return precision;
    unsupported("The " + backend.name + " backend has no precision " + name + ".", backend.precisionHint);
}

void parseDevice(const std::string& name, const BackendTraits& backend, OpenRequest& request)
{
    request.device = name;
    if (name == "cpu")
        return;
    const std::size_t colon = std::min(name.find(':'), name.size());
    const std::string word = name.substr(0, colon);
    if (std::find(backend.accelerators.begin(), backend.accelerators.end(), word) != backend.accelerators.end()) {
        const char* end = name.data() + name.size();
        const auto [rest, error] =
            std::from_chars(name.data() + std::min(colon + 1, name.size()), end, request.deviceIndex);
        if (error == std::errc() && rest == end && request.deviceIndex >= 0) {
            request.cuda = word == "cuda";
            return;
        }
    }
    std::string known = "cpu";
    for (const std::string& accelerator : backend.accelerators)
        known += (&accelerator == &backend.accelerators.back() ? " or " : ", ") + accelerator + ":N";
    unsupported("The " + backend.name + " backend has no device " + name + ".", "Choose " + known + ".");
}

OpenRequest readRequest(const char* json, const BackendTraits& backend)
{
    OpenRequest request;
    try {
        const nlohmann::json document = nlohmann::json::parse(json);
        const nlohmann::json& config = document.at("config");
        request.artifact = document.at("artifact").get<std::string>();
        parseDevice(document.at("device").get<std::string>(), backend, request);
        request.precision = parsePrecision(config.at("precision").get<std::string>(), backend);
        request.batch = config.at("batch").get<std::int64_t>();
        request.threads = config.value("threads", 0);
        request.level = config.value("level", "O0");
        if (const auto switches = config.find("switches"); switches != config.end())
            request.switches = switches->get<std::map<std::string, bool, std::less<>>>();
        if (const auto package = document.find("package"); package != document.end() && !package->is_null())
            request.package = package->get<std::string>();
        request.inputSets = document.value("inputs", 1U);
    } catch (const nlohmann::json::exception& e) {
        malformed("The request is not what apertune_plugin.h describes.", e.what());
    }
    if (request.batch < 1)
        malformed("The batch must be at least 1.");
    if (request.threads < 0)
        malformed("The number of threads must not be negative.");
    request.inputSets = std::clamp(request.inputSets, 1U, kMaxInputSets);
    return request;
}

void requireFile(const OpenRequest& request, const BackendTraits& backend)
{
    if (!request.package || request.package->empty())
        throw Fault(APERTUNE_BAD_INPUT, "There is no file of the model that " + backend.title + " opens.",
                    "Write it first: it is made from the imported model on demand.");
}

} // namespace apertune::plugins
