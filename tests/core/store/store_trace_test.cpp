// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/failure.h"
#include "core/store/open_workspace.h"
#include "core/store/sqlite_database.h"
#include "core/store/timeline_store.h"
#include "core/store/trace_write.h"
#include "tests/core/store/child.h"
#include "tests/core/store/sample_trace.h"
#include "tests/core/store/sample_values.h"

#include <unistd.h>

#include <csignal>
#include <random>

namespace apertune::store::test {

using base::ErrorCode;
using trace::EventKind;

namespace {

class StoreTraces : public StoreTest
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

TEST_F(StoreTraces, ATraceComesBackAsItWas)
{
    const trace::Trace trace = sampleTrace();
    TraceId id;
    {
        Store store = open();
        const auto added = store.addTrace(trace);
        ASSERT_OK(added);
        id = *added;
        ASSERT_OK(store.checkIntegrity());
    }
    const Store store = open(OpenMode::readOnly);
    const auto loaded = store.trace(id);
    ASSERT_OK(loaded);
    expectEqual(**loaded, trace);
}

TEST_F(StoreTraces, ATraceOfManyChunksComesBackAsItWas)
{
    const trace::Trace trace = sampleTrace("long", 2000); // 100,000 kernels and as many calls
    Store store = open();
    const auto id = store.addTrace(trace);
    ASSERT_OK(id);
    const auto loaded = store.trace(*id);
    ASSERT_OK(loaded);
    expectEqual(**loaded, trace);
    const auto summary = store.traceSummary(*id);
    ASSERT_OK(summary);
    EXPECT_LT(summary->stored.count, summary->events * 16);
}

TEST_F(StoreTraces, AnEmptyTraceIsATrace)
{
    Store store = open();
    const auto id = store.addTrace(trace::Trace{});
    ASSERT_OK(id);
    const auto loaded = store.trace(*id);
    ASSERT_OK(loaded);
    expectEqual(**loaded, trace::Trace{});
    EXPECT_EQ(store.traceSummary(*id)->events, 0);
}

TEST_F(StoreTraces, TheListSaysWhatIsThere)
{
    Store store = open();
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(2);
    ASSERT_OK(store.createStudy(study, trials));
    const trace::Trace trace = sampleTrace();
    const auto alone = store.addTrace(trace);
    const auto ofTrial = store.addTrace(sampleTrace("second"), trials[1].id);
    ASSERT_OK(ofTrial);
    const auto list = store.traces();
    ASSERT_OK(list);
    ASSERT_EQ(list->size(), 2u);
    const TraceSummary& second = list->at(0);
    const TraceSummary& first = list->at(1);
    EXPECT_EQ(second.id, *ofTrial);
    EXPECT_EQ(second.trial, trials[1].id);
    EXPECT_EQ(second.name, "second");
    EXPECT_EQ(first.id, *alone);
    EXPECT_EQ(first.trial, std::nullopt);
    EXPECT_EQ(first.source, "kineto");
    EXPECT_EQ(first.recorderVersion, trace.recorderVersion);
    EXPECT_EQ(first.events, static_cast<std::int64_t>(trace.eventCount()));
    EXPECT_EQ(first.begin, trace.begin());
    EXPECT_EQ(first.end, trace.end());
    EXPECT_EQ(first.losses, 1) << "a notice is none";
    EXPECT_TRUE(first.complete);
    EXPECT_EQ(first.createdUtc.size(), 20u);
    EXPECT_GT(first.stored.count, 100);
    EXPECT_EQ(store.traces(trials[1].id)->size(), 1u);
    EXPECT_EQ(store.traces(trials[0].id)->size(), 0u);

    EXPECT_EQ(store.addTrace(trace, model::TrialId{99}).error().code, ErrorCode::invalidArgument);
    EXPECT_EQ(store.traces()->size(), 2u);
}

TEST_F(StoreTraces, OnlyWhatIsAskedForIsLoaded)
{
    const trace::Trace trace = sampleTrace();
    Store store = open();
    const TraceId id = *store.addTrace(trace);
    TraceSelection selection;
    selection.kinds = {EventKind::kernel, EventKind::copy};
    selection.columns = {trace::Column::name};
    const auto kernels = store.trace(id, selection);
    ASSERT_OK(kernels);
    ASSERT_EQ((*kernels)->series.size(), 2u);
    const trace::Series* expected = nullptr;
    for (const trace::Series& series : trace.series)
        if (series.kind == EventKind::kernel)
            expected = &series;
    const trace::Series* found = (*kernels)->find(expected->track, EventKind::kernel);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->events.start, expected->events.start);
    EXPECT_EQ(found->events.duration, expected->events.duration);
    EXPECT_EQ(found->events.name, expected->events.name);
    EXPECT_TRUE(found->events.correlation.empty());
    EXPECT_TRUE(found->events.detail.empty());
    EXPECT_EQ((*kernels)->tracks, trace.tracks);

    TraceSelection track;
    track.tracks = {expected->track};
    const auto ofTrack = store.trace(id, track);
    ASSERT_OK(ofTrack);
    EXPECT_FALSE((*ofTrack)->series.empty());
    for (const trace::Series& series : (*ofTrack)->series)
        EXPECT_EQ(series.track, expected->track);

    TraceSelection later;
    later.begin = {trace.end().count + 1};
    EXPECT_TRUE((*store.trace(id, later))->series.empty());
    EXPECT_EQ(store.trace({99}).error().code, ErrorCode::notFound);
}

TEST_F(StoreTraces, ATimelineOpensFromTheMipsThatAreKept)
{
    Store store = open();
    const TraceId id = *store.addTrace(sampleTrace());
    bool kept = true;
    const auto fresh = openTimeline(store, id, {}, &kept);
    ASSERT_OK(fresh);
    EXPECT_FALSE(kept) << "nobody kept them yet";
    ASSERT_OK(keepMips(store, id, **fresh));
    const auto again = openTimeline(store, id, {}, &kept);
    ASSERT_OK(again);
    EXPECT_TRUE(kept);
    ASSERT_EQ((*again)->rows().size(), (*fresh)->rows().size());
    for (std::size_t i = 0; i < (*fresh)->rows().size(); ++i) {
        const auto& lanes = (*fresh)->rows()[i].lanes;
        ASSERT_EQ((*again)->rows()[i].lanes.size(), lanes.size());
        for (std::size_t k = 0; k < lanes.size(); ++k)
            EXPECT_EQ((*again)->rows()[i].lanes[k].levels, lanes[k].levels);
    }
    EXPECT_EQ((*again)->overview(), (*fresh)->overview());

    damage("UPDATE trace_mip SET data = x'00' WHERE rowid = (SELECT min(rowid) FROM trace_mip)");
    ASSERT_OK(openTimeline(store, id, {}, &kept));
    EXPECT_FALSE(kept) << "damaged ones are made anew";
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(openTimeline(store, id, {stop.get_token(), {}}).error().code, ErrorCode::cancelled);
    EXPECT_EQ(openTimeline(store, TraceId{99}).error().code, ErrorCode::notFound);
}

TEST_F(StoreTraces, TracesAreRenamedAndDeletedWithEverythingTheyHave)
{
    Store store = open();
    const TraceId first = *store.addTrace(sampleTrace());
    const TraceId second = *store.addTrace(sampleTrace());
    ASSERT_OK(store.putTraceMips(first, {{{1}, EventKind::kernel, std::string("a\0b", 3)}}));
    ASSERT_OK(store.putTraceMips(first, {{{2}, EventKind::copy, "x"}, {{1}, EventKind::kernel, std::string("\0", 1)}}));
    const auto mips = store.traceMips(first);
    ASSERT_OK(mips);
    ASSERT_EQ(mips->size(), 2u);
    EXPECT_EQ(mips->at(0).data, std::string("\0", 1));
    EXPECT_EQ(mips->at(1).kind, EventKind::copy);
    EXPECT_TRUE(store.traceMips(second)->empty());
    ASSERT_OK(store.renameTrace(first, "other name"));
    EXPECT_EQ(store.traceSummary(first)->name, "other name");
    EXPECT_EQ((*store.trace(first))->name, "other name");
    ASSERT_OK(store.deleteTrace(first));
    EXPECT_EQ(store.traceSummary(first).error().code, ErrorCode::notFound);
    EXPECT_EQ(store.renameTrace(first, "x").error().code, ErrorCode::notFound);
    EXPECT_EQ(store.deleteTrace(first).error().code, ErrorCode::notFound);
    EXPECT_EQ(store.putTraceMips(first, {}).error().code, ErrorCode::notFound);
    ASSERT_OK(store.deleteTrace(second));
    ASSERT_OK(store.checkIntegrity());
    const Database db = Database::open(file(), Database::Access::readOnly);
    for (const char* table :
         {"trace", "track", "string", "chunk", "kernel_detail", "copy_detail", "operator_detail", "memory_detail",
          "note_detail", "synchronization_detail", "trace_device", "loss", "trace_cost", "trace_mip"})
        EXPECT_EQ(db.integer(std::string("SELECT count(*) FROM ") + table), 0) << table;
}

TEST_F(StoreTraces, ATraceGoesWithItsStudy)
{
    Store store = open();
    model::Study study = sampleStudy();
    std::vector<model::Trial> trials = sampleTrials(1);
    ASSERT_OK(store.createStudy(study, trials));
    ASSERT_OK(store.addTrace(sampleTrace(), trials[0].id));
    const TraceId alone = *store.addTrace(sampleTrace());
    ASSERT_OK(store.deleteStudy(study.id));
    const auto left = store.traces();
    ASSERT_EQ(left->size(), 1u);
    EXPECT_EQ(left->front().id, alone);
}

TEST_F(StoreTraces, ATraceThatDoesNotHoldTogetherIsNotStored)
{
    Store store = open();
    const auto refused = [&](auto&& spoil) {
        trace::Trace trace = sampleTrace();
        spoil(trace);
        const auto added = store.addTrace(trace);
        EXPECT_FALSE(added.ok());
        return added ? ErrorCode::internal : added.error().code;
    };
    EXPECT_EQ(refused([](trace::Trace& t) { t.series[0].events.name[0] = 10'000; }), ErrorCode::invalidArgument);
    EXPECT_EQ(refused([](trace::Trace& t) { t.series[0].track = {99}; }), ErrorCode::invalidArgument);
    EXPECT_EQ(refused([](trace::Trace& t) { t.series[0].events.duration[0] = -1; }), ErrorCode::invalidArgument);
    EXPECT_EQ(refused([](trace::Trace& t) { t.series[0].events.duration.pop_back(); }), ErrorCode::invalidArgument);
    EXPECT_EQ(refused([](trace::Trace& t) {
                  for (trace::Series& series : t.series)
                      if (series.kind == EventKind::kernel)
                          series.events.detail[3] = 5000;
              }),
              ErrorCode::invalidArgument);
    EXPECT_TRUE(store.traces()->empty());
}

TEST_F(StoreTraces, ProgressRunsToOneAndStoppingLeavesNothing)
{
    Store store = open();
    double last = 0;
    TraceTask watched;
    watched.progress = [&](double done) {
        EXPECT_GE(done, last);
        last = done;
    };
    const TraceId id = *store.addTrace(sampleTrace("a", 1000), {}, watched);
    EXPECT_DOUBLE_EQ(last, 1);

    std::stop_source source;
    TraceTask stopped{source.get_token(), [&](double) { source.request_stop(); }};
    EXPECT_EQ(store.addTrace(sampleTrace("b", 1000), {}, stopped).error().code, ErrorCode::cancelled);
    EXPECT_EQ(store.traces()->size(), 1u);
    EXPECT_EQ(store.trace(id, {}, stopped).error().code, ErrorCode::cancelled);
    ASSERT_OK(store.trace(id));
}

TEST_F(StoreTraces, KillingTheWriterLeavesTheWholeTraceOrNothing)
{
    const trace::Trace trace = sampleTrace("long", 1500);
    std::mt19937 random(20261121);
    int cut = 0;
    std::size_t before = 0;
    for (int round = 0; round < 12; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Child writer([&](int fd) {
            Store store = open();
            writeLine(fd, "open");
            for (;;) {
                if (!store.addTrace(trace))
                    return 1;
                writeLine(fd, "added");
            }
        });
        EXPECT_EQ(writer.readLine(), "open");
        ::usleep(std::uniform_int_distribution<useconds_t>(0, 120'000)(random));
        writer.kill();
        EXPECT_EQ(writer.wait(), -SIGKILL);
        std::size_t added = 0;
        while (writer.readLine() == "added")
            ++added;
        Store store = open();
        ASSERT_OK(store.checkIntegrity());
        const auto list = store.traces();
        ASSERT_OK(list);
        EXPECT_GE(list->size(), before + added);
        for (std::size_t i = 0; i + before < list->size(); ++i) {
            EXPECT_TRUE(list->at(i).complete);
            expectEqual(**store.trace(list->at(i).id), trace);
        }
        cut += list->size() == before + added;
        before = list->size();
        const Database db = Database::open(file(), Database::Access::readOnly);
        EXPECT_EQ(db.integer("SELECT count(*) FROM chunk WHERE trace_id NOT IN (SELECT id FROM trace)"), 0);
    }
    EXPECT_GT(cut, 0);
}

TEST_F(StoreTraces, WhatIsMissingInTheFileIsSaidNotGuessed)
{
    const struct
    {
        const char* sql;
        const char* message;
    } cases[] = {
        {"DELETE FROM string WHERE id = 3", "texts, tracks or details are missing"},
        {"DELETE FROM string WHERE id > 3", "missing"},
        {"DELETE FROM track WHERE id = (SELECT max(id) FROM track)", "a track is missing"},
        {"DELETE FROM kernel_detail WHERE id = (SELECT max(id) FROM kernel_detail)", "details of an event are missing"},
        {"UPDATE kernel_detail SET grid_x = -4", "out of range"},
        {"UPDATE track SET type = 77 WHERE id = 0", "unknown value"},
        {"UPDATE chunk SET events = events + 1", "another number of events"},
        {"UPDATE chunk SET data = substr(data, 1, length(data) - 1)", "damaged"},
        {"UPDATE chunk SET data = x''", "not a chunk"},
        {"UPDATE chunk SET kind = 99", "unknown kind"},
        {"UPDATE loss SET severity = 9", "unknown value"},
        {"UPDATE operator_detail SET module = 4000000000", "a text is missing"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.sql);
        TraceId id;
        {
            Store store = open();
            id = *store.addTrace(sampleTrace());
        }
        damage(c.sql);
        Store store = open();
        const auto loaded = store.trace(id);
        EXPECT_NE(errorOf(loaded).find(c.message), std::string::npos) << errorOf(loaded);
        EXPECT_EQ(loaded.error().code, ErrorCode::corrupt);
        EXPECT_FALSE(loaded.error().hint.empty());
        ASSERT_OK(store.deleteTrace(id));
    }
}

TEST_F(StoreTraces, AnEmptyChunkIsNoSeries)
{
    TraceId id;
    {
        Store store = open();
        id = *store.addTrace(sampleTrace());
    }
    // A whole header that says "no events, no columns".
    damage("UPDATE chunk SET events = 0, data = x'c701000000000000'");
    const Store store = open();
    const auto loaded = store.trace(id);
    ASSERT_OK(loaded);
    EXPECT_TRUE((*loaded)->series.empty());
}

TEST_F(StoreTraces, NumbersInTheFileNeverChange)
{
    int expected = 0;
    for (const EventKind kind : trace::kEventKinds)
        EXPECT_EQ(static_cast<int>(kind), kind == EventKind::other ? 255 : ++expected) << toString(kind);
    EXPECT_EQ(static_cast<int>(EventKind::kernel), 1);
    EXPECT_EQ(static_cast<int>(EventKind::copy), 2);
    EXPECT_EQ(static_cast<int>(EventKind::memset), 3);
    EXPECT_EQ(static_cast<int>(EventKind::operatorCall), 8);
    EXPECT_EQ(static_cast<int>(EventKind::counter), 15);
    EXPECT_EQ(static_cast<int>(EventKind::profilerRange), 17);
    EXPECT_EQ(static_cast<int>(TraceState::recording), 0);
    EXPECT_EQ(static_cast<int>(TraceState::complete), 1);
    EXPECT_EQ(static_cast<int>(trace::TrackType::hostThread), 1);
    EXPECT_EQ(static_cast<int>(trace::TrackType::stream), 2);
    EXPECT_EQ(static_cast<int>(trace::TrackType::device), 3);
    EXPECT_EQ(static_cast<int>(trace::TrackType::process), 4);
    EXPECT_EQ(static_cast<int>(trace::TrackType::counter), 5);
    EXPECT_EQ(static_cast<int>(trace::LossSeverity::notice), 1);
    EXPECT_EQ(static_cast<int>(trace::LossSeverity::warning), 2);
    EXPECT_EQ(static_cast<int>(trace::LossSeverity::error), 3);
    EXPECT_EQ(static_cast<int>(trace::CopyDirection::deviceToDevice), 8);
    EXPECT_EQ(static_cast<int>(trace::CopyDirection::array), 11);
    EXPECT_EQ(static_cast<int>(trace::MemoryKind::pinned), 2);
    EXPECT_EQ(static_cast<int>(trace::MemoryKind::managedStatic), 7);
    EXPECT_EQ(static_cast<int>(trace::SynchronizationType::context), 4);
}

} // namespace apertune::store::test
