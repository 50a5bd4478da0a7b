// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/format_cache.h"

#include "core/base/clock.h"
#include "core/base/contained_path.h"
#include "core/base/errors.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/model/json_codec.h"
#include "core/models/artifact_check.h"
#include "core/models/errors.h"
#include "core/models/exporter_process.h"
#include "core/models/exporter_request.h"
#include "core/models/making_folder.h"
#include "core/sentences/sentences.h"
#include "core/worker/backend_manifest.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::models {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using model::Config;
using model::ModelRef;
using Package = PackageSource::Package;

struct WantedFormat
{
    std::string format;
    int batch = 0; ///< 0: any batch
    std::optional<model::Quantization> quantization{};
    Int8Recipe recipe{};
};

namespace {

constexpr int kFormatRecipe = 1; ///< part of the key; to be raised when the exporter converts or quantizes otherwise
constexpr std::size_t kKeyDigits = 24;

fs::path folderOf(const std::string& key)
{
    return base::userCacheDir() / "formats" / key.substr(0, kKeyDigits);
}

struct Written
{
    Package package;
    bool dynamicBatch = false;
    base::Bytes size{};
};

/// Reads a folder's format.json; nullopt when it is missing or malformed, or the model file is not complete.
std::optional<Written> writtenIn(const fs::path& folder)
{
    const auto text = base::readFile(folder / "format.json");
    if (!text)
        return std::nullopt;
    try {
        const base::Json json = base::Json::parse(*text);
        Written written;
        written.package.path = folder / json.at("file").get<std::string>();
        written.package.compile = base::fromSeconds(json.at("seconds").get<double>());
        written.package.cached = true;
        written.dynamicBatch = json.at("dynamic_batch").get<bool>();
        written.size.count = json.at("bytes").get<std::int64_t>();
        if (const auto int8 = json.find("quantization"); int8 != json.end()) {
            const auto calibration = calibrationText(*int8);
            if (!calibration)
                return std::nullopt;
            written.package.calibration = *calibration;
        }
        std::error_code code;
        const auto size = fs::file_size(written.package.path, code);
        // The size is written with the description, so a cut file is found.
        if (code || static_cast<std::int64_t>(size) != written.size.count)
            return std::nullopt;
        return written;
    } catch (const base::Json::exception&) {
        return std::nullopt;
    }
}

/// The request `convert`, without --out and without the float model that int8 is quantized from.
/// Failures: those of artifactKey().
base::Result<ExporterRequest> convertRequest(const ModelRef& model, const WantedFormat& wanted)
{
    const auto artifact = artifactKey(model.artifact);
    if (!artifact)
        return artifact.error();
    ExporterRequest request;
    request.add({"convert"});
    request.addPath("--artifact", model.artifact.string(), *artifact);
    request.add({"--format", wanted.format});
    if (wanted.batch > 0)
        request.add({"--batch", std::to_string(wanted.batch)});
    if (const auto& int8 = wanted.quantization) {
        request.add({"--precision", "int8"});
        request.addCalibration(*int8, wanted.recipe);
        for (const std::string& layer : int8->floatLayers)
            // The option and its value are one argument, because a layer's name may begin with a dash.
            request.add({"--float-layer=" + layer});
    }
    return request;
}

std::string keyOf(const ExporterRequest& request)
{
    const base::Json parts = base::Json::array({"format", kFormatRecipe, request.identity()});
    return base::sha256(parts.dump(-1, ' ', false, base::Json::error_handler_t::replace));
}

/// The converted file that serves a batch: one with a dynamic batch, else the one for this batch.
/// REQUIRES: wanted.batch is 0.
std::optional<Written> writtenFor(const ModelRef& model, WantedFormat wanted, int batch)
{
    const auto written = [&]() -> std::optional<Written> {
        const auto request = convertRequest(model, wanted);
        return request ? writtenIn(folderOf(keyOf(*request))) : std::nullopt;
    };
    // A file of any batch is preferred, because it serves the other configurations as well.
    auto any = written();
    if (any && (any->dynamicBatch || batch == 1))
        return any;
    wanted.batch = batch;
    // A batch of 1 was answered by the file of any batch.
    return batch > 1 ? written() : std::nullopt;
}

} // namespace

std::optional<std::string> calibrationText(const base::Json& quantization)
{
    try {
        return quantization.at("calibration").get<std::string>() + "; " + quantization.at("method").get<std::string>() +
               ", " + std::to_string(quantization.at("weight_bits").get<int>()) + "-bit weights";
    } catch (const base::Json::exception&) {
        return std::nullopt;
    }
}

std::filesystem::path convertedFile(const ModelRef& model, const std::string& format, int batch)
{
    const auto written = writtenFor(model, {format}, batch);
    return written ? written->package.path : fs::path();
}

base::Status remember(store::Store& store, const store::Artifact& artifact)
{
    return store.readOnly() ? base::Status() : store.putArtifact(artifact);
}

base::Error rememberFailure(store::Store& store, const std::string& id, const std::string& kind,
                            base::Nanoseconds spent, Error error)
{
    if (error.code != ErrorCode::compileFailed && error.code != ErrorCode::timeout)
        return error;
    const base::Status kept = remember(store, {id, kind, {}, spent, {}, sentences::sentence(error.message)});
    return kept ? error : kept.error();
}

FormatCache::FormatCache(store::Store& store, worker::Installation installation)
    : m_store(store), m_installation(std::move(installation))
{
}

bool FormatCache::needed(const Config& config) const
{
    const auto formats = worker::backendManifest(m_installation.plugins, config.backend).formats;
    // An engine that opens TorchScript reads the artifact itself.
    return std::find(formats.begin(), formats.end(), "torchscript") == formats.end();
}

bool FormatCache::contains(const ModelRef& model, const Config& config, const model::Device& device) const
{
    const worker::BackendManifest backend = worker::backendManifest(m_installation.plugins, config.backend);
    for (const std::string& format : backend.formats) {
        if (model.files.contains(format) && !config.quantization)
            return true;
        if (writtenFor(model, {format, 0, config.quantization, int8Recipe(device, backend)}, config.batch))
            return true;
    }
    return false;
}

base::Result<Package> FormatCache::get(const ModelRef& model, const Config& config, const model::Device& device,
                                       bool retryFailed, const ExporterObserver& observer, std::stop_token stop)
{
    const worker::BackendManifest backend = worker::backendManifest(m_installation.plugins, config.backend);
    const auto& formats = backend.formats;
    const bool isEngineFile = !model.files.contains("torchscript") && !model.files.empty();
    // A model that was imported in the engine's format needs no conversion.
    for (const std::string& format : formats)
        if (const auto it = model.files.find(format); it != model.files.end() && !config.quantization) {
            if (auto within = base::requireWithin(model.artifact, model.artifact / it->second); !within)
                return within.error();
            return Package{model.artifact / it->second, {}, true};
        }
    Error last{ErrorCode::unsupported,
               base::message<errors::kCannotConvert>(model.name, config.backend),
               {},
               base::message<errors::kLeaveBackendOut>(config.backend)};
    // The backend's formats are in its order of preference.
    for (const std::string& format : formats) {
        if (isEngineFile && !model.files.contains(format))
            continue; // Such a model cannot be converted to another format.
        WantedFormat wanted{format, 0, config.quantization, int8Recipe(device, backend)};
        // A file with a dynamic batch is tried first, because it serves every configuration.
        auto made = make(model, wanted, config.batch, retryFailed, observer, stop);
        wanted.batch = config.batch;
        if (!made && made.error().code == ErrorCode::unsupported && config.batch > 1)
            made = make(model, wanted, config.batch, retryFailed, observer, stop);
        // The next format might work where this one fails.
        if (made || made.error().code == ErrorCode::cancelled)
            return made;
        last = made.error();
    }
    return last;
}

base::Result<Package> FormatCache::make(const ModelRef& model, const WantedFormat& wanted, int batch, bool retryFailed,
                                        const ExporterObserver& observer, std::stop_token stop)
{
    auto request = convertRequest(model, wanted);
    if (!request)
        return request.error();
    const std::string key = keyOf(*request);
    const fs::path folder = folderOf(key);
    // A fixed batch of 1 suits a configuration of batch 1.
    const auto suits = [&](const Written& written) { return wanted.batch > 0 || written.dynamicBatch || batch == 1; };
    const Error fixed{ErrorCode::unsupported,
                      base::message<errors::kFixedBatch>(wanted.format),
                      {},
                      base::message<errors::kUseBatchOne>()};
    if (const auto there = writtenIn(folder))
        return suits(*there) ? base::Result<Package>(there->package) : fixed;
    const auto known = m_store.artifact(key);
    if (!known)
        return known.error();
    if (*known && !(*known)->error.empty() && !retryFailed)
        return Error{
            ErrorCode::compileFailed, base::foreignText((*known)->error), {}, base::message<errors::kRetryFailed>()};

    // The int8 model is quantized from the converted float file. Layers then have the same names in both, and all mixes
    // of one model need one conversion.
    if (wanted.quantization && !model.files.contains(wanted.format)) {
        const auto plain = make(model, {wanted.format, wanted.batch}, batch, retryFailed, observer, stop);
        if (!plain)
            return plain.error();
        request->addUncounted("--from", plain->path.string());
    }
    const auto making = MakingFolder::create(folder.parent_path());
    if (!making)
        return making.error();
    const std::string name = folder.filename();
    request->addUncounted("--out", (making->path() / name).string());
    ExporterRun run;
    run.writes = {making->path()};
    run.arguments = request->arguments();
    run.limit = kConversionLimit;
    // Converting runs the model on the CPU alone.
    run.environment["CUDA_VISIBLE_DEVICES"] = "";
    const base::Nanoseconds begin = base::monotonicNow();
    const auto done = runExporter(m_installation, run, observer, stop);
    if (!done)
        return rememberFailure(m_store, key, wanted.format, base::monotonicNow() - begin, done.error());
    // Without a whole file, nothing is moved, and the error is reported below.
    if (writtenIn(making->path() / name))
        if (auto moved = making->moveOut(name, folder); !moved)
            return moved.error();
    auto written = writtenIn(folder);
    if (!written)
        return Error{ErrorCode::crashed, base::message<errors::kNoWholeFile>(), folder.string(),
                     base::message<errors::kTryOrReport>()};
    written->package.cached = false;
    if (auto kept =
            remember(m_store, {key, wanted.format, written->package.path, written->package.compile, written->size, {}});
        !kept)
        return kept.error();
    return suits(*written) ? base::Result<Package>(written->package) : fixed;
}

} // namespace apertune::models
