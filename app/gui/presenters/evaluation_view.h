// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/store.h"
#include "widgets/tables/text_table_model.h"

#include <QString>

#include <vector>

namespace apertune::gui {

/// The Trial page's sections on what the trial's answers are worth: against labels, and what int8 costs in each layer.
/// Pure functions: tested without a window.
struct EvaluationView
{
    QString pictures; ///< "500 labelled pictures of val"
    std::vector<tables::TextTableModel::Row> accuracy;
    QString calibration; ///< what int8 costs altogether, and how it was calibrated
    std::vector<tables::TextTableModel::Row> layers;
};

std::vector<tables::TextTableModel::Column> accuracyColumns();
std::vector<tables::TextTableModel::Column> sensitivityColumns();

/// Of the latest evaluation of each kind; what cannot be read is left out.
EvaluationView makeEvaluationView(const std::vector<store::Store::Evaluation>& evaluations);

} // namespace apertune::gui
