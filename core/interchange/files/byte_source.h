// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace apertune::interchange::files {

/// Reads a file from its beginning to its end, and unpacks gzip and zstd.
///  - The first bytes, not the name, decide how it is packed. Several members or frames are one text.
///
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

/// Appends the rest of a source to `bytes`, and calls `keepGoing` about every 16 MiB. After a failure `bytes` contains
/// the part that was read before it.
/// Failures: those of ByteSource::read(), cancelled (`keepGoing` returned false), unsupported (more than `most` bytes).
base::Status readAll(ByteSource& source, std::string& bytes, std::size_t most, const std::function<bool()>& keepGoing);

} // namespace apertune::interchange::files
