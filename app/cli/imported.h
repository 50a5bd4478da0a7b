// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/model/study.h"

#include <optional>
#include <string>

namespace apertune::cli {

/// Returns the error of a verb that runs a trial's model when another tool measured the trial, so that its model is not
/// here; nullopt for other studies. `name` is the trial or the study, as users type it.
std::optional<base::Error> whyNotRun(const model::Study& study, const std::string& name);

} // namespace apertune::cli
