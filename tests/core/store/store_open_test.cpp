// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/query/query.h"
#include "core/sentences/sentences.h"
#include "core/store/schema.h"
#include "core/store/sqlite_database.h"
#include "tests/core/store/child.h"
#include "tests/core/store/sample_values.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace apertune::store::test {

namespace fs = std::filesystem;
using base::ErrorCode;

namespace {

class StoreOpen : public StoreTest
{
protected:
    /// A workspace with one finished trial, closed.
    model::StudyId makeWorkspace(const fs::path& path) const
    {
        Store store = open(path);
        model::Study study = sampleStudy();
        std::vector<model::Trial> trials = sampleTrials(2);
        EXPECT_TRUE(store.createStudy(study, trials).ok());
        trials[0].measurement = sampleMeasurement();
        finish(store, trials[0]);
        return study.id;
    }
    void put(const fs::path& path, std::string_view bytes) const
    {
        std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    std::vector<std::string> names() const
    {
        std::vector<std::string> list;
        for (const auto& entry : fs::directory_iterator(folder()))
            list.push_back(entry.path().filename());
        std::sort(list.begin(), list.end());
        return list;
    }
};

/// The error of opening in both modes, which must not differ in kind.
void expectRefused(const fs::path& path, ErrorCode code, const std::string& sentence)
{
    for (const OpenMode mode : {OpenMode::readOnly, OpenMode::readWrite}) {
        const auto store = Store::open(path, mode);
        EXPECT_NE(errorOf(store).find(sentence), std::string::npos) << errorOf(store);
        EXPECT_EQ(store.error().code, code) << errorOf(store);
        EXPECT_FALSE(store.error().hint.empty());
    }
}

} // namespace

TEST_F(StoreOpen, ANewWorkspaceIsOneFileOfTheRightKind)
{
    {
        const Store store = open(folder() / "new" / "folder" / "w.apertune");
        EXPECT_FALSE(store.readOnly());
        EXPECT_EQ(sentences::sentence(store.readOnlyReason()), "");
        ASSERT_OK(store.checkIntegrity());
        const Database db = Database::open(store.file(), Database::Access::readOnly);
        EXPECT_EQ(db.integer("PRAGMA application_id"), 0x4150544e);
        EXPECT_EQ(db.integer("PRAGMA user_version"), schemaMigrations().back().version);
        EXPECT_EQ(db.integer("PRAGMA page_size"), 16384);
        EXPECT_EQ(db.prepare("PRAGMA journal_mode").step(), true);
        Statement mode = db.prepare("PRAGMA journal_mode");
        mode.step();
        EXPECT_EQ(mode.text(0), "wal");
        EXPECT_EQ(db.integer("PRAGMA auto_vacuum"), 2);
        EXPECT_EQ(db.integer("SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE "
                             "'sqlite%' AND strict = 0"),
                  0);
    }
    std::vector<std::string> left;
    for (const auto& entry : fs::directory_iterator(folder() / "new" / "folder"))
        left.push_back(entry.path().filename());
    EXPECT_EQ(left, std::vector<std::string>{"w.apertune"});
}

TEST_F(StoreOpen, WhatIsNoWorkspaceIsRefusedWithAClearSentence)
{
    put(folder() / "text", std::string(20'000, 'x'));
    expectRefused(folder() / "text", ErrorCode::corrupt, "is not an Apertune workspace");
    put(folder() / "short", "hello");
    expectRefused(folder() / "short", ErrorCode::corrupt, "is not an Apertune workspace");
    expectRefused(folder(), ErrorCode::invalidArgument, "is a folder");
    expectRefused("", ErrorCode::invalidArgument, "No workspace file was given");
    ASSERT_EQ(::mkfifo((folder() / "fifo").c_str(), 0600), 0);
    expectRefused(folder() / "fifo", ErrorCode::invalidArgument, "is not a regular file");
    fs::create_symlink(folder() / "gone", folder() / "dangling");
    expectRefused(folder() / "dangling", ErrorCode::notFound, "which does not exist");
    fs::create_symlink(folder() / "loop", folder() / "loop");
    expectRefused(folder() / "loop", ErrorCode::io, "symbolic links");
    expectRefused(folder() / "text" / "below", ErrorCode::io, "Not a directory");
    EXPECT_EQ(names(), (std::vector<std::string>{"dangling", "fifo", "loop", "short", "text"}));
}

TEST_F(StoreOpen, NothingThatAForeignSchemaDefinesIsEverRun)
{
    // Each of these would run, or run for ever, with a statement of Apertune.
    const std::string endless = "(WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n)";
    const std::vector<std::pair<std::string, std::string>> schemas{
        {"CREATE TRIGGER spy AFTER INSERT ON study BEGIN DELETE FROM trial; END", "trigger \"spy\""},
        {"ALTER TABLE study RENAME TO hidden; CREATE VIEW study AS SELECT i AS id FROM " + endless, "\"study\""},
        {"ALTER TABLE model RENAME TO hidden; CREATE VIEW model AS SELECT * FROM hidden, " + endless, "\"model\""},
        {"CREATE VIEW other AS SELECT * FROM " + endless, "view \"other\""},
        {"CREATE VIRTUAL TABLE words USING fts5 (x)", "\"words"},
        {"ALTER TABLE trial ADD COLUMN twice INTEGER AS (ordinal * 2)", "table \"trial\""},
        {"CREATE INDEX slow ON trial (length(hex(zeroblob(attempt))))", "index \"slow\""},
        {"CREATE TABLE event (x)", "table \"event\""},
        {"DROP INDEX study_model", "index \"study_model\" is missing"},
        {"DROP TABLE noise", "table \"noise\" is missing"},
    };
    for (const auto& [sql, named] : schemas) {
        SCOPED_TRACE(sql);
        for (const char* name : {"foreign.apertune", "foreign.apertune-wal", "foreign.apertune-shm", "saved.apertune"})
            fs::remove(folder() / name);
        const fs::path path = folder() / "foreign.apertune";
        makeWorkspace(path);
        {
            const Database db = Database::open(path, Database::Access::write);
            db.execute("PRAGMA foreign_keys = OFF; " + sql);
        }
        expectRefused(path, ErrorCode::corrupt, named);
        expectRefused(path, ErrorCode::corrupt, "`apertune workspace repair`");
        EXPECT_EQ(query::query(path, "SELECT count(*) FROM trial").error().code, ErrorCode::corrupt);
        EXPECT_EQ(query::queryTables(path).error().code, ErrorCode::corrupt);
        const auto report = Store::salvage(path, folder() / "saved.apertune");
        ASSERT_OK(report);
        const Store saved = open(folder() / "saved.apertune");
        ASSERT_OK(saved.checkIntegrity());
        const auto snapshot = loadSnapshot(saved, {1});
        ASSERT_OK(snapshot);
        EXPECT_EQ(snapshot->trials.size(), 2u);
        EXPECT_EQ(snapshot->study.model.name, "resnet50");
    }
}

TEST_F(StoreOpen, AValueThatWouldFillTheMemoryIsNotRead)
{
    makeWorkspace(file());
    {
        const Database db = Database::open(file(), Database::Access::write);
        sqlite3_limit(db.handle(), SQLITE_LIMIT_LENGTH, 1'000'000'000);
        db.execute("UPDATE study SET name = printf('%.*c', 100000000, 'x')");
    }
    const auto store = Store::open(file(), OpenMode::readOnly);
    ASSERT_OK(store);
    const auto studies = store->studies();
    ASSERT_FALSE(studies);
    EXPECT_NE(errorOf(studies).find("too large"), std::string::npos) << errorOf(studies);
    EXPECT_EQ(query::query(file(), "SELECT count(*) FROM trial")->rows.size(), 1u);
}

TEST_F(StoreOpen, TheStatisticsOfSqliteAreNoForeignSchema)
{
    makeWorkspace(file());
    Database::open(file(), Database::Access::write).execute("ANALYZE");
    EXPECT_FALSE(open().readOnly());
}

TEST_F(StoreOpen, ANewerWorkspaceMayHoldMoreTablesButNothingThatRuns)
{
    makeWorkspace(file());
    const auto change = [&](const std::string& sql) { Database::open(file(), Database::Access::write).execute(sql); };
    change("PRAGMA user_version = 99; CREATE TABLE future (a INTEGER, b TEXT); CREATE INDEX future_a ON future (a)");
    EXPECT_TRUE(open(OpenMode::readOnly).readOnly());
    change("CREATE VIEW later AS SELECT * FROM future");
    expectRefused(file(), ErrorCode::corrupt, "\"later\"");
    change("DROP VIEW later; ALTER TABLE future ADD COLUMN c INTEGER AS (a + 1)");
    expectRefused(file(), ErrorCode::corrupt, "\"future\"");
}

TEST_F(StoreOpen, ADatabaseOfAnotherProgramIsRefusedAndNotTouched)
{
    const fs::path other = folder() / "other.db";
    Database::open(other, Database::Access::create).execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)");
    const std::string before = *base::readFile(other);
    expectRefused(other, ErrorCode::corrupt, "database of another program");
    EXPECT_EQ(*base::readFile(other), before);

    const fs::path branded = folder() / "branded.db";
    Database::open(branded, Database::Access::create).execute("CREATE TABLE t (x); PRAGMA application_id = 4711");
    expectRefused(branded, ErrorCode::corrupt, "database of another program");
    EXPECT_EQ(names(), (std::vector<std::string>{"branded.db", "other.db"}));
}

TEST_F(StoreOpen, AMissingFileIsMadeForWritingAndNotFoundForReading)
{
    const auto reading = Store::open(file(), OpenMode::readOnly);
    EXPECT_EQ(reading.error().code, ErrorCode::notFound);
    EXPECT_NE(errorOf(reading).find("There is no workspace at"), std::string::npos);
    EXPECT_TRUE(names().empty());
    EXPECT_FALSE(open().readOnly());
}

TEST_F(StoreOpen, ACreationThatWasCutShortIsCompleted)
{
    put(file(), "");
    const auto reading = Store::open(file(), OpenMode::readOnly);
    EXPECT_NE(errorOf(reading).find("holds no workspace yet"), std::string::npos);
    EXPECT_TRUE(open().studies()->empty());

    const fs::path walOnly = folder() / "wal-only.apertune";
    Database::open(walOnly, Database::Access::create).execute("PRAGMA journal_mode = WAL");
    EXPECT_TRUE(open(walOnly).studies()->empty());
    const Database db = Database::open(walOnly, Database::Access::readOnly);
    EXPECT_EQ(db.integer("PRAGMA user_version"), schemaMigrations().back().version);
}

TEST_F(StoreOpen, AReadOnlyStoreRefusesEveryChangeAndSaysWhy)
{
    const model::StudyId id = makeWorkspace(file());
    Store store = open(OpenMode::readOnly);
    EXPECT_TRUE(store.readOnly());
    EXPECT_EQ(sentences::sentence(store.readOnlyReason()), "it was opened for reading");
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(1);
    const auto expectRefusal = [](const auto& result) {
        ASSERT_FALSE(result.ok());
        EXPECT_EQ(result.error().code, ErrorCode::unsupported);
        EXPECT_NE(errorOf(result).find("can only be read: it was opened for reading"), std::string::npos);
    };
    expectRefusal(store.putModel(sampleModel()));
    expectRefusal(store.deleteModel("resnet50"));
    expectRefusal(store.createStudy(study, trials));
    expectRefusal(store.setStudyState(id, model::StudyState::finished));
    expectRefusal(store.deleteStudy(id));
    expectRefusal(store.transition(trials[0], model::TrialState::leased));
    expectRefusal(store.replaceMeasurement(trials[0]));
    expectRefusal(store.requeueInterrupted(id));
    expectRefusal(store.setBaseline({1}, true));
    expectRefusal(store.putArtifact({"k", "aoti", "", {}, {}, ""}));
    EXPECT_TRUE(loadSnapshot(store, id).ok());
    ASSERT_OK(store.checkIntegrity());
}

TEST_F(StoreOpen, EveryPathThatTheSystemKnowsWorks)
{
    const std::vector<std::string> kNames{
        "with space.apertune",
        " leading and trailing ",
        "uml\xc3\xa4ut-日本語-\xf0\x9f\x9a\x80.apertune",
        "combining-e\xcc\x81.apertune",
        "100%.apertune",
        "%41%00%2f.apertune",
        "what?mode=ro.apertune",
        "what?immutable=1&cache=shared",
        "frag#ment.apertune",
        "semi;colon, comma.apertune",
        "quote'single.apertune",
        "quote\"double.apertune",
        "back\\slash.apertune",
        "new\nline.apertune",
        "tab\tstop.apertune",
        "dollar$HOME`x`.apertune",
        "star*[a-z].apertune",
        "-leading-dash",
        "~tilde",
        ".hidden",
        "trailing.dot.",
        "no extension",
        "colon:memory:",
        "file:uri.apertune",
        "file:uri?mode=memory",
        "not-\xff\xfe-utf8.apertune",
        "pipe|and&more<>.apertune",
        "equals=plus+at@caret^.apertune",
        std::string(200, 'n') + ".apertune",
        "a.apertune.apertune",
    };
    for (const std::string& name : kNames) {
        SCOPED_TRACE(name);
        const fs::path path = folder() / name;
        const model::StudyId id = makeWorkspace(path);
        EXPECT_TRUE(fs::is_regular_file(path));
        const Store reader = open(path, OpenMode::readOnly);
        EXPECT_EQ(reader.file(), fs::canonical(path));
        EXPECT_EQ(reader.trials(id)->size(), 2u);
        const fs::path copy = path.string() + ".copy";
        ASSERT_OK(reader.saveCopy(copy));
        EXPECT_EQ(open(copy, OpenMode::readOnly).trials(id)->size(), 2u);
    }
    EXPECT_EQ(names().size(), 2 * kNames.size());
}

TEST_F(StoreOpen, RelativePathsAndLinksLeadToTheSameWorkspace)
{
    const fs::path before = fs::current_path();
    fs::current_path(folder());
    const model::StudyId id = makeWorkspace("file:relative.apertune"); // not a URI
    fs::create_directory("sub");
    EXPECT_EQ(open("./sub/../file:relative.apertune", OpenMode::readOnly).trials(id)->size(), 2u);
    makeWorkspace(":memory:");
    EXPECT_TRUE(fs::is_regular_file(":memory:"));
    fs::current_path(before);

    fs::create_symlink("file:relative.apertune", folder() / "link");
    const Store linked = open(folder() / "link");
    EXPECT_EQ(linked.file(), fs::canonical(folder()) / "file:relative.apertune");
    EXPECT_EQ(Store::open(folder() / "file:relative.apertune", OpenMode::readWrite).error().code, ErrorCode::busy);
}

TEST_F(StoreOpen, APathThatIsTooLongIsNamedAsSuch)
{
    fs::path path = folder();
    for (int i = 0; i < 10; ++i)
        path /= std::string(60, static_cast<char>('a' + i));
    fs::create_directories(path);
    expectRefused(path / "w.apertune", ErrorCode::invalidArgument, "too long");
}

TEST_F(StoreOpen, AFolderThatCannotBeWrittenOpensForReading)
{
    const model::StudyId id = makeWorkspace(file());
    ::chmod(file().c_str(), 0644);
    ::chmod(folder().c_str(), 0555);
    for (const OpenMode mode : {OpenMode::readOnly, OpenMode::readWrite}) {
        const std::string output = runUnprivileged([&](int fd) {
            const Store store = open(file(), mode);
            writeLine(fd, sentences::sentence(store.readOnlyReason()));
            writeLine(fd, std::to_string(store.trials(id)->at(0).measurement.blocks.size()));
            writeLine(fd, store.checkIntegrity().ok() && store.dataVersion().ok() ? "clean" : "not clean");
        });
        EXPECT_EQ(output, std::string(mode == OpenMode::readOnly ? "it was opened for reading"
                                                                 : "its folder cannot be written") +
                              "\n30\nclean\n");
    }
    const std::string output = runUnprivileged([&](int fd) {
        const auto store = Store::open(folder() / "another.apertune", OpenMode::readWrite);
        writeLine(fd, std::string(base::toString(store.error().code)) + " " + errorOf(store));
    });
    EXPECT_EQ(output.find("io Cannot create"), 0u) << output;
    ::chmod(folder().c_str(), 0755);
}

TEST_F(StoreOpen, AFileThatCannotBeWrittenOpensForReading)
{
    const model::StudyId id = makeWorkspace(file());
    ::chmod(file().c_str(), 0444);
    ::chmod(folder().c_str(), 0777);
    const std::string output = runUnprivileged([&](int fd) {
        const Store store = open();
        writeLine(fd, sentences::sentence(store.readOnlyReason()));
        writeLine(fd, std::to_string(store.trials(id)->size()));
    });
    EXPECT_EQ(output, "the file cannot be written\n2\n");
    EXPECT_FALSE(fs::exists(file().string() + ".lock"));
}

TEST_F(StoreOpen, AFileThatCannotBeReadIsAnError)
{
    makeWorkspace(file());
    ::chmod(file().c_str(), 0);
    ::chmod(folder().c_str(), 0777);
    for (const OpenMode mode : {OpenMode::readOnly, OpenMode::readWrite}) {
        const std::string output = runUnprivileged([&](int fd) {
            const auto store = Store::open(file(), mode);
            writeLine(fd, std::string(base::toString(store.error().code)) + " " + errorOf(store));
        });
        EXPECT_EQ(output.find("io The workspace cannot be opened"), 0u) << output;
        EXPECT_NE(output.find("Permission denied"), std::string::npos) << output;
    }
}

TEST_F(StoreOpen, ALeftLogThatCannotBeReadIsNotSilentlyIgnored)
{
    // A writer that was killed leaves its last commits in the -wal file.
    Child writer([&](int fd) {
        makeWorkspace(file());
        Store store = open();
        EXPECT_TRUE(store.putArtifact({"late", "aoti", "", {}, {}, ""}).ok());
        writeLine(fd, "written");
        ::pause();
        return 0;
    });
    ASSERT_EQ(writer.readLine(), "written");
    writer.kill();
    writer.wait();
    const fs::path wal = file().string() + "-wal";
    ASSERT_GT(fs::file_size(wal), 0u);
    fs::remove(file().string() + "-shm");
    ::chmod(file().c_str(), 0644);
    ::chmod(wal.c_str(), 0644);
    ::chmod(folder().c_str(), 0555);
    const std::string output = runUnprivileged([&](int fd) {
        const auto store = Store::open(file(), OpenMode::readOnly);
        writeLine(fd, errorOf(store));
    });
    EXPECT_NE(output.find("Copy both files to a folder"), std::string::npos) << output;
    ::chmod(folder().c_str(), 0755);
    EXPECT_TRUE(open().artifact("late")->has_value());
}

TEST_F(StoreOpen, ACopyIsCompleteAndNeverOverwritesAFile)
{
    const model::StudyId id = makeWorkspace(file());
    const fs::path copy = folder() / "copy.apertune";
    {
        Store store = open();
        ASSERT_OK(store.putArtifact({"in the log", "aoti", "", {}, {}, ""}));
        ASSERT_OK(store.saveCopy(copy));
        const auto again = store.saveCopy(copy);
        EXPECT_EQ(again.error().code, ErrorCode::invalidArgument);
        EXPECT_NE(errorOf(again).find("exists already"), std::string::npos);
        EXPECT_EQ(store.saveCopy(folder() / "no" / "folder").error().code, ErrorCode::io);
    }
    const Store copied = open(copy);
    EXPECT_EQ(Database::open(copy, Database::Access::readOnly).integer("PRAGMA page_size"), 16384);
    EXPECT_EQ(Database::open(copy, Database::Access::readOnly).integer("PRAGMA auto_vacuum"), 2);
    expectEqual(*copied.study(id), *open().study(id));
    EXPECT_TRUE(copied.artifact("in the log")->has_value());
    ASSERT_OK(copied.checkIntegrity());
    EXPECT_EQ(names(), (std::vector<std::string>{"copy.apertune", "copy.apertune-shm", "copy.apertune-wal",
                                                 "copy.apertune.lock", "runs.apertune"}));
}

} // namespace apertune::store::test
