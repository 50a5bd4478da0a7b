// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_sheet.h"

#include "core/base/text.h"
#include "core/sentences/sentences.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

base::Result<worker::EngineState> findEngine(const std::vector<worker::EngineState>& engines, const std::string& name)
{
    std::vector<std::string> names;
    for (const worker::EngineState& engine : engines) {
        if (base::lower(engine.backend) == base::lower(name) || base::lower(engine.title) == base::lower(name))
            return engine;
        names.push_back(engine.backend);
    }
    const std::string nearest = base::closestMatch(name, names);
    return base::plainError(base::ErrorCode::invalidArgument, "There is no engine \"" + name + "\".", {},
                            (nearest.empty() ? std::string() : "Did you mean " + nearest + "? ") +
                                "This installation knows " + base::join(names) + ".");
}

Json engineJson(const worker::EngineState& engine)
{
    Json json{{"name", engine.backend},
              {"title", engine.title},
              {"available", !engine.missing},
              {"version", engine.version.empty() ? Json(nullptr) : Json(engine.version)},
              {"folder", engine.folder.empty() ? Json(nullptr) : Json(engine.folder.string())},
              {"added", engine.added},
              {"bytes", engine.added ? Json(engine.size.count) : Json(nullptr)},
              {"requirements", engine.requirements},
              {"reason", nullptr},
              {"remedy", nullptr}};
    if (engine.missing) {
        json["reason"] = sentences::sentence(engine.missing->message);
        json["remedy"] = sentences::sentence(engine.missing->hint);
    }
    return json;
}

std::string titleWithVersion(const worker::EngineState& engine)
{
    return engine.title + (engine.version.empty() ? "" : " " + engine.version);
}

} // namespace apertune::cli
