// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metrics.h"

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

constexpr double kMsPerNs = 1e-6;
constexpr double kMillijoulesPerJoule = 1e3;

std::optional<double> milliseconds(const std::optional<double>& ns)
{
    return ns ? std::optional(*ns * kMsPerNs) : std::nullopt;
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
        return m.deviceNs ? of({*m.deviceNs, *m.deviceNs, *m.deviceNs, 0}, kMsPerNs, 0) : Reading{};
    return of(stats::medianInterval(perPass), kMsPerNs, perPass.size());
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
    return starts ? of(starts->ns, kMsPerNs, starts->count) : Reading{};
}

Reading startCount(const Measurement& m, stats::StartKind kind)
{
    const auto starts = stats::startsOf(m, kind);
    return of(starts ? std::optional(static_cast<double>(starts->count)) : std::nullopt);
}

// clang-format off
constexpr std::array kMetrics{
    Metric{"latency", "Latency", Unit::milliseconds, Style::interval,
           "Host time of one forward pass with the device synchronised at its end: the median over timing blocks of at "
           "least 20 ms, taken when the model runs steadily.",
           "latency_ms/median", "latency_median_ms,latency_lo_ms,latency_hi_ms", Metric::Column::always,
           SheetLine::latency, "{} ms, {certainty}", 0,
           [](const Measurement& m, DeviceType) { return of(m.latencyNs, kMsPerNs, m.blocks.size()); }},
    Metric{"latency_confidence", "", Unit::none, Style::significant,
           "Confidence of the latency's interval; 0 where there were too few blocks for one.",
           "latency_ms/confidence", "confidence", Metric::Column::none, SheetLine::nowhere, "", 0,
           [](const Measurement& m, DeviceType) { return of(m.latencyNs.confidence); }},
    Metric{"blocks", "", Unit::count, Style::significant,
           "Timing samples behind the latency.",
           "latency_ms/blocks", "blocks", Metric::Column::none, SheetLine::nowhere, "", 0,
           [](const Measurement& m, DeviceType) { return of(static_cast<double>(m.blocks.size())); }},
    Metric{"iterations", "", Unit::count, Style::significant,
           "Forward passes in all timing blocks.",
           "latency_ms/iterations", "iterations", Metric::Column::none, SheetLine::nowhere, "", 0,
           [](const Measurement& m, DeviceType) { return of(static_cast<double>(passesInBlocks(m))); }},
    Metric{"passes", "", Unit::count, Style::significant,
           "Single forward passes that were timed: the sample behind the percentiles.",
           "latency_ms/passes", "", Metric::Column::none, SheetLine::nowhere, "", 0,
           [](const Measurement& m, DeviceType) { return of(static_cast<double>(m.iterations.size())); }},
    Metric{"p50", "", Unit::milliseconds, Style::significant,
           "Median of single forward passes.",
           "latency_ms/p50", "p50_ms", Metric::Column::none, SheetLine::percentiles, "p50 {}", 0.5,
           [](const Measurement& m, DeviceType) { return of(milliseconds(m.p50Ns), m.iterations.size()); }},
    Metric{"p90", "", Unit::milliseconds, Style::significant,
           "90th percentile of single forward passes.",
           "latency_ms/p90", "p90_ms", Metric::Column::none, SheetLine::percentiles, "p90 {}", 0.9,
           [](const Measurement& m, DeviceType) { return of(milliseconds(m.p90Ns), m.iterations.size()); }},
    Metric{"p95", "", Unit::milliseconds, Style::significant,
           "95th percentile of single forward passes.",
           "latency_ms/p95", "p95_ms", Metric::Column::none, SheetLine::percentiles, "p95 {}", 0.95,
           [](const Measurement& m, DeviceType) { return of(milliseconds(m.p95Ns), m.iterations.size()); }},
    Metric{"p99", "", Unit::milliseconds, Style::significant,
           "99th percentile of single forward passes.",
           "latency_ms/p99", "p99_ms", Metric::Column::none, SheetLine::percentiles, "p99 {}", 0.99,
           [](const Measurement& m, DeviceType) { return of(milliseconds(m.p99Ns), m.iterations.size()); }},
    Metric{"first", "", Unit::milliseconds, Style::duration,
           "Time of the first forward pass after loading.",
           "latency_ms/first", "first_ms", Metric::Column::none, SheetLine::start, "first pass {}", 0,
           [](const Measurement& m, DeviceType) {
               return of(m.first.count > 0 ? std::optional(m.first.milliseconds()) : std::nullopt);
           }},
    Metric{"load", "", Unit::milliseconds, Style::duration,
           "Time from the artifact to a model that is ready to run.",
           "load_ms", "load_ms", Metric::Column::none, SheetLine::start, "load {}", 0,
           [](const Measurement& m, DeviceType) {
               return of(m.load.count > 0 ? std::optional(m.load.milliseconds()) : std::nullopt);
           }},
    Metric{"cold_start", "", Unit::milliseconds, Style::interval,
           "Time from the model's files to the first answer in a fresh process, load and first pass, with the files out "
           "of the page cache: the geometric mean over processes. The engine's libraries may have been in memory.",
           "cold_start_ms/value", "cold_start_ms,cold_start_lo_ms,cold_start_hi_ms", Metric::Column::none,
           SheetLine::start, "first answer {} ms cold, {certainty}", 0,
           [](const Measurement& m, DeviceType) { return start(m, stats::StartKind::cold); }},
    Metric{"cold_starts", "", Unit::count, Style::significant,
           "Fresh processes behind the cold start.",
           "cold_start_ms/starts", "", Metric::Column::none, SheetLine::nowhere, "", 0,
           [](const Measurement& m, DeviceType) { return startCount(m, stats::StartKind::cold); }},
    Metric{"warm_start", "", Unit::milliseconds, Style::interval,
           "The same with the files in the page cache, as for a second process on the same machine.",
           "warm_start_ms/value", "warm_start_ms,warm_start_lo_ms,warm_start_hi_ms", Metric::Column::none,
           SheetLine::start, "{} ms warm, {certainty}", 0,
           [](const Measurement& m, DeviceType) { return start(m, stats::StartKind::warm); }},
    Metric{"warm_starts", "", Unit::count, Style::significant,
           "Fresh processes behind the warm start.",
           "warm_start_ms/starts", "", Metric::Column::none, SheetLine::nowhere, "", 0,
           [](const Measurement& m, DeviceType) { return startCount(m, stats::StartKind::warm); }},
    Metric{"warmup", "", Unit::milliseconds, Style::duration,
           "Time until the passes were steady.",
           "warmup_ms", "warmup_ms", Metric::Column::none, SheetLine::start, "steady after {} ({n} passes)", 0,
           [](const Measurement& m, DeviceType) {
               return of(m.warmupIterations > 0 ? std::optional(m.warmup.milliseconds()) : std::nullopt,
                         static_cast<std::size_t>(m.warmupIterations));
           }},
    Metric{"warmup_passes", "", Unit::count, Style::significant,
           "Forward passes until they were steady.",
           "warmup_passes", "", Metric::Column::none, SheetLine::nowhere, "", 0,
           [](const Measurement& m, DeviceType) {
               return of(m.warmupIterations > 0 ? std::optional(static_cast<double>(m.warmupIterations))
                                                : std::nullopt);
           }},
    Metric{"compile", "", Unit::milliseconds, Style::duration,
           "Time of ahead-of-time compilation. For a package from the cache, the time that it took then.",
           "compile_ms", "compile_ms", Metric::Column::none, SheetLine::start, "compiled in {}", 0,
           [](const Measurement& m, DeviceType) {
               return of(m.compile ? std::optional(m.compile->milliseconds()) : std::nullopt);
           }},
    Metric{"device_time", "", Unit::milliseconds, Style::significant,
           "Median device time of a pass by the device's own clock; absent on a CPU.",
           "device_ms/median", "device_ms", Metric::Column::none, SheetLine::deviceTime, "{} ms of a pass", 0,
           [](const Measurement& m, DeviceType) { return deviceTime(m); }},
    Metric{"device_confidence", "", Unit::none, Style::significant,
           "Confidence of the device time's interval; 0 where there were too few blocks for one.",
           "device_ms/confidence", "", Metric::Column::none, SheetLine::nowhere, "", 0,
           [](const Measurement& m, DeviceType) {
               const auto interval = deviceTime(m).interval;
               return of(interval ? std::optional(interval->confidence) : std::nullopt);
           }},
    Metric{"device_blocks", "", Unit::count, Style::significant,
           "Timing samples behind the device time.",
           "device_ms/blocks", "", Metric::Column::none, SheetLine::nowhere, "", 0,
           [](const Measurement& m, DeviceType) {
               const auto blocks = deviceTime(m).samples;
               return of(blocks > 0 ? std::optional(static_cast<double>(blocks)) : std::nullopt);
           }},
    Metric{"throughput", "Throughput", Unit::samplesPerSecond, Style::interval,
           "Batch divided by latency, from the same blocks.",
           "throughput_per_s/value", "throughput_per_s,throughput_lo_per_s,throughput_hi_per_s", Metric::Column::always,
           SheetLine::throughput, "{} /s", 0,
           [](const Measurement& m, DeviceType) { return of(m.throughput, 1, m.blocks.size()); }},
    Metric{"energy", "Energy", Unit::millijoules, Style::interval,
           "Energy of one sample: everything that the device took while the model ran, over the samples. Of a GPU it is "
           "that of the card, else that of all processor packages (RAPL), with other programs on them.",
           "energy_mj/value", "energy_mj,energy_lo_mj,energy_hi_mj", Metric::Column::whereKnown,
           SheetLine::energy, "{} mJ a sample, {certainty}", 0,
           [](const Measurement& m, DeviceType) { return energy(m, stats::EnergyPart::whole); }},
    Metric{"energy_confidence", "", Unit::none, Style::significant,
           "Confidence of the energy's interval; 0 where there were too few stretches for one.",
           "energy_mj/confidence", "", Metric::Column::none, SheetLine::nowhere, "", 0,
           [](const Measurement& m, DeviceType) {
               const auto interval = energy(m, stats::EnergyPart::whole).interval;
               return of(interval ? std::optional(interval->confidence) : std::nullopt);
           }},
    Metric{"energy_stretches", "", Unit::count, Style::significant,
           "Stretches of at least 0.1 s behind the energy.",
           "energy_mj/stretches", "", Metric::Column::none, SheetLine::nowhere, "", 0,
           [](const Measurement& m, DeviceType) {
               const Reading reading = energy(m, stats::EnergyPart::whole);
               return of(reading.value ? std::optional(static_cast<double>(reading.samples)) : std::nullopt);
           }},
    Metric{"energy_above_idle", "", Unit::millijoules, Style::interval,
           "Energy of one sample above idle: without what the device took before the model was loaded, over the same "
           "time.",
           "energy_above_idle_mj/value", "energy_above_idle_mj,energy_above_idle_lo_mj,energy_above_idle_hi_mj",
           Metric::Column::none, SheetLine::energy, "{} mJ above idle, {certainty}", 0,
           [](const Measurement& m, DeviceType) { return energy(m, stats::EnergyPart::aboveIdle); }},
    Metric{"memory_peak", "Memory", Unit::bytes, Style::bytes,
           "Peak of the GPU memory of the process; on a CPU, peak of its resident memory.",
           "", "", Metric::Column::always, SheetLine::nowhere, "", 0,
           [](const Measurement& m, DeviceType device) { return of(memoryPeak(m.memory, device)); }},
    Metric{"process_peak", "", Unit::bytes, Style::bytes,
           "Peak of the worker's resident memory.",
           "memory_bytes/process_peak", "process_peak_bytes", Metric::Column::none, SheetLine::memory, "process {}", 0,
           [](const Measurement& m, DeviceType) { return of(m.memory.processPeak); }},
    Metric{"allocator_peak", "", Unit::bytes, Style::bytes,
           "Peak of the framework's tensor allocator.",
           "memory_bytes/allocator_peak", "allocator_peak_bytes", Metric::Column::none, SheetLine::memory, "allocator {}", 0,
           [](const Measurement& m, DeviceType) { return of(m.memory.allocatorPeak); }},
    Metric{"device_peak", "", Unit::bytes, Style::bytes,
           "Peak of the GPU memory of the process.",
           "memory_bytes/device_peak", "device_peak_bytes", Metric::Column::none, SheetLine::memory, "device {}", 0,
           [](const Measurement& m, DeviceType) { return of(m.memory.devicePeak); }},
    Metric{"cosine", "Cosine", Unit::none, Style::similarity,
           "Smallest cosine similarity of an output to the O0 fp32 outputs for the same inputs; 1 is equal. A trial "
           "with NaN or infinite values that the reference has not is never recommended.",
           "quality/cosine", "cosine", Metric::Column::always, SheetLine::quality, "cosine {}", 0,
           [](const Measurement& m, DeviceType) { return cosine(m); }},
    Metric{"max_abs", "", Unit::none, Style::brief,
           "Largest absolute difference from the reference outputs.",
           "quality/max_abs", "max_abs", Metric::Column::none, SheetLine::quality, "max abs {}", 0,
           [](const Measurement& m, DeviceType) { return ofQuality(m, &model::Quality::maxAbs); }},
    Metric{"max_rel", "", Unit::none, Style::brief,
           "Largest absolute difference over the largest magnitude of the output.",
           "quality/max_rel", "max_rel", Metric::Column::none, SheetLine::quality, "max rel {}", 0,
           [](const Measurement& m, DeviceType) { return ofQuality(m, &model::Quality::maxRel); }},
    Metric{"nan_count", "", Unit::count, Style::significant,
           "NaN values in the outputs, and infinite values that the reference has not.",
           "quality/nan_count", "nan_count", Metric::Column::none, SheetLine::nowhere, "", 0,
           [](const Measurement& m, DeviceType) {
               return of(m.quality ? std::optional(static_cast<double>(m.quality->nanCount)) : std::nullopt);
           }},
    Metric{"top1_agreement", "", Unit::none, Style::agreement,
           "Share of samples with the same best class as the reference; classification only.",
           "quality/top1_agreement", "top1_agreement", Metric::Column::none, SheetLine::quality, "top-1 {}", 0,
           [](const Measurement& m, DeviceType) { return ofQuality(m, &model::Quality::top1Agreement); }},
    Metric{"top5_agreement", "", Unit::none, Style::agreement,
           "Share of samples whose best class is among the reference's best five; classification only.",
           "quality/top5_agreement", "top5_agreement", Metric::Column::none, SheetLine::quality, "top-5 {}", 0,
           [](const Measurement& m, DeviceType) { return ofQuality(m, &model::Quality::top5Agreement); }},
    Metric{"quality_samples", "", Unit::count, Style::significant,
           "Samples that were compared with the reference.",
           "quality/samples", "", Metric::Column::none, SheetLine::nowhere, "", 0,
           [](const Measurement& m, DeviceType) {
               return of(m.quality ? std::optional(static_cast<double>(m.quality->samples)) : std::nullopt);
           }},
};
// clang-format on

} // namespace

std::string_view toString(Unit unit)
{
    switch (unit) {
    case Unit::milliseconds:
        return "ms";
    case Unit::millijoules:
        return "mJ";
    case Unit::samplesPerSecond:
        return "/s";
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

std::string heading(const Metric& metric)
{
    const std::string_view unit = toString(metric.unit);
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
        if (metric.column == Metric::Column::always || (metric.column == Metric::Column::whereKnown && isKnown(metric)))
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
