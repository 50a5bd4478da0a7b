// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/alignment.h"
#include "core/analysis/device_use.h"
#include "core/analysis/iterations.h"

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace apertune::analysis {

/// Numbers for texts, shared by the sequences that are compared. Number 0 is the empty text.
class TextNumbers
{
public:
    std::uint32_t of(const std::string& text);

private:
    std::unordered_map<std::string, std::uint32_t> m_numbers{{std::string(), 0}};
};

/// A work in its place of an iteration.
struct PlacedWork
{
    WorkKey key;
    std::string shortName;   ///< for people
    std::string origin;      ///< name of the operator that it belongs to, or empty
    std::uint32_t shape = 0; ///< number of the launch shape of a kernel, or of the shapes of an operator's inputs
    std::int64_t count = 0;  ///< iterations that have it
    std::uint32_t name = 0;  ///< StringId of its name as it was recorded
    trace::EventKind kind = trace::EventKind::kernel;
    bool unrecorded = false;   ///< it is what a wrapper does in itself: fused or compiled work, and calls
    std::vector<double> times; ///< ns of each iteration that belong to it
};

/// The works of an iteration in their order, and where the rest of the time goes. For each iteration, the times of all
/// places and of the idle parts add up to its length.
struct WorkSequence
{
    bool onDevice = false;
    std::int64_t device = 0;
    IterationSource source = IterationSource::none;
    std::vector<double> lengths; ///< ns of each iteration; one element when the recording shows no iterations
    std::vector<PlacedWork> works;
    std::array<std::vector<double>, kIdleCauses> idle; ///< ns of each iteration, indexed by cause; empty for a host
    std::vector<double> outside;                       ///< ns of each iteration outside of the works and of `idle`
};

/// Most iterations that count; of more, the first.
inline constexpr std::size_t kMostIterations = 100;

/// Reads the sequence of a trace: see compareTraces() for what a work is and for the time that belongs to it.
/// - The steady iterations count or, without iterations, the whole recording as one.
/// - On a device, the works of one stream follow each other, the stream with the most work first.
/// - The most frequent sequence of names comes first. Each work of another iteration stands for the place with its name
///   that occurred as often before; without such a place, one is added at the end.
WorkSequence workSequence(const TraceIndex& index, const OperatorForest& forest, const Iterations& iterations,
                          TextNumbers& numbers);

} // namespace apertune::analysis
