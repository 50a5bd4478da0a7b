// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config.h"
#include "core/model/device.h"
#include "core/models/format_cache.h"
#include "core/models/package_source.h"
#include "core/store/store.h"
#include "core/worker/installation.h"

#include <atomic>
#include <mutex>

namespace apertune::models {

/// AOTInductor packages, compiled on demand by the Python exporter, each for one batch or all. They are kept under
/// userCacheDir()/packages. The key of a package is the hash of
/// - the very arguments of the exporter, with the model and the calibration images by content (compileRequest());
/// - the exporter's own files and the torch version;
/// - the device's name and its instruction set or compute capability.
///
/// The path and the compile time are remembered in the workspace. A package that another workspace had made is found
/// and remembered too. A compile that failed is remembered, so that a sweep does not pay for it twice (`retryFailed`
/// forgets it). A configuration of an engine that does not open TorchScript gets the model in one of its formats
/// instead (FormatCache). Thread-safe: one compile at a time, others wait.
class CompileCache final : public PackageSource
{
public:
    CompileCache(store::Store& store, worker::Installation installation);

    /// Can anything be compiled here? When not, `error` says why and what to do.
    base::Status available() const;

    bool needed(const model::ModelRef& model, const model::Config& config) const override;

    bool contains(const model::ModelRef& model, const model::Config& config,
                  const model::Device& device) const override;

    /// Failures: compileFailed with the compiler's own last words, cancelled, timeout (15 min), unsupported.
    base::Result<Package> get(const model::ModelRef& model, const model::Config& config, const model::Device& device,
                              const ExporterObserver& observer, std::stop_token stop) override;

    /// The packages of configurations that differ by their batch alone, each compiled for that, as one file with a
    /// model `batch_N` for each. Kept like them. Failures: those of get(); invalidArgument when they do not go
    /// together.
    base::Result<std::filesystem::path> joined(const model::ModelRef& model, const std::vector<model::Config>& configs,
                                               const model::Device& device, const ExporterObserver& observer,
                                               std::stop_token stop);

    /// From now on remembered failures count as not compiled yet.
    void retryFailed() { m_retryFailed = true; }

private:
    base::Result<std::string> key(const model::ModelRef& model, const model::Config& config,
                                  const model::Device& device) const;
    base::Result<Package> compile(const std::string& key, const model::ModelRef& model, const model::Config& config,
                                  const model::Device& device, const ExporterObserver& observer, std::stop_token stop);

    store::Store& m_store;
    worker::Installation m_installation;
    FormatCache m_formats;
    std::mutex m_compiling; ///< held while the exporter compiles; nothing else is locked under it but the store
    std::atomic<bool> m_retryFailed{false};
};

} // namespace apertune::models
