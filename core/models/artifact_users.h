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

/// Imported artifacts lie in one folder for all workspaces of a user, and one of the same content is shared. The file
/// userDataDir()/model-users/ARTIFACT lists the workspaces that use it, a path a line, so that none of them loses it to
/// another.

/// Where imports put artifacts: userDataDir()/models.
std::filesystem::path modelsDir();

/// Notes that the workspace uses the artifact; does nothing for one outside modelsDir(). `wasThere`: the artifact is
/// older than this import, so that without a list its other users are unknown. Failures: io.
base::Status noteArtifactUser(const std::filesystem::path& artifact, const std::filesystem::path& workspace,
                              bool wasThere);

/// What became of the artifact of a model that was deleted.
struct ArtifactRemoval
{
    enum class Kept {
        no,              ///< it was removed, or was gone already
        foreign,         ///< it lies where the user put it
        models,          ///< other models of this workspace use it
        studies,         ///< studies of this workspace use it
        otherWorkspaces, ///< they use it, too
        unknownUsers,    ///< it was imported before its users were noted
        error,           ///< the files cannot be removed
    };
    Kept kept = Kept::no;
    std::vector<std::string> users{}; ///< what uses it: names, "s3", paths; of `error`: why
    base::Bytes freed{};
};

/// Removes the artifact when nothing refers to it any more. The workspace stops being one of its users unless a model
/// or a study of it refers to the artifact. REQUIRES: `store` is open for writing. Failures: those of the store.
base::Result<ArtifactRemoval> removeUnusedArtifact(const store::Store& store, const model::ModelRef& model);

} // namespace apertune::models
