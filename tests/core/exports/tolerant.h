// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"
#include "core/exports/export_config.h"
#include "core/model/json_codec.h"
#include "core/sentences/sentences.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace apertune::exports::test {

/// Widens the envelope of a written export to ± `tolerance`: no export is as tolerant as a test has to be that runs
/// beside any other work. REQUIRES: the trial's own envelope is the widest.
inline void widen(const std::filesystem::path& folder, double tolerance)
{
    const auto config = base::readFile(folder / "apertune-config.json");
    ASSERT_TRUE(config) << sentences::sentence(config.error().message);
    base::Json json = model::parseJson(*config).value();
    for (base::Json& batch : json["batches"])
        batch["tolerance"] = tolerance;
    ASSERT_TRUE(base::writeFileAtomically(folder / "apertune-config.json", json.dump()));
    const auto header = base::readFile(folder / "apertune_config.h");
    if (!header) // a Python export has none
        return;
    std::string text = *header;
    const std::string widest = ", " + base::Json(model::kMostTolerance).dump() + "},";
    ASSERT_NE(text.find(widest), std::string::npos) << text;
    for (auto at = text.find(widest); at != std::string::npos; at = text.find(widest))
        text.replace(at, widest.size(), ", " + std::to_string(tolerance) + "},");
    ASSERT_TRUE(base::writeFileAtomically(folder / "apertune_config.h", text));
}

} // namespace apertune::exports::test
