// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/config.h"
#include "core/model/device.h"
#include "core/models/package_source.h"
#include "core/store/store.h"
#include "core/worker/installation.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace apertune::worker {
struct BackendManifest;
}

namespace apertune::models {

/// How int8 models are made, beside what users choose.
struct Int8Recipe
{
    bool narrow = false;    ///< 7-bit weights: the processor's 8-bit products are added in 16 bits
    bool symmetric = false; ///< signed activations with zero point 0: the backend takes no other
};
Int8Recipe int8Recipe(const model::Device& device, const worker::BackendManifest& backend);

/// What `convert`, `compile` and `sensitivity` are told of how int8 is made, without the layers left in float.
std::vector<std::string> calibrationArguments(const model::Quantization& how, Int8Recipe recipe);

/// All that decides what int8 makes of a model: the pictures by name, size and time.
base::Json calibrationKey(const model::Quantization& how, Int8Recipe recipe);

/// With what and how int8 was made, one line, of the exporter's `quantization`. Throws base::Json::exception.
std::string calibrationText(const base::Json& quantization);

/// The model in that format as an earlier conversion left it (FormatCache), good for the batch; empty: there is none.
/// Float only. Writes nothing.
std::filesystem::path convertedFile(const model::ModelRef& model, const std::string& format, int batch);

/// Keeps in the workspace what is known of a package or a converted file, or that it cannot be made. A workspace that
/// is open for reading only keeps nothing: the file itself is found by its name, and a failure shows again.
base::Status remember(store::Store& store, const store::Store::Artifact& artifact);

struct WantedFormat;

/// Models in the formats of other engines (ONNX, OpenVINO IR), written on demand by the Python exporter and kept under
/// userCacheDir()/formats by the hash of format, artifactKey() and, where the batch is fixed in the file, batch. Beside
/// each stands format.json (resources/exporter/FORMAT.md) with its agreement with the eager model. A model that is such
/// a file itself is used where it lies. An int8 model is made anew for each way of calibrating it: the key holds the
/// number of samples, the images by name, size and time, the layers left in float and the recipe; on a CPU without
/// 8-bit dot products (VNNI, AMX) its weights get 7 bits, as their sums would overflow. A conversion that failed is
/// remembered in the workspace. Private to this folder; calls come one at a time (CompileCache sees to it).
class FormatCache
{
public:
    FormatCache(store::Store& store, worker::Installation installation);

    /// Does the backend of `config` open another file than the artifact's TorchScript?
    bool needed(const model::Config& config) const;

    /// The model in the first of the backend's formats that it is there in or can be written in.
    /// Failures: compileFailed (the exporter's own words), unsupported, cancelled, timeout (15 min), io.
    base::Result<PackageSource::Package> get(const model::ModelRef& model, const model::Config& config,
                                             const model::Device& device, bool retryFailed,
                                             const ExporterObserver& observer, std::stop_token stop);

    /// Whether get() would return at once.
    bool contains(const model::ModelRef& model, const model::Config& config, const model::Device& device) const;

private:
    base::Result<PackageSource::Package> make(const model::ModelRef& model, const WantedFormat& wanted, int batch,
                                              bool retryFailed, const ExporterObserver& observer, std::stop_token stop);

    store::Store& m_store;
    worker::Installation m_installation;
};

} // namespace apertune::models
