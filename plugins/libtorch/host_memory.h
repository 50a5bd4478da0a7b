// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace apertune::libtorch::host_memory {

/// Puts a counting allocator in front of LibTorch's CPU memory. It sees tensors and oneDNN's scratch memory, but
/// neither oneDNN's caches nor the weights of compiled packages. Later calls do nothing.
///
/// REQUIRES: no tensor was made yet.
void install();

std::int64_t peak();      ///< bytes, since the last resetPeak()
void resetPeak();         ///< sets the peak to the bytes in use now
std::uint64_t failures(); ///< allocations that failed so far

/// Says whether the C library keeps freed memory for later allocations (the switch keep_memory). By default it maps
/// large blocks on their own and gives them back when they are freed, so that every pass pays for fresh, zeroed pages.
void keepFreed(bool keep);

/// Returns whether a large block comes from kept memory, as tried by an allocation.
bool keepsFreed();

} // namespace apertune::libtorch::host_memory
