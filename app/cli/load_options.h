// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/options.h"
#include "core/workload/load/scenario.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apertune::cli {

/// A load as it is on the command line; empty: the kind's default.
struct LoadTexts
{
    std::string kind, duration, percentile, bound, maxWait, deadline, jitter;
    std::optional<double> rate, fps;
    std::optional<int> samples, cameras, queue;
    std::optional<std::uint64_t> seed;
};

/// Declares everything but the kind and the bound, which verbs name in their own ways.
std::vector<CLI::Option*> addLoadOptions(CLI::App& verb, LoadTexts& texts, const std::string& group = {});

/// Failures: invalidArgument, with what would be right.
base::Result<workload::Scenario> scenarioOf(const LoadTexts& texts);

} // namespace apertune::cli
