// SPDX-License-Identifier: GPL-3.0-or-later
//
// What it costs to keep a trace. The same synthetic kernels (320 names, 1200 launch shapes, four streams) go through
// TraceBuilder and Store::addTrace() into a workspace, and as plain rows of 27 columns, named and typed as nsys has
// them, into a SQLite file of their own: prepared INSERT, write-ahead log, a commit every 65,536 events. Both begin
// with an open database that has its tables (making one costs the same ten milliseconds for one event and for a
// million), and both end with everything in the file and the file closed. The two take turns; the ratio is that of the
// medians over the rounds. Then a trace of --reopen events is stored and opened again, decoded columns included.
//
//   bench_trace_store [--events N] [--rounds N] [--reopen N] [--folder DIR]

#include "core/base/clock.h"
#include "core/base/temporary_dir.h"
#include "core/sentences/sentences.h"
#include "core/stats/block_stats.h"
#include "core/store/store.h"
#include "core/trace/trace_builder.h"
#include "tests/bench/usage.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

using namespace apertune;
namespace fs = std::filesystem;

namespace {

struct Kernel
{
    int stream;
    trace::Event event;
    int launch;
};

/// One iteration of 900 launches, again and again, with jitter: the same work every time, its times never the same.
std::vector<Kernel> makeKernels(std::size_t count)
{
    std::mt19937 random(20261121);
    std::lognormal_distribution<double> jitter(0, 0.15);
    std::vector<Kernel> iteration(900);
    for (Kernel& k : iteration) {
        k.stream = static_cast<int>(random() % 4);
        k.launch = static_cast<int>(random() % 1200);
        k.event.name = {static_cast<std::uint32_t>(1 + random() % 320)};
        k.event.duration = {2000 + static_cast<std::int64_t>(random() % 60'000)};
    }
    std::vector<std::int64_t> now(4, 0);
    std::vector<Kernel> kernels;
    kernels.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        Kernel k = iteration[i % iteration.size()];
        std::int64_t& at = now[static_cast<std::size_t>(k.stream)];
        at += static_cast<std::int64_t>(1500 * jitter(random));
        k.event.start = {at};
        k.event.duration = {static_cast<std::int64_t>(static_cast<double>(k.event.duration.count) * jitter(random))};
        k.event.correlation = static_cast<std::uint32_t>(1000 + i * 3);
        k.event.detail = static_cast<std::uint32_t>(k.launch) + 1;
        at += k.event.duration.count;
        kernels.push_back(k);
    }
    return kernels;
}

struct Cost
{
    double wallNs = 0; ///< time for each event
    double cpuNs = 0;
    double bytes = 0;
};

[[noreturn]] void stop(const std::string& why)
{
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(1);
}

template <typename Open, typename Work>
Cost measure(const fs::path& file, std::size_t events, Open&& open, Work&& work)
{
    for (const char* suffix : {"", "-wal", "-shm", ".lock"})
        fs::remove(file.string() + suffix);
    auto database = open(file);
    const base::Nanoseconds wall = base::monotonicNow();
    const base::Nanoseconds cpu = base::processCpuTime();
    work(std::move(database));
    const double n = static_cast<double>(events);
    return {static_cast<double>((base::monotonicNow() - wall).count) / n,
            static_cast<double>((base::processCpuTime() - cpu).count) / n,
            static_cast<double>(fs::file_size(file)) / n};
}

void declare(trace::TraceBuilder& table, std::vector<trace::TrackId>& streams)
{
    for (int i = 1; i <= 320; ++i)
        table.intern("void kernel_number_" + std::to_string(i) + "<float, 128, 4>(Params<float>)");
    for (int i = 0; i < 4; ++i)
        streams.push_back(table.track({trace::TrackType::stream, -1, -1, 0, 1, 7 + i, "stream", ""}));
    for (std::uint32_t i = 0; i < 1200; ++i) {
        trace::KernelDetail launch;
        launch.grid = {1 + i, 1 + i % 7, 1};
        launch.block = {128, 1, 1};
        launch.registersPerThread = 32 + i % 96;
        table.detail(launch);
    }
}

store::Store openWorkspace(const fs::path& file)
{
    auto store = store::Store::open(file, store::OpenMode::readWrite);
    if (!store)
        stop(sentences::describe(store.error()));
    return std::move(*store);
}

void recordTrace(store::Store store, const std::vector<Kernel>& kernels)
{
    trace::TraceBuilder builder;
    std::vector<trace::TrackId> streams;
    declare(builder, streams);
    for (const Kernel& k : kernels)
        builder.add(streams[static_cast<std::size_t>(k.stream)], trace::EventKind::kernel, k.event);
    if (const auto added = store.addTrace(builder.finish()); !added)
        stop(sentences::describe(added.error()));
} // closing the store writes the log back into the file

void check(int code, sqlite3* db)
{
    if (code != SQLITE_OK && code != SQLITE_DONE)
        stop(sqlite3_errmsg(db));
}

sqlite3* openRows(const fs::path& file)
{
    sqlite3* db = nullptr;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX; // the workspace's flags
    check(sqlite3_open_v2(file.c_str(), &db, flags, nullptr), db);
    check(
        sqlite3_exec(db,
                     "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                     "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
                     "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, contextId INT, "
                     "greenContextId INT, streamId INT, correlationId INT, globalPid INT, demangledName INT, shortName "
                     "INT, mangledName INT, launchType INT, cacheConfig INT, registersPerThread INT, gridX INT, gridY "
                     "INT, gridZ INT, blockX INT, blockY INT, blockZ INT, staticSharedMemory INT, dynamicSharedMemory "
                     "INT, localMemoryPerThread INT, localMemoryTotal INT, gridId INT, sharedMemoryExecuted INT, "
                     "graphNodeId INT)",
                     nullptr, nullptr, nullptr),
        db);
    return db;
}

void writeRows(sqlite3* db, const std::vector<Kernel>& kernels)
{
    check(sqlite3_exec(db, "BEGIN", nullptr, nullptr, nullptr), db);
    sqlite3_stmt* insert = nullptr;
    check(sqlite3_prepare_v2(db,
                             "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES "
                             "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                             -1, &insert, nullptr),
          db);
    std::int64_t row = 0;
    for (const Kernel& k : kernels) {
        const std::int64_t i = k.launch;
        const std::int64_t values[] = {k.event.start.count,
                                       (k.event.start + k.event.duration).count,
                                       0,
                                       1,
                                       0,
                                       7 + k.stream,
                                       k.event.correlation,
                                       std::int64_t{1234} << 24,
                                       k.event.name.value,
                                       k.event.name.value + 1000,
                                       k.event.name.value + 2000,
                                       1,
                                       0,
                                       32 + i % 96,
                                       1 + i,
                                       1 + i % 7,
                                       1,
                                       128,
                                       1,
                                       1,
                                       0,
                                       0,
                                       0,
                                       0,
                                       ++row,
                                       16384,
                                       0};
        for (int column = 0; column < 27; ++column)
            sqlite3_bind_int64(insert, column + 1, values[column]);
        check(sqlite3_step(insert), db);
        sqlite3_reset(insert);
        if (row % 65'536 == 0)
            check(sqlite3_exec(db, "COMMIT; BEGIN", nullptr, nullptr, nullptr), db);
    }
    check(sqlite3_exec(db, "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)", nullptr, nullptr, nullptr), db);
    sqlite3_finalize(insert);
    sqlite3_close(db);
}

void reopen(const fs::path& file, std::size_t events)
{
    for (const char* suffix : {"", "-wal", "-shm"})
        fs::remove(file.string() + suffix);
    recordTrace(openWorkspace(file), makeKernels(events));
    std::vector<double> all;
    std::vector<double> times;
    for (int round = 0; round < 5; ++round)
        for (const bool boxes : {false, true}) {
            store::TraceSelection selection;
            if (boxes)
                selection.columns = {trace::Column::name};
            const base::Nanoseconds begin = base::monotonicNow();
            auto store = store::Store::open(file, store::OpenMode::readOnly);
            const auto trace = store ? store->trace({1}, selection) : base::Result<trace::TracePtr>(store.error());
            if (!trace || (*trace)->eventCount() != events)
                stop("The trace did not come back whole.");
            (boxes ? times : all).push_back((base::monotonicNow() - begin).seconds() * 1e3);
        }
    std::printf("reopen %zu events, %.0f MB: every column %.0f ms, start, duration and name %.0f ms (medians of %zu)\n",
                events, static_cast<double>(fs::file_size(file)) / 1e6, stats::median(all), stats::median(times),
                all.size());
}

} // namespace

int main(int argc, char** argv)
{
    const bench::Usage usage(argc, argv,
                             "bench_trace_store [--events 3000000] [--rounds 7] [--reopen 10000000] [--folder DIR]");
    std::size_t events = 3'000'000;
    std::size_t reopened = 10'000'000;
    int rounds = 7;
    fs::path folder;
    for (const auto& [name, value] : usage.options())
        if (name == "--events")
            events = std::strtoull(value.c_str(), nullptr, 10);
        else if (name == "--reopen")
            reopened = std::strtoull(value.c_str(), nullptr, 10);
        else if (name == "--rounds")
            rounds = std::atoi(value.c_str());
        else if (name == "--folder")
            folder = value;
        else
            usage.refuse(name);
    auto temporary = base::TemporaryDir::create("bench");
    if (!temporary)
        stop(sentences::describe(temporary.error()));
    if (folder.empty())
        folder = temporary->path();

    const std::vector<Kernel> kernels = makeKernels(events);
    std::vector<double> chunkWall;
    std::vector<double> rowWall;
    std::vector<double> chunkCpu;
    std::vector<double> rowCpu;
    Cost chunks;
    Cost rows;
    for (int round = 0; round < rounds; ++round) {
        const auto chunked = [&] {
            chunks = measure(folder / "chunks.apertune", events, openWorkspace,
                             [&](store::Store store) { recordTrace(std::move(store), kernels); });
        };
        if (round % 2 == 0)
            chunked();
        rows = measure(folder / "rows.sqlite", events, openRows, [&](sqlite3* db) { writeRows(db, kernels); });
        if (round % 2 != 0)
            chunked();
        chunkWall.push_back(chunks.wallNs);
        chunkCpu.push_back(chunks.cpuNs);
        rowWall.push_back(rows.wallNs);
        rowCpu.push_back(rows.cpuNs);
    }
    const auto ratio = [](const std::vector<double>& a, const std::vector<double>& b) {
        std::vector<double> pairs;
        for (std::size_t i = 0; i < a.size(); ++i)
            pairs.push_back(a[i] / b[i]);
        return stats::medianInterval(pairs);
    };
    const model::Interval wall = ratio(rowWall, chunkWall);
    const model::Interval cpu = ratio(rowCpu, chunkCpu);
    std::printf("%zu kernels, %d rounds\n", events, rounds);
    std::printf("  chunks      %7.0f ns wall, %7.0f ns CPU, %5.1f bytes an event\n", stats::median(chunkWall),
                stats::median(chunkCpu), chunks.bytes);
    std::printf("  plain rows  %7.0f ns wall, %7.0f ns CPU, %5.1f bytes an event\n", stats::median(rowWall),
                stats::median(rowCpu), rows.bytes);
    std::printf("  rows over chunks: wall %.1f [%.1f, %.1f], CPU %.1f [%.1f, %.1f], %.0f %% confidence\n", wall.value,
                wall.lo, wall.hi, cpu.value, cpu.lo, cpu.hi, cpu.confidence * 100);
    if (reopened > 0)
        reopen(folder / "reopen.apertune", reopened);
    return 0;
}
