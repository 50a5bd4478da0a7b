// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/worker/energy_watch.h"
#include "core/base/nvml.h"
#include "core/base/units.h"
#include "core/model/measurement.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace apertune::worker {

/// A reading of a GPU's state from the driver. Values that the driver does not report are 0 or absent.
struct GpuReading
{
    base::Nanoseconds at{};
    bool slowed = false;                  ///< held down by heat or by its power supply
    int clockMhz = 0;                     ///< clock of its multiprocessors (SMs)
    std::int64_t power = 0;               ///< mW
    std::optional<std::int64_t> energy{}; ///< mJ since the driver was loaded
    /// Time in which the power cap held the clock down, since the driver was loaded.
    std::optional<base::Nanoseconds> capped{};
    /// Time in which heat or the power supply held the clock down, since the driver was loaded.
    std::optional<base::Nanoseconds> heat{};
    int otherProcesses = 0;
    base::Bytes otherMemory{};
};

/// Reads a GPU between blocks: a call takes some tens of microseconds. One thread.
///
/// Slowed: NVML's hardware slowdown, hardware or software thermal slowdown, and power brake. The power cap does not
/// count, because a GPU under full load is always at it.
///
/// Other processes are those that are neither this one nor children of the same supervisor. A process sees the others
/// only where the driver's numbers of processes are its own: in a container they are the host's, and there are none.
class GpuWatch
{
public:
    /// The GPU with that UUID; nullopt where there is no driver or no such GPU. `proc` is /proc.
    static std::optional<GpuWatch> open(const base::NvmlApi* nvml, const std::string& uuid,
                                        std::filesystem::path proc = "/proc");

    GpuReading read() const;
    std::int64_t powerCap() const; ///< limit of the power that the driver enforces, in mW; 0: unknown
    /// Load in percent that others put on the GPU. It waits for up to a second until what this study ran before is out
    /// of the driver's average, and returns the lowest reading.
    /// REQUIRES: this process does not work on the GPU.
    int otherLoad() const;

private:
    GpuWatch(const base::NvmlApi& nvml, base::NvmlApi::Handle gpu, std::filesystem::path proc)
        : m_nvml(&nvml), m_gpu(gpu), m_proc(std::move(proc))
    {
    }
    void readTimes(GpuReading& reading) const;
    void readUsers(GpuReading& reading) const;

    const base::NvmlApi* m_nvml;
    base::NvmlApi::Handle m_gpu;
    std::filesystem::path m_proc;
};

/// The energy of a reading.
EnergyReading energyOf(const GpuReading& reading);

/// Sums up the readings of a measurement, which come in pairs around blocks.
class GpuSummary
{
public:
    /// Adds the readings right before and after a block of `passes` passes, those under the device's clock included.
    void add(const GpuReading& before, const GpuReading& after, std::int64_t passes);
    const model::GpuConditions& conditions() const { return m_sums; }
    std::optional<model::Energy> energy() const { return m_energy.result(); }

private:
    model::GpuConditions m_sums;
    EnergySum m_energy{model::EnergySource::gpuCounter};
};

} // namespace apertune::worker
