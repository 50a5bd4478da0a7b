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
        {Plant::tinyKernels, {"tiny kernels", "R3", {"launch-bound"}}},
        {Plant::slowHost, {"slow host", "R1", {"host-bound"}}},
        {Plant::pageableInput, {"pageable input", "R4", {"transfer-bound"}}},
        {Plant::largeInput, {"large input", "R8", {"transfer-bound"}}},
        {Plant::largeOutput, {"large output", "R9", {"transfer-bound"}}},
        {Plant::roundTrip, {"round trip", "R10", {"transfer-bound"}}},
        {Plant::repeatedUpload, {"repeated upload", "R12", {"transfer-bound"}}},
        {Plant::blockingCopies, {"blocking copies", "R5", {"transfer-bound"}}},
        {Plant::hiddenWaits, {"hidden waits", "R6", {"synchronization-bound"}}},
        {Plant::oneWait, {"one wait", "R6", {}}},
        {Plant::readsNumbers, {"reads numbers", "R6", {"synchronization-bound"}}},
        {Plant::noOverlap, {"no overlap", "R13", {"transfer-bound"}}},
        {Plant::pointwiseChains, {"pointwise chains", "R19", {"memory-bound"}}},
        {Plant::layoutOnDevice, {"layout", "R16", {"memory-bound"}}},
        {Plant::castsOnDevice, {"casts", "R17", {"memory-bound"}}},
        {Plant::batchNormOnDevice, {"batch norm", "R18", {}}},
        {Plant::arithmeticOnly, {"arithmetic", "", {"compute-bound"}}},
        {Plant::deviceAllocation, {"allocation", "R28", {"allocation-bound"}}},
        {Plant::smallGrids, {"small grids", "R31", {}}},
        {Plant::collectives, {"collectives", "R14", {"communication-bound"}}},
        {Plant::memoryLimit, {"memory limit", "R29", {}}},
        {Plant::drift, {"drift", "R24", {}}},
        {Plant::cpuNone, {"nothing (cpu)", "", {"balanced"}}},
        {Plant::cpuAllocation, {"allocation (cpu)", "R28", {"allocation-bound"}}},
        {Plant::cpuCopies, {"copies (cpu)", "R11", {"memory-bound"}}},
        {Plant::cpuOneThread, {"too few threads (cpu)", "R44", {"compute-bound"}}},
        {Plant::cpuBatchNorm, {"batch norm (cpu)", "R18", {}}},
        {Plant::cpuLayout, {"layout (cpu)", "R16", {"memory-bound"}}},
        {Plant::cpuPointwise, {"pointwise (cpu)", "R19", {"memory-bound"}}},
        {Plant::cpuArithmeticOnly, {"arithmetic (cpu)", "", {"compute-bound"}}},
        {Plant::cpuPauses, {"pauses (cpu)", "", {"host-bound"}}},
        {Plant::cpuTinyOperators, {"tiny operators (cpu)", "R3", {"launch-bound"}}},
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
