// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/range_statistics.h"
#include "widgets/controls/fact_list.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace apertune::gui {

/// The main facts about a range: wall time, busy share, largest gap, copies.
std::vector<controls::FactList::Fact> selectionFacts(const timeline::RangeStatistics& statistics, bool isFilter);

/// The same for some tracks: number of events, and their time.
std::vector<controls::FactList::Fact> areaFacts(const timeline::RangeStatistics& statistics);

/// "8 iterations · 14 202 events · 38.5 ms · kineto 2.1"
QString traceFacts(const timeline::Timeline& timeline);
/// The losses of the trace, one sentence each, the most severe first; empty when there are none. Notices are not
/// included.
QString lossText(const trace::Trace& trace);
/// The notices of the recording, which change no number: one sentence each.
QStringList noticesOf(const trace::Trace& trace);
/// "4.342 ms from 1.302 s"
QString filterText(trace::TimeRange range);

} // namespace apertune::gui
