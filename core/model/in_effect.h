// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/trial.h"

#include <string>
#include <vector>

namespace apertune::model {

/// A switch that was asked for and did not take effect.
struct LeftOut
{
    std::string name;
    std::string why; ///< the backend's evidence
};

/// The configuration that ran, which may be another than the one that was asked for.
struct InEffect
{
    Config config;
    std::vector<LeftOut> leftOut;
};

/// The trial's configuration with its switches as the backend read them back: a switch that took effect is on, one that
/// was asked for and did not take effect is off and listed. A switch that the backend did not read back, or that is not
/// applicable, stays as it was asked for.
InEffect inEffect(const Trial& trial);

} // namespace apertune::model
