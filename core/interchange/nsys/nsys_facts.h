// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/sqlite_database.h"
#include "core/trace/trace_builder.h"

#include <set>
#include <string>

namespace apertune::interchange::nsys {

/// Reads session, version and devices into the head, and the recorder's warnings into the losses.
/// Throws store::Failure. Private to this folder.
void readFacts(const store::Database& db, const std::set<std::string>& tables, trace::TraceBuilder& builder);

} // namespace apertune::interchange::nsys
