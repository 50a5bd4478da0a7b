// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/facts.h"
#include "core/advice/finding.h"
#include "core/advice/reasons.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::advice {

// The helpers that the rules share. Only the sources of this folder use them.

/// The share of pauses and dispatch on a CPU that is normal for running a model. The verdict names them only from here
/// on.
inline constexpr double kNamedOnHost = 0.3;

/// "12.3 %".
std::string percent(double share);
/// "12.3 µs", "4.56 ms".
std::string timeText(std::int64_t ns);
std::string timeText(double ns);
/// "an iteration", or "a repeated section" when the recording does not mark iterations.
base::Message unitMessage(const Facts& facts);
/// A count per unit: "3 an iteration", "3 a repeated section", or "12 in the recording" when no iterations were found.
base::Message occurrences(const Facts& facts, std::int64_t count);
/// A share with what it is a share of: "12 % of the iteration", "12 % of the repeated section", "12 % of the
/// recording", or "12 % of the range" when a person chose the window.
base::Message shareMessage(const Facts& facts, double share);

/// The share of the window in which the device idles for a cause.
double idleShare(const Facts& facts, analysis::IdleCause cause);

/// The host calls of some kinds in the window.
struct CallSum
{
    std::int64_t count = 0;
    std::int64_t time = 0; ///< ns
    trace::TimeRange longest;
};
CallSum sumCalls(const Facts& facts, std::initializer_list<analysis::CallKind> kinds);

/// The activities that kept the host busy while the device waited for it or, on a CPU, while no operator ran:
/// "enumerate(DataLoader) (39 % of the iteration)". Up to three that take at least half of that time together; empty
/// when the recording does not name them.
base::Message hostActivities(const Facts& facts);
/// The message `plain` or, where the recording names the activities of the host, `in` with its parameter "activities".
base::Message withActivities(const Facts& facts, const base::MessageKind& plain, const base::MessageKind& in);
/// The advice for a device that waits for a busy host, or for a CPU that runs no operators.
Knob hostKnob(const Facts& facts);

/// The effect of a change on the launches of the work that it shortens.
enum class Launches { stay, go };
/// Predicts the gain of a change that takes `saved.lo` to `saved.hi` (shares) of the time of some work of the device.
/// Where the trace can be replayed, the work is replayed with the rest of its time: what a waiting device would not
/// gain is no gain. With Launches::go the upper end also saves the host's time for launching that part. Without a
/// replay, the gain is that part of `share`, which is the work's share of the window. `fits`: selects the work, by its
/// number in TraceIndex::work.
Gain gainOf(const Facts& facts, double share, Gain saved, Launches launches,
            const std::function<bool(std::int32_t)>& fits);
/// The same for the kernels of a class.
Gain gainOf(const Facts& facts, double share, Gain saved, Launches launches, analysis::OpClass opClass);

/// True when more than half of Cause::other is idle time of a device: queues, and causes that were not recorded.
bool isMostlyIdle(const Facts& facts);
/// A cause of time as the part of a sentence: "waiting for launches".
base::Message phraseOf(const Facts& facts, Cause cause);

/// The outermost calls in the window of operators for whose names `fits` is true: on all threads with a device, on the
/// busiest one without.
struct OperatorTime
{
    std::int64_t time = 0; ///< ns on the device or, without one, of the calls
    std::int64_t count = 0;
    const analysis::OperatorNode* longest = nullptr; ///< the call with the most of that time
    std::vector<std::string> names;
};
OperatorTime timeOfOperators(const Facts& facts, const std::function<bool(std::string_view)>& fits);

RuleResult quiet();
RuleResult unknown(base::Message reason);
/// Makes the result of a rule with one finding. `cause` is the cause of time that it explains; other: none. Shares are
/// clamped to 0..1 and gains to the share.
RuleResult fired(Finding finding, Cause cause = Cause::other);
/// The cause of time that an idle cause belongs to.
Cause causeOf(analysis::IdleCause cause);

/// The default verification: measure with and without `change`; `also` names a second condition.
base::Message verifyBy(base::Message change, base::Message also = {});
/// The name of a switch or, when it is empty, `otherwise`.
base::Message namedOr(const std::string& switchName, base::Message otherwise);
/// The message for a number of things: `one` for 1, otherwise `many` with its parameter "count".
base::Message plural(std::int64_t number, const base::MessageKind& one, const base::MessageKind& many);
/// Advice without a switch.
Knob advise(base::Message message);

/// True when the trial's device and engine have the switch. For a trace without a trial: true when PyTorch recorded it
/// and its kind of device has the switch.
bool knowsSwitch(const Facts& facts, const std::string& name);

/// True when the device waits for launches mostly while the host is in code that TorchDynamo compiled.
bool launchesFromCompiledCode(const Facts& facts);
/// Advises how to launch the work in fewer pieces: by a CUDA graph, by compiling, by freezing. Where most kernels
/// are a graph's already, passes have to be queued ahead instead; compiled code can be replayed as graphs.
Knob fewerLaunches(const Facts& facts);

/// Advises the first of these switches that the trial knows, that is off and that can be turned on by itself. Without
/// such a switch the advice is `message` alone.
Knob switchOn(const Facts& facts, std::initializer_list<const char*> names, const base::Message& message);

/// True when the switch tf32 can help: at least a fifth of the arithmetic is in fp32 outside of tensor cores, and the
/// device has TF32 tensor cores (NVIDIA from Ampere on).
bool tf32Helps(const Facts& facts);
/// The advice to compute in 16 bits: in fp16 alone on an NVIDIA GPU before Ampere, which has no arithmetic in bf16.
base::Message use16Bits(const Facts& facts);
/// True when at least half of the arithmetic (canMove16: of the traffic) is known to be in 32 bits or more, and the
/// trial, if there is one, asks for fp32 or tf32.
bool canCompute16(const Facts& facts);
bool canMove16(const Facts& facts);

} // namespace apertune::advice
