// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::worker::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kAlreadyUnreadable{"worker.already_unreadable"};
inline constexpr MessageKind kFrameTooLong{"worker.frame_too_long", {"bytes", "limit"}};
inline constexpr MessageKind kFrameWithoutObject{"worker.frame_without_object", {"bytes"}};
inline constexpr MessageKind kMemberOfOtherType{"worker.member_of_other_type", {"why"}};
inline constexpr MessageKind kNotBuilt{"worker.not_built", {"engine", "why"}};
inline constexpr MessageKind kNotInstalled{"worker.not_installed", {"engine"}};
inline constexpr MessageKind kNotWhole{"worker.not_whole", {"engine", "file"}};
inline constexpr MessageKind kNoScratch{"worker.no_scratch", {"why"}};

// Hints on what to do.
inline constexpr MessageKind kReinstallBoth{"worker.reinstall_both"};
inline constexpr MessageKind kBuildAgain{"worker.build_again"};
inline constexpr MessageKind kBuildAgainPip{"worker.build_again_pip", {"requirement"}};
inline constexpr MessageKind kNameEngines{"worker.name_engines"};
inline constexpr MessageKind kNameEnginesPip{"worker.name_engines_pip", {"requirement"}};
inline constexpr MessageKind kFreeScratch{"worker.free_scratch"};

inline constexpr std::array kAll{kAlreadyUnreadable, kFrameTooLong, kFrameWithoutObject, kMemberOfOtherType,
                                 kNotBuilt,          kNotInstalled, kNotWhole,           kNoScratch,
                                 kReinstallBoth,     kBuildAgain,   kBuildAgainPip,      kNameEngines,
                                 kNameEnginesPip,    kFreeScratch};

} // namespace apertune::worker::errors
