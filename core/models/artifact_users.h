// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/model/model_ref.h"
#include "core/store/store.h"

#include <filesystem>
#include <string>
#include <vector>

namespace apertune::models {

/// Imported artifacts lie in one folder for all workspaces of a user, and workspaces share an artifact of the same
/// content. The file userDataDir()/model-users/ARTIFACT lists the workspaces that use it, a path a line, so that no
/// workspace deletes an artifact that another one uses.

/// Returns the folder of imported artifacts: userDataDir()/models.
std::filesystem::path modelsDir();

/// Records that the workspace uses the artifact. Does nothing for an artifact outside modelsDir(). `wasThere`: the
/// artifact is older than this import, so without a list its other users are unknown.
/// Failures: io.
base::Status noteArtifactUser(const std::filesystem::path& artifact, const std::filesystem::path& workspace,
                              bool wasThere);

/// The outcome for the artifact of a deleted model.
struct ArtifactRemoval
{
    enum class Kept {
        no,              ///< it was removed, or was gone already
        foreign,         ///< it lies outside modelsDir(), where the user put it
        models,          ///< other models of this workspace use it
        studies,         ///< studies of this workspace use it
        otherWorkspaces, ///< other workspaces use it
        unknownUsers,    ///< it was imported before its users were recorded
        recent,          ///< it was written a moment ago, perhaps by an import that is not complete
        error,           ///< the files cannot be removed
    };
    Kept kept = Kept::no;
    std::vector<std::string> users{}; ///< users of the artifact: names, "s3", paths; with Kept::error, the reason
    base::Bytes freed{};
};

/// Removes the artifact of `model` when nothing refers to it any more. The workspace stays one of its users while one
/// of its models or studies refers to it.
/// REQUIRES: `store` is open for writing.
/// Failures: those of the store.
base::Result<ArtifactRemoval> removeUnusedArtifact(const store::Store& store, const model::ModelRef& model);

/// An artifact in modelsDir() that no model of the workspace uses.
struct LeftArtifact
{
    std::filesystem::path folder;
    base::Bytes size{};
    ArtifactRemoval removal; ///< `freed` includes what was made of it
};

/// Removes the artifacts in modelsDir() that no workspace refers to, and what was made of them (removeMadeFiles()).
/// Artifacts that this workspace uses are left out of the result.
///  - An artifact whose list has other workspaces is kept while one of them exists and refers to it or cannot be read.
///  - An artifact without a list, or with users from before there were lists, is kept.
/// REQUIRES: `store` is open for writing. `now` is the time of the file system.
/// Failures: io (modelsDir() cannot be read), those of the store.
base::Result<std::vector<LeftArtifact>> removeUnusedArtifacts(const store::Store& store,
                                                              std::filesystem::file_time_type now);

/// Removes the compiled packages and converted files that were made of the model of that content hash, unless an
/// artifact in modelsDir() still has that content. A workspace makes them again when it needs them. Returns the freed
/// bytes.
base::Bytes removeMadeFiles(const std::string& contentHash);

} // namespace apertune::models
