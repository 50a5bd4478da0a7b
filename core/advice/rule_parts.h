// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/reasons.h"
#include "core/advice/rules.h"

#include <cstdint>
#include <initializer_list>
#include <string>

namespace apertune::advice {

// Private to this folder: what the rules share.

/// On a CPU pauses and passing from operator to operator are part of running a model, up to this share.
inline constexpr double kNamedOnHost = 0.3;

/// "12.3 %".
std::string percent(double share);
/// "12.3 µs", "4.56 ms".
std::string timeText(std::int64_t ns);
std::string timeText(double ns);
/// "an iteration" or, where the recording does not tell what repeats, "a repeated section".
base::Message aUnit(const Facts& facts);
/// "3 an iteration", "3 a repeated section" or, when none were found, "12 in the recording".
base::Message often(const Facts& facts, std::int64_t count);
/// "of the iteration", "of the repeated section", "of the recording" or, of a part that a person chose, "of the range".
base::Message wholeName(const Facts& facts);

/// The host calls of some kinds that belong to the window.
struct CallSum
{
    std::int64_t count = 0;
    std::int64_t time = 0; ///< ns
    analysis::Interval longest;
};
CallSum sumCalls(const Facts& facts, std::initializer_list<analysis::CallKind> kinds);

/// ", mostly in enumerate(DataLoader) (39 % of the iteration)": what the host was busy with while the device waited for
/// it; empty where nothing recorded fills most of that time.
base::Message hostBusyText(const Facts& facts);
/// What to change when the device waits for a host that does something else.
Knob hostKnob(const Facts& facts);

RuleResult quiet();
RuleResult unknown(base::Message reason);
/// A finding that explains time of this cause, or none of its own (Cause::other).
RuleResult fired(Finding finding, Cause cause = Cause::other);
/// What idle time of a device counts as.
Cause causeOf(analysis::IdleCause cause);

/// The default verification with one knob changed.
base::Message verifyBy(base::Message change, base::Message also = {});
/// The name of a switch, or what to change where no switch does it.
base::Message namedOr(const std::string& switchName, base::Message otherwise);
/// One of something, or so many; `many` has the parameter "count".
base::Message plural(std::int64_t number, const base::MessageKind& one, const base::MessageKind& many);
/// Advice that no switch follows.
Knob advise(base::Message message);

/// Whether the trial's device and engine have the switch; of a trace that is no trial's, whether PyTorch recorded it
/// and the device has it.
bool knowsSwitch(const Facts& facts, const std::string& name);

/// The first of these switches that the trial knows, that is not on already and that can be turned on by itself; a
/// text-only knob when there is none.
Knob switchOn(const Facts& facts, std::initializer_list<const char*> names, const base::Message& message);

/// The switch tf32 can change something: arithmetic in fp32 outside of tensor cores, on a device that multiplies tf32.
bool tf32Helps(const Facts& facts);
/// Half of the arithmetic (of the traffic) or more is known to be in 32 bits or more, and the trial, where one was
/// traced, asks for as many.
bool canCompute16(const Facts& facts);
bool canMove16(const Facts& facts);

// The rules, by subject.
RuleResult hostBoundRule(const Facts& facts);
RuleResult enqueueBoundRule(const Facts& facts);
RuleResult tinyKernelsRule(const Facts& facts);
RuleResult pageableCopiesRule(const Facts& facts);
RuleResult blockingCopiesRule(const Facts& facts);
RuleResult hiddenWaitsRule(const Facts& facts);
RuleResult gapsRule(const Facts& facts);
RuleResult uploadBoundRule(const Facts& facts);
RuleResult downloadBoundRule(const Facts& facts);
RuleResult roundTripsRule(const Facts& facts);
RuleResult extraCopiesRule(const Facts& facts);
RuleResult repeatedUploadsRule(const Facts& facts);
RuleResult noOverlapRule(const Facts& facts);
RuleResult communicationRule(const Facts& facts);
RuleResult layoutConversionsRule(const Facts& facts);
RuleResult castsRule(const Facts& facts);
RuleResult batchNormRule(const Facts& facts);
RuleResult pointwiseRule(const Facts& facts);
RuleResult wideArithmeticRule(const Facts& facts);
RuleResult notSteadyRule(const Facts& facts);
RuleResult allocationRule(const Facts& facts);
RuleResult memoryLimitRule(const Facts& facts);
RuleResult underfilledRule(const Facts& facts);
RuleResult threadsRule(const Facts& facts);

} // namespace apertune::advice
