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

/// A hardware metric as a trace shows it.
struct Metric
{
    enum class As : std::uint8_t { asItIs, perSecond };

    const char* label;              ///< of the track: "SM active"
    const char* unit;               ///< without a power of ten: "%", "B/s"
    int decimals;                   ///< kept of a value
    As as;                          ///< perSecond: divided by the length of the sample
    std::vector<const char*> names; ///< what chips call it, the best first
};

/// What to ask for, the most important first: a chip that cannot count all at once loses those at the end.
/// Slices of time: SM, tensor pipe, DRAM, L2, occupancy, issue, PCIe.
const std::vector<Metric>& sampledMetrics();
/// Single kernels: duration, SM, occupancy, tensor pipe, DRAM bytes and share, L2 hits. The first is the duration.
const std::vector<Metric>& kernelMetrics();

/// CUPTI's host side for one chip: chooses metrics, makes the configuration, and evaluates counter data. Works without
/// a GPU. One thread at a time.
class MetricSet
{
public:
    struct Chosen
    {
        const Metric* metric;
        const char* name; ///< what this chip calls it
    };

    /// As many of `wanted` as `mostPasses` passes can count. `availability` is the device's image, or empty. `wanted`
    /// and `api` must outlive it. Failures: those of MetricsApi::errorOf(), unsupported (the chip has none of them).
    static base::Result<MetricSet> choose(const MetricsApi& api, CUpti_ProfilerType type, const std::string& chip,
                                          std::vector<std::uint8_t> availability, const std::vector<Metric>& wanted,
                                          std::size_t mostPasses);

    const std::vector<Chosen>& chosen() const { return m_chosen; }
    std::vector<const char*>& names() { return m_names; }                 ///< of chosen(), in its order
    const std::vector<std::string>& leftOut() const { return m_leftOut; } ///< labels
    const std::vector<std::uint8_t>& config() const { return m_config; }
    std::size_t passes() const { return m_passes; }

    /// The values of chosen() for a sample or range of a counter data image.
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
