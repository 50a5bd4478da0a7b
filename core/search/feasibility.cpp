// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/feasibility.h"

#include "core/base/text.h"
#include "core/model/switch_conflict.h"
#include "core/search/reasons.h"

#include <algorithm>

namespace apertune::search {

using model::Config;
using model::Device;
using model::Precision;

namespace {

bool contains(const std::vector<std::string>& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string nameOf(const Device& device)
{
    return device.name.empty() ? device.id : device.name;
}

base::Message backendObstacle(const Device& device, const BackendInfo& backend)
{
    // A backend that describes nothing could not be loaded; its only reason is the one for compiling.
    if (backend.switches.empty() && backend.precisions.empty() && backend.deviceIds.empty())
        return backend.cannotCompileReason.empty()
                   ? base::message<reasons::kBackendCannotRun>(backend.name)
                   : base::message<reasons::kBackendCannotRunBecause>(backend.name, backend.cannotCompileReason);
    if (!contains(backend.deviceIds, device.id))
        return backend.notes.empty() ? base::message<reasons::kBackendCannotUse>(backend.name, device.id)
                                     : base::message<reasons::kBackendCannotUseBecause>(
                                           backend.name, device.id, base::join(backend.notes, "; "));
    return {};
}

/// A backend with the common levels that loads TorchScript quantizes to int8 and fp8 while it compiles the model.
bool quantizesByCompiling(const BackendInfo& backend)
{
    return backend.levels.empty() && opensTorchScript(backend);
}

base::Message precisionObstacle(Precision precision, const Device& device, const BackendInfo& backend, bool emulated)
{
    const bool gpu = device.type.isNvidiaGpu();
    const auto needsCapability = [&](const char* capability) {
        return base::message<reasons::kNeedsCapability>(toString(precision), capability, nameOf(device),
                                                        std::to_string(device.computeMajor) + "." +
                                                            std::to_string(device.computeMinor));
    };
    const auto emulates = [&](const char* instructions, const char* otherwise) {
        return base::message<reasons::kEmulated>(nameOf(device), toString(precision),
                                                 base::message<reasons::kEither>(instructions, otherwise));
    };
    if (precision == Precision::tf32 && !gpu)
        return base::message<reasons::kGpuOnly>(toString(precision));
    if (precision == Precision::tf32 && !device.tf32())
        return needsCapability("8.0");
    if (precision == Precision::fp8 && !gpu)
        return base::message<reasons::kNeedsGpu>(toString(precision), "8.9");
    if (precision == Precision::fp8 && !device.fp8())
        return needsCapability("8.9");
    // bf16 without instructions would be emulated and slower than fp32, so it is left out unless it was asked for.
    if (precision == Precision::bf16 && !device.nativeBf16() && !emulated)
        return gpu ? needsCapability("8.0") : emulates("AVX512-BF16", "AMX");
    if (precision == Precision::fp16 && !device.nativeFp16() && !emulated)
        return gpu ? needsCapability("6.0") : emulates("AVX512-FP16", "AMX-FP16");
    if (!contains(backend.precisionsFor(device.id), toString(precision)))
        return base::message<reasons::kNotOffered>(backend.name, toString(precision));
    if (precision == Precision::int8 && quantizesByCompiling(backend)) {
        if (!device.type.isCpu())
            return base::message<reasons::kInt8CpuOnly>(backend.name);
        if (!device.vnni() && !emulated)
            return base::message<reasons::kInt8Emulated>(nameOf(device));
    }
    return {};
}

base::Message switchObstacle(const Config& config, const Device& device, const BackendInfo& backend)
{
    for (const model::SwitchInfo& info : model::switchCatalogue())
        // The catalogue is asked before the backend's list, so the reason can name the device that knows the switch.
        if (config.isOn(info.name) && !info.knownOn(device.type))
            return info.knownOn(model::DeviceType::cpu()) ? base::message<reasons::kSwitchCpuOnly>(info.name)
                                                          : base::message<reasons::kSwitchGpuOnly>(info.name);
    if (base::Message conflict = model::switchConflict(config.switches); !conflict.empty())
        return conflict;
    const bool quantized = config.precision == Precision::int8 || config.precision == Precision::fp8;
    if (quantized && quantizesByCompiling(backend) && !config.isCompiled())
        return base::message<reasons::kQuantizedNeedsAoti>(toString(config.precision));
    if (config.isOn("tf32") && config.precision != Precision::tf32)
        return base::message<reasons::kTf32NeedsFp32>(toString(config.precision));
    for (const auto& [name, on] : config.switches)
        if (on && !contains(backend.switches, name))
            return base::message<reasons::kNoSuchSwitch>(backend.name, name);
    return {};
}

/// The exporter writes other formats from TorchScript or from the exported program. A model that was imported as ONNX
/// or OpenVINO IR therefore has that format alone.
base::Message formatObstacle(const BackendInfo& backend, const model::ModelRef& model)
{
    // A backend or a model without formats does not say what it opens, so it is tried.
    if (backend.formats.empty() || model.files.empty())
        return {};
    const bool opens = std::any_of(model.files.begin(), model.files.end(),
                                   [&](const auto& file) { return contains(backend.formats, file.first); });
    const bool convertible = model.files.contains("torchscript");
    if (opens || (convertible && backend.cannotConvertReason.empty()))
        return {};
    if (convertible)
        return base::message<reasons::kCannotConvert>(backend.name, backend.cannotConvertReason);
    return base::message<reasons::kFormatNotOpened>(model.files.begin()->first, backend.name);
}

/// Only TorchScript keeps a model's state, and only the same generator draws the same numbers at the same precision.
base::Message behaviourObstacle(const Config& config, const BackendInfo& backend, const model::ModelRef& model)
{
    const bool asPyTorch = opensTorchScript(backend) && !config.isCompiled();
    if (!model.state.empty() && !asPyTorch)
        return base::message<reasons::kLosesState>(base::join(model.state), backend.name);
    if (model.random && !asPyTorch)
        return base::message<reasons::kDrawsOtherwise>(backend.name);
    if (model.random && config.precision != Precision::fp32 && config.precision != Precision::tf32)
        return base::message<reasons::kDrawsOtherwiseAt>(toString(config.precision));
    return {};
}

base::Message modelObstacle(const Config& config, const BackendInfo& backend, const model::ModelRef& model)
{
    if (!model.dynamicBatch && config.batch != 1)
        return base::message<reasons::kFixedBatch>();
    if (const auto failing = model.failingBatches.find(config.batch); failing != model.failingBatches.end())
        return base::message<reasons::kFailingBatch>(std::int64_t{config.batch}, failing->second);
    if (!config.isCompiled())
        return {};
    if (!model.hasExportedProgram) {
        // The last note about torch.export is the one that explains the failure.
        const auto why = std::find_if(model.notes.rbegin(), model.notes.rend(), [](const std::string& note) {
            return note.find("torch.export") != std::string::npos;
        });
        if (why != model.notes.rend())
            return base::message<reasons::kNoExportedProgramBecause>(*why);
        // A source with a colon names where the model was imported from; other sources are files of TorchScript.
        return model.source.find(':') == std::string::npos ? base::message<reasons::kTorchScriptNotCompiled>()
                                                           : base::message<reasons::kNoExportedProgram>();
    }
    if (!backend.canCompile)
        return backend.cannotCompileReason.empty()
                   ? base::message<reasons::kNoCompiler>()
                   : base::message<reasons::kNoCompilerBecause>(backend.cannotCompileReason);
    return {};
}

} // namespace

bool opensTorchScript(const BackendInfo& backend)
{
    return contains(backend.formats, "torchscript");
}

model::Reason whyImpossible(const Config& config, const Device& device, const BackendInfo& backend,
                            const model::ModelRef& model, bool emulated)
{
    base::Message why = backendObstacle(device, backend);
    if (why.empty())
        why = formatObstacle(backend, model); // one reason for all configurations of a backend, so it comes early
    if (why.empty())
        why = precisionObstacle(config.precision, device, backend, emulated);
    if (why.empty())
        why = switchObstacle(config, device, backend);
    if (why.empty())
        why = behaviourObstacle(config, backend, model);
    if (why.empty())
        why = modelObstacle(config, backend, model);
    return why.empty() ? model::Reason{} : model::Reason{model::ReasonKind::impossible, std::move(why)};
}

} // namespace apertune::search
