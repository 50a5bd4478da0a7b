// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace apertune::text {

/// How a template writes the value of {{NAME}}.
enum class Escape {
    none, ///< the value is written unchanged
    html, ///< & < > " ' as entities, and hidden characters visible (base::printable())
};

/// (name, text) of the templates that {{>NAME}} puts in.
using Partials = std::span<const std::pair<std::string_view, std::string_view>>;

/// Fills a template in the language of mustache(5): {{NAME}}, {{#LIST}} … {{/LIST}}, {{^ABSENT}} … {{/ABSENT}},
/// {{>PARTIAL}}.
///  - Objects, arrays, strings and booleans of `values` are what mustache calls so. Null is absent, and numbers are
///    written as JSON writes them.
///  - A value is never read as a template.
/// REQUIRES: the templates are well-formed.
std::string filled(std::string_view text, const base::Json& values, Escape escape, Partials partials = {});

} // namespace apertune::text
