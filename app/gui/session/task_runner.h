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
/// start() runs `work` on a pool thread and brings its result back to `deliver` on the GUI thread. Each task belongs
/// to a receiver and to one of its lanes, and a lane holds one task: starting another one there asks the former to stop
/// and drops whatever it still sends. Nothing is delivered to a receiver that has been destroyed; its tasks are asked
/// to stop. All members are for the GUI thread.
///
/// `work` must not throw, must not touch QObjects, and captures values.
class TaskRunner : public QObject
{
    Q_OBJECT
public:
    /// What a running task may use; valid for its duration, from its thread.
    class Scope
    {
    public:
        std::stop_token stop() const { return m_stop; }
        /// Runs `function` on the GUI thread later, unless the task has become stale by then. In order.
        void post(std::function<void()> function) const;

    private:
        friend class TaskRunner;
        TaskRunner* m_runner = nullptr;
        quint64 m_id = 0;
        std::stop_token m_stop;
    };

    /// Quiet tasks (polling) do not count as busy.
    enum class Noise { counted, quiet };

    explicit TaskRunner(QObject* parent = nullptr);
    /// Asks every task to stop and waits for all of them; nothing is delivered any more.
    ~TaskRunner() override;

    /// `work`: T(const Scope&) or void(const Scope&); `deliver`: void(T) or void().
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

    /// Asks the lane's task to stop; what it still sends is dropped.
    void cancel(const QObject* receiver, const QString& lane);
    /// Asks it to stop, and still delivers its result: for work that ends in an orderly way of its own.
    void requestStop(const QObject* receiver, const QString& lane);

    bool isRunning(const QObject* receiver, const QString& lane) const;
    /// No counted task is running.
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
