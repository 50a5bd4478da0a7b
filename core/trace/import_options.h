// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>

namespace apertune::trace {

/// A block or a copy of more bytes (64 TiB) is a damaged number: importers count it as a Loss and leave it out, so that
/// sums over millions of events stay what they are.
inline constexpr std::int64_t kMostBytes = std::int64_t{1} << 46;

/// How far an import is. The sizes are those of the file on the disk, so that their ratio predicts the time.
struct ImportProgress
{
    std::int64_t bytesRead = 0;
    std::int64_t bytesTotal = 0;
    std::size_t events = 0;
};

struct ImportOptions
{
    /// Called now and then (about every 16 MiB) in the calling thread.
    std::function<void(const ImportProgress&)> progress = {};
    std::stop_token cancel = {};
    int threads = 0;                              ///< that parse; 0: as many as there are processors, at most 8
    std::size_t blockSize = std::size_t{1} << 20; ///< bytes parsed in one piece; tests make it small
};

} // namespace apertune::trace
