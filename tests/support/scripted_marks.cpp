// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdlib>
#include <filesystem>

namespace {

/// The scripted backend leaves marks beside its script, which lies in the folder for temporary files. The sandbox of
/// its workers allows that in tests alone.
const bool kMarksAreAllowed = [] {
    std::error_code code;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(code);
    return ::setenv("APERTUNE_SANDBOX_WRITE", folder.c_str(), 0) == 0; // NOLINT(concurrency-mt-unsafe): before main()
}();

} // namespace
