// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/kernel_table.h"

#include <algorithm>
#include <unordered_map>

namespace apertune::analysis {

namespace {

/// A mean of the known values, weighted by time.
struct Weighted
{
    double sum = 0;
    double weight = 0;
    void add(double value, double w)
    {
        // Estimates are negative where the recording lacks what they need.
        if (value < 0)
            return;
        sum += value * w;
        weight += w;
    }
    double mean() const { return weight > 0 ? sum / weight : -1; }
};

struct Gathered
{
    KernelRow row;
    std::vector<std::int64_t> times;
    std::vector<std::pair<std::uint32_t, std::int64_t>> launches; ///< pairs of detail and time
};

constexpr std::size_t kClasses = static_cast<std::size_t>(OpClass::communication) + 1;

} // namespace

std::vector<KernelRow> kernelTable(const TraceIndex& index, TimeRange window)
{
    std::unordered_map<std::uint64_t, std::size_t> slots;
    std::vector<Gathered> gathered;
    std::vector<std::int64_t> deviceTime(index.devices.size());
    for (const Work& w : index.work) {
        if (!w.isKernel() || !window.contains(w.time.start))
            continue;
        // A kernel on two devices has two rows.
        const auto [found, isNew] =
            slots.try_emplace((static_cast<std::uint64_t>(w.device) << 32) | w.name, gathered.size());
        if (isNew) {
            gathered.emplace_back();
            KernelRow& row = gathered.back().row;
            row.name = w.name;
            row.device = index.devices[w.device];
            row.opClass = index.kernelClass(w.name);
            row.tensorCores = index.tensorCores(w.name);
        }
        Gathered& g = gathered[found->second];
        const std::int64_t time = w.time.length();
        if (g.times.empty() || time > g.row.time.longest) {
            g.row.time.longest = time;
            g.row.longest = w.ref;
        }
        g.times.push_back(time);
        // Most kernels repeat one launch shape, so consecutive calls are added up at once.
        if (!g.launches.empty() && g.launches.back().first == w.detail)
            g.launches.back().second += time;
        else
            g.launches.emplace_back(w.detail, time);
        deviceTime[w.device] += time;
    }

    std::vector<KernelRow> rows;
    for (Gathered& g : gathered) {
        KernelRow& row = g.row;
        row.time = summarize(g.times);
        const std::int64_t all = deviceTime[static_cast<std::size_t>(index.deviceIndex(row.device))];
        row.share = all > 0 ? static_cast<double>(row.time.total) / static_cast<double>(all) : 0;
        std::sort(g.launches.begin(), g.launches.end());
        const trace::DeviceProperties* device = index.trace.device(row.device);
        Weighted occupancy, fill, waves;
        std::int64_t most = -1;
        for (std::size_t i = 0; i < g.launches.size();) {
            const std::uint32_t detail = g.launches[i].first;
            std::int64_t time = 0;
            for (; i < g.launches.size() && g.launches[i].first == detail; ++i)
                time += g.launches[i].second;
            const trace::KernelDetail& launch = index.trace.details.kernels[detail];
            const OccupancyEstimate e = estimateOccupancy(launch, device);
            // Without a weight, kernels of 0 ns would have no mean.
            const auto weight = static_cast<double>(std::max<std::int64_t>(time, 1));
            occupancy.add(e.achieved >= 0 ? e.achieved : launch.recordedOccupancy, weight);
            fill.add(e.smFill, weight);
            waves.add(e.waves, weight);
            row.shapes += detail != 0 ? 1 : 0;
            if (time > most) {
                most = time;
                row.launch = launch;
            }
        }
        row.occupancy = occupancy.mean();
        row.smFill = fill.mean();
        row.waves = waves.mean();
        rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end(), [](const KernelRow& a, const KernelRow& b) {
        return a.time.total != b.time.total ? a.time.total > b.time.total : a.name < b.name;
    });
    return rows;
}

KernelSums sumKernels(const std::vector<KernelRow>& table, std::int64_t device)
{
    KernelSums sums;
    sums.byClass.resize(kClasses);
    Weighted waves, fill;
    for (const KernelRow& row : table) {
        if (row.device != device)
            continue;
        const std::int64_t time = row.time.total;
        sums.count += row.time.count;
        sums.time += time;
        sums.byClass[static_cast<std::size_t>(row.opClass)] += time;
        sums.arithmeticTime += isArithmetic(row.opClass) ? time : 0;
        sums.trafficTime += isTraffic(row.opClass) ? time : 0;
        // A collective waits for other ranks, so its launch does not show how well the device is used.
        if (row.opClass == OpClass::communication)
            continue;
        sums.computingTime += time;
        waves.add(row.waves, static_cast<double>(time));
        fill.add(row.smFill, static_cast<double>(time));
    }
    sums.meanWaves = waves.mean();
    sums.smFill = fill.mean();
    sums.knownWaves = sums.computingTime > 0 ? waves.weight / static_cast<double>(sums.computingTime) : 0;
    return sums;
}

} // namespace apertune::analysis
