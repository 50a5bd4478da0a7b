// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/standin/observer.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace apertune::standin {

/// Error codes, which are equal in the driver and the runtime.
enum Code : int {
    success = 0,
    invalidValue = 1,
    outOfMemory = 2,
    insufficientDriver = 35,
    noDevice = 100,
    invalidDevice = 101,
    noKernelImage = 209,
    invalidHandle = 400,
    symbolNotFound = 500,
    notReady = 600,
    illegalAddress = 700,
    notSupported = 801,
    captureUnsupported = 900,
    captureInvalidated = 901,
    captureIsolation = 905,
    captureImplicit = 906,
    capturedEvent = 907,
    captureWrongThread = 908,
};

enum class CaptureState { none, active, invalidated };
enum class CaptureMode { global, threadLocal, relaxed }; ///< in the order of CUDA
enum class MemoryKind { pageable, pinned, device };

struct Stream;
struct Event;
struct Graph;
struct GraphNode;
struct GraphLaunchable;

/// The capture of a stream.
struct CaptureInfo
{
    CaptureState state = CaptureState::none;
    unsigned long long id = 0;
    Graph* graph = nullptr;
    GraphNode** dependencies = nullptr;
    std::size_t dependencyCount = 0;
};

struct PointerInfo
{
    MemoryKind kind = MemoryKind::pageable;
    int device = 0;
};

/// The GPUs of this process and their driver. Memory is limited, streams have a time line, and captures follow CUDA's
/// rules.
///
/// * Kernels compute nothing. Each has a duration that follows from its size, on the time line of its GPU; a wait ends
///   at the end of that duration.
/// * The memory of a GPU holds zeros, whatever is copied there, so the outputs of a model are zeros in each run.
/// * Functions return a Code. The stream nullptr is the default stream of the current device.
/// * Thread-safe.
class Machine
{
public:
    virtual ~Machine() = default;

    /// Returns the result of cuInit. Calls before the first initialize() have no effect on it.
    virtual int initialize() = 0;
    /// Does the same as initialize(), and fails if the driver's CUDA has a lower major version than the runtime.
    virtual int initializeRuntime(int runtimeVersion) = 0;
    /// REQUIRES: initialize() succeeded. This applies to all functions below.
    virtual int deviceCount() = 0;
    /// Returns the machine's GPU with the number `device` in this process. CUDA_VISIBLE_DEVICES selects and orders
    /// them.
    virtual int gpuOf(int device) = 0;
    virtual int currentDevice() = 0;
    virtual int setDevice(int device) = 0;
    /// Creates the context of the current device if it does not exist.
    virtual int useDevice() = 0;
    virtual bool hasContext(int device) = 0;

    virtual int allocate(std::size_t bytes, void** memory) = 0;
    virtual int release(void* memory) = 0;
    virtual int allocateHost(std::size_t bytes, void** memory) = 0;
    virtual int releaseHost(void* memory) = 0;
    virtual int pin(void* memory, std::size_t bytes) = 0;
    virtual int unpin(void* memory) = 0;
    virtual int memory(std::size_t* free, std::size_t* total) = 0;
    virtual PointerInfo pointer(const void* memory) = 0;

    virtual int createStream(bool blocking, Stream** stream) = 0;
    virtual int destroyStream(Stream* stream) = 0;
    virtual int synchronizeStream(Stream* stream) = 0;
    virtual int queryStream(Stream* stream) = 0;
    virtual int synchronizeDevice() = 0;
    virtual int createEvent(bool timed, Event** event) = 0;
    virtual int destroyEvent(Event* event) = 0;
    virtual int recordEvent(Event* event, Stream* stream) = 0;
    virtual int waitEvent(Stream* stream, Event* event) = 0;
    virtual int synchronizeEvent(Event* event) = 0;
    virtual int queryEvent(Event* event) = 0;
    virtual int elapsed(float* milliseconds, Event* begin, Event* end) = 0;

    /// Launches a kernel. Its duration is `duration`, or follows from the number of threads when `duration` is 0.
    virtual int launch(const char* name, Dimensions grid, Dimensions block, unsigned dynamicShared, Stream* stream,
                       std::int64_t duration) = 0;
    virtual int copy(void* to, const void* from, std::size_t bytes, bool async, Stream* stream) = 0;
    virtual int fill(void* to, int value, std::size_t bytes, bool async, Stream* stream) = 0;
    /// Calls `function` after the preceding work of the stream is done.
    virtual int callHost(Stream* stream, const std::function<void()>& function) = 0;

    virtual int beginCapture(Stream* stream, CaptureMode mode) = 0;
    virtual int endCapture(Stream* stream, Graph** graph) = 0;
    virtual CaptureInfo captureInfo(Stream* stream) = 0;
    /// Sets the mode of this thread and returns the previous mode.
    virtual CaptureMode exchangeCaptureMode(CaptureMode mode) = 0;
    virtual std::vector<GraphNode*> graphNodes(Graph* graph) = 0;
    virtual int instantiate(Graph* graph, GraphLaunchable** launchable) = 0;
    virtual int launchGraph(GraphLaunchable* launchable, Stream* stream) = 0;
    virtual int destroyGraph(Graph* graph) = 0;
    virtual int destroyLaunchable(GraphLaunchable* launchable) = 0;

    /// The error that every call returns once a kernel went wrong, or success.
    virtual int lasting() = 0;
    /// A call of the program begins on this thread; the number joins it to its work.
    virtual std::uint32_t beginCall() = 0;
    virtual void endCall(const CallRecord& record) = 0;
    /// Nobody listens while it is nullptr.
    virtual void observe(Observer* observer) = 0;
};

} // namespace apertune::standin

/// The one machine of this process; the stand-in for libcuda.so.1 holds it.
extern "C" apertune::standin::Machine* standinMachine();
