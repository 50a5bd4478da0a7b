// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace apertune::base {

/// Returns the SHA-256 of the bytes as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

/// Returns the SHA-256 of a file's content.
/// Failures: io, notFound, invalidArgument (a folder).
Result<std::string> sha256File(const std::filesystem::path& file);

} // namespace apertune::base
