// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/trial.h"

#include <string>

namespace apertune::model {

/// A starred trial that others are compared with. A baseline with a name can be named wherever a trial is named.
struct Baseline
{
    TrialId trial{};
    std::string name{}; ///< unique in the workspace; empty: starred without a name
    std::string starredUtc{};
    bool operator==(const Baseline&) const = default;
};

/// Checks the name of a baseline. It begins with a letter, and has at most 64 letters, digits, '.', '_' and '-'. It is
/// not a word that names something else: "best", "last", or an id such as "t12", "s3" or "tr3". Pure.
/// Failures: invalidArgument.
base::Status checkBaselineName(const std::string& name);

} // namespace apertune::model
