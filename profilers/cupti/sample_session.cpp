// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/sample_session.h"

#include "core/base/clock.h"
#include "core/base/stop_wait.h"
#include "core/trace/counter_unit.h"
#include "core/trace/reasons.h"
#include "profilers/cupti/metric_set.h"
#include "profilers/cupti/profiler_scope.h"
#include "profilers/cupti/reasons.h"

#include <cmath>
#include <optional>
#include <thread>
#include <utility>

namespace apertune::profilers {

using base::Nanoseconds;
using trace::EventKind;

namespace {

// Samples that are farther outside of the recording have times of another clock.
constexpr Nanoseconds kClockTolerance = base::fromMilliseconds(50);

std::int64_t asStored(double value, int decimals)
{
    return std::llround(value * std::pow(10, decimals));
}

class SampleSession final : public trace::ProfilerSession
{
public:
    SampleSession(const MetricsApi& api, const SampleOptions& options) : m_api(api), m_options(options) {}

    ~SampleSession() override { end(); }

    base::Status start()
    {
        const char* chip = nullptr;
        if (const CUptiResult begun = m_profiler.begin(chip); begun != CUPTI_SUCCESS)
            return m_api.errorOf(begun);
        auto availability = APERTUNE_PARAMS(CUpti_PmSampling_GetCounterAvailability_Params);
        CUptiResult result = m_api.pmGetCounterAvailability(&availability);
        std::vector<std::uint8_t> available(availability.counterAvailabilityImageSize);
        availability.pCounterAvailabilityImage = available.data();
        if (result == CUPTI_SUCCESS)
            result = m_api.pmGetCounterAvailability(&availability);
        if (result != CUPTI_SUCCESS)
            return m_api.errorOf(result);
        // The program runs once while it is sampled, so one pass has to count everything.
        auto metrics =
            MetricSet::choose(m_api, CUPTI_PROFILER_TYPE_PM_SAMPLING, chip, std::move(available), sampledMetrics(), 1);
        if (!metrics)
            return metrics.error();
        m_metrics.emplace(std::move(*metrics));
        if (result = enable(); result != CUPTI_SUCCESS)
            return m_api.errorOf(result);
        m_clock = clockOffset();
        m_begin = base::monotonicNow();
        auto go = APERTUNE_PARAMS(CUpti_PmSampling_Start_Params);
        go.pPmSamplingObject = m_object;
        if (result = m_api.pmStart(&go); result != CUPTI_SUCCESS)
            return m_api.errorOf(result);
        m_running = true;
        m_thread = std::jthread([this](const std::stop_token& stop) { decodeLoop(stop); });
        return {};
    }

    base::Status stop(trace::TraceBuilder& into) override
    {
        end();
        addSamples(into);
        addLosses(into);
        if (m_failure == CUPTI_SUCCESS || !m_rows.empty())
            return {};
        return m_api.errorOf(m_failure);
    }

private:
    struct Row
    {
        std::uint64_t begin;
        std::uint64_t end;
    };

    CUptiResult enable()
    {
        auto enable = APERTUNE_PARAMS(CUpti_PmSampling_Enable_Params);
        if (const CUptiResult result = m_api.pmEnable(&enable); result != CUPTI_SUCCESS)
            return result;
        m_object = enable.pPmSamplingObject;
        if (const CUptiResult result = configure(); result != CUPTI_SUCCESS)
            return result;
        auto size = APERTUNE_PARAMS(CUpti_PmSampling_GetCounterDataSize_Params);
        size.pPmSamplingObject = m_object;
        size.pMetricNames = m_metrics->names().data();
        size.numMetrics = m_metrics->names().size();
        size.maxSamples = m_options.samplesPerDecode;
        if (const CUptiResult result = m_api.pmGetCounterDataSize(&size); result != CUPTI_SUCCESS)
            return result;
        m_image.resize(size.counterDataSize);
        return clearImage();
    }

    /// Sets the trigger. Chips from GA10x on sample by time and keep the newest samples; others do what they can of it.
    CUptiResult configure()
    {
        CUptiResult first = CUPTI_SUCCESS;
        for (const auto& [trigger, keep] : {std::pair(CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL,
                                                      CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_LATEST),
                                            std::pair(CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL,
                                                      CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_LATEST),
                                            std::pair(CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL,
                                                      CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST)}) {
            auto config = APERTUNE_PARAMS(CUpti_PmSampling_SetConfig_Params);
            config.pPmSamplingObject = m_object;
            config.configSize = m_metrics->config().size();
            config.pConfig = m_metrics->config().data();
            config.hardwareBufferSize = m_options.hardwareBuffer;
            // The interval is in cycles of a clock of 1 to 2 GHz, or in nanoseconds.
            config.samplingInterval = static_cast<std::uint64_t>(m_options.interval.count);
            config.triggerMode = trigger;
            config.hwBufferAppendMode = keep;
            const CUptiResult result = m_api.pmSetConfig(&config);
            if (result == CUPTI_SUCCESS)
                return result;
            if (first == CUPTI_SUCCESS)
                first = result;
        }
        return first;
    }

    CUptiResult clearImage()
    {
        auto image = APERTUNE_PARAMS(CUpti_PmSampling_CounterDataImage_Initialize_Params);
        image.pPmSamplingObject = m_object;
        image.counterDataSize = m_image.size();
        image.pCounterData = m_image.data();
        return m_api.pmCounterDataImageInitialize(&image);
    }

    std::int64_t clockOffset() const
    {
        std::uint64_t cupti = 0;
        const Nanoseconds before = base::monotonicNow();
        m_api.getTimestamp(&cupti);
        return (before.count + base::monotonicNow().count) / 2 - static_cast<std::int64_t>(cupti);
    }

    void decodeLoop(const std::stop_token& stop)
    {
        while (!stop.stop_requested() && m_failure == CUPTI_SUCCESS) {
            base::waitForStop(stop, m_options.decodePeriod);
            while (decodeOnce() && !stop.stop_requested()) {
            }
        }
    }

    /// Decodes what is there. Returns whether there may be more.
    bool decodeOnce()
    {
        auto decode = APERTUNE_PARAMS(CUpti_PmSampling_DecodeData_Params);
        decode.pPmSamplingObject = m_object;
        decode.pCounterDataImage = m_image.data();
        decode.counterDataImageSize = m_image.size();
        CUptiResult result = m_api.pmDecodeData(&decode);
        m_overflows += decode.overflow != 0;
        // CUPTI reports a full hardware buffer as an error, too, but the decoded samples are valid.
        if (result != CUPTI_SUCCESS && decode.overflow == 0) {
            m_failure = result;
            return false;
        }
        auto info = APERTUNE_PARAMS(CUpti_PmSampling_GetCounterDataInfo_Params);
        info.pCounterDataImage = m_image.data();
        info.counterDataImageSize = m_image.size();
        if (result = m_api.pmGetCounterDataInfo(&info); result == CUPTI_SUCCESS)
            for (std::size_t i = 0; i < info.numCompletedSamples && result == CUPTI_SUCCESS; ++i)
                result = takeSample(i);
        if (result == CUPTI_SUCCESS)
            result = clearImage();
        m_failure = result;
        return result == CUPTI_SUCCESS && info.numCompletedSamples > 0 &&
               decode.decodeStopReason == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL;
    }

    CUptiResult takeSample(std::size_t index)
    {
        auto sample = APERTUNE_PARAMS(CUpti_PmSampling_CounterData_GetSampleInfo_Params);
        sample.pPmSamplingObject = m_object;
        sample.pCounterDataImage = m_image.data();
        sample.counterDataImageSize = m_image.size();
        sample.sampleIndex = index;
        CUptiResult result = m_api.pmCounterDataGetSampleInfo(&sample);
        if (result == CUPTI_SUCCESS)
            result = m_metrics->evaluate(m_image, index, m_values);
        if (result != CUPTI_SUCCESS)
            return result;
        // The first sample is dropped, because it reaches back to before the start.
        if (m_first) {
            m_first = false;
            return result;
        }
        if (m_rows.size() >= m_options.mostSamples) {
            ++m_beyond;
            return result;
        }
        m_rows.push_back({sample.startTimestamp, sample.endTimestamp});
        m_columns.resize(m_values.size());
        for (std::size_t i = 0; i < m_values.size(); ++i)
            m_columns[i].push_back(m_values[i]);
        return result;
    }

    /// Disables everything that was enabled.
    void end()
    {
        m_thread.request_stop();
        if (m_thread.joinable())
            m_thread.join();
        if (std::exchange(m_running, false)) {
            m_end = base::monotonicNow();
            auto stop = APERTUNE_PARAMS(CUpti_PmSampling_Stop_Params);
            stop.pPmSamplingObject = m_object;
            const CUptiResult result = m_api.pmStop(&stop);
            if (m_failure == CUPTI_SUCCESS)
                m_failure = result;
            while (m_failure == CUPTI_SUCCESS && decodeOnce()) {
            }
        }
        if (m_object) {
            auto disable = APERTUNE_PARAMS(CUpti_PmSampling_Disable_Params);
            disable.pPmSamplingObject = std::exchange(m_object, nullptr);
            m_api.pmDisable(&disable);
        }
    }

    void addSamples(trace::TraceBuilder& into)
    {
        if (m_rows.empty())
            return;
        const auto monotonic = [&](std::uint64_t time) { return static_cast<std::int64_t>(time) + m_clock; };
        // It is not documented whether samples use CUPTI's clock. Samples outside of the recording show that they do
        // not.
        if (monotonic(m_rows.front().begin) < (m_begin - kClockTolerance).count ||
            monotonic(m_rows.back().end) > (m_end + kClockTolerance).count) {
            m_clock = m_begin.count - static_cast<std::int64_t>(m_rows.front().begin);
            into.addLoss({m_begin - Nanoseconds{into.head().originMonotonic}, EventKind::counter, 0,
                          trace::LossSeverity::notice, base::message<cupti::reasons::kSampleClock>()});
        }
        std::int64_t unusable = 0;
        for (std::size_t m = 0; m < m_columns.size(); ++m) {
            const Metric& metric = *m_metrics->chosen()[m].metric;
            trace::Track track;
            track.type = trace::TrackType::counter;
            track.device = 0; // the only GPU that a worker sees
            track.label = metric.label;
            track.unit = trace::unitWithDecimals(metric.unit, metric.decimals);
            const trace::StringId name = into.intern(metric.label);
            trace::EventColumns& columns = into.columns(into.track(track), EventKind::counter);
            for (std::size_t i = 0; i < m_rows.size(); ++i) {
                const Row& row = m_rows[i];
                double value = m_columns[m][i];
                if (metric.as == Metric::As::perSecond)
                    value = row.end > row.begin ? value * 1e9 / static_cast<double>(row.end - row.begin) : NAN;
                if (!std::isfinite(value) || std::abs(value) > 1e15) {
                    ++unusable;
                    continue;
                }
                columns.append({.start = {monotonic(row.begin) - into.head().originMonotonic},
                                .name = name,
                                .value = asStored(value, metric.decimals)});
            }
        }
        if (unusable > 0)
            into.addLoss({{},
                          EventKind::counter,
                          unusable,
                          trace::LossSeverity::warning,
                          base::message<trace::reasons::kNoNumbers>()});
    }

    void addLosses(trace::TraceBuilder& into) const
    {
        if (!m_metrics->leftOut().empty()) {
            std::string list;
            for (const std::string& label : m_metrics->leftOut())
                list += (list.empty() ? "" : ", ") + label;
            into.addLoss({{},
                          EventKind::counter,
                          0,
                          trace::LossSeverity::notice,
                          base::message<cupti::reasons::kNotSampled>(list)});
        }
        if (m_beyond > 0)
            into.addLoss({{},
                          EventKind::counter,
                          m_beyond,
                          trace::LossSeverity::error,
                          base::message<trace::reasons::kMoreSamplesThanFit>()});
        if (m_overflows > 0)
            into.addLoss({{},
                          EventKind::counter,
                          0,
                          trace::LossSeverity::error,
                          base::message<cupti::reasons::kSampleBufferFull>()});
        if (m_failure != CUPTI_SUCCESS)
            into.addLoss({{},
                          EventKind::counter,
                          0,
                          trace::LossSeverity::error,
                          base::message<cupti::reasons::kSamplingEnded>(m_api.textOf(m_failure))});
        if (m_rows.empty() && m_failure == CUPTI_SUCCESS)
            into.addLoss(
                {{}, EventKind::counter, 0, trace::LossSeverity::warning, base::message<cupti::reasons::kNoSamples>()});
    }

    const MetricsApi& m_api;
    SampleOptions m_options;
    ProfilerScope m_profiler{m_api};
    bool m_running = false;
    CUpti_PmSampling_Object* m_object = nullptr;
    std::optional<MetricSet> m_metrics;
    std::vector<std::uint8_t> m_image;
    std::int64_t m_clock = 0; ///< CLOCK_MONOTONIC minus the clock of the samples
    Nanoseconds m_begin{};
    Nanoseconds m_end{};
    // Only the thread uses these while it runs.
    std::vector<double> m_values;
    std::vector<Row> m_rows;
    std::vector<std::vector<double>> m_columns; ///< values by metric
    bool m_first = true;
    std::int64_t m_beyond = 0;
    std::int64_t m_overflows = 0;
    CUptiResult m_failure = CUPTI_SUCCESS;
    std::jthread m_thread;
};

} // namespace

base::Result<std::unique_ptr<trace::ProfilerSession>> startSamples(const MetricsApi& api, const SampleOptions& options)
{
    auto session = std::make_unique<SampleSession>(api, options);
    if (auto started = session->start(); !started)
        return started.error();
    return std::unique_ptr<trace::ProfilerSession>(std::move(session));
}

} // namespace apertune::profilers
