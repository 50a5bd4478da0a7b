// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>

namespace apertune::trace {

/// Largest plausible size of an allocation or a copy (64 TiB). Importers drop larger sizes as damaged and count them as
/// a Loss, so that they do not spoil sums over millions of events.
inline constexpr std::int64_t kMostBytes = std::int64_t{1} << 46;

/// Progress of an import. The sizes refer to the file on disk, so their ratio predicts the remaining time.
struct ImportProgress
{
    std::int64_t bytesRead = 0;
    std::int64_t bytesTotal = 0;
    std::size_t events = 0;
};

struct ImportOptions
{
    /// The importer calls it about every 16 MiB, in the calling thread.
    std::function<void(const ImportProgress&)> progress = {};
    std::stop_token cancel = {};
    int threads = 0;                              ///< threads that parse; 0: the number of processors, at most 8
    std::size_t blockSize = std::size_t{1} << 20; ///< bytes parsed in one piece; tests use small values
};

} // namespace apertune::trace
