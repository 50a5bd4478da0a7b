// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_builder.h"

#include <cstdint>
#include <random>
#include <string>

namespace apertune::advice::testing {

/// Random numbers of the generators.
class Dice
{
public:
    explicit Dice(std::uint64_t seed) : m_engine(seed) {}
    double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(m_engine); }
    int number(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(m_engine); }
    bool chance(double p) { return uniform(0, 1) < p; }
    /// `value` with log-normal noise.
    std::int64_t about(double value, double spread)
    {
        return static_cast<std::int64_t>(value * std::exp(std::normal_distribution<double>(0, spread)(m_engine))) + 1;
    }

private:
    std::mt19937_64 m_engine;
};

/// A program with one host thread and a device with two streams, recorded as it runs: calls queue work, streams work
/// it off in order, waits wait. Times are ns.
class Recorder
{
public:
    static constexpr int kCompute = 0;
    static constexpr int kCopy = 1;
    static constexpr double kDeviceRate = 400e9; ///< bytes per second of a copy within the device

    explicit Recorder(Dice& dice);

    std::int64_t now() const { return m_now; }
    void spend(std::int64_t ns) { m_now += ns; }

    /// An operator that launches one kernel.
    struct Kernel
    {
        const char* op = "aten::op";
        const char* name = "kernel";
        double time = 50e3;
        double dispatch = 6e3; ///< host time before the launch call
        double call = 4e3;     ///< host time of the launch call
        std::uint32_t blocks = 2048;
        std::uint32_t threads = 256;
        std::uint32_t registers = 32;
        const char* shapes = ""; ///< shapes of the operator's inputs
        const char* types = "";
    };
    void run(const Kernel& kernel);

    enum class Host { pinned, pageable };
    /// Records cudaMemcpyAsync, which blocks the host when the memory is pageable. The rate is 12 GB/s for pinned
    /// memory and 5 GB/s for pageable memory.
    void copy(trace::CopyDirection direction, std::int64_t bytes, Host memory, int stream);
    /// Records a copy within the device's memory, at kDeviceRate, on the compute stream.
    void clone(std::int64_t bytes);
    /// Records cudaMemcpy.
    void blockingCopy(trace::CopyDirection direction, std::int64_t bytes, Host memory);
    void fill(std::int64_t bytes);
    void synchronize(const char* call = "cudaStreamSynchronize");
    /// Lets the copy stream wait for the compute stream, or the other way round.
    void streamWait(int waiting, int awaited);
    /// Records cudaMalloc or cudaFree: with `drains` the call waits for the device, and it takes `ns`.
    void allocate(const char* call, std::int64_t ns, bool drains);
    void hostOperator(const char* name, std::int64_t ns);
    void range(const std::string& name, std::int64_t start, std::int64_t end);
    /// The GPU's telemetry: its clock is held down by `reason` from `start` to `end`, and reads `mhz` in the middle.
    void clockState(const std::string& reason, std::int64_t start, std::int64_t end, std::int64_t mhz);
    void deviceMemory(std::int64_t bytes, std::uint64_t address);
    void tensorMemory(std::int64_t bytes, std::uint64_t address, int device);

    trace::Trace finish();
    trace::TraceBuilder& builder() { return m_builder; }
    trace::TrackId thread() const { return m_thread; }

private:
    std::uint32_t call(const char* name, std::int64_t start, std::int64_t end);
    void enqueueCopy(trace::CopyDirection direction, std::int64_t bytes, Host memory, int stream, std::int64_t from,
                     std::uint32_t correlation);
    trace::Event event(const std::string& name, std::int64_t start, std::int64_t end);

    Dice& m_dice;
    trace::TraceBuilder m_builder;
    trace::TrackId m_thread;
    trace::TrackId m_streams[2];
    std::int64_t m_free[2] = {0, 0};
    std::int64_t m_now = 1'000'000;
    std::uint32_t m_correlation = 100;
};

} // namespace apertune::advice::testing
