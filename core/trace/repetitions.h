// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

// Finds repetitions in sequences of numbers. Only the sources of the codec include this file.
namespace apertune::trace {

/// A number of literals, followed by `length` numbers that repeat those `distance` before.
struct Run
{
    std::size_t literals = 0;
    std::size_t length = 0;
    std::size_t distance = 0;
};

/// Returns how many of the first numbers of `a` and `b` are equal.
template <typename T>
std::size_t equalAtFront(const T* a, const T* b, std::size_t count)
{
    constexpr std::size_t kGroup = 16;
    std::size_t i = 0;
    for (; i + kGroup <= count; i += kGroup) {
        T different = 0;
        for (std::size_t k = 0; k < kGroup; ++k)
            different |= a[i + k] ^ b[i + k];
        if (different != 0)
            break;
    }
    while (i < count && a[i] == b[i])
        ++i;
    return i;
}

/// Hashes four numbers. Windows with equal hashes are candidates for a repetition.
/// REQUIRES: four numbers exist.
template <typename T>
std::uint64_t windowHash(const T* numbers)
{
    // Each number has its own factor, so the products do not wait for each other.
    constexpr std::array<std::uint64_t, 4> kFactors = {0x9e3779b97f4a7c15u, 0xc4ceb9fe1a85ec53u, 0xbf58476d1ce4e5b9u,
                                                       0x94d049bb133111ebu};
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < kFactors.size(); ++k)
        sum += static_cast<std::uint64_t>(numbers[k]) * kFactors[k];
    return (sum ^ sum >> 32) * kFactors[0];
}

/// Finds repeated runs. A model that runs again and again leaves the same names, launches and sizes in the same order.
/// The result is empty when less than a quarter repeats. The search stops halfway when it has found nothing.
/// REQUIRES: fewer than 2³² numbers.
template <typename T>
std::vector<Run> findRuns(std::span<const T> numbers)
{
    constexpr std::size_t kLeast = 16; ///< shorter runs do not pay for their description
    constexpr int kMostBits = 12;
    const int bits = std::min(static_cast<int>(std::bit_width(numbers.size())) + 2, kMostBits);
    // By hash: the last position of such a window, plus one.
    std::array<std::uint32_t, std::size_t{1} << kMostBits> seen;
    std::fill_n(seen.begin(), std::size_t{1} << bits, 0u);
    std::vector<Run> runs;
    std::size_t repeated = 0;
    std::size_t described = 0; // numbers that `runs` describes so far
    for (std::size_t i = 0; i + kLeast <= numbers.size();) {
        if (runs.empty() && i > numbers.size() / 2)
            return {};
        const T* const here = numbers.data() + i;
        std::uint32_t& slot = seen[windowHash(here) >> (64 - bits)];
        const std::size_t before = std::exchange(slot, static_cast<std::uint32_t>(i + 1));
        const std::size_t distance = i + 1 - before;
        const bool mayRepeat = before != 0 && here[kLeast - 1] == numbers[i + kLeast - 1 - distance];
        const std::size_t length = mayRepeat ? equalAtFront(here, here - distance, numbers.size() - i) : 0;
        if (length < kLeast) {
            ++i;
            continue;
        }
        runs.push_back({i - described, length, distance});
        i += length;
        described = i;
        repeated += length;
    }
    if (runs.empty() || repeated < numbers.size() / 4)
        return {};
    runs.push_back({numbers.size() - described, 0, 0});
    return runs;
}

} // namespace apertune::trace
