// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/model_library.h"
#include "core/model/config.h"
#include "core/model/device.h"
#include "core/store/store.h"

namespace apertune::engine {

/// AOTInductor packages, compiled on demand by the Python exporter, one static batch each, kept under
/// userCacheDir()/packages by the hash of everything that decides their content: artifact content hash, precision,
/// batch, layout, autotuning, device kind, instruction set or compute capability, torch version. The path and the
/// compile time are remembered in the workspace; a compile that failed is remembered too, so that a sweep does not pay
/// for it twice (`retryFailed` forgets it).
/// Thread-safe: one compile at a time, others wait.
class CompileCache
{
public:
    CompileCache(store::Store& store, Installation installation);

    struct Package
    {
        std::filesystem::path path;
        base::Nanoseconds compile{}; ///< the time it took when it was made
        bool cached = false;
    };

    /// Can anything be compiled here? When not, `error` says why and what to do.
    base::Status available() const;

    bool contains(const model::ModelRef& model, const model::Config& config, const model::Device& device) const;

    /// Failures: compileFailed with the compiler's own last words, cancelled, timeout (15 min), unsupported.
    base::Result<Package> get(const model::ModelRef& model, const model::Config& config, const model::Device& device,
                              const ImportObserver& observer, std::stop_token stop);

private:
    std::string key(const model::ModelRef& model, const model::Config& config, const model::Device& device) const;
    store::Store& m_store;
    Installation m_installation;
};

} // namespace apertune::engine
