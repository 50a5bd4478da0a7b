// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/standin/observer.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace apertune::standin {

/// Codes of errors, which the driver and the runtime share.
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

/// What a stream that is captured stands for.
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

/// The GPUs of this process and their driver: memory that has a cap, streams that keep time, captures with CUDA's
/// rules.
///
/// * Kernels compute nothing. Each takes a time that follows from its size, on a time line of its GPU; a wait ends when
///   that time is over.
/// * The memory of a GPU holds zeros, whatever is copied there: so the outputs of a model are zeros in each run.
/// * Functions return a Code. A stream nullptr is the default one of the current device.
/// * Thread-safe.
class Machine
{
public:
    virtual ~Machine() = default;

    /// The answer of cuInit; what comes before the first call of it does not matter.
    virtual int initialize() = 0;
    /// As initialize(), and the driver runs the CUDA that a runtime was built for.
    virtual int initializeRuntime(int runtimeVersion) = 0;
    /// REQUIRES: initialize() succeeded; so for everything below.
    virtual int deviceCount() = 0;
    /// The GPU of this machine that a device of this process is. CUDA_VISIBLE_DEVICES chooses and orders them.
    virtual int gpuOf(int device) = 0;
    virtual int currentDevice() = 0;
    virtual int setDevice(int device) = 0;
    /// Makes the context of the current device, when there is none yet.
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

    /// A kernel whose time follows from its number of threads, or takes `duration` where that is not 0.
    virtual int launch(const char* name, Dimensions grid, Dimensions block, unsigned dynamicShared, Stream* stream,
                       std::int64_t duration) = 0;
    virtual int copy(void* to, const void* from, std::size_t bytes, bool async, Stream* stream) = 0;
    virtual int fill(void* to, int value, std::size_t bytes, bool async, Stream* stream) = 0;
    /// Calls `function` when the work before it in the stream is done.
    virtual int callHost(Stream* stream, const std::function<void()>& function) = 0;

    virtual int beginCapture(Stream* stream, CaptureMode mode) = 0;
    virtual int endCapture(Stream* stream, Graph** graph) = 0;
    virtual CaptureInfo captureInfo(Stream* stream) = 0;
    /// Sets the mode of this thread and returns the one before.
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
