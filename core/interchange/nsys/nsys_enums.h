// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace apertune::interchange::nsys {

/// SQL that makes the ENUM_* tables of an nsys export, which queries join with the numbers in its columns (copyKind,
/// srcKind, syncType, eventClass, …): tables with their rows, or temporary views that show the same. Private to
/// core/store.
std::string enumTablesSql();
std::string enumViewsSql();

} // namespace apertune::interchange::nsys
