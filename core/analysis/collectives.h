// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/operator_forest.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::analysis {

/// The facts about a collective in trace::OperatorDetail::collective.
struct CollectiveCall
{
    std::string name{};             ///< "allreduce", "_allgather_base"
    std::string type{};             ///< element type as the recorder names it: "BFloat16"; empty: unknown
    std::string group{};            ///< name of the process group; empty: unknown
    std::string groupDescription{}; ///< "default_pg"; empty: unknown
    std::int64_t ranks = 0;         ///< number of ranks in the group; 0: unknown
    std::int64_t bytes = 0;         ///< the larger one of a rank's input and output; 0: unknown
};
/// Reads the text; nullopt when it is no JSON object with a name.
std::optional<CollectiveCall> collectiveCall(std::string_view text);

/// Returns the number of bytes that the busiest link moves for each byte of a collective: 2 (n − 1) / n for an
/// all-reduce over n ranks, (n − 1) / n for all-gather, reduce-scatter and all-to-all, otherwise 1. The result is 0 for
/// an unknown number of ranks. Source: the bus bandwidth of NVIDIA's nccl-tests (doc/PERFORMANCE.md).
double busBytesPerByte(const CollectiveCall& call);

/// The kernels of equal collectives on a device.
struct CollectiveRow
{
    std::int64_t device = 0;
    CollectiveCall call;
    std::int64_t count = 0;
    std::int64_t time = 0;    ///< Σ durations, in which a rank also waits for the others
    std::int64_t exposed = 0; ///< part of `time` while no other kernel of the device ran
    std::int64_t fastest = 0; ///< ns of the shortest one, which waited least

    /// Returns the bytes per second that the fastest one moves over the busiest link; 0: unknown. Even the fastest one
    /// may have waited, so this is a lower bound of the links' speed.
    double busBandwidth() const;
};

/// Collects the kernels of collectives that start in `window` and whose operator has a CollectiveCall. Rows are sorted
/// by time, longest first.
std::vector<CollectiveRow> collectiveTable(const TraceIndex& index, const OperatorForest& forest, TimeRange window);

} // namespace apertune::analysis
