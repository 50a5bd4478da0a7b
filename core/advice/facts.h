// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/cause.h"
#include "core/advice/hidden_waits.h"
#include "core/advice/interruptions.h"
#include "core/advice/thresholds.h"
#include "core/advice/track_record.h"
#include "core/analysis/device_use.h"
#include "core/analysis/iterations.h"
#include "core/analysis/kernel_table.h"
#include "core/analysis/launches.h"
#include "core/analysis/memory_timeline.h"
#include "core/analysis/precision.h"
#include "core/analysis/replay.h"
#include "core/analysis/roofline.h"
#include "core/analysis/transfers.h"
#include "core/model/config.h"
#include "core/model/device.h"
#include "core/model/model_ref.h"
#include "core/model/trial.h"

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace apertune::advice {

/// Knowledge beside the trace. Every member may be left at its default; rules then say what they lack.
struct Context
{
    /// Facts takes those of the device's data sheet where nobody measured any.
    analysis::Ceilings ceilings{};
    std::optional<model::Config> config{}; ///< the configuration of the traced trial
    std::optional<model::Device> device{}; ///< the device of the traced trial
    int inputs = 1;                        ///< tensors that each pass has to copy to the device
    int outputs = 1;                       ///< tensors that each pass has to copy back
    double passFlops = 0;                  ///< arithmetic of a pass in FLOP (a multiply-add counts 2); 0: unknown
    double weightBytes = 0;                ///< least bytes of weights that a pass reads; 0: unknown
    std::int64_t traceId = 0; ///< the trace's id in the workspace that queries are for; 0: chosen when they are run
    std::shared_ptr<const TrackRecord> record{}; ///< earlier experiments; null: none are known
    /// Findings with a smaller share of the iteration are dropped: they are within the noise of the machine.
    double noiseFloor = 0.01;
    Thresholds thresholds{}; ///< the rules fire by them
};

/// A pause between operators of at most this length (20 µs) counts as overhead of passing from one operator to the
/// next.
constexpr std::int64_t kShortPause = 20'000;

/// Returns the context of a traced trial, without ceilings. `device` may be null.
Context contextOf(const model::ModelRef& model, const model::Trial& trial, const model::Device* device);

/// Self times of a CPU's operators by class. A copy that aten::contiguous, aten::to or a similar operator asked for
/// counts as what was asked for (layout or cast).
struct HostWork
{
    std::array<std::int64_t, 17> byClass{}; ///< ns by OpClass, without the operators in `dispatch`
    std::array<std::int64_t, 17> calls{};
    /// Self time of views and of operators that only call another one of their class, and pauses of up to kShortPause.
    std::int64_t dispatch = 0;
    std::int64_t pauses = 0; ///< ns of longer pauses, while no operator ran
    std::int64_t pauseCount = 0;
    trace::TimeRange longestPause;
    std::vector<analysis::HostBusy> busy; ///< the activities in these pauses, longest first
    /// Ns without a record, within operators that wrap others and within passes; see FusedWork.
    std::int64_t unrecorded = 0;
    std::int64_t batchNorm =
        0; ///< ns of batch normalisations with everything that they call: folding removes all of it
    std::int64_t batchNorms = 0;
    std::int64_t of(analysis::OpClass c) const { return byClass[static_cast<std::size_t>(c)]; }
    std::int64_t count(analysis::OpClass c) const { return calls[static_cast<std::size_t>(c)]; }
};

/// Time of a CPU in code that reports no operators. It has two parts: groups that a framework fused (one event each),
/// and stretches without a record within wrappers and passes (compiled code, prepacked convolutions).
struct FusedWork
{
    struct Group
    {
        std::uint32_t name = 0; ///< StringId
        std::int64_t time = 0;
        std::int64_t calls = 0;
    };
    std::int64_t time = 0;     ///< ns in the window, groups and stretches
    std::vector<Group> groups; ///< longest first
    /// Arithmetic of the model beyond the recorded operators, in FLOP; 0 when the model's arithmetic is unknown.
    double flops = 0;
    double achieved = 0;   ///< FLOP/s in `time`
    double efficiency = 0; ///< share of the nearer ceiling, 0..1
    /// The limit that the arithmetic, the weights and the ceilings show. It is unknown without them, and latency when
    /// the rate is less than a tenth of both ceilings.
    analysis::Bound bound = analysis::Bound::unknown;
};

/// The facts that the rules and the verdict use, computed once from a trace. O(n log n).
/// Thread rule: immutable after construction, so any thread may read it.
/// REQUIRES: the trace outlives the facts.
struct Facts
{
    Facts(const trace::Trace& trace, Context context);
    /// Computes the facts for `range`, a part of the trace that a person chose. What does not depend on the part is
    /// shared with `whole`, so this takes a fraction of the time.
    /// REQUIRES: range.length() > 0
    Facts(const Facts& whole, trace::TimeRange range);
    Facts(const Facts&) = delete;
    Facts& operator=(const Facts&) = delete;

private:
    struct Basis
    {
        explicit Basis(const trace::Trace& trace);
        analysis::TraceIndex index;
        analysis::OperatorForest forest;
        analysis::Iterations iterations;
    };
    std::shared_ptr<const Basis> m_basis;

public:
    const trace::Trace& trace;
    const Context context;
    const analysis::TraceIndex& index;
    const analysis::OperatorForest& forest;
    const analysis::Iterations& iterations; ///< the iterations of the whole trace

    /// True when a device worked. Otherwise the operators of the busiest host thread are the work.
    bool onDevice = false;
    std::int64_t device = -1; ///< the device with the most kernel time
    bool chosen = false;      ///< true when a person chose the window
    /// The steady iterations or repeated sections. When none were found, the time from the first to the last work.
    trace::TimeRange window;
    /// The whole iterations in the window; the window itself when there are none.
    std::vector<trace::TimeRange> steady;
    /// The host calls that begin in calls[i] belong to steady[i].
    std::vector<trace::TimeRange> calls;

    analysis::DeviceUse use;                  ///< only with a device
    std::vector<analysis::KernelRow> kernels; ///< kernels of all devices
    analysis::KernelSums sums;                ///< sums over the kernels of `device`
    /// Number formats of `device` or of the busiest thread. Where the recording does not show the format, the traced
    /// trial's counts.
    analysis::Precision precision;
    analysis::TransferLedger transfers;
    analysis::LaunchStatistics launches;
    std::optional<analysis::Replay> replay; ///< replays the first steady iterations; nothing when it is not faithful
    HiddenWaits hiddenWaits;                ///< only with a device
    std::vector<analysis::MemoryUse> memory;
    std::vector<analysis::RooflineRow> roofline; ///< empty when no shapes were recorded
    /// Ns at the beginning that `window` leaves out, because the device was held by what was launched before the
    /// recording.
    std::int64_t heldBack = 0;
    Interruptions interrupted; ///< time of the busiest thread, only without a device; no share contains it
    HostWork host;             ///< work of the busiest thread, without interruptions
    FusedWork fused;           ///< fused work of the busiest thread
    /// Ns of the window by Cause. Pauses of a device that the replay saves without the hidden waits count as
    /// synchronization, whatever the host did in them: without the waits it would have launched ahead.
    std::array<std::int64_t, kCauses> causes{};
    /// The number of processors that the traced process kept busy (median of the host's telemetry); nothing without
    /// telemetry.
    std::optional<double> processorsBusy;
    /// True when backward operators or kernels were seen: batch normalisation is not foldable then.
    bool training = false;

    /// The denominator of all shares: the window without interruptions.
    std::int64_t whole() const { return window.length() - interrupted.time; }
    double share(std::int64_t time) const
    {
        return whole() > 0 ? static_cast<double>(time) / static_cast<double>(whole()) : 0;
    }
    double limit(Threshold threshold) const { return context.thresholds.of(threshold); }
    double share(Cause cause) const { return share(causes[static_cast<std::size_t>(cause)]); }
    /// The time of a class of computing kernels as a share of the window. Overlapping kernels count once, in
    /// proportion.
    double kernelShare(analysis::OpClass opClass) const;
    /// The same for the work of either side: the kernels of a device or, without one, operators.
    double workShare(analysis::OpClass opClass) const;
    double perIteration(std::int64_t count) const
    {
        return static_cast<double>(count) / static_cast<double>(steady.empty() ? 1 : steady.size());
    }
    /// True when counts can be given per iteration: the window holds whole iterations.
    bool byIteration() const { return iterations.found() && !(chosen && steady.front() == window); }
    /// The range in which the host calls of `steady` begin.
    trace::TimeRange callWindow() const
    {
        return chosen ? window : trace::TimeRange{calls.front().start, calls.back().end};
    }
    /// The number of recorded functions of a script (Python) in the window. Recording them slows the host.
    std::int64_t recordedFunctions() const;
    /// The format of the trial's precision; unknown without a trial.
    analysis::NumberFormat requestedFormat() const;
    /// True when the trial has the switch on; false without a trial.
    bool isOn(std::string_view switchName) const;

private:
    void measure();
    void measureHost();
    void measurePrecision();
    void measureFused();
    void measureProcessors();
    void divideTime();
};

} // namespace apertune::advice
