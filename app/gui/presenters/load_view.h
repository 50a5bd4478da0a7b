// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/store.h"
#include "core/workload/load/scenario_summary.h"
#include "widgets/tables/text_table_model.h"

#include <vector>

namespace apertune::gui {

/// The Trial page's section on what the trial did under load. Pure functions: tested without a window.
std::vector<tables::TextTableModel::Column> loadColumns();

/// A row each, the newest first; the tool tip tells the rest. What cannot be read is left out.
std::vector<tables::TextTableModel::Row> makeLoadRows(const std::vector<store::Store::Scenario>& scenarios);

/// What tooFewQueries() found, before the time is spent.
QString tooFewText(const workload::Scenario& scenario, const workload::TooFew& few);

} // namespace apertune::gui
