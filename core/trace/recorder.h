// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace apertune::trace {

/// The program that recorded a trace.
enum class Recorder { apertune, kineto, chrome, nsys, rocprofv3, rocpd, perfetto, other };

/// Returns the word of a recorder, which is Trace::source in documents, files and workspaces; "other" for `other`.
std::string_view toString(Recorder recorder);

/// Returns the recorder with this word. Trace::source keeps words that only a newer version knows as they are; they are
/// of `other`.
Recorder recorderOf(std::string_view source);

} // namespace apertune::trace
