// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/tensorrt/driver.h"

#include <dlfcn.h>

#include <array>
#include <memory>
#include <set>
#include <type_traits>
#include <utility>

namespace apertune::tensorrt {

using plugins::Fault;

namespace {

// Versioned names, as the driver exports them. The header's macros name the newest version, which older drivers lack.
#define APERTUNE_DRIVER_FUNCTIONS(F)                                                                                   \
    F(init, "cuInit", CUresult (*)(unsigned))                                                                          \
    F(errorString, "cuGetErrorString", CUresult (*)(CUresult, const char**))                                           \
    F(deviceGet, "cuDeviceGet", CUresult (*)(CUdevice*, int))                                                          \
    F(deviceName, "cuDeviceGetName", CUresult (*)(char*, int, CUdevice))                                               \
    F(deviceAttribute, "cuDeviceGetAttribute", CUresult (*)(int*, CUdevice_attribute, CUdevice))                       \
    F(contextRetain, "cuDevicePrimaryCtxRetain", CUresult (*)(CUcontext*, CUdevice))                                   \
    F(contextRelease, "cuDevicePrimaryCtxRelease_v2", CUresult (*)(CUdevice))                                          \
    F(contextUse, "cuCtxSetCurrent", CUresult (*)(CUcontext))                                                          \
    F(memoryInfo, "cuMemGetInfo_v2", CUresult (*)(std::size_t*, std::size_t*))                                         \
    F(allocate, "cuMemAlloc_v2", CUresult (*)(CUdeviceptr*, std::size_t))                                              \
    F(release, "cuMemFree_v2", CUresult (*)(CUdeviceptr))                                                              \
    F(allocateHost, "cuMemHostAlloc", CUresult (*)(void**, std::size_t, unsigned))                                     \
    F(releaseHost, "cuMemFreeHost", CUresult (*)(void*))                                                               \
    F(copyIn, "cuMemcpyHtoDAsync_v2", CUresult (*)(CUdeviceptr, const void*, std::size_t, CUstream))                   \
    F(copyOut, "cuMemcpyDtoH_v2", CUresult (*)(void*, CUdeviceptr, std::size_t))                                       \
    F(streamMake, "cuStreamCreate", CUresult (*)(CUstream*, unsigned))                                                 \
    F(streamEnd, "cuStreamDestroy_v2", CUresult (*)(CUstream))                                                         \
    F(streamWait, "cuStreamSynchronize", CUresult (*)(CUstream))                                                       \
    F(eventMake, "cuEventCreate", CUresult (*)(CUevent*, unsigned))                                                    \
    F(eventEnd, "cuEventDestroy_v2", CUresult (*)(CUevent))                                                            \
    F(eventRecord, "cuEventRecord", CUresult (*)(CUevent, CUstream))                                                   \
    F(eventWait, "cuEventSynchronize", CUresult (*)(CUevent))                                                          \
    F(eventElapsed, "cuEventElapsedTime", CUresult (*)(float*, CUevent, CUevent))                                      \
    F(captureBegin, "cuStreamBeginCapture_v2", CUresult (*)(CUstream, CUstreamCaptureMode))                            \
    F(captureEnd, "cuStreamEndCapture", CUresult (*)(CUstream, CUgraph*))                                              \
    F(graphNodes, "cuGraphGetNodes", CUresult (*)(CUgraph, CUgraphNode*, std::size_t*))                                \
    F(graphReady, "cuGraphInstantiateWithFlags", CUresult (*)(CUgraphExec*, CUgraph, unsigned long long))              \
    F(graphLaunch, "cuGraphLaunch", CUresult (*)(CUgraphExec, CUstream))                                               \
    F(graphEnd, "cuGraphDestroy", CUresult (*)(CUgraph))                                                               \
    F(graphUnready, "cuGraphExecDestroy", CUresult (*)(CUgraphExec))

struct Driver
{
#define F(member, name, type) std::type_identity_t<type> member = nullptr;
    APERTUNE_DRIVER_FUNCTIONS(F)
#undef F
};

Driver loadDriver()
{
    Driver driver;
    // The driver is loaded at run time, so that the plugin loads and can say so on a machine without a GPU.
    void* library = ::dlopen("libcuda.so.1", RTLD_NOW);
    const char* missing = library ? nullptr : "libcuda.so.1";
#define F(member, name, type)                                                                                          \
    if (!missing && !(driver.member = reinterpret_cast<type>(::dlsym(library, name))))                                 \
        missing = name;
    APERTUNE_DRIVER_FUNCTIONS(F)
#undef F
    if (missing)
        throw Fault(APERTUNE_UNSUPPORTED, std::string("CUDA is unavailable: the driver lacks ") + missing + ".",
                    "Install an NVIDIA driver that supports CUDA 12 or later.");
    return driver;
}

const Driver& driver()
{
    static const Driver bound = loadDriver();
    return bound;
}

void check(CUresult result, const char* what)
{
    if (result != CUDA_SUCCESS)
        throw CudaError(result, what);
}

std::string textOf(CUresult result)
{
    const char* text = nullptr;
    return driver().errorString(result, &text) == CUDA_SUCCESS && text ? text : "an error without a name";
}

/// Returns whether the context is dead after this error.
bool isSticky(CUresult result)
{
    // After these errors the driver answers each call of the process with the same error, so only a new process helps.
    static const std::set<CUresult> kSticky{CUDA_ERROR_ECC_UNCORRECTABLE,
                                            CUDA_ERROR_ILLEGAL_ADDRESS,
                                            CUDA_ERROR_LAUNCH_TIMEOUT,
                                            CUDA_ERROR_CONTEXT_IS_DESTROYED,
                                            CUDA_ERROR_ASSERT,
                                            CUDA_ERROR_HARDWARE_STACK_ERROR,
                                            CUDA_ERROR_ILLEGAL_INSTRUCTION,
                                            CUDA_ERROR_MISALIGNED_ADDRESS,
                                            CUDA_ERROR_INVALID_ADDRESS_SPACE,
                                            CUDA_ERROR_INVALID_PC,
                                            CUDA_ERROR_LAUNCH_FAILED,
                                            CUDA_ERROR_DEVICE_UNAVAILABLE,
                                            CUDA_ERROR_UNKNOWN};
    return kSticky.contains(result);
}

} // namespace

CudaError::CudaError(CUresult result, const std::string& what)
    : code(result), text(what + ": " + textOf(result) + " (CUDA error " + std::to_string(result) + ")")
{
}

Fault faultOf(const CudaError& error, apertune_status otherwise)
{
    if (error.code == CUDA_ERROR_OUT_OF_MEMORY)
        return {APERTUNE_OUT_OF_MEMORY, "Memory ran out on the device.",
                "Use a smaller batch or a 16-bit precision, or free memory on the device.", error.text};
    if (isSticky(error.code))
        return {APERTUNE_DEVICE_LOST, "The device stopped working: " + error.text + ".",
                "The process must be replaced. If it happens again with this model, look at the driver's log (dmesg).",
                error.text};
    return {otherwise, "CUDA failed: " + error.text + ".", "Try again; if it repeats, leave TensorRT out.", error.text};
}

Device::Device(int index)
{
    check(driver().init(0), "starting the driver");
    if (driver().deviceGet(&m_device, index) != CUDA_SUCCESS)
        throw Fault(APERTUNE_UNSUPPORTED, "There is no device cuda:" + std::to_string(index) + ".",
                    "Choose one that `apertune device list` lists.");
    std::array<char, 128> name{};
    check(driver().deviceName(name.data(), static_cast<int>(name.size()) - 1, m_device),
          "asking for the device's name");
    m_name = name.data();
    int major = 0;
    int minor = 0;
    check(driver().deviceAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, m_device),
          "asking for the compute capability");
    check(driver().deviceAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, m_device),
          "asking for the compute capability");
    m_capability = std::to_string(major) + "." + std::to_string(minor);
    // The primary context is the one that TensorRT uses, so memory and streams can be shared with it.
    check(driver().contextRetain(&m_context, m_device), "making a context");
    check(driver().contextUse(m_context), "using the context");
    // A stream of its own kind does not wait for the default stream, which other libraries may use.
    check(driver().streamMake(&m_stream, CU_STREAM_NON_BLOCKING), "making a stream");
    check(driver().eventMake(&m_start, CU_EVENT_DEFAULT), "making an event");
    check(driver().eventMake(&m_stop, CU_EVENT_DEFAULT), "making an event");
}

Device::~Device()
{
    if (m_start)
        driver().eventEnd(m_start);
    if (m_stop)
        driver().eventEnd(m_stop);
    if (m_stream)
        driver().streamEnd(m_stream);
    driver().contextRelease(m_device);
}

void Device::synchronize() const
{
    check(driver().streamWait(m_stream), "waiting for the device");
}

void Device::startTimer() const
{
    check(driver().eventRecord(m_start, m_stream), "recording an event");
}

std::uint64_t Device::stopTimer() const
{
    check(driver().eventRecord(m_stop, m_stream), "recording an event");
    check(driver().eventWait(m_stop), "waiting for the device");
    float milliseconds = 0;
    check(driver().eventElapsed(&milliseconds, m_start, m_stop), "reading the device's clock");
    constexpr double kNanosecondsPerMillisecond = 1e6;
    return static_cast<std::uint64_t>(static_cast<double>(milliseconds) * kNanosecondsPerMillisecond);
}

std::size_t Device::usedMemory() const
{
    std::size_t free = 0;
    std::size_t total = 0;
    check(driver().memoryInfo(&free, &total), "asking for the device's memory");
    return total - free;
}

DeviceBuffer::DeviceBuffer(std::size_t bytes) : m_size(bytes)
{
    check(driver().allocate(&m_address, bytes > 0 ? bytes : 1), "allocating memory");
}

DeviceBuffer::~DeviceBuffer()
{
    if (m_address)
        driver().release(m_address);
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : m_address(std::exchange(other.m_address, 0)), m_size(other.m_size)
{
}

void* DeviceBuffer::get() const
{
    return reinterpret_cast<void*>(m_address); // NOLINT: a number on the device
}

void DeviceBuffer::write(const void* from, std::size_t bytes, std::size_t at, cudaStream_t stream) const
{
    check(driver().copyIn(m_address + at, from, bytes, stream), "copying to the device");
}

void DeviceBuffer::read(void* to, std::size_t bytes) const
{
    check(driver().copyOut(to, m_address, bytes), "copying from the device");
}

PinnedMemory::PinnedMemory(std::size_t bytes)
{
    check(driver().allocateHost(&m_memory, bytes > 0 ? bytes : 1, 0), "locking host memory");
}

PinnedMemory::~PinnedMemory()
{
    if (m_memory)
        driver().releaseHost(m_memory);
}

PinnedMemory::PinnedMemory(PinnedMemory&& other) noexcept : m_memory(std::exchange(other.m_memory, nullptr))
{
}

void Graph::begin(cudaStream_t stream)
{
    // Thread-local mode, because other threads (telemetry) may call CUDA during a capture.
    check(driver().captureBegin(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "beginning a capture");
}

void Graph::abandon(cudaStream_t stream) noexcept
{
    CUgraph partial = nullptr;
    driver().captureEnd(stream, &partial);
    if (partial)
        driver().graphEnd(partial);
}

void Graph::end(cudaStream_t stream)
{
    CUgraph captured = nullptr;
    check(driver().captureEnd(stream, &captured), "ending a capture");
    const auto freed = [](CUgraph graph) { driver().graphEnd(graph); };
    std::unique_ptr<std::remove_pointer_t<CUgraph>, decltype(freed)> graph(captured, freed);
    check(driver().graphNodes(captured, nullptr, &m_nodes), "counting a graph's nodes");
    check(driver().graphReady(&m_executable, captured, 0), "instantiating a graph");
    m_graph = graph.release();
}

Graph::~Graph()
{
    if (m_executable)
        driver().graphUnready(m_executable);
    if (m_graph)
        driver().graphEnd(m_graph);
}

Graph::Graph(Graph&& other) noexcept
    : m_graph(std::exchange(other.m_graph, nullptr)), m_executable(std::exchange(other.m_executable, nullptr)),
      m_nodes(other.m_nodes)
{
}

void Graph::launch(cudaStream_t stream) const
{
    check(driver().graphLaunch(m_executable, stream), "launching a graph");
}

} // namespace apertune::tensorrt
