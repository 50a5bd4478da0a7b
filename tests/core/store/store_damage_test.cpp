// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/sentences/sentences.h"
#include "core/store/raw_pages.h"
#include "tests/core/store/child.h"
#include "tests/core/store/row_places.h"
#include "tests/core/store/sample_trace.h"
#include "tests/core/store/sample_values.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>

namespace apertune::store::test {

namespace fs = std::filesystem;

namespace {

/// What repair saved of damaged files, beside what was committed and what a plain reader could have saved.
struct Tally
{
    std::string damage;
    std::size_t files = 0;
    std::size_t refused = 0;
    std::size_t committed = 0;
    std::size_t intact = 0;
    std::size_t saved = 0;
    Rows lost{};         ///< intact rows that were not saved
    std::string first{}; ///< the first damage that lost one

    void print() const
    {
        std::printf("[   info   ] %s: %zu files, of %zu committed rows %zu intact, %zu saved, %zu intact ones lost, "
                    "%zu files refused\n",
                    damage.c_str(), files, committed, intact, saved, count(lost), refused);
        for (const auto& [table, rows] : lost)
            std::printf("[   info   ]   lost of %s: %zu\n", table.c_str(), rows.size());
        if (!first.empty())
            std::printf("[   info   ]   first at %s\n", first.c_str());
    }
};

class StoreDamage : public StoreTest
{
protected:
    /// A workspace with rows in every table.
    void fill()
    {
        {
            Store store = open();
            for (int i = 0; i < 3; ++i) {
                model::Study study = sampleStudy();
                std::vector<model::Trial> trials = sampleTrials(60);
                ASSERT_OK(store.createStudy(study, trials));
                for (std::size_t k = 0; k < trials.size() / 2; ++k) {
                    trials[k].measurement = sampleMeasurement(10, k % 8 == 0 ? 20'000 : 500); // some need overflow
                    finish(store, trials[k]);
                }
                const model::TrialId first = trials.front().id;
                ASSERT_OK(store.nameBaseline(first, "base-" + std::to_string(i)));
                for (int n = 0; n < 3; ++n) {
                    const std::string document = "{\"n\": \"" + std::string(300, 'd') + std::to_string(n) + "\"}";
                    ASSERT_OK(store.addScenario(first, "server", document));
                    ASSERT_OK(store.addPipeline(first, document));
                    ASSERT_OK(store.addEvaluation(first, model::EvaluationKind::accuracy, document));
                }
                model::Experiment experiment;
                experiment.study = study.uuid;
                experiment.subject = "unfused-batchnorm";
                ASSERT_OK(store.putExperiment(experiment));
                ASSERT_OK(store.addTrace(sampleTrace("of a trial", 4), first));
            }
            ASSERT_OK(store.addTrace(sampleTrace("imported", 20)));
            ASSERT_OK(store.putModel(sampleModel()));
            ASSERT_OK(store.putArtifact({"key", "aoti", "/x", {}, {}, ""}));
            ASSERT_OK(store.addNoise({"host: cpu", "normal", "resnet50 O0", {1.01, 0.99}, ""}));
        }
        ASSERT_FALSE(fs::exists(file().string() + "-wal"));
        m_good = *base::readFile(file());
        m_rows = placedRows(file());
    }
    static void put(const fs::path& path, std::string_view bytes)
    {
        std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    const std::string& good() const { return m_good; }
    const std::vector<PlacedRow>& rows() const { return m_rows; }

    /// Repairs the file with these bytes and adds the outcome.
    void repair(const std::string& bytes, const std::string& what, Tally& tally) const
    {
        const fs::path damaged = folder() / "damaged.apertune";
        const fs::path rescued = folder() / "rescued.apertune";
        put(damaged, bytes);
        fs::remove(rescued);
        const auto report = Store::salvage(damaged, rescued);
        const Rows intact = intactRows(m_rows, m_good, bytes);
        ++tally.files;
        tally.committed += m_rows.size();
        tally.intact += count(intact);
        Rows saved;
        if (report)
            saved = rowsOf(rescued);
        else
            ++tally.refused;
        for (const PlacedRow& row : m_rows)
            tally.saved += saved[row.table].contains(row.text);
        const Rows lost = missing(intact, saved);
        if (count(lost) > 0 && tally.first.empty())
            tally.first = what + (report ? "" : ": " + sentences::describe(report.error()));
        for (const auto& [table, list] : lost)
            tally.lost[table].insert(list.begin(), list.end());
    }

private:
    std::string m_good;
    std::vector<PlacedRow> m_rows;
};

} // namespace

TEST_F(StoreDamage, ACutAtAnyPageCostsNothingThatIsStillThere)
{
    ASSERT_NO_FATAL_FAILURE(fill());
    Tally tally{"cuts at every page"};
    for (std::size_t page = 1; page * kPage <= good().size(); ++page) {
        // Every other cut is within a page.
        if (const std::size_t size = page * kPage + (page % 2 == 0 ? 5000 : 0); size < good().size())
            repair(good().substr(0, size), "page " + std::to_string(page), tally);
    }
    tally.print();
    EXPECT_EQ(count(tally.lost), 0u);
    EXPECT_EQ(tally.refused, 0u);
}

TEST_F(StoreDamage, AnyBitOfTheHeaderMayBeWrong)
{
    ASSERT_NO_FATAL_FAILURE(fill());
    Tally tally{"a bit of the header flipped"};
    for (std::size_t byte = 0; byte < 100; ++byte) {
        std::string bytes = good();
        bytes[byte] = static_cast<char>(bytes[byte] ^ (1 << byte % 8));
        repair(bytes, "byte " + std::to_string(byte), tally);
    }
    tally.print();
    EXPECT_EQ(count(tally.lost), 0u);
    EXPECT_EQ(tally.refused, 0u);
}

TEST_F(StoreDamage, RandomDamagesCostNothingThatIsStillThere)
{
    ASSERT_NO_FATAL_FAILURE(fill());
    const char* const wanted = std::getenv("APERTUNE_DAMAGES"); // number of damages, for a longer run
    const int damages = wanted ? std::atoi(wanted) : 100;
    std::mt19937 random(20261128);
    const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random()) % end; };
    std::vector<Tally> tallies{{"one flipped bit"},
                               {"a hundred flipped bits"},
                               {"a range of zeros"},
                               {"sectors of garbage"},
                               {"pages in each other's place"},
                               {"a cut and flipped bits"},
                               {"flipped bits in the first bytes of pages"}};
    for (int i = 0; i < damages; ++i) {
        const std::size_t kind = static_cast<std::size_t>(i) % tallies.size();
        std::string bytes = good();
        const auto flip = [&](std::size_t at) { bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8))); };
        switch (kind) {
        case 0:
            flip(below(bytes.size()));
            break;
        case 1:
            for (int n = 0; n < 100; ++n)
                flip(below(bytes.size()));
            break;
        case 2: {
            const std::size_t at = below(bytes.size());
            const std::size_t size = std::min(std::size_t{1} << below(20), bytes.size() - at);
            bytes.replace(at, size, size, '\0');
            break;
        }
        case 3:
            for (std::size_t n = 1 + below(8); n > 0; --n) {
                const std::size_t at = below(bytes.size() / 512) * 512;
                for (std::size_t k = at; k < at + 512; ++k)
                    bytes[k] = static_cast<char>(random());
            }
            break;
        case 4: {
            const std::size_t a = below(bytes.size() / kPage) * kPage;
            const std::size_t b = below(bytes.size() / kPage) * kPage;
            bytes.replace(a, kPage, good(), b, kPage);
            break;
        }
        case 5:
            bytes.resize(1 + below(bytes.size()));
            for (int n = 0; n < 20; ++n)
                flip(below(bytes.size()));
            break;
        default:
            for (int n = 0; n < 10; ++n)
                flip(below(bytes.size() / kPage) * kPage + below(16));
        }
        repair(bytes, "damage " + std::to_string(i), tallies[kind]);
    }
    for (const Tally& tally : tallies) {
        tally.print();
        EXPECT_EQ(count(tally.lost), 0u) << tally.damage;
    }
}

TEST_F(StoreDamage, AHalfCopyGivesWhatItHolds)
{
    // The log holds everything, the file next to nothing.
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
    const fs::path half = folder() / "half.apertune";
    put(half.string() + "-wal", log);
    for (const char* const file : {"missing", "empty", "cut"}) {
        SCOPED_TRACE(file);
        if (file != std::string("missing"))
            put(half, file == std::string("cut") ? std::string(100, 'x') : std::string());
        for (const OpenMode mode : {OpenMode::readOnly, OpenMode::readWrite}) {
            const auto refused = Store::open(half, mode);
            ASSERT_FALSE(refused.ok());
            EXPECT_EQ(sentences::sentence(refused.error().message),
                      "The workspace's file is missing or empty, but its -wal file still holds data.");
        }
        // SQLite would have deleted it.
        ASSERT_EQ(*base::readFile(half.string() + "-wal"), log);
        const fs::path rescued = folder() / (std::string("rescued-") + file);
        const auto report = Store::salvage(half, rescued);
        ASSERT_OK(report);
        EXPECT_EQ(open(rescued).trials({1})->size(), 30u);
    }
    // Without its log, the file is as old as the last checkpoint. That is an empty workspace here.
    put(folder() / "alone.apertune", *base::readFile(file()));
    const auto alone = Store::salvage(folder() / "alone.apertune", folder() / "of-alone");
    if (alone)
        EXPECT_TRUE(open(folder() / "of-alone").studies()->empty());
    else
        EXPECT_EQ(alone.error().code, base::ErrorCode::corrupt);
}

TEST_F(StoreDamage, ADamagedFrameOfTheLogDoesNotTakeTheOnesBehindIt)
{
    Child writer([&](int fd) {
        Store store = open();
        model::Study study = sampleStudy();
        std::vector<model::Trial> trials = sampleTrials(30);
        if (!store.createStudy(study, trials))
            return 1;
        for (int i = 0; i < 20; ++i)
            if (!store.putArtifact({"key " + std::to_string(i), "aoti", "/x", {}, {}, std::string(9000, 'e')}))
                return 1;
        writeLine(fd, "written");
        for (;;)
            ::pause();
    });
    ASSERT_EQ(writer.readLine(), "written");
    writer.kill();
    writer.wait();
    const std::string log = *base::readFile(file().string() + "-wal");
    constexpr std::size_t kFrame = kPage + 24;
    const std::size_t frames = (log.size() - 32) / kFrame;
    ASSERT_GT(frames, 30u);
    std::size_t least = 20;
    for (std::size_t frame = frames / 2; frame < frames / 2 + 4; ++frame) {
        std::string bytes = log;
        bytes[32 + frame * kFrame + 5000] ^= '\x10';
        const fs::path damaged = folder() / ("log-" + std::to_string(frame));
        put(damaged, *base::readFile(file()));
        put(damaged.string() + "-wal", bytes);
        const fs::path rescued = damaged.string() + "-rescued";
        ASSERT_OK(Store::salvage(damaged, rescued));
        EXPECT_EQ(open(rescued).trials({1})->size(), 30u);
        const Rows rows = rowsOf(rescued);
        const auto found = rows.find("artifact");
        least = std::min(least, found == rows.end() ? 0 : found->second.size());
    }
    std::printf("[   info   ] one frame of the log damaged: at least %zu of 20 artifacts saved\n", least);
    EXPECT_GE(least, 18u); // SQLite reads 10 of them
}

TEST_F(StoreDamage, ALostTrialIsKeptInItsStudyWithItsResults)
{
    ASSERT_NO_FATAL_FAILURE(fill());
    {
        const Database db = Database::open(file(), Database::Access::write);
        db.execute("DELETE FROM trial WHERE id IN (5, 180); DELETE FROM study WHERE id = 2;"
                   "UPDATE study SET goal = '[', state = 77 WHERE id = 1; UPDATE model SET document = '{'");
    }
    const fs::path rescued = folder() / "rescued";
    const auto report = Store::salvage(file(), rescued);
    ASSERT_OK(report);
    const Store store = open(rescued);
    ASSERT_OK(store.checkIntegrity());
    const auto studies = store.studies();
    ASSERT_OK(studies);
    ASSERT_EQ(studies->size(), 3u);
    for (const StudySummary& study : *studies) {
        EXPECT_EQ(study.trials, study.id.value == 3 ? 59 : 60) << study.name; // nothing belonged to trial 180
        EXPECT_TRUE(loadSnapshot(store, study.id).ok());
    }
    EXPECT_EQ(studies->at(1).name, "(lost) · study 2");
    EXPECT_EQ(studies->at(2).name.rfind("(lost)", 0), std::string::npos) << "only a part of the row was damaged";
    const auto lost = store.trial({5});
    ASSERT_OK(lost);
    EXPECT_EQ(lost->study.value, 1);
    EXPECT_EQ(lost->reason.kind, model::ReasonKind::damaged);
    EXPECT_EQ(lost->measurement.blocks.size(), 10u);
    EXPECT_TRUE(store.trial({180}).error().code == base::ErrorCode::notFound);
}

TEST_F(StoreDamage, ValuesThatAreTooLongAndChainsInCirclesAreBounded)
{
    ASSERT_NO_FATAL_FAILURE(fill());
    // The last page names itself as the next one of its chain. The file is longer than the longest value.
    const fs::path damaged = folder() / "circle";
    put(damaged, good());
    const std::uintmax_t size = 100u << 20;
    fs::resize_file(damaged, size);
    const auto last = static_cast<std::uint32_t>(size / kPage);
    {
        std::fstream file(damaged, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(static_cast<std::streamoff>(size - kPage));
        const char number[]{0, 0, static_cast<char>(last >> 8), static_cast<char>(last)};
        file.write(number, sizeof number);
    }
    const RawPages pages(damaged);
    TreePage::Cell circle;
    circle.overflow = last;
    circle.size = kLargestValue + 1;
    EXPECT_FALSE(readRecord(pages, circle).has_value());
    EXPECT_TRUE(pages.takeChainBytes(0));
    circle.size = kLargestValue;
    int reads = 0;
    while (reads < 100 && pages.takeChainBytes(0)) {
        static_cast<void>(readRecord(pages, circle));
        ++reads;
        if (!pages.takeChainBytes(kLargestValue))
            break;
    }
    EXPECT_LE(reads, 2) << "all chains together are read as far as twice the size of the file";
    ASSERT_OK(Store::salvage(damaged, folder() / "rescued"));
    EXPECT_EQ(count(missing(rowsOf(file()), rowsOf(folder() / "rescued"))), 0u);
}

} // namespace apertune::store::test
