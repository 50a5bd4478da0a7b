// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/fault.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>

/// CUDA by the functions of the driver's library, which every machine with an NVIDIA GPU has. TensorRT contains its own
/// CUDA runtime, which works in the same primary context.
namespace apertune::tensorrt {

/// An error code of a driver function.
struct CudaError : std::exception
{
    CudaError(CUresult result, const std::string& what);
    const char* what() const noexcept override { return text.c_str(); }

    CUresult code;
    std::string text;
};

/// Returns the fault for an error: OUT_OF_MEMORY when memory ran out, DEVICE_LOST when the context is dead, otherwise
/// `otherwise`.
plugins::Fault faultOf(const CudaError& error, apertune_status otherwise);

/// The primary context of a GPU, current on this thread, with a stream of its own. It has to outlive all objects that
/// are made in it.
class Device
{
public:
    /// Throws Fault UNSUPPORTED when there is no driver or no such device, and CudaError.
    explicit Device(int index);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    const std::string& name() const { return m_name; }             ///< "NVIDIA H200"
    const std::string& capability() const { return m_capability; } ///< "9.0"
    cudaStream_t stream() const { return m_stream; }

    void synchronize() const;
    void startTimer() const;
    std::uint64_t stopTimer() const; ///< waits; returns nanoseconds

    /// Returns the bytes in use by all processes, including the context of this one.
    std::size_t usedMemory() const;

private:
    std::string m_name;
    std::string m_capability;
    CUdevice m_device = 0;
    CUcontext m_context = nullptr;
    CUstream m_stream = nullptr;
    CUevent m_start = nullptr;
    CUevent m_stop = nullptr;
};

/// Memory of the device whose context is current.
class DeviceBuffer
{
public:
    explicit DeviceBuffer(std::size_t bytes); ///< 0 bytes get an address, too
    ~DeviceBuffer();
    DeviceBuffer(DeviceBuffer&& other) noexcept;
    DeviceBuffer& operator=(DeviceBuffer&&) = delete;

    void* get() const;
    std::size_t size() const { return m_size; }
    void write(const void* from, std::size_t bytes, std::size_t at,
               cudaStream_t stream) const;        ///< may return before the copy
    void read(void* to, std::size_t bytes) const; ///< waits

private:
    CUdeviceptr m_address = 0;
    std::size_t m_size = 0;
};

/// Page-locked host memory, which the device reads by DMA.
class PinnedMemory
{
public:
    explicit PinnedMemory(std::size_t bytes);
    ~PinnedMemory();
    PinnedMemory(PinnedMemory&& other) noexcept;
    PinnedMemory& operator=(PinnedMemory&&) = delete;

    void* get() const { return m_memory; }

private:
    void* m_memory = nullptr;
};

/// A CUDA graph: captured work of a stream, which is replayed by one call.
class Graph
{
public:
    /// Captures the work that `work` enqueues on the stream. Throws CudaError and the exceptions of `work`. The stream
    /// is usable again in either case.
    template <typename Work>
    Graph(cudaStream_t stream, Work&& work)
    {
        begin(stream);
        try {
            work();
        } catch (...) {
            abandon(stream);
            throw;
        }
        end(stream);
    }
    ~Graph();
    Graph(Graph&& other) noexcept;
    Graph& operator=(Graph&&) = delete;

    void launch(cudaStream_t stream) const;
    std::size_t nodes() const { return m_nodes; }

private:
    static void begin(cudaStream_t stream);
    static void abandon(cudaStream_t stream) noexcept;
    void end(cudaStream_t stream);

    CUgraph m_graph = nullptr;
    CUgraphExec m_executable = nullptr;
    std::size_t m_nodes = 0;
};

} // namespace apertune::tensorrt
