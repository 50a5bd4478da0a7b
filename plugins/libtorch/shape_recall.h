// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace apertune::libtorch::recording {

/// Reading the shapes of an operator's inputs costs several times what recording the operator costs, because LibTorch
/// boxes every argument for it; and a model that is given the same input again runs the same operators on the same
/// shapes. So the first pass over an input reads them, and later ones take them over from the operator at the same
/// place, as long as the names agree. The kFirstCheck-th after it reads again, if that agreed the one after kGrowth
/// times as many, and so on. Should a check find other shapes at the same names, the model is not deterministic:
/// nothing that was taken over counts, and from then on every pass reads. One thread's; not thread-safe.
class ShapeRecall
{
public:
    static constexpr int kFirstCheck = 16;
    static constexpr int kGrowth = 4;

    /// A pass over that input (its address tells it) begins; the pass before, if any, is over. Returns whether it has
    /// to read the shapes.
    bool passBegins(const void* input);

    /// Whether what was taken over turned out wrong.
    bool refuted() const { return m_refuted; }

    /// From now on every pass reads.
    void giveUp() { m_always = true; }

    /// An operator of a pass. `name` and `shapes` are numbers of the caller's.
    struct Place
    {
        const char* text; ///< its name, if that stays where it is; otherwise null
        std::uint32_t name;
        std::uint32_t shapes;
    };

    /// The next operator of a pass that reads.
    void read(const Place& place) { m_pass.push_back(place); }

    /// The next operator of a pass that does not: what is known of it when it is the expected one by the address of its
    /// name, which costs nothing to look up; otherwise null, and its number has to be asked for.
    const Place* next(const char* text) { return m_next != m_end && m_next->text == text ? m_next++ : nullptr; }

    /// The same by its number; null when the pass left the known way.
    const Place* next(std::uint32_t name)
    {
        if (m_next != m_end && m_next->name == name)
            return m_next++;
        m_left = true;
        m_next = m_end;
        return nullptr;
    }

private:
    using Pass = std::vector<Place>;
    struct Known
    {
        Pass pass; ///< empty: has to be read
        int checkAfter = 0;
        int untilCheck = 0;
    };

    void passEnds();

    const Place* m_next = nullptr; ///< of the known pass; both null while one reads, and outside of passes
    const Place* m_end = nullptr;
    bool m_left = false;                            ///< the pass went another way
    std::unordered_map<const void*, Known> m_known; ///< by input; its nodes stay where they are
    Known* m_current = nullptr;                     ///< of the pass that runs
    bool m_reads = false;                           ///< the pass that runs
    Pass m_pass;                                    ///< what was read of it so far
    bool m_always = false;
    bool m_refuted = false;
};

} // namespace apertune::libtorch::recording
