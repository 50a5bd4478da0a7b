// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of CUDA's runtime that LibTorch calls. The dynamic linker takes them instead of those of
// libcudart.so.13 when this library is preloaded; what is not here (texts of errors, registration of binaries) stays
// that library's.
#include "tests/standin/clock.h"
#include "tests/standin/device_facts.h"
#include "tests/standin/machine.h"
#include "tests/standin/settings.h"

#include <cuda_runtime_api.h>
#include <cupti.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <unordered_map>

using namespace apertune::standin; // this file holds nothing but functions of CUDA

namespace {

thread_local cudaError_t t_last = cudaSuccess;

Machine& machine()
{
    return *standinMachine();
}

/// One call of the program. Its time and result go to whoever listens.
class Call
{
public:
    explicit Call(CUpti_runtime_api_trace_cbid callback)
        : m_record{false, static_cast<std::uint32_t>(callback), monotonicNow(), 0, machine().beginCall(), 0},
          m_ready(machine().initializeRuntime(CUDART_VERSION))
    {
    }

    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    /// Returns whether the machine has a GPU.
    bool ready() const { return m_ready == success; }

    cudaError_t end(int code = success)
    {
        m_record.result = m_ready != success ? m_ready : code;
        m_record.end = monotonicNow();
        machine().endCall(m_record);
        const auto error = static_cast<cudaError_t>(m_record.result);
        if (error != cudaSuccess)
            t_last = error;
        return error;
    }

private:
    CallRecord m_record;
    int m_ready;
};

/// The names of kernels by the functions of the host that launch them.
class KernelNames
{
public:
    void add(const void* function, const char* name)
    {
        const std::lock_guard lock(m_mutex);
        m_names[function] = name;
    }

    const char* of(const void* function)
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_names.find(function);
        return found == m_names.end() ? "kernel" : found->second;
    }

private:
    std::mutex m_mutex;
    std::unordered_map<const void*, const char*> m_names;
};

KernelNames& kernelNames()
{
    static auto* const kNames = new KernelNames; // libraries register theirs before anything else runs
    return *kNames;
}

Stream* of(cudaStream_t stream)
{
    return reinterpret_cast<Stream*>(stream);
}

Event* of(cudaEvent_t event)
{
    return reinterpret_cast<Event*>(event);
}

Graph* of(cudaGraph_t graph)
{
    return reinterpret_cast<Graph*>(graph);
}

Dimensions of(const dim3& size)
{
    return {size.x, size.y, size.z};
}

cudaStreamCaptureStatus statusOf(CaptureState state)
{
    return static_cast<cudaStreamCaptureStatus>(state); // in the order of CUDA
}

bool valid(int device)
{
    return device >= 0 && device < machine().deviceCount();
}

cudaError_t launchNow(Call& call, const void* function, dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream)
{
    if (!call.ready())
        return call.end();
    return call.end(machine().launch(kernelNames().of(function), of(grid), of(block), static_cast<unsigned>(shared),
                                     of(stream), 0));
}

} // namespace

extern "C" {

// --- Devices ---------------------------------------------------------------------------------------------------------

cudaError_t cudaGetDeviceCount(int* count)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaGetDeviceCount_v3020);
    *count = call.ready() ? machine().deviceCount() : 0;
    return call.end();
}

cudaError_t cudaGetDevice(int* device)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020);
    *device = machine().currentDevice(); // it answers also when the GPU is lost, and LibTorch counts on that
    return call.end();
}

cudaError_t cudaSetDevice(int device)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaSetDevice_v3020);
    if (!call.ready())
        return call.end();
    const int code = machine().setDevice(device);
    return call.end(code != success ? code : machine().useDevice());
}

cudaError_t cudaDriverGetVersion(int* version)
{
    *version = settings().cuda;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaGetDeviceProperties_v12000);
    if (!call.ready())
        return call.end();
    if (!valid(device))
        return call.end(invalidDevice);
    const int gpu = machine().gpuOf(device);
    const Card& card = *settings().card;
    *properties = {};
    std::snprintf(properties->name, sizeof properties->name, "%s", deviceName().c_str());
    const auto uuid = uuidOf(gpu);
    std::memcpy(properties->uuid.bytes, uuid.data(), uuid.size());
    properties->totalGlobalMem = settings().memory;
    properties->major = card.major;
    properties->minor = card.minor;
    properties->pciBusID = busOf(gpu);
    const auto attribute = [&](cudaDeviceAttr which) { return deviceAttribute(gpu, static_cast<int>(which)); };
    properties->multiProcessorCount = attribute(cudaDevAttrMultiProcessorCount);
    properties->warpSize = attribute(cudaDevAttrWarpSize);
    properties->maxThreadsPerBlock = attribute(cudaDevAttrMaxThreadsPerBlock);
    properties->maxThreadsDim[0] = attribute(cudaDevAttrMaxBlockDimX);
    properties->maxThreadsDim[1] = attribute(cudaDevAttrMaxBlockDimY);
    properties->maxThreadsDim[2] = attribute(cudaDevAttrMaxBlockDimZ);
    properties->maxGridSize[0] = attribute(cudaDevAttrMaxGridDimX);
    properties->maxGridSize[1] = attribute(cudaDevAttrMaxGridDimY);
    properties->maxGridSize[2] = attribute(cudaDevAttrMaxGridDimZ);
    properties->maxThreadsPerMultiProcessor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    properties->sharedMemPerBlock = static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlock));
    properties->sharedMemPerBlockOptin = static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    properties->sharedMemPerMultiprocessor =
        static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
    properties->regsPerBlock = attribute(cudaDevAttrMaxRegistersPerBlock);
    properties->regsPerMultiprocessor = attribute(cudaDevAttrMaxRegistersPerMultiprocessor);
    properties->l2CacheSize = attribute(cudaDevAttrL2CacheSize);
    properties->memoryBusWidth = attribute(cudaDevAttrGlobalMemoryBusWidth);
    properties->concurrentKernels = 1;
    properties->asyncEngineCount = attribute(cudaDevAttrAsyncEngineCount);
    properties->unifiedAddressing = 1;
    properties->canMapHostMemory = 1;
    properties->streamPrioritiesSupported = 1;
    properties->cooperativeLaunch = 1;
    return call.end();
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceGetAttribute_v5000);
    if (!call.ready())
        return call.end();
    if (!valid(device))
        return call.end(invalidDevice);
    *value = deviceAttribute(machine().gpuOf(device), static_cast<int>(which));
    return call.end();
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int size, int device)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceGetPCIBusId_v4010);
    if (!call.ready())
        return call.end();
    if (!valid(device))
        return call.end(invalidDevice);
    std::snprintf(id, static_cast<std::size_t>(size), "%s", busText(machine().gpuOf(device)).c_str());
    return call.end();
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceGetStreamPriorityRange_v5050);
    *least = 0;
    *greatest = -5;
    return call.end();
}

cudaError_t cudaDeviceSynchronize()
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020);
    return call.end(call.ready() ? machine().synchronizeDevice() : success);
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int, int)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceCanAccessPeer_v4000);
    *can = 0;
    return call.end();
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceEnablePeerAccess_v4000);
    return call.end(cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int)
{
    *pool = nullptr;
    return cudaErrorNotSupported;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* result)
{
    *function = driverFunction(name);
    if (!*function) // LibTorch insists on functions that it does not call
        *function = reinterpret_cast<void*>(&absentDriverFunction);
    if (result)
        *result = cudaDriverEntryPointSuccess;
    return cudaSuccess;
}

cudaError_t cudaProfilerStart()
{
    return cudaSuccess;
}

cudaError_t cudaProfilerStop()
{
    return cudaSuccess;
}

// --- Errors ----------------------------------------------------------------------------------------------------------

cudaError_t cudaGetLastError()
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaGetLastError_v3020);
    const int lasting = machine().lasting();
    const cudaError_t error = lasting != success ? static_cast<cudaError_t>(lasting) : t_last;
    call.end();
    t_last = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError()
{
    const int lasting = machine().lasting();
    return lasting != success ? static_cast<cudaError_t>(lasting) : t_last;
}

// --- Memory ----------------------------------------------------------------------------------------------------------

cudaError_t cudaMalloc(void** memory, std::size_t bytes)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020);
    return call.end(call.ready() ? machine().allocate(bytes, memory) : success);
}

cudaError_t cudaFree(void* memory)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaFree_v3020);
    return call.end(call.ready() ? machine().release(memory) : success);
}

cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaHostAlloc_v3020);
    return call.end(call.ready() ? machine().allocateHost(bytes, memory) : success);
}

cudaError_t cudaMallocHost(void** memory, std::size_t bytes)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaMallocHost_v3020);
    return call.end(call.ready() ? machine().allocateHost(bytes, memory) : success);
}

cudaError_t cudaFreeHost(void* memory)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaFreeHost_v3020);
    return call.end(call.ready() ? machine().releaseHost(memory) : success);
}

cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaHostRegister_v4000);
    return call.end(call.ready() ? machine().pin(memory, bytes) : success);
}

cudaError_t cudaHostUnregister(void* memory)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaHostUnregister_v4000);
    return call.end(call.ready() ? machine().unpin(memory) : success);
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaMemGetInfo_v3020);
    return call.end(call.ready() ? machine().memory(free, total) : success);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* memory)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaPointerGetAttributes_v4000);
    *attributes = {};
    if (!call.ready())
        return call.end();
    const PointerInfo info = machine().pointer(memory);
    attributes->device = info.device;
    if (info.kind != MemoryKind::pageable)
        attributes->devicePointer = const_cast<void*>(memory);
    if (info.kind == MemoryKind::pinned)
        attributes->hostPointer = const_cast<void*>(memory);
    attributes->type = info.kind == MemoryKind::device   ? cudaMemoryTypeDevice
                       : info.kind == MemoryKind::pinned ? cudaMemoryTypeHost
                                                         : cudaMemoryTypeUnregistered;
    return call.end();
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020);
    return call.end(call.ready() ? machine().copy(to, from, bytes, false, nullptr) : success);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t stream)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020);
    return call.end(call.ready() ? machine().copy(to, from, bytes, true, of(stream)) : success);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, cudaStream_t stream)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyPeerAsync_v4000);
    return call.end(call.ready() ? machine().copy(to, from, bytes, true, of(stream)) : success);
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaMemset_v3020);
    return call.end(call.ready() ? machine().fill(to, value, bytes, false, nullptr) : success);
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020);
    return call.end(call.ready() ? machine().fill(to, value, bytes, true, of(stream)) : success);
}

cudaError_t cudaMemcpyToSymbol(const void*, const void*, std::size_t, std::size_t, cudaMemcpyKind)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyToSymbol_v3020);
    return call.end(); // kernels, which would read it, compute nothing
}

cudaError_t cudaGetSymbolAddress(void** address, const void*)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaGetSymbolAddress_v3020);
    constexpr std::size_t kRoom = 1U << 16;
    alignas(256) static unsigned char room[kRoom]; // NOLINT: kernels would write here
    *address = room;
    return call.end();
}

// --- Streams and events ----------------------------------------------------------------------------------------------

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamCreateWithPriority_v5050);
    Stream* made = nullptr;
    const int code = call.ready() ? machine().createStream((flags & cudaStreamNonBlocking) == 0, &made) : success;
    *stream = reinterpret_cast<cudaStream_t>(made);
    return call.end(code);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags)
{
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream)
{
    return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamGetPriority(cudaStream_t, int* priority)
{
    *priority = 0;
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamDestroy_v5050);
    return call.end(call.ready() ? machine().destroyStream(of(stream)) : success);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020);
    return call.end(call.ready() ? machine().synchronizeStream(of(stream)) : success);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_v3020);
    return call.end(call.ready() ? machine().queryStream(of(stream)) : success);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamWaitEvent_v3020);
    return call.end(call.ready() ? machine().waitEvent(of(stream), of(event)) : success);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* user, unsigned)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamAddCallback_v5000);
    return call.end(call.ready() ? machine().callHost(of(stream), [=] { function(stream, cudaSuccess, user); })
                                 : success);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_v10000);
    return call.end(call.ready() ? machine().callHost(of(stream), [=] { function(user); }) : success);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaEventCreateWithFlags_v3020);
    Event* made = nullptr;
    const int code = call.ready() ? machine().createEvent((flags & cudaEventDisableTiming) == 0, &made) : success;
    *event = reinterpret_cast<cudaEvent_t>(made);
    return call.end(code);
}

cudaError_t cudaEventCreate(cudaEvent_t* event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaEventDestroy_v3020);
    return call.end(call.ready() ? machine().destroyEvent(of(event)) : success);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_v3020);
    return call.end(call.ready() ? machine().recordEvent(of(event), of(stream)) : success);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaEventRecordWithFlags_v11010);
    return call.end(call.ready() ? machine().recordEvent(of(event), of(stream)) : success);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020);
    return call.end(call.ready() ? machine().queryEvent(of(event)) : success);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaEventSynchronize_v3020);
    return call.end(call.ready() ? machine().synchronizeEvent(of(event)) : success);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaEventElapsedTime_v12080);
    return call.end(call.ready() ? machine().elapsed(milliseconds, of(begin), of(end)) : success);
}

// --- Captures and graphs ---------------------------------------------------------------------------------------------

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamIsCapturing_v10000);
    *status = call.ready() ? statusOf(machine().captureInfo(of(stream)).state) : cudaStreamCaptureStatusNone;
    return call.end();
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, std::size_t* count)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamGetCaptureInfo_v12030);
    const CaptureInfo info = call.ready() ? machine().captureInfo(of(stream)) : CaptureInfo{};
    *status = statusOf(info.state);
    if (id)
        *id = info.id;
    if (graph)
        *graph = reinterpret_cast<cudaGraph_t>(info.graph);
    if (dependencies)
        *dependencies = reinterpret_cast<const cudaGraphNode_t*>(info.dependencies);
    if (edges)
        *edges = nullptr;
    if (count)
        *count = info.dependencyCount;
    return call.end();
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamBeginCapture_v10000);
    return call.end(call.ready() ? machine().beginCapture(of(stream), static_cast<CaptureMode>(mode)) : success);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamEndCapture_v10000);
    Graph* made = nullptr;
    const int code = call.ready() ? machine().endCapture(of(stream), &made) : success;
    *graph = reinterpret_cast<cudaGraph_t>(made);
    return call.end(code);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaThreadExchangeStreamCaptureMode_v10010);
    *mode = static_cast<cudaStreamCaptureMode>(machine().exchangeCaptureMode(static_cast<CaptureMode>(*mode)));
    return call.end();
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* launchable, cudaGraph_t graph, unsigned long long)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaGraphInstantiateWithFlags_v11040);
    GraphLaunchable* made = nullptr;
    const int code = call.ready() ? machine().instantiate(of(graph), &made) : success;
    *launchable = reinterpret_cast<cudaGraphExec_t>(made);
    return call.end(code);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* launchable, cudaGraph_t graph, unsigned long long flags)
{
    return cudaGraphInstantiateWithFlags(launchable, graph, flags);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaGraphGetNodes_v10000);
    const auto found = machine().graphNodes(of(graph));
    for (std::size_t i = 0; nodes && i < std::min(*count, found.size()); ++i)
        nodes[i] = reinterpret_cast<cudaGraphNode_t>(found[i]);
    *count = found.size();
    return call.end();
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t launchable, cudaStream_t stream)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000);
    return call.end(call.ready() ? machine().launchGraph(reinterpret_cast<GraphLaunchable*>(launchable), of(stream))
                                 : success);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaGraphDestroy_v10000);
    return call.end(machine().destroyGraph(of(graph)));
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t launchable)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaGraphExecDestroy_v10000);
    return call.end(machine().destroyLaunchable(reinterpret_cast<GraphLaunchable*>(launchable)));
}

// --- Kernels ---------------------------------------------------------------------------------------------------------

void __cudaRegisterFunction(void**, const char* function, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*)
{
    kernelNames().add(function, name);
}

char __cudaInitModule(void**)
{
    return 1;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function)
{
    *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(function));
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void**, std::size_t shared,
                             cudaStream_t stream)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000);
    return launchNow(call, function, grid, block, shared, stream);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void**, std::size_t shared,
                               cudaStream_t stream)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000);
    return launchNow(call, kernel, grid, block, shared, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void**, std::size_t shared,
                                        cudaStream_t stream)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchCooperativeKernel_v9000);
    return launchNow(call, function, grid, block, shared, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* how, const void* function, void**)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060);
    return launchNow(call, function, how->gridDim, how->blockDim, how->dynamicSmemBytes, how->stream);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaFuncGetAttributes_v3020);
    *attributes = {};
    attributes->maxThreadsPerBlock = deviceAttribute(0, cudaDevAttrMaxThreadsPerBlock);
    attributes->numRegs = 32;
    attributes->binaryVersion = attributes->ptxVersion = settings().card->major * 10 + settings().card->minor;
    attributes->maxDynamicSharedSizeBytes = deviceAttribute(0, cudaDevAttrMaxSharedMemoryPerBlock);
    return call.end();
}

cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaFuncSetAttribute_v9000);
    return call.end();
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int threads, std::size_t,
                                                                   unsigned)
{
    Call call(CUPTI_RUNTIME_TRACE_CBID_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags_v7000);
    *blocks = std::max(1, deviceAttribute(0, cudaDevAttrMaxThreadsPerMultiProcessor) / std::max(1, threads));
    return call.end();
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          std::size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}

} // extern "C"
