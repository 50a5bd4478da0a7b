// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentences/sentences.h"
#include "core/store/failure.h"
#include "core/store/sqlite_database.h"
#include "core/store/trace_writer.h"
#include "tests/core/store/child.h"
#include "tests/core/store/sample_trace.h"
#include "tests/core/store/sample_values.h"

namespace apertune::store::test {

namespace fs = std::filesystem;
using trace::EventKind;

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

TEST_F(StoreRecording, ALiveRecordingCanBeFollowedAndIsCompleteWhenClosed)
{
    const trace::Trace trace = sampleTrace("live", 1000);
    Store store = open();
    const Store view = open(OpenMode::readOnly);
    auto writer = TraceWriter::create(store, trace);
    ASSERT_OK(writer);
    for (std::size_t i = 1; i < trace.strings.size(); ++i)
        EXPECT_EQ(writer->intern(trace.strings[i]).value, i);
    for (const trace::Track& track : trace.tracks)
        writer->track(track);
    for (std::size_t i = 1; i < trace.details.kernels.size(); ++i)
        EXPECT_EQ(writer->detail(trace.details.kernels[i]), i);
    for (std::size_t i = 1; i < trace.details.copies.size(); ++i)
        writer->detail(trace.details.copies[i]);
    for (std::size_t i = 1; i < trace.details.synchronizations.size(); ++i)
        writer->detail(trace.details.synchronizations[i]);
    for (std::size_t i = 1; i < trace.details.operators.size(); ++i)
        writer->detail(trace.details.operators[i]);
    for (std::size_t i = 1; i < trace.details.memory.size(); ++i)
        writer->detail(trace.details.memory[i]);
    for (std::size_t i = 1; i < trace.details.notes.size(); ++i)
        writer->detail(trace.details.notes[i]);
    writer->setDevices(trace.devices);
    writer->setCost(*trace.cost);
    for (const trace::Loss& loss : trace.losses)
        writer->addLoss(loss);
    std::size_t appended = 0;
    for (const trace::Series& series : trace.series)
        for (std::size_t i = 0; i < series.events.size(); ++i) {
            writer->append(series.track, series.kind, series.events.at(i));
            if (++appended % 997 == 0) {
                ASSERT_OK(writer->commit()); // leaves many small chunks
                if (appended % (997 * 20) == 0) {
                    const auto soFar = view.trace(writer->id());
                    ASSERT_OK(soFar);
                    EXPECT_EQ((*soFar)->eventCount(), appended);
                }
            }
        }
    EXPECT_FALSE(view.traceSummary(writer->id())->complete);
    ASSERT_OK(writer->close());
    const auto summary = view.traceSummary(writer->id());
    ASSERT_OK(summary);
    EXPECT_TRUE(summary->complete);
    EXPECT_EQ(summary->events, static_cast<std::int64_t>(trace.eventCount()));
    EXPECT_EQ(summary->begin, trace.begin());
    EXPECT_EQ(summary->end, trace.end());
    const auto loaded = view.trace(writer->id());
    ASSERT_OK(loaded);
    expectEqual(**loaded, trace);
    const Database db = Database::open(file(), Database::Access::readOnly);
    EXPECT_LT(db.integer("SELECT count(*) FROM chunk"), 30); // joined again
}

TEST_F(StoreRecording, ARecordingThatDiedSaysSo)
{
    Child recorder([&](int fd) {
        Store store = open();
        auto writer = TraceWriter::create(store, sampleTrace("dying"), {}, {base::fromMilliseconds(10)});
        if (!writer)
            return 1;
        const trace::TrackId track = writer->track({});
        for (std::int64_t i = 0;; ++i) {
            writer->append(track, EventKind::range,
                           {.start = {i * 100}, .duration = {50}, .name = writer->intern("x")});
            if (i != 300'000)
                continue;
            if (!writer->commit()) // the clock alone may not have asked for one yet
                return 1;
            writeLine(fd, "going");
        }
    });
    EXPECT_EQ(recorder.readLine(), "going");
    recorder.kill();
    recorder.wait();
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

TEST_F(StoreRecording, ChunksOfAnotherProcessAndLateEventsArePutInOrder)
{
    Store store = open();
    auto writer = TraceWriter::create(store, trace::Trace{});
    ASSERT_OK(writer);
    const trace::TrackId track = writer->track({});
    for (const std::int64_t start : {5000, 100, 3000}) {
        trace::EventColumns events;
        events.append({.start = {start}, .duration = {10}, .name = writer->intern(std::to_string(start))});
        events.append({.start = {start + 20}, .duration = {10}});
        writer->append(trace::makeChunk(track, EventKind::operatorCall, events, 0, 2));
    }
    ASSERT_OK(writer->close());
    const auto loaded = store.trace(writer->id());
    ASSERT_OK(loaded);
    EXPECT_EQ((*loaded)->series.at(0).events.start, (std::vector<std::int64_t>{100, 120, 3000, 3020, 5000, 5020}));
    const Database db = Database::open(file(), Database::Access::readOnly);
    EXPECT_EQ(db.integer("SELECT count(*) FROM chunk"), 1);

    auto discarded = TraceWriter::create(store, trace::Trace{});
    ASSERT_OK(discarded);
    ASSERT_OK(discarded->commit());
    ASSERT_OK(discarded->discard());
    EXPECT_EQ(store.traces()->size(), 1u);
}

TEST_F(StoreRecording, WhatTheDiskDoesNotTakeIsCounted)
{
    Store store = open();
    TraceWriter::Options options;
    options.commitEvery = base::fromSeconds(3600);
    options.maxPendingBytes = 20'000;
    auto writer = TraceWriter::create(store, trace::Trace{}, {}, options);
    ASSERT_OK(writer);
    const trace::TrackId track = writer->track({});
    ASSERT_OK(writer->commit());
    damage("CREATE TRIGGER full BEFORE INSERT ON chunk BEGIN SELECT RAISE(ABORT, 'no'); END");
    std::int64_t start = 0;
    for (int round = 0; round < 5; ++round) {
        for (int i = 0; i < 10'000; ++i)
            writer->append(track, EventKind::range, {.start = {start += 1000 + i % 7}, .duration = {i % 900}});
        EXPECT_FALSE(writer->commit().ok());
    }
    damage("DROP TRIGGER full");
    ASSERT_OK(writer->close());
    const auto loaded = store.trace(writer->id());
    ASSERT_OK(loaded);
    ASSERT_EQ((*loaded)->losses.size(), 1u);
    EXPECT_NE(sentences::sentence((*loaded)->losses[0].reason).find("could not be written"), std::string::npos);
    EXPECT_EQ((*loaded)->losses[0].count + static_cast<std::int64_t>((*loaded)->eventCount()), 50'000);
}

TEST_F(StoreRecording, SalvageKeepsWhatIsLeftOfATrace)
{
    const trace::Trace trace = sampleTrace("kept", 1000);
    TraceId whole;
    TraceId hurt;
    TraceId hopeless;
    {
        Store store = open();
        model::Study study = sampleStudy();
        std::vector<model::Trial> trials = sampleTrials(1);
        ASSERT_OK(store.createStudy(study, trials));
        whole = *store.addTrace(trace, trials[0].id);
        hurt = *store.addTrace(trace);
        hopeless = *store.addTrace(sampleTrace());
    }
    const std::string of = " AND trace_id = " + std::to_string(hurt.value);
    damage("DELETE FROM string WHERE id = 3" + of + "; DELETE FROM string WHERE id > 8" + of +
           "; DELETE FROM track WHERE id = 1" + of + "; DELETE FROM kernel_detail WHERE id > 10" + of +
           "; UPDATE chunk SET data = substr(data, 1, 30) WHERE id = (SELECT min(id) FROM chunk WHERE kind = 1" + of +
           "); DELETE FROM operator_detail WHERE 1" + of + "; UPDATE track SET type = 99 WHERE trace_id = " +
           std::to_string(hopeless.value) + "; PRAGMA foreign_keys = OFF; DELETE FROM trial");
    const fs::path rescued = folder() / "rescued.apertune";
    const auto report = Store::salvage(file(), rescued);
    ASSERT_OK(report);
    EXPECT_GE(report->dropped, 2);
    const Store store = open(rescued);
    ASSERT_OK(store.checkIntegrity());
    const auto list = store.traces();
    ASSERT_OK(list);
    ASSERT_EQ(list->size(), 2u);
    const auto first = store.trace(whole);
    ASSERT_OK(first);
    expectEqual(**first, trace);
    EXPECT_EQ(store.traceSummary(whole)->trial, std::nullopt);
    const auto second = store.trace(hurt);
    ASSERT_OK(second);
    EXPECT_EQ((*second)->eventCount(), trace.eventCount() - trace::kChunkEvents);
    ASSERT_EQ((*second)->losses.size(), 3u);
    EXPECT_EQ((*second)->losses.back().count, static_cast<std::int64_t>(trace::kChunkEvents));
    EXPECT_EQ((*second)->losses.back().severity, trace::Severity::error);
    EXPECT_EQ((*second)->strings.at(3), "(lost)");
    EXPECT_EQ((*second)->tracks.at(1).label, "(lost)");
}

} // namespace apertune::store::test
