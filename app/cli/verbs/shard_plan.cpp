// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/shards/shard_plan.h"

#include "app/cli/importing.h"
#include "app/cli/options.h"
#include "app/cli/tune_options.h"
#include "app/cli/verb.h"
#include "core/base/escape.h"
#include "core/base/files.h"
#include "core/engine/workbench.h"
#include "core/model/json_codec.h"
#include "core/models/trust.h"
#include "core/models/usable_model.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::cli {

namespace {

struct PlanShards
{
    std::shared_ptr<const Tune> tune{};
    int count = 0;
    std::filesystem::path out;
};

/// Finds the model, or imports it, and asks for the permission to run its code where that is open.
base::Result<model::ModelRef> modelOf(engine::Workbench& workbench, const Tune& tune, Session& session)
{
    auto known = workbench.models().resolveKnown(tune.model);
    if (!known)
        return known.error();
    if (!*known) {
        if (const auto writable = workbench.openForWriting(); !writable)
            return writable.error();
        workbench.models().setLimits(tune.importLimits);
        auto imported =
            workbench.models().resolve(tune.model, importObserver(session.terminal), session.interrupt.token());
        if (!imported)
            return imported.error();
        known = std::optional(std::move(*imported));
    }
    if (const auto usable = models::requireUsable(**known); !usable)
        return usable.error();
    return std::move(**known);
}

base::Result<shards::ShardPlan> makePlan(const PlanShards& options, Session& session)
{
    auto opened = openToAsk(session.common.store);
    if (!opened)
        return opened.error();
    engine::Workbench& workbench = **opened;
    study::StudyRequest request = options.tune->request;
    // A mistake in the options is reported before a model is imported, which may take minutes.
    if (const auto possible = workbench.checkSpace(request.space); !possible)
        return possible.error();
    auto model = modelOf(workbench, *options.tune, session);
    if (!model)
        return model.error();
    request.model = std::move(*model);
    request.commandLine = repeatLine(*options.tune, session.repeatLine);
    const auto planned = workbench.makeRunner()->plan(request);
    if (!planned)
        return planned.error();
    auto plan = shards::makeShardPlan(request, *planned, options.count);
    if (!plan)
        return plan.error();
    auto written = shards::writeShardPlan(std::move(*plan), options.out);
    // The copy is the model whose code may run already.
    if (written)
        models::trustModel(written->request.model);
    return written;
}

int showShards(const shards::ShardPlan& plan, Session& session)
{
    const auto text = base::readFile(shards::planFile(plan));
    if (!text)
        return session.terminal.fail(text.error());
    if (const auto document = model::parseJson(*text))
        session.terminal.document(*document);
    text::TextTable table({{"Shard", text::Align::right},
                           {"Configurations", text::Align::right},
                           {"Impossible", text::Align::right},
                           {"First", text::Align::left, true}});
    for (const auto& configurations : plan.shards) {
        const auto impossible = std::count_if(
            configurations.begin(), configurations.end(),
            [](const shards::ShardConfiguration& configuration) { return !configuration.planned.impossible.empty(); });
        const search::PlannedConfiguration& first = configurations.front().planned;
        table.addRow({std::to_string(&configurations - plan.shards.data() + 1), std::to_string(configurations.size()),
                      std::to_string(impossible),
                      first.device + " " + model::groupName(first.config, model::typeOfDevice(first.device))});
    }
    const std::string folder = base::shellQuoted(plan.folder.string());
    session.terminal.text(table.render(session.terminal.width()) + "\nNext, one of:\n  apertune shard run " + folder +
                          " --shard 1   # on each machine another shard\n  apertune shard submit " + folder +
                          " --slurm\n  apertune shard submit " + folder +
                          " --ssh HOST,HOST\nand then:\n  apertune shard status " + folder +
                          "\n  apertune shard merge " + folder + "\n");
    return kDone;
}

int run(const PlanShards& options, Session& session)
{
    const auto plan = makePlan(options, session);
    return plan ? showShards(*plan, session) : session.terminal.fail(plan.error());
}

Action declareShardPlan(CLI::App& app)
{
    auto options = std::make_shared<PlanShards>();
    addCount(app, "--shards", options->count, "Number of shards, each for one machine or one job", 1, 10'000)
        ->required();
    app.add_option("--out", options->out, "Folder to write, on a file system that all machines see")
        ->type_name("FOLDER")
        ->required();
    options->tune = declareStudyOptions(app);
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb shardPlanVerb()
{
    return {.path = {"shard", "plan"},
            .group = Group::manage,
            .summary = "Divide a sweep into shards for several machines",
            .examples = R"(  apertune shard plan resnet50 --shards 4 --out /shared/r50
  apertune shard plan resnet50 --shards 8 --out /shared/r50 --backends all --precisions fp32,bf16 --budget 30m)",
            .takes = Takes::untrustedCode,
            .documents = {{"apertune.shard-plan/1",
                           "the file `plan.json` of the folder: `created`, `command_line`, `request_hash` (SHA-256 of "
                           "the request with the content hash of the model), `content_hash`, `model`, `request` "
                           "(`goal`, `space`, `budget_ns` of each shard, `budget_kind`: `wall` or `measuring`, "
                           "`target`), `references` (by device, the configuration that takes turns with all trials), "
                           "`shards` (`shard`, `configurations`: each `ordinal`, `device`, `config`, "
                           "`impossible`: null, or `kind` and `message`), `plan_hash` (SHA-256 of all before it)"}},
            .declare = declareShardPlan};
}

} // namespace apertune::cli
