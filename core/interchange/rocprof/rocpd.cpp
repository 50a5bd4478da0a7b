// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/rocprof/rocpd.h"

#include "core/interchange/files/errors.h"
#include "core/interchange/rocprof/errors.h"
#include "core/interchange/rocprof/json_values.h"
#include "core/interchange/rocprof/reasons.h"
#include "core/interchange/rocprof/rocprof_recording.h"
#include "core/interchange/sqlite/foreign_database.h"
#include "core/interchange/sqlite/table_reader.h"
#include "core/store/failure.h"
#include "core/trace/recorder.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

namespace apertune::interchange {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

using namespace rocprof;
using sqlite::TableReader;

constexpr std::string_view kStrings = "rocpd_string";

/// Reads the tables of one process. Their names end with the process's id: "rocpd_kernel_dispatch_0000…".
class ProcessTables
{
public:
    ProcessTables(const store::Database& db, const std::set<std::string>& tables, std::string suffix,
                  RocprofRecording& recording, const trace::ImportOptions& options, std::int64_t size)
        : m_db(db), m_tables(tables), m_suffix(std::move(suffix)), m_recording(recording), m_options(options),
          m_size(size)
    {
    }

    void read()
    {
        readNames();
        readAgents();
        readEvents();
        readKernels();
        readCopies();
        readAllocations();
        readRegions();
        for (const char* const skipped : {"sample", "pmc_event"})
            noteSkipped("rocpd_" + std::string(skipped) + m_suffix);
    }

private:
    /// The facts in the table of events about a region, a kernel or a copy.
    struct EventFacts
    {
        std::int64_t category = 0; ///< id of a string
        std::uint64_t correlation = 0;
    };

    bool has(const std::string& table) const { return m_tables.contains("rocpd_" + table + m_suffix); }
    TableReader reader(const std::string& table, std::string_view columns) const
    {
        return {m_db, "rocpd_" + table + m_suffix, columns};
    }

    void reportProgress()
    {
        if ((++m_done & 0xffff) != 0)
            return;
        sqlite::checkStop(m_options);
        if (m_options.progress)
            m_options.progress({m_size, m_size, m_recording.builder().eventCount()});
    }

    void readNames()
    {
        for (TableReader row = reader("string", "id, string"); row.step();)
            m_strings.emplace(row.integer(0), row.text(1));
        if (has("info_process"))
            for (TableReader row = reader("info_process", "id, pid"); row.step();)
                m_processes.emplace(row.integer(0), row.integer(1));
        if (has("info_thread"))
            for (TableReader row = reader("info_thread", "id, tid"); row.step();)
                m_threads.emplace(row.integer(0), row.integer(1));
        if (has("info_kernel_symbol"))
            for (TableReader row = reader("info_kernel_symbol", "id, display_name, kernel_name"); row.step();)
                m_kernels.emplace(row.integer(0), row.isNull(1) || row.text(1).empty() ? row.text(2) : row.text(1));
    }

    void readAgents()
    {
        if (!has("info_agent"))
            return;
        simdjson::dom::parser parser;
        std::int64_t next = 0;
        for (TableReader row = reader("info_agent", "id, type, type_index, product_name, name, extdata"); row.step();) {
            if (row.text(1) != "GPU")
                continue;
            trace::DeviceProperties d;
            const std::string properties = row.isNull(5) ? std::string() : row.text(5);
            if (simdjson::dom::element json; parser.parse(properties).get(json) == simdjson::SUCCESS)
                d = propertiesOf(json);
            if (d.name.empty())
                d.name = row.isNull(3) || row.text(3).empty() ? row.text(4) : row.text(3);
            d.id = row.integer(2, next);
            next = d.id + 1;
            m_recording.addAgent({row.integer(0), std::move(d)});
        }
    }

    void readEvents()
    {
        if (!has("event"))
            return;
        for (TableReader row = reader("event", "id, category_id, stack_id, extdata"); row.step(); reportProgress()) {
            m_events[row.integer(0)] = {row.integer(1), static_cast<std::uint64_t>(row.integer(2))};
            // A marker's text is a member of the properties of its event.
            if (!categoryOf(row.integer(0)).starts_with("MARKER_") || row.isNull(3))
                continue;
            const std::string properties = row.text(3);
            simdjson::dom::parser parser;
            if (simdjson::dom::element json; parser.parse(properties).get(json) == simdjson::SUCCESS)
                if (const std::string_view message = text(json, {"message"}); !message.empty())
                    m_messages.emplace(row.integer(0), message);
        }
    }

    std::string_view stringOf(std::int64_t id) const
    {
        const auto found = m_strings.find(id);
        return found == m_strings.end() ? std::string_view() : found->second;
    }
    std::string_view categoryOf(std::int64_t event) const { return stringOf(factsOf(event).category); }
    EventFacts factsOf(std::int64_t event) const
    {
        const auto found = m_events.find(event);
        return found == m_events.end() ? EventFacts{} : found->second;
    }
    std::int64_t processOf(std::int64_t id) const
    {
        const auto found = m_processes.find(id);
        return found == m_processes.end() ? id : found->second;
    }
    std::int64_t threadOf(std::int64_t id) const
    {
        const auto found = m_threads.find(id);
        return found == m_threads.end() ? id : found->second;
    }

    void readKernels()
    {
        if (!has("kernel_dispatch"))
            return;
        for (TableReader row = reader("kernel_dispatch",
                                      "pid, agent_id, queue_id, stream_id, start, end, kernel_id, event_id, "
                                      "private_segment_size, group_segment_size, workgroup_size_x, workgroup_size_y, "
                                      "workgroup_size_z, grid_size_x, grid_size_y, grid_size_z");
             row.step(); reportProgress()) {
            trace::KernelDetail d;
            d.localBytesPerThread = row.u32(8);
            d.dynamicSharedBytes =
                static_cast<std::int32_t>(row.u32(9) & 0x7fffffff); // never negative, even if damaged
            d.block = {row.u32(10), row.u32(11), row.u32(12)};
            d.grid = blocksOf({row.u32(13), row.u32(14), row.u32(15)}, d.block);
            const auto name = m_kernels.find(row.integer(6));
            m_recording.addKernel(
                {processOf(row.integer(0, -1)), row.integer(1, -1), row.integer(2, -1), row.integer(3, -1)},
                row.integer(4, -1), row.integer(5, -1),
                name == m_kernels.end() || name->second.empty() ? "kernel " + std::to_string(row.integer(6))
                                                                : name->second,
                factsOf(row.integer(7)).correlation, d);
        }
    }

    void readCopies()
    {
        if (!has("memory_copy"))
            return;
        for (TableReader row = reader("memory_copy", "pid, src_agent_id, dst_agent_id, queue_id, stream_id, start, "
                                                     "end, name_id, size, event_id");
             row.step(); reportProgress()) {
            const std::int64_t from = row.integer(1, -1), to = row.integer(2, -1);
            m_recording.addCopy({processOf(row.integer(0, -1)), m_recording.isGpu(to) ? to : from, row.integer(3, -1),
                                 row.integer(4, -1)},
                                row.integer(5, -1), row.integer(6, -1), stringOf(row.integer(7)), row.integer(8),
                                factsOf(row.integer(9)).correlation);
        }
    }

    void readAllocations()
    {
        if (!has("memory_allocate"))
            return;
        for (TableReader row = reader("memory_allocate", "agent_id, start, type, level, size, address, event_id");
             row.step(); reportProgress())
            // Scratch memory belongs to the runtime: it is not an allocation of the program.
            if (row.text(3) != "SCRATCH")
                m_recording.addAllocation(row.integer(0, -1), row.integer(1, -1), row.text(2), row.integer(4),
                                          static_cast<std::uint64_t>(row.integer(5)),
                                          factsOf(row.integer(6)).correlation);
    }

    void readRegions()
    {
        if (!has("region"))
            return;
        for (TableReader row = reader("region", "pid, tid, start, end, name_id, event_id"); row.step();
             reportProgress()) {
            const std::int64_t event = row.integer(5);
            const auto message = m_messages.find(event);
            m_recording.addCall(processOf(row.integer(0, -1)), threadOf(row.integer(1, -1)), row.integer(2, -1),
                                row.integer(3, -1), categoryOf(event),
                                message == m_messages.end() ? stringOf(row.integer(4)) : message->second,
                                factsOf(event).correlation);
        }
    }

    void noteSkipped(const std::string& table)
    {
        if (!m_tables.contains(table))
            return;
        const std::int64_t rows = sqlite::countRows(m_db, table);
        if (rows > 0)
            m_recording.builder().addLoss(
                {{},
                 trace::EventKind::other,
                 rows,
                 trace::LossSeverity::notice,
                 base::message<rocprof::reasons::kRecordsNotRead>(table.substr(0, table.size() - m_suffix.size()))});
    }

    const store::Database& m_db;
    const std::set<std::string>& m_tables;
    std::string m_suffix;
    RocprofRecording& m_recording;
    const trace::ImportOptions& m_options;
    std::int64_t m_size;
    std::unordered_map<std::int64_t, std::string> m_strings;
    std::unordered_map<std::int64_t, std::int64_t> m_processes; ///< ids of the system, by row
    std::unordered_map<std::int64_t, std::int64_t> m_threads;   ///< ids of the system, by row
    std::unordered_map<std::int64_t, std::string> m_kernels;    ///< names, by row
    std::unordered_map<std::int64_t, EventFacts> m_events;
    std::unordered_map<std::int64_t, std::string> m_messages; ///< texts of markers, by event
    std::int64_t m_done = 0;
};

trace::Trace importFrom(const fs::path& file, const trace::ImportOptions& options)
{
    const store::Database db = sqlite::openForeign(file);
    const std::set<std::string> tables = sqlite::plainTables(db);
    RocprofRecording recording;
    trace::Trace& head = recording.builder().head();
    head.source = toString(trace::Recorder::rocpd);
    head.name = file.stem().string();
    std::error_code ignored;
    const auto size = static_cast<std::int64_t>(fs::file_size(file, ignored));
    for (const std::string& table : tables)
        if (table.starts_with(kStrings))
            ProcessTables(db, tables, table.substr(kStrings.size()), recording, options, size).read();
    if (recording.builder().eventCount() == 0)
        store::fail({ErrorCode::corrupt, base::message<rocprof::errors::kNoEvents>(), file.string(),
                     base::message<rocprof::errors::kRecordTraces>()});
    return recording.finish();
}

} // namespace

bool looksLikeRocpd(const fs::path& file)
{
    const auto found = store::guarded([&] {
        const std::set<std::string> tables = sqlite::plainTables(sqlite::openForeign(file));
        return std::any_of(tables.begin(), tables.end(),
                           [](const std::string& table) { return table.starts_with(kStrings); });
    });
    return found && *found;
}

Result<trace::Trace> importRocpd(const fs::path& file, const trace::ImportOptions& options)
{
    auto result = store::guarded([&] { return importFrom(file, options); });
    if (result)
        return result;
    Error error = result.error();
    // The errors of the SQLite wrapper speak of workspaces, but this file is another program's.
    if (error.code == ErrorCode::corrupt && error.context.empty())
        return Error{ErrorCode::corrupt, base::message<rocprof::errors::kDamagedDatabase>(), file.string(),
                     base::message<files::errors::kCopyOrRecord>()};
    if (error.context.empty())
        error.context = file.string();
    return error;
}

} // namespace apertune::interchange
