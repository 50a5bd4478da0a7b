// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/host/host_profiler.h"

#include "core/base/clock.h"
#include "core/base/stop_wait.h"
#include "core/trace/reasons.h"
#include "profilers/host/host_sample.h"

#include <thread>

namespace apertune::profilers {

namespace {

class HostSession final : public trace::ProfilerSession
{
public:
    explicit HostSession(const HostOptions& options)
        : m_reader(options.root), m_period(options.period), m_most(options.mostSamples)
    {
        m_samples.reserve(4096);
        m_thread = std::jthread([this](std::stop_token stop) { sample(stop); });
    }

    base::Status stop(trace::TraceBuilder& into) override
    {
        m_thread.request_stop();
        m_thread.join(); // the thread takes a last sample before it ends
        addHostCounters(into, m_samples);
        if (m_beyond > 0)
            into.addLoss({m_samples.empty() ? base::Nanoseconds{}
                                            : m_samples.back().time - base::Nanoseconds{into.head().originMonotonic},
                          trace::EventKind::counter, m_beyond, trace::LossSeverity::error,
                          base::message<trace::reasons::kMoreSamplesThanFit>()});
        for (const base::Message& reason : m_reader.missing())
            into.addLoss({{}, trace::EventKind::counter, 0, trace::LossSeverity::notice, reason});
        return {};
    }

private:
    void takeSample()
    {
        if (m_samples.size() < m_most)
            m_samples.push_back(m_reader.read());
        else
            ++m_beyond;
    }

    void sample(const std::stop_token& stop)
    {
        // The time of the next sample follows from that of the first, so that the time of reading adds no drift.
        base::Nanoseconds next = base::monotonicNow();
        do {
            takeSample();
            next = next + m_period;
        } while (!base::waitForStop(stop, next - base::monotonicNow()));
        takeSample();
    }

    HostReader m_reader; ///< only the thread uses it while it runs
    base::Nanoseconds m_period;
    std::size_t m_most;
    std::vector<HostSample> m_samples; ///< only the thread uses it while it runs
    std::int64_t m_beyond = 0;         ///< number of samples beyond the cap; only the thread uses it while it runs
    std::jthread m_thread;
};

class HostProfiler final : public trace::Profiler
{
public:
    explicit HostProfiler(HostOptions options) : m_options(std::move(options)) {}

    std::string_view name() const override { return "host"; }
    trace::Availability availability() override { return {}; }
    base::Result<std::unique_ptr<trace::ProfilerSession>> start() override
    {
        return std::unique_ptr<trace::ProfilerSession>(std::make_unique<HostSession>(m_options));
    }

private:
    HostOptions m_options;
};

} // namespace

std::unique_ptr<trace::Profiler> makeHostProfiler(HostOptions options)
{
    return std::make_unique<HostProfiler>(std::move(options));
}

} // namespace apertune::profilers
