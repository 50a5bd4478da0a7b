// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/options.h"
#include "core/workload/load/scenario.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apertune::cli {

/// The texts of a load's options. An empty text means the default of the kind.
struct LoadTexts
{
    std::string kind, duration, percentile, bound, maxWait, deadline, jitter;
    std::optional<double> rate, fps;
    std::optional<int> samples, cameras, queue;
    std::optional<std::uint64_t> seed;
};

/// Declares all options of a load except the kind and the bound, which verbs name differently.
std::vector<CLI::Option*> addLoadOptions(CLI::App& verb, LoadTexts& texts, const std::string& group = {});

/// Converts the texts. Failures: invalidArgument, with the valid values.
base::Result<workload::Scenario> scenarioOf(const LoadTexts& texts);

} // namespace apertune::cli
