// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/fake/script.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <stdexcept>

namespace fake {

namespace {

using Json = nlohmann::json;

template <typename T>
std::optional<T> member(const Json& json, const char* name)
{
    const auto it = json.find(name);
    return it == json.end() ? std::nullopt : std::optional<T>(it->get<T>());
}

Match readMatch(const Json& json)
{
    return {member<std::string>(json, "device"), member<std::string>(json, "level"),
            member<std::string>(json, "precision"), member<std::int64_t>(json, "batch"),
            member<std::int64_t>(json, "min_batch")};
}

Fault readFault(const Json& json, const std::filesystem::path& artifact)
{
    Fault fault{json.at("at").get<std::string>(),
                json.value("n", std::int64_t{1}),
                json.at("do").get<std::string>(),
                readMatch(json.value("when", Json::object())),
                {}};
    if (const auto once = member<std::string>(json, "once"))
        fault.once = artifact / *once;
    return fault;
}

} // namespace

bool Match::holds(const Configuration& configuration) const
{
    return (!device || *device == configuration.device) && (!level || *level == configuration.level) &&
           (!precision || *precision == configuration.precision) && (!batch || *batch == configuration.batch) &&
           (!minBatch || configuration.batch >= *minBatch);
}

Script readScript(const std::filesystem::path& artifact, const Configuration& configuration)
{
    std::ifstream in(artifact / "fake.json");
    if (!in)
        throw std::runtime_error("there is no fake.json in " + artifact.string());
    const Json json = Json::parse(in);

    Script s;
    const double batch = static_cast<double>(configuration.batch);
    const Json levels = json.value("levels", Json::object());
    const Json precision = json.value("precisions", Json::object()).value(configuration.precision, Json::object());
    s.latencyNs = (json.value("latency_ms", 0.3) + json.value("per_sample_ms", 0.0) * batch) * 1e6 *
                  levels.value(configuration.level, 1.0) * precision.value("factor", 1.0) *
                  json.value("threads", Json::object()).value(std::to_string(configuration.threads), 1.0);
    s.ignores = json.value("ignores", s.ignores);
    for (const auto& [name, factor] : json.value("switches", std::map<std::string, double>()))
        if (configuration.switches.contains(name) && !s.ignores.contains(name))
            s.latencyNs *= factor;
    s.error = precision.value("error", 0.0);
    const Json layer = precision.value("float_layer", Json::object());
    for (std::size_t kept = 0; kept < configuration.floatLayers; ++kept) {
        s.latencyNs *= layer.value("factor", 1.0);
        s.error *= layer.value("error", 1.0);
    }
    s.noise = json.value("noise", s.noise);
    const std::string wait = json.value("wait", "sleep");
    s.wait = wait == "spin" ? Script::Wait::spin : wait == "work" ? Script::Wait::work : Script::Wait::sleep;
    s.processNoise = json.value("process_noise", s.processNoise);
    s.slowNoise = json.value("slow_noise", s.slowNoise);
    if (const std::string slowdown = json.value("slowdown", std::string()); !slowdown.empty())
        s.slowdown = artifact / slowdown;
    if (const std::string exclusive = json.value("exclusive", std::string()); !exclusive.empty())
        s.exclusive = artifact / exclusive;
    s.loadNs = json.value("load_ms", 1.0) * 1e6;
    const Json memory = json.value("memory", Json::object());
    s.memory =
        memory.value("base", std::int64_t{0}) + memory.value("per_sample", std::int64_t{0}) * configuration.batch;
    s.memoryLimit = memory.value("limit", std::int64_t{0});
    s.classes = json.value("classes", s.classes);
    s.samples = json.value("samples", s.samples);
    s.detections = json.value("detections", false);
    s.unpacks = json.value("unpacks", false);
    for (const Json& fault : json.value("faults", Json::array()))
        if (Fault f = readFault(fault, artifact); f.when.holds(configuration))
            s.faults.push_back(std::move(f));
    for (const Json& op : json.value("operators", Json::array()))
        s.operators.push_back({op.at("name").get<std::string>(), op.value("shapes", std::string()),
                               op.value("share", 1.0), op.value("bytes", std::int64_t{0})});
    return s;
}

} // namespace fake
