// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/grid.h"

#include "core/base/text.h"
#include "core/search/automatic_batches.h"
#include "core/search/defaults.h"
#include "core/search/errors.h"
#include "core/search/feasibility.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace apertune::search {

using base::Error;
using base::ErrorCode;
using model::Config;
using model::Device;
using model::SearchSpace;

namespace {

const BackendInfo* findBackend(const std::vector<BackendInfo>& backends, const std::string& name)
{
    const auto it = std::find_if(backends.begin(), backends.end(), [&](const auto& b) { return b.name == name; });
    return it == backends.end() ? nullptr : &*it;
}

base::Message suggestion(const std::string& name, const std::vector<std::string>& valid)
{
    return base::sentencesOf(
        {base::didYouMean(base::closestMatch(name, valid)), base::message<errors::kKnown>(base::join(valid))});
}

base::Status checkNames(const SearchSpace& space, const std::vector<BackendInfo>& backends)
{
    std::vector<std::string> backendNames;
    std::vector<std::string> switchNames;
    for (const model::SwitchInfo& info : model::switchCatalogue())
        switchNames.push_back(info.name);
    for (const BackendInfo& backend : backends) {
        if (!backend.forTests)
            backendNames.push_back(backend.name);
        // Engines may declare switches of their own, which are valid names too.
        for (const std::string& name : backend.switches)
            if (std::find(switchNames.begin(), switchNames.end(), name) == switchNames.end())
                switchNames.push_back(name);
    }
    for (const std::string& name : space.backends)
        if (!findBackend(backends, name))
            return Error{ErrorCode::invalidArgument,
                         base::message<errors::kNoBackend>(name),
                         {},
                         backendNames.empty() ? base::message<errors::kNoPlugins>() : suggestion(name, backendNames)};
    for (const auto& [name, values] : space.switches) {
        if (std::find(switchNames.begin(), switchNames.end(), name) == switchNames.end())
            return Error{
                ErrorCode::invalidArgument, base::message<errors::kNoSwitch>(name), {}, suggestion(name, switchNames)};
        if (values.empty())
            return Error{ErrorCode::invalidArgument,
                         base::message<errors::kSwitchWithoutValue>(name),
                         {},
                         base::message<errors::kWriteSwitch>(name)};
    }
    return {};
}

/// Gives a configuration its one spelling: fp32 with the switch on is tf32, and tf32 with the switch off is fp32.
void unifyTf32(Config& config, const Device& device)
{
    const auto it = config.switches.find("tf32");
    if (it == config.switches.end())
        return;
    if (it->second && config.precision == model::Precision::fp32)
        config.precision = model::Precision::tf32;
    else if (!it->second && config.precision == model::Precision::tf32)
        config.precision = model::Precision::fp32;
    // Other devices do not know the switch, and its name would make two configurations of one.
    if (!device.type.isNvidiaGpu() && config.precision == model::Precision::tf32)
        config.switches.erase(it);
}

/// The switches of a level on a backend; nullopt when the backend lacks the level or the precision.
std::optional<model::SwitchMap> levelSwitches(const BackendInfo& backend, model::OptLevel level,
                                              model::Precision precision, const Device& device)
{
    if (backend.levels.empty())
        return model::expandLevel(level, precision, device.type);
    const auto it = backend.levels.find(level);
    const auto& precisions = backend.precisionsFor(device.id);
    const bool offered =
        std::find(precisions.begin(), precisions.end(), model::toString(precision)) != precisions.end();
    return it == backend.levels.end() || !offered ? std::nullopt : std::optional(it->second);
}

/// All variants of one configuration that the switch axes of the space yield.
std::vector<Config> switchVariants(const Config& config, const SearchSpace& space, const Device& device,
                                   const BackendInfo& backend)
{
    std::vector<Config> configs{config};
    for (const auto& [name, values] : space.switches) {
        // The catalogue describes switches of the common levels; a backend with its own levels declares its own.
        const bool own = std::find(backend.switches.begin(), backend.switches.end(), name) != backend.switches.end();
        const model::SwitchInfo* info = backend.levels.empty() ? model::findSwitch(name) : nullptr;
        if (!info && !own)
            continue; // The switch belongs to another backend.
        const bool present = info ? (info->knownOn(device.type)) : own;
        std::vector<Config> next;
        for (bool value : std::set<bool>(values.begin(), values.end()))
            for (Config variant : configs) {
                // Off is the same as absent for a switch that the device does not know, so it is not written.
                if (present || value)
                    variant.switches[name] = value;
                next.push_back(std::move(variant));
            }
        configs = std::move(next);
    }
    for (Config& variant : configs)
        unifyTf32(variant, device);
    return configs;
}

/// Number of switches that differ from those of the level.
int deviations(const Config& config, const Device& device, const BackendInfo& backend)
{
    const model::SwitchMap level =
        levelSwitches(backend, config.level, config.precision, device).value_or(model::SwitchMap{});
    int count = 0;
    for (const auto& [name, on] : config.switches) {
        const auto it = level.find(name);
        // A switch that is off counts as absent on both sides.
        count += on != (it != level.end() && it->second);
    }
    return count;
}

/// Backends that open the device, or any device when `device` is empty. Where there is none, all backends: their
/// impossible configurations then say why.
std::vector<std::string> usableBackends(const std::vector<BackendInfo>& backends, const std::string& device = {})
{
    std::vector<std::string> names;
    std::vector<std::string> usable;
    for (const BackendInfo& backend : backends) {
        if (backend.forTests)
            continue;
        names.push_back(backend.name);
        const auto& ids = backend.deviceIds;
        // A device that no backend opens keeps all of them, so that the reasons are shown.
        if (device.empty() ? !ids.empty() : std::find(ids.begin(), ids.end(), device) != ids.end())
            usable.push_back(backend.name);
    }
    return usable.empty() ? names : usable;
}

/// Int8 with the first `kept` layers of space.sensitive in float.
model::Quantization mixedPrecision(const SearchSpace& space, std::size_t kept)
{
    std::vector<std::string> layers(space.sensitive.begin(),
                                    space.sensitive.begin() + static_cast<std::ptrdiff_t>(kept));
    std::sort(layers.begin(), layers.end());
    return {space.calibration, space.calibrationSamples, std::move(layers)};
}

/// One configuration, at batch 1, for each configuration group of a device.
std::vector<Config> groups(const SearchSpace& space, const Device& device, const std::vector<BackendInfo>& backends)
{
    std::vector<Config> all;
    for (const std::string& backend : space.backends)
        for (model::OptLevel level : space.levels)
            for (model::Precision precision : precisionsOf(space, level, device))
                // Threads are an axis of the CPU only; 0 stands for none.
                for (int threads : device.type.isCpu() ? space.threads : std::vector<int>{0}) {
                    const BackendInfo& info = *findBackend(backends, backend);
                    const auto switches = levelSwitches(info, level, precision, device);
                    if (!switches)
                        continue;
                    Config config{backend, level, precision, 1, threads, *switches};
                    const bool int8 = precision == model::Precision::int8 && !info.formats.empty();
                    const bool script = opensTorchScript(info);
                    // 0 layers in float is plain int8.
                    for (std::size_t kept = 0; kept <= (int8 && !script ? space.sensitive.size() : 0); ++kept)
                        for (Config& variant : switchVariants(config, space, device, info)) {
                            // A backend that loads TorchScript quantizes only while it compiles.
                            if (int8 && (!script || variant.isCompiled()))
                                variant.quantization = mixedPrecision(space, kept);
                            all.push_back(std::move(variant));
                        }
                }

    // Of equal configurations the one with the fewest explicit switches must come first, because the first is kept.
    const auto changes = [&](const Config& config) {
        return deviations(config, device, *findBackend(backends, config.backend));
    };
    std::stable_sort(all.begin(), all.end(), [&](const Config& a, const Config& b) { return changes(a) < changes(b); });
    // Levels are not part of it: two levels with the same switches are one configuration.
    std::set<std::tuple<std::string, model::Precision, int, model::SwitchMap, std::size_t>> seen;
    std::erase_if(all, [&](const Config& config) {
        const std::size_t kept = config.quantization ? config.quantization->floatLayers.size() : 0;
        return !seen.emplace(config.backend, config.precision, config.threads, config.switches, kept).second;
    });

    const auto rank = [&](const Config& config) {
        const int different = changes(config);
        const bool baseline =
            config.level == model::OptLevel::o0 && config.precision == model::Precision::fp32 && different == 0;
        // Baseline first, compiled configurations last; between them the levels from simple to strong.
        return std::tuple(!baseline, config.isCompiled(), config.level, different, config.precision);
    };
    std::stable_sort(all.begin(), all.end(), [&](const Config& a, const Config& b) { return rank(a) < rank(b); });
    return all;
}

/// Whether two GPUs are of one model, so that what was measured on one holds for the other.
bool areEqual(const Device& a, const Device& b)
{
    return a.type == b.type && a.type.hasOwnMemory() && a.name == b.name && a.memory == b.memory &&
           std::tie(a.computeMajor, a.computeMinor) == std::tie(b.computeMajor, b.computeMinor);
}

/// Leaves each group on one of the equal devices, in turns. The plain fp32 group stays on all: it is the reference of
/// quality, drift and speed-up on its device.
void spread(std::vector<PlannedConfiguration>& configurations, const std::vector<const Device*>& devices)
{
    std::set<std::string> done;
    for (const Device* first : devices) {
        if (done.contains(first->id))
            continue;
        std::vector<std::string> equal;
        for (const Device* other : devices)
            if (areEqual(*first, *other) || first == other)
                equal.push_back(other->id);
        done.insert(equal.begin(), equal.end());
        std::map<std::string, std::string> owners; // key: group; value: the device that measures it
        std::erase_if(configurations, [&](const PlannedConfiguration& planned) {
            if (std::find(equal.begin(), equal.end(), planned.device) == equal.end())
                return false;
            const Config& config = planned.config;
            if (config.isReference())
                return false;
            // The owners take turns: the number of groups so far picks the next device.
            const auto [at, added] = owners.emplace(model::groupKey(config, {}), equal[owners.size() % equal.size()]);
            return at->second != planned.device;
        });
    }
}

base::Status checkSize(const SearchSpace& space)
{
    std::size_t configurations = space.devices.size() * space.backends.size() * space.levels.size() *
                                 std::max<std::size_t>(space.precisions.size(), 1) * space.batches.size() *
                                 std::max<std::size_t>(space.threads.size(), 1);
    // Multiplying stops at the limit, so that the product cannot overflow.
    if (configurations <= kMaxConfigurations)
        configurations *= space.sensitive.size() + 1;
    for (const auto& [name, values] : space.switches)
        // The product is checked after each factor.
        if (configurations <= kMaxConfigurations)
            configurations *= std::set<bool>(values.begin(), values.end()).size();
    if (configurations <= kMaxConfigurations)
        return {};
    return Error{ErrorCode::invalidArgument,
                 base::message<errors::kTooManyConfigurations>(kMaxConfigurations),
                 {},
                 base::message<errors::kFewerAxes>()};
}

} // namespace

model::Trial plannedTrial(const PlannedConfiguration& configuration)
{
    model::Trial trial;
    trial.device = configuration.device;
    trial.config = configuration.config;
    if (!configuration.impossible.empty()) {
        trial.state = model::TrialState::pruned;
        trial.reason = configuration.impossible;
    }
    return trial;
}

base::Result<std::vector<PlannedConfiguration>> planGrid(const SearchSpace& space, const std::vector<Device>& devices,
                                                         const std::vector<BackendInfo>& backends,
                                                         const model::ModelRef& model,
                                                         std::optional<base::Bytes> mostMemory)
{
    auto filled = withDefaults(space, devices);
    if (!filled)
        return filled.error();
    const bool everyBackend = filled->backends == std::vector<std::string>{"all"};
    // "all" is resolved here, because it means what this machine can open.
    if (everyBackend)
        filled->backends = usableBackends(backends);
    for (const base::Status& status : {checkNames(*filled, backends), checkSize(*filled)})
        if (!status)
            return status.error();
    // A fixed batch makes larger default batches impossible, and a list of impossible trials would help nobody.
    const bool batchesChosen = !space.batches.empty() && space.batches.front() != SearchSpace::kAutoBatch;
    if (!model.dynamicBatch && !batchesChosen)
        filled->batches = {1};

    std::vector<PlannedConfiguration> configurations;
    std::vector<const Device*> chosen;
    for (const std::string& id : filled->devices) {
        const Device& device = *model::findDevice(devices, id);
        chosen.push_back(&device);
        if (everyBackend)
            // Each device has its own list, or a GPU's engines would give impossible rows on the CPU.
            filled->backends = usableBackends(backends, id);
        const std::vector<int> batches =
            filled->batches == std::vector{SearchSpace::kAutoBatch}
                ? automaticBatches(model, memoryLimit(device, mostMemory, space.memoryShare))
                : filled->batches;
        for (Config config : groups(*filled, device, backends))
            for (int batch : batches) {
                config.batch = batch;
                model::Reason impossible =
                    whyImpossible(config, device, *findBackend(backends, config.backend), model, filled->emulated);
                configurations.push_back({id, config, std::move(impossible)});
            }
    }
    if (filled->spread)
        spread(configurations, chosen);
    if (configurations.empty())
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNothingExists>(base::join(filled->backends)),
                     {},
                     base::message<errors::kSeeOffers>()};
    return configurations;
}

const Device* referenceDevice(const Device& device, const std::vector<Device>& devices,
                              const std::vector<BackendInfo>& backends)
{
    const auto opened = [&](const std::string& id) {
        return std::any_of(backends.begin(), backends.end(), [&](const BackendInfo& backend) {
            return backend.levels.empty() &&
                   std::find(backend.deviceIds.begin(), backend.deviceIds.end(), id) != backend.deviceIds.end();
        });
    };
    // A device that only engines with formats of their own open takes its reference from the CPU.
    if (!opened(device.id))
        for (const Device& other : devices)
            if (other.type.isCpu() && opened(other.id))
                return &other;
    return nullptr;
}

Config referenceConfig(const Config& config, const Device& device, const std::vector<BackendInfo>& backends,
                       const model::ModelRef& model)
{
    Config plain =
        model::makeConfig(model::OptLevel::o0, model::Precision::fp32, config.batch, config.threads, device.type);
    plain.backend = config.backend;
    const BackendInfo* own = findBackend(backends, config.backend);
    // An engine with the common levels is its own reference.
    if (!own || own->levels.empty())
        return plain;
    for (const BackendInfo& backend : backends) {
        plain.backend = backend.name;
        // Another engine with the common levels computes the reference where it can run the model.
        if (backend.levels.empty() && !backend.forTests && whyImpossible(plain, device, backend, model, false).empty())
            return plain;
    }
    return {config.backend, own->levels.begin()->first, model::Precision::fp32, config.batch,
            config.threads, own->levels.begin()->second};
}

} // namespace apertune::search
