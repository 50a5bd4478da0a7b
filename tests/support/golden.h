// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace apertune::test {

/// Compares a text with the file NAME of the folder that the target's APERTUNE_GOLDEN_DIR names (tests/golden/FOLDER).
/// APERTUNE_UPDATE_GOLDEN=1 in the environment writes the file instead: read the change in `git diff` before you
/// commit it. A target that uses it compiles golden.cpp.
void expectGolden(const std::string& name, const std::string& actual);

} // namespace apertune::test
