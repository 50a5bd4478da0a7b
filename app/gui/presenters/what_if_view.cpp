// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/what_if_view.h"

#include "app/gui/gateway/trace_gateway.h"
#include "app/gui/presenters/translate.h"
#include "widgets/theme/format.h"
#include "widgets/trace_views/trace_labels.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace apertune::gui {

using advice::ChangeEffect;
using advice::ChangeKind;
using tables::TextTableModel;

namespace {

constexpr std::size_t kMostNames = 300;

using TimeByName = std::unordered_map<std::uint32_t, std::int64_t>; ///< ns by StringId

QStringList longestFirst(const trace::Trace& trace, const TimeByName& times)
{
    std::vector<std::pair<std::int64_t, std::uint32_t>> all;
    for (const auto& [name, time] : times)
        all.emplace_back(time, name);
    // Names of equal time keep an order, so that the same trace always gives the same list.
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    all.resize(std::min(all.size(), kMostNames));
    QStringList names;
    for (const auto& [time, name] : all)
        names << theme::toQt(trace.strings[name]);
    return names;
}

QString percentWord(double share)
{
    return theme::percent(share, std::abs(share) < 0.095 ? 2 : 3);
}

QString timeAt(double nanoseconds)
{
    return trace_views::timeWord(std::llround(std::max(0.0, nanoseconds)));
}

QString unknownRange(const QString& value)
{
    return value + QStringLiteral(" ± ?");
}

QString rangeWord(const QString& value, const QString& lo, const QString& hi)
{
    return QStringLiteral("%1 [%2, %3]").arg(value, lo, hi);
}

QString timeRange(const model::Interval& ns)
{
    return ns.confidence > 0 ? rangeWord(timeAt(ns.value), timeAt(ns.lo), timeAt(ns.hi))
                             : unknownRange(timeAt(ns.value));
}

QString savedRange(const ChangeEffect& effect)
{
    return effect.bandKnown
               ? rangeWord(percentWord(effect.saved), percentWord(effect.band.lo), percentWord(effect.band.hi))
               : unknownRange(percentWord(effect.saved));
}

/// Whether the sign of what is saved is sure.
controls::Tone savedTone(const ChangeEffect& effect)
{
    if (!effect.bandKnown)
        return controls::Tone::text;
    return effect.band.lo > 0 ? controls::Tone::good : effect.band.hi < 0 ? controls::Tone::bad : controls::Tone::text;
}

TextTableModel::Row effectRow(qint64 key, const QString& change, const ChangeEffect& effect,
                              const advice::WhatIfReport& report)
{
    const model::Interval after = report.after(effect);
    TextTableModel::Row row;
    row.key = key;
    row.cells = {{change},
                 effect.events > 0 ? TextTableModel::Cell{theme::number(effect.events, 3), QVariant(effect.events)}
                                   : TextTableModel::Cell{},
                 {savedRange(effect), QVariant(effect.saved), savedTone(effect)},
                 {timeRange(after), QVariant(after.value)}};
    return row;
}

/// Where the range of a prediction comes from, or why there is none.
QString rangeReason(const ChangeEffect& effect, const advice::WhatIfReport& report, ChangeKind kind)
{
    const QString iterations = theme::counted(report.iterations, tr("steady iteration"), tr("steady iterations"));
    if (!effect.bandKnown)
        return tr("No range: %1 are too few to tell how much the effect varies.").arg(iterations);
    QString reason = tr("The range is that of the median over %1.").arg(iterations);
    if (kind == ChangeKind::threads)
        reason += QLatin1Char(' ') + tr("It also has both estimates of the part that runs in parallel: by the "
                                        "processors that were kept busy, and by the operators that threads share.");
    else if (kind == ChangeKind::setting)
        reason += QLatin1Char(' ') + tr("It also has the range that the rule predicts.");
    if (report.replayError >= 0.0005)
        reason += QLatin1Char(' ') + tr("The replay without a change misses the recorded time by %1, which widens it.")
                                         .arg(percentWord(report.replayError));
    return reason;
}

} // namespace

WhatIfNames whatIfNames(const TraceReport& report)
{
    const advice::Facts& facts = report.facts;
    TimeByName kernels, operators, layers;
    for (const analysis::Work& work : facts.index.work)
        if (work.isKernel())
            kernels[work.name] += work.time.length();
    const auto& nodes = facts.forest.nodes;
    // As whatIf() does it: without a device, the busiest thread alone counts.
    const auto [first, end] =
        facts.onDevice ? std::pair(0, static_cast<std::int32_t>(nodes.size())) : facts.forest.busiestThread();
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(end); ++i)
        operators[nodes[i].name] += nodes[i].selfTime + nodes[i].ownDeviceTime;
    for (const trace::Series& series : facts.trace.series)
        if (series.kind == trace::EventKind::range || series.kind == trace::EventKind::scriptCall)
            for (std::size_t i = 0; i < series.events.size(); ++i)
                layers[series.events.name[i]] += series.events.end(i) - series.events.start[i];
    WhatIfNames names{longestFirst(facts.trace, kernels),
                      longestFirst(facts.trace, operators),
                      longestFirst(facts.trace, layers),
                      {}};
    for (const advice::Finding& finding : report.findingReport.findings)
        if (!finding.knob.switchName.empty() && finding.shareOf == advice::ShareOf::time && finding.gain.hi > 0)
            names.switches << theme::toQt(finding.knob.switchName) +
                                  (finding.knob.value ? QStringLiteral("=on") : QStringLiteral("=off"));
    names.switches.removeDuplicates();
    return names;
}

int WhatIfView::changeOf(qint64 key) const
{
    return key >= 2 && key < 2 + static_cast<qint64>(changes.size()) ? static_cast<int>(key - 2) : -1;
}

const ChangeEffect* WhatIfView::effectOf(qint64 key) const
{
    if (const int change = changeOf(key); change >= 0)
        return &report.effects[static_cast<std::size_t>(change)];
    return key > 1 ? &report.together : nullptr;
}

std::vector<TextTableModel::Column> whatIfColumns()
{
    return {{tr("Change"), false, {}, true},
            {tr("Events"), true, tr("Changed events of an iteration")},
            {tr("Saved"),
             true,
             tr("Share of an iteration that the change saves, with its range; below 0 it costs"),
             false,
             {tr("Saved (share)")}},
            {tr("An iteration"),
             true,
             tr("Predicted time of an iteration with its range, corrected by earlier experiments where there are some"),
             false,
             {tr("An iteration (ns)")}}};
}

base::Result<std::shared_ptr<const WhatIfView>> whatIfForView(const TraceReport& whole,
                                                              std::vector<advice::Change> changes)
{
    auto report = advice::whatIf(whole.facts, changes);
    if (!report)
        return report.error();
    auto view = std::make_shared<WhatIfView>();
    view->changes = std::move(changes);
    view->report = std::move(*report);
    const advice::WhatIfReport& shown = view->report;
    TextTableModel::Row none;
    none.key = 1;
    none.cells = {{shown.bare ? tr("none, without recording") : tr("none"), {}, controls::Tone::secondary},
                  {},
                  {},
                  {timeRange(shown.before), QVariant(shown.before.value)}};
    view->rows.push_back(std::move(none));
    for (std::size_t i = 0; i < view->changes.size(); ++i)
        view->rows.push_back(
            effectRow(static_cast<qint64>(i) + 2, theme::toQt(view->changes[i].text), shown.effects[i], shown));
    if (view->changes.size() > 1)
        view->rows.push_back(
            effectRow(static_cast<qint64>(view->changes.size()) + 2, tr("all of them"), shown.together, shown));
    return std::shared_ptr<const WhatIfView>(std::move(view));
}

QStringList whatIfEvidence(const WhatIfView& view, qint64 key)
{
    const ChangeEffect* effect = view.effectOf(key);
    if (!effect)
        return {view.report.bare ? tr("The time of an iteration as it was measured without recording.")
                                 : tr("The median of the recorded iterations; recording adds to it.")};
    const int change = view.changeOf(key);
    QStringList sentences{
        rangeReason(*effect, view.report,
                    change >= 0 ? view.changes[static_cast<std::size_t>(change)].kind : ChangeKind::operators)};
    if (effect->correction)
        sentences << tr("%1 of this kind of change gained %2 of what was predicted. Expect %3 to %4.")
                         .arg(theme::counted(effect->correction->experiments, tr("earlier experiment"),
                                             tr("earlier experiments")),
                              theme::number(effect->correction->bias, 2), percentWord(effect->correction->gain.lo),
                              percentWord(effect->correction->gain.hi));
    // Rounded, it would read as all of it.
    if (effect->onCriticalPath && *effect->onCriticalPath < 0.995)
        sentences << tr("%1 of the removed time of the device was on the critical path; the rest was hidden.")
                         .arg(percentWord(*effect->onCriticalPath));
    return sentences;
}

QString whatIfBarrier(const ChangeEffect& effect, bool ofTrial)
{
    if (!runs::canApply(effect.knob))
        return tr("Apertune cannot make this change, because it is neither a switch nor a number of threads. Make it "
                  "by hand, record it, and look at the Difference.");
    if (!ofTrial)
        return tr("Only a trace of a trial of this workspace can be measured with the change. This one is a recording "
                  "without its trial.");
    return {};
}

QString whatIfMeaning(ChangeKind kind)
{
    switch (kind) {
    case ChangeKind::kernels:
        return tr("Work of the device, by its name. /A regular expression/ stands for several names, #2 behind it for "
                  "the second match of each iteration alone.");
    case ChangeKind::operators:
        return tr("Operators by their name, with everything that they call. /A regular expression/ stands for several "
                  "names, #2 behind it for the second match of each iteration alone.");
    case ChangeKind::layers:
        return tr("Ranges and functions by their name, with everything in them. /A regular expression/ stands for "
                  "several names, #2 behind it for the second match of each iteration alone.");
    case ChangeKind::copies:
        return tr("Copies between host and device. Pinned ones run at the measured rate of the link and their calls "
                  "return at once; overlapped ones run on streams of their own, an iteration ahead.");
    case ChangeKind::graph:
        return tr("The host launches all kernels of an iteration that no wait separates with the first of them, as a "
                  "CUDA graph does. The gaps between launches go.");
    case ChangeKind::streams:
        return tr("Iterations take turns on several sets of streams, as far as their kernels leave room on the "
                  "device.");
    case ChangeKind::host:
        return tr("All time of the host between the pieces of work.");
    case ChangeKind::threads:
        return tr("Threads of the engine on a CPU, by Amdahl's law.");
    case ChangeKind::setting:
        break;
    }
    return tr("A switch of the engine whose effect a finding of this trace predicts.");
}

} // namespace apertune::gui
