// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/model_sheet.h"
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/model/json_codec.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

int listModels(Session& session)
{
    return withStore(session, [&session](const store::Store& store) -> int {
        const auto models = store.models();
        if (!models)
            return session.terminal.fail(models.error());
        Json list = Json::array();
        text::TextTable table({{"Name", text::Align::left, true},
                               {"Source", text::Align::left, true},
                               {"Task type", text::Align::left, false, 1},
                               {"Parameters", text::Align::right},
                               {"MACs", text::Align::right, false, 2}});
        for (const model::ModelRef& m : *models) {
            list.push_back(model::summaryJson(m));
            table.addRow(
                {m.name, m.source, std::string(model::toString(m.taskType)), countText(m.parameters), macsText(m)});
        }
        session.terminal.document({{"schema", "apertune.models/1"}, {"models", list}});
        session.terminal.text(models->empty() ? "No models yet. Import one: apertune model import torchvision:resnet50"
                                              : table.render(session.terminal.width()));
        return kDone;
    });
}

Action declareModelList(CLI::App&)
{
    return listModels;
}

} // namespace

Verb modelListVerb()
{
    return {.path = {"model", "list"},
            .group = Group::manage,
            .summary = "List the models of the workspace",
            .examples = R"(  apertune model list
  apertune model list --json)",
            .takes = Takes::workspace,
            .documents = {{"apertune.models/1", "`models` (members of `apertune.model-summary/1` without `schema`)"}},
            .declare = declareModelList};
}

} // namespace apertune::cli
