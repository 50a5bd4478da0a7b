// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/standin/machine.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

namespace apertune::standin {

/// The memory of the GPUs and the pinned memory of the host. All of it is allocated on the host.
///
/// Pages that are never written use no physical memory, so a GPU may have more memory than the host.
///
/// REQUIRES: calls do not overlap.
class MemoryTable
{
public:
    struct Block
    {
        std::size_t bytes = 0;
        PointerInfo info;
        bool mapped = false; ///< allocated by map(), not pinned by its owner
    };

    /// Allocates zeroed memory. Returns nullptr when the host has none left.
    void* map(std::size_t bytes, PointerInfo info);
    /// Adds memory that the caller allocated.
    void add(void* memory, std::size_t bytes, PointerInfo info);
    /// Removes and returns the block that begins at `memory`; its `bytes` are 0 when there is none.
    Block remove(void* memory);
    PointerInfo at(const void* memory) const;

private:
    std::map<const char*, Block> m_blocks;
};

} // namespace apertune::standin
