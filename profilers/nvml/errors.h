// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::profilers::nvml::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kNoDriver{"nvml.no_driver"};

// Hints on what to do.
inline constexpr MessageKind kInstallDriver{"nvml.install_driver"};
inline constexpr MessageKind kCheckWithSmi{"nvml.check_with_smi"};

inline constexpr std::array kAll{kNoDriver, kInstallDriver, kCheckWithSmi};

} // namespace apertune::profilers::nvml::errors
