// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/interchange/files/byte_source.h"

#include <cstddef>
#include <string>

namespace apertune::interchange::chrome {

/// The largest accepted size of an event, and of the text before the events.
inline constexpr std::size_t kLargestPiece = std::size_t{64} << 20;

/// The part of the file before the first event.
struct TraceHead
{
    std::string json;      ///< a complete object without traceEvents; empty for a bare list
    bool bareList = false; ///< `[event, …]` without an object around it
};

/// Reads a trace as its head and then as blocks. A block begins between two events and nearly always ends between two.
/// It is cut at a `},{"`, which can lie within an event. The parser notices, because the block then does not end after
/// a complete event, and joins it with the next block. So no thread has to parse the text in order to cut it.
class EventBlocks
{
public:
    /// REQUIRES: blockSize > 0, and `source` outlives this object.
    explicit EventBlocks(files::ByteSource& source, std::size_t blockSize = std::size_t{1} << 20);

    /// Reads the head. Failures: corrupt (not a trace, cut off, or too large), and those of the source.
    /// REQUIRES: it is called once, before next().
    base::Result<TraceHead> readHead();

    /// Returns the next block; empty at the end. The text after the list of events comes in blocks too.
    base::Result<std::string> next();
    /// Reads the next block into a string that is reused; empty at the end.
    base::Status next(std::string& block);

    /// Returns the size of the text read so far, in unpacked bytes.
    std::size_t textSize() const { return m_textSize; }

private:
    base::Status more(std::string& text, std::size_t bytes);

    files::ByteSource& m_source;
    std::size_t m_blockSize;
    std::string m_rest; ///< text that was read and not yet returned
    std::size_t m_textSize = 0;
    bool m_ended = false;
};

} // namespace apertune::interchange::chrome
