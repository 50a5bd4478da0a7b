// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/range_statistics.h"
#include "widgets/controls/fact_list.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace apertune::gui {

/// What is worth knowing of a range: wall time, busy share, largest gap, copies.
std::vector<controls::FactList::Fact> selectionFacts(const timeline::RangeStatistics& statistics, bool isFilter);

/// The same of some tracks: how many events, how long they take.
std::vector<controls::FactList::Fact> areaFacts(const timeline::RangeStatistics& statistics);

/// "8 iterations · 14 202 events · 38.5 ms · kineto 2.1"
QString traceFacts(const timeline::Timeline& timeline);
/// What is missing from the trace, one sentence each, the gravest first; empty when nothing is. Without notices.
QString lossText(const trace::Trace& trace);
/// What the recording says of itself and changes no number: a sentence each.
QStringList noticesOf(const trace::Trace& trace);
/// "4.342 ms from 1.302 s"
QString filterText(trace::TimeRange range);

} // namespace apertune::gui
