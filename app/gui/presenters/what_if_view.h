// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/presenters/trace_report.h"
#include "core/advice/what_if.h"
#include "widgets/tables/text_table_model.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace apertune::gui {

/// The names that changes of a trace can be about, those that take longest first.
struct WhatIfNames
{
    QStringList kernels;
    QStringList operators;
    QStringList layers;   ///< ranges and functions
    QStringList switches; ///< switches whose effect a finding predicts, as "freeze=on"
};
/// Each list ends after some hundred names. Linear in the events.
WhatIfNames whatIfNames(const TraceReport& report);

/// A what-if as the window shows it. Immutable.
struct WhatIfView
{
    std::vector<advice::Change> changes;
    advice::WhatIfReport report;
    /// The recording without a change, each change, and, where there are several, all of them. The key is the number of
    /// the row from 1.
    std::vector<tables::TextTableModel::Row> rows;

    /// The change of the row with that key; −1: it shows none, or all of them.
    int changeOf(qint64 key) const;
    /// The effect that the row with that key shows; null for the row without a change.
    const advice::ChangeEffect* effectOf(qint64 key) const;
};

/// The columns of WhatIfView::rows.
enum class WhatIfColumn { change, events, saved, after };
std::vector<tables::TextTableModel::Column> whatIfColumns();

/// Simulates the changes (advice::whatIf()) on the steady iterations of the whole trace. Blocks for up to a second for
/// large traces. Failures: those of advice::whatIf().
/// REQUIRES: `whole` is the report of a trace without a filter, and there is a change.
base::Result<std::shared_ptr<const WhatIfView>> whatIfForView(const TraceReport& whole,
                                                              std::vector<advice::Change> changes);

/// What the row with that key rests on, one sentence each: where its range comes from, or why there is none; earlier
/// experiments; and the part of the removed time that was on the critical path.
QStringList whatIfEvidence(const WhatIfView& view, qint64 key);

/// Why Apertune cannot measure a change; empty when it can. `ofTrial`: the trace is that of a trial of this workspace.
QString whatIfBarrier(const advice::ChangeEffect& effect, bool ofTrial);

/// The meaning of a kind of change, for people who choose one.
QString whatIfMeaning(advice::ChangeKind kind);

} // namespace apertune::gui
