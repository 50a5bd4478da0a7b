// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

namespace apertune::interchange::files {

/// Reads a file from its beginning to its end, and unpacks gzip and zstd.
///  - The first bytes, not the name, show how it is packed. Several members or frames are one text.
/// Threads: one reads; any may call position().
class ByteSource
{
public:
    /// Failures: notFound, io, invalidArgument (a folder, a pipe, an empty file).
    static base::Result<ByteSource> open(const std::filesystem::path& file);
    ByteSource(ByteSource&&) noexcept;
    ~ByteSource();

    /// Reads `size` bytes; fewer, or none, only at the end. Failures: io, corrupt (damaged or cut-off compressed data).
    base::Result<std::size_t> read(char* to, std::size_t size);

    std::int64_t size() const;     ///< size of the file on the disk, in bytes
    std::int64_t position() const; ///< number of these bytes that were read

private:
    struct State;
    explicit ByteSource(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace apertune::interchange::files
