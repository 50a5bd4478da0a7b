// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace apertune::libtorch::recording {

/// Reading the shapes of an operator's inputs costs several times what recording the operator costs, because LibTorch
/// boxes every argument for it; and a model that is given the same input again runs the same operators on the same
/// shapes. So the first pass over an input reads them, and later ones take them over from the operator at the same
/// place, as long as the names agree. The kFirstCheck-th after it reads again, if that agreed the one after twice as
/// many, and so on. Should a check find other shapes at the same names, the model is not deterministic: nothing that
/// was taken over counts, and from then on every pass reads. One thread's; not thread-safe.
class ShapeRecall
{
public:
    static constexpr int kFirstCheck = 16;

    /// A pass over that input (its address tells it) begins; the pass before, if any, is over. Returns whether it has
    /// to read the shapes.
    bool passBegins(const void* input);

    /// Whether what was taken over turned out wrong.
    bool refuted() const { return m_refuted; }

    /// From now on every pass reads.
    void giveUp() { m_always = true; }

    /// The next operator of a pass that reads. `name` and `shapes` are numbers of the caller's.
    void read(std::uint32_t name, std::uint32_t shapes) { m_pass.emplace_back(name, shapes); }

    /// The next operator of a pass that does not: its shapes, or 0 when the pass left the known way.
    std::uint32_t recall(std::uint32_t name)
    {
        if (m_recalled && m_at < m_recalled->size() && (*m_recalled)[m_at].first == name)
            return (*m_recalled)[m_at++].second;
        m_at = kLost;
        return 0;
    }

private:
    using Pass = std::vector<std::pair<std::uint32_t, std::uint32_t>>; ///< name and shapes of each operator
    struct Known
    {
        Pass pass; ///< empty: has to be read
        int checkAfter = 0;
        int untilCheck = 0;
    };

    static constexpr std::size_t kLost = ~std::size_t{0};

    void passEnds();

    std::unordered_map<const void*, Known> m_known; ///< by input; its nodes stay where they are
    Known* m_current = nullptr;                     ///< of the pass that runs
    const Pass* m_recalled = nullptr;               ///< null while a pass reads
    std::size_t m_at = 0;                           ///< of m_recalled, or kLost
    Pass m_pass;                                    ///< what was read of the pass so far
    bool m_always = false;
    bool m_refuted = false;
};

} // namespace apertune::libtorch::recording
