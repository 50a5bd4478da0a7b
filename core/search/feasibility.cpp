// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/feasibility.h"

#include "core/base/text.h"
#include "core/model/switch_conflict.h"

#include <algorithm>

namespace apertune::search {

using model::Config;
using model::Device;
using model::DeviceKind;
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

std::string backendHindrance(const Device& device, const BackendInfo& backend)
{
    if (backend.switches.empty() && backend.precisions.empty() && backend.deviceIds.empty())
        return "The backend " + backend.name + " cannot run here" +
               (backend.cannotCompileReason.empty() ? "." : ": " + backend.cannotCompileReason);
    if (!contains(backend.deviceIds, device.id))
        return "The backend " + backend.name + " cannot use " + device.id + " here" +
               (backend.notes.empty() ? "." : ": " + base::join(backend.notes, "; ") + ".");
    return {};
}

/// With the common levels and TorchScript, int8 and fp8 come about when the model is compiled.
bool quantizesByCompiling(const BackendInfo& backend)
{
    return backend.levels.empty() && opensTorchScript(backend);
}

/// Whether the model runs on a device of the backend's own, whose precisions only the backend knows.
bool runsElsewhere(const Config& config, const BackendInfo& backend)
{
    return std::any_of(backend.elsewhere.begin(), backend.elsewhere.end(),
                       [&](const std::string& name) { return config.isOn(name); });
}

std::string precisionHindrance(Precision precision, const Device& device, const BackendInfo& backend, bool emulated)
{
    const bool gpu = device.kind == DeviceKind::cuda;
    const std::string capability = ", " + nameOf(device) + " has " + std::to_string(device.computeMajor) + "." +
                                   std::to_string(device.computeMinor) + ".";
    if (precision == Precision::tf32 && !gpu)
        return "tf32 arithmetic exists on GPUs only.";
    if (precision == Precision::tf32 && !device.tf32())
        return "tf32 needs compute capability 8.0" + capability;
    if (precision == Precision::fp8 && !gpu)
        return "fp8 needs a GPU of compute capability 8.9.";
    if (precision == Precision::fp8 && !device.fp8())
        return "fp8 needs compute capability 8.9" + capability;
    if (precision == Precision::bf16 && !device.nativeBf16() && !emulated)
        return gpu ? "bf16 needs compute capability 8.0" + capability
                   : nameOf(device) + " has no bf16 arithmetic (AVX512-BF16 or AMX) and would only emulate it.";
    if (precision == Precision::fp16 && !device.nativeFp16() && !emulated)
        return gpu ? "fp16 needs compute capability 6.0" + capability
                   : nameOf(device) + " has no fp16 arithmetic (AVX512-FP16 or AMX-FP16) and would only emulate it.";
    if (!contains(backend.precisions, toString(precision)))
        return "The backend " + backend.name + " does not offer " + std::string(toString(precision)) + ".";
    if (precision == Precision::int8 && quantizesByCompiling(backend)) {
        if (gpu)
            return backend.name + " computes int8 on a CPU only.";
        if (!device.vnni() && !emulated)
            return nameOf(device) + " has no 8-bit dot products (VNNI or AMX) and would only emulate int8.";
    }
    return {};
}

std::string switchHindrance(const Config& config, const Device& device, const BackendInfo& backend)
{
    const bool gpu = device.kind == DeviceKind::cuda;
    for (const model::SwitchInfo& info : model::switchCatalogue())
        if (config.isOn(info.name) && !(gpu ? info.onCuda : info.onCpu))
            return info.name + (gpu ? " works on a CPU only." : " works on a GPU only.");
    if (std::string conflict = model::switchConflict(config.switches); !conflict.empty())
        return conflict;
    const bool quantized = config.precision == Precision::int8 || config.precision == Precision::fp8;
    if (quantized && quantizesByCompiling(backend) && !config.isOn("aoti"))
        return std::string(toString(config.precision)) + " is made when the model is compiled, at O3: it needs aoti.";
    if (config.isOn("tf32") && config.precision != Precision::tf32)
        return "tf32 is arithmetic on fp32 tensors and does nothing at " + std::string(toString(config.precision)) +
               ".";
    for (const auto& [name, on] : config.switches)
        if (on && !contains(backend.switches, name))
            return "The backend " + backend.name + " has no switch " + name + ".";
    return {};
}

/// Other formats are written from TorchScript or the exported program, so a model that is an ONNX or OpenVINO IR file
/// has that format alone.
std::string formatHindrance(const BackendInfo& backend, const model::ModelRef& model)
{
    if (backend.formats.empty() || model.files.empty())
        return {};
    const bool opens = std::any_of(model.files.begin(), model.files.end(),
                                   [&](const auto& file) { return contains(backend.formats, file.first); });
    const bool convertible = model.files.contains("torchscript");
    if (opens || (convertible && backend.cannotConvertReason.empty()))
        return {};
    if (convertible)
        return "The model cannot be written for " + backend.name + ": " + backend.cannotConvertReason;
    return "The model is there as " + model.files.begin()->first + " only, which the backend " + backend.name +
           " does not open.";
}

std::string modelHindrance(const Config& config, const BackendInfo& backend, const model::ModelRef& model)
{
    if (!model.dynamicBatch && config.batch != 1)
        return "The model takes batch 1 only: its batch dimension is fixed.";
    if (!config.isOn("aoti"))
        return {};
    if (!model.hasExportedProgram) {
        const auto why = std::find_if(model.notes.rbegin(), model.notes.rend(), [](const std::string& note) {
            return note.find("torch.export") != std::string::npos;
        });
        return "The model has no exported program to compile from" + (why != model.notes.rend() ? ": " + *why
                                                                      : model.source.find(':') == std::string::npos
                                                                          ? "; a TorchScript file cannot be compiled."
                                                                          : std::string("."));
    }
    if (!backend.canCompile)
        return backend.cannotCompileReason.empty()
                   ? "Nothing can compile a package here."
                   : "Nothing can compile a package here: " + backend.cannotCompileReason;
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
    std::string text = backendHindrance(device, backend);
    if (text.empty())
        text = formatHindrance(backend, model); // of all its configurations, whatever else they lack
    if (text.empty())
        text = precisionHindrance(config.precision, device, backend, emulated || runsElsewhere(config, backend));
    if (text.empty())
        text = switchHindrance(config, device, backend);
    if (text.empty())
        text = modelHindrance(config, backend, model);
    return text.empty() ? model::Reason{} : model::Reason{"impossible", std::move(text), {}};
}

} // namespace apertune::search
