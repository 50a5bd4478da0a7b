// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/config.h"
#include "core/model/goal.h"
#include "core/model/model_ref.h"
#include "core/model/search_space.h"
#include "core/model/study.h"
#include "core/search/grid.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace apertune::study {

/// The configuration of each device, by its id, that takes turns with its trials (DriftMonitor).
using DriftReferences = std::map<std::string, model::Config>;

/// A user's request for a study: the arguments of `apertune tune`.
struct StudyRequest
{
    model::ModelRef model;
    model::Goal goal;
    model::SearchSpace space;
    base::Nanoseconds budget = base::fromSeconds(120); ///< time for the sweep and its confirmation; 0 when unlimited
    model::BudgetKind budgetKind = model::BudgetKind::wall;
    model::StudyPurpose purpose = model::StudyPurpose::tuning;
    double target = model::kDefaultTarget; ///< relative half-width of the median's interval at which a trial ends
    std::string commandLine;
    std::string uuid{}; ///< uuid of the new study; empty: a random one
    /// Configurations to measure in place of the grid of `space`; empty: the grid.
    std::vector<search::PlannedConfiguration> configurations{};
    DriftReferences references{}; ///< where a device has none, an O0 fp32 trial of the study is taken
};

/// A user's request to go on with a study: the arguments of `apertune tune --resume`.
struct ResumeRequest
{
    model::StudyId study;
    /// Time for the rest, 0 when unlimited. Not given: the part of the study's budget that the open trials are of all,
    /// plus the share for the confirmation.
    std::optional<base::Nanoseconds> budget{};
    /// How long to wait, before anything is measured, until other programs leave the processors alone.
    base::Nanoseconds quietWait{};
    DriftReferences references{}; ///< see StudyRequest
};

} // namespace apertune::study
