// SPDX-License-Identifier: GPL-3.0-or-later
// bench_cupti [--events N] [--rounds N] [--records mixed|kernels]
//
// What a GPU capture costs from CUPTI's buffers to the workspace: fabricated kernel and API records, as an inference
// loop makes them, are decoded and stored as chunks, and the same records are stored as plain rows with the columns of
// an nsys export. Both read them as a capture does, from buffers of its pool that have just been filled; filling and
// clearing them is not counted. Both take turns; the ratio of the two stands with its interval. Half the records of an
// inference are calls, whose rows have eight columns; --records kernels leaves them out: the rows of kernels have all
// 27.
#include "core/base/clock.h"
#include "core/base/temporary_dir.h"
#include "core/base/text.h"
#include "core/sentences/sentences.h"
#include "core/stats/block_stats.h"
#include "core/stats/bootstrap.h"
#include "core/store/store.h"
#include "profilers/cupti/buffer_pool.h"
#include "profilers/cupti/record_decoder.h"
#include "profilers/cupti/record_reader.h"
#include "tests/bench/usage.h"
#include "tests/profilers/cupti/fake_cupti.h"

#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

using namespace apertune;
using base::Nanoseconds;
using profilers::CuptiApi;
using profilers::testing::make;

namespace {

constexpr std::size_t kNames = 320;
constexpr std::size_t kBuffer = 8u << 20;
constexpr std::int64_t kBegin = 1'000'000'000; ///< begin of the recording

struct Records
{
    std::vector<std::string> names;
    std::vector<std::vector<std::uint64_t>> buffers; ///< 64-bit words, so that the records are aligned
    std::vector<std::size_t> valid;
    std::size_t count = 0;
};

/// An API call and its kernel, or without `calls` the kernel, again and again: 900 launches an iteration on four
/// streams, times that jitter.
Records fabricate(std::size_t events, bool calls)
{
    Records r;
    for (std::size_t i = 0; i < kNames; ++i)
        r.names.push_back("_ZN2at6native29vectorized_elementwise_kernelILi" + std::to_string(i) + "EEEviT_");
    std::mt19937 random(1);
    std::lognormal_distribution<double> jitter(1.0, 0.4);
    std::uint64_t time = kBegin;
    const auto put = [&](const auto& record) {
        if (r.buffers.empty() || r.valid.back() + sizeof record > kBuffer) {
            r.buffers.emplace_back(kBuffer / 8);
            r.valid.push_back(0);
        }
        std::memcpy(reinterpret_cast<char*>(r.buffers.back().data()) + r.valid.back(), &record, sizeof record);
        r.valid.back() += sizeof record;
        ++r.count;
    };
    for (std::uint32_t i = 0; r.count < events; ++i) {
        const std::size_t launch = i % 900;
        auto call = make<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME);
        call.cbid = 211;
        call.start = time;
        call.end = time + 2500 + static_cast<std::uint64_t>(300 * jitter(random));
        call.processId = 1000;
        call.threadId = 1001;
        call.correlationId = i + 1;
        if (calls)
            put(call);
        auto kernel = make<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
        kernel.start = call.end + 4000;
        kernel.end = kernel.start + 1500 + static_cast<std::uint64_t>(2000 * jitter(random));
        kernel.name = r.names[launch % kNames].c_str();
        kernel.correlationId = i + 1;
        kernel.contextId = 1;
        kernel.streamId = static_cast<std::uint32_t>(7 + launch % 4);
        kernel.gridX = static_cast<std::int32_t>(1 + launch % 300);
        kernel.gridY = kernel.gridZ = kernel.blockY = kernel.blockZ = 1;
        kernel.blockX = 128 << launch % 3;
        kernel.registersPerThread = static_cast<std::uint16_t>(32 + launch % 4 * 16);
        kernel.gridId = i + 1;
        kernel.sharedMemoryExecuted = 16384;
        put(kernel);
        time = call.end + 700;
    }
    return r;
}

/// Gives the records to `read(buffer, valid)`, a buffer at a time. The CPU time that it took to read them all.
template <typename Read>
Nanoseconds feed(const Records& records, Read&& read)
{
    profilers::BufferPool pool(2, 2);
    Nanoseconds spent{};
    for (std::size_t i = 0; i < records.buffers.size(); ++i) {
        std::uint8_t* const buffer = pool.take();
        std::memcpy(buffer, records.buffers[i].data(), records.valid[i]);
        const Nanoseconds begin = base::processCpuTime();
        read(buffer, records.valid[i]);
        spent += base::processCpuTime() - begin;
        pool.give(buffer, records.valid[i]);
    }
    return spent;
}

struct Cost
{
    double nsPerEvent = 0;
    double bytesPerEvent = 0;
    double decodeNs = 0;
};

[[noreturn]] void fail(const std::string& what)
{
    std::fprintf(stderr, "bench_cupti: %s\n", what.c_str());
    std::exit(2);
}

double bytesOf(const std::filesystem::path& file)
{
    return static_cast<double>(std::filesystem::file_size(file));
}

Cost asChunks(const Records& records, const CuptiApi& api, const std::filesystem::path& file)
{
    auto store = store::Store::open(file, store::OpenMode::readWrite);
    if (!store)
        fail(sentences::sentence(store.error().message));
    const double empty = bytesOf(file);
    trace::TraceBuilder builder;
    profilers::RecordDecoder decoder(api, builder, kBegin);
    Nanoseconds decoding =
        feed(records, [&](std::uint8_t* buffer, std::size_t valid) { decoder.decode(buffer, valid); });
    const Nanoseconds begin = base::processCpuTime();
    decoder.finish();
    const trace::Trace trace = builder.finish(false); // the decoder has taken the beginning off, as in a capture
    const Nanoseconds finished = base::processCpuTime();
    decoding += finished - begin;
    if (const auto added = store->addTrace(trace); !added)
        fail(sentences::sentence(added.error().message));
    {
        auto closed = std::move(*store); // writes the log into the file, as below
    }
    const Nanoseconds end = base::processCpuTime();
    if (trace.eventCount() != records.count)
        fail("records are missing");
    const auto n = static_cast<double>(records.count);
    return {static_cast<double>((decoding + (end - finished)).count) / n, (bytesOf(file) - empty) / n,
            static_cast<double>(decoding.count) / n};
}

void run(sqlite3* db, const char* sql)
{
    if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
        fail(sqlite3_errmsg(db));
}

/// The design that first comes to mind: a row a record with the columns of an nsys export, names interned. It reads the
/// records in the same way.
Cost asRows(const Records& records, const CuptiApi& api, const std::filesystem::path& file)
{
    sqlite3* db = nullptr;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX; // the workspace's flags
    if (sqlite3_open_v2(file.c_str(), &db, flags, nullptr) != SQLITE_OK)
        fail("no database");
    run(db, "PRAGMA page_size=4096; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
            "CREATE TABLE kernel(start INT, end INT, deviceId INT, contextId INT, greenContextId INT, streamId INT,"
            " correlationId INT, globalPid INT, demangledName INT, shortName INT, mangledName INT, launchType INT,"
            " cacheConfig INT, registersPerThread INT, gridX INT, gridY INT, gridZ INT, blockX INT, blockY INT,"
            " blockZ INT, staticSharedMemory INT, dynamicSharedMemory INT, localMemoryPerThread INT,"
            " localMemoryTotal INT, gridId INT, sharedMemoryExecuted INT, graphNodeId INT);"
            "CREATE TABLE runtime(start INT, end INT, eventClass INT, globalTid INT, correlationId INT, nameId INT,"
            " returnValue INT, callchainId INT);");
    std::unordered_map<const char*, std::int64_t> names; // CUPTI hands out names as pointers, which are the keys
    std::string marks = "?";
    for (int i = 1; i < 27; ++i)
        marks += ",?";
    sqlite3_stmt* kernels = nullptr;
    sqlite3_stmt* calls = nullptr;
    sqlite3_prepare_v2(db, ("INSERT INTO kernel VALUES(" + marks + ")").c_str(), -1, &kernels, nullptr);
    sqlite3_prepare_v2(db, "INSERT INTO runtime VALUES(?,?,?,?,?,?,?,?)", -1, &calls, nullptr);
    run(db, "BEGIN");
    std::size_t stored = 0;
    Nanoseconds spent = feed(records, [&](std::uint8_t* buffer, std::size_t valid) {
        profilers::RecordReader reader(api, buffer, valid);
        while (reader.next() == CUPTI_SUCCESS) {
            const CUpti_Activity* const record = reader.record();
            sqlite3_stmt* insert = calls;
            if (record->kind == CUPTI_ACTIVITY_KIND_RUNTIME) {
                const auto& r = *reinterpret_cast<const CUpti_ActivityAPI*>(record);
                int column = 0;
                for (const std::int64_t v :
                     {static_cast<std::int64_t>(r.start), static_cast<std::int64_t>(r.end), std::int64_t{0},
                      (std::int64_t{r.processId} << 24) + r.threadId, static_cast<std::int64_t>(r.correlationId),
                      static_cast<std::int64_t>(r.cbid), std::int64_t{r.returnValue}, std::int64_t{0}})
                    sqlite3_bind_int64(calls, ++column, v);
            } else {
                const auto& r = *reinterpret_cast<const CUpti_ActivityKernel10*>(record);
                const std::int64_t name =
                    3 * names.try_emplace(r.name, static_cast<std::int64_t>(names.size())).first->second;
                insert = kernels;
                int column = 0;
                for (const std::int64_t v : {static_cast<std::int64_t>(r.start),
                                             static_cast<std::int64_t>(r.end),
                                             std::int64_t{r.deviceId},
                                             std::int64_t{r.contextId},
                                             std::int64_t{0},
                                             std::int64_t{r.streamId},
                                             std::int64_t{r.correlationId},
                                             std::int64_t{1000} << 24,
                                             name,
                                             name + 1,
                                             name + 2,
                                             std::int64_t{r.launchType},
                                             std::int64_t{0},
                                             std::int64_t{r.registersPerThread},
                                             std::int64_t{r.gridX},
                                             std::int64_t{r.gridY},
                                             std::int64_t{r.gridZ},
                                             std::int64_t{r.blockX},
                                             std::int64_t{r.blockY},
                                             std::int64_t{r.blockZ},
                                             std::int64_t{r.staticSharedMemory},
                                             std::int64_t{r.dynamicSharedMemory},
                                             std::int64_t{r.localMemoryPerThread},
                                             std::int64_t{0},
                                             r.gridId,
                                             std::int64_t{r.sharedMemoryExecuted},
                                             static_cast<std::int64_t>(r.graphNodeId)})
                    sqlite3_bind_int64(kernels, ++column, v);
            }
            sqlite3_step(insert);
            sqlite3_reset(insert);
            if (++stored % 65536 == 0)
                run(db, "COMMIT; BEGIN");
        }
    });
    const Nanoseconds begin = base::processCpuTime();
    run(db, "COMMIT");
    sqlite3_finalize(kernels);
    sqlite3_finalize(calls);
    sqlite3_close(db); // writes the log into the file
    const auto n = static_cast<double>(records.count);
    spent += base::processCpuTime() - begin;
    return {static_cast<double>(spent.count) / n, bytesOf(file) / n};
}

} // namespace

int main(int argc, char** argv)
{
    const bench::Usage usage(argc, argv, "bench_cupti [--events 4000000] [--rounds 7] [--records mixed|kernels]");
    std::size_t events = 4'000'000;
    int rounds = 7;
    bool calls = true;
    for (const auto& [name, value] : usage.options())
        if (name == "--events")
            events = static_cast<std::size_t>(std::atoll(value.c_str()));
        else if (name == "--rounds")
            rounds = std::atoi(value.c_str());
        else if (name == "--records" && (value == "mixed" || value == "kernels"))
            calls = value == "mixed";
        else
            usage.refuse(name);
    const Records records = fabricate(events, calls);
    const profilers::testing::FakeCupti fake;
    profilers::CuptiApi api = fake.api();
    const auto real = profilers::loadCupti(); // its own walk of the records, which works without a driver
    if (real)
        api.activityGetNextRecord = real->activityGetNextRecord;
    const auto dir = base::TemporaryDir::create("bench-cupti");
    if (!dir)
        fail(sentences::sentence(dir.error().message));
    std::vector<double> chunks;
    std::vector<double> rows;
    std::vector<double> decode;
    Cost last;
    Cost lastRows;
    // The first round does not count: a virtual machine takes its time for memory that it has not used before. For the
    // same reason each round leaves its files' memory to the next.
    const auto measured = [&](const auto& design, const char* name) {
        const std::filesystem::path file = dir->path() / name;
        const Cost cost = design(records, api, file);
        std::filesystem::remove(file);
        return cost;
    };
    for (int i = 0; i <= rounds; ++i) {
        last = measured(asChunks, "chunks.apertune");
        lastRows = measured(asRows, "rows.sqlite");
        if (i == 0)
            continue;
        chunks.push_back(last.nsPerEvent);
        decode.push_back(last.decodeNs);
        rows.push_back(lastRows.nsPerEvent);
    }
    const auto ratio = stats::ratioOfMedians(base::Baseline<std::span<const double>>{std::span<const double>(rows)},
                                             base::Candidate<std::span<const double>>{std::span<const double>(chunks)});
    std::printf("%zu records, %s (%s), %d rounds, CPU time\n", records.count, calls ? "calls and kernels" : "kernels",
                real ? "walked by CUPTI itself" : "walked by the test's own table", rounds);
    std::printf("  decode            %7.0f ns an event\n", stats::median(decode));
    std::printf("  decode and store  %7.0f ns an event, %5.1f bytes an event\n", stats::median(chunks),
                last.bytesPerEvent);
    std::printf("  plain rows        %7.0f ns an event, %5.1f bytes an event\n", stats::median(rows),
                lastRows.bytesPerEvent);
    std::printf("  rows over chunks  %7.1f [%.1f, %.1f]%s\n", ratio.value, ratio.lo, ratio.hi,
                ratio.confidence > 0 ? "" : " (range; too few rounds for an interval)");
}
