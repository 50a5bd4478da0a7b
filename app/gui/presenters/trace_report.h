// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/verdict.h"
#include "core/timeline/timeline.h"
#include "core/trace/trace.h"
#include "widgets/controls/figure.h"
#include "widgets/theme/tokens.h"

#include <QColor>
#include <QString>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace apertune::gui {

/// The results of the analyses and the rules for a trace, or for a range of it. It keeps the trace alive. Immutable.
struct TraceReport
{
    TraceReport(trace::TracePtr from, advice::Context context);
    TraceReport(const TraceReport& whole, trace::TimeRange range);
    trace::TracePtr trace;
    advice::Facts facts;
    advice::FindingReport findingReport;
    /// All kernels of the range, by device and total time. (facts.kernels has those of the steady iterations.)
    std::vector<analysis::KernelRow> kernels;
};
using TraceReportPtr = std::shared_ptr<const TraceReport>;

/// Makes the report of a trace. Blocks for about a third of a second for a million events.
TraceReportPtr makeTraceReport(trace::TracePtr trace, advice::Context context = {});
/// Makes the report of a range that the user chose, in a fraction of that time.
///
/// REQUIRES: !range.empty()
TraceReportPtr makeTraceReport(const TraceReport& whole, trace::TimeRange range);

/// The query, like that of a finding, for one event of the trace with that id in its workspace; 0: of a file.
std::string eventQuery(const timeline::Timeline& timeline, timeline::EventRef event, std::int64_t traceId);

/// The iterations that the analyses found, for the timeline's strip.
std::vector<timeline::Iteration> iterationsOf(const TraceReport& report);

QString causeWord(advice::Cause cause);
/// One sentence: the time that is counted under this cause.
QString causeDefinition(advice::Cause cause);
QColor causeColor(advice::Cause cause);

/// "Launch-bound", "Balanced", "Not enough evidence"
QString verdictWord(advice::VerdictKind kind);

/// Iteration time, busy share, exposed copies (without a device the peak of the tensors), and pieces of work, each with
/// its definition. Empty for a trace without work.
std::vector<controls::Figure> reportFigures(const TraceReport& report);

/// The whole that shares refer to: "the iteration", "the repeated section", "the recording" or "the range".
QString wholeWord(const advice::Facts& facts);
/// "concerns 12 % of the iteration".
QString concernText(const advice::Finding& finding, const advice::Facts& facts);
/// "would save 12 to 18 %"; empty when nothing is predicted.
QString gainText(const advice::Finding& finding, const advice::Facts& facts);
/// "High", "Medium", "Low", with a shape and a tone of its own.
struct SeverityStyle
{
    QString word;
    theme::Shape shape = theme::Shape::circle;
    controls::Tone tone = controls::Tone::secondary;
};
SeverityStyle severityStyle(advice::Severity severity);
/// The definition of the words.
QString severityDefinition();
QString confidenceText(advice::Confidence confidence);

} // namespace apertune::gui
