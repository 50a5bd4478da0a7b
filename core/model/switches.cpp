// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/switches.h"

#include "core/model/switch_reasons.h"

/// Qt's lupdate finds the summaries, which the window shows in its language, by this name.
#define QT_TRANSLATE_NOOP(context, text) text

namespace apertune::model {

namespace {

bool optimized(OptLevel level, Precision)
{
    return level != OptLevel::o0;
}

bool inO1(OptLevel level, Precision)
{
    return level == OptLevel::o1;
}

bool inO2(OptLevel level, Precision)
{
    return level == OptLevel::o2;
}

bool inO3(OptLevel level, Precision)
{
    return level == OptLevel::o3;
}

bool inO1AndO2(OptLevel level, Precision)
{
    return level == OptLevel::o1 || level == OptLevel::o2;
}

/// Not with fp8: AOTInductor of PyTorch 2.11 gives wrong results for a first convolution whose weight is computed and
/// whose input is NHWC (seen on an H100), and it chooses NHWC inside of the package anyway.
bool sixteenBitFromO2(OptLevel level, Precision precision)
{
    return level >= OptLevel::o2 && (precision == Precision::bf16 || precision == Precision::fp16);
}

bool withTf32(OptLevel, Precision precision)
{
    return precision == Precision::tf32;
}

SwitchRelation replacedByAoti(const char* name)
{
    return {"aoti", base::message<reasons::kReplacedByAoti>(name)};
}

} // namespace

const std::vector<SwitchInfo>& switchCatalogue()
{
    static const std::vector<SwitchInfo> kCatalogue{
        {.name = "jit_optimize",
         .summary = QT_TRANSLATE_NOOP("core", "TorchScript profiling executor: specialises and fuses per input shape"),
         .level = inO1AndO2,
         .excludes = {replacedByAoti("jit_optimize")},
         .hashedWhenOff = true},
        {.name = "freeze",
         .summary =
             QT_TRANSLATE_NOOP("core", "Parameters become constants; batch norm and scaling folded into convolutions"),
         .level = optimized,
         .compile = {.off = {"--no-freezing"}},
         .hashedWhenOff = true},
        {.name = "optimize_for_inference",
         .summary = QT_TRANSLATE_NOOP("core", "conv+add+relu fusion and the device library's own weight layouts"),
         .level = inO1,
         .excludes = {{"onednn_graph", base::message<reasons::kGraphOrOptimize>()},
                      replacedByAoti("optimize_for_inference")},
         .hashedWhenOff = true},
        {.name = "onednn_graph",
         .summary = QT_TRANSLATE_NOOP("core", "oneDNN Graph fuses chains of operators"),
         .devices = &DeviceType::isCpu,
         .level = inO2,
         .needs = {"jit_optimize", base::message<reasons::kGraphNeedsJit>()},
         .excludes = {replacedByAoti("onednn_graph")},
         .hashedWhenOff = true},
        {.name = "keep_memory",
         .summary =
             QT_TRANSLATE_NOOP("core", "Freed memory stays with the process, so that no pass pays for fresh pages"),
         .devices = &DeviceType::isCpu,
         .level = optimized},
        {.name = "channels_last",
         .summary = QT_TRANSLATE_NOOP("core", "NHWC memory layout for weights and inputs"),
         .level = sixteenBitFromO2,
         .compile = {.on = {"--channels-last"}},
         .hashedWhenOff = true},
        {.name = "cudnn_benchmark",
         .summary = QT_TRANSLATE_NOOP("core", "cuDNN times its algorithms and keeps the fastest"),
         .devices = &DeviceType::isNvidiaGpu,
         .level = optimized,
         .hashedWhenOff = true},
        {.name = "tf32",
         .summary = QT_TRANSLATE_NOOP("core", "TensorFloat-32 arithmetic in convolutions and matrix products"),
         .devices = &DeviceType::isNvidiaGpu,
         .level = withTf32,
         .hashedWhenOff = true},
        {.name = "aoti",
         .summary = QT_TRANSLATE_NOOP("core", "Compiled ahead of time by AOTInductor, for each batch size"),
         .level = inO3,
         .hashedWhenOff = true},
        {.name = "max_autotune",
         .summary = QT_TRANSLATE_NOOP("core", "AOTInductor searches kernel variants while compiling"),
         .compile = {.on = {"--max-autotune"}},
         .needs = {"aoti"},
         .inPrograms = false,
         .hashedWhenOff = true},
        {.name = "aoti_dynamic_batch",
         .summary = QT_TRANSLATE_NOOP("core", "One package serves every batch, instead of one compiled for each"),
         .compile = {.on = {"--dynamic-batch"}},
         .needs = {"aoti"},
         .inPrograms = false},
        {.name = "sdpa_math",
         .summary = QT_TRANSLATE_NOOP("core", "Attention as plain products and a softmax, without a fused kernel"),
         .compile = {.on = {"--attention", "math"}},
         .excludes = {{"sdpa_flash", base::message<reasons::kOneAttention>()},
                      {"sdpa_efficient", base::message<reasons::kOneAttention>()}}},
        {.name = "sdpa_flash",
         .summary = QT_TRANSLATE_NOOP("core", "Attention by the flash kernel, where it exists for the tensors"),
         .devices = &DeviceType::isNvidiaGpu,
         .compile = {.on = {"--attention", "flash"}},
         .excludes = {{"sdpa_efficient", base::message<reasons::kOneAttention>()}}},
        {.name = "sdpa_efficient",
         .summary =
             QT_TRANSLATE_NOOP("core", "Attention by the memory-efficient kernel, where it exists for the tensors"),
         .devices = &DeviceType::isNvidiaGpu,
         .compile = {.on = {"--attention", "efficient"}}},
        {.name = "cuda_graph",
         .summary = QT_TRANSLATE_NOOP("core", "The forward pass is captured once and replayed as a CUDA graph"),
         .devices = &DeviceType::isNvidiaGpu,
         .level = inO3,
         .hashedWhenOff = true},
    };
    return kCatalogue;
}

const SwitchInfo* findSwitch(std::string_view name)
{
    for (const SwitchInfo& info : switchCatalogue())
        if (info.name == name)
            return &info;
    return nullptr;
}

std::string switchConstant(std::string_view name)
{
    // Names of switches have underscores, constants of the project begin with k: `cuda_graph` is kCudaGraph.
    std::string constant = "k";
    bool wordBegins = true;
    for (const char c : name) {
        if (c == '_') {
            wordBegins = true;
            continue;
        }
        constant += wordBegins && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        wordBegins = false;
    }
    return constant;
}

SwitchMap expandLevel(OptLevel level, Precision precision, DeviceType device)
{
    SwitchMap switches;
    for (const SwitchInfo& info : switchCatalogue())
        if (info.knownOn(device))
            switches[info.name] = info.level && info.level(level, precision);
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
    if (!device.type.isCpu())
        return Precision::fp16;
    return device.nativeBf16() ? Precision::bf16 : Precision::fp32;
}

} // namespace apertune::model
