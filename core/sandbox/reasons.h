// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::sandbox::reasons {

using base::MessageKind;

// Remarks on a layer: its limits here, or why it is missing.
inline constexpr MessageKind kNoLandlock{"sandbox.no_landlock"};
inline constexpr MessageKind kOldLandlock{"sandbox.old_landlock", {"version"}};
inline constexpr MessageKind kNoFilter{"sandbox.no_filter"};
inline constexpr MessageKind kOtherProcessor{"sandbox.other_processor"};
inline constexpr MessageKind kSanitizer{"sandbox.sanitizer"};
inline constexpr MessageKind kNoNamespaces{"sandbox.no_namespaces", {"why"}};
inline constexpr MessageKind kNothingToGiveUp{"sandbox.nothing_to_give_up"};
inline constexpr MessageKind kRootHasNoProcessLimit{"sandbox.root_has_no_process_limit"};

inline constexpr std::array kAll{kNoLandlock, kOldLandlock,  kNoFilter,        kOtherProcessor,
                                 kSanitizer,  kNoNamespaces, kNothingToGiveUp, kRootHasNoProcessLimit};

} // namespace apertune::sandbox::reasons
