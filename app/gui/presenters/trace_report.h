// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/verdict.h"
#include "core/timeline/timeline.h"
#include "core/trace/trace.h"
#include "widgets/controls/figure.h"
#include "widgets/theme/tokens.h"

#include <QColor>
#include <QString>

#include <memory>
#include <vector>

namespace apertune::gui {

/// What the analyses and the rules say of a trace, or of a range of it; keeps the trace alive. Immutable.
struct TraceReport
{
    TraceReport(trace::TracePtr from, advice::Context context);
    TraceReport(const TraceReport& whole, trace::TimeRange range);
    trace::TracePtr trace;
    advice::Facts facts;
    advice::FindingReport findingReport;
    /// Of everything that the range holds (facts.kernels: of the steady iterations), by device and total time.
    std::vector<analysis::KernelRow> kernels;
};
using TraceReportPtr = std::shared_ptr<const TraceReport>;

/// Blocks: a third of a second for a million events.
TraceReportPtr makeTraceReport(trace::TracePtr trace, advice::Context context = {});
/// The same of a part of the trace that a person chose; a fraction of that time. REQUIRES: not range.empty()
TraceReportPtr makeTraceReport(const TraceReport& whole, trace::TimeRange range);

/// The iterations that the analyses found, for the timeline's strip.
std::vector<timeline::Iteration> iterationsOf(const TraceReport& report);

QString causeWord(advice::Cause cause);
/// One sentence: what is counted under it.
QString causeDefinition(advice::Cause cause);
QColor causeColor(advice::Cause cause);

/// "Launch-bound", "Balanced", "Not enough evidence"
QString verdictWord(advice::VerdictKind kind);

/// Iteration time, busy share, exposed copies (without a device the peak of the tensors), pieces of work: each with its
/// definition. None where nothing worked.
std::vector<controls::Figure> reportFigures(const TraceReport& report);

/// What shares are of: "the iteration", "the repeated section", "the recording" or "the range".
QString wholeWord(const advice::Facts& facts);
/// "concerns 12 % of the iteration".
QString concernText(const advice::Finding& finding, const advice::Facts& facts);
/// "would save 12 to 18 %"; empty when nothing is predicted.
QString gainText(const advice::Finding& finding, const advice::Facts& facts);
/// "High", "Medium", "Low", with a shape and a tone of its own.
struct SeverityLook
{
    QString word;
    theme::Shape shape = theme::Shape::circle;
    controls::Tone tone = controls::Tone::secondary;
};
SeverityLook severityLook(advice::Severity severity);
/// What the words mean.
QString severityDefinition();
QString confidenceText(advice::Confidence confidence);

} // namespace apertune::gui
