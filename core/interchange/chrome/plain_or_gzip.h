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

/// A file from its beginning to its end, unpacked when it is gzip (by its first bytes, not by its name; several members
/// are one text). One thread reads; any thread may ask for the position.
class ByteSource
{
public:
    /// Failures: notFound, io, invalidArgument (a folder, a pipe, an empty file).
    static base::Result<ByteSource> open(const std::filesystem::path& file);
    ByteSource(ByteSource&&) noexcept;
    ~ByteSource();

    /// Up to `size` bytes; fewer, or 0, only at the end. Failures: io, corrupt (damaged or cut gzip).
    base::Result<std::size_t> read(char* to, std::size_t size);

    bool compressed() const;
    std::int64_t size() const;     ///< of the file, in bytes as they are on the disk
    std::int64_t position() const; ///< how many of them were read

private:
    struct State;
    explicit ByteSource(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// A large file that appears under its name only when it is complete: written beside it, then renamed. gzip when the
/// name ends in ".gz". What was not committed is removed.
class OutputFile
{
public:
    /// Failures: io.
    static base::Result<OutputFile> create(const std::filesystem::path& file);
    OutputFile(OutputFile&&) noexcept;
    ~OutputFile();

    /// Failures: io (disk full, …). After one, commit() fails too.
    base::Status write(std::string_view bytes);
    base::Status commit();

private:
    struct State;
    explicit OutputFile(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace apertune::interchange::chrome
