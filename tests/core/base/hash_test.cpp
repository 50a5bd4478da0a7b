// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/temporary_dir.h"

#include <gtest/gtest.h>

namespace apertune::base::test {

namespace {
// FIPS 180-4 examples.
constexpr std::string_view kEmpty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr std::string_view kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr std::string_view kTwoBlocks = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
constexpr std::string_view kMillion = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
} // namespace

TEST(Hash, KnownTextsHaveTheirKnownHashes)
{
    EXPECT_EQ(sha256(""), kEmpty);
    EXPECT_EQ(sha256("abc"), kAbc);
    EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), kTwoBlocks);
    EXPECT_EQ(sha256(std::string(1'000'000, 'a')), kMillion);
    EXPECT_NE(sha256(std::string_view("a\0b", 3)), sha256("a"));
}

TEST(Hash, AFileHashesLikeItsContent)
{
    const auto folder = TemporaryDir::create("hash");
    ASSERT_TRUE(folder.ok());
    const auto file = folder->path() / "f";
    for (const std::size_t size : {0u, 1u, 65'535u, 65'536u, 65'537u, 1'000'000u}) {
        const std::string bytes(size, 'a');
        ASSERT_TRUE(writeFileAtomically(file, bytes).ok());
        const auto hash = sha256File(file);
        ASSERT_TRUE(hash.ok());
        EXPECT_EQ(*hash, sha256(bytes)) << size;
    }
}

TEST(Hash, WhatCannotBeReadIsAnError)
{
    EXPECT_EQ(sha256File("/does/not/exist").error().code, ErrorCode::notFound);
    EXPECT_EQ(sha256File("/").error().code, ErrorCode::invalidArgument);
    EXPECT_EQ(sha256File("/proc/self/mem").error().code, ErrorCode::io); // fails at the first read
}

} // namespace apertune::base::test
