// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace apertune::profilers {

/// Zeroed, pre-faulted buffers of one size for CUPTI to fill. take() runs inside the application's CUDA calls, so it
/// takes no lock: a bit in a word says whether a buffer is free. Thread-safe.
class BufferPool
{
public:
    static constexpr std::size_t kBufferBytes = 8u << 20;
    static constexpr std::size_t kMostBuffers = 64;

    /// `ready` buffers are made at once, further ones when they are needed, `most` at the most.
    /// REQUIRES: ready <= most <= kMostBuffers
    BufferPool(std::size_t ready, std::size_t most);
    /// Memory that somebody still holds is left alone: the library may write to it.
    ~BufferPool();
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;

    /// A buffer, all zero; nullptr when the limit is reached or memory is out.
    std::uint8_t* take();

    /// Zeroes the first `used` bytes and puts the buffer back. False for memory that take() never gave.
    bool give(std::uint8_t* buffer, std::size_t used);

    std::size_t made() const { return m_made.load(); }
    std::size_t outstanding() const; ///< taken and not given back

private:
    std::uint8_t* make(std::size_t slot);

    std::array<std::atomic<std::uint8_t*>, kMostBuffers> m_buffers{};
    std::atomic<std::uint64_t> m_free{0}; ///< bit i: buffer i can be taken
    std::atomic<std::size_t> m_made{0};
    std::size_t m_most;
};

} // namespace apertune::profilers
