// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <memory>
#include <string_view>

namespace apertune::interchange::files {

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

} // namespace apertune::interchange::files
