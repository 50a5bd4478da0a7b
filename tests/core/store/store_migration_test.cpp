// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentences/sentences.h"
#include "core/store/failure.h"
#include "core/store/open_workspace.h"
#include "tests/core/store/sample_trace.h"
#include "tests/core/store/sample_values.h"

#include <unistd.h>

#include <vector>

namespace apertune::store::test {

namespace fs = std::filesystem;
using base::ErrorCode;

namespace {

std::vector<Migration> withSteps(std::initializer_list<std::string_view> steps)
{
    std::vector<Migration> list(schemaMigrations().begin(), schemaMigrations().end());
    for (const std::string_view sql : steps)
        list.push_back({list.back().version + 1, sql});
    return list;
}

/// What the copy of a file of this program's version is called.
const std::string kBackup = ".bak-v" + std::to_string(schemaMigrations().back().version);

class StoreMigration : public StoreTest
{
protected:
    void SetUp() override
    {
        StoreTest::SetUp();
        Store store = open();
        std::vector<model::Trial> trials = sampleTrials(3);
        ASSERT_OK(store.createStudy(m_study, trials));
    }
    /// Opens with a longer list of versions than the program has.
    base::Result<OpenedWorkspace> openWith(const std::vector<Migration>& list, OpenMode mode) const
    {
        return guarded([&] { return openWorkspace(file(), mode, list); });
    }
    model::Study m_study = sampleStudy();
};

} // namespace

TEST_F(StoreMigration, VersionsAreNumberedWithoutGaps)
{
    int expected = 0;
    for (const Migration& step : schemaMigrations())
        EXPECT_EQ(step.version, ++expected);
    EXPECT_GE(expected, 1);
}

TEST_F(StoreMigration, AnOlderFileIsUpgradedAfterABackup)
{
    const auto list = withSteps({"ALTER TABLE study ADD COLUMN note TEXT NOT NULL DEFAULT 'none'",
                                 "CREATE TABLE annotation (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT"});
    {
        const auto opened = openWith(list, OpenMode::readWrite);
        ASSERT_OK(opened);
        const Database& db = *opened->database;
        EXPECT_EQ(db.integer("PRAGMA user_version"), schemaMigrations().back().version + 2);
        EXPECT_EQ(db.integer("SELECT count(*) FROM study WHERE note = 'none'"), 1);
        EXPECT_EQ(db.integer("SELECT count(*) FROM annotation"), 0);
        EXPECT_EQ(db.integer("PRAGMA foreign_keys"), 1);
        EXPECT_EQ(sentences::sentence(opened->readOnlyReason), "");
    }
    const Store backup = open(file().string() + kBackup, OpenMode::readOnly);
    expectEqual(*backup.study(m_study.id), m_study);
    ASSERT_OK(backup.checkIntegrity());

    // A second time there is nothing to do, and no second backup.
    ASSERT_OK(openWith(list, OpenMode::readWrite));
    EXPECT_FALSE(fs::exists(file().string() + kBackup + "-2"));

    // This program does not know the new version: it reads, and says why it does not write.
    Store newer = open();
    EXPECT_TRUE(newer.readOnly());
    EXPECT_NE(sentences::sentence(newer.readOnlyReason())
                  .find("newer version of Apertune wrote it (schema " +
                        std::to_string(schemaMigrations().back().version + 2)),
              std::string::npos)
        << sentences::sentence(newer.readOnlyReason());
    expectEqual(*newer.study(m_study.id), m_study);
    EXPECT_EQ(newer.deleteStudy(m_study.id).error().code, ErrorCode::unsupported);
    EXPECT_FALSE(fs::exists(file().string() + ".lock")); // whoever can write may do so
}

TEST_F(StoreMigration, VerificationsOfOlderVersionsAreNotTheLastStudy)
{
    for (const char* verb : {"verify", "prove"}) {
        Database::open(file(), Database::Access::write)
            .execute("DROP INDEX baseline_name; ALTER TABLE baseline DROP COLUMN name; "
                     "ALTER TABLE study DROP COLUMN purpose; DROP TABLE experiment; PRAGMA user_version = 5; "
                     "UPDATE study SET command_line = 'apertune trace " +
                     std::string(verb) + " tr1 unfused-batchnorm'");
        const Store store = open();
        EXPECT_EQ(store.study(m_study.id)->purpose, model::StudyPurpose::verification) << verb;
    }
}

TEST_F(StoreMigration, AStepThatFailsLeavesTheFileAsItWas)
{
    const auto broken = withSteps({"ALTER TABLE study ADD COLUMN note TEXT", "CREATE TABLE study (x)"});
    const auto opened = openWith(broken, OpenMode::readWrite);
    EXPECT_NE(errorOf(opened).find("the file is unchanged"), std::string::npos) << errorOf(opened);
    EXPECT_NE(errorOf(opened).find(kBackup), std::string::npos);
    {
        const Store store = open();
        EXPECT_FALSE(store.readOnly());
        expectEqual(*store.study(m_study.id), m_study);
        ASSERT_OK(store.checkIntegrity());
    }
    // The next attempt keeps the first backup.
    ASSERT_OK(openWith(withSteps({"ALTER TABLE study ADD COLUMN note TEXT"}), OpenMode::readWrite));
    EXPECT_TRUE(fs::exists(file().string() + kBackup));
    EXPECT_TRUE(fs::exists(file().string() + kBackup + "-2"));
}

TEST_F(StoreMigration, AStepThatBreaksReferencesIsRefused)
{
    const auto opened = openWith(withSteps({"DELETE FROM study"}), OpenMode::readWrite);
    EXPECT_NE(errorOf(opened).find("the file is unchanged"), std::string::npos) << errorOf(opened);
    EXPECT_EQ(open().studies()->size(), 1u);
}

TEST_F(StoreMigration, AReaderUpgradesAnOlderFileAfterABackup)
{
    const auto opened = openWith(withSteps({"ALTER TABLE study ADD COLUMN note TEXT"}), OpenMode::readOnly);
    ASSERT_OK(opened);
    EXPECT_EQ(opened->database->integer("SELECT count(*) FROM study WHERE note IS NULL"), 1);
    EXPECT_EQ(sentences::sentence(opened->readOnlyReason), "it was opened for reading");
    EXPECT_FALSE(opened->copy);
    EXPECT_FALSE(Store::isBeingWritten(file()));
    const Store backup = open(file().string() + kBackup, OpenMode::readOnly);
    expectEqual(*backup.study(m_study.id), m_study);
}

TEST_F(StoreMigration, AReaderBesideAWriterReadsAnUpgradedCopy)
{
    const Store writer = open();
    const auto list = withSteps({"ALTER TABLE study ADD COLUMN note TEXT"});
    fs::path copy;
    {
        const auto opened = openWith(list, OpenMode::readOnly);
        ASSERT_OK(opened);
        EXPECT_EQ(opened->database->integer("SELECT count(*) FROM study WHERE note IS NULL"), 1);
        EXPECT_NE(sentences::sentence(opened->readOnlyReason).find("upgraded copy"), std::string::npos)
            << sentences::sentence(opened->readOnlyReason);
        ASSERT_TRUE(opened->copy);
        copy = opened->copy->path();
        EXPECT_TRUE(fs::exists(copy));
    }
    EXPECT_FALSE(fs::exists(copy));
    EXPECT_FALSE(fs::exists(file().string() + kBackup));
    expectEqual(*writer.study(m_study.id), m_study);
}

TEST_F(StoreMigration, AFolderThatCannotBeWrittenIsReadThroughAnUpgradedCopy)
{
    if (::geteuid() == 0)
        GTEST_SKIP() << "root may write everywhere";
    fs::permissions(folder(), fs::perms::owner_read | fs::perms::owner_exec);
    const auto opened = openWith(withSteps({"ALTER TABLE study ADD COLUMN note TEXT"}), OpenMode::readOnly);
    fs::permissions(folder(), fs::perms::owner_all);
    ASSERT_OK(opened);
    EXPECT_EQ(opened->database->integer("SELECT count(*) FROM study WHERE note IS NULL"), 1);
    EXPECT_TRUE(opened->copy);
}

TEST_F(StoreMigration, AReaderIsToldWhichUpgradeFailedAndTheFileStays)
{
    const auto opened = openWith(withSteps({"CREATE TABLE study (x)"}), OpenMode::readOnly);
    EXPECT_NE(errorOf(opened).find("An older version of Apertune wrote the workspace"), std::string::npos)
        << errorOf(opened);
    expectEqual(*open().study(m_study.id), m_study);
}

TEST_F(StoreMigration, AnOlderFileKeepsWhatItHadAndTakesWhatIsNew)
{
    const fs::path older = folder() / "older.apertune";
    const trace::Trace trace = sampleTrace();
    TraceId id;
    {
        Store store = open(older);
        id = *store.addTrace(trace);
    }
    // A later version, whose table and column hold rows at once.
    const auto list = withSteps({"ALTER TABLE trace ADD COLUMN note TEXT NOT NULL DEFAULT ''",
                                 "CREATE TABLE annotation (trace_id INTEGER NOT NULL REFERENCES trace (id)) STRICT"});
    const auto opened = guarded([&] { return openWorkspace(older, OpenMode::readWrite, list); });
    ASSERT_OK(opened);
    EXPECT_TRUE(fs::exists(older.string() + kBackup));
    opened->database->execute("UPDATE trace SET note = 'seen'; INSERT INTO annotation SELECT id FROM trace");
    EXPECT_EQ(opened->database->integer("SELECT count(*) FROM annotation"), 1);
    const Store reader = open(older, OpenMode::readOnly);
    expectEqual(**reader.trace(id), trace);
}

TEST_F(StoreMigration, DocumentsOfATrialGoWithIt)
{
    Store store = open(folder() / "documents.apertune");
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(2);
    ASSERT_OK(store.createStudy(study, trials));
    ASSERT_OK(store.addPipeline(trials[1].id, "{\"n\": 1}"));
    ASSERT_OK(store.addPipeline(trials[1].id, "{\"n\": 2}"));
    EXPECT_EQ(store.addPipeline({999}, "{}").error().code, ErrorCode::invalidArgument);
    const auto kept = store.pipelines(trials[1].id);
    ASSERT_OK(kept);
    ASSERT_EQ(kept->size(), 2u);
    EXPECT_EQ(kept.value()[1].document, "{\"n\": 2}");
    EXPECT_FALSE(kept.value()[0].createdUtc.empty());
    EXPECT_TRUE(store.pipelines(trials[0].id)->empty());
    ASSERT_OK(store.addEvaluation(trials[1].id, model::EvaluationKind::accuracy, "{}"));
    EXPECT_EQ(store.addEvaluation({999}, model::EvaluationKind::accuracy, "{}").error().code,
              ErrorCode::invalidArgument);
    ASSERT_EQ(store.evaluations(trials[1].id)->size(), 1u);
    EXPECT_EQ(store.evaluations(trials[1].id).value()[0].kind, "accuracy");
    EXPECT_TRUE(store.evaluations(trials[0].id)->empty());
    ASSERT_OK(store.deleteStudy(study.id));
    EXPECT_TRUE(store.pipelines(trials[1].id)->empty()) << "they go with their trial";
    EXPECT_TRUE(store.evaluations(trials[1].id)->empty());
}

TEST_F(StoreMigration, ANewerFileThatCannotBeReadBlamesTheVersionNotTheDisk)
{
    ASSERT_OK(openWith(withSteps({"ALTER TABLE study RENAME COLUMN goal TO aim"}), OpenMode::readWrite));
    const Store store = open(OpenMode::readOnly);
    EXPECT_NE(sentences::sentence(store.readOnlyReason()).find("newer version"), std::string::npos);
    const auto study = store.study(m_study.id);
    EXPECT_EQ(study.error().code, ErrorCode::unsupported);
    EXPECT_NE(errorOf(study).find("Update Apertune"), std::string::npos) << errorOf(study);
    EXPECT_EQ(store.studies()->size(), 1u);
}

TEST_F(StoreMigration, AVersionZeroOfOurKindIsNotTrusted)
{
    Database::open(file(), Database::Access::create).execute("PRAGMA user_version = 0");
    const auto store = Store::open(file(), OpenMode::readWrite);
    EXPECT_EQ(store.error().code, ErrorCode::corrupt);
}

TEST_F(StoreMigration, ANameThatIsTakenGivesTheBackupAnother)
{
    fs::create_directories(folder() / ("runs.apertune" + kBackup) / "x");
    ASSERT_OK(openWith(withSteps({"ALTER TABLE study ADD COLUMN note TEXT"}), OpenMode::readWrite));
    EXPECT_TRUE(fs::is_regular_file(file().string() + kBackup + "-2"));
}

} // namespace apertune::store::test
