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

} // namespace apertune::libtorch::host_memory
