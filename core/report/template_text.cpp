// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/template_text.h"

namespace apertune::report {

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

std::string filled(std::string_view text, const TemplateValues& values)
{
    std::string out(text);
    for (const auto& [name, value] : values)
        out = replaced(std::move(out), "{{" + name + "}}", value);
    return out;
}

} // namespace apertune::report
