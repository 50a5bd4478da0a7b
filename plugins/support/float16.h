// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace apertune::plugins {

/// Return the value of an IEEE 754 binary16 and of a bfloat16 number, from its bits.
float fromFloat16(std::uint16_t bits);
float fromBfloat16(std::uint16_t bits);

} // namespace apertune::plugins
