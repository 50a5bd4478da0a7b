// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/units.h"
#include "core/model/config.h"
#include "core/model/device.h"
#include "core/models/int8_recipe.h"
#include "core/models/package_source.h"
#include "core/store/store.h"
#include "core/worker/installation.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace apertune::models {

/// Describes in one line how an int8 model was calibrated, from the exporter's `quantization`. Empty when a member is
/// missing.
std::optional<std::string> calibrationText(const base::Json& quantization);

/// Returns the float model in that format from an earlier conversion (FormatCache) that fits the batch; empty when
/// there is none. Writes nothing.
std::filesystem::path convertedFile(const model::ModelRef& model, const std::string& format, int batch);

/// Records a package or converted file in the workspace, or the failure to make it. A read-only workspace records
/// nothing: a later search finds the file by its name, and a failure occurs again.
base::Status remember(store::Store& store, const store::Artifact& artifact);

/// Records that a package or converted file could not be made, if it would fail again in the same way (compileFailed,
/// timeout): memory, disks and stop requests may change. Returns the error, or that of the workspace.
base::Error rememberFailure(store::Store& store, const std::string& id, const std::string& kind,
                            base::Nanoseconds spent, base::Error error);

struct WantedFormat;

/// Models in the formats of other engines (ONNX, OpenVINO IR). The Python exporter writes them on demand. Private to
/// this folder.
///  - They are kept under userCacheDir()/formats by the hash of format and artifactKey(), and of the batch where the
///    file fixes it. format.json beside each (resources/exporter/FORMAT.md) holds its agreement with the eager model.
///  - A model that is such a file itself is used where it lies.
///  - The workspace remembers a conversion that failed.
///
/// Int8 models:
///  - The key also holds the number of samples, the images by name and bytes, the layers left in float, and the
///    recipe.
///  - On a CPU without 8-bit dot products (VNNI, AMX), weights get 7 bits, because their sums would overflow.
///
/// Threads: one call at a time, which CompileCache ensures.
class FormatCache
{
public:
    FormatCache(store::Store& store, worker::Installation installation);

    /// Returns whether the backend of `config` opens another file than the artifact's TorchScript.
    bool needed(const model::Config& config) const;

    /// Returns the model in the first of the backend's formats in which it exists or can be written.
    /// Failures: compileFailed (with the exporter's message), unsupported, cancelled, timeout (15 min), io.
    base::Result<PackageSource::Package> get(const model::ModelRef& model, const model::Config& config,
                                             const model::Device& device, bool retryFailed,
                                             const ExporterObserver& observer, std::stop_token stop);

    /// Returns whether get() would return at once.
    bool contains(const model::ModelRef& model, const model::Config& config, const model::Device& device) const;

private:
    base::Result<PackageSource::Package> make(const model::ModelRef& model, const WantedFormat& wanted, int batch,
                                              bool retryFailed, const ExporterObserver& observer, std::stop_token stop);

    store::Store& m_store;
    worker::Installation m_installation;
};

} // namespace apertune::models
