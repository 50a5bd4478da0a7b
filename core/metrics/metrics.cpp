// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metrics.h"

#include "core/base/units.h"
#include "core/stats/block_stats.h"
#include "core/stats/energy.h"
#include "core/stats/starts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace apertune::metrics {

namespace {

using model::DeviceType;
using model::Measurement;

constexpr double kMillijoulesPerJoule = 1e3;

std::optional<double> milliseconds(const std::optional<double>& ns)
{
    return ns ? std::optional(*ns * base::kMsPerNs) : std::nullopt;
}

Reading of(std::optional<double> value, std::size_t samples = 0)
{
    return {value, {}, samples, 0};
}

Reading of(model::Interval interval, double scale, std::size_t samples)
{
    interval.value *= scale;
    interval.lo *= scale;
    interval.hi *= scale;
    return {interval.value, interval, samples, 0};
}

Reading of(const std::optional<base::Bytes>& bytes)
{
    return of(bytes ? std::optional(static_cast<double>(bytes->count)) : std::nullopt);
}

/// Returns a reading of the comparison with the reference; empty when nothing was compared.
template <typename Member>
Reading ofQuality(const Measurement& m, Member member)
{
    if (!m.quality)
        return {};
    Reading reading = of(std::optional<double>((*m.quality).*member), static_cast<std::size_t>(m.quality->samples));
    return reading;
}

std::int64_t passesInBlocks(const Measurement& m)
{
    std::int64_t passes = 0;
    for (const model::Block& block : m.blocks)
        passes += block.iterations;
    return passes;
}

/// Returns the device time of a pass in each block, in nanoseconds; empty when the device has no clock of its own.
std::vector<double> deviceTimes(const Measurement& m)
{
    std::vector<double> perPass;
    for (const model::Block& block : m.blocks)
        if (block.device.count > 0 && block.iterations > 0)
            perPass.push_back(static_cast<double>(block.device.count) / static_cast<double>(block.iterations));
    return perPass;
}

/// Returns the median of deviceTimes(). A measurement without its blocks still has the median, but no interval.
Reading deviceTime(const Measurement& m)
{
    const std::vector<double> perPass = deviceTimes(m);
    if (perPass.empty())
        return m.deviceNs ? of({*m.deviceNs, *m.deviceNs, *m.deviceNs, 0}, base::kMsPerNs, 0) : Reading{};
    return of(stats::medianInterval(perPass), base::kMsPerNs, perPass.size());
}

Reading cosine(const Measurement& m)
{
    Reading reading = ofQuality(m, &model::Quality::cosine);
    reading.nonFinite = m.quality ? m.quality->nanCount : 0;
    return reading;
}

Reading energy(const Measurement& m, stats::EnergyPart part)
{
    const auto joules = stats::energyOfSample(m.conditions, part);
    return joules ? of(*joules, kMillijoulesPerJoule, m.conditions.energy->stretches.size()) : Reading{};
}

Reading start(const Measurement& m, stats::StartKind kind)
{
    const auto starts = stats::startsOf(m, kind);
    return starts ? of(starts->ns, base::kMsPerNs, starts->count) : Reading{};
}

Reading startCount(const Measurement& m, stats::StartKind kind)
{
    const auto starts = stats::startsOf(m, kind);
    return of(starts ? std::optional(static_cast<double>(starts->count)) : std::nullopt);
}

constexpr std::array kMetrics{
    Metric{
        .key = "latency",
        .title = "Latency",
        .unit = Unit::milliseconds,
        .style = Style::interval,
        .definition = "Host time of one forward pass with the device synchronised at its end: the median over timing "
                      "blocks of at least 20 ms, taken when the model runs steadily.",
        .json = "latency_ms/median",
        .csv = "latency_median_ms,latency_lo_ms,latency_hi_ms",
        .column = Column::essential,
        .group = FactGroup::latency,
        .name = "latency",
        .phrase = "{} ms, {certainty}",
        .basis = Basis::blocks,
        .read = [](const Measurement& m, DeviceType) { return of(m.latencyNs, base::kMsPerNs, m.blocks.size()); },
    },
    Metric{
        .key = "latency_confidence",
        .definition = "Confidence of the latency's interval; 0 where there were too few blocks for one.",
        .json = "latency_ms/confidence",
        .csv = "confidence",
        .read = [](const Measurement& m, DeviceType) { return of(m.latencyNs.confidence); },
    },
    Metric{
        .key = "blocks",
        .unit = Unit::count,
        .definition = "Timing samples behind the latency.",
        .json = "latency_ms/blocks",
        .csv = "blocks",
        .read = [](const Measurement& m, DeviceType) { return of(static_cast<double>(m.blocks.size())); },
    },
    Metric{
        .key = "iterations",
        .unit = Unit::count,
        .definition = "Forward passes in all timing blocks.",
        .json = "latency_ms/iterations",
        .csv = "iterations",
        .read = [](const Measurement& m, DeviceType) { return of(static_cast<double>(passesInBlocks(m))); },
    },
    Metric{
        .key = "passes",
        .unit = Unit::count,
        .definition = "Single forward passes that were timed: the sample behind the percentiles.",
        .json = "latency_ms/passes",
        .read = [](const Measurement& m, DeviceType) { return of(static_cast<double>(m.iterations.size())); },
    },
    Metric{
        .key = "p50",
        .unit = Unit::milliseconds,
        .definition = "Median of single forward passes.",
        .json = "latency_ms/p50",
        .csv = "p50_ms",
        .group = FactGroup::percentiles,
        .phrase = "p50 {}",
        .basis = Basis::passes,
        .percentile = 0.5,
        .read = [](const Measurement& m, DeviceType) { return of(milliseconds(m.p50Ns), m.iterations.size()); },
    },
    Metric{
        .key = "p90",
        .unit = Unit::milliseconds,
        .definition = "90th percentile of single forward passes.",
        .json = "latency_ms/p90",
        .csv = "p90_ms",
        .group = FactGroup::percentiles,
        .name = "p90",
        .phrase = "p90 {}",
        .basis = Basis::passes,
        .percentile = 0.9,
        .read = [](const Measurement& m, DeviceType) { return of(milliseconds(m.p90Ns), m.iterations.size()); },
    },
    Metric{
        .key = "p95",
        .unit = Unit::milliseconds,
        .definition = "95th percentile of single forward passes.",
        .json = "latency_ms/p95",
        .csv = "p95_ms",
        .group = FactGroup::percentiles,
        .name = "p95",
        .phrase = "p95 {}",
        .basis = Basis::passes,
        .percentile = 0.95,
        .read = [](const Measurement& m, DeviceType) { return of(milliseconds(m.p95Ns), m.iterations.size()); },
    },
    Metric{
        .key = "p99",
        .unit = Unit::milliseconds,
        .definition = "99th percentile of single forward passes.",
        .json = "latency_ms/p99",
        .csv = "p99_ms",
        .group = FactGroup::percentiles,
        .name = "p99",
        .phrase = "p99 {}",
        .basis = Basis::passes,
        .percentile = 0.99,
        .read = [](const Measurement& m, DeviceType) { return of(milliseconds(m.p99Ns), m.iterations.size()); },
    },
    Metric{
        .key = "first",
        .unit = Unit::milliseconds,
        .style = Style::duration,
        .definition = "Time of the first forward pass after loading.",
        .json = "latency_ms/first",
        .csv = "first_ms",
        .group = FactGroup::start,
        .name = "first pass",
        .phrase = "first pass {}",
        .read = [](const Measurement& m,
                   DeviceType) { return of(m.first.count > 0 ? std::optional(m.first.milliseconds()) : std::nullopt); },
    },
    Metric{
        .key = "load",
        .unit = Unit::milliseconds,
        .style = Style::duration,
        .definition = "Time from the artifact to a model that is ready to run.",
        .json = "load_ms",
        .csv = "load_ms",
        .group = FactGroup::start,
        .name = "load",
        .phrase = "load {}",
        .read = [](const Measurement& m,
                   DeviceType) { return of(m.load.count > 0 ? std::optional(m.load.milliseconds()) : std::nullopt); },
    },
    Metric{
        .key = "cold_start",
        .unit = Unit::milliseconds,
        .style = Style::interval,
        .definition = "Time from the model's files to the first answer in a fresh process, load and first pass, with "
                      "the files out of the page cache: the geometric mean over processes. The engine's libraries may "
                      "have been in memory.",
        .json = "cold_start_ms/value",
        .csv = "cold_start_ms,cold_start_lo_ms,cold_start_hi_ms",
        .group = FactGroup::start,
        .name = "cold start",
        .phrase = "first answer {} ms cold, {certainty}",
        .basis = Basis::processes,
        .read = [](const Measurement& m, DeviceType) { return start(m, stats::StartKind::cold); },
    },
    Metric{
        .key = "cold_starts",
        .unit = Unit::count,
        .definition = "Fresh processes behind the cold start.",
        .json = "cold_start_ms/starts",
        .read = [](const Measurement& m, DeviceType) { return startCount(m, stats::StartKind::cold); },
    },
    Metric{
        .key = "warm_start",
        .unit = Unit::milliseconds,
        .style = Style::interval,
        .definition = "Time from the model's files to the first answer in a fresh process, with the files in the page "
                      "cache, as for a second process on the same machine.",
        .json = "warm_start_ms/value",
        .csv = "warm_start_ms,warm_start_lo_ms,warm_start_hi_ms",
        .group = FactGroup::start,
        .name = "warm start",
        .phrase = "{} ms warm, {certainty}",
        .basis = Basis::processes,
        .read = [](const Measurement& m, DeviceType) { return start(m, stats::StartKind::warm); },
    },
    Metric{
        .key = "warm_starts",
        .unit = Unit::count,
        .definition = "Fresh processes behind the warm start.",
        .json = "warm_start_ms/starts",
        .read = [](const Measurement& m, DeviceType) { return startCount(m, stats::StartKind::warm); },
    },
    Metric{
        .key = "warmup",
        .unit = Unit::milliseconds,
        .style = Style::duration,
        .definition = "Time until the passes were steady.",
        .json = "warmup_ms",
        .csv = "warmup_ms",
        .group = FactGroup::start,
        .name = "warm-up",
        .phrase = "steady after {} ({n} passes)",
        .basis = Basis::passes,
        .read =
            [](const Measurement& m, DeviceType) {
                return of(m.warmupIterations > 0 ? std::optional(m.warmup.milliseconds()) : std::nullopt,
                          static_cast<std::size_t>(m.warmupIterations));
            },
    },
    Metric{
        .key = "warmup_passes",
        .unit = Unit::count,
        .definition = "Forward passes until they were steady.",
        .json = "warmup_passes",
        .read =
            [](const Measurement& m, DeviceType) {
                return of(m.warmupIterations > 0 ? std::optional(static_cast<double>(m.warmupIterations))
                                                 : std::nullopt);
            },
    },
    Metric{
        .key = "compile",
        .unit = Unit::milliseconds,
        .style = Style::duration,
        .definition = "Time of ahead-of-time compilation. For a package from the cache, the time that it took then.",
        .json = "compile_ms",
        .csv = "compile_ms",
        .group = FactGroup::start,
        .name = "compile",
        .phrase = "compiled in {}",
        .read = [](const Measurement& m,
                   DeviceType) { return of(m.compile ? std::optional(m.compile->milliseconds()) : std::nullopt); },
    },
    Metric{
        .key = "device_time",
        .unit = Unit::milliseconds,
        .definition = "Median device time of a pass by the device's own clock; absent on a CPU.",
        .json = "device_ms/median",
        .csv = "device_ms",
        .group = FactGroup::deviceTime,
        .name = "on the device",
        .phrase = "{} ms of a pass",
        .basis = Basis::blocks,
        .read = [](const Measurement& m, DeviceType) { return deviceTime(m); },
    },
    Metric{
        .key = "device_confidence",
        .definition = "Confidence of the device time's interval; 0 where there were too few blocks for one.",
        .json = "device_ms/confidence",
        .read =
            [](const Measurement& m, DeviceType) {
                const auto interval = deviceTime(m).interval;
                return of(interval ? std::optional(interval->confidence) : std::nullopt);
            },
    },
    Metric{
        .key = "device_blocks",
        .unit = Unit::count,
        .definition = "Timing samples behind the device time.",
        .json = "device_ms/blocks",
        .read =
            [](const Measurement& m, DeviceType) {
                const auto blocks = deviceTime(m).samples;
                return of(blocks > 0 ? std::optional(static_cast<double>(blocks)) : std::nullopt);
            },
    },
    Metric{
        .key = "throughput",
        .title = "Throughput",
        .unit = Unit::samplesPerSecond,
        .style = Style::interval,
        .definition = "Batch divided by latency, from the same blocks: images a second for a model that takes images, "
                      "else samples a second.",
        .json = "throughput_per_s/value",
        .csv = "throughput_per_s,throughput_lo_per_s,throughput_hi_per_s",
        .column = Column::essential,
        .group = FactGroup::throughput,
        .name = "throughput",
        .phrase = "{} {unit}",
        .basis = Basis::blocks,
        .read = [](const Measurement& m, DeviceType) { return of(m.throughput, 1, m.blocks.size()); },
    },
    Metric{
        .key = "energy",
        .title = "Energy",
        .unit = Unit::millijoules,
        .style = Style::interval,
        .definition = "Energy of one sample: everything that the device took while the model ran, over the samples. "
                      "Of a GPU it is that of the card, else that of all processor packages (RAPL), with other "
                      "programs on them.",
        .json = "energy_mj/value",
        .csv = "energy_mj,energy_lo_mj,energy_hi_mj",
        .column = Column::whereKnown,
        .group = FactGroup::energy,
        .name = "energy of a sample",
        .phrase = "{} mJ a sample, {certainty}",
        .basis = Basis::stretches,
        .read = [](const Measurement& m, DeviceType) { return energy(m, stats::EnergyPart::whole); },
    },
    Metric{
        .key = "energy_confidence",
        .definition = "Confidence of the energy's interval; 0 where there were too few stretches for one.",
        .json = "energy_mj/confidence",
        .read =
            [](const Measurement& m, DeviceType) {
                const auto interval = energy(m, stats::EnergyPart::whole).interval;
                return of(interval ? std::optional(interval->confidence) : std::nullopt);
            },
    },
    Metric{
        .key = "energy_stretches",
        .unit = Unit::count,
        .definition = "Stretches of at least 0.1 s behind the energy.",
        .json = "energy_mj/stretches",
        .read =
            [](const Measurement& m, DeviceType) {
                const Reading reading = energy(m, stats::EnergyPart::whole);
                return of(reading.value ? std::optional(static_cast<double>(reading.samples)) : std::nullopt);
            },
    },
    Metric{
        .key = "energy_above_idle",
        .unit = Unit::millijoules,
        .style = Style::interval,
        .definition = "Energy of one sample above idle: without what the device took before the model was loaded, "
                      "over the same time.",
        .json = "energy_above_idle_mj/value",
        .csv = "energy_above_idle_mj,energy_above_idle_lo_mj,energy_above_idle_hi_mj",
        .group = FactGroup::energy,
        .name = "above idle",
        .phrase = "{} mJ above idle, {certainty}",
        .basis = Basis::stretches,
        .read = [](const Measurement& m, DeviceType) { return energy(m, stats::EnergyPart::aboveIdle); },
    },
    Metric{
        .key = "memory_peak",
        .title = "Memory",
        .unit = Unit::bytes,
        .style = Style::bytes,
        .definition = "Peak of the GPU memory of the process; on a CPU, peak of its resident memory.",
        .column = Column::always,
        .read = [](const Measurement& m, DeviceType device) { return of(memoryPeak(m.memory, device)); },
    },
    Metric{
        .key = "process_peak",
        .unit = Unit::bytes,
        .style = Style::bytes,
        .definition = "Peak of the worker's resident memory.",
        .json = "memory_bytes/process_peak",
        .csv = "process_peak_bytes",
        .group = FactGroup::memory,
        .name = "process peak",
        .phrase = "process {}",
        .read = [](const Measurement& m, DeviceType) { return of(m.memory.processPeak); },
    },
    Metric{
        .key = "allocator_peak",
        .unit = Unit::bytes,
        .style = Style::bytes,
        .definition = "Peak of the framework's tensor allocator.",
        .json = "memory_bytes/allocator_peak",
        .csv = "allocator_peak_bytes",
        .group = FactGroup::memory,
        .name = "tensors peak",
        .phrase = "allocator {}",
        .read = [](const Measurement& m, DeviceType) { return of(m.memory.allocatorPeak); },
    },
    Metric{
        .key = "device_peak",
        .unit = Unit::bytes,
        .style = Style::bytes,
        .definition = "Peak of the GPU memory of the process.",
        .json = "memory_bytes/device_peak",
        .csv = "device_peak_bytes",
        .group = FactGroup::memory,
        .name = "device peak",
        .phrase = "device {}",
        .read = [](const Measurement& m, DeviceType) { return of(m.memory.devicePeak); },
    },
    Metric{
        .key = "cosine",
        .title = "Cosine",
        .style = Style::similarity,
        .definition = "Smallest cosine similarity of an output to the O0 fp32 outputs for the same inputs; 1 is "
                      "equal. A trial with NaN or infinite values that the reference has not is never recommended.",
        .json = "quality/cosine",
        .csv = "cosine",
        .column = Column::always,
        .group = FactGroup::quality,
        .name = "cosine",
        .phrase = "cosine {}",
        .basis = Basis::samples,
        .read = [](const Measurement& m, DeviceType) { return cosine(m); },
    },
    Metric{
        .key = "max_abs",
        .style = Style::brief,
        .definition = "Largest absolute difference from the reference outputs.",
        .json = "quality/max_abs",
        .csv = "max_abs",
        .group = FactGroup::quality,
        .name = "largest difference",
        .phrase = "max abs {}",
        .basis = Basis::samples,
        .read = [](const Measurement& m, DeviceType) { return ofQuality(m, &model::Quality::maxAbs); },
    },
    Metric{
        .key = "max_rel",
        .style = Style::brief,
        .definition = "Largest absolute difference over the largest magnitude of the output.",
        .json = "quality/max_rel",
        .csv = "max_rel",
        .group = FactGroup::quality,
        .name = "relative difference",
        .phrase = "max rel {}",
        .basis = Basis::samples,
        .read = [](const Measurement& m, DeviceType) { return ofQuality(m, &model::Quality::maxRel); },
    },
    Metric{
        .key = "nan_count",
        .unit = Unit::count,
        .definition = "NaN values in the outputs, and infinite values that the reference has not.",
        .json = "quality/nan_count",
        .csv = "nan_count",
        .group = FactGroup::quality,
        .name = "NaN or Inf",
        .read =
            [](const Measurement& m, DeviceType) {
                Reading reading =
                    of(m.quality ? std::optional(static_cast<double>(m.quality->nanCount)) : std::nullopt);
                reading.nonFinite = m.quality ? m.quality->nanCount : 0;
                return reading;
            },
    },
    Metric{
        .key = "top1_agreement",
        .style = Style::agreement,
        .definition = "Share of samples with the same best class as the reference; classification only.",
        .json = "quality/top1_agreement",
        .csv = "top1_agreement",
        .group = FactGroup::quality,
        .name = "top-1 agreement",
        .phrase = "top-1 {}",
        .basis = Basis::samples,
        .read = [](const Measurement& m, DeviceType) { return ofQuality(m, &model::Quality::top1Agreement); },
    },
    Metric{
        .key = "top5_agreement",
        .style = Style::agreement,
        .definition = "Share of samples whose best class is among the reference's best five; classification only.",
        .json = "quality/top5_agreement",
        .csv = "top5_agreement",
        .group = FactGroup::quality,
        .name = "top-5 agreement",
        .phrase = "top-5 {}",
        .basis = Basis::samples,
        .read = [](const Measurement& m, DeviceType) { return ofQuality(m, &model::Quality::top5Agreement); },
    },
    Metric{
        .key = "quality_samples",
        .unit = Unit::count,
        .definition = "Samples that were compared with the reference.",
        .json = "quality/samples",
        .group = FactGroup::quality,
        .name = "compared samples",
        .read =
            [](const Measurement& m, DeviceType) {
                return of(m.quality ? std::optional(static_cast<double>(m.quality->samples)) : std::nullopt);
            },
    },
};

} // namespace

std::string_view unitText(Unit unit, base::RateUnit rate)
{
    switch (unit) {
    case Unit::milliseconds:
        return "ms";
    case Unit::millijoules:
        return "mJ";
    case Unit::samplesPerSecond:
        return base::toString(rate);
    case Unit::none:
    case Unit::count:
    case Unit::bytes:
        break;
    }
    return {};
}

bool isWhole(Unit unit)
{
    return unit == Unit::count || unit == Unit::bytes;
}

std::string heading(const Metric& metric, base::RateUnit rate)
{
    const std::string_view unit = unitText(metric.unit, rate);
    return std::string(metric.title) + (unit.empty() ? "" : " ") + std::string(unit);
}

std::span<const Metric> all()
{
    return kMetrics;
}

std::vector<const Metric*> columnsOf(const std::vector<model::Trial>& trials)
{
    const auto isKnown = [&trials](const Metric& metric) {
        return std::any_of(trials.begin(), trials.end(), [&metric](const model::Trial& trial) {
            return trial.state == model::TrialState::ok &&
                   metric.read(trial.measurement, model::typeOfDevice(trial.device)).value;
        });
    };
    std::vector<const Metric*> columns;
    for (const Metric& metric : kMetrics)
        if (metric.column != Column::none && (metric.column != Column::whereKnown || isKnown(metric)))
            columns.push_back(&metric);
    return columns;
}

const Metric& find(std::string_view key)
{
    return *std::find_if(kMetrics.begin(), kMetrics.end(), [key](const Metric& metric) { return metric.key == key; });
}

std::string similarityText(const Reading& reading)
{
    if (reading.nonFinite > 0)
        return std::to_string(reading.nonFinite) + " NaN";
    constexpr int kDecimals = 6;
    std::array<char, 400> buffer{}; // a double in fixed notation has up to 309 digits before the point
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), *reading.value, std::chars_format::fixed, kDecimals)
            .ptr;
    return {buffer.data(), end};
}

std::optional<base::Bytes> memoryPeak(const model::MemoryUse& memory, model::DeviceType device)
{
    return memory.peakOn(device) ? memory.peakOn(device) : memory.allocatorPeak;
}

} // namespace apertune::metrics
