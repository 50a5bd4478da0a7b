// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <memory>

namespace apertune::gui {

class Session;
class StudyGateway;
class TaskRunner;

/// Keeps a Session up to date with its workspace. Four times a second it checks for a commit; if there is one, it reads
/// the lists and the study that is shown. A slow reading makes the polling slower, so that a large study never keeps a
/// thread busy all the time. GUI thread.
class StorePoller : public QObject
{
    Q_OBJECT
public:
    StorePoller(Session& session, TaskRunner& tasks, std::shared_ptr<StudyGateway> gateway, QObject* parent = nullptr);

    /// Reads at once and continues to poll.
    void start();
    void poll();

private:
    Session& m_session;
    TaskRunner& m_tasks;
    std::shared_ptr<StudyGateway> m_gateway;
    QTimer m_timer;
};

} // namespace apertune::gui
