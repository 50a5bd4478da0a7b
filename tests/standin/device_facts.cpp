// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/standin/device_facts.h"

#include "tests/standin/settings.h"

#include <dlfcn.h>
#include <driver_types.h>

#include <array>
#include <cstdio>

namespace apertune::standin {

std::string deviceName()
{
    const std::string& mig = settings().mig;
    return mig.empty() ? settings().card->name : settings().card->name + (" MIG " + mig);
}

int busOf(int gpu)
{
    return gpu + 1;
}

std::string busText(int gpu)
{
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "0000:%02x:00.0", static_cast<unsigned>(busOf(gpu)));
    return text.data();
}

int deviceAttribute(int gpu, int which)
{
    const Card& card = *settings().card;
    constexpr int kKilohertz = 1000;
    switch (which) {
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
        return 1024;
    case cudaDevAttrMaxBlockDimZ:
        return 64;
    case cudaDevAttrMaxGridDimX:
        return 2147483647;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
        return 65535;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        return 48 << 10;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        return card.major >= 9 ? 227 << 10 : card.major >= 8 ? 163 << 10 : 64 << 10;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        return card.major >= 9 ? 228 << 10 : card.major >= 8 ? 164 << 10 : 64 << 10;
    case cudaDevAttrWarpSize:
        return 32;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
        return 65536;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        return card.major == 7 && card.minor == 5 ? 1024 : 2048;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
        return 32;
    case cudaDevAttrMultiProcessorCount:
        return card.multiprocessors;
    case cudaDevAttrClockRate:
        return card.mostClock * kKilohertz;
    case cudaDevAttrComputeCapabilityMajor:
        return card.major;
    case cudaDevAttrComputeCapabilityMinor:
        return card.minor;
    case cudaDevAttrPciBusId:
        return busOf(gpu);
    case cudaDevAttrGlobalMemoryBusWidth:
        return 5120;
    case cudaDevAttrL2CacheSize:
        return 50 << 20;
    case cudaDevAttrAsyncEngineCount:
        return 2;
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrCooperativeLaunch:
        return 1;
    default:
        return 0;
    }
}

void* driverFunction(const char* name)
{
    static void* const kDriver = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (!kDriver)
        return nullptr;
    // Newer forms of a function have its name with a suffix.
    if (void* const newer = ::dlsym(kDriver, (std::string(name) + "_v2").c_str()))
        return newer;
    return ::dlsym(kDriver, name);
}

int absentDriverFunction()
{
    constexpr int kNotSupported = 801;
    return kNotSupported;
}

} // namespace apertune::standin
