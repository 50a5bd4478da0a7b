// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apertune::report {

/// Pairs of NAME and the text that replaces {{NAME}}.
using TemplateValues = std::vector<std::pair<std::string, std::string>>;

/// Replaces every {{NAME}} in the text, in the order of `values`. So a value may contain the names of later ones.
std::string filled(std::string_view text, const TemplateValues& values);

/// Replaces every `from` in the text.
/// REQUIRES: `from` is not empty.
std::string replaced(std::string text, const std::string& from, const std::string& to);

} // namespace apertune::report
