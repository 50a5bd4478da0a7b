// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/page.h"
#include "app/gui/pages/tradeoffs_page.h"

namespace apertune::gui {

Page* makePage(PageId id, AppContext& context, QWidget* parent)
{
    switch (id) {
    default:
        return new TradeoffsPage(context, parent);
    }
}

} // namespace apertune::gui
