// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/page.h"
#include "app/gui/session/store_poller.h"
#include "app/gui/shell/main_window.h"
#include "app/gui/shell/page_table.h"
#include "app/gui/workbench/workbench_gateway.h"
#include "widgets/controls/fact_list.h"
#include "widgets/controls/kpi_card.h"

#include <QLabel>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace apertune::testing {

/// The window of the program over a workspace. The machine itself is not looked at.
struct FormsWindow
{
    explicit FormsWindow(const std::filesystem::path& file)
    {
        window.resize(1600, 1000);
        window.showPage(gui::PageId::tradeoffs);
        window.show();
        context.session.setFile(file);
        EXPECT_TRUE(settle());
    }

    QTemporaryDir dir;
    gui::Settings settings{dir.filePath(QStringLiteral("settings.ini")), nullptr};
    std::shared_ptr<gui::Gateway> gateway = std::make_shared<gui::WorkbenchGateway>();
    gui::AppContext context{settings, gateway, gui::pageTable()};
    gui::StorePoller poller{context.session, context.tasks, gateway};
    gui::MainWindow window{context};

    /// Waits until nothing is loaded any more.
    bool settle()
    {
        return QTest::qWaitFor(
            [&] {
                return context.session.isLoaded() && context.session.snapshot() && context.tasks.isIdle() &&
                       window.currentPage()->isReady();
            },
            300'000);
    }
    gui::Page& show(gui::PageId page)
    {
        window.showPage(page);
        EXPECT_TRUE(settle());
        return *window.currentPage();
    }
    /// What the visible widgets of one sort show.
    template <typename Widget>
    static std::vector<Widget*> shown(const QWidget& in)
    {
        std::vector<Widget*> found;
        for (auto* widget : in.findChildren<Widget*>())
            if (widget->isVisible())
                found.push_back(widget);
        return found;
    }
    /// The fact lists of a page, as one.
    static std::vector<controls::FactList::Fact> facts(const QWidget& in)
    {
        std::vector<controls::FactList::Fact> all;
        for (const controls::FactList* list : shown<controls::FactList>(in))
            all.insert(all.end(), list->facts().begin(), list->facts().end());
        return all;
    }
};

} // namespace apertune::testing
