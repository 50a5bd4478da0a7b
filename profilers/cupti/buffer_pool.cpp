// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/buffer_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace apertune::profilers {

BufferPool::BufferPool(std::size_t ready, std::size_t most) : m_most(std::min(most, kMostBuffers))
{
    for (std::size_t i = 0; i < std::min(ready, m_most); ++i)
        if (make(m_made.fetch_add(1)))
            m_free.fetch_or(std::uint64_t{1} << i);
}

BufferPool::~BufferPool()
{
    const std::uint64_t free = m_free.load();
    for (std::size_t i = 0; i < kMostBuffers; ++i)
        if (free >> i & 1)
            ::munmap(m_buffers[i].load(), kBufferBytes);
}

std::uint8_t* BufferPool::make(std::size_t slot)
{
    void* const memory =
        ::mmap(nullptr, kBufferBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED)
        return nullptr;
    m_buffers[slot] = static_cast<std::uint8_t*>(memory);
    return m_buffers[slot];
}

std::uint8_t* BufferPool::take()
{
    // Callbacks of CUPTI may come from any thread and must not wait, so no lock is taken.
    for (std::uint64_t free = m_free.load(); free != 0;) {
        const int slot = std::countr_zero(free);
        if (m_free.compare_exchange_weak(free, free & ~(std::uint64_t{1} << slot)))
            return m_buffers[static_cast<std::size_t>(slot)];
    }
    std::size_t made = m_made.load();
    while (made < m_most)
        if (m_made.compare_exchange_weak(made, made + 1))
            return make(made);
    return nullptr;
}

bool BufferPool::give(std::uint8_t* buffer, std::size_t used)
{
    for (std::size_t i = 0; i < kMostBuffers; ++i)
        if (buffer && m_buffers[i] == buffer) {
            std::memset(buffer, 0, std::min(used, kBufferBytes));
            m_free.fetch_or(std::uint64_t{1} << i);
            return true;
        }
    return false;
}

std::size_t BufferPool::outstanding() const
{
    std::size_t made = 0;
    for (const auto& buffer : m_buffers)
        made += buffer.load() != nullptr;
    return made - static_cast<std::size_t>(std::popcount(m_free.load()));
}

} // namespace apertune::profilers
