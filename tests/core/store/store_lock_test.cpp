// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/sentences/sentences.h"
#include "core/store/sqlite_database.h"
#include "tests/core/store/child.h"
#include "tests/core/store/sample_values.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace apertune::store::test {

namespace fs = std::filesystem;
using base::ErrorCode;

namespace {
class StoreLock : public StoreTest
{
protected:
    fs::path lockFile() const { return file().string() + ".lock"; }
    /// A process that holds the workspace open for writing.
    std::unique_ptr<Child> holder() const
    {
        auto child = std::make_unique<Child>([this](int fd) {
            const Store store = open();
            writeLine(fd, "open");
            ::pause();
            return 0;
        });
        EXPECT_EQ(child->readLine(), "open");
        return child;
    }
};
} // namespace

TEST_F(StoreLock, ASecondWriterIsToldWhoTheFirstIs)
{
    const auto other = holder();
    const auto store = Store::open(file(), OpenMode::readWrite);
    EXPECT_EQ(store.error().code, ErrorCode::busy);
    EXPECT_NE(errorOf(store).find("runs.apertune is being written by process " + std::to_string(other->pid()) +
                                  " (test_core_store, since 20"),
              std::string::npos)
        << errorOf(store);
    EXPECT_TRUE(open(OpenMode::readOnly).studies().ok()); // reading goes on
}

TEST_F(StoreLock, ASecondWriterInTheSameProgramIsToldSo)
{
    const Store first = open();
    const auto second = Store::open(file(), OpenMode::readWrite);
    EXPECT_EQ(second.error().code, ErrorCode::busy);
    EXPECT_NE(errorOf(second).find("already open for writing in this program"), std::string::npos) << errorOf(second);
}

TEST_F(StoreLock, AnybodyCanAskWhetherThereIsAWriterWithoutBeingInItsWay)
{
    EXPECT_FALSE(Store::isBeingWritten(file()));
    const auto other = holder();
    EXPECT_TRUE(Store::isBeingWritten(file()));
    other->kill();
    other->wait();
    EXPECT_FALSE(Store::isBeingWritten(file())) << "a left-over file is no writer";
    const Store mine = open();
    EXPECT_TRUE(Store::isBeingWritten(file())) << "this process counts, too";
}

TEST_F(StoreLock, AHolderThatWasKilledLeavesNothingInTheWay)
{
    const auto other = holder();
    other->kill();
    other->wait();
    EXPECT_TRUE(fs::exists(lockFile())); // the file is left over and harmless
    {
        const Store store = open();
        EXPECT_FALSE(store.readOnly());
        EXPECT_EQ(base::readFile(lockFile())->find(std::to_string(::getpid()) + "\n"), 0u);
    }
    EXPECT_FALSE(fs::exists(lockFile()));
}

TEST_F(StoreLock, SenselessTextInALeftLockFileIsHarmless)
{
    for (const std::string& text : {std::string(), std::string(100'000, '\xff'), std::string("1\ninit\n2026\n")}) {
        ASSERT_OK(base::writeFileAtomically(lockFile(), text));
        EXPECT_FALSE(open().readOnly());
    }
}

TEST_F(StoreLock, ALockThatIsALinkIsNotFollowed)
{
    ASSERT_OK(base::writeFileAtomically(folder() / "victim", "precious"));
    fs::create_symlink(folder() / "victim", lockFile());
    EXPECT_EQ(Store::open(file(), OpenMode::readWrite).error().code, ErrorCode::io);
    EXPECT_EQ(*base::readFile(folder() / "victim"), "precious");
}

TEST_F(StoreLock, ManyProcessesThatOpenAtOnceNeverShareTheRightToWrite)
{
    // Each adds 1 to a number in a file without any protection but the workspace's lock.
    const fs::path counter = folder() / "counter";
    ASSERT_OK(base::writeFileAtomically(counter, "0"));
    std::vector<std::unique_ptr<Child>> children;
    constexpr int kProcesses = 4;
    constexpr int kRounds = 25;
    for (int i = 0; i < kProcesses; ++i)
        children.push_back(std::make_unique<Child>([&](int) {
            for (int done = 0; done < kRounds;) {
                const auto store = Store::open(file(), OpenMode::readWrite);
                if (!store && store.error().code != ErrorCode::busy)
                    throw std::runtime_error(sentences::describe(store.error()));
                if (!store)
                    continue;
                const int value = std::stoi(*base::readFile(counter));
                if (!base::writeFileAtomically(counter, std::to_string(value + 1)))
                    return 1;
                ++done;
            }
            return 0;
        }));
    for (auto& child : children) {
        const std::string output = child->readAll();
        EXPECT_EQ(child->wait(), 0) << output;
    }
    EXPECT_EQ(*base::readFile(counter), std::to_string(kProcesses * kRounds));
}

TEST_F(StoreLock, AWriterWaitsForAForeignLockAndThenSaysSo)
{
    Store store = open();
    const Database foreign = Database::open(file(), Database::Access::write);
    {
        std::jthread release;
        foreign.execute("BEGIN IMMEDIATE");
        release = std::jthread([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            foreign.execute("COMMIT");
        });
        ASSERT_OK(store.putArtifact({"waited", "aoti", "", {}, {}, ""}));
    }
    foreign.execute("BEGIN IMMEDIATE");
    const auto begin = base::monotonicNow();
    const auto refused = store.putArtifact({"refused", "aoti", "", {}, {}, ""});
    EXPECT_GE((base::monotonicNow() - begin).seconds(), 4.5);
    EXPECT_EQ(refused.error().code, ErrorCode::busy);
    EXPECT_NE(errorOf(refused).find("locked by another program for more than 5 s"), std::string::npos);
    EXPECT_TRUE(store.artifact("waited")->has_value()); // readers are not held up
    foreign.execute("COMMIT");
    ASSERT_OK(store.putArtifact({"refused", "aoti", "", {}, {}, ""}));
}

TEST_F(StoreLock, AReaderSeesEachCommitAndNeverHalfOfOne)
{
    Store writer = open();
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(150);
    ASSERT_OK(writer.createStudy(study, trials));
    std::atomic<bool> ready = false;
    std::atomic<int> snapshots = 0;
    std::atomic<int> wrong = 0;
    std::jthread reading([&](const std::stop_token& stop) {
        const Store reader = open(OpenMode::readOnly);
        std::size_t before = 0;
        while (!stop.stop_requested()) {
            const auto snapshot = loadSnapshot(reader, study.id);
            std::size_t done = 0;
            bool whole = snapshot.ok() && snapshot->trials.size() == 150;
            for (std::size_t i = 0; whole && i < snapshot->trials.size(); ++i) {
                const model::Trial& trial = snapshot->trials[i];
                const bool ok = trial.state == model::TrialState::ok;
                done += ok;
                whole = trial.measurement.blocks.size() == (ok ? 30u : 0u) &&
                        trial.measurement.iterations.size() == (ok ? 300u : 0u) &&
                        trial.measurement.quality.has_value() == ok;
            }
            wrong += !whole || done < before;
            before = done;
            ++snapshots;
            ready = true;
        }
    });
    while (!ready)
        std::this_thread::yield();
    const Store watching = open(OpenMode::readOnly);
    for (std::size_t i = 0; i < trials.size(); ++i) {
        trials[i].measurement = sampleMeasurement();
        finish(writer, trials[i]);
        ASSERT_EQ(watching.trial(trials[i].id)->state, model::TrialState::ok); // the reader sees it at once
    }
    reading.request_stop();
    reading.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(snapshots, 1);
}

TEST_F(StoreLock, ThreadsMayShareAStore)
{
    Store store = open();
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(60);
    ASSERT_OK(store.createStudy(study, trials));
    {
        std::vector<std::jthread> threads;
        for (std::size_t t = 0; t < 3; ++t)
            threads.emplace_back([&, t] {
                for (std::size_t i = t; i < trials.size(); i += 3) {
                    trials[i].measurement = sampleMeasurement(5, 50);
                    finish(store, trials[i]);
                    EXPECT_TRUE(store.studies().ok());
                }
            });
    }
    EXPECT_EQ(store.studies()->at(0).ok, 60);
    ASSERT_OK(store.checkIntegrity());
}

} // namespace apertune::store::test
