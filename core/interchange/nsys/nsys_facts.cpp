// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/nsys/nsys_facts.h"

#include "core/interchange/nsys/nsys_tables.h"
#include "core/interchange/nsys/reasons.h"
#include "core/interchange/sqlite/table_reader.h"
#include "core/trace/untrusted_events.h"

#include <algorithm>
#include <map>

namespace apertune::interchange::nsys {

namespace {

void readSession(const store::Database& db, const std::set<std::string>& tables, trace::Trace& head)
{
    if (tables.contains("TARGET_INFO_SESSION_START_TIME")) {
        sqlite::TableReader row(db, "TARGET_INFO_SESSION_START_TIME", "utcEpochNs");
        if (row.step())
            head.originEpoch = std::clamp(row.integer(0), std::int64_t{0}, trace::kLatest);
    }
    // Older versions of nsys call the table EXPORT_META_DATA.
    const char* const facts = tables.contains("META_DATA_EXPORT") ? "META_DATA_EXPORT" : "EXPORT_META_DATA";
    if (tables.contains(facts)) {
        sqlite::TableReader row(db, facts, "name, value");
        std::map<std::string, std::string> values;
        while (row.step())
            values.emplace(row.text(0), row.text(1));
        for (const char* key : {"EXPORT_PRODUCT_VERSION", "EXPORT_VERSION", "EXPORT_SCHEMA_VERSION"})
            if (const auto found = values.find(key); found != values.end() && head.recorderVersion.empty())
                head.recorderVersion = found->second;
    }
}

void readDevices(const store::Database& db, const std::set<std::string>& tables, trace::Trace& head)
{
    if (!tables.contains("TARGET_INFO_GPU"))
        return;
    // Programs number the GPUs that they may see. Versions before 2025 only exported the machine's numbers.
    std::map<std::int64_t, std::int64_t> cudaNumbers;
    if (tables.contains("TARGET_INFO_CUDA_DEVICE")) {
        sqlite::TableReader row(db, "TARGET_INFO_CUDA_DEVICE", "gpuId, cudaId");
        while (row.step())
            cudaNumbers.emplace(row.integer(0), row.integer(1));
    }
    sqlite::TableReader gpu(db, "TARGET_INFO_GPU",
                            "id, name, computeMajor, computeMinor, smCount, threadsPerWarp, maxThreadsPerBlock, "
                            "maxWarpsPerSm, maxRegistersPerSm, maxShmemPerBlock, maxShmemPerSm, totalMemory, "
                            "memoryBandwidth, cuDevice");
    while (gpu.step()) {
        trace::DeviceProperties d;
        const auto number = cudaNumbers.find(gpu.integer(0));
        if (!cudaNumbers.empty() && number == cudaNumbers.end())
            continue; // no program used this GPU
        d.id = number != cudaNumbers.end() ? number->second : gpu.integer(13, gpu.integer(0));
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

/// The recorder's own warnings say what is missing from the recording.
void readDiagnostics(const store::Database& db, const std::set<std::string>& tables, trace::TraceBuilder& builder)
{
    // Levels of ENUM_DIAGNOSTIC_SEVERITY_LEVEL.
    constexpr std::int64_t kWarning = 2;
    constexpr std::int64_t kError = 3;
    if (!tables.contains("DIAGNOSTIC_EVENT"))
        return;
    sqlite::TableReader row(db, "DIAGNOSTIC_EVENT", "timestamp, severity, text");
    while (row.step()) {
        const std::int64_t severity = row.integer(1);
        if (severity != kWarning && severity != kError)
            continue;
        std::string text = row.text(2);
        text.resize(std::min(text.find('\n'), text.size()));
        text.resize(text.find_last_not_of(" \r\t") + 1);
        builder.addLoss({{std::clamp(row.integer(0), -trace::kLatest, trace::kLatest)},
                         trace::EventKind::other,
                         0,
                         severity == kError ? trace::LossSeverity::warning : trace::LossSeverity::notice,
                         base::message<reasons::kSays>(text)});
    }
}

} // namespace

void readFacts(const store::Database& db, const std::set<std::string>& tables, trace::TraceBuilder& builder)
{
    readSession(db, tables, builder.head());
    readDevices(db, tables, builder.head());
    readDiagnostics(db, tables, builder);
}

} // namespace apertune::interchange::nsys
