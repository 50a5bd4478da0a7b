// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metrics/metrics.h"
#include "core/model/study.h"

#include <string>

namespace apertune::report {

/// How this module writes numbers and names. Pure functions; the decimal point is '.', whatever the locale.

constexpr double kMsPerNs = 1e-6;

/// 1294.3 -> "1 294.3" with no-break blanks between thousands (from 1,000 on).
std::string formatGrouped(double value, int decimals);

/// Decimals that show two significant digits of the half-width, but at most 3, or what shows four digits of `value`;
/// four digits of `value` when there is no width.
int decimalsFor(double value, double halfWidth);

/// "56.13 ± 0.22"; "46 [9, 171]" where the interval is wider than ±20 %, for then it is seldom symmetric; "56.13 ± ?"
/// when the sample was too small for an interval. Every number is multiplied by `scale` first.
std::string formatPlusMinus(const model::Interval& interval, double scale = 1);

/// "1.55× [1.53, 1.57]"; "cannot tell" when there is no interval: such a ratio is no number to show.
std::string formatRatio(const model::Interval& ratio);

/// A time over another in words: 1.25 -> "1.25 times slower than OTHER", 0.2 -> "5.00 times faster than OTHER", 1 ->
/// "as fast as OTHER".
std::string formatSlowdown(double ratio, const std::string& other);

/// "median latency at most 20 ms, p99 at most 25 ms, memory at most 4.0 GiB, cosine at least 0.99"
std::string boundsText(const model::Goal& goal);

/// "± 0.6 % (n = 42)"; "[-62 %, +310 %] (n = 7)", the ends' distances from the value, where the interval is wider than
/// ±20 %; "(n = 3, no interval)" when the sample was too small for one.
std::string formatCertainty(const model::Interval& interval, std::size_t samples);

/// Answers that agree, of those compared: (0.75, 32) -> "24 of 32".
std::string formatAgreement(double share, std::int64_t samples);

/// "20.1 ms (61 % of the blocks) and 22.3 ms" of a measurement flagged "bimodal"; "" of others.
std::string modesText(const model::Measurement& measurement);

/// A reading as the metric's style says; "–" when nothing was measured.
std::string metricText(const metrics::Metric& metric, const metrics::Reading& reading);

/// The sort of device a trial ran on, from the study's environment, else from the id.
model::DeviceType deviceType(const model::StudySnapshot& snapshot, const model::Trial& trial);

/// Names the configurations of one study as briefly as they can be told apart: the device is named only when the study
/// has several, threads only when they are an axis.
class ConfigurationNames
{
public:
    explicit ConfigurationNames(const model::StudySnapshot& snapshot);

    std::string shortName(const model::Trial& trial) const;    ///< "O2 fp32 b4"
    std::string longName(const model::Trial& trial) const;     ///< "O2 fp32 batch 4"
    std::string besideEngine(const model::Trial& trial) const; ///< shortName() for a table that has the engine apart
    bool severalDevices() const { return m_severalDevices; }
    bool severalEngines() const { return m_severalEngines; } ///< worth a column of their own

private:
    const model::StudySnapshot& m_snapshot;
    model::CommonSwitches m_common;
    bool m_severalDevices = false;
    bool m_severalEngines = false;
    bool m_severalThreads = false;
};

/// "t12", "s3": what people type and documents hold.
std::string toText(model::TrialId id);
std::string toText(model::StudyId id);

/// Why a trial has no number: "oom: The device ran out of memory.", "" for an ok one. A trial that waits says how to
/// go on.
std::string reasonText(const model::Trial& trial);

} // namespace apertune::report
