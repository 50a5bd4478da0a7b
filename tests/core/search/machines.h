// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/grid.h"

#include <string>
#include <vector>

namespace apertune::search::test {

inline model::Device avx2Cpu()
{
    model::Device cpu;
    cpu.id = "cpu";
    cpu.name = "AMD EPYC 9B45";
    cpu.cores = 2;
    cpu.threads = 4;
    cpu.isa = {"avx2"};
    return cpu;
}

inline model::Device amxCpu()
{
    model::Device cpu = avx2Cpu();
    cpu.name = "Intel Xeon Platinum 8481C";
    cpu.isa = {"avx2", "avx512f", "avx512_vnni", "avx512_bf16", "avx512_fp16", "amx_bf16", "amx_int8"};
    return cpu;
}

inline model::Device gpu(const std::string& id = "cuda:0", const std::string& name = "NVIDIA H200", int major = 9,
                         int minor = 0)
{
    model::Device device;
    device.id = id;
    device.type = model::DeviceType::nvidiaGpu();
    device.name = name;
    device.computeMajor = major;
    device.computeMinor = minor;
    return device;
}

/// What the LibTorch backend reports where it has everything.
inline BackendInfo libtorch()
{
    BackendInfo info;
    info.name = "libtorch";
    for (const model::SwitchInfo& entry : model::switchCatalogue())
        info.switches.push_back(entry.name);
    info.precisions = {"fp32", "tf32", "bf16", "fp16"};
    info.deviceIds = {"cpu", "cuda:0", "cuda:1"};
    info.canCompile = true;
    return info;
}

inline model::ModelRef resnet()
{
    model::ModelRef ref;
    ref.name = "resnet50";
    ref.dynamicBatch = true;
    ref.hasExportedProgram = true;
    return ref;
}

} // namespace apertune::search::test
