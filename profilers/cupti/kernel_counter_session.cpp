// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/kernel_counter_session.h"

#include "core/base/clock.h"
#include "core/trace/counter_unit.h"
#include "profilers/cupti/errors.h"
#include "profilers/cupti/metric_set.h"
#include "profilers/cupti/profiler_scope.h"
#include "profilers/cupti/reasons.h"

#include <cmath>
#include <optional>
#include <utility>

namespace apertune::profilers {

using base::Nanoseconds;
using trace::EventKind;

namespace {

constexpr std::size_t kMostPasses = 8; ///< with more passes, replaying takes longer than anybody waits

class KernelCounterSession final : public trace::ProfilerSession
{
public:
    KernelCounterSession(const MetricsApi& api, const KernelCounterOptions& options) : m_api(api), m_options(options) {}

    ~KernelCounterSession() override { end(); }

    base::Status start()
    {
        CUcontext context = nullptr;
        // Counters belong to a context, which the model has made by now.
        if (m_api.contextGetCurrent(&context) != CUDA_SUCCESS || !context)
            return base::Error{base::ErrorCode::unsupported,
                               base::message<cupti::errors::kNothingRuns>(),
                               {},
                               base::message<cupti::errors::kCountWhenLoaded>()};
        const char* chip = nullptr;
        if (const CUptiResult begun = m_profiler.begin(chip); begun != CUPTI_SUCCESS)
            return m_api.errorOf(begun);
        auto availability = APERTUNE_PARAMS(CUpti_Profiler_GetCounterAvailability_Params);
        // CUPTI is called twice: without a buffer it returns the size.
        availability.ctx = context;
        CUptiResult result = m_api.getCounterAvailability(&availability);
        std::vector<std::uint8_t> available(availability.counterAvailabilityImageSize);
        availability.pCounterAvailabilityImage = available.data();
        if (result == CUPTI_SUCCESS)
            result = m_api.getCounterAvailability(&availability);
        if (result != CUPTI_SUCCESS)
            return m_api.errorOf(result);
        auto metrics = MetricSet::choose(m_api, CUPTI_PROFILER_TYPE_RANGE_PROFILER, chip, std::move(available),
                                         kernelMetrics(), kMostPasses);
        if (!metrics)
            return metrics.error();
        m_metrics.emplace(std::move(*metrics));
        if (result = configure(context); result != CUPTI_SUCCESS)
            return m_api.errorOf(result);
        m_begin = base::monotonicNow();
        return {};
    }

    base::Status stop(trace::TraceBuilder& into) override
    {
        CUptiResult result = finish(into);
        if (result == CUPTI_SUCCESS)
            result = addKernels(into);
        end();
        // Metrics that the GPU does not have are named.
        if (!m_metrics->leftOut().empty()) {
            std::string list;
            for (const std::string& label : m_metrics->leftOut())
                list += (list.empty() ? "" : ", ") + label;
            into.addLoss({{},
                          EventKind::profilerRange,
                          0,
                          trace::LossSeverity::notice,
                          base::message<cupti::reasons::kNotCounted>(list)});
        }
        if (result == CUPTI_SUCCESS)
            return {};
        return m_api.errorOf(result);
    }

private:
    CUptiResult configure(CUcontext context)
    {
        auto enable = APERTUNE_PARAMS(CUpti_RangeProfiler_Enable_Params);
        enable.ctx = context;
        CUptiResult result = m_api.rangeEnable(&enable);
        if (result != CUPTI_SUCCESS)
            return result;
        m_object = enable.pRangeProfilerObject;
        auto size = APERTUNE_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params);
        size.pRangeProfilerObject = m_object;
        size.pMetricNames = m_metrics->names().data();
        size.numMetrics = m_metrics->names().size();
        // The image has to be large enough for all kernels before the first one runs.
        size.maxNumOfRanges = m_options.mostKernels;
        size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(m_options.mostKernels);
        if (result = m_api.rangeGetCounterDataSize(&size); result != CUPTI_SUCCESS)
            return result;
        m_image.resize(size.counterDataSize);
        auto image = APERTUNE_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
        image.pRangeProfilerObject = m_object;
        image.counterDataSize = m_image.size();
        image.pCounterData = m_image.data();
        if (result = m_api.rangeCounterDataImageInitialize(&image); result != CUPTI_SUCCESS)
            return result;
        auto config = APERTUNE_PARAMS(CUpti_RangeProfiler_SetConfig_Params);
        config.pRangeProfilerObject = m_object;
        config.configSize = m_metrics->config().size();
        config.pConfig = m_metrics->config().data();
        config.counterDataImageSize = m_image.size();
        config.pCounterDataImage = m_image.data();
        // CUPTI makes a range of each kernel by itself and replays the kernel until all passes are made.
        config.range = CUPTI_AutoRange;
        config.replayMode = CUPTI_KernelReplay;
        config.maxRangesPerPass = m_options.mostKernels;
        config.numNestingLevels = 1;
        config.minNestingLevel = 1;
        config.targetNestingLevel = 1;
        if (result = m_api.rangeSetConfig(&config); result != CUPTI_SUCCESS)
            return result;
        auto go = APERTUNE_PARAMS(CUpti_RangeProfiler_Start_Params);
        go.pRangeProfilerObject = m_object;
        result = m_api.rangeStart(&go);
        m_running = result == CUPTI_SUCCESS;
        return result;
    }

    CUptiResult finish(trace::TraceBuilder& into)
    {
        m_running = false;
        auto stop = APERTUNE_PARAMS(CUpti_RangeProfiler_Stop_Params);
        stop.pRangeProfilerObject = m_object;
        if (const CUptiResult result = m_api.rangeStop(&stop); result != CUPTI_SUCCESS)
            return result;
        // A kernel that was not replayed in all passes lacks some counters.
        if (stop.isAllPassSubmitted == 0)
            into.addLoss({{},
                          EventKind::profilerRange,
                          0,
                          trace::LossSeverity::error,
                          base::message<cupti::reasons::kPassesMissing>()});
        auto decode = APERTUNE_PARAMS(CUpti_RangeProfiler_DecodeData_Params);
        decode.pRangeProfilerObject = m_object;
        const CUptiResult result = m_api.rangeDecodeData(&decode);
        if (decode.numOfRangeDropped > 0)
            into.addLoss({{},
                          EventKind::profilerRange,
                          static_cast<std::int64_t>(decode.numOfRangeDropped),
                          trace::LossSeverity::error,
                          base::message<cupti::reasons::kKernelsDropped>()});
        return result;
    }

    CUptiResult addKernels(trace::TraceBuilder& into)
    {
        auto info = APERTUNE_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params);
        info.pCounterDataImage = m_image.data();
        info.counterDataImageSize = m_image.size();
        CUptiResult result = m_api.rangeGetCounterDataInfo(&info);
        if (result != CUPTI_SUCCESS || info.numTotalRanges == 0)
            return result;
        trace::Track device;
        device.type = trace::TrackType::device;
        device.device = 0; // the only GPU that a worker sees
        device.label = "GPU 0";
        trace::EventColumns& ranges = into.columns(into.track(device), EventKind::profilerRange);
        std::vector<trace::EventColumns*> columns;
        for (const MetricSet::Chosen& chosen : m_metrics->chosen()) {
            trace::Track track;
            track.type = trace::TrackType::counter;
            track.device = 0;
            track.label = std::string("kernel ") + chosen.metric->label;
            track.unit = trace::unitWithDecimals(chosen.metric->unit, chosen.metric->decimals);
            columns.push_back(&into.columns(into.track(track), EventKind::counter));
        }
        // The duration is the first metric. A chip may lack it.
        const bool timed = m_metrics->chosen().front().metric == &kernelMetrics().front();
        Nanoseconds time = m_begin - Nanoseconds{into.head().originMonotonic};
        std::vector<double> values;
        std::int64_t unusable = 0;
        for (std::size_t i = 0; i < info.numTotalRanges; ++i) {
            auto range = APERTUNE_PARAMS(CUpti_RangeProfiler_CounterData_GetRangeInfo_Params);
            range.pCounterDataImage = m_image.data();
            range.counterDataImageSize = m_image.size();
            range.rangeIndex = i;
            range.rangeDelimiter = "/";
            if (result = m_api.rangeCounterDataGetRangeInfo(&range); result != CUPTI_SUCCESS)
                return result;
            if (result = m_metrics->evaluate(m_image, i, values); result != CUPTI_SUCCESS)
                return result;
            const trace::StringId name =
                into.intern("kernel " + std::string(range.rangeName ? range.rangeName : std::to_string(i)));
            // A duration of more than 1,000 s cannot be right.
            const bool known = timed && values[0] > 0 && values[0] < 1e12;
            // Replayed kernels have no times of their own. They are lined up, with 1 µs for one of unknown length.
            const Nanoseconds duration{known ? std::llround(values[0]) : 1000};
            ranges.append({.start = time, .duration = duration, .name = name});
            for (std::size_t m = 0; m < columns.size(); ++m) {
                if (!std::isfinite(values[m]) || std::abs(values[m]) > 1e15) {
                    ++unusable;
                    continue;
                }
                const int decimals = m_metrics->chosen()[m].metric->decimals;
                columns[m]->append(
                    {.start = time, .name = name, .value = std::llround(values[m] * std::pow(10, decimals))});
            }
            time = time + duration;
        }
        into.addLoss({{},
                      EventKind::profilerRange,
                      0,
                      trace::LossSeverity::notice,
                      timed ? base::message<cupti::reasons::kKernelsInOrder>()
                            : base::message<cupti::reasons::kKernelsInOrderUntimed>()});
        if (unusable > 0)
            into.addLoss({{},
                          EventKind::counter,
                          unusable,
                          trace::LossSeverity::warning,
                          base::message<cupti::reasons::kNoNumbers>()});
        return result;
    }

    /// Disables everything that was enabled.
    void end()
    {
        if (std::exchange(m_running, false)) {
            auto stop = APERTUNE_PARAMS(CUpti_RangeProfiler_Stop_Params);
            stop.pRangeProfilerObject = m_object;
            m_api.rangeStop(&stop);
        }
        if (m_object) {
            auto disable = APERTUNE_PARAMS(CUpti_RangeProfiler_Disable_Params);
            disable.pRangeProfilerObject = std::exchange(m_object, nullptr);
            m_api.rangeDisable(&disable);
        }
    }

    const MetricsApi& m_api;
    KernelCounterOptions m_options;
    ProfilerScope m_profiler{m_api};
    bool m_running = false;
    CUpti_RangeProfiler_Object* m_object = nullptr;
    std::optional<MetricSet> m_metrics;
    std::vector<std::uint8_t> m_image;
    Nanoseconds m_begin{};
};

} // namespace

base::Result<std::unique_ptr<trace::ProfilerSession>> startKernelCounters(const MetricsApi& api,
                                                                          const KernelCounterOptions& options)
{
    auto session = std::make_unique<KernelCounterSession>(api, options);
    if (auto started = session->start(); !started)
        return started.error();
    return std::unique_ptr<trace::ProfilerSession>(std::move(session));
}

} // namespace apertune::profilers
