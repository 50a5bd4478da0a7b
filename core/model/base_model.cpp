// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base_model.h"

namespace apertune::model {

std::filesystem::path baseArtifact(const ModelRef& model)
{
    const auto base = model.files.find("base");
    return base == model.files.end() ? std::filesystem::path()
                                     : (model.artifact / base->second).lexically_normal().parent_path();
}

} // namespace apertune::model
