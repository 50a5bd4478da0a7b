// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweeps/yaml_reader.h"

#include "core/base/escape.h"
#include "core/base/units.h"
#include "core/sweeps/errors.h"

#include <yaml.h>

#include <cstdint>

namespace apertune::sweeps {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

constexpr int kMostLevels = 16;

template <const base::MessageKind& kind, typename... Values>
Error refused(const Values&... values)
{
    return {ErrorCode::invalidArgument, base::message<kind>(values...), {}, base::message<errors::kWriteValues>()};
}

/// Whether a text has U+FFFE or U+FFFF, which YAML has only as escapes.
bool hasNoncharacter(const std::string& text)
{
    return text.find("\xef\xbf\xbe") != std::string::npos || text.find("\xef\xbf\xbf") != std::string::npos;
}

/// An event of libyaml, which is freed with it.
class Event
{
public:
    Event() = default;
    ~Event() { yaml_event_delete(&m_event); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    yaml_event_type_t type() const { return m_event.type; }
    const yaml_event_t& operator*() const { return m_event; }
    int line() const { return static_cast<int>(m_event.start_mark.line) + 1; }
    yaml_event_t* fresh()
    {
        yaml_event_delete(&m_event);
        return &m_event;
    }

private:
    yaml_event_t m_event{};
};

class Reader
{
public:
    explicit Reader(std::string_view text)
    {
        // It fails only without memory, and then the first event does.
        yaml_parser_initialize(&m_parser);
        yaml_parser_set_input_string(&m_parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    }
    ~Reader() { yaml_parser_delete(&m_parser); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    Result<YamlNode> document()
    {
        // The stream and its document begin with an event each. An empty stream has no document.
        if (auto begun = next(); !begun)
            return begun.error();
        if (auto begun = next(); !begun)
            return begun.error();
        if (m_event.type() != YAML_DOCUMENT_START_EVENT)
            return refused<errors::kNoMapping>();
        if (auto begun = next(); !begun)
            return begun.error();
        auto root = node(0);
        if (!root)
            return root;
        // The event after the end of the document is the end of the stream, or a second document.
        for (int i = 0; i < 2; ++i)
            if (auto ended = next(); !ended)
                return ended.error();
        if (m_event.type() != YAML_STREAM_END_EVENT)
            return refused<errors::kSecondDocument>(m_event.line());
        return root;
    }

private:
    base::Status next()
    {
        if (yaml_parser_parse(&m_parser, m_event.fresh()))
            return {};
        const std::size_t line = m_parser.problem_mark.line + 1;
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNotYaml>(line, base::foreignText(m_parser.problem ? m_parser.problem : "")),
                     {},
                     base::message<errors::kWriteValues>()};
    }

    /// The node that begins with the current event.
    Result<YamlNode> node(int level)
    {
        switch (m_event.type()) {
        case YAML_SCALAR_EVENT:
            return scalar();
        case YAML_SEQUENCE_START_EVENT:
            return children(YamlNode::Kind::list, YAML_SEQUENCE_END_EVENT, level + 1);
        case YAML_MAPPING_START_EVENT:
            return children(YamlNode::Kind::map, YAML_MAPPING_END_EVENT, level + 1);
        default:
            return refused<errors::kAnchor>(m_event.line());
        }
    }

    Result<YamlNode> scalar() const
    {
        const auto& data = (*m_event).data.scalar;
        if (data.anchor)
            return refused<errors::kAnchor>(m_event.line());
        if (data.tag)
            return refused<errors::kTag>(m_event.line());
        std::string text(reinterpret_cast<const char*>(data.value), data.length);
        if (base::printableLine(text) != text || hasNoncharacter(text))
            return refused<errors::kControlCharacter>(m_event.line());
        return YamlNode{YamlNode::Kind::scalar, m_event.line(), std::move(text), data.style == YAML_PLAIN_SCALAR_STYLE};
    }

    Result<YamlNode> children(YamlNode::Kind kind, yaml_event_type_t end, int level)
    {
        const bool list = kind == YamlNode::Kind::list;
        const auto& data = (*m_event).data;
        if (list ? data.sequence_start.anchor : data.mapping_start.anchor)
            return refused<errors::kAnchor>(m_event.line());
        if (list ? data.sequence_start.tag : data.mapping_start.tag)
            return refused<errors::kTag>(m_event.line());
        if (level > kMostLevels)
            return refused<errors::kTooDeep>(m_event.line());
        YamlNode made{kind, m_event.line()};
        for (;;) {
            if (auto status = next(); !status)
                return status.error();
            if (m_event.type() == end)
                return made;
            auto child = node(level);
            if (!child)
                return child;
            made.children.push_back(std::move(*child));
        }
    }

    yaml_parser_t m_parser{};
    Event m_event;
};

} // namespace

Result<YamlNode> readYaml(std::string_view text)
{
    if (text.size() > kMostYamlBytes)
        return refused<errors::kTooLarge>(base::Bytes{static_cast<std::int64_t>(kMostYamlBytes)});
    return Reader(text).document();
}

} // namespace apertune::sweeps
