// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/json_codec.h"

#include "core/base/json_optional.h"
#include "core/model/errors.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace apertune::model {

using base::Error;
using base::ErrorCode;
using base::Json;
using base::Result;

namespace {

/// Runs a reader and turns nlohmann's exceptions into an Error. It is the only try block of this file.
template <const base::MessageKind& kind, typename Reader>
auto guarded(Reader read) -> Result<decltype(read())>
{
    try {
        return read();
    } catch (const Json::exception& e) {
        return Error{ErrorCode::corrupt, base::message<kind>(e.what()), {}, base::message<errors::kOtherVersion>()};
    }
}

template <typename T>
std::optional<T> readOptional(const Json& json, const char* key)
{
    const auto it = json.find(key);
    if (it == json.end() || it->is_null())
        return std::nullopt;
    return it->get<T>();
}

std::optional<base::Bytes> readBytes(const Json& json, const char* key)
{
    if (const auto count = readOptional<std::int64_t>(json, key))
        return base::Bytes{*count};
    return std::nullopt;
}

/// Returns the value of a word. An unknown word throws, so that it is reported like a missing member.
template <typename T>
T require(std::optional<T> value, const std::string& word)
{
    if (!value)
        throw Json::other_error::create(599, "unknown word \"" + word + "\"", static_cast<const Json*>(nullptr));
    return *value;
}

Json pairs(const std::vector<std::pair<std::string, std::string>>& list)
{
    Json json = Json::object();
    for (const auto& [key, value] : list)
        json[key] = value;
    return json;
}

/// JSON has no NaN or infinity: both are written as null.
double readReal(const Json& json, const char* key)
{
    const Json& value = json.at(key);
    return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

SwitchMap readSwitches(const Json& json)
{
    SwitchMap switches;
    for (const auto& [key, value] : json.items())
        switches[key] = value.get<bool>();
    return switches;
}

Config readConfig(const Json& json)
{
    Config c;
    c.backend = json.at("backend").get<std::string>();
    const auto level = json.at("level").get<std::string>();
    c.level = require(levelFromString(level), level);
    const auto precision = json.at("precision").get<std::string>();
    c.precision = require(precisionFromString(precision), precision);
    c.batch = json.at("batch").get<int>();
    c.threads = json.value("threads", 0);
    c.switches = readSwitches(json.at("switches"));
    if (const auto made = json.find("quantization"); made != json.end() && made->is_object())
        c.quantization = Quantization{made->value("images", ""), made->value("samples", Quantization{}.samples),
                                      made->value("float_layers", std::vector<std::string>{})};
    return c;
}

Device readDevice(const Json& json)
{
    Device d;
    d.id = json.at("id").get<std::string>();
    const auto kind = json.at("kind").get<std::string>();
    // The id gives the vendor where the document names none.
    d.type = typeOfDevice(d.id);
    d.type.kind = require(deviceKindFromString(kind), kind);
    if (const Json vendor = json.value("vendor", Json()); !vendor.is_null())
        d.type.vendor = require(vendorFromString(vendor.get<std::string>()), vendor.get<std::string>());
    d.name = json.at("name").get<std::string>();
    d.uuid = json.value("uuid", "");
    d.memory.count = json.value("memory_bytes", std::int64_t{0});
    d.cores = json.value("cores", 0);
    d.threads = json.value("threads", 0);
    d.isa = json.value("isa", std::vector<std::string>{});
    d.computeMajor = json.value("compute_major", 0);
    d.computeMinor = json.value("compute_minor", 0);
    d.driver = json.value("driver", "");
    d.clockMhz = json.value("clock_mhz", 0);
    d.maxClockMhz = json.value("max_clock_mhz", 0);
    d.engines = json.value("engines", std::vector<std::string>{});
    return d;
}

} // namespace

Json toJson(const Config& c)
{
    Json switches = Json::object();
    for (const auto& [name, on] : c.switches)
        switches[name] = on;
    Json json{{"backend", c.backend}, {"level", toString(c.level)}, {"precision", toString(c.precision)},
              {"batch", c.batch},     {"threads", c.threads},       {"switches", switches}};
    if (const auto& made = c.quantization)
        json["quantization"] = {
            {"images", made->images}, {"samples", made->samples}, {"float_layers", made->floatLayers}};
    return json;
}

Json toJson(const Device& d)
{
    Json json{{"id", d.id},
              {"kind", toString(d.type.kind)},
              {"vendor", d.type.vendor == Vendor::unknown ? Json(nullptr) : Json(toString(d.type.vendor))},
              {"name", d.name},
              {"uuid", d.uuid},
              {"memory_bytes", d.memory.count},
              {"cores", d.cores},
              {"threads", d.threads},
              {"isa", d.isa},
              {"compute_major", d.computeMajor},
              {"compute_minor", d.computeMinor},
              {"driver", d.driver},
              {"clock_mhz", d.clockMhz},
              {"max_clock_mhz", d.maxClockMhz}};
    if (!d.engines.empty())
        json["engines"] = d.engines;
    return json;
}

Json toJson(const Environment& e)
{
    Json devices = Json::array();
    for (const Device& d : e.devices)
        devices.push_back(toJson(d));
    return {{"host", e.host},
            {"os", e.os},
            {"kernel", e.kernel},
            {"apertune", e.apertune},
            {"devices", devices},
            {"engines", pairs(e.engines)},
            {"settings", pairs(e.settings)},
            {"load_average", e.loadAverage}};
}

Json toJson(const Goal& g)
{
    Json percentiles = Json::object();
    for (const auto& [percent, most] : g.maxPercentiles)
        percentiles["p" + std::to_string(percent)] = most.count;
    return {{"objective", toString(g.objective)},
            {"also", alsoNames(g)},
            {"max_latency_ns", g.maxLatency ? Json(g.maxLatency->count) : Json(nullptr)},
            {"max_percentiles_ns", std::move(percentiles)},
            {"max_memory_bytes", base::orNull(g.maxMemory)},
            {"min_quality", g.minQuality},
            {"max_rel_error", base::orNull(g.maxRelError)},
            {"max_abs_error", base::orNull(g.maxAbsError)},
            {"max_energy_j", base::orNull(g.maxEnergy)},
            {"max_first_ns", g.maxFirst ? Json(g.maxFirst->count) : Json(nullptr)}};
}

Json toJson(const SearchSpace& s)
{
    Json levels = Json::array();
    for (OptLevel l : s.levels)
        levels.push_back(toString(l));
    Json precisions = Json::array();
    for (Precision p : s.precisions)
        precisions.push_back(toString(p));
    Json switches = Json::object();
    for (const auto& [name, values] : s.switches)
        switches[name] = values;
    Json json{{"backends", s.backends}, {"levels", levels},     {"precisions", precisions}, {"batches", s.batches},
              {"devices", s.devices},   {"threads", s.threads}, {"switches", switches},     {"emulated", s.emulated}};
    // Members at their default are left out: most studies do not have them.
    if (s.search)
        json["search"] = toString(*s.search);
    if (s.spread)
        json["spread"] = true;
    if (s.memoryShare)
        json["memory_share"] = *s.memoryShare;
    if (!s.calibration.empty())
        json["calibration"] = s.calibration;
    if (s.calibrationSamples != SearchSpace{}.calibrationSamples)
        json["calibration_samples"] = s.calibrationSamples;
    if (!s.sensitive.empty())
        json["sensitive"] = s.sensitive;
    return json;
}

Json toJson(const Quality& q)
{
    return {{"cosine", q.cosine},
            {"max_abs", q.maxAbs},
            {"max_rel", q.maxRel},
            {"nan_count", q.nanCount},
            {"top1_agreement", base::orNull(q.top1Agreement)},
            {"top5_agreement", base::orNull(q.top5Agreement)},
            {"samples", q.samples}};
}

Json toJson(const Applied& a)
{
    Json json{{"switch", a.name}, {"state", toString(a.state)}, {"evidence", a.evidence}};
    if (!a.layers.empty())
        json["layers"] = a.layers;
    return json;
}

Json toJson(const MemoryUse& m)
{
    return {{"process_peak", base::orNull(m.processPeak)},
            {"allocator_peak", base::orNull(m.allocatorPeak)},
            {"device_peak", base::orNull(m.devicePeak)}};
}

Json toJson(const Block& b)
{
    return {{"iterations", b.iterations},
            {"wall_ns", b.wall.count},
            {"device_ns", b.device.count},
            {"cpu_ns", b.cpu.count},
            {"involuntary_switches", b.involuntarySwitches},
            {"waited_ns", b.waited.count},
            {"clock", b.clock}};
}

namespace {

Json energyJson(const Energy& energy)
{
    Json stretches = Json::array();
    for (const EnergyStretch& stretch : energy.stretches)
        stretches.push_back({stretch.joules, stretch.passes, stretch.time.count});
    return {{"source", toString(energy.source)},
            {"batch", energy.batch},
            {"idle_w", energy.idleWatts},
            {"stretches", std::move(stretches)}};
}

Json startsJson(const std::vector<Start>& starts)
{
    Json list = Json::array();
    for (const Start& start : starts)
        list.push_back({{"load_ns", start.load.count}, {"first_ns", start.first.count}, {"cold", start.cold}});
    return list;
}

} // namespace

Json toJson(const Conditions& c)
{
    Json json{{"wall_ns", c.wall.count},         {"waited_ns", c.waited.count},     {"span_ns", c.span.count},
              {"others_ns", c.others.count},     {"stolen_ns", c.steal.count},      {"pressed_ns", c.pressure.count},
              {"processors", c.processors},      {"contended_blocks", c.contended}, {"throttled_blocks", c.throttled},
              {"discarded_blocks", c.discarded}, {"clock_low", c.clockLow},         {"clock_high", c.clockHigh}};
    if (c.driftReading)
        json["sentinel"] = {{"identity", c.driftReading->identity},
                            {"latency_ns", c.driftReading->latencyNs},
                            {"uncertainty", c.driftReading->uncertainty},
                            {"change", c.driftReading->change}};
    if (c.gpu)
        json["gpu"] = {{"clock_low_mhz", c.gpu->clockLow},
                       {"clock_high_mhz", c.gpu->clockHigh},
                       {"power_cap_mw", c.gpu->powerCap},
                       {"capped_ns", c.gpu->cappedTime.count},
                       {"heat_ns", c.gpu->heatTime.count},
                       {"other_processes", c.gpu->otherProcesses},
                       {"other_memory_bytes", c.gpu->otherMemory.count},
                       {"other_load", c.gpu->otherLoad}};
    if (c.energy)
        json["energy"] = energyJson(*c.energy);
    if (!c.starts.empty())
        json["starts"] = startsJson(c.starts);
    if (c.sandbox)
        json["sandbox"] = *c.sandbox;
    if (!c.machine.empty())
        json["machine"] = c.machine;
    return json;
}

Json toJson(const Interference& i)
{
    Json devices = Json::array();
    for (const Interference::Slowdown& s : i.slowdowns)
        devices.push_back({{"device", s.device},
                           {"config", toJson(s.config)},
                           {"ratio", s.ratio.value},
                           {"lo", s.ratio.lo},
                           {"hi", s.ratio.hi},
                           {"confidence", s.ratio.confidence},
                           {"pairs", s.pairs}});
    return {{"verdict", toString(i.verdict)}, {"bound", i.bound}, {"devices", devices}, {"text", base::toJson(i.text)}};
}

Result<Config> configFromJson(const Json& json)
{
    return guarded<errors::kUnreadableConfiguration>([&] { return readConfig(json); });
}

Result<Device> deviceFromJson(const Json& json)
{
    return guarded<errors::kUnreadableDevice>([&] { return readDevice(json); });
}

Result<Goal> goalFromJson(const Json& json)
{
    return guarded<errors::kUnreadableGoal>([&] {
        Goal g;
        const auto objective = json.at("objective").get<std::string>();
        g.objective = require(objectiveFromString(objective), objective);
        for (const std::string& further : json.value("also", std::vector<std::string>()))
            g.also.push_back(require(objectiveFromString(further), further));
        if (const auto ns = readOptional<std::int64_t>(json, "max_latency_ns"))
            g.maxLatency = base::Nanoseconds{*ns};
        const auto percentiles = json.value("max_percentiles_ns", std::map<std::string, std::int64_t>());
        for (const int percent : kBoundPercentiles)
            if (const auto most = percentiles.find("p" + std::to_string(percent)); most != percentiles.end())
                g.maxPercentiles[percent] = base::Nanoseconds{most->second};
        g.maxMemory = readBytes(json, "max_memory_bytes");
        g.minQuality = json.value("min_quality", Goal{}.minQuality);
        g.maxRelError = readOptional<double>(json, "max_rel_error");
        g.maxAbsError = readOptional<double>(json, "max_abs_error");
        g.maxEnergy = readOptional<double>(json, "max_energy_j");
        if (const auto ns = readOptional<std::int64_t>(json, "max_first_ns"))
            g.maxFirst = base::Nanoseconds{*ns};
        return g;
    });
}

Result<SearchSpace> searchSpaceFromJson(const Json& json)
{
    return guarded<errors::kUnreadableSpace>([&] {
        SearchSpace s;
        s.backends = json.at("backends").get<std::vector<std::string>>();
        for (const auto& word : json.at("levels").get<std::vector<std::string>>())
            s.levels.push_back(require(levelFromString(word), word));
        for (const auto& word : json.at("precisions").get<std::vector<std::string>>())
            s.precisions.push_back(require(precisionFromString(word), word));
        s.batches = json.at("batches").get<std::vector<int>>();
        s.devices = json.at("devices").get<std::vector<std::string>>();
        s.threads = json.at("threads").get<std::vector<int>>();
        for (const auto& [name, values] : json.at("switches").items())
            s.switches[name] = values.get<std::vector<bool>>();
        s.emulated = json.value("emulated", false);
        s.spread = json.value("spread", false);
        s.memoryShare = readOptional<double>(json, "memory_share");
        if (const auto word = json.value("search", std::string()); !word.empty())
            s.search = require(searchAlgorithmFromString(word), word);
        s.calibration = json.value("calibration", "");
        s.sensitive = json.value("sensitive", std::vector<std::string>{});
        s.calibrationSamples = json.value("calibration_samples", SearchSpace{}.calibrationSamples);
        return s;
    });
}

Result<Quality> qualityFromJson(const Json& json)
{
    return guarded<errors::kUnreadableQuality>([&] {
        Quality q;
        q.cosine = readReal(json, "cosine");
        q.maxAbs = readReal(json, "max_abs");
        q.maxRel = readReal(json, "max_rel");
        q.nanCount = json.at("nan_count").get<std::int64_t>();
        q.top1Agreement = readOptional<double>(json, "top1_agreement");
        q.top5Agreement = readOptional<double>(json, "top5_agreement");
        q.samples = json.value("samples", std::int64_t{0});
        return q;
    });
}

Result<Applied> appliedFromJson(const Json& json)
{
    return guarded<errors::kUnreadableSwitchReport>([&] {
        Applied a;
        a.name = json.at("switch").get<std::string>();
        const auto state = json.at("state").get<std::string>();
        a.state = require(appliedStateFromString(state), state);
        a.evidence = json.value("evidence", "");
        a.layers = json.value("layers", std::vector<std::string>{});
        return a;
    });
}

Result<MemoryUse> memoryFromJson(const Json& json)
{
    return guarded<errors::kUnreadableMemoryReport>([&] {
        return MemoryUse{readBytes(json, "process_peak"), readBytes(json, "allocator_peak"),
                         readBytes(json, "device_peak")};
    });
}

Result<Block> blockFromJson(const Json& json)
{
    return guarded<errors::kUnreadableBlock>([&] {
        Block b;
        b.iterations = json.at("iterations").get<std::int64_t>();
        b.wall.count = json.at("wall_ns").get<std::int64_t>();
        b.device.count = json.value("device_ns", std::int64_t{0});
        b.cpu.count = json.value("cpu_ns", std::int64_t{0});
        b.involuntarySwitches = json.value("involuntary_switches", std::int64_t{0});
        b.waited.count = json.value("waited_ns", std::int64_t{0});
        b.clock = json.value("clock", 0.0);
        return b;
    });
}

namespace {

Energy readEnergy(const Json& json)
{
    Energy energy;
    const auto source = json.at("source").get<std::string>();
    energy.source = require(energySourceFromString(source), source);
    energy.batch = json.value("batch", 0);
    energy.idleWatts = json.value("idle_w", 0.0);
    for (const Json& stretch : json.at("stretches"))
        energy.stretches.push_back(
            {stretch.at(0).get<double>(), stretch.at(1).get<std::int64_t>(), {stretch.at(2).get<std::int64_t>()}});
    return energy;
}

/// The energy of workspaces that kept it with the GPU, as one sum.
std::optional<Energy> readFormerEnergy(const Json& gpu)
{
    const double millijoules = gpu.value("energy_mj", 0.0);
    const auto passes = gpu.value("energy_passes", std::int64_t{0});
    if (!(millijoules > 0) || passes <= 0)
        return std::nullopt;
    Energy energy;
    energy.source = gpu.value("energy_integrated", false) ? EnergySource::gpuPower : EnergySource::gpuCounter;
    energy.stretches.push_back({millijoules * 1e-3, passes, {gpu.value("energy_ns", std::int64_t{0})}});
    return energy;
}

} // namespace

Result<Conditions> conditionsFromJson(const Json& json)
{
    return guarded<errors::kUnreadableConditions>([&] {
        const auto count = [&](const char* name) { return json.value(name, std::int64_t{0}); };
        Conditions c;
        c.wall.count = count("wall_ns");
        c.waited.count = count("waited_ns");
        c.span.count = count("span_ns");
        c.others.count = count("others_ns");
        c.steal.count = count("stolen_ns");
        c.pressure.count = count("pressed_ns");
        c.processors = json.value("processors", 0);
        c.contended = count("contended_blocks");
        c.throttled = count("throttled_blocks");
        c.discarded = count("discarded_blocks");
        c.clockLow = json.value("clock_low", 0.0);
        c.clockHigh = json.value("clock_high", 0.0);
        if (const auto it = json.find("sentinel"); it != json.end())
            c.driftReading = DriftReading{it->at("identity").get<std::string>(), it->at("latency_ns").get<double>(),
                                          it->at("uncertainty").get<double>(), it->at("change").get<double>()};
        if (const auto it = json.find("gpu"); it != json.end() && it->is_object()) {
            const auto number = [&](const char* name) { return it->value(name, std::int64_t{0}); };
            GpuConditions& gpu = c.gpu.emplace();
            gpu.clockLow = it->value("clock_low_mhz", 0);
            gpu.clockHigh = it->value("clock_high_mhz", 0);
            gpu.powerCap = number("power_cap_mw");
            gpu.cappedTime.count = number("capped_ns");
            gpu.heatTime.count = number("heat_ns");
            gpu.otherProcesses = it->value("other_processes", 0);
            gpu.otherMemory.count = number("other_memory_bytes");
            gpu.otherLoad = it->value("other_load", 0);
            c.energy = readFormerEnergy(*it);
        }
        if (const auto it = json.find("energy"); it != json.end() && it->is_object())
            c.energy = readEnergy(*it);
        if (const auto it = json.find("starts"); it != json.end() && it->is_array())
            for (const Json& start : *it)
                c.starts.push_back({{start.at("load_ns").get<std::int64_t>()},
                                    {start.at("first_ns").get<std::int64_t>()},
                                    start.value("cold", false)});
        if (const auto it = json.find("sandbox"); it != json.end() && it->is_array())
            c.sandbox = it->get<std::vector<std::string>>();
        c.machine = json.value("machine", std::string());
        return c;
    });
}

Result<Interference> interferenceFromJson(const Json& json)
{
    return guarded<errors::kUnreadableInterference>([&] {
        Interference i;
        const auto word = json.at("verdict").get<std::string>();
        i.verdict = require(interferenceVerdictFromString(word), word);
        i.bound = readReal(json, "bound");
        for (const Json& s : json.at("devices"))
            i.slowdowns.push_back(
                {s.at("device").get<std::string>(), readConfig(s.at("config")),
                 Interval{readReal(s, "ratio"), readReal(s, "lo"), readReal(s, "hi"), readReal(s, "confidence")},
                 s.at("pairs").get<std::int64_t>()});
        i.text = base::messageFromJson(json.at("text"));
        return i;
    });
}

Result<Json> parseJson(std::string_view text)
{
    return guarded<errors::kUnreadableJson>([&] { return Json::parse(text); });
}

} // namespace apertune::model
