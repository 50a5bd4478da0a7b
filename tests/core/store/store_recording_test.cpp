// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentences/sentences.h"
#include "core/store/failure.h"
#include "core/store/sqlite_database.h"
#include "core/store/store.h"
#include "tests/core/store/sample_trace.h"
#include "tests/core/store/sample_values.h"

namespace apertune::store::test {

namespace fs = std::filesystem;

namespace {

class StoreRecording : public StoreTest
{
protected:
    /// Changes the file behind the back of a Store, as damage would.
    void damage(const std::string& sql) const
    {
        const Database db = Database::open(file(), Database::Access::write);
        ASSERT_OK(guarded([&] { db.execute(sql); }));
    }
};

} // namespace

TEST_F(StoreRecording, ARecordingThatDiedSaysSo)
{
    trace::Trace trace = sampleTrace("dying", 1000);
    trace.losses.clear();
    ASSERT_OK(open().addTrace(trace));
    damage("UPDATE trace SET state = 0"); // a recorder that is killed leaves this state
    Store store = open();
    const auto list = store.traces();
    ASSERT_OK(list);
    ASSERT_EQ(list->size(), 1u);
    EXPECT_FALSE(list->front().complete);
    EXPECT_EQ(list->front().losses, 1);
    const auto loaded = store.trace(list->front().id);
    ASSERT_OK(loaded);
    EXPECT_EQ(static_cast<std::int64_t>((*loaded)->eventCount()), list->front().events);
    EXPECT_GT((*loaded)->eventCount(), 0u);
    ASSERT_EQ((*loaded)->losses.size(), 1u);
    EXPECT_NE(sentences::sentence((*loaded)->losses[0].reason).find("not finished"), std::string::npos);
    ASSERT_OK(store.deleteTrace(list->front().id));
}

TEST_F(StoreRecording, SalvageKeepsWhatIsLeftOfATrace)
{
    const trace::Trace trace = sampleTrace("kept", 1000);
    TraceId whole;
    TraceId hurt;
    TraceId trackless;
    {
        Store store = open();
        model::Study study = sampleStudy();
        std::vector<model::Trial> trials = sampleTrials(1);
        ASSERT_OK(store.createStudy(study, trials));
        whole = *store.addTrace(trace, trials[0].id);
        hurt = *store.addTrace(trace);
        trackless = *store.addTrace(sampleTrace());
    }
    const std::string of = " AND trace_id = " + std::to_string(hurt.value);
    damage("DELETE FROM string WHERE id = 3" + of + "; DELETE FROM string WHERE id > 8" + of +
           "; DELETE FROM track WHERE id = 1" + of + "; DELETE FROM kernel_detail WHERE id > 10" + of +
           "; UPDATE chunk SET data = substr(data, 1, 30) WHERE id = (SELECT min(id) FROM chunk WHERE kind = 1" + of +
           "); DELETE FROM operator_detail WHERE 1" + of + "; UPDATE track SET type = 99 WHERE trace_id = " +
           std::to_string(trackless.value) + "; PRAGMA foreign_keys = OFF; DELETE FROM trial");
    const fs::path rescued = folder() / "rescued.apertune";
    const auto report = Store::salvage(file(), rescued);
    ASSERT_OK(report);
    EXPECT_EQ(report->dropped, 1); // the chunk that was cut off
    const Store store = open(rescued);
    ASSERT_OK(store.checkIntegrity());
    const auto list = store.traces();
    ASSERT_OK(list);
    ASSERT_EQ(list->size(), 3u);
    const auto first = store.trace(whole);
    ASSERT_OK(first);
    expectEqual(**first, trace);
    // Its trial is lost and has a placeholder.
    ASSERT_TRUE(store.traceSummary(whole)->trial.has_value());
    EXPECT_EQ(store.trial(*store.traceSummary(whole)->trial)->reason.kind, model::ReasonKind::damaged);
    const auto second = store.trace(hurt);
    ASSERT_OK(second);
    EXPECT_EQ((*second)->eventCount(), trace.eventCount() - trace::kChunkEvents);
    ASSERT_EQ((*second)->losses.size(), 3u);
    EXPECT_EQ((*second)->losses.back().count, static_cast<std::int64_t>(trace::kChunkEvents));
    EXPECT_EQ((*second)->losses.back().severity, trace::LossSeverity::error);
    EXPECT_EQ((*second)->strings.at(3), "(lost)");
    EXPECT_EQ((*second)->tracks.at(1).label, "(lost)");
    const auto third = store.trace(trackless);
    ASSERT_OK(third);
    EXPECT_EQ((*third)->eventCount(), sampleTrace().eventCount());
    EXPECT_EQ((*third)->tracks.front().label, "(lost)");
}

} // namespace apertune::store::test
