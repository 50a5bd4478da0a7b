// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/page.h"
#include "app/gui/session/store_poller.h"
#include "app/gui/shell/main_window.h"
#include "app/gui/shell/page_table.h"
#include "tests/app/gui/fake_gateway.h"

#include <QCoreApplication>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

namespace apertune::testing {

/// A whole window over a fake gateway, with settings of its own.
struct Fixture
{
    explicit Fixture(std::shared_ptr<FakeGateway> fake = makeFakeGateway()) : gateway(std::move(fake)) {}

    QTemporaryDir dir;
    gui::Settings settings{dir.filePath(QStringLiteral("settings.ini")), nullptr};
    std::shared_ptr<FakeGateway> gateway;
    gui::AppContext context{settings, gateway, gui::pageTable()};
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

    /// Waits until nothing is loaded any more and no widget has moved for several turns of the event loop.
    bool settle()
    {
        constexpr int kTurns = 5;
        std::size_t last = 0;
        int alike = 0;
        return QTest::qWaitFor(
            [&] {
                const bool ready =
                    context.session.isLoaded() && context.tasks.isIdle() && window.currentPage()->isReady();
                const std::size_t now = layout();
                alike = ready && now == last ? alike + 1 : 0;
                last = now;
                return alike >= kTurns;
            },
            60000);
    }

private:
    /// Differs when a widget is shown, hidden or moved.
    std::size_t layout() const
    {
        std::size_t hash = 0;
        for (const QWidget* widget : window.findChildren<QWidget*>())
            if (widget->isVisible())
                hash = qHashMulti(hash, quintptr(widget), widget->x(), widget->y(), widget->width(), widget->height());
        return hash;
    }
};

/// The name of a page as a part of a test's name.
inline std::string testName(gui::PageId page)
{
    std::string name(page.name());
    std::erase(name, '-');
    return name;
}

/// The visible button of that text, or of that name where it has an icon alone; null: there is none.
inline QPushButton* buttonOf(const QWidget& widget, const QString& text)
{
    for (auto* button : widget.findChildren<QPushButton*>())
        if ((button->text() == text || button->accessibleName() == text) && button->isVisibleTo(&widget))
            return button;
    return nullptr;
}

} // namespace apertune::testing
