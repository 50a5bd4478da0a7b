// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/pages/trace/timeline_tab.h"
#include "app/gui/pages/trace/trace_page.h"
#include "tests/app/gui/bench.h"
#include "tests/core/trace/support/synthetic_trace.h"
#include "widgets/timeline/timeline_widget.h"

#include <QDir>
#include <QImage>
#include <QLabel>
#include <QPushButton>

namespace apertune::testing {

/// The trace page with a trace made by rule.
struct TraceFixture : Fixture
{
    explicit TraceFixture(QSize size = {1280, 800}, LoopOptions options = {12, 60, 4})
    {
        gateway->traceResult = makeLoopTrace(options);
        window.resize(size);
        window.showPage(gui::PageId::trace);
        window.show();
        context.session.setFile("/nowhere/synthetic.apertune");
        context.session.setMachine(gateway->machine);
    }
    bool open(const QString& part = QStringLiteral("timeline"))
    {
        context.traces.wantTab(part);
        context.openTrace(QStringLiteral("/nowhere/loop.json.gz"));
        return settle();
    }
    gui::TracePage* page() { return static_cast<gui::TracePage*>(window.currentPage()); }
    timeline::TimelineWidget* timeline() { return page()->timelineTab()->timeline(); }
    QString shownText()
    {
        QString shown;
        for (const QLabel* label : window.findChildren<QLabel*>())
            shown += label->isVisible() ? label->text() : QString();
        return shown;
    }
    QPushButton* button(const QString& name)
    {
        for (QPushButton* candidate : window.findChildren<QPushButton*>())
            if (candidate->accessibleName() == name || candidate->text() == name)
                return candidate;
        return nullptr;
    }
};

/// Saves a picture of the window for people to look at, where APERTUNE_GRABS names a folder.
inline void keep(Fixture& fixture, const QString& name)
{
    const QString folder = qEnvironmentVariable("APERTUNE_GRABS");
    if (!folder.isEmpty()) {
        QDir().mkpath(folder);
        fixture.window.grab().toImage().save(QStringLiteral("%1/%2.png").arg(folder, name));
    }
}

} // namespace apertune::testing
