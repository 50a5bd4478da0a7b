// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apertune::report {

/// (NAME, what stands for {{NAME}})
using TemplateValues = std::vector<std::pair<std::string, std::string>>;

/// The text with every {{NAME}} replaced, one name after the other: a value may hold the names behind it.
std::string filled(std::string_view text, const TemplateValues& values);

/// Every `from` in the text replaced. REQUIRES: `from` is not empty.
std::string replaced(std::string text, const std::string& from, const std::string& to);

} // namespace apertune::report
