// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace apertune::base {

/// Random numbers that are the same on every machine for the same seed. The standard defines its engines exactly, but
/// its distributions differ between libraries. One thread may use an object at a time.
class Random
{
public:
    explicit Random(std::uint64_t seed) : m_engine(seed) {}

    /// Returns a multiple of 2^-53 in [0, 1).
    double uniform() { return static_cast<double>(m_engine() >> 11) * 0x1p-53; }
    /// Returns an integer in [0, n).
    /// REQUIRES: n > 0
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(uniform() * static_cast<double>(n)); }

private:
    std::mt19937_64 m_engine;
};

} // namespace apertune::base
