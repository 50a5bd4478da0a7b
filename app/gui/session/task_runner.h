// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QThreadPool>

#include <functional>
#include <memory>
#include <stop_token>
#include <type_traits>

namespace apertune::gui {

/// The only way in which work leaves and enters the GUI thread.
///
/// start() runs `work` on a pool thread and passes its result to `deliver` on the GUI thread.
///
/// * Each task belongs to a receiver and to one of its lanes. A lane holds one task: starting another one asks the
///   former to stop and drops everything that it still sends.
/// * Nothing is delivered to a receiver that was destroyed; its tasks are asked to stop.
/// * All members are for the GUI thread.
///
/// REQUIRES: `work` does not throw and does not touch QObjects; its lambda captures values.
class TaskRunner : public QObject
{
    Q_OBJECT
public:
    /// The services for a running task. A scope is valid as long as the task runs, on the task's thread.
    class Scope
    {
    public:
        std::stop_token stop() const { return m_stop; }
        /// Runs `function` on the GUI thread later, unless the task is stale by then. Calls keep their order.
        void post(std::function<void()> function) const;

    private:
        friend class TaskRunner;
        TaskRunner* m_runner = nullptr;
        quint64 m_id = 0;
        std::stop_token m_stop;
    };

    /// Whether a task counts for isIdle(). Polling tasks are quiet.
    enum class Noise { counted, quiet };

    explicit TaskRunner(QObject* parent = nullptr);
    /// Asks every task to stop and waits for all of them. Nothing is delivered any more.
    ~TaskRunner() override;

    /// `work` is T(const Scope&) or void(const Scope&); `deliver` is void(T) or void().
    template <typename Work, typename Deliver>
    void start(QObject* receiver, const QString& lane, Work work, Deliver deliver, Noise noise = Noise::counted)
    {
        using T = std::invoke_result_t<Work, const Scope&>;
        auto sharedWork = std::make_shared<Work>(std::move(work));
        auto sharedDeliver = std::make_shared<Deliver>(std::move(deliver));
        startErased(receiver, lane, noise, [sharedWork, sharedDeliver](const Scope& scope) -> std::function<void()> {
            if constexpr (std::is_void_v<T>) {
                (*sharedWork)(scope);
                return [sharedDeliver] { (*sharedDeliver)(); };
            } else {
                auto result = std::make_shared<T>((*sharedWork)(scope));
                return [sharedDeliver, result] { (*sharedDeliver)(std::move(*result)); };
            }
        });
    }

    /// Asks the lane's task to stop and drops everything that it still sends.
    void cancel(const QObject* receiver, const QString& lane);
    /// Asks the lane's task to stop, but still delivers its result. This is for work that ends in an orderly way.
    void requestStop(const QObject* receiver, const QString& lane);

    bool isRunning(const QObject* receiver, const QString& lane) const;
    /// Whether no counted task is running.
    bool isIdle() const { return m_counted == 0; }

Q_SIGNALS:
    void idleChanged(bool idle);

private:
    using ErasedWork = std::function<std::function<void()>(const Scope&)>;
    struct Task
    {
        QPointer<QObject> receiver;
        QString lane;
        std::stop_source stop;
        Noise noise = Noise::counted;
        bool stale = false;
    };

    void startErased(QObject* receiver, const QString& lane, Noise noise, ErasedWork work);
    void finish(quint64 id, const std::function<void()>& deliver);
    bool isCurrent(quint64 id) const;
    Task* find(const QObject* receiver, const QString& lane);

    QThreadPool m_pool;
    QHash<quint64, std::shared_ptr<Task>> m_tasks;
    quint64 m_nextId = 1;
    int m_counted = 0;
};

} // namespace apertune::gui
