// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace apertune::interchange::chrome {

/// Reads a file from its beginning to its end, and unpacks gzip.
///  - The first bytes, not the name, show that it is gzip. Several members are one text.
/// Threads: one reads; any may call position().
class ByteSource
{
public:
    /// Failures: notFound, io, invalidArgument (a folder, a pipe, an empty file).
    static base::Result<ByteSource> open(const std::filesystem::path& file);
    ByteSource(ByteSource&&) noexcept;
    ~ByteSource();

    /// Reads `size` bytes; fewer, or none, only at the end. Failures: io, corrupt (damaged or cut-off gzip).
    base::Result<std::size_t> read(char* to, std::size_t size);

    bool compressed() const;
    std::int64_t size() const;     ///< size of the file on the disk, in bytes
    std::int64_t position() const; ///< number of these bytes that were read

private:
    struct State;
    explicit ByteSource(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// Writes a large file under another name, and renames it when it is complete.
///  - A name that ends in ".gz" gives gzip.
///  - Without commit(), the destructor removes the file.
class OutputFile
{
public:
    /// Failures: io.
    static base::Result<OutputFile> create(const std::filesystem::path& file);
    OutputFile(OutputFile&&) noexcept;
    ~OutputFile();

    /// Failures: io (disk full, …). After a failure, commit() fails too.
    base::Status write(std::string_view bytes);
    base::Status commit();

private:
    struct State;
    explicit OutputFile(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace apertune::interchange::chrome
