// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profilers/cupti/metrics_api.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apertune::profilers {

/// A hardware metric and its track in a trace.
struct Metric
{
    enum class As : std::uint8_t { asItIs, perSecond };

    const char* label;              ///< name of the track: "SM active"
    const char* unit;               ///< without a power of ten: "%", "B/s"
    int decimals;                   ///< number of decimals that are kept
    As as;                          ///< perSecond: the value is divided by the length of the sample
    std::vector<const char*> names; ///< names of the metric on different chips, the best first
};

/// The metrics to request for samples over time, the most important first: SM, tensor pipe, DRAM, L2, occupancy, issue,
/// PCIe. A chip that cannot count all of them at once loses the last ones.
const std::vector<Metric>& sampledMetrics();
/// The metrics of single kernels: duration, SM, occupancy, tensor pipe, DRAM bytes and share, L2 hits. The duration is
/// the first.
const std::vector<Metric>& kernelMetrics();

/// The host side of CUPTI's profiler for one chip: it chooses metrics, makes the configuration and evaluates counter
/// data. It needs no GPU. One thread at a time may use it.
class MetricSet
{
public:
    struct Chosen
    {
        const Metric* metric;
        const char* name; ///< name of the metric on this chip
    };

    /// Chooses as many of `wanted` as `mostPasses` passes can count. `availability` is the counter availability image
    /// of the device, or empty.
    ///
    /// REQUIRES: `wanted` and `api` outlive the result.
    ///
    /// Failures: those of MetricsApi::errorOf(), unsupported (the chip has none of the metrics).
    static base::Result<MetricSet> choose(const MetricsApi& api, CUpti_ProfilerType type, const std::string& chip,
                                          std::vector<std::uint8_t> availability, const std::vector<Metric>& wanted,
                                          std::size_t mostPasses);

    const std::vector<Chosen>& chosen() const { return m_chosen; }
    std::vector<const char*>& names() { return m_names; }                 ///< names of chosen(), in its order
    const std::vector<std::string>& leftOut() const { return m_leftOut; } ///< labels of the metrics that did not fit
    const std::vector<std::uint8_t>& config() const { return m_config; }
    std::size_t passes() const { return m_passes; }

    /// Computes the values of chosen() for one sample or range of a counter data image.
    CUptiResult evaluate(std::span<const std::uint8_t> image, std::size_t index, std::vector<double>& values);

private:
    struct Host;
    struct HostDeleter
    {
        void operator()(Host* host) const;
    };

    MetricSet() = default;

    const MetricsApi* m_api = nullptr;
    std::unique_ptr<Host, HostDeleter> m_host;
    std::vector<std::uint8_t> m_availability; ///< the host object refers to it
    std::vector<Chosen> m_chosen;
    std::vector<const char*> m_names;
    std::vector<std::string> m_leftOut;
    std::vector<std::uint8_t> m_config;
    std::size_t m_passes = 0;
};

} // namespace apertune::profilers
