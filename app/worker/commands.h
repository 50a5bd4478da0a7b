// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/worker/backend.h"
#include "app/worker/channel.h"
#include "app/worker/measuring.h"
#include "app/worker/tracing.h"
#include "core/base/package_energy.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

namespace apertune::worker {

/// Answers the commands of core/worker/protocol.md, one after the other, until `quit`.
///
/// REQUIRES: all calls come from the measuring thread.
class Commands
{
public:
    /// `root` is the folder that holds sys.
    Commands(Channel& channel, Backend backend, std::filesystem::path root = "/")
        : m_channel(channel), m_backend(backend), m_root(std::move(root))
    {
    }

    /// Returns after `quit`; all sessions are closed then.
    void serve();

private:
    base::Result<base::Json> answer(const base::Json& command);
    base::Result<base::Json> prepare(const base::Json& command);
    base::Result<base::Json> measureBlocks(const base::Json& command);
    base::Result<base::Json> writeReference(const base::Json& command);
    base::Result<base::Json> assess(const base::Json& command);
    base::Result<base::Json> report(const base::Json& command);
    base::Result<base::Json> attach(const base::Json& command);
    base::Result<base::Json> recordings() const;
    base::Result<base::Json> record(const base::Json& command);
    base::Result<base::Json> serveLoad(const base::Json& command);
    base::Result<base::Json> stages(const base::Json& command);
    base::Result<base::Json> ceilings(const base::Json& command);

    base::Result<LoadedModel*> model(const base::Json& command);
    void progress(const base::Json& command, const char* phase, base::Json more = {});
    /// Lets the model's measurements read the energy of its device.
    void watchEnergy(LoadedModel& model) const;
    void readIdlePower(const std::optional<GpuWatch>& gpu, std::string_view device);

    Channel& m_channel;
    Backend m_backend;
    std::filesystem::path m_root;
    std::map<std::int64_t, LoadedModel> m_loadedModels; ///< the key is the number of the session
    std::map<std::int64_t, std::int64_t> m_batches;
    std::optional<int> m_otherLoad; ///< load of the GPU before the first model came; nullopt: not read yet
    std::shared_ptr<base::PackageEnergy> m_packages; ///< null: the device reports its energy itself, or nothing does
    std::optional<double> m_idleWatts;      ///< power of the device before the first model came; nullopt: not read yet
    std::unique_ptr<trace::Profiler> m_gpu; ///< made by attach()
    std::vector<Attached> m_attached;       ///< profilers that record since attach()
    base::Message m_gpuMissing;             ///< reason why the GPU is not recorded; empty: it is, or was not asked for
};

/// The word of protocol.md for an error of the backend.
std::string_view errorWord(base::ErrorCode code);

} // namespace apertune::worker
