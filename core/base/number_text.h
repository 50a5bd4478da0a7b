// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace apertune::base {

/// Returns the shortest text that reads back as the same double, with a point for the decimals in every locale;
/// "inf", "-inf" or "nan" for what is not finite. Pure.
std::string roundTripText(double value);

} // namespace apertune::base
