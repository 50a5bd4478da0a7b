// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/models/artifact_check.h"
#include "core/models/file_hash.h"
#include "core/sentences/sentences.h"
#include "tests/core/models/listed_artifact.h"

#include <gmock/gmock.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace apertune::models {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using testing::flipByte;
using ::testing::HasSubstr;
using testing::ListedArtifact;

TEST(ArtifactCheck, AFlippedByteInAnyFileThatTheManifestListsIsFound)
{
    const ListedArtifact artifact;
    ASSERT_TRUE(checkArtifact(artifact.path()));
    for (const char* name : {"model.ts.pt", "model.xml", "model.bin", "inputs/0.bin"}) {
        flipByte(artifact.path() / name);
        const auto found = checkArtifact(artifact.path());
        ASSERT_FALSE(found) << name;
        EXPECT_EQ(found.error().code, ErrorCode::corrupt);
        EXPECT_THAT(sentences::sentence(found.error().message),
                    HasSubstr(fs::path(name).filename().string() + " is damaged"));
        EXPECT_FALSE(found.error().hint.empty());
        flipByte(artifact.path() / name);
        EXPECT_TRUE(checkArtifact(artifact.path())) << name << " is whole again";
    }
}

TEST(ArtifactCheck, AFileThatIsGoneOrCutShortIsFound)
{
    const ListedArtifact artifact;
    ASSERT_TRUE(base::writeFileAtomically(artifact.path() / "model.bin", "cut"));
    EXPECT_THAT(sentences::sentence(checkArtifact(artifact.path()).error().message), HasSubstr("model.bin"));
    fs::remove(artifact.path() / "model.bin");
    EXPECT_THAT(sentences::sentence(checkArtifact(artifact.path()).error().message), HasSubstr("model.bin"));
    fs::remove(artifact.path() / "manifest.json");
    EXPECT_EQ(checkArtifact(artifact.path()).error().code, ErrorCode::notFound);
}

/// The bytes that this process has read from files so far.
std::int64_t bytesRead()
{
    std::ifstream counters("/proc/self/io");
    std::string name;
    std::int64_t bytes = 0;
    counters >> name >> bytes;
    return bytes;
}

TEST(ArtifactCheck, AFileIsReadOnceWhileItDoesNotChangeWhateverItsTimeSays)
{
    const ListedArtifact artifact;
    const fs::path file = artifact.path() / "large.bin";
    constexpr std::int64_t kSize = 4 << 20;
    std::ofstream(file) << std::string(kSize, 'a');
    const auto longAgo = fs::file_time_type::clock::now() - std::chrono::hours(1);
    fs::last_write_time(file, longAgo);
    std::this_thread::sleep_for(std::chrono::seconds(3)); // the grain of its times
    const std::string before = fileHash(file).value();
    const std::int64_t read = bytesRead();
    EXPECT_EQ(fileHash(file).value(), before);
    EXPECT_LT(bytesRead() - read, kSize) << "it was read again";
    std::fstream(file, std::ios::in | std::ios::out) << 'X'; // in place: the same file by its number
    fs::last_write_time(file, longAgo);
    EXPECT_NE(fileHash(file).value(), before) << "its old time was believed";
}

TEST(ArtifactCheck, AFileThatIsALinkOutOfTheArtifactIsRefused)
{
    const ListedArtifact artifact;
    const ListedArtifact other;
    const std::string content = base::readFile(artifact.path() / "model.bin").value();
    ASSERT_TRUE(base::writeFileAtomically(other.path() / "secret", content));
    fs::remove(artifact.path() / "model.bin");
    fs::create_symlink(other.path() / "secret", artifact.path() / "model.bin");
    for (const base::Status& refused :
         {checkArtifact(artifact.path()), base::Status(artifactKey(artifact.path()).error()),
          requireContentHash(artifact.path(), std::string(64, 'a'))}) {
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ErrorCode::corrupt);
        EXPECT_THAT(sentences::sentence(refused.error().message), HasSubstr("outside of its model's folder"));
    }
    fs::remove(artifact.path() / "model.bin");
    fs::rename(artifact.path() / "model.xml", artifact.path() / "real.xml");
    fs::create_symlink("real.xml", artifact.path() / "model.xml");
    ASSERT_TRUE(base::writeFileAtomically(artifact.path() / "model.bin", content));
    EXPECT_TRUE(checkArtifact(artifact.path())) << "a link within the folder is none of that";
}

TEST(ArtifactCheck, WhatIsDamagedIsToldWithTheCommandThatImportsItAgain)
{
    const ListedArtifact artifact;
    model::ModelRef model;
    model.name = "net";
    model.source = "torchvision:resnet18";
    model.weights = "random, seed 0";
    model.artifact = artifact.path();
    ASSERT_TRUE(requireUndamaged(model));
    flipByte(artifact.path() / "model.ts.pt");
    const auto damaged = requireUndamaged(model);
    ASSERT_FALSE(damaged);
    EXPECT_EQ(damaged.error().code, ErrorCode::corrupt);
    EXPECT_THAT(sentences::sentence(damaged.error().message), HasSubstr("net cannot be measured"));
    EXPECT_THAT(sentences::sentence(damaged.error().hint),
                HasSubstr("apertune model import torchvision:resnet18 --name net"));
    EXPECT_THAT(sentences::sentence(damaged.error().hint), ::testing::Not(HasSubstr("--weights")));
    model.weights = "file trained.pt";
    EXPECT_THAT(sentences::sentence(requireUndamaged(model).error().hint), HasSubstr("--weights FILE"));
    model.artifact = artifact.path() / "nowhere";
    EXPECT_TRUE(requireUndamaged(model)) << "who opens it says that it is not there";
}

} // namespace
} // namespace apertune::models
