// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/comparison/envelopes.h"

#include <filesystem>
#include <vector>

namespace apertune::cli {

/// Returns the file of the user's own envelopes: userDataDir()/envelopes.json.
std::filesystem::path ownEnvelopesFile();

/// Reads the envelopes of a file. A missing file has none.
/// Failures: corrupt (it is no such file), those of base::readFile().
base::Result<std::vector<comparison::Envelope>> readEnvelopes(const std::filesystem::path& file);

/// Returns the user's own envelopes, then the shipped ones, so that the user's win.
/// Failures: those of readEnvelopes().
base::Result<std::vector<comparison::Envelope>> knownEnvelopes();

} // namespace apertune::cli
