// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_ref.h"
#include "core/models/model_library.h"
#include "core/models/zoo.h"
#include "widgets/controls/fact_list.h"
#include "widgets/controls/figure.h"
#include "widgets/tables/text_table_model.h"

#include <array>
#include <vector>

namespace apertune::gui {

/// One row of the list of models. Imported models come first, then the others of the zoo.
struct ModelChoice
{
    QString name;
    QString source;
    bool imported = false;
};
std::vector<ModelChoice> modelChoices(const std::vector<model::ModelRef>& models);
/// Rows of a list of choices; key: index + 1.
std::vector<tables::TextTableModel::Row> choiceRows(const std::vector<ModelChoice>& choices,
                                                    const std::vector<model::ModelRef>& models);

/// A task type in the window's language; empty for unknown.
QString taskWord(model::TaskType task);

/// The content of the Model page for an imported model. A pure function makes it.
struct ModelView
{
    std::array<controls::Figure, 4> figures; ///< parameters, multiply-accumulates, layers, input
    std::vector<controls::FactList::Fact> facts;
    std::vector<tables::TextTableModel::Row> layers; ///< in execution order
};
ModelView makeModelView(const model::ModelRef& model);

std::vector<tables::TextTableModel::Column> layerColumns();

/// "torchvision:resnet50 · classification · 25.6 M parameters"
QString modelFacts(const model::ModelRef& model);

const models::ZooEntry* zooEntry(const QString& source);

} // namespace apertune::gui
