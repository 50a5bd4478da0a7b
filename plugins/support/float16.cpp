// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/support/float16.h"

#include <cstring>

namespace apertune::plugins {

float fromFloat16(std::uint16_t bits)
{
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
    std::uint32_t exponent = (bits >> 10) & 0x1F;
    std::uint32_t mantissa = bits & 0x3FF;
    std::uint32_t out = 0;
    if (exponent == 0x1F) {
        out = 0x7F800000 | mantissa << 13;
    } else if (exponent > 0 || mantissa > 0) {
        if (exponent == 0) { // a subnormal binary16 number, which is normal as a float
            exponent = 1;
            while (!(mantissa & 0x400)) {
                mantissa <<= 1;
                --exponent;
            }
            mantissa &= 0x3FF;
        }
        out = (exponent + 112) << 23 | mantissa << 13;
    }
    out |= sign;
    float value = 0;
    std::memcpy(&value, &out, sizeof value);
    return value;
}

float fromBfloat16(std::uint16_t bits)
{
    const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
    float value = 0;
    std::memcpy(&value, &wide, sizeof value);
    return value;
}

} // namespace apertune::plugins
