// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <memory>
#include <string_view>

namespace apertune::trace::kineto {

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

} // namespace apertune::trace::kineto
