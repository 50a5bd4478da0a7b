// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/load_library.h"

#include "plugins/onnxruntime/self_test.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

namespace apertune::ort {

namespace fs = std::filesystem;

namespace {

constexpr const char* kInstall =
    "Install it (pip install onnxruntime), or name its library (libonnxruntime.so.1.x) in APERTUNE_ONNXRUNTIME.";

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

} // namespace

const Library& library()
{
    static const Library engine = load();
    return engine;
}

} // namespace apertune::ort
