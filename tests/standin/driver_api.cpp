// SPDX-License-Identifier: GPL-3.0-or-later
// libcuda.so.1: the functions of the driver that CUDA's own libraries, LibTorch and Apertune's plugins ask for. Kernels
// that a program loads itself (NVRTC, Triton) are launched and compute nothing.
#include "tests/standin/clock.h"
#include "tests/standin/device_facts.h"
#include "tests/standin/machine.h"
#include "tests/standin/settings.h"

#include <cuda.h>
#include <cupti_driver_cbid.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>

using namespace apertune::standin; // this file holds nothing but functions of CUDA

namespace {

Machine& machine()
{
    return *standinMachine();
}

/// A context is the number of its device, and no pointer that anybody may follow.
CUcontext contextOf(int device)
{
    static std::array<char, kMostGpus> places;
    return reinterpret_cast<CUcontext>(&places[static_cast<std::size_t>(device)]);
}

int deviceOf(CUcontext context)
{
    for (int device = 0; device < machine().deviceCount(); ++device)
        if (contextOf(device) == context)
            return device;
    return -1;
}

CUresult result(int code)
{
    return static_cast<CUresult>(code);
}

bool valid(CUdevice device)
{
    return device >= 0 && device < machine().deviceCount();
}

/// A function of a module that a program loaded.
const char* keptName(const char* name)
{
    static std::mutex mutex;
    static std::deque<std::string> names;
    const std::lock_guard lock(mutex);
    return names.emplace_back(name).c_str();
}

thread_local bool t_current = false; ///< a context was made current by the driver's own functions

} // namespace

extern "C" {

// --- Start -----------------------------------------------------------------------------------------------------------

CUresult cuInit(unsigned)
{
    return result(machine().initialize());
}

CUresult cuDriverGetVersion(int* version)
{
    *version = settings().cuda;
    return CUDA_SUCCESS;
}

CUresult cuGetExportTable(const void** table, const CUuuid*)
{
    *table = nullptr;
    return CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress_v2(const char* name, void** function, int, cuuint64_t, CUdriverProcAddressQueryResult* status)
{
    *function = driverFunction(name);
    if (status)
        *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetErrorString(CUresult error, const char** text)
{
    *text = error == CUDA_SUCCESS ? "no error" : "an error of the stand-in";
    return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char** text)
{
    *text = error == CUDA_SUCCESS ? "CUDA_SUCCESS" : "CUDA_ERROR_UNKNOWN";
    return CUDA_SUCCESS;
}

// --- Devices and contexts --------------------------------------------------------------------------------------------

CUresult cuDeviceGetCount(int* count)
{
    *count = machine().deviceCount();
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal)
{
    *device = ordinal;
    return valid(ordinal) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetName(char* name, int size, CUdevice)
{
    std::snprintf(name, static_cast<std::size_t>(size), "%s", deviceName().c_str());
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice)
{
    *bytes = settings().memory;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice device)
{
    *value = valid(device) ? deviceAttribute(machine().gpuOf(device), static_cast<int>(which)) : 0;
    return valid(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device)
{
    if (!valid(device))
        return CUDA_ERROR_INVALID_DEVICE;
    const auto bytes = uuidOf(machine().gpuOf(device));
    std::memcpy(uuid->bytes, bytes.data(), bytes.size());
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char* id, int size, CUdevice device)
{
    if (!valid(device))
        return CUDA_ERROR_INVALID_DEVICE;
    std::snprintf(id, static_cast<std::size_t>(size), "%s", busText(machine().gpuOf(device)).c_str());
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active)
{
    *flags = 0;
    *active = machine().hasContext(device) ? 1 : 0;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device)
{
    if (!valid(device))
        return CUDA_ERROR_INVALID_DEVICE;
    const int before = machine().currentDevice();
    machine().setDevice(device);
    const int code = machine().useDevice();
    machine().setDevice(before);
    *context = contextOf(device);
    return result(code);
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice)
{
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext* context)
{
    const int device = machine().currentDevice();
    *context = t_current || machine().hasContext(device) ? contextOf(device) : nullptr;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    t_current = context != nullptr;
    if (context)
        machine().setDevice(deviceOf(context));
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext context)
{
    return cuCtxSetCurrent(context);
}

CUresult cuCtxPopCurrent_v2(CUcontext* context)
{
    return context ? cuCtxGetCurrent(context) : CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* device)
{
    *device = machine().currentDevice();
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize()
{
    return result(machine().synchronizeDevice());
}

CUresult cuCtxGetLimit(std::size_t* value, CUlimit)
{
    *value = 0;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetLimit(CUlimit, std::size_t)
{
    return CUDA_SUCCESS;
}

// --- Memory ----------------------------------------------------------------------------------------------------------

CUresult cuMemAlloc_v2(CUdeviceptr* memory, std::size_t bytes)
{
    void* made = nullptr;
    const int code = machine().allocate(bytes, &made);
    *memory = reinterpret_cast<CUdeviceptr>(made);
    return result(code);
}

CUresult cuMemFree_v2(CUdeviceptr memory)
{
    return result(machine().release(reinterpret_cast<void*>(memory))); // NOLINT: CUDA's addresses are numbers
}

CUresult cuMemGetInfo_v2(std::size_t* free, std::size_t* total)
{
    return result(machine().memory(free, total));
}

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute which, CUdeviceptr memory)
{
    const PointerInfo info = machine().pointer(reinterpret_cast<const void*>(memory)); // NOLINT: as above
    if (info.kind == MemoryKind::pageable)
        return CUDA_ERROR_INVALID_VALUE;
    if (which == CU_POINTER_ATTRIBUTE_DEVICE_POINTER)
        std::memcpy(data, &memory, sizeof memory);
    else if (which == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
        std::memcpy(data, &info.device, sizeof info.device);
    else
        return CUDA_ERROR_NOT_SUPPORTED;
    return CUDA_SUCCESS;
}

// --- Modules and launches --------------------------------------------------------------------------------------------

CUresult cuModuleLoadData(CUmodule* module, const void*)
{
    static char place;
    *module = reinterpret_cast<CUmodule>(&place);
    return CUDA_SUCCESS;
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned, CUjit_option*, void**)
{
    return cuModuleLoadData(module, image);
}

CUresult cuModuleLoad(CUmodule* module, const char*)
{
    return cuModuleLoadData(module, nullptr);
}

CUresult cuLinkCreate_v2(unsigned, CUjit_option*, void**, CUlinkState* state)
{
    static char place;
    *state = reinterpret_cast<CUlinkState>(&place);
    return CUDA_SUCCESS;
}

CUresult cuLinkAddData_v2(CUlinkState, CUjitInputType, void*, std::size_t, const char*, unsigned, CUjit_option*, void**)
{
    return CUDA_SUCCESS;
}

CUresult cuLinkComplete(CUlinkState, void** image, std::size_t* bytes)
{
    static char nothing;
    *image = &nothing;
    *bytes = 0;
    return CUDA_SUCCESS;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                                CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill)
{
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction, const CUlaunchConfig*)
{
    *clusters = 1;
    return CUDA_SUCCESS;
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                                   unsigned blockY, unsigned blockZ, unsigned shared, CUstream stream, void** arguments)
{
    return cuLaunchKernel(function, gridX, gridY, gridZ, blockX, blockY, blockZ, shared, stream, arguments, nullptr);
}

CUresult cuModuleUnload(CUmodule)
{
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char* name)
{
    *function = reinterpret_cast<CUfunction>(const_cast<char*>(keptName(name)));
    return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute which, CUfunction)
{
    *value = which == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024 : which == CU_FUNC_ATTRIBUTE_NUM_REGS ? 32 : 0;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int)
{
    return CUDA_SUCCESS;
}

CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache)
{
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction, int, std::size_t)
{
    *blocks = 2;
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                        unsigned blockY, unsigned blockZ, unsigned shared, CUstream stream, void**, void**)
{
    CallRecord record{true, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, monotonicNow(), 0, machine().beginCall(), 0};
    record.result = machine().launch(reinterpret_cast<const char*>(function), {gridX, gridY, gridZ},
                                     {blockX, blockY, blockZ}, shared, reinterpret_cast<Stream*>(stream), 0);
    record.end = monotonicNow();
    machine().endCall(record);
    return result(record.result);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* how, CUfunction function, void** arguments, void** extra)
{
    return cuLaunchKernel(function, how->gridDimX, how->gridDimY, how->gridDimZ, how->blockDimX, how->blockDimY,
                          how->blockDimZ, how->sharedMemBytes, how->hStream, arguments, extra);
}

} // extern "C"
