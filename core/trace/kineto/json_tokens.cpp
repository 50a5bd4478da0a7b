// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/kineto/json_tokens.h"

#include <simdjson.h>

namespace apertune::trace::kineto {

struct TokenIndex::Parser
{
    std::unique_ptr<simdjson::internal::dom_parser_implementation> implementation;
};

TokenIndex::TokenIndex() : m_parser(std::make_unique<Parser>())
{
}
TokenIndex::~TokenIndex() = default;
TokenIndex::TokenIndex(TokenIndex&&) noexcept = default;

TokenIndex::Status TokenIndex::index(std::string_view text)
{
    m_tokens = {text, nullptr, 0};
    auto& parser = m_parser->implementation;
    if (!parser || parser->capacity() < text.size()) {
        const std::size_t capacity = text.size() + text.size() / 4 + 4096;
        parser.reset();
        // Only the index is used, so the depth of the tree that is never built does not matter.
        if (simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, 1, parser) !=
            simdjson::SUCCESS)
            throw std::bad_alloc();
    }
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return Status::ok;
    const auto error =
        parser->stage1(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), simdjson::stage1_mode::regular);
    if (error == simdjson::UNCLOSED_STRING)
        return Status::openString;
    if (error != simdjson::SUCCESS)
        return Status::badText;
    m_tokens.at = parser->structural_indexes.get();
    m_tokens.count = parser->n_structural_indexes;
    return Status::ok;
}

} // namespace apertune::trace::kineto
