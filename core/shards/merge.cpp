// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/shards/merge.h"

#include "core/model/experiment.h"
#include "core/shards/errors.h"
#include "core/stats/compare.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>
#include <utility>

namespace apertune::shards {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using model::Trial;
using model::TrialState;

namespace {

/// The study of a shard as it is now.
struct ShardResults
{
    model::Study study;
    std::vector<Trial> trials;
};

/// Returns nullopt where the shard has not begun. Failures: those of openShard().
base::Result<std::optional<ShardResults>> readShard(const ShardPlan& plan, int shard)
{
    const auto opened = openShard(plan, shard);
    if (!opened)
        return opened.error();
    if (!*opened)
        return std::optional<ShardResults>();
    const store::Store& workspace = (*opened)->workspace;
    auto study = workspace.study((*opened)->study.id);
    if (!study)
        return study.error();
    auto trials = workspace.trials((*opened)->study.id);
    if (!trials)
        return trials.error();
    return std::optional(ShardResults{std::move(*study), std::move(*trials)});
}

/// The model of the plan, or the same one where the target knows it by that name.
base::Result<model::ModelRef> modelFor(const ShardPlan& plan, const store::Store& target)
{
    auto known = target.findModel(plan.request.model.name);
    if (!known)
        return known.error();
    return *known && (*known)->contentHash == plan.request.model.contentHash ? std::move(**known) : plan.request.model;
}

/// All trials of the plan in the order of the grid, as yet without results.
std::vector<Trial> plannedTrials(const ShardPlan& plan)
{
    std::vector<ShardConfiguration> configurations;
    for (const auto& shard : plan.shards)
        configurations.insert(configurations.end(), shard.begin(), shard.end());
    std::sort(configurations.begin(), configurations.end(),
              [](const ShardConfiguration& a, const ShardConfiguration& b) { return a.ordinal < b.ordinal; });
    std::vector<Trial> trials;
    for (const ShardConfiguration& configuration : configurations)
        trials.push_back(search::plannedTrial(configuration.planned));
    return trials;
}

/// Finds the merged study in the target, or makes it from the plan and the results of a shard.
base::Result<model::StudyId> mergedStudy(const ShardPlan& plan, const ShardResults& first, store::Store& target)
{
    const auto studies = target.studies();
    if (!studies)
        return studies.error();
    const std::string uuid = mergedUuid(plan);
    for (const store::StudySummary& study : *studies)
        if (study.uuid == uuid)
            return study.id;
    auto model = modelFor(plan, target);
    if (!model)
        return model.error();
    model::Study study = first.study;
    study.id = {};
    study.uuid = uuid;
    study.name.clear();
    study.model = std::move(*model);
    study.state = model::StudyState::interrupted;
    study.createdUtc = plan.createdUtc;
    study.finishedUtc.clear();
    study.commandLine = plan.request.commandLine;
    study.interference.reset();
    std::vector<Trial> trials = plannedTrials(plan);
    if (auto stored = target.createStudy(study, trials); !stored)
        return stored.error();
    return study.id;
}

/// The trials of a shard as trials of the merged study, which was begun on a machine of the class `machine`.
std::vector<Trial> withMachine(const ShardResults& results, const std::string& machine)
{
    std::vector<Trial> trials = results.trials;
    // What a damaged workspace has lost may be measured again, so it is no result.
    std::erase_if(trials, [](const Trial& trial) { return trial.reason.kind == model::ReasonKind::damaged; });
    for (Trial& trial : trials) {
        if (trial.state != TrialState::ok)
            continue;
        model::Measurement& m = trial.measurement;
        const std::string own = model::machineOf(results.study, trial);
        m.conditions.machine = own == machine ? std::string() : own;
        m.confirmation = 0;
        std::erase(m.flags, model::TrialFlag::confirmed);
    }
    return trials;
}

/// Times of the reference's passes by device and machine class.
using ReferenceTimes = std::map<std::pair<std::string, std::string>, std::vector<double>>;

void addReferenceTimes(const ShardResults& results, ReferenceTimes& times)
{
    for (const Trial& trial : results.trials) {
        if (trial.state != TrialState::ok)
            continue;
        std::vector<double>& own = times[{trial.device, model::machineOf(results.study, trial)}];
        const auto& blocks = trial.measurement.blocks;
        const auto before = own.size();
        for (const model::Block& block : blocks)
            if (block.referenceNs > 0)
                own.push_back(block.referenceNs);
        // Where the reference takes no turns, a trial has one reading.
        if (const auto& reading = trial.measurement.conditions.driftReading; reading && own.size() == before)
            own.push_back(reading->latencyNs);
    }
}

/// The speeds of all machine classes beside `against`.
std::vector<MachineSpeed> speedsOf(const ReferenceTimes& times, const std::string& against)
{
    std::vector<MachineSpeed> speeds;
    for (const auto& [place, own] : times) {
        const auto& [device, machine] = place;
        const auto other = times.find({device, against});
        if (machine == against || other == times.end() || own.empty() || other->second.empty())
            continue;
        const std::span<const double> baseline(other->second);
        const std::span<const double> candidate(own);
        speeds.push_back({device, machine, against,
                          stats::compare(base::Baseline<std::span<const double>>{baseline},
                                         base::Candidate<std::span<const double>>{candidate})
                              .ratio});
    }
    return speeds;
}

/// Sets the state of the merged study where it has another one.
base::Status closeStudy(store::Store& target, model::StudyId id)
{
    const auto studies = target.studies();
    if (!studies)
        return studies.error();
    const auto own = std::find_if(studies->begin(), studies->end(),
                                  [id](const store::StudySummary& study) { return study.id == id; });
    const auto state = own->remaining > 0 ? model::StudyState::interrupted : model::StudyState::finished;
    return own->state == state ? base::Status() : target.setStudyState(id, state);
}

/// Refuses a target that is the workspace of a shard.
base::Status requireOther(const ShardPlan& plan, const store::Store& target)
{
    std::error_code code;
    for (int shard = 1; shard <= plan.size(); ++shard)
        if (fs::equivalent(workspaceOf(plan, shard), target.file(), code) && !code)
            return Error{ErrorCode::invalidArgument, base::message<errors::kMergeIntoShard>(shard),
                         target.file().string(), base::message<errors::kOtherTarget>()};
    return {};
}

} // namespace

base::Result<Merged> mergeShards(const ShardPlan& plan, store::Store& target)
{
    if (auto other = requireOther(plan, target); !other)
        return other.error();
    Merged merged;
    std::vector<std::optional<ShardResults>> results;
    for (int shard = 1; shard <= plan.size(); ++shard) {
        MergedShard& own = merged.shards.emplace_back();
        own.status = shardStatus(plan, shard);
        if (!own.status.isRead) {
            results.emplace_back();
            continue;
        }
        auto read = readShard(plan, shard);
        if (!read)
            own.refused = read.error();
        results.push_back(read ? std::move(*read) : std::nullopt);
    }
    const auto first = std::find_if(results.begin(), results.end(), [](const auto& r) { return r.has_value(); });
    if (first == results.end()) {
        for (const MergedShard& shard : merged.shards)
            if (shard.refused)
                return *shard.refused;
        return Error{ErrorCode::notFound, base::message<errors::kNothingToMerge>(), plan.folder.string(),
                     base::message<errors::kRunShards>()};
    }
    const auto study = mergedStudy(plan, **first, target);
    if (!study)
        return study.error();
    merged.study = *study;
    const auto stored = target.study(*study);
    if (!stored)
        return stored.error();
    const std::string machine = model::machineClass(stored->environment);
    ReferenceTimes times;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i])
            continue;
        addReferenceTimes(*results[i], times);
        const auto added = target.adoptTrials(*study, withMachine(*results[i], machine));
        if (!added)
            return added.error();
        merged.shards[i].added = *added;
    }
    if (auto closed = closeStudy(target, *study); !closed)
        return closed.error();
    merged.speeds = speedsOf(times, machine);
    return merged;
}

} // namespace apertune::shards
