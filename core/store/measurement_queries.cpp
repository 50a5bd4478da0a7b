// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/measurement_queries.h"

#include "core/store/failure.h"
#include "core/store/json_text.h"
#include "core/store/reasons.h"
#include "core/store/row_reader.h"
#include "core/store/sample_codec.h"

#include <algorithm>

namespace apertune::store {

using base::Json;

namespace {

std::optional<std::int64_t> count(const std::optional<base::Bytes>& bytes)
{
    return bytes ? std::optional(bytes->count) : std::nullopt;
}

std::optional<std::int64_t> count(const std::optional<base::Nanoseconds>& time)
{
    return time ? std::optional(time->count) : std::nullopt;
}

template <typename T>
std::optional<T> counted(std::optional<std::int64_t> value)
{
    return value ? std::optional(T{*value}) : std::nullopt;
}

std::string appliedText(const std::vector<model::Applied>& applied)
{
    Json json = Json::array();
    for (const model::Applied& a : applied)
        json.push_back(model::toJson(a));
    return jsonText(json);
}

std::vector<model::Applied> appliedFromText(const std::string& text)
{
    std::vector<model::Applied> applied;
    for (const Json& json : jsonFromText(text))
        applied.push_back(unwrap(model::appliedFromJson(json)));
    return applied;
}

model::Interval readInterval(RowReader& row)
{
    return {row.real(), row.real(), row.real(), row.real()};
}

/// Finds a trial by its id; null when there is none. `trials` may be in any order, because a sorted index finds the id.
class TrialIndex
{
public:
    explicit TrialIndex(std::vector<model::Trial>& trials)
    {
        for (model::Trial& trial : trials)
            m_sorted.push_back({trial.id.value, &trial});
        std::sort(m_sorted.begin(), m_sorted.end());
    }
    /// Returns the smallest and the largest id.
    /// REQUIRES: there is a trial.
    std::pair<std::int64_t, std::int64_t> range() const { return {m_sorted.front().first, m_sorted.back().first}; }
    model::Trial* find(std::int64_t id) const
    {
        const auto it =
            std::lower_bound(m_sorted.begin(), m_sorted.end(), std::pair(id, static_cast<model::Trial*>(nullptr)));
        return it != m_sorted.end() && it->first == id ? it->second : nullptr;
    }

private:
    std::vector<std::pair<std::int64_t, model::Trial*>> m_sorted;
};

} // namespace

const char* const kMeasurementColumns =
    "m.trial_id, m.latency_ns, m.latency_lo_ns, m.latency_hi_ns, m.latency_confidence, m.throughput, "
    "m.throughput_lo, m.throughput_hi, m.throughput_confidence, m.p50_ns, m.p90_ns, m.p95_ns, m.p99_ns, m.device_ns, "
    "m.load_ns, m.first_ns, m.warmup_ns, m.warmup_iterations, m.compile_ns, m.process_peak, m.allocator_peak, "
    "m.device_peak, m.confirmation, m.applied, m.flags, m.conditions, "
    "q.trial_id, q.cosine, q.max_abs, q.max_rel, q.nan_count, q.top1_agreement, q.top5_agreement, q.samples";

const char* const kMeasurementJoins =
    "LEFT JOIN measurement m ON m.trial_id = t.id LEFT JOIN quality q ON q.trial_id = t.id";

model::Measurement readMeasurement(RowReader& row, MeasurementTexts& texts)
{
    model::Measurement m;
    // A trial without a measurement has null in all these columns.
    if (row.nextIsNull())
        return m;
    row.skip(1);
    m.latencyNs = readInterval(row);
    m.throughput = readInterval(row);
    m.p50Ns = row.optionalReal();
    m.p90Ns = row.optionalReal();
    m.p95Ns = row.optionalReal();
    m.p99Ns = row.optionalReal();
    m.deviceNs = row.optionalReal();
    m.load.count = row.integer();
    m.first.count = row.integer();
    m.warmup.count = row.integer();
    m.warmupIterations = row.small();
    m.compile = counted<base::Nanoseconds>(row.optionalInteger());
    m.memory.processPeak = counted<base::Bytes>(row.optionalInteger());
    m.memory.allocatorPeak = counted<base::Bytes>(row.optionalInteger());
    m.memory.devicePeak = counted<base::Bytes>(row.optionalInteger());
    m.confirmation = row.integer();
    texts = {row.text(), row.text(), row.text()};
    // Quality is a table of its own, joined where there is one.
    if (row.nextIsNull())
        return m;
    row.skip(1);
    model::Quality q;
    q.cosine = row.real();
    q.maxAbs = row.real();
    q.maxRel = row.real();
    q.nanCount = row.integer();
    q.top1Agreement = row.optionalReal();
    q.top5Agreement = row.optionalReal();
    q.samples = row.integer();
    m.quality = q;
    return m;
}

void noteDamage(model::Trial& trial, const std::string& part)
{
    std::string parts = part;
    if (const base::Message& message = trial.reason.message;
        message.id == reasons::kTrialDamaged.id && message.arguments.size() == 1)
        if (const auto* known = std::get_if<std::string>(&message.arguments.front().value))
            parts = *known + ", " + part;
    trial.reason = model::Reason{model::ReasonKind::damaged, base::message<reasons::kTrialDamaged>(parts)};
    trial.state = model::TrialState::failed;
}

void noteMissing(model::Trial& trial, model::TrialFlag part)
{
    trial.measurement.flags.push_back(part);
}

void readTexts(const MeasurementTexts& texts, model::Trial& trial, AppliedMemo& memo)
{
    if (texts.applied.empty() && texts.flags.empty() && texts.conditions.empty())
        return; // the trial has no measurement
    model::Measurement& m = trial.measurement;
    // Each text is read separately, so that one that is damaged does not take the others with it.
    if (!isReadable(
            [&] { m.flags = model::trialFlagsFromStrings(valueFromText<std::vector<std::string>>(texts.flags)); }))
        noteMissing(trial, model::TrialFlag::unreadableFlags);
    if (!isReadable([&] {
            // Most trials of a study have the same list of switches, so it is parsed once.
            const auto [known, added] = memo.try_emplace(texts.applied);
            if (added)
                known->second = appliedFromText(texts.applied);
            m.applied = known->second;
        })) {
        // Otherwise the next trial with this text would get an empty list without being noted as damaged.
        memo.erase(texts.applied);
        noteDamage(trial, "applied");
    }
    if (!isReadable([&] { m.conditions = unwrap(model::conditionsFromJson(jsonFromText(texts.conditions))); }))
        noteMissing(trial, model::TrialFlag::unreadableConditions);
    // Workspaces that kept the energy with the GPU do not have the batch beside it.
    if (m.conditions.energy && m.conditions.energy->batch == 0)
        m.conditions.energy->batch = trial.config.batch;
}

void storeMeasurement(const Database& db, model::TrialId trial, const model::Measurement& m)
{
    db.run("INSERT INTO measurement (trial_id, latency_ns, latency_lo_ns, latency_hi_ns, latency_confidence, "
           "throughput, throughput_lo, throughput_hi, throughput_confidence, p50_ns, p90_ns, p95_ns, p99_ns, "
           "device_ns, load_ns, first_ns, warmup_ns, warmup_iterations, compile_ns, process_peak, allocator_peak, "
           "device_peak, applied, flags, conditions, confirmation) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, "
           "?11, ?12, ?13, "
           "?14, ?15, "
           "?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26)",
           trial.value, m.latencyNs.value, m.latencyNs.lo, m.latencyNs.hi, m.latencyNs.confidence, m.throughput.value,
           m.throughput.lo, m.throughput.hi, m.throughput.confidence, m.p50Ns, m.p90Ns, m.p95Ns, m.p99Ns, m.deviceNs,
           m.load.count, m.first.count, m.warmup.count, m.warmupIterations, count(m.compile),
           count(m.memory.processPeak), count(m.memory.allocatorPeak), count(m.memory.devicePeak),
           appliedText(m.applied), jsonText(Json(model::toStrings(m.flags))), jsonText(model::toJson(m.conditions)),
           m.confirmation);
    if (m.quality)
        db.run("INSERT INTO quality (trial_id, cosine, max_abs, max_rel, nan_count, top1_agreement, top5_agreement, "
               "samples) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
               trial.value, m.quality->cosine, m.quality->maxAbs, m.quality->maxRel, m.quality->nanCount,
               m.quality->top1Agreement, m.quality->top5Agreement, m.quality->samples);
    // The statement is prepared once for all blocks.
    if (!m.blocks.empty()) {
        Statement insert = db.prepare("INSERT INTO block (trial_id, ordinal, iterations, wall_ns, device_ns, cpu_ns, "
                                      "involuntary_switches, waited_ns, clock, process, reference_ns) VALUES (?1, "
                                      "?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
        int ordinal = 0;
        for (const model::Block& b : m.blocks)
            insert
                .bind(trial.value, ++ordinal, b.iterations, b.wall.count, b.device.count, b.cpu.count,
                      b.involuntarySwitches, b.waited.count, b.clock, b.process, b.referenceNs)
                .run();
    }
    if (!m.iterations.empty())
        db.run("INSERT INTO iteration (trial_id, count, times) VALUES (?1, ?2, ?3)", trial.value,
               static_cast<std::int64_t>(m.iterations.size()), Blob{encodeTimes(m.iterations)});
}

void removeMeasurement(const Database& db, model::TrialId trial)
{
    for (const char* table : {"measurement", "quality", "block", "iteration"})
        db.run(std::string("DELETE FROM ") + table + " WHERE trial_id = ?1", trial.value);
}

std::vector<model::Trial*> readSamples(const Database& db, std::vector<model::Trial>& trials)
{
    std::vector<model::Trial*> unreadable;
    if (trials.empty())
        return unreadable;
    // The trials of a study were stored together, so their rows form one stretch in the order of the keys.
    const TrialIndex index(trials);
    const auto [first, last] = index.range();
    Statement blocks = db.query("SELECT trial_id, iterations, wall_ns, device_ns, cpu_ns, involuntary_switches, "
                                "waited_ns, clock, process, reference_ns FROM block WHERE trial_id BETWEEN ?1 AND ?2 "
                                "ORDER BY trial_id, ordinal",
                                // The statement is bound to the range of numbers; rows of other trials in it are
                                // skipped by find().
                                first, last);
    model::Trial* trial = nullptr;
    while (blocks.step()) {
        RowReader row(blocks);
        const std::int64_t id = row.integer();
        if (!trial || trial->id.value != id) {
            const std::size_t before = trial ? trial->measurement.blocks.size() : 0;
            trial = index.find(id);
            if (trial)
                trial->measurement.blocks.reserve(before); // all trials of a study have about as many
        }
        if (trial)
            trial->measurement.blocks.push_back({row.integer(),
                                                 {row.integer()},
                                                 {row.integer()},
                                                 {row.integer()},
                                                 row.integer(),
                                                 {row.integer()},
                                                 row.real(),
                                                 row.small(),
                                                 row.real()});
    }
    Statement iterations =
        db.query("SELECT trial_id, count, times FROM iteration WHERE trial_id BETWEEN ?1 AND ?2", first, last);
    while (iterations.step())
        if (model::Trial* own = index.find(iterations.integer(0))) {
            if (auto times = decodeTimes(iterations.blob(2), iterations.integer(1)))
                own->measurement.iterations = std::move(*times);
            else
                unreadable.push_back(own);
        }
    return unreadable;
}

} // namespace apertune::store
