// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/interchange/files/byte_source.h"

#include <filesystem>
#include <functional>
#include <new>
#include <type_traits>
#include <utility>

namespace apertune::interchange::files {

/// Opens a file and lets `read` make a Result of its bytes.
/// - An error of `read` without a context gets the file's name, unless the reading was cancelled.
/// - When memory runs out, the result is an outOfMemory error with `tooLarge` and `hint`.
/// Failures: those of ByteSource::open() and of `read`.
template <typename Read>
auto readRecording(const std::filesystem::path& file, const base::Message& tooLarge, const base::Message& hint,
                   Read&& read) -> std::invoke_result_t<Read, ByteSource&>
{
    auto source = ByteSource::open(file);
    if (!source)
        return source.error();
    try {
        auto result = std::invoke(std::forward<Read>(read), *source);
        if (result || !result.error().context.empty() || result.error().code == base::ErrorCode::cancelled)
            return result;
        base::Error error = result.error();
        error.context = file.string();
        return error;
    } catch (const std::bad_alloc&) {
        return base::Error{base::ErrorCode::outOfMemory, tooLarge, file.string(), hint};
    }
}

} // namespace apertune::interchange::files
