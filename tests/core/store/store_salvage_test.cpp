// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/sentences/sentences.h"
#include "core/store/sqlite_database.h"
#include "tests/core/store/child.h"
#include "tests/core/store/row_places.h"
#include "tests/core/store/sample_trace.h"
#include "tests/core/store/sample_values.h"

#include <cstdio>
#include <fstream>
#include <random>
#include <set>

namespace apertune::store::test {

namespace fs = std::filesystem;

namespace {

class StoreSalvage : public StoreTest
{
protected:
    /// Studies of many pages and a trace. Its rows.
    Rows fill(int studies = 4, int trials = 150)
    {
        Store store = open();
        for (int i = 0; i < studies; ++i) {
            model::Study study = sampleStudy();
            std::vector<model::Trial> list = sampleTrials(trials);
            EXPECT_TRUE(store.createStudy(study, list).ok());
            for (std::size_t k = 0; k < list.size() / 2; ++k) {
                list[k].measurement = sampleMeasurement(10, k % 8 == 0 ? 20'000 : 500); // some need a page of overflow
                finish(store, list[k]);
            }
        }
        EXPECT_TRUE(store.addTrace(sampleTrace("kept", 20)).ok());
        EXPECT_TRUE(store.putModel(sampleModel()).ok());
        return rowsOf(file());
    }
    static void put(const fs::path& path, std::string_view bytes)
    {
        std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    /// What is saved of these bytes. The new file is whole, and the old one is as it was.
    Rows saved(const std::string& bytes) const
    {
        const fs::path damaged = folder() / "damaged.apertune";
        const fs::path rescued = folder() / "rescued.apertune";
        put(damaged, bytes);
        for (const char* suffix : {"", "-wal", "-shm", ".lock"})
            fs::remove(rescued.string() + suffix);
        const auto report = Store::salvage(damaged, rescued);
        EXPECT_TRUE(report.ok()) << sentences::describe(report.error());
        EXPECT_EQ(*base::readFile(damaged), bytes);
        if (!report)
            return {};
        {
            const Store store = open(rescued);
            EXPECT_FALSE(store.readOnly()) << sentences::sentence(store.readOnlyReason());
            EXPECT_TRUE(store.checkIntegrity().ok());
            for (const StudySummary& study : *store.studies())
                EXPECT_TRUE(loadSnapshot(store, study.id).ok());
        }
        return rowsOf(rescued);
    }
    /// The rows that have a part in the pages for which `gone` is true.
    template <typename Gone>
    std::map<std::string, std::size_t> rowsIn(const Gone& gone) const
    {
        std::map<std::string, std::size_t> rows;
        const Database db = Database::open(file(), Database::Access::readOnly);
        Statement pages = db.prepare("SELECT name, pageno, ncell, pagetype FROM dbstat");
        while (pages.step())
            if (gone(static_cast<std::size_t>(pages.integer(1))))
                rows[pages.text(0)] += static_cast<std::size_t>(
                    pages.text(3) == "overflow" ? 1 : std::max<std::int64_t>(pages.integer(2), 0));
        return rows;
    }
};

std::string garbage(std::mt19937& random, std::size_t size)
{
    std::string bytes(size, '\0');
    for (char& c : bytes)
        c = static_cast<char>(random());
    return bytes;
}

} // namespace

TEST_F(StoreSalvage, ACutOfWhatIsEmptyCostsNothing)
{
    const Rows whole = fill(1, 24);
    const std::string bytes = *base::readFile(file());
    for (const std::size_t percent : {50u, 70u, 90u}) {
        const Rows rows = saved(bytes.substr(0, bytes.size() * percent / 100));
        std::printf("[   info   ] a small workspace cut to %zu %%: %zu of %zu rows, %zu of %zu trials\n", percent,
                    common(whole, rows), count(whole), common(whole, rows, "trial"), whole.at("trial").size());
        EXPECT_EQ(common(whole, rows, "trial"), 24u) << percent;
        EXPECT_EQ(common(whole, rows, "measurement"), 12u) << percent;
    }
}

TEST_F(StoreSalvage, ACutFileGivesEveryTrialWhosePageIsThere)
{
    const Rows whole = fill();
    const std::string bytes = *base::readFile(file());
    for (const std::size_t percent : {50u, 70u, 90u}) {
        const std::size_t size = bytes.size() * percent / 100;
        const auto lost = rowsIn([&](std::size_t page) { return page * kPage > size; });
        const Rows rows = saved(bytes.substr(0, size));
        std::printf("[   info   ] cut to %zu %%: %zu of %zu rows, %zu of %zu trials\n", percent, common(whole, rows),
                    count(whole), common(whole, rows, "trial"), whole.at("trial").size());
        const auto trials = lost.find("trial");
        EXPECT_GE(common(whole, rows, "trial") + (trials == lost.end() ? 0 : trials->second), whole.at("trial").size())
            << percent;
        EXPECT_GT(common(whole, rows), 0u) << percent;
    }
}

TEST_F(StoreSalvage, ADestroyedPageCostsTheRowsInItAndWhatHangsOnThem)
{
    const Rows whole = fill(2, 100);
    const std::string bytes = *base::readFile(file());
    const std::size_t pages = bytes.size() / kPage;
    std::mt19937 random(20261123);
    std::size_t least = count(whole);
    std::size_t sum = 0;
    int files = 0;
    for (int i = 0; i < 40; ++i) {
        // The first ones are the header with the schema, the pointer map, and the roots of the tables.
        const std::size_t page = i < 8 ? static_cast<std::size_t>(i) + 1 : random() % pages + 1;
        for (const bool zeros : i < 8 ? std::vector{true, false} : std::vector{i % 2 == 0}) {
            SCOPED_TRACE("page " + std::to_string(page) + (zeros ? " of zeros" : " of garbage"));
            std::string hurt = bytes;
            hurt.replace((page - 1) * kPage, kPage, zeros ? std::string(kPage, '\0') : garbage(random, kPage));
            const Rows rows = saved(hurt);
            least = std::min(least, common(whole, rows));
            sum += common(whole, rows);
            ++files;
            auto lost = rowsIn([&](std::size_t other) { return other == page; });
            EXPECT_GE(common(whole, rows, "trial") + lost["trial"], whole.at("trial").size());
            // A measurement that is not saved was in the page, or its trial was.
            EXPECT_GE(common(whole, rows, "measurement") + lost["trial"] + lost["measurement"],
                      whole.at("measurement").size());
            EXPECT_GE(common(whole, rows, "block") + 10 * lost["trial"] + lost["block"], whole.at("block").size());
        }
    }
    std::printf(
        "[   info   ] one of 40 pages destroyed, %d files of %zu pages: at least %zu and on average %.1f of %zu "
        "rows are saved\n",
        files, pages, least, static_cast<double>(sum) / files, count(whole));
}

TEST_F(StoreSalvage, FortyDestroyedPagesLeaveTheRowsOfAllOthers)
{
    const Rows whole = fill(4, 400);
    const std::string bytes = *base::readFile(file());
    const std::size_t pages = bytes.size() / kPage;
    ASSERT_GT(pages, 200u);
    for (const bool zeros : {true, false}) {
        for (const unsigned seed : {1u, 2u}) {
            std::mt19937 random(seed);
            std::set<std::size_t> gone;
            while (gone.size() < 40)
                gone.insert(random() % pages + 1);
            std::string hurt = bytes;
            for (const std::size_t page : gone)
                hurt.replace((page - 1) * kPage, kPage, zeros ? std::string(kPage, '\0') : garbage(random, kPage));
            auto lost = rowsIn([&](std::size_t page) { return gone.contains(page); });
            const Rows rows = saved(hurt);
            std::printf("[   info   ] 40 of %zu pages %s: %zu of %zu rows, %zu of %zu trials (%zu were in the pages)\n",
                        pages, zeros ? "of zeros" : "of garbage", common(whole, rows), count(whole),
                        common(whole, rows, "trial"), whole.at("trial").size(), lost["trial"]);
            EXPECT_GE(common(whole, rows, "trial") + lost["trial"], whole.at("trial").size());
        }
    }
}

TEST_F(StoreSalvage, ALostStudyGetsAStandInThatKeepsItsTrials)
{
    const Rows whole = fill(2, 20);
    std::size_t page = 0;
    {
        const Database db = Database::open(file(), Database::Access::readOnly);
        page = static_cast<std::size_t>(db.integer("SELECT pageno FROM dbstat WHERE name = 'study'"));
    }
    std::string bytes = *base::readFile(file());
    bytes.replace((page - 1) * kPage, kPage, std::string(kPage, '\0'));
    const Rows rows = saved(bytes);
    EXPECT_EQ(common(whole, rows, "trial"), 40u);
    const auto studies = open(folder() / "rescued.apertune").studies();
    ASSERT_OK(studies);
    ASSERT_EQ(studies->size(), 2u);
    EXPECT_EQ(studies->front().name, "(lost) · study 2");
    EXPECT_EQ(studies->front().trials, 20);
}

TEST_F(StoreSalvage, WhatIsOnlyInTheLogIsSavedToo)
{
    Child writer([&](int fd) {
        Store store = open();
        model::Study study = sampleStudy();
        std::vector<model::Trial> trials = sampleTrials(30);
        if (!store.createStudy(study, trials))
            return 1;
        writeLine(fd, "written");
        for (;;)
            ::pause();
    });
    ASSERT_EQ(writer.readLine(), "written");
    writer.kill();
    writer.wait();
    const std::string log = *base::readFile(file().string() + "-wal");
    const fs::path damaged = folder() / "damaged.apertune";
    for (const bool cut : {false, true}) { // a half of a frame at the end was not committed
        put(damaged, *base::readFile(file()));
        put(damaged.string() + "-wal", cut ? log + log.substr(32, 9000) : log);
        const fs::path rescued = folder() / (cut ? "second" : "first");
        const auto report = Store::salvage(damaged, rescued);
        ASSERT_OK(report);
        EXPECT_EQ(open(rescued).trials({1})->size(), 30u);
    }
}

TEST_F(StoreSalvage, WhatWasDeletedStaysDeleted)
{
    fill();
    {
        Store store = open();
        ASSERT_OK(store.deleteStudy({2}));
    }
    const Rows whole = rowsOf(file());
    const Rows rows = saved(*base::readFile(file()));
    EXPECT_EQ(rows, whole);
}

} // namespace apertune::store::test
