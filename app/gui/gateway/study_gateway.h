// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/study.h"
#include "core/store/store.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apertune::gui {

/// What this computer is: devices, surroundings, and what can be recorded here.
struct Machine
{
    std::vector<model::Device> devices;
    model::Environment environment;
    std::vector<model::Capability> capabilities;
    std::vector<std::string> engines{}; ///< backends besides LibTorch that can be started here
};

/// What a workspace holds at one moment, for the list views, with the study that is being looked at.
struct WorkspaceState
{
    std::int64_t version = 0; ///< Store::dataVersion of this state
    bool exists = true;       ///< false: no such file yet; it is made by the first import
    std::vector<store::StudySummary> studies;
    std::vector<model::ModelRef> models;
    std::shared_ptr<const model::StudySnapshot> snapshot; ///< the requested study, else the latest; may be null
};

/// Reads workspaces and the machine. Every call blocks and is made on a task's thread, never on the GUI thread;
/// different threads may call at once. Failures are Results as the engine gives them.
class StudyGateway
{
public:
    virtual ~StudyGateway() = default;

    virtual Machine probe() = 0;

    /// The state of the workspace when it differs from `known`, else nothing. `study` 0: the latest one.
    virtual base::Result<std::optional<WorkspaceState>> read(const std::filesystem::path& file, model::StudyId study,
                                                             std::optional<std::int64_t> known) = 0;

    /// A study of any workspace, with its recommendation. `study` 0: the latest one.
    virtual base::Result<std::shared_ptr<const model::StudySnapshot>> study(const std::filesystem::path& file,
                                                                            model::StudyId study) = 0;

    /// The studies of any workspace, newest first. Does not disturb what read() keeps open.
    virtual base::Result<std::vector<store::StudySummary>> studies(const std::filesystem::path& file) = 0;

    virtual base::Status deleteStudy(const std::filesystem::path& file, model::StudyId study) = 0;

    /// The runs of a trial from image to answer, oldest first.
    virtual base::Result<std::vector<store::Store::Pipeline>> pipelines(const std::filesystem::path& file,
                                                                        model::TrialId trial) = 0;

    /// What the trial did under load, in the order in which it was run.
    virtual base::Result<std::vector<store::Store::Scenario>> scenarios(const std::filesystem::path& file,
                                                                        model::TrialId trial) = 0;

    /// What the trial's answers were found to be worth, oldest first.
    virtual base::Result<std::vector<store::Store::Evaluation>> evaluations(const std::filesystem::path& file,
                                                                            model::TrialId trial) = 0;
};

} // namespace apertune::gui
