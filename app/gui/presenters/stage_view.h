// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/store.h"
#include "widgets/trace_views/share_bar.h"

#include <QString>

#include <optional>
#include <vector>

namespace apertune::gui {

/// The stages of a pipeline run on the Trial page: the cost of an image, stage by stage.
struct StageView
{
    std::vector<trace_views::ShareBar::Share> parts;
    QString sentence;  ///< the bar as a sentence
    QString rate;      ///< "36.6 ± 2.7 images/s from JPEG to answer"
    QString modelOnly; ///< the rate of the model alone, for comparison
    QString bound;     ///< the stage that limits the rate
    QString source;    ///< the images of the run
};

/// Takes the newest run that can be read; nullopt without one. A pure function, tested without a window.
std::optional<StageView> makeStageView(const std::vector<store::Pipeline>& runs);

} // namespace apertune::gui
