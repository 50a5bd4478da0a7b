// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/stages/stage_runner.h"

#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "core/workload/stages/errors.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <type_traits>

namespace apertune::workload {

using base::Lock;
using base::Nanoseconds;

namespace {

constexpr Nanoseconds kStopCheckInterval{50'000'000}; ///< longest sleep between two checks of the stop flag

class Run
{
public:
    Run(const PipelinePlan& plan, int batch, StageWork& work, const std::atomic<bool>& stop)
        : m_plan(plan), m_work(work), m_stop(stop), m_flow(plan, batch), m_begin(base::monotonicNow())
    {
    }

    base::Result<std::vector<PipelineItem>> go(const std::function<void(double)>& onProgress)
    {
        {
            // The device stage runs on the calling thread, because an engine may be bound to the thread that loaded
            // it. The end of the block joins the other threads.
            std::vector<std::jthread> threads;
            for (int worker = 0; worker < m_plan.decodeThreads; ++worker)
                threads.emplace_back([this, worker] { host(worker); });
            threads.emplace_back([this] { answers(); });
            device(onProgress);
        }
        const Lock lock(m_mutex);
        if (m_failure)
            return *m_failure;
        if (m_stop.load(std::memory_order_relaxed))
            return base::Error{base::ErrorCode::cancelled, base::message<stage_errors::kCancelled>()};
        return m_flow.items();
    }

private:
    Nanoseconds now() const { return base::monotonicNow() - m_begin; }

    /// Waits until `next` has something and returns it. Returns nothing when `over` is true or the run has to end.
    template <typename Next, typename Over>
    std::invoke_result_t<Next, Nanoseconds> waitFor(Lock& lock, Next next, Over over) APERTUNE_REQUIRES(m_mutex)
    {
        while (!m_ended && !over()) {
            const Nanoseconds time = now();
            if (auto found = next(time); found)
                return found;
            // Nobody notifies m_changed when the flag is set, so no wait is longer than kStopCheckInterval.
            if (m_stop.load(std::memory_order_relaxed)) {
                m_ended = true;
                m_changed.notify_all();
                break;
            }
            const Nanoseconds until =
                std::min(m_flow.wakeAt(time).value_or(time + kStopCheckInterval), time + kStopCheckInterval);
            m_changed.wait_for(lock, std::chrono::nanoseconds(until.count - time.count));
        }
        return {};
    }

    /// Runs a stage without the lock and records its times. Returns false when the run has to end.
    template <typename Do>
    bool timed(StageSpan& span, Do what)
    {
        span.begin = now();
        const base::Status status = what();
        span.end = now();
        if (status)
            return true;
        const Lock lock(m_mutex);
        if (!m_failure)
            m_failure = status.error();
        m_ended = true;
        m_changed.notify_all();
        return false;
    }

    void host(int worker)
    {
        Lock lock(m_mutex);
        while (auto item = waitFor(
                   lock, [&](Nanoseconds time) APERTUNE_REQUIRES(m_mutex) { return m_flow.admit(time); },
                   [&]() APERTUNE_REQUIRES(m_mutex) { return m_flow.admittedAll(); })) {
            lock.unlock();
            const bool done = timed((*item)[Stage::decode], [&] { return m_work.decode(worker, *item); }) &&
                              timed((*item)[Stage::preprocess], [&] { return m_work.preprocess(worker, *item); });
            lock.lock();
            if (!done)
                return;
            m_flow.prepared(std::move(*item));
            m_changed.notify_all();
        }
    }

    /// Runs a stage for a batch. Each image of the batch gets the times of the whole batch.
    template <typename Do>
    bool timedBatch(std::vector<PipelineItem>& batch, Stage stage, Do what)
    {
        StageSpan span;
        if (!timed(span, what))
            return false;
        for (PipelineItem& item : batch)
            item[stage] = span;
        return true;
    }

    void device(const std::function<void(double)>& onProgress)
    {
        Lock lock(m_mutex);
        std::int64_t passes = 0;
        while (auto batch = waitFor(
                   lock,
                   [&](Nanoseconds time) APERTUNE_REQUIRES(m_mutex) {
                       if (m_flow.open() && isOver(time, passes)) {
                           m_flow.close();
                           m_changed.notify_all();
                       }
                       auto found = m_flow.batch(time);
                       return found.empty() ? std::nullopt : std::optional(std::move(found));
                   },
                   [&]() APERTUNE_REQUIRES(m_mutex) { return m_flow.inferredAll(); })) {
            lock.unlock();
            bool done = timedBatch(*batch, Stage::copyIn, [&] { return m_work.copyIn(*batch); });
            // The slots are free from here on: the host prepares the next batch while the device works on this one.
            if (done) {
                lock.lock();
                m_flow.copied(*batch);
                m_changed.notify_all();
                lock.unlock();
                done = timedBatch(*batch, Stage::infer, [&] { return m_work.infer(*batch); }) &&
                       timedBatch(*batch, Stage::copyBack, [&] { return m_work.copyBack(*batch); });
            }
            if (done && onProgress)
                onProgress(std::min(1.0, now().seconds() / m_plan.duration.seconds()));
            lock.lock();
            if (!done)
                return;
            ++passes;
            m_flow.inferred(*batch);
            m_changed.notify_all();
        }
        // Images that still wait for postprocessing are finished by that thread, which ends when the flow is drained.
        m_changed.notify_all();
    }

    bool isOver(Nanoseconds time, std::int64_t passes) const
    {
        return time >= m_plan.duration &&
               // A division, because the product could overflow.
               (passes >= kLeastPasses || time.count / kMostDurations >= m_plan.duration.count);
    }

    void answers()
    {
        Lock lock(m_mutex);
        std::int64_t pass = -1;
        int place = 0;
        while (auto item = waitFor(
                   lock, [&](Nanoseconds) APERTUNE_REQUIRES(m_mutex) { return m_flow.answer(); },
                   [&]() APERTUNE_REQUIRES(m_mutex) { return m_flow.drained(); })) {
            lock.unlock();
            place = item->pass == pass ? place + 1 : 0;
            pass = item->pass;
            const bool done = timed((*item)[Stage::postprocess], [&] { return m_work.postprocess(*item, place); });
            lock.lock();
            if (!done)
                return;
            m_flow.finished(std::move(*item));
            m_changed.notify_all();
        }
    }

    const PipelinePlan& m_plan;
    StageWork& m_work;
    const std::atomic<bool>& m_stop;
    base::Mutex m_mutex; ///< a leaf lock: no stage runs while it is held
    base::Condition m_changed;
    Flow m_flow APERTUNE_GUARDED_BY(m_mutex);
    bool m_ended APERTUNE_GUARDED_BY(m_mutex) = false;
    std::optional<base::Error> m_failure APERTUNE_GUARDED_BY(m_mutex);
    const Nanoseconds m_begin;
};

} // namespace

base::Result<std::vector<PipelineItem>> runPlan(const PipelinePlan& plan, int batch, StageWork& work,
                                                const std::atomic<bool>& stop,
                                                const std::function<void(double)>& onProgress)
{
    return Run(plan, batch, work, stop).go(onProgress);
}

} // namespace apertune::workload
