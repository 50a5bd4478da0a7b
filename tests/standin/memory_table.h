// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/standin/machine.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

namespace apertune::standin {

/// The memory of the GPUs and the pinned memory of the host, all of it memory of the host.
///
/// Memory that nobody writes takes no place, so a GPU may have more of it than the host. REQUIRES: calls come one at a
/// time.
class MemoryTable
{
public:
    struct Block
    {
        std::size_t bytes = 0;
        PointerInfo info;
        bool mapped = false; ///< made here, not pinned by its owner
    };

    /// Zeroed memory, or nullptr when the host has none left.
    void* map(std::size_t bytes, PointerInfo info);
    /// Adds memory that somebody else made.
    void add(void* memory, std::size_t bytes, PointerInfo info);
    /// Removes a block that begins at `memory`; its bytes are 0 when there is none.
    Block remove(void* memory);
    PointerInfo at(const void* memory) const;

private:
    std::map<const char*, Block> m_blocks;
};

} // namespace apertune::standin
