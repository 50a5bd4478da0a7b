// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/standin/timing.h"

#include "tests/standin/clock.h"
#include "tests/standin/settings.h"

#include <algorithm>
#include <string_view>

namespace apertune::standin {

namespace {

constexpr double kBytesOfThread = 32; ///< bytes that a thread of an elementwise kernel reads and writes
constexpr double kPageableRate = 6;   ///< bytes a nanosecond
constexpr double kPinnedRate = 50;
constexpr double kHostRate = 10;
constexpr std::int64_t kSmallestCopy = 1500;
constexpr double kThrottled = 1.3;
constexpr std::int64_t kSleepAbove = 150'000; ///< ns; sleeping is not more exact than this

std::int64_t wholeNanoseconds(double nanoseconds)
{
    return static_cast<std::int64_t>(nanoseconds);
}

/// Between 0.98 and 1.02: no two kernels take exactly as long.
double jitter(std::uint64_t number)
{
    std::uint64_t mixed = (number + 1) * 0x9E3779B97F4A7C15ULL;
    mixed ^= mixed >> 29;
    constexpr double kParts = 1000;
    return 0.98 + 0.04 * static_cast<double>(mixed % static_cast<std::uint64_t>(kParts)) / kParts;
}

} // namespace

std::int64_t kernelTime(const char* name, Dimensions grid, Dimensions block)
{
    const std::string_view kernel = name;
    const bool half =
        kernel.find("Half") != std::string_view::npos || kernel.find("BFloat16") != std::string_view::npos;
    const double threads = static_cast<double>(grid.x) * grid.y * grid.z * block.x * block.y * block.z;
    return settings().kernelTime +
           wholeNanoseconds(threads * kBytesOfThread / settings().card->bandwidth / (half ? 2 : 1));
}

std::int64_t copyTime(MemoryKind from, MemoryKind to, std::size_t bytes)
{
    const bool out = from == MemoryKind::device;
    const bool in = to == MemoryKind::device;
    const bool pageable = from == MemoryKind::pageable || to == MemoryKind::pageable;
    const double rate = out && in     ? settings().card->bandwidth / 2
                        : !out && !in ? kHostRate
                        : pageable    ? kPageableRate
                                      : kPinnedRate;
    return kSmallestCopy + wholeNanoseconds(static_cast<double>(bytes) / rate);
}

std::int64_t fillTime(std::size_t bytes)
{
    return kSmallestCopy + wholeNanoseconds(static_cast<double>(bytes) / settings().card->bandwidth);
}

double slowness(int gpu, std::uint64_t number)
{
    constexpr double kWhole = 100;
    constexpr int kMost = 95;
    double slower = jitter(number);
    if (settings().throttle != 0)
        slower *= kThrottled;
    if (gpu == 0)
        slower *= kWhole / (kWhole - std::min(settings().otherLoad, kMost));
    return slower;
}

void spinUntil(std::int64_t instant)
{
    while (monotonicNow() < instant) {
    }
}

void payForLaunch()
{
    if (!settings().sleep)
        spinUntil(monotonicNow() + settings().launchCost);
}

std::int64_t launchOnGpu()
{
    return settings().sleep ? settings().launchCost : 0;
}

void waitUntil(std::int64_t instant)
{
    const std::int64_t least = settings().sleep ? 0 : kSleepAbove;
    if (const std::int64_t rest = instant - monotonicNow(); !settings().spin && rest > least) {
        const std::int64_t sleep = rest - least / 2;
        constexpr std::int64_t kSecond = 1'000'000'000;
        const timespec span{sleep / kSecond, sleep % kSecond};
        ::nanosleep(&span, nullptr);
    }
    spinUntil(instant);
}

} // namespace apertune::standin
