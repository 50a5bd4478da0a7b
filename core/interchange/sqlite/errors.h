// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::interchange::sqlite::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kIsAFolder{"sqlite.is_a_folder", {"file"}};
inline constexpr MessageKind kNoSqlite{"sqlite.no_sqlite"};
inline constexpr MessageKind kIsAWorkspace{"sqlite.is_a_workspace"};
inline constexpr MessageKind kDamaged{"sqlite.damaged"};
inline constexpr MessageKind kUnmergedLog{"sqlite.unmerged_log", {"log"}};

// Hints on what to do.
inline constexpr MessageKind kNameFile{"sqlite.name_file"};
inline constexpr MessageKind kNameDatabase{"sqlite.name_database"};
inline constexpr MessageKind kUseWithStore{"sqlite.use_with_store"};
inline constexpr MessageKind kMergeLog{"sqlite.merge_log"};

inline constexpr std::array kAll{kIsAFolder, kNoSqlite,     kIsAWorkspace, kDamaged, kUnmergedLog,
                                 kNameFile,  kNameDatabase, kUseWithStore, kMergeLog};

} // namespace apertune::interchange::sqlite::errors
