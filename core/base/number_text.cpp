// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"

#include <array>
#include <charconv>

namespace apertune::base {

std::string roundTripText(double value)
{
    std::array<char, 32> buffer{}; // The shortest form of a double has at most 24 characters.
    return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

} // namespace apertune::base
