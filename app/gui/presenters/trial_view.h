// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"
#include "widgets/controls/fact_list.h"
#include "widgets/controls/figure.h"
#include "widgets/tables/text_table_model.h"

#include <QString>

#include <array>
#include <filesystem>
#include <vector>

namespace apertune::gui {

/// The content of the Trial page for one trial. A pure function makes it, tested without a window.
struct TrialView
{
    QString title; ///< "O2 bf16 b4"
    QString facts; ///< "t183 · resnet50 · study 3 · cpu, 8 threads"
    bool measured = false;
    std::array<controls::Figure, 4> figures;
    bool imported = false;                             ///< another tool measured it, so that it cannot be run here
    std::vector<tables::TextTableModel::Row> switches; ///< empty for an imported trial
    std::vector<tables::TextTableModel::Row> stated;   ///< facts that the file of another tool states, in its words
    QString noPasses; ///< why there are no single passes to draw; empty when there are some
    std::vector<controls::FactList::Fact> timing;
    std::vector<controls::FactList::Fact> memoryAndQuality;
    std::vector<controls::FactList::Fact> environment;
    QString warning; ///< warning about the samples, in words; empty when there is none
    QString command;
    // The failure of a trial without a measurement.
    QString failureTitle;
    QString failureText;
    QString failureAdvice;
    QString failureDetail; ///< log tail
};

TrialView makeTrialView(const model::StudySnapshot& snapshot, const model::Trial& trial,
                        const std::filesystem::path& file);

/// A flag in words: "drift" -> "the first and the last blocks differ". An unknown flag is made readable.
QString flagText(model::TrialFlag flag);

/// One sentence that says what to do about a reason; empty when there is nothing to do.
QString reasonAdvice(const std::string& kind);

} // namespace apertune::gui
