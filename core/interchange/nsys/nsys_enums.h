// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace apertune::interchange::nsys {

/// Returns SQL that creates the ENUM_* tables of an nsys export with their rows. Queries join them with the numbers in
/// its columns (copyKind, srcKind, syncType, eventClass, …).
std::string enumTablesSql();
/// Returns SQL that creates temporary views with the same names and rows.
std::string enumViewsSql();

} // namespace apertune::interchange::nsys
