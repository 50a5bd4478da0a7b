// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/models/artifact_users.h"
#include "core/models/model_library.h"
#include "core/sentences/sentences.h"
#include "tests/core/models/fake_exporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apertune::models {
namespace {

namespace fs = std::filesystem;
using Kept = ArtifactRemoval::Kept;
using ::testing::ElementsAre;
using testing::FakeExporter;

class ArtifactUsers : public ::testing::Test
{
protected:
    model::ModelRef importInto(store::Store& into)
    {
        ImportRequest request;
        request.source = "torchvision:resnet50";
        auto model = ModelLibrary(into, fake.installation()).importModel(request, {}, {});
        EXPECT_TRUE(model) << sentences::describe(model.error());
        return model ? *model : model::ModelRef{};
    }
    ArtifactRemoval deleteFrom(store::Store& from, const model::ModelRef& model)
    {
        EXPECT_TRUE(from.deleteModel(model.name));
        return removeUnusedArtifact(from, model).value();
    }

    FakeExporter fake;
    store::Store store = fake.openStore();
};

TEST_F(ArtifactUsers, ADeletedModelThatNothingRefersToGivesItsDiskSpaceBack)
{
    const auto model = importInto(store);
    const ArtifactRemoval removal = deleteFrom(store, model);
    EXPECT_EQ(removal.kept, Kept::no);
    EXPECT_GT(removal.freed.count, 0);
    EXPECT_FALSE(fs::exists(model.artifact));
}

TEST_F(ArtifactUsers, AStudyKeepsTheFilesUntilItIsDeletedToo)
{
    const auto model = importInto(store);
    model::Study study;
    study.model = model;
    std::vector<model::Trial> trials;
    ASSERT_TRUE(store.createStudy(study, trials));
    const ArtifactRemoval kept = deleteFrom(store, model);
    EXPECT_EQ(kept.kept, Kept::studies);
    EXPECT_THAT(kept.users, ElementsAre("s1"));
    EXPECT_TRUE(fs::exists(model.artifact));
    ASSERT_TRUE(store.deleteStudy(study.id));
    EXPECT_EQ(removeUnusedArtifact(store, model)->kept, Kept::no);
    EXPECT_FALSE(fs::exists(model.artifact));
}

TEST_F(ArtifactUsers, AnotherWorkspaceKeepsWhatItImportedToo)
{
    const auto model = importInto(store);
    auto second = fake.openStore(store::OpenMode::readWrite, "second.apertune");
    ASSERT_EQ(importInto(second).artifact, model.artifact);
    const ArtifactRemoval kept = deleteFrom(store, model);
    EXPECT_EQ(kept.kept, Kept::otherWorkspaces);
    EXPECT_THAT(kept.users, ElementsAre((fake.path() / "second.apertune").string()));
    EXPECT_TRUE(fs::exists(model.artifact));
    EXPECT_EQ(deleteFrom(second, model).kept, Kept::no) << "it was the last";
    EXPECT_FALSE(fs::exists(model.artifact));
}

TEST_F(ArtifactUsers, FilesOfTheUserAndFilesOfUnknownUsersStay)
{
    auto model = importInto(store);
    fs::remove_all(base::userDataDir() / "model-users"); // earlier versions' imports made no such folder
    EXPECT_EQ(deleteFrom(store, model).kept, Kept::unknownUsers);
    EXPECT_EQ(importInto(store).artifact, model.artifact);
    EXPECT_EQ(deleteFrom(store, model).kept, Kept::unknownUsers) << "a new import does not know the earlier users";
    EXPECT_TRUE(fs::exists(model.artifact));
    const fs::path own = fake.path() / "own";
    fs::copy(model.artifact, own, fs::copy_options::recursive);
    model.artifact = own;
    EXPECT_EQ(removeUnusedArtifact(store, model)->kept, Kept::foreign);
    EXPECT_TRUE(fs::exists(own));
}

TEST_F(ArtifactUsers, AWorkspaceThatWasMovedIsAUserUnderItsNewPath)
{
    const auto model = importInto(store);
    auto second = fake.openStore(store::OpenMode::readWrite, "second.apertune");
    ASSERT_TRUE(second.putModel(model));
    ASSERT_TRUE(ModelLibrary(second, fake.installation()).resolve(model.name, {}, {}));
    EXPECT_EQ(deleteFrom(store, model).kept, Kept::otherWorkspaces);
}

/// A time at which no artifact of a test is recent.
fs::file_time_type later()
{
    return fs::file_time_type::clock::now() + std::chrono::hours(1);
}

void write(const fs::path& file, const std::string& text)
{
    fs::create_directories(file.parent_path());
    ASSERT_TRUE(base::writeFileAtomically(file, text));
}

TEST_F(ArtifactUsers, ASweepRemovesWhatNoWorkspaceRefersToAndWhatWasMadeOfIt)
{
    const auto model = importInto(store);
    EXPECT_THAT(removeUnusedArtifacts(store, later()).value(), ::testing::IsEmpty()) << "its own model is no leftover";
    ASSERT_TRUE(store.deleteModel(model.name)); // a replaced model leaves its artifact behind, too
    const fs::path packages = base::userCacheDir() / "packages";
    const fs::path formats = base::userCacheDir() / "formats";
    const std::string mine = R"({"content_hash":")" + model.contentHash + R"("})";
    write(packages / "a.pt2", "package");
    write(packages / "a.pt2.json", mine);
    write(packages / "b.pt2", "package");
    write(packages / "b.pt2.json", R"({"content_hash":"another"})");
    write(formats / "c/model.onnx", "onnx");
    write(formats / "c/format.json", mine);
    write(formats / "d/format.json", R"({"content_hash":"another"})");

    EXPECT_EQ(removeUnusedArtifacts(store, fs::file_time_type::clock::now())->at(0).removal.kept, Kept::recent);
    EXPECT_TRUE(fs::exists(model.artifact));
    EXPECT_EQ(removeMadeFiles(model.contentHash).count, 0) << "the artifact is there";
    const auto left = removeUnusedArtifacts(store, later()).value();
    ASSERT_EQ(left.size(), 1u);
    EXPECT_EQ(left[0].folder, model.artifact);
    EXPECT_EQ(left[0].removal.kept, Kept::no);
    const auto made = static_cast<std::int64_t>(7 + 4 + 2 * mine.size());
    EXPECT_EQ(left[0].removal.freed.count, left[0].size.count + made);
    EXPECT_FALSE(fs::exists(model.artifact));
    EXPECT_THAT(fake.filesIn(packages), ElementsAre("b.pt2", "b.pt2.json"));
    EXPECT_THAT(fake.filesIn(formats), ElementsAre("d"));
}

TEST_F(ArtifactUsers, ASweepKeepsWhatAnotherWorkspaceRefersToOrMayReferTo)
{
    const auto model = importInto(store);
    {
        auto second = fake.openStore(store::OpenMode::readWrite, "second.apertune");
        ASSERT_EQ(importInto(second).artifact, model.artifact);
    }
    ASSERT_TRUE(store.deleteModel(model.name));
    const auto sweep = [&] {
        const auto left = removeUnusedArtifacts(store, later());
        return left && left->size() == 1 ? left->front().removal : ArtifactRemoval{Kept::error};
    };
    EXPECT_EQ(sweep().kept, Kept::otherWorkspaces);
    EXPECT_THAT(sweep().users, ElementsAre((fake.path() / "second.apertune").string()));

    auto second = fake.openStore(store::OpenMode::readWrite, "second.apertune");
    model::Study study;
    study.model = model;
    std::vector<model::Trial> trials;
    ASSERT_TRUE(second.createStudy(study, trials));
    ASSERT_TRUE(second.deleteModel(model.name));
    EXPECT_EQ(sweep().kept, Kept::otherWorkspaces) << "its study uses it";
    ASSERT_TRUE(second.deleteStudy(study.id));
    EXPECT_TRUE(fs::exists(model.artifact));
    EXPECT_EQ(sweep().kept, Kept::no) << "nothing of it refers to the artifact, though its list names it";
    EXPECT_FALSE(fs::exists(model.artifact));
}

TEST_F(ArtifactUsers, ASweepKeepsArtifactsWhoseUsersCannotBeKnown)
{
    const auto model = importInto(store);
    ASSERT_TRUE(noteArtifactUser(model.artifact, fake.path() / "damaged.apertune", true));
    write(fake.path() / "damaged.apertune", "no workspace");
    ASSERT_TRUE(store.deleteModel(model.name));
    EXPECT_EQ(removeUnusedArtifacts(store, later())->at(0).removal.kept, Kept::otherWorkspaces);
    fs::remove_all(base::userDataDir() / "model-users");
    EXPECT_EQ(removeUnusedArtifacts(store, later())->at(0).removal.kept, Kept::unknownUsers);
    EXPECT_TRUE(fs::exists(model.artifact));
}

} // namespace
} // namespace apertune::models
