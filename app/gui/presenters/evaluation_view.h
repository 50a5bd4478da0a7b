// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/store.h"
#include "widgets/tables/text_table_model.h"

#include <QString>

#include <vector>

namespace apertune::gui {

/// The Trial page's sections on quality: accuracy against labels, and the cost of int8 in each layer. A pure function
/// makes it, which is tested without a window.
struct EvaluationView
{
    QString images; ///< "500 labelled images of val"
    std::vector<tables::TextTableModel::Row> accuracy;
    QString calibration; ///< the total cost of int8, and how it was calibrated
    std::vector<tables::TextTableModel::Row> layers;
};

std::vector<tables::TextTableModel::Column> accuracyColumns();
std::vector<tables::TextTableModel::Column> sensitivityColumns();

/// Takes the latest evaluation of each kind. Evaluations that cannot be read are left out.
EvaluationView makeEvaluationView(const std::vector<store::Evaluation>& evaluations);

} // namespace apertune::gui
