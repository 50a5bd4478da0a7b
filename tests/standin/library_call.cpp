// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/standin/library_call.h"

#include "tests/standin/clock.h"
#include "tests/standin/machine.h"
#include "tests/standin/settings.h"

#include <cupti.h>

#include <algorithm>

namespace apertune::standin {

namespace {

/// Operations a nanosecond, from the number of multiprocessors and their clock.
double rate(Arithmetic arithmetic)
{
    constexpr double kGigahertz = 1e-3;
    constexpr double kPerClock = 256; ///< 128 multiplications and additions in fp32
    const Card& card = *settings().card;
    const double fp32 = card.multiprocessors * kPerClock * card.mostClock * kGigahertz * 0.6;
    return arithmetic == Arithmetic::half                      ? 12 * fp32
           : arithmetic == Arithmetic::tf32 && card.major >= 8 ? 6 * fp32
                                                               : fp32;
}

} // namespace

int launchLibraryKernel(const char* name, double operations, Arithmetic arithmetic, void* stream)
{
    constexpr unsigned kThreads = 256;
    constexpr double kOperationsOfBlock = 1e6;
    constexpr double kMostBlocks = 1e6;
    const auto blocks = static_cast<unsigned>(std::clamp(operations / kOperationsOfBlock, 1.0, kMostBlocks));
    const std::int64_t duration = settings().kernelTime + static_cast<std::int64_t>(operations / rate(arithmetic));
    Machine& machine = *standinMachine();
    CallRecord record{true, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, monotonicNow(), 0, machine.beginCall(), 0};
    record.result =
        machine.launch(name, {blocks, 1, 1}, {kThreads, 1, 1}, 48U << 10, static_cast<Stream*>(stream), duration);
    record.end = monotonicNow();
    machine.endCall(record);
    return record.result;
}

} // namespace apertune::standin
