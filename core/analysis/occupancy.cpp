// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/occupancy.h"

#include <algorithm>

namespace apertune::analysis {

namespace {

std::int64_t product(const std::array<std::uint32_t, 3>& size)
{
    return static_cast<std::int64_t>(size[0]) * size[1] * size[2];
}

/// Returns the largest number of resident blocks per multiprocessor (CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability").
int mostBlocks(const trace::DeviceProperties& d)
{
    if (d.computeMajor == 7 && d.computeMinor == 5)
        return 16;
    if (d.computeMajor == 8 && (d.computeMinor == 6 || d.computeMinor == 7))
        return 16;
    if (d.computeMajor == 8 && d.computeMinor == 9)
        return 24;
    return 32;
}

} // namespace

OccupancyEstimate estimateOccupancy(const trace::KernelDetail& launch, const trace::DeviceProperties* device)
{
    OccupancyEstimate e;
    const std::int64_t blocks = product(launch.grid);
    const std::int64_t threads = product(launch.block);
    if (!device || device->multiprocessors <= 0 || blocks <= 0 || threads <= 0)
        return e;
    e.smFill = std::min(1.0, static_cast<double>(blocks) / device->multiprocessors);
    if (device->maxThreadsPerMultiprocessor <= 0)
        return e;
    const int warp = std::max(1, device->warpSize);
    const std::int64_t warps = (threads + warp - 1) / warp;

    std::int64_t fit = device->maxThreadsPerMultiprocessor / (warps * warp);
    e.limiter = "threads";
    const auto limit = [&](std::int64_t blocksThatFit, std::string_view name) {
        if (blocksThatFit < fit) {
            fit = blocksThatFit;
            e.limiter = name;
        }
    };
    limit(mostBlocks(*device), "blocks");
    if (launch.registersPerThread > 0 && device->registersPerMultiprocessor > 0) {
        const std::int64_t perWarp = (static_cast<std::int64_t>(launch.registersPerThread) * warp + 255) / 256 * 256;
        limit(device->registersPerMultiprocessor / (perWarp * warps), "registers");
    }
    std::int64_t shared = std::max(0, launch.staticSharedBytes) + std::max(0, launch.dynamicSharedBytes);
    if (shared > 0 && device->sharedBytesPerMultiprocessor > 0) {
        // From compute capability 8.0 on, the system reserves 1 KiB of shared memory in each block.
        shared += device->computeMajor >= 8 ? 1024 : 0;
        limit(device->sharedBytesPerMultiprocessor / shared, "shared memory");
    }
    // A kernel that ran did fit, even if a rounded limit forbids it.
    fit = std::max<std::int64_t>(1, fit);
    const double warpsEach = static_cast<double>(device->maxThreadsPerMultiprocessor) / warp;
    e.blocksPerMultiprocessor = static_cast<int>(fit);
    e.theoretical = std::min(1.0, static_cast<double>(fit * warps) / warpsEach);
    e.achieved = std::min(static_cast<double>(blocks * warps) / (device->multiprocessors * warpsEach), e.theoretical);
    e.waves = static_cast<double>(blocks) / static_cast<double>(device->multiprocessors * fit);
    return e;
}

} // namespace apertune::analysis
