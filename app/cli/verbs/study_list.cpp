// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/base/escape.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

constexpr int kWidestName = 60;

std::string stateText(const store::StudySummary& study)
{
    if (study.damaged)
        return "damaged";
    std::string text(model::toString(study.state));
    if (study.remaining > 0)
        text += ", " + std::to_string(study.remaining) + " left";
    return text;
}

int listStudies(Session& session)
{
    return withStore(session, [&session](const store::Store& store) -> int {
        const auto studies = store.studies();
        if (!studies)
            return session.terminal.fail(studies.error());
        Json list = Json::array();
        text::TextTable table({{"Study"},
                               {"Model", text::Align::left, true},
                               {"Configurations", text::Align::right},
                               {"ok", text::Align::right},
                               {"failed", text::Align::right, false, 1},
                               {"Purpose", text::Align::left, false, 3},
                               {"State"},
                               {"Created", text::Align::left, false, 2}});
        for (const store::StudySummary& s : *studies) {
            list.push_back({{"id", text::toText(s.id)},
                            {"uuid", s.uuid},
                            {"name", s.name},
                            {"model", s.modelName},
                            {"state", model::toString(s.state)},
                            {"purpose", model::toString(s.purpose)},
                            {"created", s.createdUtc},
                            {"trials", s.trials},
                            {"ok", s.ok},
                            {"failed", s.failed},
                            {"remaining", s.remaining},
                            {"damaged", s.damaged}});
            table.addRow({text::toText(s.id), text::elide(base::printableLine(s.modelName), kWidestName),
                          std::to_string(s.trials), std::to_string(s.ok), std::to_string(s.failed),
                          s.damaged ? "–" : std::string(model::toString(s.purpose)), stateText(s), s.createdUtc});
        }
        session.terminal.document(
            {{"schema", "apertune.studies/1"}, {"workspace", store.file().string()}, {"studies", list}});
        session.terminal.text(studies->empty() ? "No studies yet. Run one: apertune tune torchvision:resnet50"
                                               : table.render(session.terminal.width()));
        return kDone;
    });
}

Action declareStudyList(CLI::App&)
{
    return listStudies;
}

} // namespace

Verb studyListVerb()
{
    return {.path = {"study", "list"},
            .group = Group::manage,
            .summary = "List the studies of the workspace, the newest first",
            .examples = R"(  apertune study list
  apertune study list --json)",
            .takes = Takes::workspace,
            .documents = {{"apertune.studies/1",
                           "`workspace`, `studies` (`id`, `uuid`, `name`, `model`, `state`, `purpose`, `created`, "
                           "`trials`, `ok`, `failed`, `remaining`, `damaged`: its state or purpose cannot be read)"}},
            .declare = declareStudyList};
}

} // namespace apertune::cli
