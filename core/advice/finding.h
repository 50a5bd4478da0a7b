// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/cause.h"
#include "core/analysis/intervals.h"
#include "core/base/message.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::advice {

/// What a statement rests on.
enum class Confidence : std::uint8_t {
    counter,  ///< hardware counters
    trace,    ///< times and counts of the trace
    estimate, ///< names, shapes, or an assumption that the text tells
};
/// "counter", "trace", "estimate".
std::string_view toString(Confidence confidence);

/// Where to look.
struct Evidence
{
    /// A query over the workspace's views of the trace that gives the rows behind the statement.
    std::string query;
    /// What to show in a timeline: the case that is worth most. ns after Trace::origin.
    analysis::Interval range{};
    std::int64_t events = 0; ///< how many rows the query gives
};

/// The one change to try. `switchName` is an entry of model::switchCatalogue(), or empty when no switch does it (then
/// `threads` says how many to run with, or where that is 0, the text what to change in the program).
struct Knob
{
    std::string switchName;
    bool value = true;
    std::string text; ///< in English
    int threads = 0;
    base::Message message{}; ///< of `text`
};

/// What shares and gains are parts of.
enum class Stake : std::uint8_t {
    time,   ///< the iteration
    memory, ///< the device's memory
    trust,  ///< nothing is to be gained: the numbers of the trace are this far from steady
};
/// "time", "memory", "trust".
std::string_view toString(Stake stake);

/// From … to, of what the stake says.
struct Gain
{
    double lo = 0;
    double hi = 0;
};

/// How grave a finding is.
enum class Severity : std::uint8_t { low, medium, high };
/// "low", "medium", "high".
std::string_view toString(Severity severity);

/// A rule that fired: a card.
struct Finding
{
    std::string rule;  ///< "pageable-copies"
    std::string title; ///< "Copies from pageable memory"
    std::string text;  ///< one or two sentences with the numbers
    /// What of the time it explains: a verdict of that kind rests on it. Other: none of its own.
    Cause cause = Cause::other;
    Stake stake = Stake::time;
    double share = 0; ///< of the stake that it concerns, 0..1
    Gain gain;        ///< of the stake, predicted when the knob is turned; none where the stake is trust
    Confidence confidence = Confidence::trace;
    Evidence evidence;
    Knob knob;
    std::string verification; ///< the verification that proves or refutes it
    // The sentences above without their words: core/sentences shows them in other languages.
    base::Message titleMessage{};
    base::Message message{}; ///< of `text`
    base::Message verificationMessage{};
};

/// By the share of what is at stake: high from 20 %, medium from 5 %, low below. An estimate counts half, and where
/// nothing is to be gained but trust in the numbers it is medium at most.
Severity severityOf(const Finding& finding);

enum class RuleState : std::uint8_t {
    fired,
    quiet,   ///< evaluated; nothing worth telling
    unknown, ///< could not be evaluated: `reason` says what is missing and how to get it
};
std::string_view toString(RuleState state);

struct RuleResult
{
    std::string rule;
    std::string title;
    RuleState state = RuleState::quiet;
    std::vector<Finding> findings{};
    std::string reason{};
    base::Message titleMessage{};
    base::Message reasonMessage{};
};

} // namespace apertune::advice
