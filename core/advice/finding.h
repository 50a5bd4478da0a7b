// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/cause.h"
#include "core/analysis/time_ranges.h"
#include "core/base/message.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::advice {

/// The kind of evidence behind a statement.
enum class Confidence : std::uint8_t {
    counter,  ///< hardware counters
    trace,    ///< times and counts of the trace
    estimate, ///< names, shapes, or an assumption that the text states
};
/// "counter", "trace", "estimate".
std::string_view toString(Confidence confidence);

/// Points to the part of the trace that shows a statement.
struct Evidence
{
    /// A query over the workspace's views of the trace. It returns the rows behind the statement.
    std::string query;
    /// The part of the timeline to show: the case with the largest effect, in ns after Trace::origin.
    trace::TimeRange range{};
    std::int64_t events = 0; ///< number of rows that the query returns
};

/// The one change to try. `switchName` is an entry of model::switchCatalogue(). It is empty when no switch makes the
/// change: then `threads` is the number of threads to run with or, where that is 0, `text` says what to change in the
/// program.
struct Knob
{
    std::string switchName;
    bool value = true;
    base::Message text{};
    int threads = 0;
};

/// The quantity that shares and gains are parts of.
enum class ShareOf : std::uint8_t {
    time,   ///< the time of an iteration
    memory, ///< the memory of the device
    trust,  ///< nothing can be gained: the share says how far the trace is from steady
};
/// "time", "memory", "trust".
std::string_view toString(ShareOf shareOf);

/// A predicted gain, as a range of shares of the stake (0..1).
struct Gain
{
    double lo = 0;
    double hi = 0;
};

/// A prediction after earlier experiments of its rule (track_record.h).
struct Correction
{
    Gain gain;           ///< corrected prediction, with a wider interval
    double factor = 1;   ///< predictions of the rule are multiplied by it
    double bias = 1;     ///< measured / predicted over the experiments
    int experiments = 0; ///< experiments that count
};

/// The importance of a finding.
enum class Severity : std::uint8_t { low, medium, high };
/// "low", "medium", "high".
std::string_view toString(Severity severity);

/// The result of a rule that fired.
struct Finding
{
    std::string rule; ///< "pageable-copies"
    /// The rule of the finding that explains this one: both see the same time, and its change is the one to try. Empty
    /// when the finding stands for itself.
    std::string partOf;
    base::Message title; ///< "Copies from pageable memory"
    base::Message text;  ///< one or two sentences with numbers
    /// The cause of time that the finding explains. A verdict of that cause is backed by it. Cause::other: it explains
    /// none.
    Cause cause = Cause::other;
    ShareOf shareOf = ShareOf::time;
    double share = 0; ///< share of the stake that it concerns, 0..1
    Gain gain;        ///< predicted share of the stake that the change saves; 0 where the stake is trust
    std::optional<Correction> correction{}; ///< nothing without experiments of the rule
    Confidence confidence = Confidence::trace;
    Evidence evidence;
    Knob knob;
    base::Message verification; ///< the verification that confirms or refutes it
    bool isPart() const { return !partOf.empty(); }
    /// The gain to expect: corrected by earlier experiments where there are any.
    const Gain& expected() const { return correction ? correction->gain : gain; }
};

/// Rates a finding by its share of the stake: high from 20 %, medium from 5 %, otherwise low.
/// - The share of an estimate counts half.
/// - Where earlier experiments gained less than was predicted, the share counts by that part.
/// - A finding about trust is medium at most.
Severity severityOf(const Finding& finding);

enum class RuleState : std::uint8_t {
    fired,
    quiet,   ///< evaluated; nothing worth reporting
    unknown, ///< could not be evaluated; `reason` says what is missing and how to record it
};
std::string_view toString(RuleState state);

/// The result of one rule for one trace.
struct RuleResult
{
    std::string rule;
    base::Message title{};
    RuleState state = RuleState::quiet;
    std::vector<Finding> findings{};
    base::Message reason{};
};

} // namespace apertune::advice
