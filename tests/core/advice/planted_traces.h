// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/facts.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace apertune::advice::testing {

/// The seed of tests that look at one trace of a plant.
inline constexpr std::uint64_t kSeed = 20'261'121;

/// One thing that is wrong with a program, planted into an otherwise sound one.
enum class Plant {
    // These are on a device. Their numbers are negative, so that the others keep theirs, which are part of the seeds.
    heldClock = -12,
    slowIterations,
    slowNms,
    imagePreparation,
    floatLayers,
    unalignedChannels,
    slowConvolutions,
    deviceCopies,
    unalignedProducts,
    unfusedAttention,
    firstCalls,
    collectives,
    none = 0,
    // These are on a device.
    tinyKernels,
    slowHost,
    pageableInput,
    largeInput,
    largeOutput,
    roundTrip,
    repeatedUpload,
    blockingCopies,
    hiddenWaits,
    oneWait,
    readsNumbers,
    noOverlap,
    pointwiseChains,
    layoutOnDevice,
    castsOnDevice,
    batchNormOnDevice,
    arithmeticOnly,
    deviceAllocation,
    smallGrids,
    memoryLimit,
    drift,
    // These are on a CPU.
    cpuNone,
    cpuAllocation,
    cpuCopies,
    cpuOneThread,
    cpuBatchNorm,
    cpuLayout,
    cpuPointwise,
    cpuArithmeticOnly,
    cpuPauses,
    cpuTinyOperators,
    cpuAttention,
    cpuSlowConvolutions,
    cpuSlowIterations,
    cpuImagePreparation,
    cpuFloatLayers,
};

struct Planted
{
    trace::Trace trace;
    Context context;
    std::string name;               ///< name of the plant
    std::string rule;               ///< the rule that must name it; empty: the word alone does
    std::vector<std::string> words; ///< verdicts that name it; empty: any
};

/// A recording of a made-up model with one planted cause, noise and things that only look suspicious. The same seed
/// gives the same trace.
Planted plantedTrace(Plant plant, std::uint64_t seed);

/// Every plant but the two that plant nothing.
std::vector<Plant> allPlants();

} // namespace apertune::advice::testing
