// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/interchange/chrome/plain_or_gzip.h"

#include <cstddef>
#include <string>

namespace apertune::interchange::chrome {

/// No event, and nothing before the events, may be larger.
inline constexpr std::size_t kLargestPiece = std::size_t{64} << 20;

/// What stands before the first event.
struct TraceHead
{
    std::string json;      ///< an object of its own, traceEvents left out; empty for a bare list
    bool bareList = false; ///< `[event, …]` without an object around it
};

/// Reads a trace as its head and then as blocks that begin and, very likely, end between two events. "Very likely":
/// a block is cut where `},{"` stands, which may be within an event. Whoever parses it notices, because the block then
/// does not end after a complete event, and joins it with the next one. So cutting costs nothing.
class EventBlocks
{
public:
    /// REQUIRES: blockSize > 0. The source must outlive this.
    explicit EventBlocks(ByteSource& source, std::size_t blockSize = std::size_t{1} << 20);

    /// Call once, first. Failures: corrupt (not a trace, cut, too large), and those of the source.
    base::Result<TraceHead> readHead();

    /// The next block; empty at the end. What follows the list of events comes in blocks too.
    base::Result<std::string> next();
    /// The same, into a string that is used again.
    base::Status next(std::string& block);

    /// Bytes of text read so far, unpacked.
    std::size_t textSize() const { return m_textSize; }

private:
    base::Status more(std::string& text, std::size_t bytes);

    ByteSource& m_source;
    std::size_t m_blockSize;
    std::string m_rest; ///< read, not yet handed out
    std::size_t m_textSize = 0;
    bool m_ended = false;
};

} // namespace apertune::interchange::chrome
