// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/alignment.h"
#include "core/analysis/device_use.h"
#include "core/analysis/iterations.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
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

/// Short name of work that a host does outside of operators: a gap between them in which tensors are allocated. Frozen
/// and fused layers of some engines run there.
inline constexpr std::string_view kUnrecordedWork = "unrecorded";

/// A work in its place of an iteration.
struct PlacedWork
{
    WorkKey key;
    std::string shortName; ///< for people
    std::string origin;    ///< name of the operator that it belongs to, or empty
    std::string module;    ///< module of the program that it belongs to, where the recorder stored it
    std::string shapes; ///< shapes of the first two inputs of its operator: "1×3×224×224, 64×3×7×7"; may be empty
    std::uint32_t shape = 0; ///< number of the launch shape of a kernel, or of the shapes of an operator's inputs
    std::int64_t count = 0;  ///< iterations that have it
    std::uint32_t name = 0;  ///< StringId of its name as it was recorded; 0: kUnrecordedWork
    trace::EventKind kind = trace::EventKind::kernel;
    bool unrecorded = false;   ///< it is what a wrapper does in itself: fused or compiled work, and calls
    std::vector<double> times; ///< ns of each iteration that belong to it
};

/// Where in an iteration a host spends time outside of operators.
enum class HostGap : std::uint8_t {
    before,  ///< before the first work: preparing the inputs, entering the engine
    between, ///< the way from one work to the next: dispatch, threads that wait for each other
    after,   ///< after the last work: handing over the outputs
};
constexpr std::size_t kHostGaps = 3;
/// "before_operators", "between_operators", "after_operators".
std::string_view toString(HostGap gap);

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
    std::array<std::vector<double>, kHostGaps> gaps;   ///< ns of each iteration, indexed by HostGap; empty for a device
    std::vector<double> outside; ///< ns of each iteration outside of the works, of `idle` and of `gaps`
};

/// Most iterations that count; of more, the first.
inline constexpr std::size_t kMostIterations = 100;

/// Returns the outermost operator above a node that does something itself; the node when all of them only surround
/// others (a module, a graph, a pass).
std::int32_t outermostUnit(const TraceIndex& index, const OperatorForest& forest, std::int32_t node);

/// Returns the shapes of the first two inputs of an operator from the text that a recorder wrote: "1×3×224×224,
/// 64×3×7×7". What engines list behind them (bias, strides) differs for the same work.
std::string leadingShapes(std::string_view recorded);

/// Reads the sequence of a trace: see compareTraces() for what a work is and for the time that belongs to it.
/// - The steady iterations count or, without iterations, the whole recording as one.
/// - On a device, the works of one stream follow each other, the stream with the most work first.
/// - The most frequent sequence of names comes first. Each work of another iteration stands for the place with its name
///   that occurred as often before; without such a place, one is added at the end.
WorkSequence workSequence(const TraceIndex& index, const OperatorForest& forest, const Iterations& iterations,
                          TextNumbers& numbers);

} // namespace apertune::analysis
