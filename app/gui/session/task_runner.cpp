// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/task_runner.h"

#include <QThread>

#include <algorithm>

namespace apertune::gui {

void TaskRunner::Scope::post(std::function<void()> function) const
{
    // The runner outlives every task: its destructor waits for the pool.
    TaskRunner* runner = m_runner;
    // A queued call runs in the thread of the window, where widgets may be touched.
    QMetaObject::invokeMethod(
        runner,
        [runner, id = m_id, function = std::move(function)] {
            if (runner->isCurrent(id))
                function();
        },
        Qt::QueuedConnection);
}

TaskRunner::TaskRunner(QObject* parent) : QObject(parent)
{
    // A sweep keeps one thread busy for minutes. The others read, plan and import meanwhile.
    m_pool.setMaxThreadCount(std::max(6, QThread::idealThreadCount()));
}

TaskRunner::~TaskRunner()
{
    for (const auto& task : std::as_const(m_tasks))
        task->stop.request_stop();
    m_pool.waitForDone();
}

void TaskRunner::startErased(QObject* receiver, const QString& lane, Noise noise, ErasedWork work)
{
    // A lane holds one task: a newer question makes the answer to the older one useless.
    cancel(receiver, lane);
    const quint64 id = m_nextId++;
    auto task = std::make_shared<Task>();
    task->receiver = receiver;
    task->lane = lane;
    task->noise = noise;
    m_tasks.insert(id, task);
    // The entry itself stays until the work returns, because finish() needs it.
    connect(receiver, &QObject::destroyed, this, [this, id] {
        if (const auto known = m_tasks.value(id)) {
            known->stale = true;
            known->stop.request_stop();
        }
    });
    // Counted once for all running tasks, so the sign of work does not flicker between two of them.
    if (noise == Noise::counted && ++m_counted == 1)
        Q_EMIT idleChanged(false);
    Scope scope;
    scope.m_runner = this;
    scope.m_id = id;
    scope.m_stop = task->stop.get_token();
    // The work returns what is to be done with its result, and that runs in the thread of the window.
    m_pool.start([this, id, scope, work = std::move(work)] {
        std::function<void()> deliver = work(scope);
        QMetaObject::invokeMethod(
            this, [this, id, deliver = std::move(deliver)] { finish(id, deliver); }, Qt::QueuedConnection);
    });
}

void TaskRunner::finish(quint64 id, const std::function<void()>& deliver)
{
    // The entry is removed first, so that `deliver` can start another task in the same lane.
    const bool current = isCurrent(id);
    const std::shared_ptr<Task> task = m_tasks.take(id);
    if (current)
        deliver();
    // After the delivery: a task that it starts keeps the runner busy without a gap.
    if (task->noise == Noise::counted && --m_counted == 0)
        Q_EMIT idleChanged(true);
}

bool TaskRunner::isCurrent(quint64 id) const
{
    const auto task = m_tasks.value(id);
    return task && !task->stale && task->receiver;
}

TaskRunner::Task* TaskRunner::find(const QObject* receiver, const QString& lane)
{
    for (const auto& task : std::as_const(m_tasks))
        if (!task->stale && task->receiver == receiver && task->lane == lane)
            return task.get();
    return nullptr;
}

void TaskRunner::cancel(const QObject* receiver, const QString& lane)
{
    if (Task* task = find(receiver, lane)) {
        task->stale = true;
        task->stop.request_stop();
    }
}

void TaskRunner::requestStop(const QObject* receiver, const QString& lane)
{
    if (Task* task = find(receiver, lane))
        task->stop.request_stop();
}

bool TaskRunner::isRunning(const QObject* receiver, const QString& lane) const
{
    return const_cast<TaskRunner*>(this)->find(receiver, lane) != nullptr;
}

} // namespace apertune::gui
