// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/interchange/chrome/parsed_block.h"

#include <memory>
#include <string>

namespace apertune::interchange::chrome {

/// Turns blocks of events into rows. It remembers texts, tracks and details from block to block, and each block carries
/// only the new ones.
/// Threads: one for each parser.
class EventParser
{
public:
    /// `own`: writeChromeTrace() wrote the file, so every event names its track and nothing has to be guessed.
    explicit EventParser(bool own);
    ~EventParser();
    EventParser(EventParser&&) noexcept;

    /// Parses `text` into `block`, whose earlier content is lost. Bytes of `text` that are not text are replaced.
    /// REQUIRES: `text` begins between two events.
    void parse(std::string& text, ParsedBlock& block);

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace apertune::interchange::chrome
