// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profilers/cupti/cupti_api.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace apertune::profilers {

/// Files of CUPTI records, so that the tests of a machine without a GPU can decode them
/// (tests/profilers/cupti/record_reader.h). A recording writes its first buffers into the folder that
/// APERTUNE_CUPTI_RECORDS names. A file has, in little endian:
///
/// 1. "APTCUPT1";
/// 2. the number of bytes of records and the number of bytes of texts, 8 bytes each;
/// 3. the records;
/// 4. for each text that a record points to: the offset of the pointer in the records, the length, 8 bytes each, and
///    the bytes of the text.

/// Writes the first records of a buffer, at most `most` bytes. Failures: io.
base::Status writeRecords(const CuptiApi& api, std::uint8_t* buffer, std::size_t valid, std::size_t most,
                          const std::filesystem::path& file);

} // namespace apertune::profilers
