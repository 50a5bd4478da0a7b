// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/nsys/nsys_enums.h"

#include <array>
#include <string_view>

namespace apertune::interchange::nsys {

namespace {

/// A table and its rows (id, name, label) as SQL.
struct EnumTable
{
    std::string_view name;
    std::string_view rows;
};

constexpr std::array<EnumTable, 6> kTables{{
    {"ENUM_CUDA_MEMCPY_OPER",
     "(0, 'CUDA_MEMCPY_KIND_UNKNOWN', 'Unknown'), (1, 'CUDA_MEMCPY_KIND_HTOD', 'Host-to-Device'), "
     "(2, 'CUDA_MEMCPY_KIND_DTOH', 'Device-to-Host'), (5, 'CUDA_MEMCPY_KIND_ATOA', 'Array-to-Array'), "
     "(8, 'CUDA_MEMCPY_KIND_DTOD', 'Device-to-Device'), (9, 'CUDA_MEMCPY_KIND_HTOH', 'Host-to-Host'), "
     "(10, 'CUDA_MEMCPY_KIND_PTOP', 'Peer-to-Peer')"},
    {"ENUM_CUDA_MEM_KIND",
     "(0, 'CUDA_MEMOPR_MEMORY_KIND_PAGEABLE', 'Pageable'), (1, 'CUDA_MEMOPR_MEMORY_KIND_PINNED', 'Pinned'), "
     "(2, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE', 'Device'), (3, 'CUDA_MEMOPR_MEMORY_KIND_ARRAY', 'Array'), "
     "(4, 'CUDA_MEMOPR_MEMORY_KIND_MANAGED', 'Managed'), "
     "(5, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE_STATIC', 'Device Static'), "
     "(6, 'CUDA_MEMOPR_MEMORY_KIND_MANAGED_STATIC', 'Managed Static'), "
     "(7, 'CUDA_MEMOPR_MEMORY_KIND_UNKNOWN', 'Unknown')"},
    {"ENUM_NSYS_EVENT_CLASS", "(0, 'TRACE_PROCESS_EVENT_CUDA_RUNTIME', 'CUDA runtime'), "
                              "(1, 'TRACE_PROCESS_EVENT_CUDA_DRIVER', 'CUDA driver')"},
    {"ENUM_CUPTI_SYNC_TYPE", "(0, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN', 'Unknown'), "
                             "(1, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE', 'Event sync'), "
                             "(2, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT', 'Stream wait event'), "
                             "(3, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE', 'Stream sync'), "
                             "(4, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE', 'Context sync')"},
    {"ENUM_CUDA_DEV_MEM_EVENT_OPER", "(0, 'CUDA_DEV_MEM_EVENT_OPR_ALLOCATION', 'Allocation'), "
                                     "(1, 'CUDA_DEV_MEM_EVENT_OPR_DEALLOCATION', 'Deallocation')"},
    {"ENUM_NSYS_EVENT_TYPE", "(34, 'NvtxMark', 'NvtxMark'), (59, 'NvtxPushPopRange', 'NvtxPushPopRange')"},
}};

} // namespace

std::string enumTablesSql()
{
    std::string sql;
    for (const EnumTable& table : kTables)
        sql += "CREATE TABLE " + std::string(table.name) +
               " (id INTEGER PRIMARY KEY, name TEXT, label TEXT); INSERT INTO " + std::string(table.name) + " VALUES " +
               std::string(table.rows) + ";";
    return sql;
}

std::string enumViewsSql()
{
    std::string sql;
    for (const EnumTable& table : kTables)
        sql += "CREATE TEMP VIEW " + std::string(table.name) + " (id, name, label) AS VALUES " +
               std::string(table.rows) + ";";
    return sql;
}

} // namespace apertune::interchange::nsys
