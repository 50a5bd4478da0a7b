// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profilers/cupti/cupti_api.h"
#include "profilers/cupti/recent_entries.h"
#include "profilers/cupti/staged_events.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace apertune::profilers {

/// Remembers kernel launches and their order. A program's loop launches the same kernels in the same order, so the
/// successor of a launch in the last iteration is expected again. Comparing a record with the expected launch takes a
/// fraction of the time of looking up its name, its details and its stream.
class KernelLaunches
{
public:
    /// The properties that all kernels of a launch share.
    struct Meaning
    {
        trace::StringId name;
        std::uint32_t detail = 0;
        StagedEvents* series = nullptr;
        std::uint64_t buffer = 0; ///< the buffer in which the text behind the record's pointer was last compared
        bool operator==(const Meaning& other) const
        {
            return name == other.name && detail == other.detail && series == other.series;
        }
    };

    /// Returns the launch of a record if it followed the previous record last time, otherwise nullptr. The pointer is
    /// valid until learn().
    Meaning* expected(const CUpti_ActivityKernel10& r)
    {
        if (m_launches.empty())
            return nullptr;
        const std::uint32_t next = m_launches[m_last].next;
        if (!m_launches[next].is(r))
            return nullptr;
        m_last = next;
        return &m_launches[next].meaning;
    }

    /// Stores the meaning of a record that was not expected, so that it is expected next time.
    const Meaning& learn(const CUpti_ActivityKernel10& r, const Meaning& meaning)
    {
        if (m_launches.size() == kMost) {
            m_launches.clear();
            m_known = {};
            m_last = 0;
        }
        const auto [at, known] =
            m_known.find(spread(std::uint64_t{meaning.detail} << 32 | meaning.name.value,
                                reinterpret_cast<std::uintptr_t>(meaning.series)),
                         [&](std::uint32_t i) { return i < m_launches.size() && m_launches[i].meaning == meaning; });
        if (!known) {
            at = static_cast<std::uint32_t>(m_launches.size());
            m_launches.emplace_back();
        }
        m_launches[at].remember(r, meaning);
        m_launches[m_last].next = at;
        m_last = at;
        return m_launches[at].meaning;
    }

private:
    static constexpr std::size_t kMost = 1 << 16;

    struct Launch
    {
        /// Device, context, stream, grid, block and memory of a record. These fields are adjacent in it.
        using Words = std::array<std::uint64_t, 6>;

        Words words{};
        const char* name = nullptr;
        std::uint64_t graphNode = 0;
        std::array<std::uint32_t, 3> cluster{};
        std::uint32_t graph = 0;
        std::uint32_t registers = 0;
        std::uint32_t next = 0;
        Meaning meaning;

        static Words wordsOf(const CUpti_ActivityKernel10& r)
        {
            constexpr std::size_t kFirst = offsetof(CUpti_ActivityKernel10, deviceId);
            static_assert(offsetof(CUpti_ActivityKernel10, localMemoryTotal) == kFirst + sizeof(Words));
            Words words;
            std::memcpy(words.data(), reinterpret_cast<const char*>(&r) + kFirst, sizeof words);
            return words;
        }

        void remember(const CUpti_ActivityKernel10& r, const Meaning& m)
        {
            words = wordsOf(r);
            name = r.name;
            graphNode = r.graphNodeId;
            cluster = {r.clusterX, r.clusterY, r.clusterZ};
            graph = r.graphId;
            registers = r.registersPerThread;
            meaning = m;
        }

        /// Compares without branches, because nearly always all fields are equal.
        bool is(const CUpti_ActivityKernel10& r) const
        {
            const Words other = wordsOf(r);
            std::uint64_t different =
                (reinterpret_cast<std::uintptr_t>(name) ^ reinterpret_cast<std::uintptr_t>(r.name)) |
                (graphNode ^ r.graphNodeId);
            for (std::size_t i = 0; i < words.size(); ++i)
                different |= words[i] ^ other[i];
            different |= (cluster[0] ^ r.clusterX) | (cluster[1] ^ r.clusterY) | (cluster[2] ^ r.clusterZ) |
                         (graph ^ r.graphId) | (registers ^ r.registersPerThread);
            return different == 0;
        }
    };

    std::vector<Launch> m_launches;
    RecentEntries<std::uint32_t, 1024> m_known; ///< index of a launch, by its meaning
    std::uint32_t m_last = 0;
};

} // namespace apertune::profilers
