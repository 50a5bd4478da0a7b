// SPDX-License-Identifier: GPL-3.0-or-later
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
    fs::remove_all(base::userDataDir() / "model-users"); // as an import of an earlier version left it
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

} // namespace
} // namespace apertune::models
