// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/imported.h"

#include "core/model/imported.h"

namespace apertune::cli {

std::optional<base::Error> whyNotRun(const model::Study& study, const std::string& name)
{
    if (!model::isImported(study))
        return std::nullopt;
    std::string file = "a file";
    for (const auto& [setting, value] : study.environment.settings)
        if (setting == model::kImportedFrom)
            file = value;
    return base::plainError(base::ErrorCode::unsupported,
                            name + " was imported from " + file +
                                "; its model is not here. Apertune runs only what it measured itself.",
                            {}, "Import the model and measure it here: `apertune tune MODEL`.");
}

} // namespace apertune::cli
