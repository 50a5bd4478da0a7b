// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/nvml.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <iterator>
#include <list>
#include <string>
#include <utility>
#include <vector>

namespace apertune::base::test {

/// A GPU of a FakeNvml: its facts, and what its sensors show.
struct FakeGpu
{
    explicit FakeGpu(std::string calledName, std::string calledUuid = {}, unsigned long long bytes = 0,
                     int majorVersion = 0, int minorVersion = 0)
        : name(std::move(calledName)), uuid(std::move(calledUuid)), memory(bytes), major(majorVersion),
          minor(minorVersion)
    {
    }
    std::string name;
    std::string uuid;
    unsigned long long memory;
    int major;
    int minor;
    bool opens = true;
    std::list<FakeGpu> instances{};                               ///< not empty: split by MIG
    unsigned bus = 0;                                             ///< number of its PCI bus; 0: unknown
    unsigned load = 0;                                            ///< percent
    std::vector<std::pair<unsigned, unsigned long long>> users{}; ///< processes with the bytes that each holds
    std::atomic<unsigned> samples = 0;                            ///< how often its power was read
    std::atomic<unsigned long long> reasons = 1;                  ///< why its clock is not higher: idle
};

/// A driver of the tests' making behind the real function table: one at a time.
class FakeNvml
{
public:
    int initStatus = 0;
    int cudaVersion = 13000;
    std::deque<FakeGpu> gpus;
    NvmlApi api; ///< tests take functions out of it

    FakeNvml()
    {
        s_driver = this;
        api.init = [] { return s_driver->initStatus; };
        api.errorString = [](int status) {
            return status == NvmlApi::kLibraryMismatch ? "Driver/library version mismatch" : "Unknown Error";
        };
        api.systemGetDriverVersion = [](char* to, unsigned size) { return copyText("580.65.06", to, size); };
        api.systemGetCudaDriverVersion = [](int* version) {
            *version = s_driver->cudaVersion;
            return 0;
        };
        api.deviceGetCount = [](unsigned* count) {
            *count = static_cast<unsigned>(s_driver->gpus.size());
            return 0;
        };
        api.deviceGetHandleByIndex = [](unsigned index, NvmlApi::Handle* handle) {
            *handle = &s_driver->gpus[index];
            return s_driver->gpus[index].opens ? 0 : NvmlApi::kNoPermission;
        };
        api.deviceGetHandleByUUID = [](const char* uuid, NvmlApi::Handle* handle) {
            for (FakeGpu& gpu : s_driver->gpus)
                if (gpu.uuid == uuid) {
                    *handle = &gpu;
                    return gpu.opens ? 0 : NvmlApi::kNoPermission;
                }
            return kNotFound;
        };
        api.deviceGetName = [](NvmlApi::Handle h, char* to, unsigned size) { return copyText(of(h).name, to, size); };
        api.deviceGetUUID = [](NvmlApi::Handle h, char* to, unsigned size) { return copyText(of(h).uuid, to, size); };
        api.deviceGetMemoryInfo = [](NvmlApi::Handle h, NvmlApi::Memory* memory) {
            memory->total = of(h).memory;
            return memory->total == 0 ? kNotSupported : 0;
        };
        api.deviceGetCudaComputeCapability = [](NvmlApi::Handle h, int* major, int* minor) {
            *major = of(h).major;
            *minor = of(h).minor;
            return 0;
        };
        api.deviceGetClockInfo = [](NvmlApi::Handle, int kind, unsigned* mhz) {
            *mhz = kind == NvmlApi::kClockSm ? 345 : 3201;
            return 0;
        };
        api.deviceGetMaxClockInfo = [](NvmlApi::Handle, int kind, unsigned* mhz) {
            *mhz = kind == NvmlApi::kClockSm ? 1980 : 0;
            return 0;
        };
        api.deviceGetPowerUsage = [](NvmlApi::Handle h, unsigned* milliwatts) {
            *milliwatts = 250'000 + of(h).samples++;
            return 0;
        };
        api.deviceGetTemperature = [](NvmlApi::Handle, int, unsigned*) { return kNotSupported; };
        api.deviceGetTotalEnergyConsumption = [](NvmlApi::Handle h, unsigned long long* millijoules) {
            *millijoules = 5'000'000 + of(h).samples;
            return 0;
        };
        api.deviceGetCurrentClocksEventReasons = [](NvmlApi::Handle h, unsigned long long* reasons) {
            *reasons = of(h).reasons;
            return 0;
        };
        api.deviceGetEnforcedPowerLimit = [](NvmlApi::Handle, unsigned* milliwatts) {
            *milliwatts = 700'000;
            return 0;
        };
        api.deviceGetUtilizationRates = [](NvmlApi::Handle h, NvmlApi::Utilization* rates) {
            rates->gpu = of(h).load;
            return 0;
        };
        api.deviceGetComputeRunningProcesses = [](NvmlApi::Handle h, unsigned* count, NvmlApi::Process* processes) {
            const auto& users = of(h).users;
            const unsigned room = *count;
            *count = static_cast<unsigned>(users.size());
            for (unsigned i = 0; i < std::min(room, *count); ++i)
                processes[i] = {users[i].first, users[i].second, 0, 0};
            return room < *count ? NvmlApi::kTooSmall : 0;
        };
        api.deviceGetPciInfo = [](NvmlApi::Handle h, NvmlApi::PciInfo* pci) {
            pci->bus = of(h).bus;
            return pci->bus == 0 ? kNotSupported : 0;
        };
        api.deviceGetMigMode = [](NvmlApi::Handle h, unsigned* current, unsigned* pending) {
            *current = *pending = of(h).instances.empty() ? 0 : 1;
            return 0;
        };
        api.deviceGetMaxMigDeviceCount = [](NvmlApi::Handle, unsigned* count) {
            *count = 7;
            return 0;
        };
        api.deviceGetMigDeviceHandleByIndex = [](NvmlApi::Handle h, unsigned index, NvmlApi::Handle* instance) {
            if (index >= of(h).instances.size())
                return kNotFound;
            *instance = &*std::next(of(h).instances.begin(), index);
            return 0;
        };
    }
    ~FakeNvml() { s_driver = nullptr; }
    FakeNvml(const FakeNvml&) = delete;
    FakeNvml& operator=(const FakeNvml&) = delete;

private:
    static constexpr int kNotSupported = 3;
    static constexpr int kNotFound = 6;

    static FakeGpu& of(NvmlApi::Handle handle) { return *static_cast<FakeGpu*>(handle); }
    static int copyText(const std::string& text, char* to, unsigned size)
    {
        if (text.size() + 1 > size)
            return 7; // insufficient size
        std::memcpy(to, text.c_str(), text.size() + 1);
        return 0;
    }

    inline static FakeNvml* s_driver = nullptr;
};

} // namespace apertune::base::test
