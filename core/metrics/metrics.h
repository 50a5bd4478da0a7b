// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/model/measurement.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace apertune::metrics {

/// The numbers that are measured of a trial, as one table. The terminal, CSV, JSON, HTML, the window and
/// core/report/schema.md iterate it, so a new number is one row in metrics.cpp.
/// Pure functions and constants: every function may be called from any thread.

enum class Unit { none, count, milliseconds, samplesPerSecond, bytes };

/// The unit as it stands behind a title: "ms", "/s", or "" where the formatted value names its unit or has none.
std::string_view toString(Unit unit);

/// Whether values of this unit are whole numbers, and are written as such.
bool isWhole(Unit unit);

/// How people see a value. Documents for scripts hold the plain number.
enum class Style {
    significant, ///< "24.1", four significant digits
    brief,       ///< "0.0123", three significant digits
    interval,    ///< "24.10 ± 0.22"
    duration,    ///< "1.20 s", of a value in milliseconds
    bytes,       ///< "1.2 GiB"
    similarity,  ///< see similarityText()
    agreement    ///< "24 of 32", of a share and its samples
};

/// Where the sheet of one trial shows a metric. Metrics of one line are joined by commas.
enum class SheetLine { nowhere, latency, throughput, percentiles, deviceTime, start, memory, quality };

/// What one trial says of a metric, in the metric's unit.
struct Reading
{
    std::optional<double> value{};             ///< absent: not measured
    std::optional<model::Interval> interval{}; ///< of metrics that have one; see model::Interval for small samples
    std::size_t samples = 0;                   ///< what the value was made of: blocks, passes or compared samples
    std::int64_t nonFinite = 0;                ///< outputs that are NaN or infinite, which no similarity can express
};

/// One row of the table.
struct Metric
{
    std::string_view key;   ///< unique; "latency"
    std::string_view title; ///< heading in tables, without the unit; "" of metrics that stand in no table
    Unit unit = Unit::none;
    Style style = Style::significant;
    std::string_view definition; ///< one or two sentences

    /// Member of a trial's JSON document, with at most one '/': "latency_ms/median". "": not in JSON. A metric with an
    /// interval also has the members "lo" and "hi" beside it.
    std::string_view json;
    /// Columns of the CSV file: one name for the value, or three for value, low and high end. "": not in CSV.
    std::string_view csv;

    bool isColumn = false; ///< whether it is a column of the tables of trials (terminal, HTML, window)
    SheetLine line = SheetLine::nowhere;
    /// How the sheet words it. "{}" stands for the value, "{n}" for the samples, "{certainty}" for the width of the
    /// interval.
    std::string_view phrase = "{}";
    double percentile = 0; ///< 0.9 for p90; 0 for metrics that are no percentile of single passes

    Reading (*read)(const model::Measurement&, model::DeviceType) = nullptr;
};

/// The heading of the metric's column: "Latency ms", "Cosine".
std::string heading(const Metric& metric);

/// All metrics in the order in which every output shows them.
std::span<const Metric> all();

/// The metric with this key. REQUIRES: there is one.
const Metric& find(std::string_view key);

/// "0.999987"; "3 NaN" where outputs are NaN or infinite, whatever the cosine of the others is. REQUIRES: a value.
std::string similarityText(const Reading& reading);

/// The peak of the device where it has memory of its own, else of the process, else that of the tensor allocator;
/// nullopt when nothing was measured.
std::optional<base::Bytes> memoryPeak(const model::MemoryUse& memory, model::DeviceType device);

} // namespace apertune::metrics
