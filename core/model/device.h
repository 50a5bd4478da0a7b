// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::model {

enum class DeviceKind { cpu = 0, cuda = 1 };
std::string_view toString(DeviceKind kind); ///< "cpu", "cuda"
std::optional<DeviceKind> deviceKindFromString(std::string_view text);

/// Of a device by its id, as trials name it: "cuda:1" is cuda, everything else cpu.
DeviceKind kindOfDevice(std::string_view id);

/// A place where a model can run. `id` is what users type: "cpu", "cuda:0".
struct Device
{
    std::string id;
    DeviceKind kind = DeviceKind::cpu;
    std::string name;     ///< "AMD EPYC 9B45", "NVIDIA H200"
    std::string uuid;     ///< GPU only; what CUDA_VISIBLE_DEVICES is set to
    base::Bytes memory{}; ///< host: physical memory; GPU: device memory
    int cores = 0;        ///< CPU: physical cores this process may use
    int threads = 0;      ///< CPU: logical processors this process may use
    std::vector<std::string>
        isa;              ///< CPU: of "avx2","avx512f","avx512_vnni","avx512_bf16","amx_bf16","amx_int8","avx512_fp16"
    int computeMajor = 0; ///< GPU compute capability
    int computeMinor = 0;
    std::string driver; ///< GPU driver version
    int clockMhz = 0;   ///< current core clock where readable, else 0
    int maxClockMhz = 0;

    bool hasIsa(std::string_view flag) const;
    bool nativeBf16() const; ///< bf16 products in hardware: AMX, AVX512-BF16, or GPU ≥ 8.0
    bool nativeFp16() const; ///< AVX512-FP16/AMX-FP16, or GPU ≥ 6.0
    bool tf32() const;       ///< GPU ≥ 8.0
    bool fp8() const;        ///< GPU ≥ 8.9
    bool vnni() const;       ///< x86: 8-bit products added in 32 bits (AVX-VNNI, AVX512-VNNI, AMX-INT8)
};

/// One thing that a machine could record, whether it can here, and if not what would make it possible.
struct Capability
{
    std::string name; ///< "kernel trace", "hardware counters", "energy", …
    bool available = false;
    std::string reason; ///< why not; empty when available
    std::string remedy; ///< what to do about it; may be empty
};

/// The surroundings of a study, recorded so that two studies can be told apart later.
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

} // namespace apertune::model
