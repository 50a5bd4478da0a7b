// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/library.h"

#include "plugins/onnxruntime/self_test.h"
#include "plugins/support/backend.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace apertune::ort {

namespace fs = std::filesystem;

namespace {

constexpr const char* kInstall =
    "Install it (pip install onnxruntime), or name its library (libonnxruntime.so.1.x) in APERTUNE_ONNXRUNTIME.";
constexpr const char* kReinstall = "Install the onnxruntime package again.";

std::string environment(const char* name)
{
    const char* value = std::getenv(name);
    return value ? value : "";
}

struct Version
{
    unsigned major = 0;
    unsigned minor = 0;
};

std::optional<Version> parseVersion(const char* text)
{
    Version version;
    if (!text || std::sscanf(text, "%u.%u", &version.major, &version.minor) != 2)
        return std::nullopt;
    return version;
}

Fault useless(const fs::path& file, const std::string& why)
{
    return {APERTUNE_INTERNAL, "The ONNX Runtime library is not usable: " + why + ".", kReinstall, file.string()};
}

using Entry = const ApiBase* (*)();

/// Finds the engine's entry symbol, in the library that APERTUNE_ONNXRUNTIME names or in those that the process loaded.
Entry findEntry(fs::path& file)
{
    // RTLD_DEFAULT searches what the process loaded already, such as the library of Python's package.
    void* symbols = RTLD_DEFAULT;
    file = environment("APERTUNE_ONNXRUNTIME");
    if (!file.empty()) {
        // RTLD_NOW: a library with missing symbols fails here and not while a model is measured.
        symbols = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!symbols) {
            const char* reason = ::dlerror();
            throw useless(file, reason ? reason : "it does not load");
        }
    }
    const auto entry = reinterpret_cast<Entry>(::dlsym(symbols, kEntrySymbol));
    if (!entry && file.empty())
        throw Fault(APERTUNE_UNSUPPORTED, "ONNX Runtime was not found.", kInstall);
    // The address identifies the file, also when the search of the loader found it.
    Dl_info info{};
    if (entry && ::dladdr(reinterpret_cast<void*>(entry), &info) && info.dli_fname)
        file = info.dli_fname;
    return entry;
}

Library load()
{
    Library engine;
    const Entry entry = findEntry(engine.file);
    const ApiBase* base = entry ? entry() : nullptr;
    if (!base || !base->table || !base->version)
        throw useless(engine.file, std::string("it has no ") + kEntrySymbol);
    const char* text = base->version();
    const auto version = parseVersion(text);
    if (!version)
        throw useless(engine.file, "it does not say its version");
    engine.version = text;
    // The version of the interface is the minor version of the library, which must not be asked for a later one.
    if (version->major != 1 || version->minor < kVersionNeeded)
        throw Fault(APERTUNE_UNSUPPORTED,
                    "ONNX Runtime " + engine.version + " is not supported: this backend needs 1." +
                        std::to_string(kVersionNeeded) + " or a later 1.x.",
                    "Install another version of the onnxruntime package.", engine.file.string());
    // A newer table contains the older one, so one binding serves both.
    const bool newer = version->minor >= kVersionNewer;
    const void* table = base->table(newer ? kVersionNewer : kVersionNeeded);
    if (!table)
        throw useless(engine.file, "version " + engine.version + " does not offer the interface of its own version");
    engine.api = bind(table, newer);

    if (const std::string wrong = selfTest(engine); !wrong.empty())
        throw useless(engine.file, "ONNX Runtime " + engine.version + " failed the self-test, " + wrong);
    return engine;
}

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

const Library& library()
{
    static const Library engine = load();
    return engine;
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
