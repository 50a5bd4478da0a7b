// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/store.h"
#include "core/workload/load/scenario_summary.h"
#include "widgets/tables/text_table_model.h"

#include <vector>

namespace apertune::gui {

// The Trial page's section on results under load. Pure functions, tested without a window.
std::vector<tables::TextTableModel::Column> loadColumns();

/// One row for each result, the newest first. The tool tip has the details. Results that cannot be read are left out.
/// `rateUnit` is theme::throughputUnit() of the model.
std::vector<tables::TextTableModel::Row> makeLoadRows(const std::vector<store::Scenario>& scenarios,
                                                      const QString& rateUnit);

/// A warning before the run: what tooFewQueries() found about the scenario.
QString tooFewText(const workload::Scenario& scenario, const workload::TooFew& few);

} // namespace apertune::gui
