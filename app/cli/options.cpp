// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"

namespace apertune::cli {

using base::Error;
using base::ErrorCode;

Error invalidValue(const std::string& option, const std::string& text, const std::vector<std::string>& valid)
{
    const std::string nearest = base::closestMatch(text, valid);
    return base::plainError(ErrorCode::invalidArgument, "Invalid value \"" + text + "\" for " + option + ".", {},
                            (nearest.empty() ? std::string() : "Did you mean " + nearest + "? ") +
                                "Expected: " + base::join(valid) + ".");
}

void requireValue(const std::string& option, const std::string& text)
{
    if (base::splitList(text).empty())
        throw UsageError(base::plainError(ErrorCode::invalidArgument, option + " is given without a value.", {},
                                          "Name one, or leave it out."));
}

std::vector<std::string> choicesOf(const CLI::Option& option)
{
    const std::string type = option.get_type_name();
    const bool words = !type.empty() && type[0] >= 'a' && type[0] <= 'z';
    return words ? base::splitList(type, '|') : std::vector<std::string>();
}

} // namespace apertune::cli
