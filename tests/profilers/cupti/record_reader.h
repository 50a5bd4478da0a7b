// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <vector>

namespace apertune::profilers::testing {

/// A buffer of records that point to its own texts.
struct RecordBuffer
{
    std::vector<std::uint64_t> words; ///< words instead of bytes for the alignment
    std::size_t valid = 0;            ///< bytes
    std::deque<std::string> texts;

    std::uint8_t* bytes() { return reinterpret_cast<std::uint8_t*>(words.data()); }
};

/// Reads a file that writeRecords() wrote. Decoding the buffer takes over the names of devices, so it may be decoded
/// once. Failures: notFound, io, corrupt.
base::Result<RecordBuffer> readRecords(const std::filesystem::path& file);

} // namespace apertune::profilers::testing
