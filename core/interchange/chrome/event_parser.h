// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/interchange/chrome/json_tokens.h"
#include "core/interchange/chrome/parsed_block.h"

#include <memory>
#include <string>

namespace apertune::interchange::chrome {

/// Turns blocks of events into rows. One thread each; what texts, tracks and details it has met stays known from block
/// to block, and each block carries what is new in it.
class EventParser
{
public:
    /// `own`: the file is one of our exports, so every event says which track it is on and nothing is to be guessed.
    explicit EventParser(bool own);
    ~EventParser();
    EventParser(EventParser&&) noexcept;

    /// `text` begins between two events. Bytes that are no text are replaced in it. The block is overwritten.
    void parse(std::string& text, ParsedBlock& block);

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace apertune::interchange::chrome
