// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/event_parser.h"

#include "core/interchange/chrome/event_rows.h"
#include "core/interchange/chrome/json_values.h"
#include "core/interchange/chrome/token_index.h"

namespace apertune::interchange::chrome {

class EventParser::Impl
{
public:
    explicit Impl(bool own) : m_rows(own) {}

    void parse(std::string& text, ParsedBlock& block)
    {
        block.clear();
        auto status = m_index.index(text);
        // Texts are nearly always valid UTF-8, so they are repaired only after the index refused them.
        if (status == TokenIndex::Status::badText) {
            block.losses[static_cast<std::size_t>(LossReason::replacedText)].count +=
                static_cast<std::int64_t>(repairText(text));
            status = m_index.index(text);
        }
        if (status != TokenIndex::Status::ok) {
            block.end = ParsedBlock::End::incomplete;
            return;
        }
        const Tokens& tokens = m_index.tokens();
        for (std::uint32_t i = 0; i < tokens.count;) {
            const char c = tokens.first(i);
            if (c == '{') {
                const std::uint32_t next = parseEvent(tokens, i, block);
                if (next > tokens.count)
                    return finish(block, ParsedBlock::End::incomplete, tokens.at[i]);
                i = next;
            } else if (c == ']') {
                return finish(block, ParsedBlock::End::listClosed, tokens.at[i] + 1);
            } else if (c == ',') {
                ++i;
            } else {
                countMalformed(block);
                // A value that is no event is skipped as a whole.
                const std::uint32_t next = c == '[' ? tokens.skipValue(i) : i + 1;
                if (next > tokens.count)
                    return finish(block, ParsedBlock::End::incomplete, tokens.at[i]);
                i = next;
            }
        }
    }

private:
    static void finish(ParsedBlock& block, ParsedBlock::End end, std::size_t offset)
    {
        block.end = end;
        block.offset = offset;
    }

    static void countMalformed(ParsedBlock& block)
    {
        ++block.losses[static_cast<std::size_t>(LossReason::malformed)].count;
    }

    /// Parses the event at `open` and returns the token after it; a number above the count when the event does not end
    /// in this text.
    std::uint32_t parseEvent(const Tokens& tokens, std::uint32_t open, ParsedBlock& block)
    {
        m_fields.clear();
        m_unknown.clear();
        const std::uint32_t next = parseMembers(tokens, open, true);
        if (next != 0 && next <= tokens.count) {
            if (next != open + 2) // XLA ends its lists with an empty object
                m_rows.add(tokens, m_fields, m_unknown, block);
            return next;
        }
        // The text is damaged or cut off. The event ends at its closing bracket, whatever is between.
        const std::uint32_t after = tokens.skipValue(open);
        if (after <= tokens.count)
            countMalformed(block);
        return after;
    }

    /// Notes the members of the object at `open`. Returns the token after it, or 0 when it is not one.
    std::uint32_t parseMembers(const Tokens& tokens, std::uint32_t open, bool isEvent)
    {
        std::uint32_t i = open + 1;
        // An event without members is complete.
        if (i < tokens.count && tokens.first(i) == '}')
            return i + 1;
        // Key, colon, value and the token after it.
        while (i + 3 < tokens.count) {
            if (tokens.first(i) != '"' || tokens.first(i + 1) != ':')
                return 0;
            const std::string_view key = tokens.token(i);
            if (key.size() < 2 || key.back() != '"')
                return 0;
            // The quotes are cut off. Known names have no escapes.
            const std::string_view name = key.substr(1, key.size() - 2);
            const Field field = isEvent ? eventField(name) : argumentField(name);
            const std::uint32_t value = i + 2;
            if (field != Field::none)
                m_fields.set(field, value);
            else if (!isEvent)
                m_unknown.push_back(name);
            const char c = tokens.first(value);
            if (c == '{' || c == '[')
                // Only the arguments are looked into; other objects are skipped.
                i = c == '{' && field == Field::args ? parseMembers(tokens, value, false) : tokens.skipValue(value);
            else if (c == ',' || c == ':' || c == '}' || c == ']')
                return 0;
            else
                i = value + 1;
            if (i == 0 || i >= tokens.count)
                return 0;
            const char after = tokens.first(i);
            if (after == '}')
                return i + 1;
            if (after != ',')
                return 0;
            ++i;
        }
        return 0;
    }

    TokenIndex m_index;
    EventRows m_rows;
    Fields m_fields;
    std::vector<std::string_view> m_unknown; ///< names of arguments that are no field
};

EventParser::EventParser(bool own) : m_impl(std::make_unique<Impl>(own))
{
}
EventParser::~EventParser() = default;
EventParser::EventParser(EventParser&&) noexcept = default;

void EventParser::parse(std::string& text, ParsedBlock& block)
{
    m_impl->parse(text, block);
}

} // namespace apertune::interchange::chrome
