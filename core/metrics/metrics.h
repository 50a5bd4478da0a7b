// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/device.h"
#include "core/model/measurement.h"
#include "core/model/trial.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::metrics {

/// The measured numbers of a trial as one table. The terminal's table and sheet, CSV, JSON, HTML, the window's table
/// and its Trial page, core/report/schema.md and the manual iterate it, so a new number is one row in metrics.cpp.
/// Thread rule: all functions are pure and may be called from any thread.

enum class Unit { none, count, milliseconds, millijoules, samplesPerSecond, bytes };

/// Returns the unit that stands behind a title or a value: "ms", "mJ", "img/s", or "" when the formatted value contains
/// its unit or has none. `rate` is the unit of the model's rates.
std::string_view unitText(Unit unit, base::RateUnit rate);

/// Returns whether values of this unit are whole numbers and are written as such.
bool isWhole(Unit unit);

/// The way in which people see a value. Documents for scripts contain the plain number.
enum class Style {
    significant, ///< "24.1", four significant digits
    brief,       ///< "0.0123", three significant digits
    interval,    ///< "24.10 ± 0.22"
    duration,    ///< "1.20 s"; the value is in milliseconds
    bytes,       ///< "1.2 GiB"
    similarity,  ///< see similarityText()
    agreement    ///< "24 of 32", from a share and its samples
};

/// The facts of a trial that belong together. The terminal's sheet has a line for each group, the Trial page of the
/// window a list for several.
enum class FactGroup { none, latency, throughput, percentiles, deviceTime, energy, start, memory, quality };

/// What the samples behind a value are.
enum class Basis { none, blocks, passes, processes, stretches, samples };

/// Whether a metric is a column in the tables of trials (terminal, HTML, window).
enum class Column {
    none,
    whereKnown, ///< only in tables in which a trial has a value
    always,
    essential ///< also where there is little space
};

/// The value of a metric for one trial, in the metric's unit.
struct Reading
{
    std::optional<double> value{}; ///< absent: not measured
    /// Only for metrics with an interval; see model::Interval for small samples.
    std::optional<model::Interval> interval{};
    std::size_t samples = 0;    ///< the blocks, passes or compared samples behind the value
    std::int64_t nonFinite = 0; ///< number of outputs that are NaN or infinite, which no similarity can express
};

/// One row of the table.
struct Metric
{
    std::string_view key;     ///< unique; "latency"
    std::string_view title{}; ///< heading in tables, without the unit; "" for metrics that are in no table
    Unit unit = Unit::none;
    Style style = Style::significant;
    std::string_view definition; ///< one or two sentences; also the tool tip of its column and its fact in the window

    /// Member of a trial's JSON document, with at most one '/': "latency_ms/median". "": not in JSON. A metric with an
    /// interval also has the members "lo" and "hi" beside it.
    std::string_view json{};
    /// Columns of the CSV file: one name for the value, or three for value, low and high end. "": not in CSV.
    std::string_view csv{};

    Column column = Column::none;
    FactGroup group = FactGroup::none;
    std::string_view name{}; ///< name among the facts of the window's Trial page; "": the metric is no fact there
    /// Wording in the terminal's sheet; "": the metric is not in it. "{}" stands for the value, "{n}" for the samples,
    /// "{certainty}" for the width of the interval, and "{unit}" for the unit.
    std::string_view phrase{};
    Basis basis = Basis::none; ///< names what Reading::samples counts
    double percentile = 0;     ///< 0.9 for p90; 0 for metrics that are not a percentile of single passes

    Reading (*read)(const model::Measurement&, model::DeviceType) = nullptr;
};

/// Returns the heading of the metric's column: "Latency ms", "Throughput img/s", "Cosine".
std::string heading(const Metric& metric, base::RateUnit rate);

/// Returns all metrics, in the order in which every output shows them.
std::span<const Metric> all();

/// Returns the metrics that are columns in a table of these trials, in their order. Of trials that are not measured
/// nothing is read.
std::vector<const Metric*> columnsOf(const std::vector<model::Trial>& trials);

/// Returns the metric with this key.
/// REQUIRES: it exists.
const Metric& find(std::string_view key);

/// Returns "0.999987", or "3 NaN" when outputs are NaN or infinite, whatever the cosine of the others is.
/// REQUIRES: the reading has a value.
std::string similarityText(const Reading& reading);

/// Returns the peak of the device if it has its own memory, else of the process, else of the tensor allocator; nullopt
/// when nothing was measured.
std::optional<base::Bytes> memoryPeak(const model::MemoryUse& memory, model::DeviceType device);

} // namespace apertune::metrics
