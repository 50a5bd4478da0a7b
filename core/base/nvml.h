// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace apertune::base {

/// Functions of NVIDIA's management library for the list of GPUs and for telemetry.
///  - They are bound at run time: the driver brings the library, but not every toolkit brings its header.
///  - The declarations were checked against NVML API 13.
///  - Tests use their own table (tests/core/base/fake_nvml.h).
struct NvmlApi
{
    using Handle = void*;
    using Status = int; ///< 0 is success
    struct Memory
    {
        unsigned long long total = 0;
        unsigned long long free = 0;
        unsigned long long used = 0;
    };
    struct Utilization
    {
        unsigned gpu = 0; ///< percent of the last sample period in which a kernel ran
        unsigned memory = 0;
    };
    struct Process // NOLINT: the layout of nvmlProcessInfo_t
    {
        unsigned pid = 0;
        unsigned long long memory = 0; ///< kUnknownMemory when the driver does not report it
        unsigned gpuInstance = 0;
        unsigned computeInstance = 0;
    };
    static constexpr unsigned long long kUnknownMemory = ~0ULL;
    struct PciInfo // NOLINT: the layout of nvmlPciInfo_t
    {
        char shortBusId[16]{};
        unsigned domain = 0;
        unsigned bus = 0;
        unsigned device = 0;
        unsigned deviceId = 0;
        unsigned subsystemId = 0;
        char busId[32]{}; ///< "00000000:3B:00.0"
    };
    /// One of the values that deviceGetFieldValues() is asked for by its number.
    struct Field
    {
        unsigned id = 0;
        unsigned scope = 0;
        long long timestamp = 0;
        long long latency = 0;
        int valueType = 0;
        Status status = 0;
        union {
            unsigned word; ///< value when valueType is kUnsignedInt; otherwise it is longWord
            unsigned long long longWord = 0;
        };
    };
    static constexpr unsigned kPowerInstant = 186; ///< mW, no average
    static constexpr unsigned kPowerCapTime =
        74; ///< ns in which the power cap lowered the clock; the next three are alike
    static constexpr unsigned kSoftwareHeatTime = 269;
    static constexpr unsigned kHardwareHeatTime = 270;
    static constexpr unsigned kPowerBrakeTime = 271;
    static constexpr int kUnsignedInt = 1;
    static constexpr Status kTooSmall = 7; ///< the caller's array has no room
    static constexpr Status kNoPermission = 4;
    static constexpr Status kLibraryMismatch = 18;
    static constexpr int kClockSm = 1;
    static constexpr int kClockMemory = 2;
    static constexpr int kSensorGpu = 0;
    // Bits of deviceGetCurrentClocksEventReasons that are limits; the others are choices.
    static constexpr unsigned long long kPowerCap = 0x4;
    static constexpr unsigned long long kHardwareSlowdown = 0x8;
    static constexpr unsigned long long kSoftwareThermal = 0x20;
    static constexpr unsigned long long kHardwareThermal = 0x40;
    static constexpr unsigned long long kPowerBrake = 0x80;

    // NOLINTBEGIN: pointers named as the library names its functions, without the prefix nvml
    Status (*init)() = nullptr;
    const char* (*errorString)(Status) = nullptr;
    Status (*systemGetDriverVersion)(char*, unsigned) = nullptr;
    Status (*deviceGetCount)(unsigned*) = nullptr;
    Status (*deviceGetHandleByIndex)(unsigned, Handle*) = nullptr;
    Status (*deviceGetHandleByUUID)(const char*, Handle*) = nullptr;
    Status (*deviceGetName)(Handle, char*, unsigned) = nullptr;
    Status (*deviceGetUUID)(Handle, char*, unsigned) = nullptr;
    Status (*deviceGetMemoryInfo)(Handle, Memory*) = nullptr;
    Status (*deviceGetCudaComputeCapability)(Handle, int*, int*) = nullptr;
    Status (*deviceGetClockInfo)(Handle, int, unsigned*) = nullptr; ///< MHz
    Status (*deviceGetMaxClockInfo)(Handle, int, unsigned*) = nullptr;
    // Optional: null where the driver is too old.
    Status (*systemGetCudaDriverVersion)(int*) = nullptr;       ///< 12080 for CUDA 12.8
    Status (*deviceGetPowerUsage)(Handle, unsigned*) = nullptr; ///< mW; newer GPUs: mean of a second
    Status (*deviceGetFieldValues)(Handle, int, Field*) = nullptr;
    Status (*deviceGetTemperature)(Handle, int, unsigned*) = nullptr;                 ///< °C
    Status (*deviceGetTotalEnergyConsumption)(Handle, unsigned long long*) = nullptr; ///< mJ since the driver loaded
    Status (*deviceGetCurrentClocksEventReasons)(Handle, unsigned long long*) = nullptr;
    Status (*deviceGetEnforcedPowerLimit)(Handle, unsigned*) = nullptr; ///< mW
    Status (*deviceGetUtilizationRates)(Handle, Utilization*) = nullptr;
    Status (*deviceGetComputeRunningProcesses)(Handle, unsigned* count, Process*) = nullptr;
    Status (*deviceGetPciInfo)(Handle, PciInfo*) = nullptr;
    Status (*deviceGetMigMode)(Handle, unsigned* current, unsigned* pending) = nullptr;
    Status (*deviceGetMaxMigDeviceCount)(Handle, unsigned*) = nullptr;
    Status (*deviceGetMigDeviceHandleByIndex)(Handle, unsigned, Handle*) = nullptr;
    // NOLINTEND
};

/// Returns the driver's library, or nullptr when there is none. It is loaded once and kept. Thread-safe.
/// The caller has to call init(), which may be called any number of times.
const NvmlApi* loadNvml();

} // namespace apertune::base
