// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/model_sheet.h"
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "core/models/model_library.h"
#include "core/models/zoo.h"
#include "core/sentences/sentences.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

int listZoo(Session& session)
{
    Json list = Json::array();
    text::TextTable table({{"Name"},
                           {"Source", text::Align::left, true},
                           {"Task type", text::Align::left, false, 2},
                           {"Parameters", text::Align::right, false, 1},
                           {"Summary", text::Align::left, true}});
    for (const models::ZooEntry& entry : models::zoo()) {
        const std::string summary = sentences::sentence(entry.summary);
        list.push_back({{"name", entry.name},
                        {"source", entry.source},
                        {"family", model::toString(entry.task)},
                        {"summary", summary},
                        {"parameters", entry.parameters}});
        table.addRow(
            {entry.name, entry.source, std::string(model::toString(entry.task)), countText(entry.parameters), summary});
    }
    session.terminal.document({{"schema", "apertune.zoo/1"}, {"models", list}});
    session.terminal.text(table.render(session.terminal.width()));
    return kDone;
}

Action declareModelZoo(CLI::App&)
{
    return listZoo;
}

} // namespace

Verb modelZooVerb()
{
    return {.path = {"model", "zoo"},
            .group = Group::manage,
            .summary = "List the built-in models, which need no network",
            .examples = R"(  apertune model zoo
  apertune tune zoo:yolo_nms)",
            .takes = Takes::json,
            .documents = {{"apertune.zoo/1", "`models` (`name`, `source`, `family`, `summary`, `parameters`)"}},
            .declare = declareModelZoo};
}

} // namespace apertune::cli
