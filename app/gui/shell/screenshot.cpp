// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/shell/screenshot.h"

#include "app/gui/session/app_context.h"
#include "app/gui/session/page.h"
#include "app/gui/shell/main_window.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QPixmap>

namespace apertune::gui {
namespace {

constexpr int kTurn = 30;
constexpr int kTimeout = 60000;

} // namespace

Screenshot::Screenshot(AppContext& context, MainWindow& window, const QString& file, QObject* parent)
    : QObject(parent), m_context(context), m_window(window), m_file(file)
{
    m_timer.setInterval(kTurn);
    connect(&m_timer, &QTimer::timeout, this, &Screenshot::check);
}

void Screenshot::start()
{
    m_timer.start();
}

void Screenshot::check()
{
    const Session& session = m_context.session;
    if (session.loadError()) {
        end(1, theme::fromCore(*session.loadError()));
        return;
    }
    if (m_named && session.isLoaded() && !session.workspaceExists()) {
        end(1, tr("There is no workspace %1. Check the name, or make one with: apertune tune MODEL --store %1")
                   .arg(theme::toQt(session.file().string())));
        return;
    }
    if (m_context.traces.phase() == TraceSession::Phase::failed) {
        end(2, tr("%1 cannot be opened: %2").arg(m_context.traces.name(), theme::fromCore(m_context.traces.error())));
        return;
    }
    const bool quiet = session.isLoaded() && session.machine() && m_context.tasks.isIdle() &&
                       !m_context.jobs.state().busy() && m_window.currentPage()->isReady();
    // Quiet twice in a row, because a single check may fall between a delivery and the task that it starts.
    m_quietRounds = quiet ? m_quietRounds + 1 : 0;
    if (m_quietRounds >= 2) {
        const bool written = m_window.grab().save(m_file, "PNG");
        end(written ? 0 : 1, written ? QString() : tr("Cannot write %1. Choose a writable place.").arg(m_file));
    } else if (++m_turns * kTurn > kTimeout) {
        end(1, tr("The page did not get its data within %1 s.").arg(kTimeout / 1000));
    }
}

void Screenshot::end(int code, const QString& message)
{
    m_timer.stop();
    Q_EMIT ended(code, message);
}

} // namespace apertune::gui
