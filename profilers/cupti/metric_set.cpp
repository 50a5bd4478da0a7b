// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/metric_set.h"

#include "profilers/cupti/errors.h"

namespace apertune::profilers {

const std::vector<Metric>& sampledMetrics()
{
    using enum Metric::As;
    static const std::vector<Metric> kMetrics{
        {"SM active", "%", 3, asItIs, {"sm__cycles_active.avg.pct_of_peak_sustained_elapsed"}},
        {"tensor pipe active",
         "%",
         3,
         asItIs,
         {"sm__pipe_tensor_cycles_active_realtime.avg.pct_of_peak_sustained_elapsed",
          "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
          "sm__inst_executed_pipe_tensor_realtime.avg.pct_of_peak_sustained_elapsed"}},
        {"DRAM read", "B/s", 0, perSecond, {"dram__bytes_read.sum", "dramc__read_bytes.sum"}},
        {"DRAM written", "B/s", 0, perSecond, {"dram__bytes_write.sum", "dramc__write_bytes.sum"}},
        {"L2 hit rate",
         "%",
         3,
         asItIs,
         {"LTS.TriageCompute.lts__average_t_sector_hit_rate_realtime.pct",
          "lts__average_t_sector_hit_rate_realtime.pct", "lts__t_sector_hit_rate.pct"}},
        {"warps active",
         "%",
         3,
         asItIs,
         {"sm__warps_active_realtime.avg.pct_of_peak_sustained_elapsed",
          "sm__warps_active.avg.pct_of_peak_sustained_elapsed"}},
        {"instructions issued",
         "%",
         3,
         asItIs,
         {"sm__inst_executed_realtime.avg.pct_of_peak_sustained_elapsed",
          "sm__inst_executed.avg.pct_of_peak_sustained_elapsed"}},
        {"GPU active", "%", 3, asItIs, {"gr__cycles_active.avg.pct_of_peak_sustained_elapsed"}},
        {"PCIe read", "B/s", 0, perSecond, {"pcie__read_bytes.sum"}},
        {"PCIe written", "B/s", 0, perSecond, {"pcie__write_bytes.sum"}},
    };
    return kMetrics;
}

const std::vector<Metric>& kernelMetrics()
{
    using enum Metric::As;
    static const std::vector<Metric> kMetrics{
        {"duration", "ns", 0, asItIs, {"gpu__time_duration.sum"}},
        {"SM active", "%", 3, asItIs, {"sm__cycles_active.avg.pct_of_peak_sustained_elapsed"}},
        {"achieved occupancy", "%", 3, asItIs, {"sm__warps_active.avg.pct_of_peak_sustained_active"}},
        {"tensor pipe active",
         "%",
         3,
         asItIs,
         {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
          "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_elapsed"}},
        {"DRAM read", "B", 0, asItIs, {"dram__bytes_read.sum"}},
        {"DRAM written", "B", 0, asItIs, {"dram__bytes_write.sum"}},
        {"DRAM throughput", "%", 3, asItIs, {"dram__throughput.avg.pct_of_peak_sustained_elapsed"}},
        {"L2 hit rate", "%", 3, asItIs, {"lts__t_sector_hit_rate.pct"}},
    };
    return kMetrics;
}

struct MetricSet::Host
{
    const MetricsApi& api;
    CUpti_Profiler_Host_Object* object;
};

void MetricSet::HostDeleter::operator()(Host* host) const
{
    auto end = APERTUNE_PARAMS(CUpti_Profiler_Host_Deinitialize_Params);
    end.pHostObject = host->object;
    host->api.hostDeinitialize(&end);
    delete host;
}

base::Result<MetricSet> MetricSet::choose(const MetricsApi& api, CUpti_ProfilerType type, const std::string& chip,
                                          std::vector<std::uint8_t> availability, const std::vector<Metric>& wanted,
                                          std::size_t mostPasses)
{
    MetricSet set;
    set.m_api = &api;
    set.m_availability = std::move(availability);
    CUptiResult failure = CUPTI_SUCCESS;
    // A metric cannot be removed from a host object, so each attempt gets a new one.
    const auto attempt = [&] {
        auto begin = APERTUNE_PARAMS(CUpti_Profiler_Host_Initialize_Params);
        begin.profilerType = type;
        begin.pChipName = chip.c_str();
        begin.pCounterAvailabilityImage = set.m_availability.empty() ? nullptr : set.m_availability.data();
        if (failure = api.hostInitialize(&begin); failure != CUPTI_SUCCESS)
            return false;
        std::unique_ptr<Host, HostDeleter> host(new Host{api, begin.pHostObject});
        auto add = APERTUNE_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params);
        add.pHostObject = host->object;
        add.ppMetricNames = set.m_names.data();
        add.numMetrics = set.m_names.size();
        auto size = APERTUNE_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params);
        size.pHostObject = host->object;
        if ((failure = api.hostConfigAddMetrics(&add)) != CUPTI_SUCCESS ||
            (failure = api.hostGetConfigImageSize(&size)) != CUPTI_SUCCESS)
            return false;
        std::vector<std::uint8_t> config(size.configImageSize);
        auto image = APERTUNE_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params);
        image.pHostObject = host->object;
        image.configImageSize = config.size();
        image.pConfigImage = config.data();
        auto passes = APERTUNE_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params);
        passes.configImageSize = config.size();
        passes.pConfigImage = config.data();
        if ((failure = api.hostGetConfigImage(&image)) != CUPTI_SUCCESS ||
            // A metric that needs too many passes is left out like one that the chip lacks.
            (failure = api.hostGetNumOfPasses(&passes)) != CUPTI_SUCCESS || passes.numOfPasses > mostPasses)
            return false;
        set.m_host = std::move(host);
        set.m_config = std::move(config);
        set.m_passes = passes.numOfPasses;
        return true;
    };
    // Metrics are added one by one, the most important first, so that a metric that does not fit costs only itself.
    for (const Metric& metric : wanted) {
        bool found = false;
        for (const char* name : metric.names) {
            set.m_names.push_back(name);
            if (found = attempt(); found) {
                set.m_chosen.push_back({&metric, name});
                break;
            }
            set.m_names.pop_back();
        }
        if (!found)
            set.m_leftOut.emplace_back(metric.label);
    }
    if (!set.m_chosen.empty())
        return set;
    base::Error error = api.errorOf(failure == CUPTI_SUCCESS ? CUPTI_ERROR_NOT_SUPPORTED : failure);
    error.message = base::message<cupti::errors::kNoneOfTheCounters>(chip, std::move(error.message));
    return error;
}

CUptiResult MetricSet::evaluate(std::span<const std::uint8_t> image, std::size_t index, std::vector<double>& values)
{
    values.assign(m_names.size(), 0);
    auto p = APERTUNE_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
    p.pHostObject = m_host->object;
    p.pCounterDataImage = image.data();
    p.counterDataImageSize = image.size();
    p.rangeIndex = index;
    p.ppMetricNames = m_names.data();
    p.numMetrics = m_names.size();
    p.pMetricValues = values.data();
    return m_api->hostEvaluateToGpuValues(&p);
}

} // namespace apertune::profilers
