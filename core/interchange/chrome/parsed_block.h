// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/details.h"
#include "core/trace/event.h"
#include "core/trace/trace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apertune::interchange::chrome {

/// Reasons why a part of a file is missing from the trace or differs there.
enum class LossReason : std::uint8_t {
    malformed,
    badTime,
    negativeDuration,
    noDuration,
    sharedId,
    largeSize,
    roundedSample,
    badSample,
    replacedText,
    phase,
    foreignFlow,
    longText,
    endWithoutBegin,
    neverEnded,
    openList,
    longTail,
};
inline constexpr std::size_t kLossReasons = 16;
/// Returns the sentence and severity of a reason. Time and count stay 0.
trace::Loss lossOf(LossReason reason);

struct LossCount
{
    std::int64_t count = 0;
    std::int64_t first = 0;   ///< earliest time, in ns of the file
    bool uncountable = false; ///< something was lost although the count is 0
    void add(std::int64_t time)
    {
        if (count++ == 0 || time < first)
            first = time;
    }
};

/// A track as an event names it. In traces of other tools, process and thread can be texts.
struct RawTrack
{
    trace::Track track;
    std::string processText;
    std::string threadText;
    bool operator==(const RawTrack&) const = default;
};

enum class RawPhase : std::uint8_t { complete, begin, end, asyncBegin, asyncEnd };

/// A row of a block. `name`, `track`, `detail` and the texts in details are the parser's own numbers.
struct RawEvent
{
    std::int64_t start = 0; ///< ns of the file
    std::int64_t duration = 0;
    std::int64_t value = 0;
    std::uint64_t address = 0;     ///< in an async phase, the id that joins begin and end
    std::uint64_t correlation = 0; ///< the number in the file
    std::uint64_t link = 0;
    std::uint32_t name = 0;
    std::uint32_t track = 0;
    std::uint32_t detail = 0; ///< in a counter, the decimals of `value`
    trace::EventKind kind = trace::EventKind::other;
    RawPhase phase = RawPhase::complete;
};

/// The name of a process or thread, from an 'M' event.
struct RawLabel
{
    enum class What : std::uint8_t { processName, threadName };
    What what = What::threadName;
    std::int64_t process = -1;
    std::int64_t thread = -1;
    std::string processText;
    std::string threadText;
    std::string label;
};

/// Facts about device work that only the launching call has (ROCm).
struct CallFact
{
    std::uint64_t correlation = 0; ///< the number in the file
    std::int64_t bytes = 0;
    trace::KernelDetail launch;
};

/// Counts how often each name occurs. A list is enough, because a file has few different names.
class NameCounts
{
public:
    void count(std::string_view name, std::int64_t times = 1);
    void clear() { m_counts.clear(); }
    const std::vector<std::pair<std::string, std::int64_t>>& all() const { return m_counts; }

    static constexpr std::size_t kMostNames = 64; ///< further names share one entry without a name

private:
    std::vector<std::pair<std::string, std::int64_t>> m_counts;
};

struct ParsedBlock
{
    enum class End : std::uint8_t {
        complete,   ///< the block ends after an event
        incomplete, ///< the block ends within an event that begins at `offset`
        listClosed, ///< the list of events ends before `offset`
    };
    End end = End::complete;
    std::size_t offset = 0;
    std::vector<RawEvent> events;
    std::vector<RawLabel> labels;
    std::vector<CallFact> facts;
    std::array<LossCount, kLossReasons> losses{};
    std::int64_t sameIds = 0;      ///< calls and device work whose external id equals their correlation id
    std::int64_t differentIds = 0; ///< calls and device work whose ids differ
    bool kinetoNames = false;      ///< the block has a category of Kineto
    NameCounts dropped;            ///< arguments of events that no field keeps

    // Texts, tracks and details that are new in this block. They follow those of the parser's earlier blocks. Parser
    // and merger both know number 0 of each list.
    std::vector<std::string> texts;
    std::vector<RawTrack> tracks;
    std::vector<trace::KernelDetail> kernels;
    std::vector<trace::CopyDetail> copies;
    std::vector<trace::SynchronizationDetail> synchronizations;
    std::vector<trace::OperatorDetail> operators;
    std::vector<trace::MemoryDetail> memory;
    std::vector<trace::NoteDetail> notes;

    void clear();
};

} // namespace apertune::interchange::chrome
