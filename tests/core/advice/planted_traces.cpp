// SPDX-License-Identifier: GPL-3.0-or-later
#include "planted_traces.h"

#include "planted_device.h"
#include "recorder.h"

#include <map>

namespace apertune::advice::testing {

namespace {

struct Expected
{
    const char* name;
    const char* rule;
    std::vector<std::string> words;
};

const std::map<Plant, Expected>& table()
{
    static const std::map<Plant, Expected> kTable{
        {Plant::none, {"nothing", "", {"balanced"}}},
        {Plant::tinyKernels, {"tiny kernels", "tiny-kernels", {"launch-bound"}}},
        {Plant::slowHost, {"slow host", "device-idle", {"host-bound"}}},
        {Plant::pageableInput, {"pageable input", "pageable-copies", {"transfer-bound"}}},
        {Plant::largeInput, {"large input", "upload-bound", {"transfer-bound"}}},
        {Plant::largeOutput, {"large output", "download-bound", {"transfer-bound"}}},
        {Plant::roundTrip, {"round trip", "host-round-trip", {"transfer-bound"}}},
        {Plant::repeatedUpload, {"repeated upload", "repeated-uploads", {"transfer-bound"}}},
        {Plant::blockingCopies, {"blocking copies", "blocking-copies", {"transfer-bound"}}},
        {Plant::hiddenWaits, {"hidden waits", "waits-in-iteration", {"synchronization-bound"}}},
        {Plant::oneWait, {"one wait", "waits-in-iteration", {}}},
        {Plant::readsNumbers, {"reads numbers", "waits-in-iteration", {"synchronization-bound"}}},
        {Plant::noOverlap, {"no overlap", "no-overlap", {"transfer-bound"}}},
        {Plant::pointwiseChains, {"pointwise chains", "unfused-elementwise", {"memory-bound"}}},
        {Plant::layoutOnDevice, {"layout", "layout-conversions", {"memory-bound"}}},
        {Plant::castsOnDevice, {"casts", "type-conversions", {"memory-bound"}}},
        {Plant::batchNormOnDevice, {"batch norm", "unfused-batchnorm", {}}},
        {Plant::arithmeticOnly, {"arithmetic", "", {"compute-bound"}}},
        {Plant::deviceAllocation, {"allocation", "allocation-in-loop", {"allocation-bound"}}},
        {Plant::smallGrids, {"small grids", "underfilled-device", {}}},
        {Plant::collectives, {"collectives", "exposed-communication", {"communication-bound"}}},
        {Plant::firstCalls, {"first calls", "first-calls", {"warming-up"}}},
        {Plant::unfusedAttention, {"attention in steps", "unfused-attention", {}}},
        {Plant::slowConvolutions, {"slow convolutions", "slow-convolutions", {"compute-bound"}}},
        {Plant::deviceCopies, {"copies within the device", "device-copies", {"memory-bound"}}},
        {Plant::unalignedProducts, {"unaligned products", "unaligned-products", {}}},
        {Plant::heldClock, {"held clock", "held-clock", {}}},
        {Plant::slowIterations, {"slow iterations", "slow-iterations", {}}},
        {Plant::slowNms, {"suppression of boxes", "slow-nms", {"host-bound"}}},
        {Plant::imagePreparation, {"images on the host", "image-preparation", {"host-bound"}}},
        {Plant::floatLayers, {"float layers", "float-layers", {}}},
        {Plant::unalignedChannels, {"unaligned channels", "unaligned-channels", {}}},
        {Plant::memoryLimit, {"memory limit", "memory-limit", {}}},
        {Plant::drift, {"drift", "not-steady", {}}},
        {Plant::cpuNone, {"nothing (cpu)", "", {"balanced"}}},
        {Plant::cpuAllocation, {"allocation (cpu)", "allocation-in-loop", {"allocation-bound"}}},
        {Plant::cpuCopies, {"copies (cpu)", "needless-copies", {"memory-bound"}}},
        {Plant::cpuOneThread, {"too few threads (cpu)", "idle-cores", {"compute-bound"}}},
        {Plant::cpuBatchNorm, {"batch norm (cpu)", "unfused-batchnorm", {}}},
        {Plant::cpuLayout, {"layout (cpu)", "layout-conversions", {"memory-bound"}}},
        {Plant::cpuPointwise, {"pointwise (cpu)", "unfused-elementwise", {"memory-bound"}}},
        {Plant::cpuArithmeticOnly, {"arithmetic (cpu)", "", {"compute-bound"}}},
        {Plant::cpuPauses, {"pauses (cpu)", "", {"host-bound"}}},
        {Plant::cpuAttention, {"attention in steps (cpu)", "unfused-attention", {}}},
        {Plant::cpuSlowConvolutions, {"slow convolutions (cpu)", "slow-convolutions", {"compute-bound"}}},
        {Plant::cpuSlowIterations, {"slow iterations (cpu)", "slow-iterations", {}}},
        {Plant::cpuImagePreparation, {"images (cpu)", "image-preparation", {}}},
        {Plant::cpuFloatLayers, {"float layers (cpu)", "float-layers", {}}},
        {Plant::cpuTinyOperators, {"tiny operators (cpu)", "tiny-kernels", {"launch-bound"}}},
    };
    return kTable;
}

} // namespace

Planted plantedTrace(Plant plant, std::uint64_t seed)
{
    Dice dice(seed * 1000003 + static_cast<std::uint64_t>(plant));
    Planted out;
    const Expected& expected = table().at(plant);
    out.name = expected.name;
    out.rule = expected.rule;
    out.words = expected.words;
    if (plant >= Plant::cpuNone)
        recordCpu(plant, dice, out);
    else
        recordDevice(plant, dice, out);
    return out;
}

std::vector<Plant> allPlants()
{
    std::vector<Plant> plants;
    for (const auto& [plant, expected] : table())
        if (plant != Plant::none && plant != Plant::cpuNone)
            plants.push_back(plant);
    return plants;
}

} // namespace apertune::advice::testing
