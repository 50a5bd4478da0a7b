// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/mutex.h"
#include "core/model/config.h"
#include "core/model/device.h"
#include "core/models/format_cache.h"
#include "core/models/package_source.h"
#include "core/store/store.h"
#include "core/worker/installation.h"

#include <atomic>

namespace apertune::models {

/// AOTInductor packages, which the Python exporter compiles on demand, for one batch or for all. They are kept under
/// userCacheDir()/packages. The key of a package is the hash of
///   - the exporter's arguments, with the model by content and the calibration images by name and bytes
///     (compileRequest());
///   - the exporter's own files and the torch version;
///   - the device's name, instruction set and compute capability.
///
/// The workspace stores the path and the compile time of a package, also of one that another workspace made. It also
/// stores failed compiles, so that a sweep does not repeat them (see retryFailed()). For an engine that does not open
/// TorchScript, the cache supplies the model in one of the engine's formats instead (FormatCache).
/// Thread-safe: one compile at a time, others wait.
class CompileCache final : public PackageSource
{
public:
    /// `store` must outlive this object.
    CompileCache(store::Store& store, worker::Installation installation);

    /// Checks that packages can be compiled here.
    /// Failures: unsupported (the message names the missing part, the hint how to get it).
    base::Status available() const;

    bool needed(const model::ModelRef& model, const model::Config& config) const override;

    bool contains(const model::ModelRef& model, const model::Config& config,
                  const model::Device& device) const override;

    /// Failures: compileFailed (with the exporter's message), unsupported (no exported program, or nothing can compile
    /// here), timeout (kConversionLimit), cancelled, io, those of requireUsable() and of the store.
    base::Result<Package> get(const model::ModelRef& model, const model::Config& config, const model::Device& device,
                              const ExporterObserver& observer, std::stop_token stop) override;

    /// Joins the packages of configurations that differ in the batch alone into one file, with a model `batch_N` for
    /// each. Missing packages are compiled, and the joined file is kept too.
    /// Failures: those of get() and of the exporter (invalidArgument when the packages cannot be joined).
    base::Result<std::filesystem::path> joined(const model::ModelRef& model, const std::vector<model::Config>& configs,
                                               const model::Device& device, const ExporterObserver& observer,
                                               std::stop_token stop);

    /// Makes later calls ignore stored failures, so that failed compiles are tried again.
    void retryFailed() { m_retryFailed = true; }

private:
    base::Result<std::string> key(const model::ModelRef& model, const model::Config& config,
                                  const model::Device& device) const;
    base::Result<Package> compile(const std::string& key, const model::ModelRef& model, const model::Config& config,
                                  const model::Device& device, const ExporterObserver& observer, std::stop_token stop);

    store::Store& m_store;
    worker::Installation m_installation;
    FormatCache m_formats;
    base::Mutex m_compiling; ///< held while the exporter compiles; nothing else is locked under it but the store
    std::atomic<bool> m_retryFailed{false};
};

} // namespace apertune::models
