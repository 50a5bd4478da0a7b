// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "core/store/repaired_name.h"
#include "core/store/store.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;
namespace fs = std::filesystem;

namespace {

struct Repair
{
    fs::path out; ///< empty: next to the damaged workspace
};

bool isWhole(const fs::path& file)
{
    const auto store = store::Store::open(file, store::OpenMode::readOnly);
    return store && store->checkIntegrity().ok();
}

int run(const Repair& options, Session& session)
{
    const fs::path& file = session.common.store;
    std::error_code code;
    if (!fs::exists(file, code) && !fs::exists(file.string() + "-wal", code))
        return session.terminal.fail(base::plainError(base::ErrorCode::notFound, "There is no workspace to repair.",
                                                      file.string(), "Name it with --store FILE."));
    session.terminal.status("Checking " + file.string() + " …");
    if (isWhole(file) && options.out.empty()) {
        session.terminal.document({{"schema", "apertune.repair/1"},
                                   {"workspace", file.string()},
                                   {"whole", true},
                                   {"out", nullptr},
                                   {"rows", nullptr},
                                   {"dropped", nullptr},
                                   {"stand_ins", nullptr},
                                   {"damaged_tables", Json::array()}});
        session.terminal.text(file.string() + " is whole: there is nothing to repair.");
        return kDone;
    }
    const fs::path out = options.out.empty() ? store::repairedName(file) : options.out;
    session.terminal.status("Saving the readable data to " + out.string() + " …");
    const auto saved = store::Store::salvage(file, out);
    if (!saved)
        return session.terminal.fail(saved.error());
    session.terminal.document({{"schema", "apertune.repair/1"},
                               {"workspace", file.string()},
                               {"whole", saved->damagedTables.empty()},
                               {"out", out.string()},
                               {"rows", saved->rows},
                               {"dropped", saved->dropped},
                               {"stand_ins", saved->placeholders},
                               {"damaged_tables", saved->damagedTables}});
    std::string text = "Saved " + std::to_string(saved->rows) + " rows to " + out.string() + ".\n";
    if (saved->dropped > 0)
        text += std::to_string(saved->dropped) +
                " rows were dropped, because they cannot be decoded or what they belong to is unknown.\n";
    if (saved->placeholders > 0)
        text += std::to_string(saved->placeholders) + " lost or unreadable rows (studies, models, machines, trials, "
                                                      "traces) are replaced by placeholders, so that "
                                                      "what belongs to them is kept.\n";
    for (const std::string& table : saved->damagedTables)
        text += "Damaged, rows may be missing: " + table + "\n";
    session.terminal.text(text + "The damaged file was not changed.");
    return kDone;
}

Action declareWorkspaceRepair(CLI::App& app)
{
    auto options = std::make_shared<Repair>();
    app.add_option("--out", options->out, "Workspace to write (default: a new one beside the damaged one)")
        ->type_name("FILE");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb workspaceRepairVerb()
{
    return {.path = {"workspace", "repair"},
            .group = Group::manage,
            .summary = "Recover the readable data of a damaged workspace",
            .examples = R"(  apertune workspace repair
  apertune workspace repair --store lab.apertune --out lab-saved.apertune)",
            .takes = Takes::workspace,
            .documents = {{"apertune.repair/1",
                           "`workspace`, `whole`, and when something was saved `out`, `rows`, `dropped`, "
                           "`damaged_tables`"}},
            .declare = declareWorkspaceRepair};
}

} // namespace apertune::cli
