// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/base/units.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::model {

enum class DeviceKind { cpu = 0, gpu = 1, npu = 2 };
std::string_view toString(DeviceKind kind); ///< "cpu", "gpu", "npu"
std::optional<DeviceKind> deviceKindFromString(std::string_view text);

enum class Vendor { unknown, amd, apple, intel, nvidia };
std::string_view toString(Vendor vendor); ///< "", "amd", "apple", "intel", "nvidia"
std::optional<Vendor> vendorFromString(std::string_view text);

/// Kind and vendor of a device. Code asks for the property that it depends on, never for a name, so that a new sort of
/// device needs one row of the table in device.cpp and, where it differs, a case in these functions.
struct DeviceType
{
    DeviceKind kind = DeviceKind::cpu;
    Vendor vendor = Vendor::unknown; ///< vendor of an accelerator; unknown for a CPU

    bool operator==(const DeviceType&) const = default;

    static constexpr DeviceType cpu() { return {}; }
    static constexpr DeviceType nvidiaGpu() { return {DeviceKind::gpu, Vendor::nvidia}; }

    /// Whether it is the host's processor: threads are an axis, and instruction sets decide the arithmetic.
    bool isCpu() const { return kind == DeviceKind::cpu; }
    /// Whether NVIDIA's driver serves it: CUDA_VISIBLE_DEVICES, compute capability, NVML, CUPTI, cuDNN.
    bool isNvidiaGpu() const { return *this == nvidiaGpu(); }
    /// Whether it has memory apart from the host's, so that only models on the device compete for it.
    bool hasOwnMemory() const { return kind == DeviceKind::gpu && vendor != Vendor::apple; }
    /// Whether it shares bandwidth or power with the processor, so that measuring both at once would disturb both.
    bool sharesTheHost() const
    {
        return !(kind == DeviceKind::gpu && (vendor == Vendor::nvidia || vendor == Vendor::amd));
    }
    /// Whether Apertune finds such devices by itself. Others are known only from the backends that open them.
    bool isProbed() const { return isCpu() || isNvidiaGpu(); }
};
/// Returns the word before the number in ids: "cpu", "cuda", "rocm", "xpu", "mps", "npu", "qnn", "gpu".
std::string_view toString(DeviceType type);

/// Returns the type of a device by its id: "cuda:1" is an NVIDIA GPU. An unknown id counts as a CPU.
DeviceType typeOfDevice(std::string_view id);

/// Returns whether the id is "cpu" or a known word with a number: "cuda:0".
bool isDeviceId(std::string_view id);

/// The use of a GPU by its processes, as its driver reports it at one moment.
struct GpuUse
{
    int processes = 0; ///< number of processes that compute on it
    int load = 0;      ///< percent of the last second in which a kernel ran
    base::Bytes memory{};

    /// Whether somebody uses it: a process computes on it, or kernels run on it.
    bool isBusy() const { return processes > 0 || load > kIdleLoad; }

    static constexpr int kIdleLoad = 5; ///< percent up to which a GPU counts as idle
};

/// A place where a model can run. `id` is what users type: "cpu", "cuda:0".
struct Device
{
    std::string id;
    DeviceType type{};
    std::string name;     ///< "AMD EPYC 9B45", "NVIDIA H200"
    std::string uuid;     ///< NVIDIA GPU: value for CUDA_VISIBLE_DEVICES
    base::Bytes memory{}; ///< the device's own memory, else the host's physical memory; 0: unknown
    int cores = 0;        ///< CPU: physical cores this process may use
    int threads = 0;      ///< CPU: logical processors this process may use
    std::vector<std::string>
        isa; ///< CPU: subset of "avx2","avx512f","avx512_vnni","avx512_bf16","amx_bf16","amx_int8","avx512_fp16"
    int computeMajor = 0; ///< NVIDIA GPU: compute capability
    int computeMinor = 0;
    std::string driver; ///< GPU driver version
    int clockMhz = 0;   ///< current core clock where readable, else 0
    int maxClockMhz = 0;
    std::vector<std::string> engines{}; ///< backends that can open it, as probed; not stored in workspaces
    std::string pci{};                  ///< NVIDIA GPU: address on the PCI bus, "0000:3b:00.0"; not stored
    std::vector<int> processors{};      ///< GPU: logical processors of its NUMA node; empty: unknown; not stored
    std::optional<GpuUse> use{};        ///< NVIDIA GPU: what others do with it, as probed; not stored
    base::Message noEnergy{};           ///< why its energy cannot be read, as probed; empty otherwise; not stored
    base::Message noEnergyRemedy{};     ///< how that can be changed; may be empty

    bool hasIsa(std::string_view flag) const;
    /// Whether it multiplies bf16 in hardware: AMX, AVX512-BF16, or NVIDIA GPU ≥ 8.0. Other accelerators count as
    /// native, because only their engines know: the precisions that an engine lists decide.
    bool nativeBf16() const;
    bool nativeFp16() const; ///< AVX512-FP16, AMX-FP16, or NVIDIA GPU ≥ 6.0; others as nativeBf16()
    bool tf32() const;       ///< NVIDIA GPU ≥ 8.0
    bool fp8() const;        ///< NVIDIA GPU ≥ 8.9
    bool vnni() const;       ///< x86: 8-bit products added in 32 bits (AVX-VNNI, AVX512-VNNI, AMX-INT8)
};

/// One kind of recording, whether this machine can make it and, if not, the remedy.
struct Capability
{
    std::string name; ///< "kernel trace", "hardware counters", "energy", …
    bool available = false;
    base::Message reason; ///< why it is not available; empty when it is
    base::Message remedy; ///< how to make it available; may be empty
};

/// The environment of a study, stored so that differences between studies can be explained.
struct Environment
{
    std::string host;
    std::string os;     ///< "Debian GNU/Linux 12 (bookworm)"
    std::string kernel; ///< uname -r
    std::string apertune;
    std::vector<Device> devices;
    std::vector<std::pair<std::string, std::string>> engines;  ///< backend -> version
    std::vector<std::pair<std::string, std::string>> settings; ///< governor, OMP_*, CUDA_*, relevant variables
    double loadAverage = 0;                                    ///< 1-minute load when the study began
};

/// Returns the version of an engine; null where the environment does not have it. The environment must outlive it.
const std::string* engineVersion(const Environment& environment, std::string_view engine);

/// OpenMP's setting for threads that wait for work: "active" ones spin, "passive" ones sleep. Spinning answers sooner
/// on a quiet machine. Beside other programs it keeps the processors from the threads that have work, which makes a
/// pass of LibTorch ten and more times slower.
inline constexpr const char* kWaitPolicy = "OMP_WAIT_POLICY";
inline constexpr const char* kPassiveWaits = "passive";

/// Whether Environment::settings hold kWaitPolicy with kPassiveWaits, in any case.
bool waitsPassively(const Environment& environment);

/// Returns the device with the id, or nullptr when there is none. The list must outlive the result.
const Device* findDevice(const std::vector<Device>& devices, std::string_view id);

} // namespace apertune::model
