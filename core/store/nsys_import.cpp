// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/nsys_import.h"

#include "core/store/failure.h"
#include "core/store/nsys_tables.h"
#include "core/store/schema.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>

namespace apertune::store {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;

namespace nsys {

void readFacts(const Database& db, const std::set<std::string>& tables, trace::Trace& head)
{
    if (tables.contains("TARGET_INFO_SESSION_START_TIME")) {
        Reader row(db, "TARGET_INFO_SESSION_START_TIME", "utcEpochNs");
        if (row.step())
            head.originEpoch = std::clamp(row.integer(0), std::int64_t{0}, kLatest);
    }
    if (tables.contains("META_DATA_EXPORT")) {
        Reader row(db, "META_DATA_EXPORT", "name, value");
        std::map<std::string, std::string> facts;
        while (row.step())
            facts.emplace(row.text(0), row.text(1));
        for (const char* key : {"EXPORT_PRODUCT_VERSION", "EXPORT_VERSION", "EXPORT_SCHEMA_VERSION"})
            if (const auto found = facts.find(key); found != facts.end() && head.recorderVersion.empty())
                head.recorderVersion = found->second;
    }
    if (!tables.contains("TARGET_INFO_GPU"))
        return;
    Reader gpu(db, "TARGET_INFO_GPU",
               "id, name, computeMajor, computeMinor, smCount, threadsPerWarp, maxThreadsPerBlock, "
               "maxWarpsPerSm, maxRegistersPerSm, maxShmemPerBlock, maxShmemPerSm, totalMemory, "
               "memoryBandwidth, cuDevice");
    while (gpu.step()) {
        trace::DeviceProperties d;
        d.id = gpu.integer(13, gpu.integer(0));
        d.name = gpu.text(1);
        const auto small = [&](int column) { return static_cast<int>(gpu.u32(column) & 0x7fffffff); };
        d.computeMajor = small(2);
        d.computeMinor = small(3);
        d.multiprocessors = small(4);
        d.warpSize = gpu.integer(5) > 0 ? small(5) : 32;
        d.maxThreadsPerBlock = small(6);
        d.maxThreadsPerMultiprocessor =
            static_cast<int>(std::clamp<std::int64_t>(gpu.integer(7), 0, 1024)) * std::min(d.warpSize, 1024);
        d.registersPerMultiprocessor = small(8);
        d.sharedBytesPerBlock = gpu.integer(9);
        d.sharedBytesPerMultiprocessor = gpu.integer(10);
        d.totalMemory = gpu.integer(11);
        d.memoryBandwidth = gpu.integer(12);
        if (std::none_of(head.devices.begin(), head.devices.end(),
                         [&](const trace::DeviceProperties& other) { return other.id == d.id; }))
            head.devices.push_back(std::move(d));
    }
}

} // namespace nsys

namespace {

trace::Trace importFile(const fs::path& name, const trace::ImportOptions& options)
{
    std::error_code code;
    const fs::path file = fs::absolute(name, code);
    const fs::file_status status = fs::status(file, code);
    if (fs::is_directory(status))
        fail({ErrorCode::invalidArgument, name.string() + " is a folder.", {}, "Name the .sqlite file in it."});
    if (!fs::exists(status))
        fail({ErrorCode::notFound, "There is no file " + name.string() + ".", {}, "Check the path."});
    if (!looksLikeSqlite(file))
        fail({ErrorCode::invalidArgument, "The file is no SQLite export of Nsight Systems.", name.string(),
              "Make one with: nsys export --type sqlite REPORT.nsys-rep"});
    // The file of another program is never written to: no log is made beside it.
    const Database db = Database::open(file, Database::Access::immutable);
    const std::int64_t pages = db.integer("PRAGMA page_count");
    const auto whole = pages * db.integer("PRAGMA page_size");
    if (db.integer("PRAGMA application_id") == kApplicationId)
        fail({ErrorCode::invalidArgument, "The file is a workspace of Apertune, not a recording.", name.string(),
              "Use it with --store."});
    if (static_cast<std::int64_t>(fs::file_size(file, code)) < whole)
        fail({ErrorCode::corrupt, "its end is missing", {}, {}});
    return nsys::readEvents(db, file, options);
}

} // namespace

bool looksLikeSqlite(const fs::path& file)
{
    constexpr std::string_view kMagic("SQLite format 3\0", 16);
    std::array<char, 16> head{};
    std::ifstream in(file, std::ios::binary);
    in.read(head.data(), head.size());
    return in.gcount() == static_cast<std::streamsize>(head.size()) &&
           std::string_view(head.data(), head.size()) == kMagic;
}

Result<trace::Trace> importNsys(const fs::path& file, const trace::ImportOptions& options)
{
    auto result = guarded([&] { return importFile(file, options); });
    if (result)
        return result;
    Error error = result.error();
    // The wrapper speaks of workspaces; this is somebody else's file.
    if (error.code == ErrorCode::corrupt)
        return Error{ErrorCode::corrupt, "The export of Nsight Systems is damaged or cut off: nothing was imported.",
                     file.string(), "Export it again: nsys export --type sqlite REPORT.nsys-rep"};
    if (error.context.empty())
        error.context = file.string();
    return error;
}

} // namespace apertune::store
