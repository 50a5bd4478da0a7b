// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/task_runner.h"

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace apertune::gui {
namespace {

/// A gate that a task waits at until the test opens it, or its stop is asked for.
class Gate
{
public:
    void open() { m_open = true; }
    void pass() const
    {
        while (!m_open)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    bool passUnlessStopped(std::stop_token stop) const
    {
        while (!m_open && !stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return m_open;
    }

private:
    std::atomic<bool> m_open{false};
};

bool waitIdle(const TaskRunner& runner)
{
    return QTest::qWaitFor([&] { return runner.isIdle(); }, 60000);
}

TEST(TaskRunner, DeliversTheResultOnTheGuiThread)
{
    TaskRunner runner;
    QObject receiver;
    int result = 0;
    Qt::HANDLE worker = nullptr;
    Qt::HANDLE delivery = nullptr;
    runner.start(
        &receiver, QStringLiteral("a"),
        [&worker](const TaskRunner::Scope&) {
            worker = QThread::currentThreadId();
            return 42;
        },
        [&](int value) {
            result = value;
            delivery = QThread::currentThreadId();
        });
    EXPECT_FALSE(runner.isIdle());
    ASSERT_TRUE(waitIdle(runner));
    EXPECT_EQ(result, 42);
    EXPECT_EQ(delivery, QThread::currentThreadId());
    EXPECT_NE(worker, QThread::currentThreadId());
}

TEST(TaskRunner, DropsTheResultOfATaskThatWasReplacedInItsLane)
{
    TaskRunner runner;
    QObject receiver;
    auto gate = std::make_shared<Gate>();
    std::vector<int> delivered;
    runner.start(
        &receiver, QStringLiteral("lane"),
        [gate](const TaskRunner::Scope&) {
            gate->pass();
            return 1;
        },
        [&](int value) { delivered.push_back(value); });
    runner.start(
        &receiver, QStringLiteral("lane"), [](const TaskRunner::Scope&) { return 2; },
        [&](int value) { delivered.push_back(value); });
    ASSERT_TRUE(QTest::qWaitFor([&] { return delivered.size() == 1; }, 60000));
    gate->open();
    ASSERT_TRUE(waitIdle(runner));
    EXPECT_EQ(delivered, std::vector<int>{2});
}

TEST(TaskRunner, AsksAReplacedTaskToStop)
{
    TaskRunner runner;
    QObject receiver;
    auto gate = std::make_shared<Gate>();
    std::atomic<bool> stopped{false};
    runner.start(
        &receiver, QStringLiteral("lane"),
        [gate, &stopped](const TaskRunner::Scope& scope) { stopped = !gate->passUnlessStopped(scope.stop()); }, [] {});
    runner.start(
        &receiver, QStringLiteral("lane"), [](const TaskRunner::Scope&) {}, [] {});
    ASSERT_TRUE(waitIdle(runner));
    EXPECT_TRUE(stopped);
}

TEST(TaskRunner, LanesOfOneReceiverDoNotReplaceEachOther)
{
    TaskRunner runner;
    QObject receiver;
    int sum = 0;
    for (const auto& lane : {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")})
        runner.start(
            &receiver, lane, [](const TaskRunner::Scope&) { return 1; }, [&](int value) { sum += value; });
    ASSERT_TRUE(waitIdle(runner));
    EXPECT_EQ(sum, 3);
}

TEST(TaskRunner, DeliversNothingToADestroyedReceiverAndStopsItsTask)
{
    TaskRunner runner;
    auto receiver = std::make_unique<QObject>();
    auto gate = std::make_shared<Gate>();
    std::atomic<bool> stopped{false};
    bool delivered = false;
    runner.start(
        receiver.get(), QStringLiteral("lane"),
        [gate, &stopped](const TaskRunner::Scope& scope) { stopped = !gate->passUnlessStopped(scope.stop()); },
        [&] { delivered = true; });
    receiver.reset();
    ASSERT_TRUE(waitIdle(runner));
    EXPECT_TRUE(stopped);
    EXPECT_FALSE(delivered);
}

TEST(TaskRunner, PostsInOrderAndDropsPostsOfStaleTasks)
{
    TaskRunner runner;
    QObject receiver;
    std::vector<int> posted;
    auto gate = std::make_shared<Gate>();
    runner.start(
        &receiver, QStringLiteral("lane"),
        [&posted, gate](const TaskRunner::Scope& scope) {
            for (int i = 0; i < 3; ++i)
                scope.post([&posted, i] { posted.push_back(i); });
            gate->passUnlessStopped(scope.stop());
            scope.post([&posted] { posted.push_back(99); });
        },
        [] {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return posted.size() == 3; }, 60000));
    runner.cancel(&receiver, QStringLiteral("lane"));
    ASSERT_TRUE(waitIdle(runner));
    QTest::qWait(10);
    EXPECT_EQ(posted, (std::vector<int>{0, 1, 2}));
}

TEST(TaskRunner, DeliversTheResultOfATaskThatWasOnlyAskedToStop)
{
    TaskRunner runner;
    QObject receiver;
    auto gate = std::make_shared<Gate>();
    bool delivered = false;
    runner.start(
        &receiver, QStringLiteral("lane"),
        [gate](const TaskRunner::Scope& scope) { gate->passUnlessStopped(scope.stop()); }, [&] { delivered = true; });
    runner.requestStop(&receiver, QStringLiteral("lane"));
    ASSERT_TRUE(waitIdle(runner));
    EXPECT_TRUE(delivered);
}

TEST(TaskRunner, QuietTasksDoNotCountAsBusy)
{
    TaskRunner runner;
    QSignalSpy changes(&runner, &TaskRunner::idleChanged);
    QObject receiver;
    bool delivered = false;
    runner.start(
        &receiver, QStringLiteral("lane"), [](const TaskRunner::Scope&) {}, [&] { delivered = true; },
        TaskRunner::Noise::quiet);
    EXPECT_TRUE(runner.isIdle());
    ASSERT_TRUE(QTest::qWaitFor([&] { return delivered; }, 60000));
    EXPECT_EQ(changes.count(), 0);
}

TEST(TaskRunner, StaysBusyWhenADeliveryStartsTheNextTask)
{
    TaskRunner runner;
    QSignalSpy changes(&runner, &TaskRunner::idleChanged);
    QObject receiver;
    bool second = false;
    runner.start(
        &receiver, QStringLiteral("lane"), [](const TaskRunner::Scope&) {},
        [&] {
            runner.start(
                &receiver, QStringLiteral("lane"), [](const TaskRunner::Scope&) {}, [&] { second = true; });
        });
    ASSERT_TRUE(QTest::qWaitFor([&] { return second && runner.isIdle(); }, 60000));
    EXPECT_EQ(changes.count(), 2);
}

TEST(TaskRunner, DestroyingItWaitsForTasksAndDeliversNothing)
{
    QObject receiver;
    bool delivered = false;
    std::atomic<bool> finished{false};
    {
        TaskRunner runner;
        runner.start(
            &receiver, QStringLiteral("lane"),
            [&finished](const TaskRunner::Scope& scope) {
                Gate never;
                never.passUnlessStopped(scope.stop());
                finished = true;
            },
            [&] { delivered = true; });
    }
    EXPECT_TRUE(finished);
    QTest::qWait(10);
    EXPECT_FALSE(delivered);
}

} // namespace
} // namespace apertune::gui
