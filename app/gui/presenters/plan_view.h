// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study_plan.h"
#include "widgets/controls/fact_list.h"
#include "widgets/plots/heat_map.h"

#include <QString>

#include <vector>

namespace apertune::gui {

/// A plan in words: how many configurations run, which cannot and why, and the time that it takes. A pure function
/// makes it.
struct PlanView
{
    QString headline;        ///< "28 cells run, 4 are impossible"
    QString estimate;        ///< "searched by racing · about 1–2 min · 4 packages to compile first"
    plots::HeatMapData grid; ///< grid of the first device
    std::vector<controls::FactList::Fact>
        reasons; ///< count and reason of the impossible configurations, most frequent first
};

PlanView makePlanView(const study::StudyPlan& plan, base::Nanoseconds budget);

/// "1–2 min", "40–55 s"
QString durationRange(base::Nanoseconds low, base::Nanoseconds high);

} // namespace apertune::gui
