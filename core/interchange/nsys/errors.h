// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::interchange::nsys::errors {

using base::MessageKind;

// What happened, and why.
inline constexpr MessageKind kNoEvents{"nsys.no_events"};
inline constexpr MessageKind kNoExport{"nsys.no_export"};
inline constexpr MessageKind kNoSqlite{"nsys.no_sqlite"};
inline constexpr MessageKind kIsAFolder{"nsys.is_a_folder", {"file"}};
inline constexpr MessageKind kIsAWorkspace{"nsys.is_a_workspace"};
inline constexpr MessageKind kDamaged{"nsys.damaged"};
inline constexpr MessageKind kCannotWriteTo{"nsys.cannot_write_to", {"file", "problem"}};

// What to do.
inline constexpr MessageKind kRecordAgain{"nsys.record_again"};
inline constexpr MessageKind kMakeExport{"nsys.make_export"};
inline constexpr MessageKind kNameSqlite{"nsys.name_sqlite"};
inline constexpr MessageKind kUseWithStore{"nsys.use_with_store"};
inline constexpr MessageKind kExportAgain{"nsys.export_again"};

inline constexpr std::array kAll{kNoEvents,      kNoExport,    kNoSqlite,   kIsAFolder,  kIsAWorkspace, kDamaged,
                                 kCannotWriteTo, kRecordAgain, kMakeExport, kNameSqlite, kUseWithStore, kExportAgain};

} // namespace apertune::interchange::nsys::errors
