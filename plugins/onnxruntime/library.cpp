// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/library.h"

#include "plugins/support/backend.h"

#include <algorithm>

namespace apertune::ort {

namespace {

bool mentionsOutOfMemory(std::string_view text)
{
    for (const char* phrase : {"Failed to allocate memory", "bad_alloc", "Available memory of",
                               "CUDA failure 2:", "out of memory", "CUBLAS_STATUS_ALLOC_FAILED"})
        if (text.find(phrase) != std::string_view::npos)
            return true;
    return false;
}

/// The errors of CUDA after which the context is dead.
bool mentionsDeviceLost(std::string_view text)
{
    for (const char* phrase : {"CUDA failure 700", "CUDA failure 719", "CUDA failure 214", "CUDA failure 999"})
        if (text.find(phrase) != std::string_view::npos)
            return true;
    return false;
}

/// Removes source locations from a message. The engine puts them before the text, each a path without blanks.
std::string essential(std::string_view text)
{
    text = text.substr(0, text.find('\n'));
    return text.empty() ? "no message" : std::string(text.substr(0, 300));
}

} // namespace

bool Library::has(std::string_view provider) const
{
    return std::find(providers.begin(), providers.end(), provider) != providers.end();
}

void Library::check(Status* status) const
{
    if (!status)
        return;
    const char* text = api.getErrorMessage(status);
    EngineError error(api.getErrorCode(status), text ? text : "");
    api.releaseStatus(status);
    throw error;
}

std::string Library::take(char* text) const
{
    std::string copy = text ? text : "";
    if (text)
        check(api.freeOf(allocator, text));
    return copy;
}

Fault classify(const std::exception& error, Phase phase)
{
    const std::string text = error.what();
    const auto* ours = dynamic_cast<const EngineError*>(&error);
    const int code = ours ? ours->code : kRuntimeException;
    // ONNX Runtime has no code for these two, so their text identifies them.
    const std::string detail = plugins::shortened(text);
    if (mentionsOutOfMemory(text))
        return {APERTUNE_OUT_OF_MEMORY, "Memory ran out: " + essential(text),
                "Use a smaller batch, or free memory on the device.", detail};
    if (mentionsDeviceLost(text))
        return {APERTUNE_DEVICE_LOST, "The device stopped working: " + essential(text),
                "The process must be replaced. If it happens again with this model, look at the driver's log (dmesg).",
                detail};
    if (phase == Phase::describing)
        return {APERTUNE_INTERNAL, "ONNX Runtime failed: " + essential(text), kReinstall, detail};
    if (phase == Phase::running)
        return {APERTUNE_MODEL_THREW, "The model failed while running: " + essential(text),
                "Try another batch, or run the model with ONNX Runtime in Python to see the cause.", detail};
    switch (code) {
    case kInvalidProtobuf:
        return {APERTUNE_BAD_INPUT, "The model is not an ONNX file, or it is damaged.", "Import the model again.",
                detail};
    case kInvalidGraph:
        return {APERTUNE_BAD_INPUT, "The ONNX model is not valid: " + essential(text),
                "Export the model again; its graph contradicts itself.", detail};
    case kNotImplemented:
        return {APERTUNE_UNSUPPORTED,
                "ONNX Runtime has no implementation of an operator of this model: " + essential(text),
                "Use another backend for this model.", detail};
    default:
        return {APERTUNE_BAD_INPUT, "ONNX Runtime cannot load the model: " + essential(text),
                "Import the model again; if it fails again, the model or this configuration is not usable with ONNX "
                "Runtime.",
                detail};
    }
}

} // namespace apertune::ort
