// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/verdict.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/measurement.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::advice {

/// The subject of a change of a what-if.
enum class ChangeKind : std::uint8_t {
    kernels,   ///< work of the device by its name
    operators, ///< operators by their name, with everything that they call
    layers,    ///< ranges and functions by their name, with everything in them
    copies,    ///< copies between host and device
    graph,     ///< kernels of an iteration are launched as one graph
    streams,   ///< iterations take turns on several sets of streams
    host,      ///< the speed of the host
    threads,   ///< the threads of a CPU
    setting,   ///< a switch
};
/// "kernel", "operator", "layer", "copies", "graph", "streams", "host", "threads", "switch".
std::string_view toString(ChangeKind kind);

enum class CopyChange : std::uint8_t { remove, pin, overlap };

/// One change of a what-if.
struct Change
{
    ChangeKind kind = ChangeKind::operators;
    std::string text;      ///< holds the change as the user wrote it
    std::string pattern{}; ///< name, /regular expression/, or the name of a switch
    int occurrence = 0;    ///< from 1: only this one of each iteration; 0: all
    double factor = 1;     ///< changed over recorded time; 0 removes
    CopyChange copies = CopyChange::remove;
    int count = 1;  ///< streams or threads
    bool on = true; ///< the value that a switch gets
    bool operator==(const Change&) const = default;
};

/// Reads a change:
///   kernel:PATTERN=FACTOR, operator:PATTERN=FACTOR, layer:PATTERN=FACTOR   FACTOR: 0.5, 50%, or "remove"
///   copies=remove | pin | overlap     graph     streams=N     host=FACTOR     threads=N     switch:NAME=on | off
/// PATTERN is a name or /a regular expression/; with #N behind it, only the N-th match of each iteration counts. A name
/// stands for events of exactly that name; without any, for those with that name behind "::", then for those that
/// contain it. Of nested matches the outermost counts.
/// Failures: invalidArgument.
base::Result<Change> parseChange(const std::string& text);

/// The predicted effect of one change, or of several together.
struct ChangeEffect
{
    std::string subject;    ///< names the record to look up: "what-if operator", or the rule that predicts a switch
    double saved = 0;       ///< share of an iteration's time; negative: the change costs
    Gain band{};            ///< has the replay's own error and the spread over iterations; may be negative
    bool bandKnown = false; ///< false: too few iterations for a band
    std::optional<Correction> correction{}; ///< nothing without experiments of the subject
    double events = 0;                      ///< changed events an iteration; 0 where the change is about the whole
    /// Part of the removed time of the device that shortens the iteration, 0..1: it was on the critical path. Nothing
    /// for a change of the host.
    std::optional<double> onCriticalPath{};
    Knob knob{}; ///< setting that makes the change: a switch, a number of threads, or nothing that Apertune can set
};

/// The answer to a what-if.
struct WhatIfReport
{
    model::Interval before{}; ///< ns of an iteration; without recording, where that was measured
    bool bare = false;        ///< whether `before` is the time without recording
    double replayError = 0;   ///< |replayed / recorded − 1| without a change
    std::int64_t iterations = 0;
    std::vector<ChangeEffect> effects{}; ///< one for each change
    ChangeEffect together{};
    Verdict verdict{};      ///< says what limits the trace
    Verdict verdictAfter{}; ///< says what limits the simulated trace

    model::Interval after(const ChangeEffect& effect) const; ///< ns of an iteration, with the expected band
};

/// Predicts what changes would do to the iterations of a trace: the dependency graph of the recording is simulated
/// again (analysis::Replay), with each change and with all of them.
///
/// The effect of each change on the graph:
///  - A factor scales the time of the matching work of a device. Of an operator or a layer, the time of the host
///    changes where it ran on the host alone, or where the factor is 0.
///  - copies=pin: pageable copies run at the link's measured rate for pinned memory (else in 0.6 of their time), and
///    their calls return at once. copies=overlap: copies run on streams of their own, those to the device an iteration
///    ahead. Then the time between two results falls, not the time to one result.
///  - graph: the host launches all kernels of an iteration that no wait separates with the first of them.
///  - streams=N: see ReplayChange::streams; a kernel fills the device as far as its blocks do (else all of it).
///  - On a CPU the operators of the busiest thread follow each other, so every change of them is on the critical path.
///    The recorder's own time for each operator, by the trace's cost, counts in none of them.
///  - threads=N: Amdahl's law, with the parallel part by the processors that were kept busy, else by the share of the
///    operators that threads share.
///  - switch:NAME: the gain that a finding predicts for it.
///
/// The band is that of the median over iterations (stats::medianInterval), widened by the error of the unchanged
/// replay and by the range of a rule or of Amdahl's parallel part. It ends where the device works without a pause.
/// With earlier experiments of the same kind of change, `correction` says what to expect.
/// Failures: invalidArgument (nothing matches, or the trace does not allow such a change), unsupported (the recording
/// does not determine a replay, or lacks the kernels that it launches).
/// REQUIRES: !changes.empty()
base::Result<WhatIfReport> whatIf(const Facts& facts, const std::vector<Change>& changes);

/// Returns a finding with which the change can be verified on the traced trial.
Finding findingOf(const ChangeEffect& effect);

/// The document "apertune.what-if/1".
base::Json whatIfDocument(const std::vector<Change>& changes, const WhatIfReport& report);

} // namespace apertune::advice
