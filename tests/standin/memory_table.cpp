// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/standin/memory_table.h"

#include <sys/mman.h>

namespace apertune::standin {

void* MemoryTable::map(std::size_t bytes, PointerInfo info)
{
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return nullptr;
    m_blocks[static_cast<const char*>(memory)] = {bytes, info, true};
    return memory;
}

void MemoryTable::add(void* memory, std::size_t bytes, PointerInfo info)
{
    m_blocks[static_cast<const char*>(memory)] = {bytes, info, false};
}

MemoryTable::Block MemoryTable::remove(void* memory)
{
    const auto found = m_blocks.find(static_cast<const char*>(memory));
    if (found == m_blocks.end())
        return {};
    const Block block = found->second;
    m_blocks.erase(found);
    if (block.mapped)
        ::munmap(memory, block.bytes);
    return block;
}

PointerInfo MemoryTable::at(const void* memory) const
{
    const char* const address = static_cast<const char*>(memory);
    auto after = m_blocks.upper_bound(address);
    if (after == m_blocks.begin())
        return {};
    --after;
    return address < after->first + after->second.bytes ? after->second.info : PointerInfo{};
}

} // namespace apertune::standin
