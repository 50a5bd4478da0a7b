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

/// The content of the Compare page for two sides. It is immutable once made. A task computes it, because the intervals
/// of a large study take a while.
struct CompareView
{
    struct Side
    {
        ComparisonSide side; ///< study, and the trial in it that is compared
        std::shared_ptr<const model::StudySnapshot> snapshot;
        QString name;  ///< "resnet50 · study 3", "O2 bf16 b4 of resnet50 · study 3"
        QString facts; ///< "14 measured · Example CPU 8-Core · 2026-03-14 09:20"
    };
    Side a, b;
    std::vector<tables::TextTableModel::Row> configurations;       ///< key: index + 1
    std::vector<std::pair<model::TrialId, model::TrialId>> trials; ///< the pair A, B by row of `configurations`
    QString timeUnit;                     ///< unit of the times in the rows: "ms/pass", "ms/image"
    std::vector<plots::ForestRow> forest; ///< one for each row of `configurations`; id: its key
    std::map<stats::Verdict, int> counts;
    std::vector<tables::TextTableModel::Row> differences;
    std::vector<tables::TextTableModel::Row> oneSided; ///< configurations without a partner
    double noiseFloor = 0;                             ///< the share below which no difference is reported; 0: unknown
    QString machine; ///< change of the machine itself between both sides, which the speed-ups exclude; empty: none
    /// A cause other than the configuration that may explain the speed-ups; empty: none.
    QString warning;
    QString command; ///< empty when the command line cannot name both sides

    int matched() const { return static_cast<int>(configurations.size()); }
};

/// Word, icon and tone of a verdict, the same everywhere. They all say the same, so colour is never the only sign.
QString verdictWord(stats::Verdict verdict);
QString verdictIcon(stats::Verdict verdict);
controls::Tone verdictTone(stats::Verdict verdict);

/// The columns of CompareView::configurations, for CompareView::timeUnit.
std::vector<tables::TextTableModel::Column> comparisonColumns(const QString& timeUnit);

/// Compares two loaded studies, or trials of them. When only one side names a trial, the other side takes its trial of
/// the same configuration, else its recommended one. Failures: notFound, with what to choose instead.
base::Result<std::shared_ptr<const CompareView>> makeCompareView(const ComparisonSide& a,
                                                                 std::shared_ptr<const model::StudySnapshot> studyA,
                                                                 const ComparisonSide& b,
                                                                 std::shared_ptr<const model::StudySnapshot> studyB);

/// The comparison (baseline, candidate) to show when the user has chosen none. It starts from the study that is shown,
/// else from the newest one, and is the first of these that exists:
///
/// 1. the study of the same model before it, and the study;
/// 2. the study, and the one of the same model after it;
/// 3. the baseline of the shown study, and its recommended trial;
/// 4. the two newest studies.
std::optional<std::pair<ComparisonSide, ComparisonSide>>
defaultComparison(const std::filesystem::path& file, const std::vector<store::StudySummary>& studies,
                  const std::shared_ptr<const model::StudySnapshot>& shown);

} // namespace apertune::gui
