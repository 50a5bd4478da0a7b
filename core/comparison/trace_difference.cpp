// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/trace_difference.h"

#include "core/analysis/indexed_trace.h"
#include "core/analysis/lost_kernels.h"
#include "core/analysis/memory_timeline.h"
#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/comparison/difference_words.h"
#include "core/comparison/errors.h"
#include "core/comparison/reasons.h"
#include "core/text/format.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace apertune::comparison {

using analysis::DifferenceSide;
using analysis::DifferenceStep;
using analysis::TraceDifference;
using base::Message;

namespace {

constexpr double kLittle = 0.3;         ///< share of A's work with a counterpart below which the programs may differ
constexpr double kMuchUnrecorded = 0.1; ///< share of an iteration

bool isEmpty(const analysis::IndexedTrace& trace)
{
    return trace.index.work.empty() && trace.forest.nodes.empty();
}

bool surelyDiffers(const model::Interval& change)
{
    return change.confidence > 0 && (change.lo > 0 || change.hi < 0);
}

/// The part of the difference that recording adds, and whether it turns the result round.
void addBare(const NamedDifference& named, std::vector<Message>& sentences)
{
    const TraceDifference& d = named.difference;
    const std::optional<BareChange> bare = bareChange(named);
    if (!bare)
        return;
    const DifferenceUnit unit(d);
    const model::Interval& change = bare->change;
    // Recording costs time on both sides; where it turns the order round, that has to be said first.
    if (surelyDiffers(d.change) && surelyDiffers(change) && (d.change.value < 0) != (change.value < 0))
        sentences.push_back(base::message<reasons::kRecordingTurnsItRound>(change.value < 0 ? "B" : "A"));
    sentences.push_back(base::message<reasons::kWithoutRecording>(changeText(change, unit),
                                                                  changeText(bare->recording, unit), unit.name));
}

double iterationsOf(const analysis::IndexedTrace& read)
{
    return read.iterations.found() ? static_cast<double>(read.iterations.steadyCount()) : 1;
}

analysis::FlameTree flameOf(const analysis::IndexedTrace& read, analysis::FlameWeight weight)
{
    return analysis::flameTree(read.index, read.forest,
                               read.iterations.found() ? read.iterations.window() : analysis::kAlways, weight);
}

/// Says where the parts of the two sides may not be of the same work.
void addDoubts(const TraceDifference& d, std::vector<Message>& sentences)
{
    const auto unrecorded = [](const DifferenceSide& side) {
        return side.time.value > 0 ? side.unrecorded / side.time.value : 0;
    };
    for (const auto& [name, side] : {std::pair("A", &d.a), std::pair("B", &d.b)})
        if (unrecorded(*side) > kMuchUnrecorded)
            sentences.push_back(base::message<reasons::kOutsideOperators>(name, base::Share{unrecorded(*side)}));
    // Much unrecorded time explains the little in common, so one of the two sentences is enough.
    if (d.matchedShare < kLittle && d.a.works > 0 && d.b.works > 0 &&
        std::max(unrecorded(d.a), unrecorded(d.b)) <= kMuchUnrecorded)
        sentences.push_back(base::message<reasons::kLittleInCommon>(base::Share{d.matchedShare}));
    if (d.a.onDevice != d.b.onDevice)
        sentences.push_back(base::message<reasons::kHostAgainstDevice>());
    using analysis::IterationSource;
    if (d.a.source == IterationSource::period || d.b.source == IterationSource::period)
        sentences.push_back(base::message<reasons::kSectionsForIterations>());
    if ((d.a.source == IterationSource::none) != (d.b.source == IterationSource::none))
        sentences.push_back(base::message<reasons::kWholeAgainstIterations>());
}

} // namespace

base::Result<NamedDifference> compareTraces(const TraceName& a, double batchA, const TraceName& b, double batchB)
{
    std::optional<analysis::IndexedTrace> readA;
    std::optional<analysis::IndexedTrace> readB;
    // Reading a trace takes longer than comparing two, so both are read side by side.
    base::runInParallel({[&] { readA.emplace(*a.trace); }, [&] { readB.emplace(*b.trace); }});
    for (const auto& [name, read] : {std::pair(&a, &*readA), std::pair(&b, &*readB)}) {
        const bool lacksKernels = analysis::lostKernels(read->index).areMost();
        if (lacksKernels || isEmpty(*read))
            return base::Error{base::ErrorCode::unsupported,
                               lacksKernels ? base::message<errors::kKernelsNotRecorded>(name->name)
                                            : base::message<errors::kNothingToCompare>(name->name),
                               {},
                               base::message<errors::kCompareRecordedWork>()};
    }
    NamedDifference named{{}, a, b, batchA, batchB};
    const auto side = [&named](const analysis::IndexedTrace& read, double batch) {
        return analysis::ComparedTrace{read.index, read.forest, read.iterations, named.perSample() ? batch : 1};
    };
    named.difference = analysis::compareTraces(side(*readA, batchA), side(*readB, batchB));
    // Host time is all that both sides have where one of them recorded no device.
    const auto weight = named.difference.a.onDevice && named.difference.b.onDevice ? analysis::FlameWeight::deviceTime
                                                                                   : analysis::FlameWeight::hostTime;
    const analysis::FlameTree flameA = flameOf(*readA, weight);
    const analysis::FlameTree flameB = flameOf(*readB, weight);
    named.flame = std::make_shared<const analysis::FlameDifference>(
        analysis::flameDifference({flameA, *a.trace, iterationsOf(*readA) * (named.perSample() ? batchA : 1)},
                                  {flameB, *b.trace, iterationsOf(*readB) * (named.perSample() ? batchB : 1)}));
    return named;
}

std::optional<BareChange> bareChange(const NamedDifference& named)
{
    const auto& a = named.a.trace->cost;
    const auto& b = named.b.trace->cost;
    if (!a || !b || named.perSample())
        return std::nullopt;
    const auto minus = [](const model::Interval& i) { return model::Interval{-i.value, -i.hi, -i.lo, i.confidence}; };
    BareChange bare{a->bareNs, b->bareNs, analysis::sumOfIndependent(b->bareNs, minus(a->bareNs)), {}};
    bare.recording = analysis::sumOfIndependent(named.difference.change, minus(bare.change));
    return bare;
}

double residualShare(const TraceDifference& difference)
{
    return difference.change.value != 0 ? std::abs(difference.residual() / difference.change.value) : 0;
}

std::vector<analysis::DifferenceLayer> largestLayers(const TraceDifference& difference)
{
    std::vector<analysis::DifferenceLayer> layers = difference.layers;
    if (layers.size() < 2)
        return {};
    std::stable_sort(layers.begin(), layers.end(),
                     [](const auto& x, const auto& y) { return std::abs(x.change.value) > std::abs(y.change.value); });
    return layers;
}

std::vector<Message> differenceSentences(const NamedDifference& named)
{
    const TraceDifference& d = named.difference;
    const DifferenceUnit unit(d);
    const std::string a = text::formatPlusMinus(d.a.time, unit.scale) + " " + unit.name;
    const std::string b = text::formatPlusMinus(d.b.time, unit.scale) + " " + unit.name;
    const std::string change = changeText(d.change, unit) + " " + unit.name;
    const std::string percent = percentOf(d.change.value, d.a.time.value);
    std::vector<Message> sentences{named.perSample() ? base::message<reasons::kSampleChange>(b, a, change, percent)
                                                     : base::message<reasons::kIterationChange>(b, a, change, percent)};
    if (named.perSample())
        sentences.push_back(base::message<reasons::kPerSample>(base::formatSignificant(named.batchA, 6),
                                                               base::formatSignificant(named.batchB, 6)));
    if (d.change.confidence <= 0 && d.change.value != 0)
        sentences.push_back(base::message<reasons::kOneIteration>());
    else if (d.change.confidence > 0 && !surelyDiffers(d.change))
        sentences.push_back(base::message<reasons::kRecordingsCannotTell>());
    if (d.sameWorkRatio) {
        const model::Interval& ratio = *d.sameWorkRatio;
        sentences.push_back(analysis::machineDiffers(d)
                                ? base::message<reasons::kOtherMachine>(text::formatRatio(ratio))
                                : base::message<reasons::kSameMachine>(text::formatRatio(ratio)));
    }
    if (surelyDiffers(d.change) || (d.change.confidence <= 0 && d.change.value != 0))
        sentences.push_back(base::message<reasons::kResidual>(
            signedFigure(d.residual() * unit.scale, text::decimalsFor(d.change.value * unit.scale, 0)), unit.name,
            base::Share{residualShare(d)}));
    addDoubts(d, sentences);
    addBare(named, sentences);
    if (d.change.confidence > 0)
        sentences.push_back(base::message<reasons::kWithinEachRecording>());
    return sentences;
}

std::vector<CommonStep> commonSteps(Differences differences)
{
    std::map<std::string, CommonStep> byName;
    for (std::size_t i = 0; i < differences.size(); ++i) {
        const TraceDifference& d = differences[i].difference;
        for (const DifferenceStep& step : differenceSteps(d)) {
            const auto [found, fresh] = byName.try_emplace(stepName(step, d), CommonStep{step, &d, {}});
            found->second.changes.resize(differences.size());
            found->second.changes[i] = step.change;
        }
    }
    std::vector<CommonStep> steps;
    for (auto& [name, step] : byName)
        steps.push_back(std::move(step));
    const auto largest = [](const CommonStep& step) {
        double size = 0;
        for (const auto& change : step.changes)
            size = std::max(size, change ? std::abs(change->value) : 0);
        return size;
    };
    std::stable_sort(steps.begin(), steps.end(),
                     [&largest](const CommonStep& x, const CommonStep& y) { return largest(x) > largest(y); });
    return steps;
}

} // namespace apertune::comparison
