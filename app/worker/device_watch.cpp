// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/device_watch.h"

#include "core/base/clock.h"
#include "core/base/units.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <thread>

namespace apertune::worker {

using base::Nanoseconds;
using base::NvmlApi;

namespace {

/// The parent of a process; 0 when there is no such process.
int parentOf(const std::filesystem::path& proc, unsigned pid)
{
    std::ifstream in(proc / std::to_string(pid) / "stat");
    std::string text;
    std::getline(in, text);
    // "42 (name) S 7 …": the name may hold blanks and brackets.
    const std::size_t end = text.rfind(')');
    constexpr std::size_t kState = 4;
    return end == std::string::npos || end + kState > text.size() ? 0 : std::atoi(text.c_str() + end + kState);
}

std::optional<std::int64_t> integerOf(const NvmlApi::Field& field)
{
    if (field.status != 0)
        return std::nullopt;
    return field.valueType == NvmlApi::kUnsignedInt ? static_cast<std::int64_t>(field.word)
                                                    : static_cast<std::int64_t>(field.longWord);
}

} // namespace

std::optional<GpuWatch> GpuWatch::open(const NvmlApi* nvml, const std::string& uuid, std::filesystem::path proc)
{
    NvmlApi::Handle gpu = nullptr;
    if (!nvml || uuid.empty() || nvml->init() != 0 || nvml->deviceGetHandleByUUID(uuid.c_str(), &gpu) != 0)
        return std::nullopt;
    return GpuWatch(*nvml, gpu, std::move(proc));
}

void GpuWatch::readTimes(GpuReading& reading) const
{
    if (!m_nvml->deviceGetFieldValues)
        return;
    std::array<NvmlApi::Field, 5> fields{};
    constexpr std::array kIds{NvmlApi::kPowerInstant, NvmlApi::kPowerCapTime, NvmlApi::kSoftwareHeatTime,
                              NvmlApi::kHardwareHeatTime, NvmlApi::kPowerBrakeTime};
    for (std::size_t i = 0; i < fields.size(); ++i)
        fields[i].id = kIds[i];
    // Older drivers lack the call, and single fields may be unknown.
    if (m_nvml->deviceGetFieldValues(m_gpu, static_cast<int>(fields.size()), fields.data()) != 0)
        return;
    if (const auto power = integerOf(fields[0]))
        reading.power = *power;
    if (const auto capped = integerOf(fields[1]))
        reading.capped = Nanoseconds{*capped};
    // All reasons of heat count as one.
    for (const std::size_t i : {2, 3, 4})
        if (const auto time = integerOf(fields[i]))
            reading.heat = reading.heat.value_or(Nanoseconds{}) + Nanoseconds{*time};
}

void GpuWatch::readUsers(GpuReading& reading) const
{
    if (!m_nvml->deviceGetComputeRunningProcesses)
        return;
    std::array<NvmlApi::Process, 64> processes{};
    auto count = static_cast<unsigned>(processes.size());
    const NvmlApi::Status status = m_nvml->deviceGetComputeRunningProcesses(m_gpu, &count, processes.data());
    if (status != 0)
        return;
    const auto own = static_cast<unsigned>(::getpid());
    const auto end = processes.begin() + std::min<std::ptrdiff_t>(count, static_cast<std::ptrdiff_t>(processes.size()));
    if (std::none_of(processes.begin(), end, [own](const auto& process) { return process.pid == own; }))
        return; // The numbers are those of another namespace.
    for (auto process = processes.begin(); process != end; ++process) {
        // Processes with the same parent are workers of the same study.
        if (process->pid == own || parentOf(m_proc, process->pid) == ::getppid())
            continue;
        ++reading.otherProcesses;
        if (process->memory != NvmlApi::kUnknownMemory)
            reading.otherMemory.count += static_cast<std::int64_t>(process->memory);
    }
}

GpuReading GpuWatch::read() const
{
    constexpr auto kSlowed =
        NvmlApi::kHardwareSlowdown | NvmlApi::kSoftwareThermal | NvmlApi::kHardwareThermal | NvmlApi::kPowerBrake;
    GpuReading reading;
    reading.at = base::monotonicNow();
    unsigned long long reasons = 0;
    if (m_nvml->deviceGetCurrentClocksEventReasons && m_nvml->deviceGetCurrentClocksEventReasons(m_gpu, &reasons) == 0)
        reading.slowed = (reasons & kSlowed) != 0;
    unsigned value = 0;
    if (m_nvml->deviceGetClockInfo(m_gpu, NvmlApi::kClockSm, &value) == 0)
        reading.clockMhz = static_cast<int>(value);
    readTimes(reading);
    // The instantaneous power is preferred; older drivers only have the average.
    if (reading.power == 0 && m_nvml->deviceGetPowerUsage && m_nvml->deviceGetPowerUsage(m_gpu, &value) == 0)
        reading.power = value;
    if (unsigned long long energy = 0;
        m_nvml->deviceGetTotalEnergyConsumption && m_nvml->deviceGetTotalEnergyConsumption(m_gpu, &energy) == 0)
        reading.energy = static_cast<std::int64_t>(energy);
    readUsers(reading);
    return reading;
}

std::int64_t GpuWatch::powerCap() const
{
    unsigned milliwatts = 0;
    return m_nvml->deviceGetEnforcedPowerLimit && m_nvml->deviceGetEnforcedPowerLimit(m_gpu, &milliwatts) == 0
               ? static_cast<std::int64_t>(milliwatts)
               : 0;
}

int GpuWatch::otherLoad() const
{
    constexpr int kReadings = 6;
    int lowest = 100;
    for (int i = 0; i < kReadings && lowest > model::GpuUse::kIdleLoad; ++i) {
        if (i > 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
        NvmlApi::Utilization rates;
        if (!m_nvml->deviceGetUtilizationRates || m_nvml->deviceGetUtilizationRates(m_gpu, &rates) != 0)
            return 0;
        lowest = std::min(lowest, static_cast<int>(rates.gpu));
    }
    return lowest;
}

void GpuSummary::add(const GpuReading& before, const GpuReading& after, std::int64_t passes)
{
    model::GpuConditions one;
    one.clockLow = one.clockHigh = after.clockMhz; // before the block the GPU may have been idle
    const auto passed = [](const auto& from, const auto& to) { return from && to ? *to - *from : Nanoseconds{}; };
    one.cappedTime = passed(before.capped, after.capped);
    // Counters only grow, so their difference belongs to the block.
    one.heatTime = passed(before.heat, after.heat);
    one.otherProcesses = std::max(before.otherProcesses, after.otherProcesses);
    one.otherMemory = std::max(before.otherMemory, after.otherMemory);
    m_sums.add(one);
    m_energy.add(energyOf(before), energyOf(after), passes);
}

EnergyReading energyOf(const GpuReading& reading)
{
    EnergyReading energy{reading.at, {}, static_cast<double>(reading.power) * base::kMilli};
    if (reading.energy)
        energy.joules = static_cast<double>(*reading.energy) * base::kMilli;
    return energy;
}

} // namespace apertune::worker
