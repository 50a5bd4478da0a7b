// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/openvino/request.h"

#include "plugins/support/fault.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::openvino {

namespace {

using plugins::Fault;
using Json = nlohmann::json;

constexpr std::uint32_t kMaxInputSets = 1024;

[[noreturn]] void malformed(const std::string& message, const std::string& detail = {})
{
    throw Fault(APERTUNE_BAD_INPUT, message, "The request to the backend is wrong; please report it.", detail);
}

Precision parsePrecision(const std::string& name)
{
    for (const auto& [known, precision] :
         {std::pair("fp32", Precision::fp32), std::pair("bf16", Precision::bf16), std::pair("fp16", Precision::fp16)})
        if (name == known)
            return precision;
    throw Fault(APERTUNE_UNSUPPORTED, "The openvino backend has no precision " + name + ".",
                "Choose fp32, bf16 or fp16.");
}

} // namespace

bool Request::on(std::string_view name) const
{
    const auto found = switches.find(name);
    return found != switches.end() && found->second;
}

const std::vector<Switch>& knownSwitches()
{
    static const std::vector<Switch> kSwitches{
        {"streams", "A pass is cut into parts that run side by side, each on threads of its own"},
        {"cpu_pinning", "Threads stay on their cores"},
        {"model_cache", "The compiled model is kept on the disk, which makes the next load faster"},
    };
    return kSwitches;
}

Request parseRequest(const char* json)
{
    Request request;
    try {
        const Json document = Json::parse(json);
        const Json& config = document.at("config");
        request.artifact = document.at("artifact").get<std::string>();
        if (const auto device = document.at("device").get<std::string>(); device != "cpu")
            throw Fault(APERTUNE_UNSUPPORTED, "The openvino backend has no device " + device + ".", "Choose cpu.");
        request.precision = parsePrecision(config.at("precision").get<std::string>());
        request.batch = config.at("batch").get<std::int64_t>();
        request.threads = config.value("threads", 0);
        if (const auto switches = config.find("switches"); switches != config.end())
            request.switches = switches->get<std::map<std::string, bool, std::less<>>>();
        if (const auto package = document.find("package"); package != document.end() && package->is_string())
            request.model = package->get<std::string>();
        request.inputSets = std::clamp(document.value("inputs", 1U), 1U, kMaxInputSets);
    } catch (const Json::exception& e) {
        malformed("The request is not what apertune_plugin.h describes.", e.what());
    }
    if (request.batch < 1 || request.threads < 0)
        malformed("Batch and threads must not be negative.");
    if (request.model.empty())
        throw Fault(APERTUNE_BAD_INPUT, "There is no file of the model that OpenVINO opens.",
                    "Write it first: it is made from the imported model on demand.");
    for (const auto& [name, value] : request.switches)
        if (value && std::none_of(knownSwitches().begin(), knownSwitches().end(),
                                  [&known = name](const Switch& s) { return known == s.name; }))
            throw Fault(APERTUNE_UNSUPPORTED, "The openvino backend does not know the switch " + name + ".",
                        "Leave it off.");
    return request;
}

} // namespace apertune::openvino
