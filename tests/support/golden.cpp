// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/golden.h"

#include "core/base/files.h"
#include "core/sentences/sentences.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace apertune::test {

void expectGolden(const std::string& name, const std::string& actual)
{
    const std::filesystem::path file = std::filesystem::path(APERTUNE_GOLDEN_DIR) / name;
    if (std::getenv("APERTUNE_UPDATE_GOLDEN")) {
        std::filesystem::create_directories(file.parent_path());
        ASSERT_TRUE(base::writeFileAtomically(file, actual));
        return;
    }
    const auto expected = base::readFile(file);
    ASSERT_TRUE(expected) << sentences::describe(expected.error());
    EXPECT_EQ(actual, *expected) << "differs from " << file;
}

} // namespace apertune::test
