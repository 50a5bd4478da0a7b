// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "app/cli/tune_options.h"
#include "core/engine/workbench.h"

#include <functional>
#include <optional>
#include <vector>

namespace apertune::cli {

/// Studies of related models, in their order. A failure or an interruption ends the series before its last model.
struct StudySeries
{
    std::vector<model::StudySnapshot> studies;
    bool interrupted = false;
    std::optional<base::Error> failure{};
};

/// Returns the model at a place of a series; it may import it.
using ModelOfSeries = std::function<base::Result<model::ModelRef>(std::size_t place)>;

/// Runs a study of each of `count` models, one after the other. The budget of the options is divided among them.
StudySeries runSeries(engine::Workbench& workbench, const Tune& options, std::size_t count, const ModelOfSeries& model,
                      Session& session);

/// Reports how the series ended and returns the exit code. It is kDone only where every study has a better
/// configuration.
/// REQUIRES: its results have been shown.
int endOfSeries(const StudySeries& series, Session& session);

} // namespace apertune::cli
