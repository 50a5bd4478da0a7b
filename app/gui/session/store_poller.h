// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <memory>

namespace apertune::gui {

class Session;
class StudyGateway;
class TaskRunner;

/// Keeps a Session up to date with its workspace: asks four times a second whether anything was committed and, when it
/// was, reads the lists and the study that is looked at. Reading that takes long slows the asking down, so that a
/// large study never keeps a thread busy all the time. GUI thread.
class StorePoller : public QObject
{
    Q_OBJECT
public:
    StorePoller(Session& session, TaskRunner& tasks, std::shared_ptr<StudyGateway> gateway, QObject* parent = nullptr);

    /// Reads at once and goes on polling.
    void start();
    void poll();

private:
    Session& m_session;
    TaskRunner& m_tasks;
    std::shared_ptr<StudyGateway> m_gateway;
    QTimer m_timer;
};

} // namespace apertune::gui
