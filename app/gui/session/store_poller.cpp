// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/store_poller.h"

#include "app/gui/gateway/study_gateway.h"
#include "app/gui/session/session.h"
#include "app/gui/session/task_runner.h"
#include "core/base/clock.h"

#include <algorithm>

namespace apertune::gui {
namespace {

/// Milliseconds between two readings.
constexpr int kInterval = 250;
constexpr int kMaxInterval = 5000;

struct Reading
{
    base::Result<std::optional<WorkspaceState>> state;
    double milliseconds = 0;
};

} // namespace

StorePoller::StorePoller(Session& session, TaskRunner& tasks, std::shared_ptr<StudyGateway> gateway, QObject* parent)
    : QObject(parent), m_session(session), m_tasks(tasks), m_gateway(std::move(gateway))
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &StorePoller::poll);
    connect(&m_session, &Session::fileChanged, this, &StorePoller::poll);
    connect(&m_session, &Session::studyRequested, this, &StorePoller::poll);
}

void StorePoller::start()
{
    poll();
}

void StorePoller::poll()
{
    m_timer.stop();
    const auto known = m_session.version();
    m_tasks.start(
        this, QStringLiteral("read"),
        [gateway = m_gateway, file = m_session.file(), study = m_session.wantedStudy(),
         known](const TaskRunner::Scope&) {
            const base::Nanoseconds begin = base::monotonicNow();
            Reading reading{gateway->read(file, study, known), 0};
            reading.milliseconds = (base::monotonicNow() - begin).milliseconds();
            return reading;
        },
        [this](Reading reading) {
            if (!reading.state)
                m_session.setLoadError(reading.state.error());
            else if (*reading.state)
                m_session.setState(std::move(**reading.state));
            // Reading gets at most a tenth of a thread's time.
            m_timer.start(std::clamp(static_cast<int>(reading.milliseconds * 10), kInterval, kMaxInterval));
        },
        // The first reading counts as work, so that a screenshot waits for it; polling does not.
        known ? TaskRunner::Noise::quiet : TaskRunner::Noise::counted);
}

} // namespace apertune::gui
