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
#include <vector>

namespace apertune::interchange::chrome {

/// Why something of a file is not in the trace as it stands there.
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
/// The sentence and severity of a reason; time and count are left 0.
trace::Loss lossOf(LossReason reason);

struct LossCount
{
    std::int64_t count = 0;
    std::int64_t first = 0;   ///< ns as in the file
    bool uncountable = false; ///< a loss although the count is 0
    void add(std::int64_t time)
    {
        if (count++ == 0 || time < first)
            first = time;
    }
};

/// A track as an event names it. Process and thread may be texts in traces of other tools.
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
    std::int64_t start = 0; ///< ns as in the file
    std::int64_t duration = 0;
    std::int64_t value = 0;
    std::uint64_t address = 0;     ///< of an async phase: what joins begin and end
    std::uint64_t correlation = 0; ///< as in the file
    std::uint64_t link = 0;
    std::uint32_t name = 0;
    std::uint32_t track = 0;
    std::uint32_t detail = 0; ///< of a counter: decimals of `value`
    trace::EventKind kind = trace::EventKind::other;
    RawPhase phase = RawPhase::complete;
};

/// What a 'M' event says about a process or thread.
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

/// What only the call says and belongs to the work it launched (ROCm).
struct CallFact
{
    std::uint64_t correlation = 0; ///< as in the file
    std::int64_t bytes = 0;
    trace::KernelDetail launch;
};

struct ParsedBlock
{
    enum class End : std::uint8_t {
        complete,   ///< after an event
        incomplete, ///< within one that begins at `offset`
        listClosed, ///< the list of events ends before `offset`
    };
    End end = End::complete;
    std::size_t offset = 0;
    std::vector<RawEvent> events;
    std::vector<RawLabel> labels;
    std::vector<CallFact> facts;
    std::array<LossCount, kLossReasons> losses{};
    // Events of calls and device work whose external id equals their correlation id, and those where it does not.
    std::int64_t sameIds = 0;
    std::int64_t differentIds = 0;
    bool kinetoWords = false; ///< a category of Kineto was met

    // New in this block, to be appended to what the parser said before. Number 0 of each is known to both sides.
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
