// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/device_runtime.h"
#include "plugins/libtorch/driver_memory.h"
#include "plugins/libtorch/fault.h"
#include "plugins/libtorch/recording.h"

#include <ATen/Context.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/core/InferenceMode.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <map>

namespace apertune::libtorch {

namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

// Passes before a capture, in which libraries choose their algorithms and allocate. torch.cuda.make_graphed_callables()
// makes as many.
constexpr int kWarmUps = 3;
constexpr const char* kDriverVersionFile = "/proc/driver/nvidia/version";

constexpr auto kAggregate = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);

/// "CUDA 12.8" for 12080.
std::string cudaVersionText(int version)
{
    return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// The reason why there is no CUDA device, or "" when there is one.
std::string unavailable()
{
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count > 0)
        return "";
    static_cast<void>(cudaGetLastError());
    // CUDA calls a missing driver "insufficient", as if it were too old.
    if (!::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL))
        return "no NVIDIA driver";
    if (error == cudaSuccess)
        return "no device is visible";
    std::string reason = cudaGetErrorString(error);
    if (int version = 0; error == cudaErrorInsufficientDriver && cudaDriverGetVersion(&version) == cudaSuccess &&
                         version > 0 && version < CUDART_VERSION)
        reason += " (the driver runs " + cudaVersionText(version) + ", this build needs " +
                  cudaVersionText(CUDART_VERSION) + ")";
    return reason;
}

/// "GPU-xxxxxxxx-xxxx-…" as nvidia-smi and CUDA_VISIBLE_DEVICES write it.
std::string uuidText(const cudaUUID_t& uuid)
{
    std::string text = "GPU";
    for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
        if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        std::array<char, 3> hex{};
        std::snprintf(hex.data(), hex.size(), "%02x", static_cast<unsigned char>(uuid.bytes[i]));
        text += hex.data();
    }
    return text;
}

/// The device memory of this process: the use of all processes now, less what they used before this one created its
/// context, so the context counts. Without the driver's figure it uses CUDA's own. That one exists only once there is a
/// context, so the difference then leaves the context out.
class DeviceMemory
{
public:
    /// REQUIRES: the device has no context yet, or one that an earlier session of this process made.
    explicit DeviceMemory(int index)
    {
        cudaDeviceProp properties{};
        C10_CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
        m_uuid = uuidText(properties.uuid);
        m_fromDriver = usedDeviceMemory(m_uuid).has_value();
        // Memory of others is measured once for each device, before this process has a context on it.
        static std::map<int, std::int64_t> before;
        const auto known = before.find(index);
        if (known == before.end() && m_fromDriver)
            before[index] = used();
        C10_CUDA_CHECK(cudaSetDevice(index));
        C10_CUDA_CHECK(cudaFree(nullptr)); // creates the context
        // CUDA's own figure needs a context.
        if (known == before.end() && !m_fromDriver)
            before[index] = used();
        m_before = before[index];
    }

    std::int64_t ofThisProcess() const { return used() - m_before; }
    bool includesContext() const { return m_fromDriver; }

private:
    std::int64_t used() const
    {
        // The driver may stop answering; CUDA's figure then stands in.
        if (m_fromDriver)
            if (const auto bytes = usedDeviceMemory(m_uuid))
                return *bytes;
        std::size_t free = 0;
        std::size_t total = 0;
        C10_CUDA_CHECK(cudaMemGetInfo(&free, &total));
        return static_cast<std::int64_t>(total - free);
    }

    std::string m_uuid;
    bool m_fromDriver = false;
    std::int64_t m_before = 0;
};

/// All sessions of a device share one stream, so the thread's current stream is always theirs. It is not the default
/// stream, because that one cannot be captured.
c10::cuda::CUDAStream workStream(c10::DeviceIndex device)
{
    static std::map<c10::DeviceIndex, c10::cuda::CUDAStream> streams;
    const auto found = streams.find(device);
    if (found != streams.end())
        return found->second;
    return streams.emplace(device, c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device)).first->second;
}

class CudaRuntime final : public DeviceRuntime
{
public:
    explicit CudaRuntime(int index)
        : m_device(static_cast<c10::DeviceIndex>(index)), m_memory(index), m_stream(workStream(m_device))
    {
        c10::cuda::set_device(m_device);
        at::globalContext().lazyInitDevice(c10::kCUDA);
        c10::cuda::setCurrentCUDAStream(m_stream);
    }

    ~CudaRuntime() override
    {
        try {
            m_graph.reset();
            // Memory that the cache keeps would look like the next model's.
            allocator::emptyCache();
        } catch (...) { // NOLINT: a lost device has nothing left to give back
        }
    }

    c10::Device device() const override { return {c10::kCUDA, m_device}; }

    void synchronize() override { m_stream.synchronize(); }

    void startTimer() override { m_start.record(m_stream); }

    std::uint64_t stopTimer() override
    {
        m_stop.record(m_stream);
        m_stop.synchronize();
        constexpr double kNanosecondsPerMillisecond = 1e6;
        return static_cast<std::uint64_t>(static_cast<double>(m_start.elapsed_time(m_stop)) *
                                          kNanosecondsPerMillisecond);
    }

    void resetPeaks() override
    {
        synchronize();
        // The blocks that cuDNN's search left in the cache do not belong to the model.
        allocator::emptyCache();
        allocator::resetPeakStats(m_device);
    }

    MemoryFigures memory() override
    {
        const auto stats = allocator::getDeviceStats(m_device);
        const auto& reserved = stats.reserved_bytes[kAggregate];
        // A replay allocates nothing: what it writes was allocated by the capture, from the graph's own pool.
        return {std::max(stats.allocated_bytes[kAggregate].peak, m_graph ? m_capturePeak : 0),
                // The cache may have held more at its peak than it does now.
                m_memory.ofThisProcess() + reserved.peak - reserved.current,
                m_memory.includesContext() ? "" : "the device's memory figure leaves out the CUDA context"};
    }

    std::uint64_t allocationFailures() const override
    {
        return static_cast<std::uint64_t>(allocator::getDeviceStats(m_device).num_ooms);
    }

    std::string capture(const std::function<void()>& forward) override
    {
        // Lazy initialization must be over before a capture, which forbids it.
        for (int i = 0; i < kWarmUps; ++i)
            forward();
        synchronize();
        allocator::resetPeakStats(m_device);
        auto graph = std::make_unique<at::cuda::CUDAGraph>(/*keep_graph=*/true);
        const auto pool = at::cuda::graph_pool_handle();
        try {
            // Thread-local mode, because other threads (telemetry) may call CUDA during a capture.
            graph->capture_begin(pool, cudaStreamCaptureModeThreadLocal);
            forward();
            graph->capture_end();
            graph->instantiate();
        } catch (...) {
            std::string reason = classify(std::current_exception(), Phase::running).message;
            recover(std::move(graph), pool, forward);
            return reason;
        }
        m_capturePeak = allocator::getDeviceStats(m_device).allocated_bytes[kAggregate].peak;
        m_graph = std::move(graph);
        return "";
    }

    void replay() override { m_graph->replay(); }

    std::size_t graphNodes() override
    {
        std::size_t count = 0;
        if (m_graph)
            C10_CUDA_CHECK(cudaGraphGetNodes(m_graph->raw_cuda_graph(), nullptr, &count));
        return count;
    }

private:
    /// Ends a capture that failed half-way and checks that the stream works.
    void recover(std::unique_ptr<at::cuda::CUDAGraph> graph, c10::MempoolId_t pool,
                 const std::function<void()>& forward)
    {
        cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
        // A stream that is still capturing refuses all other work.
        if (cudaStreamIsCapturing(m_stream, &status) == cudaSuccess && status != cudaStreamCaptureStatusNone) {
            cudaGraph_t partial = nullptr;
            static_cast<void>(cudaStreamEndCapture(m_stream, &partial));
            if (partial)
                static_cast<void>(cudaGraphDestroy(partial));
        }
        static_cast<void>(cudaGetLastError());
        try {
            allocator::endAllocateToPool(m_device, pool);
            allocator::releasePool(m_device, pool);
        } catch (const c10::Error&) { // NOLINT: the capture ended far enough to do it itself
        }
        graph.reset();
        // A pass shows whether the device still works.
        try {
            forward();
            synchronize();
        } catch (...) {
            const Fault cause = classify(std::current_exception(), Phase::running);
            throw Fault(APERTUNE_DEVICE_LOST, "A failed CUDA graph capture left the device unusable: " + cause.message,
                        "Measure this configuration in a new process with cuda_graph off.", cause.detail);
        }
    }

    c10::DeviceIndex m_device;
    DeviceMemory m_memory;
    c10::cuda::CUDAStream m_stream;
    at::cuda::CUDAEvent m_start{cudaEventDefault};
    at::cuda::CUDAEvent m_stop{cudaEventDefault};
    std::unique_ptr<at::cuda::CUDAGraph> m_graph;
    std::int64_t m_capturePeak = 0; ///< bytes of tensors while the graph was captured
};

std::string driverVersion()
{
    // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.82.07  Wed Aug …"
    std::ifstream stream(kDriverVersionFile);
    for (std::string word; stream >> word;)
        if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos)
            return word;
    int version = 0;
    if (cudaDriverGetVersion(&version) != cudaSuccess || version == 0)
        return "";
    return cudaVersionText(version);
}

} // namespace

std::unique_ptr<DeviceRuntime> makeCudaRuntime(int deviceIndex)
{
    if (const std::string reason = unavailable(); !reason.empty())
        throw Fault(APERTUNE_UNSUPPORTED, "CUDA is unavailable: " + reason + ".",
                    "Use the device cpu, or install an NVIDIA driver that supports CUDA 13.");
    if (deviceIndex >= c10::cuda::device_count())
        throw Fault(APERTUNE_UNSUPPORTED, "There is no device cuda:" + std::to_string(deviceIndex) + ".",
                    "Choose one that `apertune device list` lists.");
    return std::make_unique<CudaRuntime>(deviceIndex);
}

void hookDeviceAllocator()
{
    static bool hooked = false;
    // The hook can be set once, and only when the allocator exists.
    if (hooked || !allocator::get() || !allocator::get()->initialized())
        return;
    // LibTorch calls this with the allocator's lock held, so it must not allocate or free device memory.
    allocator::attachAllocatorTraceTracker([](const allocator::TraceEntry& entry) {
        const auto bytes = static_cast<std::int64_t>(entry.size_);
        const auto* const address = reinterpret_cast<const void*>(entry.addr_); // NOLINT: a number on the device
        if (entry.action_ == allocator::TraceEntry::ALLOC)
            recording::noteAllocation(bytes, address, entry.device_);
        else if (entry.action_ == allocator::TraceEntry::FREE_COMPLETED)
            recording::noteAllocation(-bytes, address, entry.device_);
    });
    hooked = true;
}

void describeCuda(plugins::Description& info)
{
    if (const std::string reason = unavailable(); !reason.empty()) {
        info.notes.push_back("CUDA is unavailable: " + reason);
        return;
    }
    int count = 0;
    static_cast<void>(cudaGetDeviceCount(&count));
    for (int index = 0; index < count; ++index) {
        cudaDeviceProp properties{};
        if (const cudaError_t error = cudaGetDeviceProperties(&properties, index); error != cudaSuccess) {
            info.notes.push_back("cuda:" + std::to_string(index) + " is unusable: " + cudaGetErrorString(error));
            continue;
        }
        plugins::DeviceInfo device;
        device.id = "cuda:" + std::to_string(index);
        device.name = properties.name;
        device.memoryBytes = static_cast<std::int64_t>(properties.totalGlobalMem);
        device.capability = std::to_string(properties.major) + "." + std::to_string(properties.minor);
        device.uuid = uuidText(properties.uuid);
        device.driver = driverVersion();
        info.devices.push_back(std::move(device));
    }
}

} // namespace apertune::libtorch
