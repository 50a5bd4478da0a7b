// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/claim_check.h"

#include "core/base/units.h"
#include "core/claims/reasons.h"
#include "core/comparison/effects.h"
#include "core/model/usable_interval.h"
#include "core/stats/processes.h"
#include "core/text/format.h"

#include <algorithm>
#include <map>
#include <set>

namespace apertune::claims {

using model::Device;
using model::Interval;
using model::Setting;
using model::StudySnapshot;
using model::Trial;

namespace {

constexpr std::size_t kFewestPeaks = 3; ///< Student's t of two values is wider than any claim

/// Whether a trial meets the conditions, but for that of the setting that changes; nullptr: none does.
bool meets(const Trial& trial, const ClaimFigure& figure, const Device& device, const Setting* changed)
{
    const auto changes = [changed](Setting::Kind kind) { return changed && changed->kind() == kind; };
    const ClaimConditions& where = figure.where;
    const std::string& engine = device.type.isCpu() ? where.engine : where.engineOnGpu;
    // The device is that of the study's environment, so what a machine of another class measured is not of it.
    return trial.measurement.conditions.machine.empty() &&
           (changes(Setting::Kind::engine) || engine.empty() || trial.config.backend == engine) &&
           (changes(Setting::Kind::precision) || !where.precision || trial.config.precision == *where.precision) &&
           (changes(Setting::Kind::level) || !where.level || trial.config.level == *where.level) &&
           (changes(Setting::Kind::batch) || !where.batch || trial.config.batch == *where.batch);
}

base::Message barrierReason(const ClaimFigure& figure)
{
    switch (figure.barrier) {
    case ClaimBarrier::training:
        return base::message(reasons::kClaimTraining);
    case ClaimBarrier::platform:
        return base::message<reasons::kClaimPlatform>(figure.what);
    case ClaimBarrier::ownModel:
        return base::message<reasons::kClaimOwnModel>(figure.what);
    case ClaimBarrier::notOffered:
        return base::message<reasons::kClaimNotOffered>(figure.what);
    case ClaimBarrier::ratedByEye:
        return base::message(reasons::kClaimRatedByEye);
    case ClaimBarrier::advice:
        return base::message<reasons::kClaimAdvice>(figure.what);
    case ClaimBarrier::none:
        break;
    }
    return {};
}

/// Whether the device computes in the precision that the figure changes to.
bool hasArithmetic(const Device& device, const ClaimFigure& figure)
{
    const ClaimChange* change = figure.changeOn(device);
    const auto precision = change && change->setting.kind() == Setting::Kind::precision
                               ? model::precisionFromString(change->to)
                               : std::optional<model::Precision>();
    return !precision || (*precision == model::Precision::bf16   ? device.nativeBf16()
                          : *precision == model::Precision::fp16 ? device.nativeFp16()
                          : *precision == model::Precision::tf32 ? device.tf32()
                          : *precision == model::Precision::fp8  ? device.fp8()
                                                                 : true);
}

/// Accelerators first.
std::vector<const Device*> inOrder(const std::vector<Device>& devices)
{
    std::vector<const Device*> all;
    for (const Device& device : devices)
        all.push_back(&device);
    std::stable_partition(all.begin(), all.end(), [](const Device* device) { return !device->type.isCpu(); });
    return all;
}

std::vector<const Device*> devicesFor(const ClaimFigure& figure, const std::vector<Device>& devices,
                                      base::Message& reason)
{
    const ClaimConditions& where = figure.where;
    std::vector<const Device*> fit = inOrder(devices);
    const auto keep = [&fit, &reason](auto suits, const base::Message& otherwise) {
        // The first condition that no device meets gives the reason.
        if (fit.empty())
            return;
        fit.erase(std::remove_if(fit.begin(), fit.end(), [&suits](const Device* d) { return !suits(*d); }), fit.end());
        if (fit.empty())
            reason = otherwise;
    };
    keep(
        [&](const Device& d) { return where.deviceName.empty() || d.name.find(where.deviceName) != std::string::npos; },
        base::message<reasons::kClaimNoDevice>(where.deviceName));
    keep([&](const Device& d) { return !where.kind || d.type.kind == *where.kind; },
         base::message(reasons::kClaimNoGpu));
    keep([&](const Device& d) { return !where.twoThreadsPerCore || d.threads > d.cores; },
         base::message(reasons::kClaimOneThreadPerCore));
    keep([&](const Device& d) { return figure.changes.empty() || figure.changeOn(d); },
         base::message(reasons::kClaimNoGpu));
    // A device that only emulates a precision cannot confirm its speed.
    if (!fit.empty() && !figure.changes.empty())
        keep([&](const Device& d) { return hasArithmetic(d, figure); },
             base::message<reasons::kClaimNoArithmetic>(figure.changeOn(*fit.front())->to, fit.front()->name));
    return fit;
}

/// The mean of ratios of peaks, without an interval where there are too few.
Interval meanOfPeaks(const std::vector<double>& ratios)
{
    Interval mean = stats::geometricMean(ratios);
    if (ratios.size() < kFewestPeaks)
        mean = {mean.value, mean.value, mean.value, 0};
    return mean;
}

Interval exactly(double value)
{
    return {value, value, value, 0};
}

bool isWithin(const ClaimFigure& figure, double low, double high)
{
    return (!figure.low || high >= *figure.low) && (!figure.high || low <= *figure.high);
}

void setFigureState(FigureCheck& check)
{
    const ClaimFigure& figure = *check.figure;
    const Interval& measured = check.measured;
    // Counted figures have no interval: they agree or they do not.
    if (check.counted) {
        check.state = isWithin(figure, measured.value, measured.value) ? ClaimState::agrees : ClaimState::disagrees;
        return;
    }
    check.state = ClaimState::cannotTell;
    if (measured.confidence <= 0 && figure.quantity == ClaimQuantity::tensors)
        check.reason = base::message<reasons::kClaimFewPeaks>(check.pairs.size(), kFewestPeaks);
    else if (measured.confidence <= 0)
        check.reason = base::message(reasons::kClaimNoInterval);
    else if (!isWithin(figure, measured.lo, measured.hi))
        // An interval that lies outside of the claimed range disagrees, however wide it is.
        check.state = ClaimState::disagrees; // Even a wide interval excludes what lies outside it.
    else if (model::isTooWide(measured))
        check.reason = base::message(reasons::kClaimTooWide);
    else if (isRatio(figure.quantity) && measured.lo <= 1 && measured.hi >= 1 && !isWithin(figure, 1, 1))
        check.reason = base::message(reasons::kClaimHoldsNoEffect);
    else
        check.state = ClaimState::agrees;
}

/// The studies, with what each changes. Effects are computed when they are first asked for.
class StudyEvidence
{
public:
    explicit StudyEvidence(const ClaimEvidence& evidence) : m_evidence(evidence) {}

    /// The id of this machine's device in a study; empty when the study has it not.
    static std::string idIn(const StudySnapshot& snapshot, const Device& device)
    {
        // Device ids differ between studies, so devices are compared by their kind and name.
        const auto& devices = snapshot.study.environment.devices;
        const auto found = std::find_if(devices.begin(), devices.end(), [&device](const Device& d) {
            return model::ceilingKey(d) == model::ceilingKey(device);
        });
        return found == devices.end() ? std::string() : found->id;
    }

    /// Pairs of a change within studies, or of two studies of different models.
    std::vector<std::pair<comparison::EffectPair, const StudySnapshot*>> pairs(const ClaimFigure& figure,
                                                                               const Device& device)
    {
        // Some claims compare two models, and others two settings of one model.
        return figure.fromModel.empty() ? pairsOfSetting(figure, device) : pairsOfModels(figure, device);
    }

    /// The best of the trials that meet the conditions: the highest rate or the lowest latency.
    std::pair<const Trial*, const StudySnapshot*> best(const ClaimFigure& figure, const Device& device) const
    {
        const auto time = [](const Trial& trial) { return trial.measurement.latencyNs.value / trial.config.batch; };
        std::pair<const Trial*, const StudySnapshot*> found{};
        for (const auto& snapshot : m_evidence.studies) {
            if (!figure.acceptsModel(snapshot->study.model.source, snapshot->study.model.taskType))
                continue;
            const std::string id = idIn(*snapshot, device);
            for (const Trial& trial : snapshot->trials)
                if (trial.state == model::TrialState::ok && trial.device == id &&
                    meets(trial, figure, device, nullptr) && (!found.first || time(trial) < time(*found.first)))
                    found = {&trial, snapshot.get()};
        }
        return found;
    }

    /// The reason for which the changed configuration could not run, from the newest study that tried; empty: none did.
    base::Message whyNotRun(const ClaimFigure& figure, const Device& device) const
    {
        const ClaimChange* change = figure.changeOn(device);
        for (const auto& snapshot : m_evidence.studies) {
            if (!change || !figure.acceptsModel(snapshot->study.model.source, snapshot->study.model.taskType))
                continue;
            const std::string id = idIn(*snapshot, device);
            for (const Trial& trial : snapshot->trials)
                if (trial.device == id && meets(trial, figure, device, &change->setting) &&
                    change->setting.valueIn(trial.config) == change->toOn(device) &&
                    // A setting that failed is evidence only where its other side exists.
                    (trial.state == model::TrialState::failed || trial.reason.kind == model::ReasonKind::impossible) &&
                    hasOtherSide(*snapshot, trial, *change, device))
                    return base::message<reasons::kClaimDidNotRun>(text::ConfigurationNames(*snapshot).shortName(trial),
                                                                   text::reasonText(trial));
        }
        return {};
    }

    /// The study of a trial and the trial; null when it is of none.
    std::pair<const Trial*, const StudySnapshot*> find(model::TrialId id) const
    {
        for (const auto& snapshot : m_evidence.studies)
            if (const Trial* trial = snapshot->find(id))
                return {trial, snapshot.get()};
        return {};
    }

private:
    /// Whether the study planned the configuration without the change, too: the trial then stands for the change.
    static bool hasOtherSide(const StudySnapshot& snapshot, const Trial& trial, const ClaimChange& change,
                             const Device& device)
    {
        const std::string from = change.fromOn(device);
        return std::any_of(snapshot.trials.begin(), snapshot.trials.end(), [&](const Trial& other) {
            return other.device == trial.device && change.setting.valueIn(other.config) == from &&
                   (change.setting.kind() == Setting::Kind::engine || other.config.backend == trial.config.backend);
        });
    }

    std::vector<std::pair<comparison::EffectPair, const StudySnapshot*>> pairsOfSetting(const ClaimFigure& figure,
                                                                                        const Device& device)
    {
        std::vector<std::pair<comparison::EffectPair, const StudySnapshot*>> found;
        const ClaimChange* change = figure.changeOn(device);
        if (!change)
            return found;
        const std::string from = change->fromOn(device);
        const std::string to = change->toOn(device);
        for (const auto& snapshot : m_evidence.studies) {
            const std::string id = idIn(*snapshot, device);
            if (id.empty() || !figure.acceptsModel(snapshot->study.model.source, snapshot->study.model.taskType))
                continue;
            // The effects of a study are computed once and searched for each claim.
            for (const comparison::SettingEffect& effect : effectsOf(*snapshot))
                if (effect.device == id && effect.setting == change->setting && effect.from == from && effect.to == to)
                    for (const comparison::EffectPair& pair : effect.pairs)
                        if (meets(*pair.to, figure, device, &change->setting))
                            found.emplace_back(pair, snapshot.get());
        }
        return found;
    }

    std::vector<std::pair<comparison::EffectPair, const StudySnapshot*>> pairsOfModels(const ClaimFigure& figure,
                                                                                       const Device& device) const
    {
        std::vector<std::pair<comparison::EffectPair, const StudySnapshot*>> found;
        const auto measured = [&](const std::string& source) {
            // A configuration that several studies measured counts once, by the newest of them.
            std::map<std::string, std::pair<const Trial*, const StudySnapshot*>> trials;
            for (const auto& snapshot : m_evidence.studies)
                if (snapshot->study.model.source == source)
                    for (const Trial& trial : snapshot->trials)
                        if (trial.state == model::TrialState::ok && trial.device == idIn(*snapshot, device) &&
                            meets(trial, figure, device, nullptr))
                            trials.try_emplace(model::configHash(trial.config, device.id), &trial, snapshot.get());
            return trials;
        };
        const auto before = measured(figure.fromModel);
        for (const auto& [hash, to] : measured(figure.toModel)) {
            const auto from = before.find(hash);
            if (from == before.end())
                continue;
            stats::CompareOptions options;
            // The larger noise floor of the two studies counts.
            options.noiseFloor = std::max(from->second.second->noiseFloor(), to.second->noiseFloor());
            if (const auto effect = stats::effectBetween({*from->second.first}, {*to.first}, true, options))
                found.emplace_back(comparison::EffectPair{from->second.first, to.first, *effect}, to.second);
        }
        return found;
    }

    const std::vector<comparison::SettingEffect>& effectsOf(const StudySnapshot& snapshot)
    {
        const auto known = m_effects.find(&snapshot);
        return known != m_effects.end()
                   ? known->second
                   : m_effects.emplace(&snapshot, comparison::settingEffects(snapshot)).first->second;
    }

    const ClaimEvidence& m_evidence;
    std::map<const StudySnapshot*, std::vector<comparison::SettingEffect>> m_effects{};
};

std::optional<double> peakRatio(const comparison::EffectPair& pair)
{
    const auto& before = pair.from->measurement.memory.allocatorPeak;
    const auto& after = pair.to->measurement.memory.allocatorPeak;
    if (!before || !after || before->count <= 0 || after->count <= 0)
        return std::nullopt;
    return static_cast<double>(after->count) / static_cast<double>(before->count);
}

ClaimPair singleTrial(const Trial& trial, const StudySnapshot& snapshot, const Interval& value)
{
    return {snapshot.study.model.name,
            snapshot.study.id,
            {},
            trial.id,
            {},
            text::ConfigurationNames(snapshot).shortName(trial),
            value};
}

void checkPairs(FigureCheck& check, StudyEvidence& studies, const Device& device)
{
    std::vector<comparison::EffectPair> kept;
    std::vector<double> ratios;
    for (const auto& [pair, snapshot] : studies.pairs(*check.figure, device)) {
        Interval value = pair.effect.ratio;
        // Memory is compared by peaks and quality by the cosine; all else by time.
        if (check.figure->quantity == ClaimQuantity::tensors) {
            const std::optional<double> ratio = peakRatio(pair);
            if (!ratio)
                continue;
            ratios.push_back(*ratio);
            value = exactly(*ratio);
        } else if (check.figure->quantity == ClaimQuantity::agreement) {
            const auto& quality = pair.to->measurement.quality;
            if (!quality)
                continue;
            ratios.push_back(quality->cosine);
            value = exactly(quality->cosine);
        }
        kept.push_back(pair);
        // A pair across studies is named by its models, as the configurations are the same.
        const bool sameStudy = pair.from->study == pair.to->study;
        check.pairs.push_back(
            {snapshot->study.model.name, snapshot->study.id, pair.from->id, pair.to->id,
             sameStudy ? text::ConfigurationNames(*snapshot).shortName(*pair.from) : check.figure->fromModel,
             sameStudy ? text::ConfigurationNames(*snapshot).shortName(*pair.to) : check.figure->toModel, value});
    }
    // A configuration that could not run is a reason; without one, it was not measured.
    if (kept.empty()) {
        check.reason = studies.whyNotRun(*check.figure, device);
        check.state = check.reason.empty() ? ClaimState::notMeasured : ClaimState::cannotMeasure;
        return;
    }
    check.counted = check.figure->quantity == ClaimQuantity::agreement;
    // The worst agreement counts, because a claim of "no loss" holds for all or not at all.
    check.measured = check.counted ? exactly(*std::min_element(ratios.begin(), ratios.end()))
                     : check.figure->quantity == ClaimQuantity::tensors ? meanOfPeaks(ratios)
                                                                        : comparison::meanSpeedup(kept);
    setFigureState(check);
}

void checkBest(FigureCheck& check, const StudyEvidence& studies, const Device& device)
{
    const auto [trial, snapshot] = studies.best(*check.figure, device);
    if (!trial)
        return;
    const bool isTime = check.figure->quantity == ClaimQuantity::latency;
    check.measured = isTime ? trial->measurement.latencyNs : trial->measurement.throughput;
    if (isTime)
        // Claims state milliseconds.
        for (double* end : {&check.measured.value, &check.measured.lo, &check.measured.hi})
            *end *= base::kMsPerNs;
    check.pairs.push_back(singleTrial(*trial, *snapshot, check.measured));
    setFigureState(check);
}

void checkPreparation(FigureCheck& check, const ClaimEvidence& evidence, const StudyEvidence& studies,
                      const Device& device)
{
    // The newest run counts, so the list is read from its end.
    for (auto it = evidence.pipelines.rbegin(); it != evidence.pipelines.rend(); ++it) {
        const auto [trial, snapshot] = studies.find(it->first);
        if (!trial || trial->device != StudyEvidence::idIn(*snapshot, device) ||
            !check.figure->acceptsModel(snapshot->study.model.source, snapshot->study.model.taskType))
            continue;
        double lo = 0, value = 0, hi = 0, restLo = 0, rest = 0, restHi = 0;
        bool known = true;
        for (std::size_t i = 0; i < workload::kStageCount; ++i) {
            const auto stage = static_cast<workload::Stage>(i);
            const Interval& time = it->second.summary[stage].perImageNs;
            const bool prepares = stage == workload::Stage::decode || stage == workload::Stage::preprocess;
            (prepares ? lo : restLo) += time.lo;
            (prepares ? value : rest) += time.value;
            (prepares ? hi : restHi) += time.hi;
            // A stage of no time has no interval and needs none.
            known = known && (time.confidence > 0 || time.value == 0);
        }
        if (value + rest <= 0)
            continue;
        // The share is smallest when the preparation is short and the rest long, and the other way round.
        check.measured = {value / (value + rest), lo / (lo + restHi), hi / (hi + restLo), known ? 0.95 : 0};
        check.pairs.push_back(singleTrial(*trial, *snapshot, check.measured));
        setFigureState(check);
        return;
    }
}

void checkPinned(FigureCheck& check, const ClaimEvidence& evidence, const Device& device)
{
    for (const model::DeviceCeilings& ceilings : evidence.ceilings) {
        const model::Ceiling* pinned = ceilings.find("pinned");
        const model::Ceiling* pageable = ceilings.find("pageable");
        if (ceilings.device != model::ceilingKey(device) || !pinned || !pageable || pageable->rate.lo <= 0)
            continue;
        // The ratio's ends come from the far ends of the two rates.
        check.measured = {pinned->rate.value / pageable->rate.value, pinned->rate.lo / pageable->rate.hi,
                          pinned->rate.hi / pageable->rate.lo,
                          std::min(pinned->rate.confidence, pageable->rate.confidence)};
        check.pairs.push_back({device.name, {}, {}, {}, "pageable", "pinned", check.measured});
        setFigureState(check);
        return;
    }
}

/// The fact of a model that needs no measurement; nullopt where its layers are not known.
std::optional<double> factOf(const model::ModelRef& model, ClaimQuantity quantity)
{
    if (quantity == ClaimQuantity::parameters)
        return model.parameters > 0 ? std::optional(static_cast<double>(model.parameters)) : std::nullopt;
    const auto isConvolution = [](const model::LayerSpec& layer) { return layer.type.starts_with("Conv"); };
    // Patches are the positions of the first convolution's output.
    if (quantity == ClaimQuantity::patches) {
        const auto first = std::find_if(model.layers.begin(), model.layers.end(), isConvolution);
        return first != model.layers.end() && first->outputShape.size() == 4
                   ? std::optional(static_cast<double>(first->outputShape[2] * first->outputShape[3]))
                   : std::nullopt;
    }
    // A share of the operations needs their sum first.
    double all = 0, convolutions = 0;
    for (const model::LayerSpec& layer : model.layers) {
        all += static_cast<double>(layer.macs);
        convolutions += isConvolution(layer) ? static_cast<double>(layer.macs) : 0;
    }
    return all > 0 ? std::optional(convolutions / all) : std::nullopt;
}

void checkFact(FigureCheck& check, const ClaimEvidence& evidence)
{
    for (const model::ModelRef& model : evidence.models) {
        const std::optional<double> fact = factOf(model, check.figure->quantity);
        if (!fact || !check.figure->acceptsModel(model.source, model.taskType))
            continue;
        check.counted = true;
        check.measured = exactly(*fact);
        check.pairs.push_back({model.name, {}, {}, {}, {}, model.source, check.measured});
        setFigureState(check);
        return;
    }
}

bool isFact(ClaimQuantity quantity)
{
    return quantity == ClaimQuantity::parameters || quantity == ClaimQuantity::patches ||
           quantity == ClaimQuantity::convolutions;
}

void checkOn(FigureCheck& check, const ClaimEvidence& evidence, StudyEvidence& studies, const Device& device)
{
    check.device = device.id;
    switch (check.figure->quantity) {
    case ClaimQuantity::preparation:
        return checkPreparation(check, evidence, studies, device);
    case ClaimQuantity::pinned:
        return checkPinned(check, evidence, device);
    case ClaimQuantity::latency:
    case ClaimQuantity::rate:
        return checkBest(check, studies, device);
    default:
        return checkPairs(check, studies, device);
    }
}

FigureCheck checkFigure(const ClaimFigure& figure, const ClaimEvidence& evidence, StudyEvidence& studies)
{
    FigureCheck check;
    check.figure = &figure;
    // Such a figure can never be measured here, so no device is asked.
    if (figure.barrier != ClaimBarrier::none) {
        check.state = ClaimState::cannotMeasure;
        check.reason = barrierReason(figure);
        return check;
    }
    if (isFact(figure.quantity)) {
        checkFact(check, evidence);
        return check;
    }
    const std::vector<const Device*> devices = devicesFor(figure, evidence.devices, check.reason);
    if (devices.empty()) {
        check.state = ClaimState::cannotMeasure;
        return check;
    }
    // The first device that measured it counts, else the first one that could.
    std::optional<FigureCheck> first;
    for (const Device* device : devices) {
        FigureCheck one = check;
        checkOn(one, evidence, studies, *device);
        if (isMeasured(one.state))
            return one;
        // A figure that could be measured says more than one that cannot.
        if (!first || (first->state == ClaimState::cannotMeasure && one.state == ClaimState::notMeasured))
            first = std::move(one);
    }
    return *first;
}

ClaimState stateOf(const std::vector<FigureCheck>& figures)
{
    const auto has = [&figures](ClaimState state) {
        return std::any_of(figures.begin(), figures.end(), [state](const FigureCheck& f) { return f.state == state; });
    };
    // Some figures agree and others are open: the claim as a whole is open in part.
    if (!has(ClaimState::disagrees) && !has(ClaimState::cannotTell) && has(ClaimState::agrees) &&
        has(ClaimState::notMeasured))
        return ClaimState::partlyMeasured;
    // The worst state decides.
    for (const ClaimState state :
         {ClaimState::disagrees, ClaimState::cannotTell, ClaimState::agrees, ClaimState::notMeasured})
        if (has(state))
            return state;
    return ClaimState::cannotMeasure;
}

} // namespace

std::string_view toString(ClaimState state)
{
    switch (state) {
    case ClaimState::agrees:
        return "agrees";
    case ClaimState::disagrees:
        return "disagrees";
    case ClaimState::cannotTell:
        return "cannot_tell";
    case ClaimState::partlyMeasured:
        return "partly_measured";
    case ClaimState::notMeasured:
        return "not_measured";
    case ClaimState::cannotMeasure:
        break;
    }
    return "cannot_measure";
}

bool isMeasured(ClaimState state)
{
    return state == ClaimState::agrees || state == ClaimState::disagrees || state == ClaimState::cannotTell;
}

std::vector<ClaimCheck> checkClaims(const ClaimEvidence& evidence)
{
    StudyEvidence studies(evidence);
    std::vector<ClaimCheck> checks;
    for (const Claim& claim : publishedClaims()) {
        ClaimCheck& check = checks.emplace_back();
        check.claim = &claim;
        for (const ClaimFigure& figure : claim.figures)
            check.figures.push_back(checkFigure(figure, evidence, studies));
        check.state = stateOf(check.figures);
    }
    return checks;
}

const Device* deviceFor(const ClaimFigure& figure, const std::vector<Device>& devices, base::Message& reason)
{
    const std::vector<const Device*> fit = devicesFor(figure, devices, reason);
    return fit.empty() ? nullptr : fit.front();
}

} // namespace apertune::claims
