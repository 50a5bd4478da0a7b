// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"
#include "widgets/controls/figure.h"
#include "widgets/plots/heat_map.h"
#include "widgets/plots/tradeoff_plot.h"
#include "widgets/tables/trial_table_model.h"

#include <QString>

#include <array>
#include <filesystem>

namespace apertune::gui {

/// The content of the pages about a study, made from one snapshot. A pure function makes it, tested without a window.
struct TradeoffsView
{
    /// Throughput, latency, quality and memory of the recommendation, else of the first of the shortlist.
    std::array<controls::Figure, 4> figures;
    QString shortlist; ///< why nothing is recommended, and the candidates; empty where there are none
    plots::TradeoffData plot;
    plots::HeatMapData heat;
    QString heatTitle;
    QString plotTitle;
    tables::TrialTableModel::Extras extras;
};

TradeoffsView makeTradeoffsView(const std::shared_ptr<const model::StudySnapshot>& snapshot,
                                const std::filesystem::path& file);

/// "16 trials · 12 ok · 1 failed · 3 skipped · AMD EPYC 9B45 · finished 14:02"
QString studyFacts(const model::StudySnapshot& snapshot);

/// The four figures of one trial. `leading` is StudySnapshot::leading() where that is this trial, else null; it decides
/// the caption of the first.
std::array<controls::Figure, 4> trialFigures(const model::StudySnapshot& snapshot, const model::Trial& trial,
                                             const model::Recommendation* leading, const std::filesystem::path& file);

model::DeviceType deviceTypeOf(const model::StudySnapshot& snapshot, const model::Trial& trial);
/// "O2 bf16 b4" with the switches that differ from it.
QString configurationName(const model::StudySnapshot& snapshot, const model::Trial& trial);

} // namespace apertune::gui
