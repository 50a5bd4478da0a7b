// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/standin/machine.h"

#include <cstddef>
#include <cstdint>

namespace apertune::standin {

/// The durations of operations on the card of the settings, in nanoseconds.
constexpr std::int64_t kArrival = 1500; ///< time between a call and its work on an idle GPU
constexpr std::int64_t kGap = 500;      ///< time between two steps of a stream
constexpr std::int64_t kInstantiationPerNode = 1000;

/// Returns the duration of a kernel that reads and writes some bytes in each thread, and half as many when its name
/// contains a 16-bit type.
std::int64_t kernelTime(const char* name, Dimensions grid, Dimensions block);
std::int64_t copyTime(MemoryKind from, MemoryKind to, std::size_t bytes);
std::int64_t fillTime(std::size_t bytes);

/// Returns the factor by which the GPU is slower for the work with this number. It varies by a few percent, equally in
/// each run, and contains the share that a clock limit or another process uses.
double slowness(int gpu, std::uint64_t number);

void spinUntil(std::int64_t instant);
/// Spends the processor time of a launch on the calling thread.
void payForLaunch();
/// Returns the GPU time of a launch; 0 when launches use processor time.
std::int64_t launchOnGpu();
/// Sleeps, unless the wait is short or the settings want it to spin.
void waitUntil(std::int64_t instant);

} // namespace apertune::standin
