// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/host_memory.h"

#include "plugins/libtorch/recording.h"

#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <limits>

namespace apertune::libtorch::host_memory {

namespace {

// Relaxed is enough, because the figures are read between runs. An allocation must not cost more than without counting.
constexpr auto kRelaxed = std::memory_order_relaxed;
std::atomic<std::int64_t> g_current{0};
std::atomic<std::int64_t> g_peak{0};
std::atomic<std::uint64_t> g_failures{0};

std::int64_t usable(void* data)
{
    return static_cast<std::int64_t>(malloc_usable_size(data));
}

void release(void* data)
{
    if (!data)
        return;
    const std::int64_t size = usable(data);
    g_current.fetch_sub(size, kRelaxed);
    recording::noteAllocation(-size, data, -1); // before the memory is freed: then another thread may get the address
    c10::free_cpu(data);
}

class CountingAllocator final : public c10::Allocator
{
public:
    /// The context of the pointer has to be the data itself, because oneDNN allocates raw memory and asserts that.
    c10::DataPtr allocate(std::size_t bytes) override
    {
        void* data = nullptr;
        if (bytes > 0) {
            try {
                data = c10::alloc_cpu(bytes);
            } catch (...) {
                g_failures.fetch_add(1, kRelaxed);
                throw;
            }
            const std::int64_t size = usable(data);
            const std::int64_t now = g_current.fetch_add(size, kRelaxed) + size;
            std::int64_t highest = g_peak.load(kRelaxed);
            while (now > highest && !g_peak.compare_exchange_weak(highest, now, kRelaxed)) {
            }
            recording::noteAllocation(size, data, -1);
        }
        return {data, data, &release, c10::Device(c10::kCPU)};
    }

    c10::DeleterFnPtr raw_deleter() const override { return &release; }

    void copy_data(void* to, const void* from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }
};

} // namespace

void install()
{
    // It is never destroyed, because tensors may be freed until the very end of the process.
    static auto* const allocator = [] {
        auto* made = new CountingAllocator;
        c10::SetCPUAllocator(made, /*priority=*/1);
        return made;
    }();
    static_cast<void>(allocator);
}

std::int64_t peak()
{
    return g_peak.load(kRelaxed);
}

void resetPeak()
{
    g_peak.store(g_current.load(kRelaxed), kRelaxed);
}

std::uint64_t failures()
{
    return g_failures.load(kRelaxed);
}

void keepFreed(bool keep)
{
    static bool kept = false;
    // Any call of mallopt() ends glibc's own adjustment of its thresholds, so a process that never kept stays
    // untouched.
    if (keep == kept)
        return;
    kept = keep;
    constexpr int kMostMaps = 65536;      // glibc's defaults
    constexpr int kTrimFrom = 128 * 1024; // bytes
    constexpr int kGrowth = 64 * 1024 * 1024;
    mallopt(M_MMAP_MAX, keep ? 0 : kMostMaps);
    mallopt(M_TRIM_THRESHOLD, keep ? std::numeric_limits<int>::max() : kTrimFrom);
    mallopt(M_TOP_PAD, keep ? kGrowth : kTrimFrom);
    if (!keep)
        malloc_trim(0);
}

bool keepsFreed()
{
    // It is above the largest size from which glibc maps blocks on their own (32 MiB). It is never written to, so it
    // takes addresses but no memory.
    constexpr std::size_t kLarge = 64U * 1024 * 1024;
    const std::size_t before = mallinfo2().hblkhd;
    void* const block = std::malloc(kLarge);
    const bool mapped = mallinfo2().hblkhd > before;
    std::free(block);
    return block && !mapped;
}

} // namespace apertune::libtorch::host_memory
