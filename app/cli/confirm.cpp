// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/confirm.h"

#include <unistd.h>

#include <iostream>
#include <string>

namespace apertune::cli {

base::Result<bool> confirmed(const std::string& question, bool yes, Session& session)
{
    if (yes)
        return true;
    if (!::isatty(0) || !::isatty(2))
        return base::plainError(base::ErrorCode::invalidArgument,
                                "Nothing was changed: there is no terminal to ask \"" + question + "\"", {},
                                "Add --yes.");
    std::cerr << question << " [y/N] " << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    if (answer == "y" || answer == "Y" || answer == "yes")
        return true;
    session.terminal.note("Nothing was deleted.");
    return false;
}

} // namespace apertune::cli
