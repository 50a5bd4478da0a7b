// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/page.h"
#include "app/gui/pages/compare_page.h"
#include "app/gui/pages/export_page.h"
#include "app/gui/pages/live_page.h"
#include "app/gui/pages/model_page.h"
#include "app/gui/pages/settings_page.h"
#include "app/gui/pages/start_page.h"
#include "app/gui/pages/sweep_page.h"
#include "app/gui/pages/trace_page.h"
#include "app/gui/pages/tradeoffs_page.h"
#include "app/gui/pages/trial_page.h"

namespace apertune::gui {

Page* makePage(PageId id, AppContext& context, QWidget* parent)
{
    switch (id) {
    case PageId::start:
        return new StartPage(context, parent);
    case PageId::model:
        return new ModelPage(context, parent);
    case PageId::sweep:
        return new SweepPage(context, parent);
    case PageId::live:
        return new LivePage(context, parent);
    case PageId::trial:
        return new TrialPage(context, parent);
    case PageId::trace:
        return new TracePage(context, parent);
    case PageId::exportTrial:
        return new ExportPage(context, parent);
    case PageId::settings:
        return new SettingsPage(context, parent);
    case PageId::compare:
        return new ComparePage(context, parent);
    default:
        return new TradeoffsPage(context, parent);
    }
}

} // namespace apertune::gui
