// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/interchange/chrome/kineto_import.h"
#include "core/trace/trace.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::interchange::test {

/// Everything of a trace that a reader can see, a line for each track, event, device and loss. Texts instead of their
/// numbers, so that two traces are row-equal exactly when their texts are equal.
std::string traceText(const trace::Trace& trace);

/// Imports a text as a file of its own. The error's context (the file's name) is cleared.
base::Result<trace::Trace> importText(std::string_view json, const trace::ImportOptions& options = {});

/// The text as gzip.
std::string packed(std::string_view text);
/// The text as one frame of zstd, with a checksum.
std::string packedZstd(std::string_view text);

/// The real traces of APERTUNE_TRACES; empty when the variable is not set.
std::vector<std::filesystem::path> realTraces();

} // namespace apertune::interchange::test
