// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/claim_plan.h"

#include <algorithm>
#include <set>

namespace apertune::claims {

using model::SearchSpace;
using model::Setting;

namespace {

const std::vector<int> kPeakBatches{1, 2, 4}; ///< three pairs, the fewest that give an interval of peaks

/// The configuration from which a figure's change begins.
SearchSpace baseSpace(const ClaimFigure& figure, const model::Device& device)
{
    SearchSpace space;
    const std::string& engine = device.type.isCpu() ? figure.where.engine : figure.where.engineOnGpu;
    // Claims name engines; without one they mean PyTorch.
    space.backends = {engine.empty() ? "libtorch" : engine};
    space.levels = {figure.where.level.value_or(model::OptLevel::o0)};
    space.precisions = {figure.where.precision.value_or(model::Precision::fp32)};
    // Peaks need several batches to separate weights from activations.
    space.batches = figure.where.batch                          ? std::vector{*figure.where.batch}
                    : figure.quantity == ClaimQuantity::tensors ? kPeakBatches
                                                                : std::vector{1};
    space.devices = {device.id};
    space.search = model::SearchAlgorithm::grid; // no other search is sure to measure both sides
    return space;
}

SearchSpace spaceOfFigure(const ClaimFigure& figure, const model::Device& device)
{
    SearchSpace space = baseSpace(figure, device);
    const ClaimChange* change = figure.changeOn(device);
    if (!change)
        return space;
    const std::string from = change->fromOn(device);
    const std::string to = change->toOn(device);
    switch (change->setting.kind()) {
    case Setting::Kind::level:
        space.levels = {*model::levelFromString(from), *model::levelFromString(to)};
        break;
    case Setting::Kind::precision:
        space.precisions = {*model::precisionFromString(from), *model::precisionFromString(to)};
        break;
    case Setting::Kind::batch:
        space.batches = {std::stoi(from), std::stoi(to)};
        break;
    case Setting::Kind::threads:
        space.threads = {std::stoi(from), std::stoi(to)};
        break;
    case Setting::Kind::engine:
        space.backends = {from, to};
        space.levels = {figure.where.level.value_or(model::OptLevel::o1)}; // engines of their own have no O0
        break;
    case Setting::Kind::toggle:
        // A switch is compared off and on.
        space.switches[change->setting.name()] = {false, true};
        break;
    }
    return space;
}

/// Whether two spaces differ in the batches alone.
bool differInBatches(const SearchSpace& a, const SearchSpace& b)
{
    return a.backends == b.backends && a.levels == b.levels && a.precisions == b.precisions && a.devices == b.devices &&
           a.threads == b.threads && a.switches == b.switches;
}

void addClaim(std::vector<std::string>& claims, const std::string& id)
{
    if (std::find(claims.begin(), claims.end(), id) == claims.end())
        claims.push_back(id);
}

void addStudy(ClaimPlan& plan, const std::string& model, const SearchSpace& space, const std::string& claim)
{
    // Studies that differ in their batches alone become one.
    const auto same = std::find_if(plan.studies.begin(), plan.studies.end(), [&](const ClaimStudy& study) {
        return study.model == model && differInBatches(study.space, space);
    });
    if (same == plan.studies.end()) {
        plan.studies.push_back({model, space, {claim}});
        return;
    }
    std::set<int> batches(same->space.batches.begin(), same->space.batches.end());
    batches.insert(space.batches.begin(), space.batches.end());
    same->space.batches.assign(batches.begin(), batches.end());
    addClaim(same->claims, claim);
}

void addPipeline(ClaimPlan& plan, const std::string& model, const std::string& device, const std::string& claim)
{
    const auto same = std::find_if(plan.pipelines.begin(), plan.pipelines.end(), [&](const ClaimPipeline& pipeline) {
        return pipeline.model == model && pipeline.device == device;
    });
    if (same == plan.pipelines.end())
        plan.pipelines.push_back({model, device, {claim}});
    else
        addClaim(same->claims, claim);
}

void planFigure(ClaimPlan& plan, const ClaimFigure& figure, const std::string& model, const model::Device& device,
                const std::string& claim)
{
    if (figure.quantity == ClaimQuantity::pinned) {
        addClaim(plan.ceilings, device.id);
        return;
    }
    if (!figure.fromModel.empty()) {
        SearchSpace space = spaceOfFigure(figure, device);
        addStudy(plan, figure.fromModel, space, claim);
        addStudy(plan, figure.toModel, space, claim);
        return;
    }
    addStudy(plan, model, spaceOfFigure(figure, device), claim);
    if (figure.quantity == ClaimQuantity::preparation)
        addPipeline(plan, model, device.id, claim);
}

bool isFactOfModel(ClaimQuantity quantity)
{
    return quantity == ClaimQuantity::parameters || quantity == ClaimQuantity::patches ||
           quantity == ClaimQuantity::convolutions;
}

/// The models to measure a figure with; empty when nothing is missing.
std::vector<std::string> modelsFor(const FigureCheck& check, const std::vector<model::ModelRef>& models)
{
    const ClaimFigure& figure = *check.figure;
    // Agreement and disagreement are both answers.
    const bool missing = check.state != ClaimState::agrees && check.state != ClaimState::disagrees;
    // Without a choice of the user, the claim's example is measured.
    if (models.empty())
        return missing ? std::vector{figure.example} : std::vector<std::string>();
    std::vector<std::string> chosen;
    for (const model::ModelRef& model : models) {
        const bool has = std::any_of(check.pairs.begin(), check.pairs.end(),
                                     [&](const ClaimPair& pair) { return pair.model == model.name; });
        // A model that was measured without a result is measured again.
        if (figure.fromModel.empty() && figure.acceptsModel(model.source, model.taskType) &&
            (!has || check.state == ClaimState::cannotTell))
            chosen.push_back(model.name);
    }
    return chosen;
}

} // namespace

std::size_t ClaimStudy::configurations() const
{
    std::size_t count = space.backends.size() * space.levels.size() * space.precisions.size() * space.batches.size() *
                        std::max<std::size_t>(1, space.threads.size());
    for (const auto& [name, values] : space.switches)
        count *= values.size();
    return count;
}

ClaimPlan planClaims(const std::vector<ClaimCheck>& checks, const std::vector<model::Device>& devices,
                     const std::vector<model::ModelRef>& models)
{
    ClaimPlan plan;
    for (const ClaimCheck& check : checks)
        for (const FigureCheck& figure : check.figures) {
            // The figure has no device that could measure it.
            if (figure.state == ClaimState::cannotMeasure && figure.device.empty())
                continue;
            for (const std::string& model : modelsFor(figure, models)) {
                if (isFactOfModel(figure.figure->quantity)) {
                    addClaim(plan.imports, model);
                    continue;
                }
                base::Message reason;
                if (const model::Device* device = deviceFor(*figure.figure, devices, reason))
                    planFigure(plan, *figure.figure, model, *device, check.claim->id);
            }
        }
    return plan;
}

} // namespace apertune::claims
