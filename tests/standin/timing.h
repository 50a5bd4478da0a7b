// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/standin/machine.h"

#include <cstddef>
#include <cstdint>

namespace apertune::standin {

/// How long things take on the card of the settings, in nanoseconds.
constexpr std::int64_t kArrival = 1500; ///< time between a call and its work on an idle GPU
constexpr std::int64_t kGap = 500;      ///< between two steps of a stream
constexpr std::int64_t kInstantiationPerNode = 1000;

/// A kernel reads and writes some bytes in each thread; half of them when its name says that it works in 16 bits.
std::int64_t kernelTime(const char* name, Dimensions grid, Dimensions block);
std::int64_t copyTime(MemoryKind from, MemoryKind to, std::size_t bytes);
std::int64_t fillTime(std::size_t bytes);

/// By how much the GPU is slower for the work with this number: a few percent more or less, the same in each run, and
/// the share that a limit of the clock or another process takes.
double slowness(int gpu, std::uint64_t number);

void spinUntil(std::int64_t instant);
/// What a launch costs the thread that calls it.
void payForLaunch();
/// What it costs the GPU, when it costs no processor.
std::int64_t launchOnGpu();
/// Sleeps, unless the wait is short or the settings want it to spin.
void waitUntil(std::int64_t instant);

} // namespace apertune::standin
