// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/store.h"
#include "widgets/trace_views/share_bar.h"

#include <QString>

#include <optional>
#include <vector>

namespace apertune::gui {

/// The Trial page's headline where the trial ran from image to answer: what an image costs, stage by stage.
struct StageView
{
    std::vector<trace_views::ShareBar::Share> parts;
    QString spoken;    ///< the bar as a sentence
    QString rate;      ///< "36.6 ± 2.7 images/s from JPEG to answer"
    QString modelOnly; ///< the model alone beside it
    QString bound;     ///< what bounds the rate
    QString source;    ///< which images
};

/// Of the newest run that can be read; nothing where there is none. Pure: tested without a window.
std::optional<StageView> makeStageView(const std::vector<store::Store::Pipeline>& runs);

} // namespace apertune::gui
