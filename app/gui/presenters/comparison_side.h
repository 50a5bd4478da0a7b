// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/trial.h"

#include <filesystem>

namespace apertune::gui {

/// One side of a comparison: a study of a workspace, or one trial of it.
struct ComparisonSide
{
    std::filesystem::path file;
    model::StudyId study{};
    model::TrialId trial{}; ///< 0: the whole study

    bool operator==(const ComparisonSide&) const = default;
};

} // namespace apertune::gui
