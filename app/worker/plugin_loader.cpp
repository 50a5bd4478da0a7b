// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/plugin_loader.h"

#include "app/worker/program_errors.h"
#include "core/base/files.h"
#include "core/worker/errors.h"

#include <dlfcn.h>

#include <initializer_list>

namespace apertune::worker {

using base::ErrorCode;

namespace {

/// "2.11" of "2.11.0+cu130": releases with the same fit each other.
std::string series(const std::string& version)
{
    return version.substr(0, version.find('.', version.find('.') + 1));
}

/// What to do where there is no LibTorch that this backend can load.
base::Message addTorch()
{
    return base::message<program_errors::kAddTorch>(series(APERTUNE_TORCH_VERSION));
}

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
            return base::Error{ErrorCode::notFound, base::message<program_errors::kTorchDoesNotLoad>(loaderError()),
                               file.string(), addTorch()};
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

bool isGpu(const std::string& device)
{
    return device.starts_with("cuda");
}

base::Status loadCudaHalf(const std::filesystem::path& folder)
{
    return loadLibraries(folder, {"libc10_cuda.so", "libtorch_cuda.so"});
}

/// Loads LibTorch and returns the library of the backend that fits it.
base::Result<std::filesystem::path> loadTorch(const LoadRequest& request)
{
    if (request.torchRoot.empty())
        return base::Error{ErrorCode::notFound, base::message<errors::kNotInstalled>("LibTorch"), {}, addTorch()};
    auto fitting = libtorchPlugin(request, {APERTUNE_TORCH_VERSION, APERTUNE_TORCH_CUDA});
    if (!fitting)
        return fitting;
    if (auto loaded = loadLibraries(request.torchRoot / "lib", {"libc10.so", "libtorch_cpu.so"}); !loaded)
        return loaded.error();
    // Without a device the backend is only described. Its CUDA half is useful then if there is a driver.
    const bool wanted = request.device.empty() ? ::dlopen("libcuda.so.1", RTLD_LAZY) != nullptr : isGpu(request.device);
    std::error_code ignored;
    if (wanted && std::filesystem::exists(request.torchRoot / "lib" / "libtorch_cuda.so", ignored))
        if (auto loaded = loadCudaHalf(request.torchRoot / "lib"); !loaded)
            return loaded.error();
    return fitting;
}

} // namespace

base::Result<std::filesystem::path> libtorchPlugin(const LoadRequest& request, const TorchBuild& own)
{
    const auto text = base::readFile(request.torchRoot / "version.py");
    const std::string found = text ? quotedValue(*text, "__version__") : std::string();
    const std::string cuda = text ? quotedValue(*text, "cuda") : std::string();
    const auto major = [](const std::string& number) { return number.substr(0, number.find('.')); };
    if (found.empty() || own.version.empty() ||
        (series(found) == series(own.version) && (own.cuda.empty() || major(cuda) == major(own.cuda))))
        return request.plugins / "libtorch.so";
    std::vector<std::string> builds{cuda.empty() ? "cpu" : "cu" + major(cuda)};
    if (!isGpu(request.device))
        builds.emplace_back("cpu");
    std::error_code ignored;
    for (const std::string& build : builds)
        if (auto file = request.plugins / "libtorch" / (series(found) + "-" + build + ".so");
            std::filesystem::exists(file, ignored))
            return file;
    return base::Error{ErrorCode::unsupported,
                       own.cuda.empty()
                           ? base::message<program_errors::kOtherTorch>(found, own.version)
                           : base::message<program_errors::kOtherTorchOfCuda>(found, own.version, own.cuda),
                       request.torchRoot.string(), addTorch()};
}

base::Result<const apertune_plugin*> loadPlugin(const LoadRequest& request)
{
    auto file = request.plugins / (request.backend + ".so");
    std::error_code ignored;
    if (request.backend.empty() || request.backend.find('/') != std::string::npos ||
        !std::filesystem::exists(file, ignored))
        return base::Error{ErrorCode::notFound, base::message<program_errors::kNoBackend>(request.backend),
                           file.string(), base::message(program_errors::kListDevices)};

    const bool torch = request.backend == "libtorch";
    if (torch) {
        auto fitting = loadTorch(request);
        if (!fitting)
            return fitting.error();
        file = std::move(*fitting);
    }
    for (const std::filesystem::path& vendor : request.preload)
        if (!::dlopen(vendor.c_str(), RTLD_LAZY | RTLD_GLOBAL))
            return base::Error{ErrorCode::notFound, base::message<program_errors::kEngineDoesNotLoad>(loaderError()),
                               vendor.string(), base::message(program_errors::kInstallEngineAgain)};

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
        return base::Error{ErrorCode::internal,
                           base::message<program_errors::kBackendDoesNotLoad>(request.backend, reason), file.string(),
                           base::message(program_errors::kReinstallApertune)};

    using Entry = decltype(&apertune_plugin_entry);
    const auto entry = reinterpret_cast<Entry>(::dlsym(library, APERTUNE_PLUGIN_ENTRY_SYMBOL));
    const apertune_plugin* plugin = entry ? entry() : nullptr;
    if (!plugin)
        return base::Error{ErrorCode::unsupported,
                           base::message<program_errors::kNotABackend>(file.filename().string()), file.string(),
                           base::message(program_errors::kRemovePluginFile)};
    if (plugin->abi_version != APERTUNE_PLUGIN_ABI_VERSION || plugin->struct_size < APERTUNE_PLUGIN_SMALLEST)
        return base::Error{
            ErrorCode::unsupported,
            base::message<program_errors::kOtherAbi>(request.backend, static_cast<std::int64_t>(plugin->abi_version),
                                                     static_cast<std::int64_t>(APERTUNE_PLUGIN_ABI_VERSION)),
            file.string(), base::message(program_errors::kSameBuild)};
    return plugin;
}

} // namespace apertune::worker
