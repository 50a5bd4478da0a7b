// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/exporter_request.h"

#include "core/base/errors.h"
#include "core/base/hash.h"
#include "core/models/artifact_check.h"
#include "core/models/errors.h"
#include "core/models/file_hash.h"
#include "core/worker/backend_manifest.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>

namespace apertune::models {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

/// Hash over the names and bytes of a folder's files: it changes when an image is added, removed or replaced, whatever
/// its time says.
std::string fingerprintOf(const fs::path& images)
{
    std::map<std::string, std::string> hashes;
    std::error_code code;
    for (fs::recursive_directory_iterator it(images, code), end; !code && it != end; it.increment(code)) {
        std::error_code unknown;
        if (!it->is_regular_file(unknown))
            continue;
        const auto hash = fileHash(it->path());
        hashes[it->path().lexically_relative(images).string()] = hash ? *hash : "unreadable";
    }
    return base::sha256(Json(hashes).dump(-1, ' ', true, Json::error_handler_t::replace));
}

/// The precision to compile for. Libraries choose TF32 at run time, so one fp32 package serves both; kernels that
/// max_autotune generates have it built in, see compileRequest().
std::string compilePrecision(model::Precision precision)
{
    // See the comment on --tf32 below for the exception.
    return std::string(model::toString(precision == model::Precision::tf32 ? model::Precision::fp32 : precision));
}

} // namespace

void ExporterRequest::add(const std::vector<std::string>& arguments)
{
    // Arguments that change the result are part of its identity.
    for (const std::string& argument : arguments) {
        m_arguments.push_back(argument);
        m_identity.push_back(argument);
    }
}

void ExporterRequest::addPath(const std::string& option, const std::string& path, const std::string& content)
{
    // The path differs between machines, and the content does not.
    add({option});
    m_arguments.push_back(path);
    m_identity.push_back(content);
}

void ExporterRequest::addUncounted(const std::string& option, const std::string& value)
{
    m_arguments.insert(m_arguments.end(), {option, value});
}

void ExporterRequest::addCalibration(const model::Quantization& how, Int8Recipe recipe)
{
    add({"--calibration-samples", std::to_string(how.samples)});
    if (!how.images.empty())
        addPath("--calibration", how.images, fingerprintOf(how.images));
    if (recipe.narrow)
        add({"--narrow-weights"});
    if (recipe.symmetric)
        add({"--symmetric-activations"});
}

base::Result<ExporterRequest> compileRequest(const model::ModelRef& model, const model::Config& config,
                                             const model::Device& device)
{
    const auto artifact = artifactKey(model.artifact);
    if (!artifact)
        return artifact.error();
    const bool gpu = device.type.isNvidiaGpu();
    ExporterRequest request;
    request.add({"compile"});
    request.addPath("--artifact", model.artifact.string(), *artifact);
    // A package that serves every batch has none of its own.
    if (!config.servesEveryBatch())
        request.add({"--batch", std::to_string(config.batch)});
    request.add({"--precision", compilePrecision(config.precision), "--device", gpu ? "cuda" : "cpu"});
    // The number of threads is built into CPU kernels.
    if (!gpu && config.threads > 0)
        request.add({"--threads", std::to_string(config.threads)});
    for (const model::SwitchInfo& info : model::switchCatalogue())
        request.add(config.isOn(info.name) ? info.compile.on : info.compile.off);
    // Autotuned kernels have TF32 built in, so they need a package of their own.
    if (gpu && config.precision == model::Precision::tf32 && config.isOn("max_autotune"))
        request.add({"--tf32"});
    if (config.quantization)
        request.addCalibration(*config.quantization, int8Recipe(device, {}));
    return request;
}

base::Result<std::string> exporterHash(const worker::Installation& installation)
{
    std::map<std::string, std::string> hashes;
    std::error_code code;
    for (fs::recursive_directory_iterator it(installation.exporter, code), end; !code && it != end;
         it.increment(code)) {
        // Only sources count: bytecode appears when the exporter runs.
        if (it->path().extension() != ".py")
            continue;
        const auto hash = fileHash(it->path());
        if (!hash)
            return hash.error();
        hashes[it->path().lexically_relative(installation.exporter).string()] = *hash;
    }
    // A missing exporter is no failure here: the check before compiling reports it.
    if (code && code != std::errc::no_such_file_or_directory)
        return Error{ErrorCode::io, base::message<errors::kUnreadableExporter>(code.message()),
                     installation.exporter.string(), base::message<base::errors::kCheckPermissions>()};
    return base::sha256(Json(hashes).dump());
}

} // namespace apertune::models
