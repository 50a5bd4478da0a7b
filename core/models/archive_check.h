// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

namespace apertune::models {

/// Inspects a zip archive before a loader opens it, without unpacking anything. TorchScript files, exported programs,
/// weights and compiled packages are such archives. Refused are
///
///  - names that are absolute, contain `..`, a backslash or control characters, or occur twice
///  - symbolic links, devices, encrypted members, and compression other than deflate
///  - more than 100,000 members
///  - members above 16 MiB that unpack to more than 100 times their size, and archives that do so as a whole
///  - members that overlap, lie outside the file, or are named otherwise at their place than in the directory: loaders
///    read such archives differently.
///
/// A file without the end record of a zip archive passes, because no loader opens it as one.
///
/// It reads the records itself, because libraries for archives resolve contradictions where this has to see them: they
/// show one entry for a member, from the directory or from its local header, and search for an end record that fits.
/// It unpacks nothing, so it needs no decoder; formats are never written here. tests/fuzz/archive_fuzz.cpp examines it.
/// Private to this folder.

/// Reads bytes of an archive at an offset into the span. Returns false where it cannot fill the span.
using ReadAt = std::function<bool(std::uint64_t offset, std::span<char> bytes)>;

/// Returns why an archive of `size` bytes is refused; empty when it passes. Pure.
base::Message archiveFault(std::uint64_t size, const ReadAt& readAt);

/// Checks a file. One that does not exist passes: the code that opens it reports it.
/// Threads: any.
/// Failures: corrupt (with the reason), io.
base::Status requireSafeArchive(const std::filesystem::path& file);

} // namespace apertune::models
