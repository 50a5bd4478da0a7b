// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/metrics/metrics.h"
#include "core/model/configuration_names.h"

#include <filesystem>
#include <string>

namespace apertune::text {

/// How this module writes numbers and names. All functions are pure. The decimal point is '.' in every locale.

constexpr double kMillijoulesPerJoule = 1e3;

/// Returns "1 294.3" for 1294.3, with no-break blanks between thousands (from 1,000 on).
std::string formatGrouped(double value, int decimals);

/// Returns the number of decimals for a value: as many as show two significant digits of the half-width, but at most 3
/// and at most what shows four digits of `value`. Without a half-width it shows four digits of `value`.
int decimalsFor(double value, double halfWidth);

/// Returns "56.13 ± 0.22", and "46 [31, 71]" for an interval that isWide(). A sample that is too small for an interval,
/// or an interval that is too wide (model::isTooWide()), gives "56.13 ± ?". Every number is multiplied by `scale`
/// first.
std::string formatPlusMinus(const model::Interval& interval, double scale = 1);

/// Returns a number as a user types it, without the trailing zeros of a measured one: 25, 99.9.
std::string plainNumber(double value);

/// Returns the name of a percentile by its share: "p99" for 0.99, "p99.9" for 0.999.
std::string percentileName(double share);

/// Returns "1.55× [1.53, 1.57]", or "cannot tell" without an interval and for one that is too wide, because such a
/// ratio must not be shown as a number.
std::string formatRatio(const model::Interval& ratio);

/// Compares a time with another one in words: 1.25 gives "1.25 times slower than OTHER", 0.2 "5.00 times faster than
/// OTHER", 1 "as fast as OTHER".
std::string formatSlowdown(double ratio, const std::string& other);

/// Returns "median latency at most 20 ms, p99 at most 25 ms, memory at most 4.0 GiB, cosine at least 0.99".
std::string boundsText(const model::Goal& goal);
base::Message boundsMessage(const model::Goal& goal);

/// Returns "± 0.6 % (n = 42)". An interval that isWide() is shown by the distances of its ends, "[-12 %, +71 %] (n
/// = 7)". A sample that is too small for an interval gives "(n = 3, no interval)", and an interval that is too wide "(n
/// = 7, too noisy for an interval)".
std::string formatCertainty(const model::Interval& interval, std::size_t samples);

/// Returns the number of answers that agree, of those compared: "24 of 32" for (0.75, 32).
base::Message agreementMessage(double share, std::int64_t samples);

/// Returns "20.1 ms (61 % of the blocks) and 22.3 ms" for a measurement with the flag "bimodal"; empty for others.
base::Message modesMessage(const model::Measurement& measurement);

/// Returns a reading in the metric's style; "–" when nothing was measured.
std::string metricText(const metrics::Metric& metric, const metrics::Reading& reading);

/// Returns what a command about a workspace needs to find it: " --store FILE", quoted for a shell. Empty for the
/// default workspace, and where `workspace` is empty.
std::string storeOption(const std::filesystem::path& workspace);

/// Several values as one message: "1, 2, 4". Empty without any.
base::Message listMessage(std::vector<base::Message> values);

/// Returns the type of a trial's device, from the study's environment or else from the id.
model::DeviceType deviceType(const model::StudySnapshot& snapshot, const model::Trial& trial);

/// Names the configurations of one study as briefly as possible without ambiguity: as model::ConfigurationNames does,
/// with the device when the study has several.
/// REQUIRES: the snapshot outlives this object.
class ConfigurationNames
{
public:
    explicit ConfigurationNames(const model::StudySnapshot& snapshot);

    std::string shortName(const model::Trial& trial) const;     ///< "O2 fp32 b4"
    std::string longName(const model::Trial& trial) const;      ///< "O2 fp32 batch 4"
    base::Message longMessage(const model::Trial& trial) const; ///< the message of longName()
    /// ShortName() for a table with a column for the engine.
    std::string besideEngine(const model::Trial& trial) const;
    bool severalDevices() const { return m_severalDevices; }
    bool severalEngines() const { return m_severalEngines; } ///< true when engines need a column

private:
    const model::StudySnapshot& m_snapshot;
    model::ConfigurationNames m_names;
    bool m_severalDevices = false;
    bool m_severalEngines = false;
};

/// Says which tool measured an imported study, and what that means; empty for other studies.
std::string originText(const model::Study& study);

/// Returns "t12" or "s3", as users type it and documents hold it.
std::string toText(model::TrialId id);
std::string toText(model::StudyId id);

/// Says why a trial has no numbers: "oom: The device ran out of memory."; empty for a trial that is ok. For a waiting
/// trial it says how to continue.
std::string reasonText(const model::Trial& trial);
/// The same as a message.
base::Message reasonMessage(const model::Trial& trial);
/// Says what to do about a reason; empty where there is nothing better than its log.
base::Message remedyMessage(model::ReasonKind kind);

} // namespace apertune::text
