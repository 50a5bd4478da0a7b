// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/presenters/comparison_side.h"
#include "core/base/result.h"
#include "core/model/study.h"
#include "core/store/store.h"
#include "widgets/plots/forest_plot.h"
#include "widgets/tables/text_table_model.h"

#include <QStringList>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace apertune::gui {

/// What the Compare page shows of two sides. Immutable once made; worked out on a task's thread, for the intervals of
/// a large study take a while.
struct CompareView
{
    struct Side
    {
        ComparisonSide side; ///< the trial is the one really compared
        std::shared_ptr<const model::StudySnapshot> snapshot;
        QString name;  ///< "resnet50 · study 3", "O2 bf16 b4 of resnet50 · study 3"
        QString facts; ///< "14 measured · Example CPU 8-Core · 2026-03-14 09:20"
    };
    Side a, b;
    std::vector<tables::TextTableModel::Row> cells; ///< key: index + 1
    QString timeUnit;                               ///< of the times of the cells: "ms/pass", "ms/image"
    std::vector<plots::ForestRow> forest;           ///< in the same order; id: the same key
    std::map<stats::Verdict, int> counts;
    std::vector<tables::TextTableModel::Row> differences;
    std::vector<tables::TextTableModel::Row> oneSided; ///< cells without a partner
    double noiseFloor = 0;                             ///< the share below which no difference is named; 0: unknown
    QString machine; ///< how far the machine itself had changed, which the speed-ups are without; empty: it had not
    /// What makes the speed-ups something else than an effect of the configuration; empty where nothing does.
    QString warning;
    QString command; ///< empty when the command line cannot name both sides

    int matched() const { return static_cast<int>(cells.size()); }
};

/// How a verdict looks wherever it is shown: icon, word and tone say the same, so that colour never has to.
QString verdictWord(stats::Verdict verdict);
QString verdictIcon(stats::Verdict verdict);
controls::Tone verdictTone(stats::Verdict verdict);

/// Of CompareView::cells. `timeUnit`: CompareView::timeUnit.
std::vector<tables::TextTableModel::Column> comparisonColumns(const QString& timeUnit);

/// Compares two loaded studies, or trials of them. When only one side names a trial, the other is represented by its
/// trial of the same configuration, else by its recommended one. Failures: notFound, with what to choose instead.
base::Result<std::shared_ptr<const CompareView>> makeCompareView(const ComparisonSide& a,
                                                                 std::shared_ptr<const model::StudySnapshot> studyA,
                                                                 const ComparisonSide& b,
                                                                 std::shared_ptr<const model::StudySnapshot> studyB);

/// What to compare when nobody has chosen: the study that is shown, else the newest, with the one of the same model
/// before it (or after it); without another of its model its recommended trial against that one's baseline; else the
/// two newest studies. nullopt when there is none of these.
std::optional<std::pair<ComparisonSide, ComparisonSide>>
defaultComparison(const std::filesystem::path& file, const std::vector<store::StudySummary>& studies,
                  const std::shared_ptr<const model::StudySnapshot>& shown);

} // namespace apertune::gui
