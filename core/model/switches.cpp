// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/switches.h"

namespace apertune::model {

const std::vector<SwitchInfo>& switchCatalogue()
{
    static const std::vector<SwitchInfo> kCatalogue{
        {"jit_optimize", "TorchScript profiling executor: specialises and fuses per input shape", true, true},
        {"freeze", "Parameters become constants; batch norm and scaling folded into convolutions", true, true},
        {"optimize_for_inference", "conv+add+relu fusion and the device library's own weight layouts", true, true},
        {"onednn_graph", "oneDNN Graph fuses chains of operators", true, false},
        {"channels_last", "NHWC memory layout for weights and inputs", true, true},
        {"cudnn_benchmark", "cuDNN times its algorithms and keeps the fastest", false, true},
        {"tf32", "TensorFloat-32 arithmetic in convolutions and matrix products", false, true},
        {"aoti", "Compiled ahead of time by AOTInductor, for each batch size", true, true},
        {"max_autotune", "AOTInductor searches kernel variants while compiling", true, true},
        {"aoti_dynamic_batch", "One package serves every batch, instead of one compiled for each", true, true},
        {"sdpa_math", "Attention as plain products and a softmax, without a fused kernel", true, true},
        {"sdpa_flash", "Attention by the flash kernel, where it exists for the tensors", false, true},
        {"sdpa_efficient", "Attention by the memory-efficient kernel, where it exists for the tensors", false, true},
        {"cuda_graph", "The forward pass is captured once and replayed as a CUDA graph", false, true},
    };
    return kCatalogue;
}

SwitchMap expandLevel(OptLevel level, Precision precision, DeviceKind device)
{
    const bool cuda = device == DeviceKind::cuda;
    SwitchMap switches;
    for (const SwitchInfo& info : switchCatalogue())
        if (cuda ? info.onCuda : info.onCpu)
            switches[info.name] = false;

    const bool optimized = level != OptLevel::o0;
    const bool sixteenBit = precision == Precision::bf16 || precision == Precision::fp16 || precision == Precision::fp8;
    switches["jit_optimize"] = level == OptLevel::o1 || level == OptLevel::o2;
    switches["freeze"] = optimized;
    switches["optimize_for_inference"] = level == OptLevel::o1;
    switches["channels_last"] = level >= OptLevel::o2 && sixteenBit;
    switches["aoti"] = level == OptLevel::o3;
    if (cuda) {
        switches["cudnn_benchmark"] = optimized;
        switches["tf32"] = precision == Precision::tf32;
        switches["cuda_graph"] = level == OptLevel::o3;
    } else {
        switches["onednn_graph"] = level == OptLevel::o2;
    }
    return switches;
}

Precision defaultPrecision(OptLevel level, const Device& device)
{
    switch (level) {
    case OptLevel::o0:
        return Precision::fp32;
    case OptLevel::o1:
        return device.tf32() ? Precision::tf32 : Precision::fp32;
    case OptLevel::o2:
    case OptLevel::o3:
        break;
    }
    if (device.kind == DeviceKind::cuda)
        return Precision::fp16;
    return device.nativeBf16() ? Precision::bf16 : Precision::fp32;
}

} // namespace apertune::model
