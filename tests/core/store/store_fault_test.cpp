// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/write_signals.h"
#include "core/sentences/sentences.h"
#include "core/store/sqlite_database.h"
#include "tests/core/store/child.h"
#include "tests/core/store/sample_values.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <random>
#include <set>

namespace apertune::store::test {

namespace fs = std::filesystem;
using base::ErrorCode;
using model::TrialState;

namespace {

constexpr int kTrialsPerStudy = 4;

/// Stores studies for ever and tells each committed result: "ok <id>".
int writeForEver(Store& store, int fd)
{
    for (;;) {
        model::Study study = sampleStudy();
        std::vector<model::Trial> trials = sampleTrials(kTrialsPerStudy);
        if (!store.createStudy(study, trials))
            return 1;
        for (model::Trial& trial : trials) {
            trial.measurement = sampleMeasurement(20, 200);
            if (!store.transition(trial, TrialState::leased) || !store.transition(trial, TrialState::running) ||
                !store.transition(trial, TrialState::ok))
                return 2;
            writeLine(fd, "ok " + std::to_string(trial.id.value));
        }
    }
}

/// Every study has all its trials, and every finished trial all its samples.
void expectWhole(Store& store, std::set<std::int64_t>& finished)
{
    ASSERT_OK(store.checkIntegrity());
    const auto studies = store.studies();
    ASSERT_OK(studies);
    for (const StudySummary& summary : *studies) {
        const auto trials = store.trials(summary.id);
        ASSERT_OK(trials);
        EXPECT_EQ(trials->size(), static_cast<std::size_t>(kTrialsPerStudy));
        for (const model::Trial& trial : *trials) {
            const bool ok = trial.state == TrialState::ok;
            EXPECT_EQ(trial.measurement.blocks.size(), ok ? 20u : 0u);
            EXPECT_EQ(trial.measurement.iterations.size(), ok ? 200u : 0u);
            EXPECT_EQ(trial.measurement.quality.has_value(), ok);
            if (ok)
                finished.insert(trial.id.value);
        }
    }
}

class StoreFault : public StoreTest
{
protected:
    void put(const fs::path& path, std::string_view bytes) const
    {
        std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
};

/// Everything that can be called, on a file that may be damaged. Returns the errors that came.
std::vector<base::Error> callEverything(Store& store)
{
    std::vector<base::Error> errors;
    const auto note = [&](const auto& result) {
        if (!result)
            errors.push_back(result.error());
    };
    note(store.models());
    note(store.findModel("resnet50"));
    note(store.studies());
    note(store.baselines());
    note(store.artifact("k"));
    note(store.lastStudy());
    note(store.dataVersion());
    for (std::int64_t id = 1; id <= 3; ++id) {
        note(loadSnapshot(store, {id}));
        note(store.trials({id}, false));
        note(store.trial({id}));
    }
    note(store.checkIntegrity());
    if (store.readOnly())
        return errors;
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(2);
    note(store.createStudy(study, trials));
    note(store.requeueInterrupted({2}));
    note(store.setBaseline({3}, true));
    note(store.putModel(sampleModel("other")));
    note(store.deleteStudy({1}));
    return errors;
}

} // namespace

TEST_F(StoreFault, KillingAWriterAtFiftyInstantsLosesNothingThatWasCommitted)
{
    std::mt19937 random(20261121);
    int written = 0;
    int fresh = 0;
    for (int round = 0; round < 50; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        if (round % 10 == 0) // every tenth kill may meet a workspace that is being created
            for (const char* suffix : {"", "-wal", "-shm", ".lock"})
                fs::remove(file().string() + suffix);
        Child writer([&](int fd) {
            Store store = open();
            writeLine(fd, "open");
            return writeForEver(store, fd);
        });
        std::set<std::int64_t> committed;
        const auto listen = [&] {
            const std::string line = writer.readLine();
            if (line.rfind("ok ", 0) == 0)
                committed.insert(std::stoll(line.substr(3)));
            return !line.empty();
        };
        // The kill comes after so many results, however long they take here, and somewhere within the next one.
        if (round % 10 != 0)
            for (int lines = std::uniform_int_distribution<int>(1, 4)(random); lines > 0 && listen();)
                --lines; // the first says that it is open
        ::usleep(std::uniform_int_distribution<useconds_t>(0, 10'000)(random));
        writer.kill();
        EXPECT_EQ(writer.wait(), -SIGKILL);
        while (listen()) {
        }

        fresh += !fs::exists(file());
        Store store = open();
        std::set<std::int64_t> finished;
        expectWhole(store, finished);
        for (const std::int64_t id : committed)
            EXPECT_TRUE(finished.contains(id)) << "trial " << id << " was committed and is gone";
        written += static_cast<int>(committed.size());
        // The trials that were in flight are finished.
        if (const auto last = store.lastStudy(); last.ok() && last->has_value()) {
            ASSERT_OK(store.requeueInterrupted(**last));
            auto interrupted = store.trials(**last);
            ASSERT_OK(interrupted);
            for (model::Trial& trial : *interrupted)
                if (trial.state == TrialState::queued) {
                    trial.measurement = sampleMeasurement(20, 200);
                    finish(store, trial);
                }
        }
    }
    std::printf("[   info   ] %d results were committed before a kill, %d times there was no file yet\n", written,
                fresh);
    EXPECT_GE(written, 45) << "1.5 were awaited in 45 rounds each";
}

TEST_F(StoreFault, AFileWithFlippedBytesOpensOrSaysThatItIsDamaged)
{
    {
        Store store = open();
        for (int i = 0; i < 2; ++i) {
            model::Study study = sampleStudy();
            std::vector<model::Trial> trials = sampleTrials(6);
            ASSERT_OK(store.createStudy(study, trials));
            for (model::Trial& trial : trials) {
                trial.measurement = sampleMeasurement(30, 3000);
                finish(store, trial);
            }
        }
        ASSERT_OK(store.putModel(sampleModel()));
        ASSERT_OK(store.putArtifact({"k", "aoti", "/x", {}, {}, ""}));
    }
    const std::string good = *base::readFile(file());
    std::mt19937 random(20261121);
    int refused = 0;
    int readOnly = 0;
    int failed = 0;
    for (int round = 0; round < 100; ++round) {
        std::string bytes = good;
        const int flips = 1 << (round % 8);
        // Half of them hit the first pages: header, schema and roots of the trees.
        const std::size_t range = round % 2 == 0 ? bytes.size() : 3 * 16384;
        for (int i = 0; i < flips; ++i)
            bytes[random() % range] ^= static_cast<char>(1 << (random() % 8));
        if (round % 10 == 9)
            bytes.resize(random() % bytes.size());
        const fs::path copy = folder() / ("copy-" + std::to_string(round));
        put(copy, bytes);
        for (const OpenMode mode : {OpenMode::readOnly, OpenMode::readWrite}) {
            auto store = Store::open(copy, mode);
            std::vector<base::Error> errors;
            if (store)
                errors = callEverything(*store);
            else
                errors.push_back(store.error());
            refused += !store;
            readOnly += store && mode == OpenMode::readWrite && store->readOnly();
            failed += store && !errors.empty();
            for (const base::Error& error : errors) {
                EXPECT_NE(error.code, ErrorCode::internal) << "round " << round << ": " << sentences::describe(error);
                EXPECT_FALSE(error.message.empty());
                EXPECT_FALSE(error.hint.empty()) << sentences::describe(error);
            }
        }
    }
    std::printf("[   info   ] of 200 openings %d refused, %d only for reading, %d with errors later\n", refused,
                readOnly, failed);
    EXPECT_GT(refused, 0);
    EXPECT_GT(readOnly, 0);
}

TEST_F(StoreFault, ATruncatedFileIsRefusedOrOpensForReading)
{
    {
        Store store = open();
        model::Study study = sampleStudy();
        std::vector<model::Trial> trials = sampleTrials(300);
        ASSERT_OK(store.createStudy(study, trials));
    }
    const std::string good = *base::readFile(file());
    for (const std::size_t size :
         {std::size_t{1}, std::size_t{99}, std::size_t{100}, std::size_t{511}, std::size_t{16383}, std::size_t{16384},
          std::size_t{20000}, good.size() / 2, good.size() - 16384, good.size() - 1}) {
        SCOPED_TRACE(size);
        const fs::path copy = folder() / ("cut-" + std::to_string(size));
        put(copy, good.substr(0, size));
        const auto store = Store::open(copy, OpenMode::readWrite);
        if (store) {
            EXPECT_TRUE(store->readOnly());
            EXPECT_NE(sentences::sentence(store->readOnlyReason()).find("damaged"), std::string::npos)
                << sentences::sentence(store->readOnlyReason());
        } else {
            EXPECT_EQ(store.error().code, ErrorCode::corrupt) << errorOf(store);
        }
    }
}

TEST_F(StoreFault, ADamagedLogCostsItsLastCommitsAtMost)
{
    Child writer([&](int fd) {
        Store store = open();
        return writeForEver(store, fd);
    });
    for (int i = 0; i < 20; ++i)
        ASSERT_EQ(writer.readLine().rfind("ok ", 0), 0u);
    writer.kill();
    writer.wait();
    const std::string base = *base::readFile(file());
    const std::string log = *base::readFile(file().string() + "-wal");
    ASSERT_GT(log.size(), 100'000u);
    std::mt19937 random(4711);
    for (int round = 0; round < 40; ++round) {
        SCOPED_TRACE(round);
        const fs::path copy = folder() / ("wal-" + std::to_string(round));
        std::string bytes = log;
        if (round % 2 == 0)
            bytes.resize(random() % bytes.size());
        else
            bytes[random() % bytes.size()] ^= '\x10';
        put(copy, base);
        put(copy.string() + "-wal", bytes);
        // A log that ends before the first table leaves an empty workspace, which opens as a new one.
        Store store = open(copy);
        std::set<std::int64_t> finished;
        expectWhole(store, finished);
    }
}

TEST_F(StoreFault, AFullDiskFailsTheCommitAndKeepsTheStore)
{
    Child child([&](int fd) {
        Store store = open();
        model::Study study = sampleStudy();
        std::vector<model::Trial> trials = sampleTrials(400);
        EXPECT_TRUE(store.createStudy(study, trials).ok());
        base::ignoreWriteSignals();
        const rlimit small{fs::file_size(file().string() + "-wal") + 100'000, RLIM_INFINITY};
        const rlimit all{RLIM_INFINITY, RLIM_INFINITY};
        ::setrlimit(RLIMIT_FSIZE, &small);
        std::size_t done = 0;
        base::Status status;
        for (; done < trials.size() && status.ok(); ++done) {
            trials[done].measurement = sampleMeasurement(30, 10'000);
            for (const TrialState to : {TrialState::leased, TrialState::running, TrialState::ok})
                if (status.ok())
                    status = store.transition(trials[done], to);
        }
        writeLine(fd, std::string(status ? "all written" : base::toString(status.error().code)));
        writeLine(fd, status ? "" : sentences::describe(status.error()));
        const auto before = store.trials(study.id);
        writeLine(fd, before.ok() ? "readable" : sentences::describe(before.error()));
        // There is room again: the same store goes on.
        ::setrlimit(RLIMIT_FSIZE, &all);
        EXPECT_TRUE(store.requeueInterrupted(study.id).ok());
        int finished = 0;
        auto rest = store.trials(study.id, false);
        for (model::Trial& trial : *rest)
            if (trial.state == TrialState::queued) {
                trial.measurement = sampleMeasurement(3, 3);
                finish(store, trial);
                ++finished;
            }
        writeLine(fd, store.checkIntegrity().ok() ? "intact" : "damaged");
        writeLine(fd, finished + static_cast<int>(done) - 1 == 400 ? "each once" : "lost some");
        return ::testing::Test::HasFailure() ? 1 : 0;
    });
    EXPECT_EQ(child.readLine(), "io");
    const std::string output = child.readLine();
    EXPECT_NE(output.find("was not stored, everything before it is intact"), std::string::npos) << output;
    EXPECT_EQ(child.readLine(), "readable");
    EXPECT_EQ(child.readLine(), "intact");
    EXPECT_EQ(child.readLine(), "each once");
    EXPECT_EQ(child.wait(), 0);
    ASSERT_OK(open().checkIntegrity());
}

TEST_F(StoreFault, AFullFileSystemFailsTheCommitAndKeepsTheStore)
{
    const fs::path mount = folder() / "small";
    fs::create_directory(mount);
    Child child([&](int fd) {
        // The mount is seen by this process alone and goes away with it.
        if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            ::mount("tmpfs", mount.c_str(), "tmpfs", 0, "size=1m") != 0) {
            writeLine(fd, "skip");
            return 0;
        }
        Store store = open(mount / "w.apertune");
        model::Study study = sampleStudy();
        std::vector<model::Trial> trials = sampleTrials(400);
        base::Status status = store.createStudy(study, trials);
        for (std::size_t i = 0; i < trials.size() && status.ok(); ++i) {
            trials[i].measurement = sampleMeasurement(30, 10'000);
            for (const TrialState to : {TrialState::leased, TrialState::running, TrialState::ok})
                if (status.ok())
                    status = store.transition(trials[i], to);
        }
        writeLine(fd, status ? "all written"
                             : std::string(base::toString(status.error().code)) + " " +
                                   sentences::describe(status.error()));
        writeLine(fd, store.checkIntegrity().ok() ? "intact" : "damaged");
        const auto copied = store.saveCopy(mount / "copy");
        writeLine(fd, copied ? "copied" : std::string(base::toString(copied.error().code)));
        writeLine(fd, fs::exists(mount / "copy") ? "half a copy" : "no half copy");
        return 0;
    });
    const std::string output = child.readLine();
    if (output == "skip")
        GTEST_SKIP() << "mounting a small file system needs more rights than this test has";
    EXPECT_EQ(output.rfind("io The disk is full", 0), 0u) << output;
    EXPECT_EQ(child.readLine(), "intact");
    EXPECT_EQ(child.readLine(), "io");
    EXPECT_EQ(child.readLine(), "no half copy");
}

TEST_F(StoreFault, AFullDiskAtTheFirstOpenIsAClearError)
{
    Child child([&](int fd) {
        base::ignoreWriteSignals();
        const rlimit none{0, RLIM_INFINITY};
        ::setrlimit(RLIMIT_FSIZE, &none);
        const auto store = Store::open(file(), OpenMode::readWrite);
        const rlimit all{RLIM_INFINITY, RLIM_INFINITY};
        ::setrlimit(RLIMIT_FSIZE, &all);
        writeLine(fd, store ? "opened" : std::string(base::toString(store.error().code)));
        return 0;
    });
    EXPECT_EQ(child.readLine(), "io");
    child.wait();
    EXPECT_TRUE(open().studies()->empty());
}

TEST_F(StoreFault, WhatIsReadableOfADamagedFileIsSaved)
{
    std::vector<model::Study> studies(3, sampleStudy());
    {
        Store store = open();
        for (model::Study& study : studies) {
            std::vector<model::Trial> trials = sampleTrials(100);
            ASSERT_OK(store.createStudy(study, trials));
            for (std::size_t i = 0; i < 20; ++i) {
                trials[i].measurement = sampleMeasurement(30, 1000);
                finish(store, trials[i]);
            }
        }
    }
    // Overwrite a page in the middle of the trials.
    std::int64_t page = 0;
    {
        const Database db = Database::open(file(), Database::Access::readOnly);
        page = db.integer("SELECT pageno FROM dbstat WHERE name = 'trial' AND pagetype = 'leaf' ORDER BY path LIMIT 1 "
                          "OFFSET 3");
    }
    ASSERT_GT(page, 1);
    std::string bytes = *base::readFile(file());
    bytes.replace(static_cast<std::size_t>(page - 1) * 16384, 16384, std::string(16384, '\x5a'));
    put(file(), bytes);

    {
        const Store damaged = open();
        EXPECT_TRUE(damaged.readOnly());
        EXPECT_NE(sentences::sentence(damaged.readOnlyReason()).find("it is damaged"), std::string::npos)
            << sentences::sentence(damaged.readOnlyReason());
        EXPECT_EQ(damaged.checkIntegrity().error().code, ErrorCode::corrupt);
    }
    const fs::path rescued = folder() / "rescued.apertune";
    const auto report = Store::salvage(file(), rescued);
    ASSERT_OK(report);
    EXPECT_EQ(report->damagedTables, std::vector<std::string>{"trial"});
    EXPECT_EQ(*base::readFile(file()), bytes); // the original is kept as it is
    Store store = open(rescued);
    EXPECT_FALSE(store.readOnly()) << sentences::sentence(store.readOnlyReason());
    ASSERT_OK(store.checkIntegrity());
    std::size_t trials = 0;
    for (const model::Study& study : studies) {
        const auto snapshot = loadSnapshot(store, study.id);
        ASSERT_OK(snapshot);
        expectEqual(snapshot->study, study);
        trials += snapshot->trials.size();
    }
    EXPECT_GT(trials, 200u); // a page holds some 20 of the 300
    EXPECT_LT(trials, 300u);
    EXPECT_EQ(Store::salvage(file(), rescued).error().code, ErrorCode::invalidArgument);
}

TEST_F(StoreFault, AWholeFileIsSalvagedWholeAndNonsenseIsRefused)
{
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(5);
    {
        Store store = open();
        ASSERT_OK(store.createStudy(study, trials));
        trials[0].measurement = sampleMeasurement();
        finish(store, trials[0]);
        ASSERT_OK(store.setBaseline(trials[0].id, true));
    }
    const auto report = Store::salvage(file(), folder() / "copy");
    ASSERT_OK(report);
    EXPECT_TRUE(report->damagedTables.empty());
    EXPECT_EQ(report->dropped, 0);
    expectEqual(*open(folder() / "copy").study(study.id), *open().study(study.id));
    EXPECT_EQ(open(folder() / "copy").baselines()->at(0).trial, trials[0].id);

    put(folder() / "text", std::string(5000, 'x'));
    EXPECT_EQ(Store::salvage(folder() / "text", folder() / "out").error().code, ErrorCode::corrupt);
    EXPECT_EQ(Store::salvage(folder() / "missing", folder() / "out").error().code, ErrorCode::notFound);
    EXPECT_FALSE(fs::exists(folder() / "out"));
}

TEST_F(StoreFault, ADamagedTrialIsARowThatSaysSoAndTheRestOfItsStudyIsShown)
{
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(8);
    {
        Store store = open();
        ASSERT_OK(store.createStudy(study, trials));
        for (model::Trial& trial : trials) {
            trial.measurement = sampleMeasurement();
            finish(store, trial);
        }
    }
    const std::vector<std::pair<std::string, std::string>> damages{
        {"UPDATE trial SET config = '{\"level\":[' WHERE ordinal = 1", "config"},
        {"UPDATE trial SET config = replace(hex(zeroblob(100000)), '0', '[') WHERE ordinal = 2", "config"},
        {"UPDATE trial SET state = 999 WHERE ordinal = 3", "state"},
        {"UPDATE measurement SET applied = '[[1, 2]]' WHERE trial_id = 4", "applied"},
        {"UPDATE trial SET config = '7', state = -1 WHERE ordinal = 5; UPDATE measurement SET applied = '' WHERE "
         "trial_id = 5",
         "state, config, applied"},
        {"UPDATE iteration SET times = x'ff' WHERE trial_id = 6", ""},
        {"UPDATE measurement SET flags = '{', conditions = '[1]' WHERE trial_id = 7", ""},
    };
    {
        const Database db = Database::open(file(), Database::Access::write);
        for (const auto& [sql, parts] : damages)
            db.execute(sql);
    }
    const Store store = open();
    const auto snapshot = loadSnapshot(store, study.id);
    ASSERT_OK(snapshot);
    ASSERT_EQ(snapshot->trials.size(), 8u);
    for (std::size_t i = 0; i < 5; ++i) {
        SCOPED_TRACE(damages[i].first);
        const model::Trial& trial = snapshot->trials[i];
        EXPECT_EQ(trial.state, TrialState::failed);
        EXPECT_EQ(trial.reason.kind, model::ReasonKind::damaged);
        EXPECT_EQ(sentences::sentence(trial.reason.message),
                  "The workspace is damaged: of this trial " + damages[i].second + " cannot be read.");
        EXPECT_EQ(trial.device, trials[i].device);
        EXPECT_EQ(store.trial(trial.id)->reason.kind, model::ReasonKind::damaged);
    }
    EXPECT_EQ(snapshot->trials[0].config.backend, "(unreadable)");
    const model::Trial& times = snapshot->trials[5];
    EXPECT_EQ(times.state, TrialState::ok);
    EXPECT_EQ(times.measurement.flags.back(), model::TrialFlag::unreadableTimes);
    EXPECT_TRUE(times.measurement.iterations.empty());
    EXPECT_EQ(times.measurement.latencyNs.value, trials[5].measurement.latencyNs.value);
    EXPECT_EQ(snapshot->trials[6].state, TrialState::ok);
    EXPECT_EQ(snapshot->trials[6].measurement.flags,
              (std::vector{model::TrialFlag::unreadableFlags, model::TrialFlag::unreadableConditions}));
    expectEqual(snapshot->trials[7].measurement, trials[7].measurement);
    const auto listed = store.studies();
    ASSERT_OK(listed);
    EXPECT_EQ(listed->front().trials, 8);
}

TEST_F(StoreFault, ADamagedStudyDoesNotHideTheOthersInTheList)
{
    for (const char* model : {"a", "b", "c"}) {
        model::Study study = sampleStudy(model);
        std::vector<model::Trial> trials = sampleTrials(1);
        Store store = open();
        ASSERT_OK(store.createStudy(study, trials));
    }
    Database::open(file(), Database::Access::write)
        .execute("UPDATE study SET state = 77 WHERE id = 1; UPDATE study SET purpose = -1 WHERE id = 3");
    const Store store = open();
    const auto listed = store.studies();
    ASSERT_OK(listed);
    ASSERT_EQ(listed->size(), 3u);
    EXPECT_TRUE(listed->at(0).damaged);
    EXPECT_FALSE(listed->at(1).damaged);
    EXPECT_TRUE(listed->at(2).damaged);
    ASSERT_OK(store.lastStudy());
    EXPECT_EQ(store.lastStudy()->value().value, 2) << "a damaged study is never meant by \"last\"";
}

} // namespace apertune::store::test
