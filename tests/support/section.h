// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace apertune::test {

/// Compares the section of a document between the lines "<!-- NAME: … -->" and "<!-- end of NAME -->" with `text`.
/// APERTUNE_UPDATE_GOLDEN=1 writes the section instead.
inline void expectSection(const std::filesystem::path& file, const std::string& name, const std::string& text)
{
    auto document = base::readFile(file);
    ASSERT_TRUE(document) << file;
    const auto begin = document->find("<!-- " + name + ": ");
    const auto end = document->find("<!-- end of " + name + " -->\n");
    ASSERT_NE(begin, std::string::npos) << file << " has no section " << name;
    ASSERT_NE(end, std::string::npos) << file << " has no end of section " << name;
    const auto at = document->find('\n', begin) + 1;
    if (std::getenv("APERTUNE_UPDATE_GOLDEN")) {
        document->replace(at, end - at, text);
        ASSERT_TRUE(base::writeFileAtomically(file, *document));
        return;
    }
    EXPECT_EQ(document->substr(at, end - at), text);
}

} // namespace apertune::test
