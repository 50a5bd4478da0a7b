// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config.h"

#include "core/base/hash.h"

#include <algorithm>

namespace apertune::model {

namespace {
/// Whether a switch is part of the hash while it is off. A switch that only an engine knows always is; one of the
/// catalogue is when its declaration says so.
bool hashedWhenOff(const std::string& name)
{
    const SwitchInfo* info = findSwitch(name);
    return !info || info->hashedWhenOff;
}

std::string canonicalGroup(const Config& config, const std::string& deviceId)
{
    std::string text = deviceId + '|' + config.backend + '|';
    text += toString(config.level);
    text += '|';
    text += toString(config.precision);
    text += "|t" + std::to_string(config.threads);
    for (const auto& [name, on] : config.switches)
        if (on || hashedWhenOff(name))
            text += '|' + name + (on ? "=1" : "=0");
    if (const auto& made = config.quantization) {
        text += "|q" + std::to_string(made->samples) + '|' + made->images;
        for (const std::string& layer : made->floatLayers)
            text += '|' + layer;
    }
    return text;
}

/// "O2 bf16", "O1 int8−3".
std::string levelName(const Config& config)
{
    std::string text(toString(config.level));
    text += ' ';
    text += toString(config.precision);
    if (config.quantization && !config.quantization->floatLayers.empty())
        text += "−" + std::to_string(config.quantization->floatLayers.size());
    return text;
}

std::string threadMark(const Config& config)
{
    return config.threads > 0 ? " th" + std::to_string(config.threads) : std::string();
}

std::string joinedMarks(const Config& config, DeviceType device, const SwitchMap& given)
{
    std::string text;
    for (const std::string& mark : switchMarks(config, device, given))
        text += ' ' + mark;
    return text;
}
} // namespace

bool Config::isOn(const std::string& name) const
{
    const auto it = switches.find(name);
    return it != switches.end() && it->second;
}

bool Config::isReference() const
{
    return level == OptLevel::o0 && precision == Precision::fp32 &&
           // Any switch that is on makes it a configuration of its own.
           std::none_of(switches.begin(), switches.end(), [](const auto& entry) { return entry.second; });
}

bool Config::isCompiled() const
{
    return isOn("aoti");
}

bool Config::servesEveryBatch() const
{
    return isOn("aoti_dynamic_batch");
}

Config makeConfig(OptLevel level, Precision precision, int batch, int threads, DeviceType device)
{
    Config config;
    config.level = level;
    config.precision = precision;
    config.batch = batch;
    config.threads = threads;
    config.switches = expandLevel(level, precision, device);
    return config;
}

std::vector<std::string> switchMarks(const Config& config, DeviceType device, const SwitchMap& given)
{
    SwitchMap usual = expandLevel(config.level, config.precision, device);
    usual.insert(given.begin(), given.end());
    std::vector<std::string> marks;
    for (const auto& [name, on] : config.switches) {
        const auto it = usual.find(name);
        if ((it != usual.end() && it->second) != on)
            marks.push_back((on ? "+" : "−") + name);
    }
    return marks;
}

std::string shortName(const Config& config, DeviceType device, bool withThreads, const SwitchMap& given)
{
    // These two have the common levels. A level of another engine means nothing without the engine's name.
    const bool common = config.backend == "libtorch" || config.backend == "fake";
    return (common ? std::string() : config.backend + ' ') + levelName(config) + " b" + std::to_string(config.batch) +
           (withThreads ? threadMark(config) : std::string()) + joinedMarks(config, device, given);
}

std::string groupName(const Config& config, DeviceType device)
{
    return config.backend + ' ' + levelName(config) + threadMark(config) + joinedMarks(config, device, {});
}

std::string configHash(const Config& config, const std::string& deviceId)
{
    return base::sha256(canonicalGroup(config, deviceId) + "|b" + std::to_string(config.batch));
}

std::string groupKey(const Config& config, const std::string& deviceId)
{
    return base::sha256(canonicalGroup(config, deviceId));
}

} // namespace apertune::model
