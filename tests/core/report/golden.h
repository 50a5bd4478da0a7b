// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace apertune::report::test {

/// Compares with tests/golden/report/NAME. APERTUNE_UPDATE_GOLDEN=1 writes the file instead: read the change in
/// `git diff` before you commit it.
inline void expectGolden(const std::string& name, const std::string& actual)
{
    const std::filesystem::path file = std::filesystem::path(APERTUNE_GOLDEN_DIR) / name;
    if (std::getenv("APERTUNE_UPDATE_GOLDEN")) {
        ASSERT_TRUE(base::writeFileAtomically(file, actual));
        return;
    }
    const auto expected = base::readFile(file);
    ASSERT_TRUE(expected) << expected.error().message;
    EXPECT_EQ(actual, *expected) << "differs from " << file;
}

} // namespace apertune::report::test
