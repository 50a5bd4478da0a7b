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
inline constexpr MessageKind kNoPythonForPip{"worker.no_python_for_pip"};
inline constexpr MessageKind kNoPip{"worker.no_pip", {"python"}};
inline constexpr MessageKind kPipFailed{"worker.pip_failed", {"how"}};
inline constexpr MessageKind kNotAdded{"worker.not_added", {"engine"}};
inline constexpr MessageKind kCannotRemove{"worker.cannot_remove", {"folder", "why"}};

// Hints on what to do.
inline constexpr MessageKind kReinstallBoth{"worker.reinstall_both"};
inline constexpr MessageKind kBuildAgain{"worker.build_again"};
inline constexpr MessageKind kBuildAgainPip{"worker.build_again_pip", {"requirement"}};
inline constexpr MessageKind kNameEngines{"worker.name_engines"};
inline constexpr MessageKind kAddEngine{"worker.add_engine", {"backend"}};
inline constexpr MessageKind kInstallPython{"worker.install_python"};
inline constexpr MessageKind kInstallPip{"worker.install_pip"};
inline constexpr MessageKind kCheckIndex{"worker.check_index"};
inline constexpr MessageKind kListEngines{"worker.list_engines"};

inline constexpr std::array kAll{kAlreadyUnreadable, kFrameTooLong,   kFrameWithoutObject,
                                 kMemberOfOtherType, kNotBuilt,       kNotInstalled,
                                 kNotWhole,          kNoPythonForPip, kNoPip,
                                 kPipFailed,         kNotAdded,       kCannotRemove,
                                 kReinstallBoth,     kBuildAgain,     kBuildAgainPip,
                                 kNameEngines,       kAddEngine,      kInstallPython,
                                 kInstallPip,        kCheckIndex,     kListEngines};

} // namespace apertune::worker::errors
