// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/claims/claim_check.h"
#include "core/comparison/trend.h"
#include "core/model/baseline.h"
#include "core/model/study.h"
#include "core/store/store.h"
#include "core/worker/engine_packages.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apertune::gui {

/// This computer: its devices, its environment, and the events that can be recorded here.
struct Machine
{
    std::vector<model::Device> devices;
    model::Environment environment;
    std::vector<model::Capability> capabilities;
    std::vector<std::string> engines{};              ///< backends besides LibTorch that can start here
    std::vector<worker::EngineState> engineStates{}; ///< all backends of this installation with their engines
    std::vector<model::Capability> sandbox{};        ///< layers of the sandbox (core/sandbox)
};

/// A starred trial with the study that it is in.
struct StarredTrial
{
    model::Baseline baseline;
    model::StudyId study{};
};

/// A change of the mark of a trial.
struct BaselineChange
{
    model::TrialId trial{};
    bool starred = true;
    std::string name{};   ///< with `starred`: its name; empty: without one
    bool replace = false; ///< takes the name from the trial that has it
};

/// The content of a workspace at one moment, for the list views, with the study that the window shows.
struct WorkspaceState
{
    std::int64_t version = 0; ///< Store::dataVersion of this state
    bool exists = true;       ///< false: there is no such file yet; the first import creates it
    std::vector<store::StudySummary> studies;
    std::vector<model::ModelRef> models;
    std::vector<StarredTrial> baselines{};                ///< starred trials, sorted by trial
    std::shared_ptr<const model::StudySnapshot> snapshot; ///< the requested study, else the latest; may be null
};

/// The part of a damaged workspace that was saved.
struct RepairedWorkspace
{
    std::filesystem::path file; ///< the new workspace
    store::Salvage saved;
};

/// Reads workspaces and the machine. Every call blocks, so tasks make it on their threads, never the GUI thread.
/// Different threads may call at once. Failures are those of the engine, passed on.
class StudyGateway
{
public:
    virtual ~StudyGateway() = default;

    virtual Machine probe() = 0;

    /// The state of the workspace if it differs from version `known`, else nothing. `study` 0 means the latest study.
    virtual base::Result<std::optional<WorkspaceState>> read(const std::filesystem::path& file, model::StudyId study,
                                                             std::optional<std::int64_t> known) = 0;

    /// A study of any workspace, with its recommendation. `study` 0 means the latest study.
    virtual base::Result<std::shared_ptr<const model::StudySnapshot>> study(const std::filesystem::path& file,
                                                                            model::StudyId study) = 0;

    /// The studies of any workspace, newest first. It does not use the connection that read() keeps open.
    virtual base::Result<std::vector<store::StudySummary>> studies(const std::filesystem::path& file) = 0;

    /// Saves what is readable of a damaged workspace to a new one beside it. The damaged file stays as it is.
    virtual base::Result<RepairedWorkspace> repair(const std::filesystem::path& file) = 0;

    /// The sample workspace (core/store/sample.h) in the user's folder. It is copied there at the first call.
    virtual base::Result<std::filesystem::path> sample() = 0;

    virtual base::Status deleteStudy(const std::filesystem::path& file, model::StudyId study) = 0;

    /// The pipeline runs of a trial, oldest first.
    virtual base::Result<std::vector<store::Pipeline>> pipelines(const std::filesystem::path& file,
                                                                 model::TrialId trial) = 0;

    /// The results of a trial under load, in the order in which they were run.
    virtual base::Result<std::vector<store::Scenario>> scenarios(const std::filesystem::path& file,
                                                                 model::TrialId trial) = 0;

    /// The evaluations of a trial, oldest first.
    virtual base::Result<std::vector<store::Evaluation>> evaluations(const std::filesystem::path& file,
                                                                     model::TrialId trial) = 0;

    /// The histories of all configurations that some study measured (comparison::trendsOf()), those with the newest
    /// trials first. It loads every study, so it takes a while for large workspaces.
    virtual base::Result<std::vector<comparison::Trend>> trends(const std::filesystem::path& file) = 0;

    /// Marks a trial as a baseline, names it, or takes the mark away. Failures: those of store::Store::nameBaseline().
    virtual base::Status changeBaseline(const std::filesystem::path& file, const BaselineChange& change) = 0;

    /// The claims of guides beside what the workspace measured on `devices`. A workspace that does not exist yet
    /// measured nothing.
    virtual base::Result<std::vector<claims::ClaimCheck>> claimChecks(const std::filesystem::path& file,
                                                                      const std::vector<model::Device>& devices) = 0;
};

} // namespace apertune::gui
