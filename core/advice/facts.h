// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/cause.h"
#include "core/advice/interruptions.h"
#include "core/analysis/device_use.h"
#include "core/analysis/iterations.h"
#include "core/analysis/kernel_table.h"
#include "core/analysis/launches.h"
#include "core/analysis/memory_timeline.h"
#include "core/analysis/precision.h"
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

/// What is known besides the trace. Everything may be left out; rules then say what they lack.
struct Context
{
    analysis::Ceilings ceilings{};
    std::optional<model::Config> config{}; ///< of the trial that was traced
    std::optional<model::Device> device{}; ///< that it ran on
    int inputs = 1;                        ///< tensors that a pass has to bring to the device
    int outputs = 1;                       ///< and to fetch
    double passFlops = 0;                  ///< arithmetic of a pass, a multiply-add counting 2; 0: not known
    double weightBytes = 0;                ///< that a pass reads at least; 0: not known
    std::int64_t traceId = 0;              ///< in the workspace that queries are for; 0: chosen where they are run
    /// Findings worth less than this share of the iteration are not worth telling: the machine's noise.
    double noiseFloor = 0.01;
};

/// Pauses between operators up to this (20 µs) are passing on.
constexpr std::int64_t kShortPause = 20'000;

/// What a workspace knows of a traced trial; the ceilings come from elsewhere. `device` may be null.
Context contextOf(const model::ModelRef& model, const model::Trial& trial, const model::Device* device);

/// Time of the operators of a CPU by what they do, without the operators below them. Copies that an aten::contiguous,
/// aten::to or the like asked for are counted as what was asked for.
struct HostWork
{
    std::array<std::int64_t, 17> byClass{}; ///< by OpClass; operators that pass on: see dispatch
    std::array<std::int64_t, 17> calls{};
    /// Self time of operators that only pass on to others of their sort, views, and pauses of up to 20 µs.
    std::int64_t dispatch = 0;
    std::int64_t pauses = 0; ///< longer ones, when no operator ran
    std::int64_t pauseCount = 0;
    analysis::Interval longestPause;
    std::int64_t silent = 0;    ///< within operators that wrap others, and within passes: see FusedWork
    std::int64_t batchNorm = 0; ///< of byClass[normalization]
    std::int64_t batchNorms = 0;
    std::int64_t of(analysis::OpClass c) const { return byClass[static_cast<std::size_t>(c)]; }
    std::int64_t count(analysis::OpClass c) const { return calls[static_cast<std::size_t>(c)]; }
};

/// Time of a CPU in code that reports no operators: groups that a framework fused (an event each), and stretches within
/// wrappers and passes where nothing is recorded (compiled code, prepacked convolutions).
struct FusedWork
{
    struct Group
    {
        std::uint32_t name = 0; ///< StringId
        std::int64_t time = 0;
        std::int64_t calls = 0;
    };
    std::int64_t time = 0;     ///< ns of the window, groups and stretches
    std::vector<Group> groups; ///< the longest first
    /// What the pass computes beyond the operators that were recorded; 0 where the model's arithmetic is not known.
    double flops = 0;
    double achieved = 0;   ///< FLOP/s in `time`
    double efficiency = 0; ///< of the ceiling that binds it
    /// By that arithmetic, the weights and the ceilings: unknown without them, latency far below both.
    analysis::Bound bound = analysis::Bound::unknown;
};

/// Everything that the rules and the verdict look at, computed once from a trace. Refers to the trace, which must
/// outlive it. n log n.
struct Facts
{
    Facts(const trace::Trace& trace, Context context);
    /// The same of a part of the trace that a person chose: its window is `range`. Shares what is the same for every
    /// part, so it takes a fraction of the time. REQUIRES: range.length() > 0
    Facts(const Facts& whole, analysis::Interval range);
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
    const analysis::Iterations& iterations; ///< of the whole trace

    /// Did any device work? Otherwise the operators of the busiest host thread are the work.
    bool onDevice = false;
    std::int64_t device = -1; ///< the one with most kernel time
    bool chosen = false;      ///< the window is a part that a person chose
    /// The steady iterations or repeated sections, or everything between first and last work when none were found.
    analysis::Interval window;
    std::vector<analysis::Interval> steady; ///< the whole iterations in it; the window itself when there are none
    /// Host calls that begin in calls[i] belong to steady[i].
    std::vector<analysis::Interval> calls;

    analysis::DeviceUse use;                  ///< onDevice
    std::vector<analysis::KernelRow> kernels; ///< all devices
    analysis::KernelSums sums;                ///< of `device`
    /// Of `device`, or of the busiest thread. What the recording does not tell is that of the trial, where one was
    /// traced.
    analysis::Precision precision;
    analysis::TransferLedger transfers;
    analysis::LaunchStatistics launches;
    std::vector<analysis::MemoryUse> memory;
    std::vector<analysis::RooflineRow> roofline; ///< empty when no shapes were recorded
    Interruptions interrupted;                   ///< of the busiest thread, without device work; not in any share
    HostWork host;                               ///< of the busiest thread, without interruptions
    FusedWork fused;                             ///< of the busiest thread
    std::array<std::int64_t, kCauses> causes{};  ///< ns of the window
    /// How many processors the traced process kept busy, by the host's telemetry; nothing without it.
    std::optional<double> processorsBusy;
    bool training = false; ///< backward operators or kernels were seen: normalisation belongs there

    /// What the shares are of: the window without interruptions.
    std::int64_t whole() const { return window.length() - interrupted.time; }
    double share(std::int64_t time) const
    {
        return whole() > 0 ? static_cast<double>(time) / static_cast<double>(whole()) : 0;
    }
    double share(Cause cause) const { return share(causes[static_cast<std::size_t>(cause)]); }
    /// Of the kernels of a class that computes, as a share of the window (overlaps counted once, in proportion).
    double kernelShare(analysis::OpClass opClass) const;
    /// The same on whatever does the work: kernels of a device, or operators.
    double workShare(analysis::OpClass opClass) const;
    double perIteration(std::int64_t count) const
    {
        return static_cast<double>(count) / static_cast<double>(steady.empty() ? 1 : steady.size());
    }
    /// Counts can be told by iteration: the window holds whole ones.
    bool byIteration() const { return iterations.found() && !(chosen && steady.front() == window); }
    /// What one of `steady` is: "iteration", or "repeated section" where the recording does not tell what repeats.
    std::string_view unit() const { return iterations.marked() ? "iteration" : "repeated section"; }
    /// The host calls that belong to `steady` begin in it.
    analysis::Interval callWindow() const
    {
        return chosen ? window : analysis::Interval{calls.front().start, calls.back().end};
    }
    /// What the trial asks for; unknown without one.
    analysis::NumberFormat askedFormat() const;
    /// The trial's switch is on; false when nothing is known.
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
