// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/plugin_loader.h"

#include "core/base/files.h"

#include <dlfcn.h>

#include <initializer_list>

namespace apertune::worker {

using base::ErrorCode;

namespace {

constexpr const char* kAddTorch =
    "Add it with `apertune engine add libtorch`, or name a Python environment that has torch 2.11 in APERTUNE_TORCH.";

std::string loaderError()
{
    const char* text = ::dlerror();
    return text ? text : "no reason given";
}

base::Status loadLibraries(const std::filesystem::path& folder, std::initializer_list<const char*> names)
{
    for (const char* name : names) {
        const auto file = folder / name;
        if (!::dlopen(file.c_str(), RTLD_LAZY | RTLD_GLOBAL))
            return base::plainError(ErrorCode::notFound, "LibTorch cannot be loaded: " + loaderError() + ".",
                                    file.string(), kAddTorch);
    }
    return {};
}

/// The value of NAME in a file of lines like NAME = 'value' and NAME: type = 'value'; empty for None.
std::string quotedValue(const std::string& text, const std::string& name)
{
    const std::size_t begin = text.rfind("\n" + name);
    if (begin == std::string::npos)
        return {};
    const std::string line = text.substr(begin + 1, text.find('\n', begin + 1) - begin - 1);
    const std::size_t open = line.find('\'');
    const std::size_t close = line.rfind('\'');
    return open < close ? line.substr(open + 1, close - open - 1) : std::string();
}

/// "2.11" of "2.11.0+cu130": releases with the same fit each other.
std::string series(const std::string& version)
{
    return version.substr(0, version.find('.', version.find('.') + 1));
}

base::Status loadCudaHalf(const std::filesystem::path& folder)
{
    return loadLibraries(folder, {"libc10_cuda.so", "libtorch_cuda.so"});
}

base::Status loadTorch(const LoadRequest& request)
{
    if (request.torchRoot.empty())
        return base::plainError(ErrorCode::notFound, "LibTorch was not found.", {}, kAddTorch);
    if (auto fits = checkTorch(request.torchRoot, APERTUNE_TORCH_VERSION, APERTUNE_TORCH_CUDA); !fits)
        return fits;
    if (auto loaded = loadLibraries(request.torchRoot / "lib", {"libc10.so", "libtorch_cpu.so"}); !loaded)
        return loaded;
    // Without a device the backend is only described. Its CUDA half is useful then if there is a driver.
    const bool wanted =
        request.device.empty() ? ::dlopen("libcuda.so.1", RTLD_LAZY) != nullptr : request.device.rfind("cuda", 0) == 0;
    std::error_code ignored;
    if (!wanted || !std::filesystem::exists(request.torchRoot / "lib" / "libtorch_cuda.so", ignored))
        return {};
    return loadCudaHalf(request.torchRoot / "lib");
}

} // namespace

base::Status checkTorch(const std::filesystem::path& torchRoot, const std::string& version, const std::string& cuda)
{
    const auto text = base::readFile(torchRoot / "version.py");
    const std::string found = text ? quotedValue(*text, "__version__") : std::string();
    if (found.empty() || version.empty())
        return {};
    const std::string foundCuda = quotedValue(*text, "cuda");
    const auto major = [](const std::string& number) { return number.substr(0, number.find('.')); };
    if (series(found) == series(version) && (cuda.empty() || major(foundCuda) == major(cuda)))
        return {};
    return base::plainError(ErrorCode::unsupported,
                            "LibTorch " + found + " was found, and this backend was built for LibTorch " + version +
                                (cuda.empty() ? "" : " with CUDA " + cuda) + ".",
                            torchRoot.string(), kAddTorch);
}

base::Result<const apertune_plugin*> loadPlugin(const LoadRequest& request)
{
    const auto file = request.plugins / (request.backend + ".so");
    std::error_code ignored;
    if (request.backend.empty() || request.backend.find('/') != std::string::npos ||
        !std::filesystem::exists(file, ignored))
        return base::plainError(ErrorCode::notFound, "There is no backend \"" + request.backend + "\".", file.string(),
                                "List what there is with `apertune device list`.");

    const bool torch = request.backend == "libtorch";
    if (torch)
        if (auto loaded = loadTorch(request); !loaded)
            return loaded.error();
    for (const std::filesystem::path& vendor : request.preload)
        if (!::dlopen(vendor.c_str(), RTLD_LAZY | RTLD_GLOBAL))
            return base::plainError(ErrorCode::notFound,
                                    "The engine's library cannot be loaded: " + loaderError() + ".", vendor.string(),
                                    "Install its package again, or name another environment in APERTUNE_ENGINES.");

    void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    std::string reason = library ? "" : loaderError();
    // A plugin that was linked against the CUDA half needs it even on a machine without a driver.
    if (!library && torch && reason.find("_cuda.so") != std::string::npos) {
        if (auto loaded = loadCudaHalf(request.torchRoot / "lib"); !loaded)
            return loaded.error();
        library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        reason = library ? "" : loaderError();
    }
    if (!library)
        return base::plainError(ErrorCode::internal,
                                "The backend \"" + request.backend + "\" does not load: " + reason + ".", file.string(),
                                "Reinstall Apertune, and check that its engine's version is the one installed.");

    using Entry = decltype(&apertune_plugin_entry);
    const auto entry = reinterpret_cast<Entry>(::dlsym(library, APERTUNE_PLUGIN_ENTRY_SYMBOL));
    const apertune_plugin* plugin = entry ? entry() : nullptr;
    if (!plugin)
        return base::plainError(ErrorCode::unsupported, file.filename().string() + " is not an Apertune backend.",
                                file.string(), "Remove the file from the plugins folder.");
    if (plugin->abi_version != APERTUNE_PLUGIN_ABI_VERSION || plugin->struct_size < APERTUNE_PLUGIN_SMALLEST)
        return base::plainError(ErrorCode::unsupported,
                                "The backend \"" + request.backend + "\" speaks plugin ABI " +
                                    std::to_string(plugin->abi_version) + ", this worker " +
                                    std::to_string(APERTUNE_PLUGIN_ABI_VERSION) + ".",
                                file.string(), "Build or install both from the same version.");
    return plugin;
}

} // namespace apertune::worker
