// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/goal.h"
#include "core/model/model_ref.h"
#include "core/model/search_space.h"
#include "core/model/study.h"
#include "core/sweeps/sweep_file.h"

#include <string>
#include <vector>

namespace apertune::sweeps {

/// The request of a study.
struct Sweep
{
    std::string model; ///< name or source: the argument of `apertune tune`
    model::Goal goal;
    model::SearchSpace space;
    base::Nanoseconds budget{}; ///< 0: unlimited
    model::BudgetKind budgetKind = model::BudgetKind::wall;
    double target = model::kDefaultTarget;
};

/// The entries of a sweep, in the order of the help of `apertune tune`. What has its default is left out, except the
/// budget. `apertune tune` reads them as the same goal and space. They cannot say SearchSpace::sensitive.
std::vector<SweepEntry> sweepOf(const Sweep& sweep);

/// The name by which most machines find a model: its source when that is a name of torchvision or timm with its own
/// weights, else its name in the workspace.
std::string portableName(const model::ModelRef& model);

} // namespace apertune::sweeps
