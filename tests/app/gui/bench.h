// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/main_window.h"
#include "app/gui/page.h"
#include "app/gui/store_poller.h"
#include "tests/app/gui/fake_gateway.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>

namespace apertune::testing {

/// A whole window over a fake gateway, with settings of its own.
struct Bench
{
    explicit Bench(std::shared_ptr<FakeGateway> fake = makeFakeGateway()) : gateway(std::move(fake)) {}

    QTemporaryDir dir;
    gui::Settings settings{dir.filePath(QStringLiteral("settings.ini")), nullptr};
    std::shared_ptr<FakeGateway> gateway;
    gui::AppContext context{settings, gateway};
    gui::StorePoller poller{context.session, context.tasks, gateway};
    gui::MainWindow window{context};

    /// Shows a page and waits until it has its data and its layout.
    bool load(gui::PageId page, QSize size = {1280, 800})
    {
        window.resize(size);
        window.showPage(page);
        window.show();
        context.session.setFile("/nowhere/synthetic.apertune");
        context.session.setMachine(gateway->machine);
        return settle();
    }

    bool settle()
    {
        const bool ready = QTest::qWaitFor(
            [&] { return context.session.isLoaded() && context.tasks.isIdle() && window.currentPage()->isReady(); },
            60000);
        QTest::qWait(30); // layouts settle over a few turns
        return ready;
    }
};

} // namespace apertune::testing
