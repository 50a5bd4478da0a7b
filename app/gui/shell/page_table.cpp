// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/shell/page_table.h"

namespace apertune::gui {

// Each spec is defined in the source file of its page.
PageSpec startPage();
PageSpec modelPage();
PageSpec sweepPage();
PageSpec livePage();
PageSpec tradeoffsPage();
PageSpec effectsPage();
PageSpec trendPage();
PageSpec claimsPage();
PageSpec trialPage();
PageSpec tracePage();
PageSpec comparePage();
PageSpec exportPage();
PageSpec settingsPage();

const PageTable& pageTable()
{
    static const PageTable kPages{startPage(),   modelPage(),  sweepPage(),   livePage(),    tradeoffsPage(),
                                  effectsPage(), trialPage(),  tracePage(),   comparePage(), trendPage(),
                                  claimsPage(),  exportPage(), settingsPage()};
    return kPages;
}

} // namespace apertune::gui
