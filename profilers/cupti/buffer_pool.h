// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace apertune::profilers {

/// Zeroed, pre-faulted buffers of one size that CUPTI fills. take() runs inside the application's CUDA calls, so it
/// must not lock: the free buffers are the bits of one atomic word. Thread-safe.
class BufferPool
{
public:
    static constexpr std::size_t kBufferBytes = 8u << 20;
    static constexpr std::size_t kMostBuffers = 64;

    /// Makes `ready` buffers at once, and further ones on demand, `most` in total.
    /// REQUIRES: ready <= most <= kMostBuffers
    BufferPool(std::size_t ready, std::size_t most);
    /// Does not free buffers that were not given back, because the library may still write to them.
    ~BufferPool();
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;

    /// Returns a buffer filled with zeros, or nullptr when the limit is reached or memory is out.
    std::uint8_t* take();

    /// Zeroes the first `used` bytes and puts the buffer back. Returns false for memory that take() never gave.
    bool give(std::uint8_t* buffer, std::size_t used);

    std::size_t made() const { return m_made.load(); }
    std::size_t outstanding() const; ///< buffers that were taken and not given back

private:
    std::uint8_t* make(std::size_t slot);

    std::array<std::atomic<std::uint8_t*>, kMostBuffers> m_buffers{};
    std::atomic<std::uint64_t> m_free{0}; ///< bit i: buffer i is free
    std::atomic<std::size_t> m_made{0};
    std::size_t m_most;
};

} // namespace apertune::profilers
