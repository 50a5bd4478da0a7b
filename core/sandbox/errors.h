// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::sandbox::errors {

using base::MessageKind;

inline constexpr MessageKind kNoRules{"sandbox.no_rules", {"why"}};
inline constexpr MessageKind kProgramNotFound{"sandbox.program_not_found", {"program"}};

inline constexpr MessageKind kWithoutSandbox{"sandbox.without_sandbox"};

inline constexpr std::array kAll{kNoRules, kProgramNotFound, kWithoutSandbox};

} // namespace apertune::sandbox::errors
