// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/results/kit_trials.h"

#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/interchange/results/errors.h"
#include "core/interchange/results/reasons.h"
#include "core/model/json_codec.h"
#include "core/stats/block_stats.h"
#include "core/stats/summarize.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace apertune::interchange::results {

using base::Json;

namespace {

constexpr std::size_t kMostTrials = 1000;
constexpr std::size_t kMostBlocks = 10'000;
constexpr std::size_t kMostTensors = 64;
constexpr std::size_t kMostRank = 16;
constexpr std::size_t kLongestWord = 60;
constexpr std::size_t kLongestText = 300;
constexpr std::size_t kLongestReason = 2000;
constexpr std::int64_t kMostCount = 1'000'000'000;
constexpr std::int64_t kLongestNs = 1'000'000'000'000'000; ///< more than eleven days
constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;
/// The file states milliseconds with fewer digits than the blocks have.
constexpr double kRounding = 1e-6;

/// Thrown where a member is not as it has to be; kitTrials() turns it into an error.
struct Damaged
{
    base::Message why;
};

[[noreturn]] void refuse(const std::string& member)
{
    throw Damaged{base::message<reasons::kKitMember>(member)};
}

const Json& memberOf(const Json& object, const std::string& name)
{
    if (!object.is_object() || !object.contains(name))
        refuse(name);
    return object.at(name);
}

/// A text on one line. Empty ones are allowed where `least` is 0.
std::string textOf(const Json& object, const std::string& name, std::size_t most, std::size_t least = 1)
{
    const Json& value = memberOf(object, name);
    if (!value.is_string())
        refuse(name);
    auto text = value.get<std::string>();
    if (text.size() < least || text.size() > most)
        refuse(name);
    return base::printableLine(text);
}

/// A name as the kit's own files have them: letters, digits, dots, dashes and low lines.
std::string wordOf(const Json& object, const std::string& name)
{
    std::string word = textOf(object, name, kLongestWord);
    if (!std::all_of(word.begin(), word.end(), [](unsigned char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
        }))
        refuse(name);
    return word;
}

/// A SHA-256 in hexadecimal digits.
std::string hashOf(const Json& object, const std::string& name)
{
    constexpr std::size_t kDigits = 64;
    std::string hash = textOf(object, name, kDigits, kDigits);
    if (hash.find_first_not_of("0123456789abcdef") != std::string::npos)
        refuse(name);
    return hash;
}

std::int64_t asCount(const Json& value, const char* name, std::int64_t least, std::int64_t most)
{
    if (!value.is_number_integer())
        refuse(name);
    // An unsigned number above the range of the signed ones would wrap.
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(most))
        refuse(name);
    const auto count = value.get<std::int64_t>();
    if (count < least || count > most)
        refuse(name);
    return count;
}

std::int64_t countIn(const Json& object, const char* name, std::int64_t least, std::int64_t most)
{
    return asCount(memberOf(object, name), name, least, most);
}

double realOf(const Json& object, const std::string& name, double least, double most)
{
    const Json& value = memberOf(object, name);
    if (!value.is_number())
        refuse(name);
    const auto real = value.get<double>();
    if (!(real >= least) || !(real <= most))
        refuse(name);
    return real;
}

const Json& listOf(const Json& object, const std::string& name, std::size_t least, std::size_t most)
{
    const Json& list = memberOf(object, name);
    if (!list.is_array() || list.size() < least || list.size() > most)
        refuse(name);
    return list;
}

/// A time of the file in milliseconds.
base::Nanoseconds millisecondsOf(const Json& object, const std::string& name)
{
    return {std::llround(realOf(object, name, 0, static_cast<double>(kLongestNs) * 1e-6) * 1e6)};
}

std::optional<base::Bytes> bytesOf(const Json& object, const char* name)
{
    if (memberOf(object, name).is_null())
        return std::nullopt;
    return base::Bytes{countIn(object, name, 0, kMostBytes)};
}

/// A share or difference that may be missing. An infinite difference is written as null.
std::optional<double> optionalOf(const Json& object, const std::string& name, double least, double most)
{
    if (memberOf(object, name).is_null())
        return std::nullopt;
    return realOf(object, name, least, most);
}

model::ModelRef modelOf(const Json& json)
{
    model::ModelRef model;
    model.name = textOf(json, "name", kLongestText);
    model.source = textOf(json, "source", kLongestText, 0);
    model.taskType = model::taskTypeFromString(textOf(json, "family", kLongestWord, 0));
    model.contentHash = textOf(json, "content_hash", kLongestText, 0);
    model.files.clear();
    for (const Json& one : listOf(json, "inputs", 0, kMostTensors)) {
        model::TensorSpec input;
        input.name = textOf(one, "name", kLongestText, 0);
        input.dtype = wordOf(one, "dtype");
        for (const Json& extent : listOf(one, "shape", 0, kMostRank))
            input.shape.push_back(asCount(extent, "shape", 0, kMostCount));
        if (const Json& dim = memberOf(one, "batch_dim"); !dim.is_null())
            input.batchDim = static_cast<int>(asCount(dim, "batch_dim", 0, kMostRank));
        model.inputs.push_back(std::move(input));
    }
    return model;
}

model::Environment environmentOf(const Json& json)
{
    model::Environment environment;
    environment.os = textOf(json, "os", kLongestText, 0);
    environment.kernel = textOf(json, "kernel", kLongestText, 0);
    const Json& device = listOf(json, "devices", 1, 1).at(0);
    model::Device one;
    one.id = textOf(device, "id", kLongestWord);
    if (!model::isDeviceId(one.id))
        refuse("devices/id");
    one.type = model::typeOfDevice(one.id);
    one.name = textOf(device, "name", kLongestText);
    one.memory = {countIn(device, "memory_bytes", 0, kMostBytes)};
    one.driver = textOf(device, "driver", kLongestText, 0);
    environment.devices = {std::move(one)};
    // No others: a setting of the file must not stand for one of the import.
    const Json& settings = memberOf(json, "settings");
    for (const char* name : {"python", "machine", "processors"})
        environment.settings.emplace_back(name, textOf(settings, name, kLongestText, 0));
    return environment;
}

model::Config configOf(const Json& json, const std::string& engine)
{
    const auto read = model::configFromJson(json);
    if (!read || read->backend != engine || read->batch < 1 || read->batch > kMostCount || read->threads != 0 ||
        read->quantization)
        refuse("config");
    for (const auto& [name, on] : read->switches)
        if (name.size() > kLongestWord || name != base::printableLine(name))
            refuse("config");
    return *read;
}

model::Quality qualityOf(const Json& json)
{
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    model::Quality quality;
    quality.cosine = realOf(json, "cosine", -1, 1);
    quality.maxAbs = optionalOf(json, "max_abs", 0, kInfinite).value_or(kInfinite);
    quality.maxRel = optionalOf(json, "max_rel", 0, kInfinite).value_or(kInfinite);
    quality.nanCount = countIn(json, "nan_count", 0, kMostBytes);
    quality.top1Agreement = optionalOf(json, "top1_agreement", 0, 1);
    quality.top5Agreement = optionalOf(json, "top5_agreement", 0, 1);
    quality.samples = countIn(json, "samples", 1, kMostCount);
    return quality;
}

std::vector<model::Block> blocksOf(const Json& trial)
{
    std::vector<model::Block> blocks;
    for (const Json& json : listOf(trial, "blocks", 1, kMostBlocks)) {
        model::Block block;
        block.iterations = countIn(json, "iterations", 1, kMostCount);
        block.wall = {countIn(json, "wall_ns", 1, kLongestNs)};
        block.device = {countIn(json, "device_ns", 0, kLongestNs)};
        block.cpu = {countIn(json, "cpu_ns", 0, kLongestNs)};
        block.involuntarySwitches = countIn(json, "involuntary_switches", 0, kMostCount);
        blocks.push_back(block);
    }
    return blocks;
}

model::Measurement measurementOf(const Json& trial, const model::Config& config, const std::string& id)
{
    model::Measurement m;
    m.blocks = blocksOf(trial);
    std::vector<base::Nanoseconds> passes;
    for (const Json& pass : listOf(trial, "iterations_ns", 0, model::kMostPasses))
        passes.push_back({asCount(pass, "iterations_ns", 1, kLongestNs)});
    m.addPasses(passes);
    stats::summarize(m, config.batch);
    const Json& latency = memberOf(trial, "latency_ms");
    const double told = realOf(latency, "median", 0, static_cast<double>(kLongestNs)) / base::kMsPerNs;
    if (std::abs(told - m.latencyNs.value) > kRounding * m.latencyNs.value)
        throw Damaged{
            base::message<reasons::kKitContradicts>(id, base::formatSignificant(told * base::kMsPerNs),
                                                    base::formatSignificant(m.latencyNs.value * base::kMsPerNs))};
    m.first = millisecondsOf(latency, "first");
    m.load = millisecondsOf(trial, "load_ms");
    m.warmup = millisecondsOf(trial, "warmup_ms");
    m.warmupIterations = static_cast<int>(countIn(trial, "warmup_passes", 0, kMostCount));
    const Json& memory = memberOf(trial, "memory_bytes");
    m.memory = {bytesOf(memory, "process_peak"), bytesOf(memory, "allocator_peak"), bytesOf(memory, "device_peak")};
    if (const Json& quality = memberOf(trial, "quality"); !quality.is_null())
        m.quality = qualityOf(quality);
    else
        m.flags.push_back(model::TrialFlag::qualityUnavailable);
    // What summarize() finds follows from the blocks; what they cannot tell is taken from the file.
    for (const Json& flag : listOf(trial, "flags", 0, kMostTensors))
        for (const auto known : {model::TrialFlag::neverSteady, model::TrialFlag::belowQualityBound})
            if (flag == toString(known))
                m.flags.push_back(known);
    for (const Json& json : listOf(trial, "applied", 0, kMostTensors))
        m.applied.push_back({textOf(json, "switch", kLongestWord), model::AppliedState::notApplicable,
                             textOf(json, "evidence", kLongestText)});
    return m;
}

model::Trial trialOf(const Json& json, const KitRun& run, std::size_t number)
{
    model::Trial trial;
    const std::string id = "t" + std::to_string(number);
    trial.device = textOf(json, "device", kLongestWord);
    if (trial.device != run.environment.devices.front().id)
        refuse("device");
    trial.config = configOf(memberOf(json, "config"), run.engine);
    const std::string state = wordOf(json, "state");
    if (state == toString(model::TrialState::failed)) {
        trial.state = model::TrialState::failed;
        trial.reason = {model::ReasonKind::crash, base::foreignText(textOf(json, "reason", kLongestReason))};
        return trial;
    }
    if (state != toString(model::TrialState::ok))
        refuse("state");
    trial.state = model::TrialState::ok;
    trial.measurement = measurementOf(json, trial.config, id);
    return trial;
}

ForeignResults readKit(const Json& document)
{
    ForeignResults results;
    KitRun run;
    const Json& kit = memberOf(document, "kit");
    run.platform = wordOf(kit, "platform");
    run.platformTitle = textOf(kit, "title", kLongestWord);
    run.engine = wordOf(kit, "engine");
    run.manifestHash = hashOf(kit, "manifest_sha256");
    run.measuredUtc = textOf(kit, "measured", kLongestWord);
    run.apertune = textOf(kit, "apertune", kLongestWord);
    const Json& standIn = memberOf(kit, "stand_in");
    if (!standIn.is_boolean())
        refuse("stand_in");
    run.standIn = standIn.get<bool>();
    run.model = modelOf(memberOf(document, "model"));
    const Json& environment = memberOf(document, "environment");
    run.environment = environmentOf(environment);
    results.tool = run.engine;
    results.version = textOf(memberOf(environment, "engines"), run.engine, kLongestWord, 0);
    std::set<std::string> configurations;
    for (const Json& json : listOf(document, "trials", 1, kMostTrials)) {
        model::Trial trial = trialOf(json, run, run.trials.size() + 1);
        if (!configurations.insert(model::configHash(trial.config, trial.device)).second)
            refuse("trials");
        ForeignResult result;
        result.name = run.model.name;
        result.device = run.environment.devices.front().name;
        result.precision = toString(trial.config.precision);
        result.batch = trial.config.batch;
        if (trial.state == model::TrialState::ok)
            result.median = trial.measurement.latencyNs.value;
        else
            result.failure = trial.reason.message;
        results.results.push_back(std::move(result));
        run.trials.push_back(std::move(trial));
    }
    results.kit = std::move(run);
    return results;
}

base::Error damaged(base::Message why)
{
    return {base::ErrorCode::corrupt,
            base::message<errors::kDamagedTrials>(std::move(why)),
            {},
            base::message<errors::kRunKitAgain>()};
}

} // namespace

base::Result<ForeignResults> kitTrials(std::string_view text)
{
    const Json document = Json::parse(text, nullptr, false);
    // `apertune trial list` writes the same document of a workspace's trials, without their blocks.
    if (!document.is_object() || !document.contains("kit"))
        return damaged(base::message<reasons::kNotOfKit>());
    try {
        return readKit(document);
    } catch (const Damaged& found) {
        return damaged(found.why);
    }
}

} // namespace apertune::interchange::results
