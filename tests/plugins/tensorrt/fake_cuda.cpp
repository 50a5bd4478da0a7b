// SPDX-License-Identifier: GPL-3.0-or-later
// A driver with one GPU of 64 MiB, which is the host's memory. Named libcuda.so.1, it is what the plugin finds once it
// is loaded.
#include "tests/plugins/tensorrt/fake_cuda.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int kSuccess = 0;
constexpr int kOutOfMemory = 2;
constexpr int kInvalidDevice = 101;
constexpr std::size_t kMemory = std::size_t{64} << 20;

struct Capture
{
    std::vector<std::function<void()>> work;
};

struct Fault
{
    int code = 0;
    int passes = 0; ///< calls that still succeed
};

std::map<std::string, Fault> g_faults;
std::map<void*, std::size_t> g_memory;
std::size_t g_used = 0;
Capture* g_capture = nullptr;

int answer(const char* function)
{
    const auto it = g_faults.find(function);
    if (it == g_faults.end() || it->second.passes-- > 0)
        return kSuccess;
    const int code = it->second.code;
    g_faults.erase(it);
    return code;
}

} // namespace

namespace apertune::fake {

void submit(std::function<void()> work)
{
    if (g_capture)
        g_capture->work.push_back(std::move(work));
    else
        work();
}

bool capturing()
{
    return g_capture != nullptr;
}

} // namespace apertune::fake

#pragma GCC visibility push(default)
extern "C" {

/// The call after `passes` more of `function` answers `code`, once.
void fakeCudaFault(const char* function, int code, int passes)
{
    g_faults[function] = {code, passes};
}

std::size_t fakeCudaUsed()
{
    return g_used;
}

int cuInit(unsigned)
{
    return answer("cuInit");
}

int cuGetErrorString(int code, const char** text)
{
    *text = code == kOutOfMemory ? "out of memory" : "an illegal memory access was encountered";
    return kSuccess;
}

int cuDeviceGetCount(int* count)
{
    *count = 1;
    return kSuccess;
}

int cuDeviceGet(int* device, int index)
{
    *device = index;
    return index == 0 ? kSuccess : kInvalidDevice;
}

int cuDeviceGetName(char* name, int size, int)
{
    std::strncpy(name, "Fake GPU", static_cast<std::size_t>(size));
    return kSuccess;
}

int cuDeviceTotalMem_v2(std::size_t* bytes, int)
{
    *bytes = kMemory;
    return kSuccess;
}

int cuDeviceGetAttribute(int* value, int attribute, int)
{
    *value = attribute == 75 ? 9 : 0;
    return kSuccess;
}

int cuDeviceGetUuid_v2(unsigned char* uuid, int)
{
    for (int i = 0; i < 16; ++i)
        uuid[i] = static_cast<unsigned char>(i);
    return kSuccess;
}

int cuDevicePrimaryCtxRetain(void** context, int)
{
    *context = &g_memory;
    return answer("cuDevicePrimaryCtxRetain");
}

int cuDevicePrimaryCtxRelease_v2(int)
{
    return kSuccess;
}

int cuCtxSetCurrent(void*)
{
    return kSuccess;
}

int cuMemGetInfo_v2(std::size_t* free, std::size_t* total)
{
    *total = kMemory;
    *free = kMemory - g_used;
    return kSuccess;
}

int cuMemAlloc_v2(std::uintptr_t* address, std::size_t bytes)
{
    if (const int code = answer("cuMemAlloc_v2"); code != kSuccess)
        return code;
    if (bytes > kMemory - g_used)
        return kOutOfMemory;
    void* memory = std::malloc(bytes); // NOLINT: the driver's own
    g_memory[memory] = bytes;
    g_used += bytes;
    *address = reinterpret_cast<std::uintptr_t>(memory);
    return kSuccess;
}

int cuMemFree_v2(std::uintptr_t address)
{
    const auto it = g_memory.find(reinterpret_cast<void*>(address)); // NOLINT: a number on the device
    g_used -= it->second;
    std::free(it->first); // NOLINT: the driver's own
    g_memory.erase(it);
    return kSuccess;
}

int cuMemHostAlloc(void** memory, std::size_t bytes, unsigned)
{
    *memory = std::aligned_alloc(64, (bytes / 64 + 1) * 64);
    return answer("cuMemHostAlloc");
}

int cuMemFreeHost(void* memory)
{
    std::free(memory); // NOLINT: the driver's own
    return kSuccess;
}

int cuMemcpyHtoDAsync_v2(std::uintptr_t to, const void* from, std::size_t bytes, void*)
{
    std::memcpy(reinterpret_cast<void*>(to), from, bytes); // NOLINT: a number on the device
    return answer("cuMemcpyHtoDAsync_v2");
}

int cuMemcpyDtoH_v2(void* to, std::uintptr_t from, std::size_t bytes)
{
    std::memcpy(to, reinterpret_cast<void*>(from), bytes); // NOLINT: a number on the device
    return answer("cuMemcpyDtoH_v2");
}

int cuStreamCreate(void** stream, unsigned)
{
    *stream = &g_used;
    return kSuccess;
}

int cuStreamDestroy_v2(void*)
{
    return kSuccess;
}

int cuStreamSynchronize(void*)
{
    return answer("cuStreamSynchronize");
}

int cuEventCreate(void** event, unsigned)
{
    *event = &g_used;
    return kSuccess;
}

int cuEventDestroy_v2(void*)
{
    return kSuccess;
}

int cuEventRecord(void*, void*)
{
    return answer("cuEventRecord");
}

int cuEventSynchronize(void*)
{
    return kSuccess;
}

int cuEventElapsedTime(float* milliseconds, void*, void*)
{
    *milliseconds = 2.5F;
    return kSuccess;
}

int cuStreamBeginCapture_v2(void*, int)
{
    if (const int code = answer("cuStreamBeginCapture_v2"); code != kSuccess)
        return code;
    g_capture = new Capture;
    return kSuccess;
}

int cuStreamEndCapture(void*, void** graph)
{
    *graph = std::exchange(g_capture, nullptr);
    return answer("cuStreamEndCapture");
}

int cuGraphGetNodes(void* graph, void*, std::size_t* count)
{
    *count = static_cast<Capture*>(graph)->work.size();
    return kSuccess;
}

int cuGraphInstantiateWithFlags(void** executable, void* graph, unsigned long long)
{
    *executable = new Capture(*static_cast<Capture*>(graph));
    return answer("cuGraphInstantiateWithFlags");
}

int cuGraphLaunch(void* executable, void*)
{
    for (const auto& work : static_cast<Capture*>(executable)->work)
        work();
    return answer("cuGraphLaunch");
}

int cuGraphDestroy(void* graph)
{
    delete static_cast<Capture*>(graph);
    return kSuccess;
}

int cuGraphExecDestroy(void* executable)
{
    delete static_cast<Capture*>(executable);
    return kSuccess;
}

} // extern "C"
#pragma GCC visibility pop
