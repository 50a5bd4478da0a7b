// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/rules_option.h"

#include "app/cli/options.h"

namespace apertune::cli {

void addRulesFile(CLI::App& app, std::string& file)
{
    addText(app, "--rules", "File with thresholds of rules that differ from their defaults",
            [&file](const std::string& text) -> base::Status {
                file = text;
                return {};
            })
        ->type_name("FILE");
}

base::Result<advice::Thresholds> thresholdsOf(const std::string& file)
{
    return file.empty() ? advice::Thresholds() : advice::readThresholds(file);
}

} // namespace apertune::cli
