// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profilers/cupti/cupti_api.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <vector>

namespace apertune::profilers {

/// Records as CUPTI wrote them, kept so that a machine without a GPU can decode them again: "APTCUPT1", the number of
/// bytes of records and of texts (8 bytes each), the records, and for each text that a record points to its place
/// among the records, its length (8 bytes each) and its bytes. Little endian.
///
/// Where the environment names a folder in APERTUNE_CUPTI_RECORDS, a recording writes its first buffers there.

/// Writes the first records of a buffer, at most `most` bytes. Failures: io.
base::Status writeRecords(const CuptiApi& api, std::uint8_t* buffer, std::size_t valid, std::size_t most,
                          const std::filesystem::path& file);

/// A buffer whose records point to texts of its own.
struct RecordBuffer
{
    std::vector<std::uint64_t> words; ///< of words, so that it is aligned
    std::size_t valid = 0;            ///< bytes
    std::deque<std::string> texts;

    std::uint8_t* bytes() { return reinterpret_cast<std::uint8_t*>(words.data()); }
};

/// Decoding it takes over the names of devices, so it is decoded once. Failures: notFound, io, corrupt.
base::Result<RecordBuffer> readRecords(const std::filesystem::path& file);

} // namespace apertune::profilers
