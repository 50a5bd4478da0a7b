// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/documents.h"

#include "core/base/csv.h"
#include "core/base/text.h"
#include "core/report/format.h"

namespace apertune::report {

namespace {

/// A line with the types of a measurement.
class Line : public base::CsvLine
{
public:
    Line& bytes(const std::optional<base::Bytes>& value)
    {
        value ? count(value->count) : empty();
        return *this;
    }
    Line& milliseconds(const std::optional<base::Nanoseconds>& value)
    {
        number(value ? std::optional(value->milliseconds()) : std::nullopt);
        return *this;
    }
    /// The range of a small sample is no interval: its ends stay empty.
    Line& interval(const model::Interval& value, double scale)
    {
        const auto known = [&](double end) { return value.confidence > 0 ? std::optional(end * scale) : std::nullopt; };
        number(value.value * scale).number(known(value.lo)).number(known(value.hi));
        return *this;
    }
};

constexpr std::string_view kHeader =
    "trial,ordinal,device,backend,level,precision,batch,threads,switches_on,state,reason,reason_text,"
    "latency_median_ms,latency_lo_ms,latency_hi_ms,confidence,blocks,iterations,"
    "p50_ms,p90_ms,p95_ms,p99_ms,first_ms,load_ms,warmup_ms,compile_ms,device_ms,"
    "throughput_per_s,throughput_lo_per_s,throughput_hi_per_s,"
    "process_peak_bytes,allocator_peak_bytes,device_peak_bytes,"
    "cosine,max_abs,max_rel,nan_count,top1_agreement,top5_agreement,not_in_effect,flags,started_utc,finished_utc\n";
constexpr int kMeasuredFields = 29; ///< from latency_median_ms to flags

std::optional<double> scaled(const std::optional<double>& value)
{
    return value ? std::optional(*value * kMsPerNs) : std::nullopt;
}

void addMeasurement(Line& line, const model::Measurement& m)
{
    std::int64_t iterations = 0;
    for (const model::Block& block : m.blocks)
        iterations += block.iterations;
    line.interval(m.latencyNs, kMsPerNs).number(m.latencyNs.confidence);
    line.count(static_cast<std::int64_t>(m.blocks.size())).count(iterations);
    line.number(scaled(m.p50Ns)).number(scaled(m.p90Ns)).number(scaled(m.p95Ns)).number(scaled(m.p99Ns));
    line.milliseconds(m.first).milliseconds(m.load).milliseconds(m.warmup).milliseconds(m.compile);
    line.number(scaled(m.deviceNs));
    line.interval(m.throughput, 1);
    line.bytes(m.memory.processPeak).bytes(m.memory.allocatorPeak).bytes(m.memory.devicePeak);
    if (const auto& q = m.quality)
        line.number(q->cosine)
            .number(q->maxAbs)
            .number(q->maxRel)
            .count(q->nanCount)
            .number(q->top1Agreement)
            .number(q->top5Agreement);
    else
        for (int i = 0; i < 6; ++i)
            line.text("");
    std::vector<std::string> missing;
    for (const model::Applied& applied : m.applied)
        if (applied.state == model::AppliedState::requestedNotInEffect)
            missing.push_back(applied.name);
    line.text(base::join(missing, " ")).text(base::join(m.flags, " "));
}

} // namespace

std::string studyCsv(const model::StudySnapshot& snapshot)
{
    std::string out(kHeader);
    for (const model::Trial& trial : snapshot.trials) {
        std::vector<std::string> on;
        for (const auto& [name, value] : trial.config.switches)
            if (value)
                on.push_back(name);
        Line line;
        line.text(toText(trial.id)).count(trial.ordinal).text(trial.device).text(trial.config.backend);
        line.text(model::toString(trial.config.level)).text(model::toString(trial.config.precision));
        line.count(trial.config.batch).count(trial.config.threads).text(base::join(on, " "));
        line.text(model::toString(trial.state)).text(trial.reason.kind).text(trial.reason.text);
        if (trial.state == model::TrialState::ok)
            addMeasurement(line, trial.measurement);
        else
            for (int i = 0; i < kMeasuredFields; ++i)
                line.text("");
        line.text(trial.startedUtc).text(trial.finishedUtc);
        out += line.take();
    }
    return out;
}

} // namespace apertune::report
