// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace apertune::libtorch::recording {

/// Reuses the shapes of operators of an earlier pass. Reading the shapes of an operator's inputs costs several times as
/// much as recording the operator, because LibTorch boxes every argument for it. A model that gets the same input again
/// runs the same operators on the same shapes. One thread may use an object.
///
/// * The first pass over an input reads the shapes. Later passes reuse them, place by place, as long as names agree.
/// * The kFirstCheck-th pass after it reads again, as a check. After each check that agrees, the next one comes after
///   kGrowth times as many passes.
/// * If a check finds other shapes at the same names, the model is not deterministic. Then all reused shapes are
///   invalid, and every later pass reads.
class ShapeRecall
{
public:
    static constexpr int kFirstCheck = 16;
    static constexpr int kGrowth = 4;

    /// Begins a pass and ends the previous one. `input` identifies its input set by an address. Returns whether the
    /// pass has to read the shapes.
    bool passBegins(const void* input);

    /// Returns whether a check found that reused shapes are wrong.
    bool refuted() const { return m_refuted; }

    /// Makes every later pass read.
    void giveUp() { m_always = true; }

    /// One operator of a pass. `name` and `shapes` are numbers that the caller chooses.
    struct Place
    {
        const char* text; ///< name of the operator, if the text is never freed; otherwise null
        std::uint32_t name;
        std::uint32_t shapes;
    };

    /// Adds the next operator of a pass that reads.
    void read(const Place& place) { m_pass.push_back(place); }

    /// Returns the next operator of a pass that reuses shapes, if it is the expected one by the address of its name,
    /// which needs no lookup. Otherwise returns null, and the caller has to ask by its number.
    const Place* next(const char* text) { return m_next != m_end && m_next->text == text ? m_next++ : nullptr; }

    /// Returns the next operator by the number of its name; null when the pass differs from the known one.
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
        Pass pass; ///< empty: the pass has to be read
        int checkAfter = 0;
        int untilCheck = 0;
    };

    void passEnds();

    const Place* m_next =
        nullptr; ///< position in the known pass; m_next and m_end are null while a pass reads, and outside of passes
    const Place* m_end = nullptr;
    bool m_left = false;                            ///< the pass differs from the known one
    std::unordered_map<const void*, Known> m_known; ///< key: input; references to its nodes stay valid
    Known* m_current = nullptr;                     ///< entry of the pass that runs
    bool m_reads = false;                           ///< the pass that runs reads shapes
    Pass m_pass;                                    ///< the operators read so far in the pass that runs
    bool m_always = false;
    bool m_refuted = false;
};

} // namespace apertune::libtorch::recording
