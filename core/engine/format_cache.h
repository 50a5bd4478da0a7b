// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/model_library.h"
#include "core/engine/package_source.h"
#include "core/model/config.h"
#include "core/store/store.h"

#include <filesystem>
#include <stop_token>
#include <string>

namespace apertune::engine {

/// Models in the formats of other engines (ONNX, OpenVINO IR), written on demand by the Python exporter and kept under
/// userCacheDir()/formats by the hash of format, artifact and, where the batch is fixed in the file, batch. Beside each
/// stands format.json (resources/exporter/FORMAT.md) with its agreement with the eager model. A model that is such a
/// file itself is used where it lies. A conversion that failed is remembered in the workspace. Private to this folder;
/// calls come one at a time (CompileCache sees to it).
class FormatCache
{
public:
    FormatCache(store::Store& store, Installation installation);

    /// Does the backend of `config` open another file than the artifact's TorchScript?
    bool needed(const model::Config& config) const;

    /// The model in the first of the backend's formats that it is there in or can be written in.
    /// Failures: compileFailed (the exporter's own words), unsupported, cancelled, timeout (15 min), io.
    base::Result<PackageSource::Package> get(const model::ModelRef& model, const model::Config& config,
                                             bool retryFailed, const ImportObserver& observer, std::stop_token stop);

    /// Whether get() would return at once.
    bool contains(const model::ModelRef& model, const model::Config& config) const;

private:
    struct Wanted
    {
        std::string format;
        int batch = 0; ///< 0: any
    };
    base::Result<PackageSource::Package> make(const model::ModelRef& model, const Wanted& wanted, int batch,
                                              bool retryFailed, const ImportObserver& observer, std::stop_token stop);

    store::Store& m_store;
    Installation m_installation;
};

} // namespace apertune::engine
