// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/compile_cache.h"

#include "core/base/clock.h"
#include "core/base/errors.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/model/json_codec.h"
#include "core/models/artifact_check.h"
#include "core/models/errors.h"
#include "core/models/exporter_process.h"
#include "core/models/exporter_request.h"
#include "core/models/making_folder.h"
#include "core/models/usable_model.h"
#include "core/probe/compiler_check.h"
#include "core/probe/system_files.h"
#include "core/worker/backend_manifest.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <mutex>
#include <thread>

namespace apertune::models {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using model::Config;
using model::Device;
using model::ModelRef;

namespace {

constexpr std::size_t kKernelDigits = 24;      ///< digits of the hash that names a model's folder of compiled kernels
constexpr std::chrono::milliseconds kWait{50}; ///< time between checks whether another compile has ended

/// The version in torch/version.py, read without running Python; empty when there is none.
std::string torchVersion(const fs::path& torchRoot)
{
    // Starting Python to ask would take seconds.
    const std::string text = probe::readText(torchRoot / "version.py");
    for (std::string_view line : probe::linesOf(text)) {
        if (!line.starts_with("__version__"))
            continue;
        const auto open = line.find('\'');
        const auto close = line.find('\'', open + 1);
        if (open != std::string_view::npos && close != std::string_view::npos)
            return std::string(line.substr(open + 1, close - open - 1));
    }
    return {};
}

fs::path packageFile(const std::string& key)
{
    return base::userCacheDir() / "packages" / (key + ".pt2");
}

struct MadePackage
{
    store::Artifact artifact;
    std::string calibration; ///< how an int8 model was calibrated, in one line
};

/// A complete package, as the file that the exporter wrote beside it shows; nullopt when it is missing or cut short.
std::optional<MadePackage> packageOnDisk(const std::string& key)
{
    const fs::path file = packageFile(key);
    const auto text = base::readFile(file.string() + ".json");
    if (!text)
        return std::nullopt;
    const auto sidecar = model::parseJson(*text);
    std::error_code code;
    const auto size = fs::file_size(file, code);
    // The exporter writes the size last, so a cut file has another one.
    if (!sidecar || code || !sidecar->is_object() || !sidecar->contains("bytes") || (*sidecar)["bytes"] != size)
        return std::nullopt;
    const auto seconds = sidecar->find("compile_seconds");
    MadePackage made;
    store::Artifact& artifact = made.artifact;
    artifact.key = key;
    artifact.kind = "aoti";
    artifact.path = file;
    artifact.compile =
        base::fromSeconds(seconds != sidecar->end() && seconds->is_number() ? seconds->get<double>() : 0);
    artifact.size.count = static_cast<std::int64_t>(size);
    if (const auto int8 = sidecar->find("quantization"); int8 != sidecar->end()) {
        const auto calibration = calibrationText(*int8);
        // A description that cannot be read makes the package incomplete, and it is made again.
        if (!calibration)
            return std::nullopt;
        made.calibration = *calibration;
    }
    return made;
}

Error remembered(const std::string& text)
{
    return {ErrorCode::compileFailed, base::foreignText(text), {}, base::message<errors::kLeaveOutOrOther>()};
}

} // namespace

CompileCache::CompileCache(store::Store& store, worker::Installation installation)
    : m_store(store), m_installation(std::move(installation)), m_formats(m_store, m_installation)
{
}

// Packages and converted files are two caches behind one question.
bool CompileCache::needed(const ModelRef&, const Config& config) const
{
    return config.isCompiled() || m_formats.needed(config);
}

base::Status CompileCache::available() const
{
    return probe::canCompileHere(m_installation);
}

base::Result<std::string> CompileCache::key(const ModelRef& model, const Config& config, const Device& device) const
{
    const auto request = compileRequest(model, config, device);
    if (!request)
        return request.error();
    const auto exporter = exporterHash(m_installation);
    if (!exporter)
        return exporter.error();
    // Everything that changes the generated code is part of the key: the exporter, torch and the processor.
    const base::Json parts = base::Json::array(
        {"aoti", request->identity(), *exporter, torchVersion(m_installation.torchRoot), device.name, device.isa,
         std::to_string(device.computeMajor) + "." + std::to_string(device.computeMinor)});
    return base::sha256(parts.dump(-1, ' ', false, base::Json::error_handler_t::replace));
}

bool CompileCache::contains(const ModelRef& model, const Config& config, const Device& device) const
{
    if (!config.isCompiled())
        return m_formats.contains(model, config, device);
    const auto id = key(model, config, device);
    if (!id)
        return false;
    if (packageOnDisk(*id))
        return true;
    const auto known = m_store.artifact(*id);
    // A failure that is remembered counts as an answer, so nothing will be compiled.
    return known && *known && !(*known)->error.empty() && !m_retryFailed;
}

base::Result<CompileCache::Package> CompileCache::get(const ModelRef& model, const Config& config, const Device& device,
                                                      const ExporterObserver& observer, std::stop_token stop)
{
    if (config.isCompiled() && !model.hasExportedProgram)
        return Error{ErrorCode::unsupported,
                     base::message<errors::kNoExportedProgram>(model.name),
                     {},
                     base::message<errors::kLeaveOutLevel>()};
    if (auto usable = requireUsable(model); !usable)
        return usable.error();
    // A plain lock would not notice a stop request while another thread compiles for minutes.
    while (!m_compiling.try_lock()) {
        if (stop.stop_requested())
            return Error{ErrorCode::cancelled, base::message<base::errors::kCancelled>()};
        std::this_thread::sleep_for(kWait);
    }
    const base::Lock compiling(m_compiling, std::adopt_lock);

    if (!config.isCompiled())
        return m_formats.get(model, config, device, m_retryFailed, observer, std::move(stop));
    const auto found = key(model, config, device);
    if (!found)
        return found.error();
    const std::string& id = *found;
    const auto known = m_store.artifact(id);
    if (!known)
        return known.error();
    // The file decides, not the workspace: another workspace may have made it, or a user may have deleted it.
    if (const auto made = packageOnDisk(id)) {
        if (!*known || (*known)->path != made->artifact.path || !(*known)->error.empty())
            if (auto stored = remember(m_store, made->artifact); !stored)
                return stored.error();
        return Package{made->artifact.path, made->artifact.compile, true, made->calibration};
    }
    // A failure is permanent for this key; --retry-failed asks again.
    if (*known && !(*known)->error.empty() && !m_retryFailed)
        return remembered((*known)->error);
    if (auto ready = available(); !ready)
        return ready.error();
    return compile(id, model, config, device, observer, stop);
}

base::Result<fs::path> CompileCache::joined(const ModelRef& model, const std::vector<Config>& configs,
                                            const Device& device, const ExporterObserver& observer,
                                            std::stop_token stop)
{
    ExporterRun run;
    run.arguments = {"join"};
    run.limit = kConversionLimit;
    base::Json parts = base::Json::array({"joined"});
    for (const Config& config : configs) {
        const auto package = get(model, config, device, observer, stop);
        if (!package)
            return package.error();
        run.arguments.insert(run.arguments.end(), {"--package", package->path.string()});
        // The packages' own names are their hashes, so the name of the joined file changes with any of them.
        parts.push_back(package->path.filename().string());
    }
    const fs::path file = packageFile(base::sha256(parts.dump()));
    std::error_code code;
    if (fs::is_regular_file(file, code))
        return file;
    // The file is made elsewhere and moved, so a half-written one never has its final name.
    const auto making = MakingFolder::create(file.parent_path());
    if (!making)
        return making.error();
    const std::string name = file.filename();
    run.arguments.insert(run.arguments.end(), {"--out", (making->path() / name).string()});
    run.writes = {making->path()};
    if (const auto done = runExporter(m_installation, run, observer, stop); !done)
        return done.error();
    if (auto moved = making->moveOut(name, file); !moved)
        return moved.error();
    return file;
}

base::Result<CompileCache::Package> CompileCache::compile(const std::string& id, const ModelRef& model,
                                                          const Config& config, const Device& device,
                                                          const ExporterObserver& observer, std::stop_token stop)
{
    const fs::path file = packageFile(id);
    const auto making = MakingFolder::create(file.parent_path());
    if (!making)
        return making.error();
    auto request = compileRequest(model, config, device);
    if (!request)
        return request.error();
    const std::string name = file.filename();
    request->addUncounted("--out", (making->path() / name).string());
    ExporterRun run;
    run.writes = {making->path()};
    // A GPU's driver needs its devices and address space inside the sandbox.
    run.gpu = device.type.isNvidiaGpu();
    run.unpacks = true; // It runs the package once.
    const auto content = artifactKey(model.artifact);
    if (!content)
        return content.error();
    // Kernels are shared by all configurations of a model, which saves most of a second compilation.
    run.kernels = base::userCacheDir() / "inductor" / content->substr(0, kKernelDigits);
    run.arguments = request->arguments();
    run.limit = kConversionLimit;
    // A package is tuned for the GPU that the compiler sees, so that must be the one of the configuration.
    run.environment["CUDA_VISIBLE_DEVICES"] = device.type.isNvidiaGpu() ? device.uuid : "";
    const base::Nanoseconds begin = base::monotonicNow();
    const auto done = runExporter(m_installation, run, observer, stop);
    if (!done)
        return rememberFailure(m_store, id, "aoti", base::monotonicNow() - begin, done.error());
    // The package comes last, because it is complete only with the file beside it.
    for (const std::string& part : {name + ".json", name})
        // The size in it describes the file that is moved after it.
        if (std::error_code none; fs::exists(making->path() / part, none))
            if (auto moved = making->moveOut(part, file.parent_path() / part); !moved)
                return moved.error();
    const auto made = packageOnDisk(id);
    if (!made)
        return Error{ErrorCode::crashed, base::message<errors::kNoWholePackage>(), file.string(),
                     base::message<errors::kTryOrReport>()};
    if (auto stored = remember(m_store, made->artifact); !stored)
        return stored.error();
    return Package{made->artifact.path, made->artifact.compile, false, made->calibration};
}

} // namespace apertune::models
