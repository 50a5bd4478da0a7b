// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace apertune::interchange::chrome {

inline std::uint64_t mixBits(std::uint64_t a, std::uint64_t b)
{
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// Hashes a text, eight bytes a step, because names of kernels have hundreds of bytes.
inline std::uint64_t hashText(std::string_view text)
{
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;
    std::uint64_t hash = mixBits(text.size() + 1, kOdd);
    const char* at = text.data();
    std::size_t left = text.size();
    std::uint64_t word = 0;
    for (; left >= 8; left -= 8, at += 8) {
        std::memcpy(&word, at, 8);
        hash = mixBits(hash ^ word, kOdd);
    }
    word = 0;
    if (left > 0)
        std::memcpy(&word, at, left);
    return mixBits(hash ^ word, kOdd ^ 0xff51afd7ed558ccdu);
}

/// Numbers texts, from 1 on. Open addressing: finding a known text costs one hash and about one comparison.
class TextNumbers
{
public:
    TextNumbers() : m_slots(1024) {}

    /// Returns the number of a text, and whether it is new.
    std::pair<std::uint32_t, bool> number(std::string_view text)
    {
        const std::uint64_t hash = hashText(text);
        std::size_t slot = hash & (m_slots.size() - 1);
        for (; m_slots[slot].number != 0; slot = (slot + 1) & (m_slots.size() - 1))
            if (m_slots[slot].hash == hash && m_texts[m_slots[slot].number - 1] == text)
                return {m_slots[slot].number, false};
        m_texts.emplace_back(text);
        m_slots[slot] = {hash, static_cast<std::uint32_t>(m_texts.size())};
        if (m_texts.size() * 2 > m_slots.size())
            grow();
        return {static_cast<std::uint32_t>(m_texts.size()), true};
    }

private:
    struct Slot
    {
        std::uint64_t hash = 0;
        std::uint32_t number = 0;
    };

    void grow()
    {
        std::vector<Slot> old(m_slots.size() * 2);
        old.swap(m_slots);
        for (const Slot& s : old) {
            if (s.number == 0)
                continue;
            std::size_t slot = s.hash & (m_slots.size() - 1);
            while (m_slots[slot].number != 0)
                slot = (slot + 1) & (m_slots.size() - 1);
            m_slots[slot] = s;
        }
    }

    std::vector<Slot> m_slots;
    std::deque<std::string> m_texts;
};

/// Numbers values. The default-constructed value is 0. New values are appended to `fresh`.
template <typename T, typename Hash>
class ValueNumbers
{
public:
    std::uint32_t number(const T& value, std::vector<T>& fresh)
    {
        if (value == T{})
            return 0;
        const auto [it, added] = m_numbers.try_emplace(value, static_cast<std::uint32_t>(m_numbers.size() + 1));
        if (added)
            fresh.push_back(value);
        return it->second;
    }

private:
    std::unordered_map<T, std::uint32_t, Hash> m_numbers;
};

} // namespace apertune::interchange::chrome
