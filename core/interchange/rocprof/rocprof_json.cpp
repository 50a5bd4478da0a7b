// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/rocprof/rocprof_json.h"

#include "core/base/errors.h"
#include "core/interchange/files/byte_source.h"
#include "core/interchange/files/errors.h"
#include "core/interchange/files/read_recording.h"
#include "core/interchange/files/recording_name.h"
#include "core/interchange/rocprof/errors.h"
#include "core/interchange/rocprof/json_values.h"
#include "core/interchange/rocprof/reasons.h"
#include "core/interchange/rocprof/rocprof_recording.h"
#include "core/trace/errors.h"
#include "core/trace/recorder.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace apertune::interchange {

namespace fs = std::filesystem;
namespace dom = simdjson::dom;
using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

using namespace rocprof;

constexpr std::string_view kRoot = "rocprofiler-sdk-tool";
constexpr std::size_t kMostText = 0xffff'0000; // simdjson's limit is 4 GiB

std::array<std::uint32_t, 3> size3(dom::element of, std::initializer_list<std::string_view> keys)
{
    const auto found = member(of, keys);
    if (!found)
        return {};
    const auto of1 = [&](std::string_view key) { return static_cast<std::uint32_t>(smallInteger(*found, key)); };
    return {of1("x"), of1("y"), of1("z")};
}

/// Reads one process of the recording.
class ProcessReader
{
public:
    ProcessReader(dom::element process, RocprofRecording& recording, const trace::ImportOptions& options,
                  std::int64_t size)
        : m_process(process), m_recording(recording), m_options(options), m_size(size),
          m_pid(integer(process, {"metadata", "pid"}, -1))
    {
    }

    /// Returns false when the import was cancelled.
    bool read()
    {
        readAgents();
        readNames();
        return readKernels() && readCopies() && readAllocations() && readCalls();
    }

private:
    bool keepGoing()
    {
        if ((++m_done & 0xffff) != 0)
            return true;
        if (m_options.progress)
            m_options.progress({m_size, m_size, m_recording.builder().eventCount()});
        return !m_options.cancel.stop_requested();
    }

    void readAgents()
    {
        constexpr std::int64_t kGpu = 2; // rocprofiler_agent_type_t
        std::int64_t next = 0;
        for (const dom::element agent : list(m_process, {"agents"})) {
            if (integer(agent, {"type"}) != kGpu)
                continue;
            trace::DeviceProperties d = propertiesOf(agent);
            d.id = integer(agent, {"logical_node_type_id"}, next);
            next = d.id + 1;
            m_recording.addAgent({integer(agent, {"id", "handle"}), std::move(d)});
        }
    }

    void readNames()
    {
        for (const dom::element kind : list(m_process, {"strings", "buffer_records"})) {
            Category& category = m_categories.emplace_back();
            category.name = text(kind, {"kind"});
            for (const dom::element operation : list(kind, {"operations"})) {
                std::string_view name;
                if (operation.get(name) != simdjson::SUCCESS)
                    name = {};
                category.operations.push_back(name);
            }
        }
        for (const dom::element symbol : list(m_process, {"kernel_symbols"})) {
            std::string_view name;
            for (const char* const key : {"formatted_kernel_name", "demangled_kernel_name", "kernel_name"})
                if (name.size() < 2) // a symbol without a name has "0" or nothing
                    name = text(symbol, {key});
            m_kernels.emplace(integer(symbol, {"kernel_id"}), name);
        }
        for (const dom::element marker : list(m_process, {"strings", "marker_api"}))
            m_markers.emplace(integer(marker, {"key"}), text(marker, {"value"}));
        for (const char* const records : {"kernel_dispatch", "memory_copy"})
            for (const dom::element record : list(m_process, {"buffer_records", records}))
                // A recorder that does not know streams writes 0 in every record, or nothing.
                m_hasStreams = m_hasStreams || integer(record, {"stream_id", "handle"}) > 0;
    }

    /// Returns the kind and the operation of a record, as text.
    std::pair<std::string_view, std::string_view> namesOf(dom::element record) const
    {
        const auto kind = static_cast<std::size_t>(integer(record, {"kind"}));
        if (kind >= m_categories.size())
            return {};
        const Category& category = m_categories[kind];
        const auto operation = static_cast<std::size_t>(integer(record, {"operation"}));
        return {category.name,
                operation < category.operations.size() ? category.operations[operation] : std::string_view()};
    }

    static std::uint64_t correlationOf(dom::element record)
    {
        return static_cast<std::uint64_t>(integer(record, {"correlation_id", "internal"}));
    }
    static std::int64_t startOf(dom::element record) { return integer(record, {"start_timestamp"}, -1); }
    static std::int64_t endOf(dom::element record) { return integer(record, {"end_timestamp"}, -1); }

    Place placeOf(dom::element record, std::int64_t agent, std::int64_t queue) const
    {
        return {m_pid, agent, queue, m_hasStreams ? integer(record, {"stream_id", "handle"}) : -1};
    }

    bool readKernels()
    {
        for (const dom::element record : list(m_process, {"buffer_records", "kernel_dispatch"})) {
            const auto info = member(record, {"dispatch_info"});
            if (!info)
                continue;
            trace::KernelDetail d;
            d.block = size3(*info, {"workgroup_size"});
            d.grid = blocksOf(size3(*info, {"grid_size"}), d.block);
            d.localBytesPerThread = static_cast<std::uint32_t>(smallInteger(*info, "private_segment_size"));
            d.dynamicSharedBytes = smallInteger(*info, "group_segment_size");
            const std::int64_t id = integer(*info, {"kernel_id"});
            const auto name = m_kernels.find(id);
            m_recording.addKernel(
                placeOf(record, integer(*info, {"agent_id", "handle"}), integer(*info, {"queue_id", "handle"})),
                startOf(record), endOf(record),
                name == m_kernels.end() || name->second.empty() ? "kernel " + std::to_string(id)
                                                                : std::string(name->second),
                correlationOf(record), d);
            if (!keepGoing())
                return false;
        }
        return true;
    }

    bool readCopies()
    {
        for (const dom::element record : list(m_process, {"buffer_records", "memory_copy"})) {
            const std::int64_t from = integer(record, {"src_agent_id", "handle"});
            const std::int64_t to = integer(record, {"dst_agent_id", "handle"});
            m_recording.addCopy(placeOf(record, m_recording.isGpu(to) ? to : from, -1), startOf(record), endOf(record),
                                namesOf(record).second, integer(record, {"bytes"}), correlationOf(record));
            if (!keepGoing())
                return false;
        }
        return true;
    }

    bool readAllocations()
    {
        for (const dom::element record : list(m_process, {"buffer_records", "memory_allocation"})) {
            // The address is a number, or a text such as "0x7f31e8000000".
            const auto address = member(record, {"address"});
            std::uint64_t at = 0;
            if (std::string_view hex; address && address->get(hex) == simdjson::SUCCESS)
                at = std::strtoull(std::string(hex).c_str(), nullptr, 0);
            else if (address)
                at = static_cast<std::uint64_t>(integer(record, {"address"}, integer(record, {"address", "value"})));
            m_recording.addAllocation(integer(record, {"agent_id", "handle"}), startOf(record), namesOf(record).second,
                                      integer(record, {"allocation_size"}), at, correlationOf(record));
            if (!keepGoing())
                return false;
        }
        return true;
    }

    /// Reads the lists of calls: hip_api, hsa_api, marker_api, rccl_api and those of later versions. Lists of other
    /// records become a loss each.
    bool readCalls()
    {
        const auto records = member(m_process, {"buffer_records"});
        dom::object lists;
        if (!records || records->get(lists) != simdjson::SUCCESS)
            return true;
        for (const auto& [key, value] : lists) {
            dom::array calls;
            if (value.get(calls) != simdjson::SUCCESS || key == "kernel_dispatch" || key == "memory_copy" ||
                key == "memory_allocation")
                continue;
            if (!key.ends_with("_api")) {
                noteSkipped(key, static_cast<std::int64_t>(calls.size()));
                continue;
            }
            for (const dom::element record : calls) {
                const auto [category, operation] = namesOf(record);
                const auto marker = m_markers.find(integer(record, {"correlation_id", "internal"}));
                const bool named = category.starts_with("MARKER_") && marker != m_markers.end();
                m_recording.addCall(m_pid, integer(record, {"thread_id"}), startOf(record), endOf(record), category,
                                    named ? marker->second : operation, correlationOf(record));
                if (!keepGoing())
                    return false;
            }
        }
        noteSkipped("counter_collection",
                    static_cast<std::int64_t>(list(m_process, {"callback_records", "counter_collection"}).size()));
        return true;
    }

    void noteSkipped(std::string_view records, std::int64_t count)
    {
        if (count > 0)
            m_recording.builder().addLoss({{},
                                           trace::EventKind::other,
                                           count,
                                           trace::LossSeverity::notice,
                                           base::message<reasons::kRecordsNotRead>(std::string(records))});
    }

    /// A kind of record, with the names of its operations.
    struct Category
    {
        std::string_view name;
        std::vector<std::string_view> operations;
    };

    dom::element m_process;
    RocprofRecording& m_recording;
    const trace::ImportOptions& m_options;
    std::int64_t m_size;
    std::int64_t m_pid;
    std::vector<Category> m_categories;
    std::unordered_map<std::int64_t, std::string_view> m_kernels; ///< names, by id
    std::unordered_map<std::int64_t, std::string_view> m_markers; ///< texts, by correlation id
    bool m_hasStreams = false;
    std::int64_t m_done = 0;
};

Error damaged(const std::string& why)
{
    return {ErrorCode::corrupt,
            base::message<rocprof::errors::kDamagedJson>(why),
            {},
            base::message<files::errors::kCopyOrRecord>()};
}

Result<trace::Trace> importFrom(files::ByteSource& source, const fs::path& file, const trace::ImportOptions& options)
{
    std::string text;
    const auto keepGoing = [&] {
        if (options.progress)
            options.progress({source.position(), source.size(), 0});
        return !options.cancel.stop_requested();
    };
    if (const base::Status read = files::readAll(source, text, kMostText, keepGoing); !read)
        return read.error();
    dom::parser parser;
    dom::element root;
    // simdjson would copy a text without this padding.
    text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
    if (const simdjson::error_code error = parser.parse(text).get(root); error != simdjson::SUCCESS) {
        if (error == simdjson::MEMALLOC)
            throw std::bad_alloc();
        return damaged(simdjson::error_message(error));
    }
    RocprofRecording recording;
    trace::Trace& head = recording.builder().head();
    head.source = toString(trace::Recorder::rocprofv3);
    head.name = files::recordingName(file);
    std::vector<dom::element> processes;
    if (const auto one = member(root, {kRoot}); one && one->is_object())
        processes.push_back(*one);
    for (const dom::element process : list(root, {kRoot}))
        processes.push_back(process);
    for (const dom::element process : processes)
        if (!ProcessReader(process, recording, options, source.size()).read())
            return Error{ErrorCode::cancelled, base::message<base::errors::kCancelled>()};
    if (recording.builder().eventCount() == 0)
        return Error{ErrorCode::corrupt,
                     base::message<rocprof::errors::kNoEvents>(),
                     {},
                     base::message<rocprof::errors::kRecordTraces>()};
    return recording.finish();
}

} // namespace

bool looksLikeRocprofJson(const fs::path& file)
{
    // The root member is the first one of the file.
    constexpr std::size_t kFirst = 256;
    auto source = files::ByteSource::open(file);
    if (!source)
        return false;
    std::string beginning(kFirst, ' ');
    const auto got = source->read(beginning.data(), kFirst);
    return got && beginning.find('"' + std::string(kRoot) + '"') != std::string::npos;
}

Result<trace::Trace> importRocprofJson(const fs::path& file, const trace::ImportOptions& options)
{
    return files::readRecording(file, base::message<trace::errors::kTooLarge>(),
                                base::message<files::errors::kRecordShorter>(),
                                [&](files::ByteSource& source) { return importFrom(source, file, options); });
}

} // namespace apertune::interchange
