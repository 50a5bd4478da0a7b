// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"

#include <string>

namespace apertune::cli {

/// The candidates of a study without a recommendation, below a title. Empty where there are none.
std::string shortlistText(const model::StudySnapshot& snapshot);

} // namespace apertune::cli
