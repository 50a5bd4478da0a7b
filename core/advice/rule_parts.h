// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
std::string aUnit(const Facts& facts);
/// "3 an iteration", "3 a repeated section" or, when none were found, "12 in the recording".
std::string often(const Facts& facts, std::int64_t count);
/// "of the iteration", "of the repeated section", "of the recording" or, of a part that a person chose, "of the range".
std::string wholeName(const Facts& facts);

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
std::string hostBusyText(const Facts& facts);
/// What to change when the device waits for a host that does something else.
Knob hostKnob(const Facts& facts);

RuleResult quiet();
RuleResult unknown(std::string reason);
/// The reason of all rules that look at what the host called.
inline constexpr const char* kNoCalls =
    "The runtime's calls are not in the trace. Record them together with the device's work.";
/// A finding that explains time of this cause, or none of its own (Cause::other).
RuleResult fired(Finding finding, Cause cause = Cause::other);
/// What idle time of a device counts as.
Cause causeOf(analysis::IdleCause cause);

/// The default verification with one knob changed.
std::string verifyBy(const std::string& change, const std::string& also = {});

/// Whether the trial's device and engine have the switch; of a trace that is no trial's, whether PyTorch recorded it
/// and the device has it.
bool knowsSwitch(const Facts& facts, const std::string& name);

/// The first of these switches that the trial knows, that is not on already and that can be turned on by itself; a
/// text-only knob when there is none.
Knob switchOn(const Facts& facts, std::initializer_list<const char*> names, const std::string& text);

/// The switch tf32 can change something: arithmetic in fp32 outside of tensor cores, on a device that multiplies tf32.
bool tf32Helps(const Facts& facts);
/// Half of the arithmetic (of the traffic) or more is known to be in 32 bits or more, and the trial, where one was
/// traced, asks for as many.
bool canCompute16(const Facts& facts);
bool canMove16(const Facts& facts);

// The rules, by subject.
RuleResult r1HostBound(const Facts& facts);
RuleResult r2EnqueueBound(const Facts& facts);
RuleResult r3TinyKernels(const Facts& facts);
RuleResult r4PageableCopies(const Facts& facts);
RuleResult r5BlockingCopies(const Facts& facts);
RuleResult r6HiddenWaits(const Facts& facts);
RuleResult r7Gaps(const Facts& facts);
RuleResult r8UploadBound(const Facts& facts);
RuleResult r9DownloadBound(const Facts& facts);
RuleResult r10RoundTrips(const Facts& facts);
RuleResult r11ExtraCopies(const Facts& facts);
RuleResult r12RepeatedUploads(const Facts& facts);
RuleResult r13NoOverlap(const Facts& facts);
RuleResult r14Communication(const Facts& facts);
RuleResult r16LayoutConversions(const Facts& facts);
RuleResult r17Casts(const Facts& facts);
RuleResult r18BatchNorm(const Facts& facts);
RuleResult r19Pointwise(const Facts& facts);
RuleResult r20WideArithmetic(const Facts& facts);
RuleResult r24NotSteady(const Facts& facts);
RuleResult r28Allocation(const Facts& facts);
RuleResult r29MemoryLimit(const Facts& facts);
RuleResult r31Underfilled(const Facts& facts);
RuleResult r44Threads(const Facts& facts);

} // namespace apertune::advice
