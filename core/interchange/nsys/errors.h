// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::interchange::nsys::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kNoEvents{"nsys.no_events"};
inline constexpr MessageKind kNoExport{"nsys.no_export"};
inline constexpr MessageKind kNeedsNsys{"nsys.needs_nsys"};
inline constexpr MessageKind kExportFailed{"nsys.export_failed", {"why"}};
inline constexpr MessageKind kDamaged{"nsys.damaged"};
inline constexpr MessageKind kCannotWriteTo{"nsys.cannot_write_to", {"file", "problem"}};

// Hints on what to do.
inline constexpr MessageKind kRecordAgain{"nsys.record_again"};
inline constexpr MessageKind kMakeExport{"nsys.make_export"};
inline constexpr MessageKind kInstallOrExport{"nsys.install_or_export", {"file"}};
inline constexpr MessageKind kNewerNsys{"nsys.newer_nsys"};
inline constexpr MessageKind kExportAgain{"nsys.export_again"};

inline constexpr std::array kAll{kNoEvents,    kNoExport,  kDamaged,      kCannotWriteTo,   kRecordAgain, kMakeExport,
                                 kExportAgain, kNeedsNsys, kExportFailed, kInstallOrExport, kNewerNsys};

} // namespace apertune::interchange::nsys::errors
