// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/interchange/results/parsed.h"

#include <string_view>

namespace apertune::interchange::results {

inline constexpr std::string_view kTrialsSchema = "apertune.trials/1";

/// Reads the trials that a measuring kit wrote (core/report/schema.md). Every value is checked, since such a file comes
/// from another machine:
///  - Texts are short, and counts, times and sizes are possible ones.
///  - Every trial is of the device that the file describes, and has a configuration of its own.
///  - The stated median is that of the blocks.
///
/// Failures: corrupt (it is no file of a kit, or a member is missing, damaged or contradicts another one).
/// REQUIRES: `text` is JSON whose outermost object has that schema.
base::Result<ForeignResults> kitTrials(std::string_view text);

} // namespace apertune::interchange::results
