// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/usable_model.h"

#include "core/models/artifact_check.h"
#include "core/models/errors.h"
#include "core/models/model_origin.h"
#include "core/models/trust.h"

#include <filesystem>
#include <system_error>

namespace apertune::models {

namespace fs = std::filesystem;

base::Status requireUsable(const model::ModelRef& model)
{
    std::error_code none;
    if (!fs::exists(model.artifact, none))
        return base::Error{base::ErrorCode::notFound, base::message<errors::kModelNotHere>(model.name),
                           model.artifact.string(), importByCommand(model, false)};
    if (auto whole = requireUndamaged(model); !whole)
        return whole;
    if (isContentHash(model.contentHash) && fs::exists(model.artifact / "manifest.json", none))
        if (auto own = requireContentHash(model.artifact, model.contentHash); !own)
            return own;
    return requireTrustedModel(model);
}

} // namespace apertune::models
