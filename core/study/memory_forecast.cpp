// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/memory_forecast.h"

#include "core/search/automatic_batches.h"
#include "core/search/defaults.h"
#include "core/study/errors.h"
#include "core/study/reasons.h"

#include <algorithm>
#include <map>
#include <set>

namespace apertune::study {

using search::MemoryModel;

namespace {

constexpr int kLargestDefaultBatch = 64;
constexpr std::size_t kStudiesRead = 24; ///< newest studies that calibrate, because plans are made while a user types

/// The peaks of one configuration group.
struct GroupPeaks
{
    model::ModelRef model;
    std::string device;
    model::Config config; ///< configuration of the first measured batch
    std::vector<search::PeakOfBatch> peaks;

    base::Bytes highest() const
    {
        base::Bytes most;
        for (const auto& [batch, peak] : peaks)
            most = std::max(most, peak);
        return most;
    }
    std::size_t batches() const
    {
        std::set<int> different;
        for (const auto& [batch, peak] : peaks)
            different.insert(batch);
        return different.size();
    }
};

/// The groups that the newest studies measured on the given devices of this machine.
base::Result<std::vector<GroupPeaks>> measuredGroups(const store::Store& store, const model::Environment& environment,
                                                     const std::vector<model::Device>& devices)
{
    const auto studies = store.studies();
    if (!studies)
        return studies.error();
    // Groups keep the order in which they were seen, newest study first.
    std::vector<GroupPeaks> groups;
    std::map<std::string, std::size_t> positions; // key: content hash and group
    for (std::size_t s = 0; s < std::min(studies->size(), kStudiesRead); ++s) {
        // Studies without a measured trial calibrate nothing.
        if ((*studies)[s].ok == 0)
            continue;
        const auto study = store.study((*studies)[s].id);
        if (!study)
            return study.error();
        // Blocks are not loaded: only peaks are read.
        const auto trials = store.trials((*studies)[s].id, false);
        if (!trials)
            return trials.error();
        for (const model::Trial& trial : *trials) {
            const model::Device* device = model::findDevice(devices, trial.device);
            if (!device || trial.state != model::TrialState::ok ||
                // A peak of another machine is no measurement: engines pick their kernels by the processor.
                model::machineKey(study->environment, *device) != model::machineKey(environment, *device))
                continue;
            const auto& peak = trial.measurement.memory.peakOn(device->type);
            if (!peak)
                continue;
            // The same model under another name is the same model.
            const std::string key = study->model.contentHash + " " + model::groupKey(trial.config, trial.device);
            const auto [at, added] = positions.emplace(key, groups.size());
            if (added)
                groups.push_back({study->model, trial.device, trial.config, {}});
            groups[at->second].peaks.push_back({trial.config.batch, *peak});
        }
    }
    return groups;
}

/// The memory of an engine itself on a device: by other models' peaks, by its resident memory, or as assumed.
search::EngineMemory engineOf(const std::vector<GroupPeaks>& groups, const search::BackendInfo& backend,
                              const model::Device& device)
{
    std::vector<base::Bytes> rests;
    for (const GroupPeaks& group : groups) {
        if (group.device != device.id || group.config.backend != backend.name)
            continue;
        const MemoryModel line(group.model, group.config.precision, {}, group.peaks);
        // The smallest batch has the least memory for activations, so what remains is closest to the engine's own.
        const auto smallest = std::min_element(group.peaks.begin(), group.peaks.end(),
                                               [](const auto& a, const auto& b) { return a.batch < b.batch; });
        // MemoryModel counts the parameters twice, and the rest of a line holds the second copy.
        const search::MemoryEstimate known = line.at(smallest->batch);
        rests.push_back({std::max<std::int64_t>(0, known.rest.count - known.parameters.count)});
    }
    // Other models of this engine are the best evidence, then what the engine itself reports, then a table.
    if (!rests.empty())
        return search::engineMemory(std::move(rests));
    if (device.type.isCpu() && backend.resident.count > 0)
        return search::engineMemory(backend.resident);
    return search::assumedEngineMemory();
}

/// Number of pixels of a square image of `side` over that of the model's own; nullopt where its input is no image.
std::optional<double> areaRatioOf(const model::ModelRef& model, int side)
{
    for (const model::TensorSpec& input : model.inputs)
        // NCHW: height and width are the last two. A side of 1 is a vector and no image.
        if (input.shape.size() == 4 && input.shape[2] > 1 && input.shape[3] > 1)
            return static_cast<double>(side) * side / static_cast<double>(input.shape[2] * input.shape[3]);
    return std::nullopt;
}

/// The group that an estimate goes through; nullptr when none was measured.
const GroupPeaks* calibrating(const std::vector<GroupPeaks>& groups, const model::ModelRef& model,
                              const std::string& device, const std::string& backend, model::Precision precision)
{
    const GroupPeaks* best = nullptr;
    for (const GroupPeaks& group : groups) {
        if (group.model.contentHash != model.contentHash || model.contentHash.empty() || group.device != device ||
            group.config.backend != backend || group.config.precision != precision)
            continue;
        // More batches make a better line. Of equal ones, the higher peak is the safer choice.
        if (!best || std::pair(group.batches(), group.highest()) > std::pair(best->batches(), best->highest()))
            best = &group;
    }
    return best;
}

std::vector<int> batchesOf(const MemoryQuestion& question, const GroupPeaks* measured, bool dynamicBatch)
{
    std::set<int> batches(question.batches.begin(), question.batches.end());
    if (batches.empty())
        // Powers of two are what a sweep would measure.
        for (int batch = 1; batch <= (dynamicBatch ? kLargestDefaultBatch : 1); batch *= 2)
            batches.insert(batch);
    if (measured && question.batches.empty())
        for (const auto& [batch, peak] : measured->peaks)
            batches.insert(batch);
    return {batches.begin(), batches.end()};
}

MemoryForecast forecastOf(const MemoryModel& line, const GroupPeaks* measured, const std::vector<int>& batches,
                          const std::optional<base::Bytes>& limit, bool dynamicBatch)
{
    MemoryForecast forecast;
    forecast.basis = line.basis();
    forecast.limit = limit;
    for (const int batch : batches) {
        MemoryForecast::Point point{batch, line.at(batch)};
        if (measured)
            for (const auto& [at, peak] : measured->peaks)
                if (at == batch)
                    point.measured = std::max(point.measured.value_or(base::Bytes{}), peak);
        forecast.points.push_back(point);
    }
    // Without a variable batch there is no largest one to name.
    if (limit && dynamicBatch) {
        forecast.largestBatch = line.largestBatch(*limit);
        forecast.surelyFits = line.surelyFits(*limit);
    }
    std::vector<double> errors = line.errors();
    std::sort(errors.begin(), errors.end());
    forecast.comparedBatches = static_cast<int>(errors.size());
    // The middle element is the median up to one rank, which is enough for a remark.
    if (!errors.empty()) {
        forecast.medianError = errors[errors.size() / 2];
        forecast.largestError = errors.back();
    }
    return forecast;
}

} // namespace

base::Result<std::vector<MemoryForecast>>
memoryForecast(const store::Store& store, const model::Environment& environment, const model::ModelRef& model,
               const std::vector<model::Device>& devices, const std::vector<search::BackendInfo>& backends,
               const MemoryQuestion& question)
{
    model::SearchSpace space;
    space.devices = question.devices;
    const auto filled = search::withDefaults(space, devices);
    if (!filled)
        return filled.error();
    const auto groups = measuredGroups(store, environment, devices);
    if (!groups)
        return groups.error();
    const std::vector<int> sizes = question.imageSizes.empty() ? std::vector{0} : question.imageSizes;
    std::vector<MemoryForecast> forecasts;
    for (const std::string& id : filled->devices) {
        const model::Device* device = model::findDevice(devices, id);
        const auto limit = search::memoryLimit(*device, question.maxMemory, question.memoryShare);
        for (const search::BackendInfo& backend : backends) {
            const bool named =
                std::find(question.backends.begin(), question.backends.end(), backend.name) != question.backends.end();
            const bool opens =
                std::find(backend.deviceIds.begin(), backend.deviceIds.end(), id) != backend.deviceIds.end();
            // Backends for tests are named explicitly or not at all.
            if (!opens || (question.backends.empty() ? backend.forTests : !named))
                continue;
            const search::EngineMemory engine = engineOf(*groups, backend, *device);
            for (const model::Precision precision : model::kAllPrecisions) {
                const GroupPeaks* measured = calibrating(*groups, model, id, backend.name, precision);
                // Without a choice, fp32 is shown, and what was measured besides.
                const auto& asked = question.precisions;
                const bool wanted = asked.empty() ? precision == model::Precision::fp32 || measured
                                                  : std::find(asked.begin(), asked.end(), precision) != asked.end();
                const auto& offered = backend.precisionsFor(id);
                if (!wanted || std::find(offered.begin(), offered.end(), model::toString(precision)) == offered.end())
                    continue;
                for (const int size : sizes) {
                    // 0 stands for the model's own size.
                    const auto ratio = size > 0 ? areaRatioOf(model, size) : std::optional(1.0);
                    if (!ratio)
                        return base::Error{base::ErrorCode::invalidArgument,
                                           base::message<errors::kTakesNoImages>(model.name),
                                           {},
                                           base::message<errors::kLeaveOutImageSizes>()};
                    const MemoryModel line(model, precision, engine,
                                           measured ? measured->peaks : std::vector<search::PeakOfBatch>{}, *ratio);
                    // A calibrated line is scaled by the area for other sizes.
                    const bool ownSize = *ratio == 1; // Peaks of another size are no measurement of this one.
                    MemoryForecast forecast =
                        forecastOf(line, ownSize ? measured : nullptr,
                                   batchesOf(question, measured, model.dynamicBatch), limit, model.dynamicBatch);
                    forecast.device = id;
                    forecast.backend = backend.name;
                    forecast.precision = precision;
                    forecast.imageSize = size;
                    if (measured)
                        forecast.measuredAs = model::groupName(measured->config, device->type);
                    forecasts.push_back(std::move(forecast));
                }
            }
        }
    }
    return forecasts;
}

std::vector<base::Message> remarksOf(const MemoryForecast& forecast)
{
    std::vector<base::Message> remarks;
    switch (forecast.basis) {
    case search::MemoryBasis::layers:
        remarks.push_back(base::message<reasons::kMemoryByLayers>());
        break;
    case search::MemoryBasis::engine:
        remarks.push_back(base::message<reasons::kMemoryByEngine>());
        break;
    case search::MemoryBasis::probe:
        remarks.push_back(base::message<reasons::kMemoryByProbe>(forecast.measuredAs));
        break;
    case search::MemoryBasis::probes:
        remarks.push_back(base::message<reasons::kMemoryByProbes>(forecast.measuredAs));
        break;
    }
    if (forecast.largestError && forecast.medianError)
        remarks.push_back(base::message<reasons::kMemoryError>(
            forecast.comparedBatches, base::Share{*forecast.largestError}, base::Share{*forecast.medianError}));
    else
        remarks.push_back(forecast.basis == search::MemoryBasis::probes ? base::message<reasons::kMemoryUnchecked>()
                                                                        : base::message<reasons::kMemoryNeedsProbes>());
    if (!forecast.limit)
        return remarks;
    // A limit without a variable batch can only be stated.
    if (!forecast.largestBatch || !forecast.surelyFits)
        remarks.push_back(base::message<reasons::kMemoryLimit>(*forecast.limit));
    else if (*forecast.largestBatch == 0)
        remarks.push_back(base::message<reasons::kMemoryFitsNone>(*forecast.limit));
    else if (*forecast.surelyFits == 0)
        remarks.push_back(base::message<reasons::kMemoryUnsureEdge>(*forecast.limit, *forecast.largestBatch));
    else
        remarks.push_back(
            base::message<reasons::kMemoryEdge>(*forecast.limit, *forecast.largestBatch, *forecast.surelyFits));
    return remarks;
}

MemoryQuestion memoryQuestion(const model::SearchSpace& space, const model::Goal& goal,
                              const std::vector<search::PlannedConfiguration>& configurations)
{
    MemoryQuestion question;
    question.maxMemory = goal.maxMemory;
    question.memoryShare = space.memoryShare;
    const auto add = [](auto& list, const auto& value) {
        if (std::find(list.begin(), list.end(), value) == list.end())
            list.push_back(value);
    };
    for (const search::PlannedConfiguration& planned : configurations) {
        if (!planned.impossible.empty())
            continue;
        add(question.devices, planned.device);
        add(question.backends, planned.config.backend);
        add(question.precisions, planned.config.precision);
        // Automatic batches are found while measuring, so they are no question.
        if (space.batches != std::vector{model::SearchSpace::kAutoBatch})
            add(question.batches, planned.config.batch);
    }
    return question;
}

} // namespace apertune::study
