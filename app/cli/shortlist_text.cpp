// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/shortlist_text.h"

#include "core/report/documents.h"

#include <vector>

namespace apertune::cli {

std::string shortlistText(const model::StudySnapshot& snapshot)
{
    const std::vector<std::string> lines = report::shortlistLines(snapshot);
    std::string text = lines.empty() ? "" : "Shortlist, not confirmed\n";
    for (const std::string& line : lines)
        text += "  " + line + "\n";
    return text;
}

} // namespace apertune::cli
