// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/shard_sheet.h"
#include "app/cli/shortlist_text.h"
#include "app/cli/verb.h"
#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/model/interval_json.h"
#include "core/report/documents.h"
#include "core/report/recommendation.h"
#include "core/shards/merge.h"
#include "core/study/study_runner.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

/// Says what was not merged. Returns the exit code.
int showRefused(const shards::Merged& merged, Terminal& terminal)
{
    int code = kDone;
    for (const shards::MergedShard& shard : merged.shards)
        if (shard.refused)
            code = terminal.fail(*shard.refused);
    return code;
}

/// How fast machines of other classes are, a line each.
std::string speedText(const std::vector<shards::MachineSpeed>& speeds)
{
    std::string text;
    for (const shards::MachineSpeed& speed : speeds)
        text += "Speed of " + speed.device + " on " + speed.machine + " beside " + speed.against +
                ", by the reference configuration: " + text::formatRatio(speed.ratio) + "\n";
    return text.empty() ? text : "\n" + text;
}

Json speedDocument(const std::vector<shards::MachineSpeed>& speeds)
{
    Json list = Json::array();
    for (const shards::MachineSpeed& speed : speeds) {
        Json own{{"device", speed.device}, {"machine", speed.machine}, {"against", speed.against}};
        own.update(model::intervalJson("speed", speed.ratio));
        list.push_back(std::move(own));
    }
    return list;
}

int showMerged(const shards::ShardPlan& plan, const shards::Merged& merged, const store::Store& store, Session& session)
{
    const auto snapshot = study::loadStudy(store, merged.study);
    if (!snapshot)
        return session.terminal.fail(snapshot.error());
    const std::string study = text::toText(merged.study);
    const bool complete = snapshot->study.state == model::StudyState::finished;
    Json shortlist = Json::array();
    for (const model::Recommendation& candidate : snapshot->shortlist)
        shortlist.push_back(text::toText(candidate.trial));
    int added = 0;
    std::vector<shards::ShardStatus> states;
    Json list = Json::array();
    for (const shards::MergedShard& shard : merged.shards) {
        added += shard.added;
        states.push_back(shard.status);
        Json own = shardDocument(plan, shard.status);
        own["added"] = shard.added;
        own["refused"] = shard.refused ? Json(sentences::sentence(shard.refused->message)) : Json(nullptr);
        list.push_back(std::move(own));
    }
    session.terminal.document(
        {{"schema", "apertune.shard-merge/1"},
         {"folder", plan.folder.string()},
         {"plan_hash", plan.hash},
         {"workspace", store.file().string()},
         {"study", study},
         {"complete", complete},
         {"added", added},
         {"shards", std::move(list)},
         {"recommended", snapshot->recommended ? Json(text::toText(snapshot->recommended->trial)) : Json(nullptr)},
         {"confirmed", snapshot->recommended && report::isConfirmed(*snapshot, *snapshot->recommended)},
         {"shortlist", std::move(shortlist)},
         {"speeds", speedDocument(merged.speeds)}});
    std::string text = shardTable(states, session.terminal.width()) + "\nStudy " + study + ": " +
                       base::counted(added, "new result") + ". " + report::recommendationSentence(*snapshot) + "\n" +
                       shortlistText(*snapshot) + speedText(merged.speeds);
    if (!complete)
        text += "\nSome configurations are not measured yet. Run the shards that are not finished, and merge again.\n";
    session.terminal.text(text + "\nNext:\n  apertune show " + study + text::storeOption(snapshot->workspace) + "\n");
    return showRefused(merged, session.terminal);
}

int mergeFolder(const std::filesystem::path& folder, Session& session)
{
    const auto plan = shards::readShardPlan(folder);
    if (!plan)
        return session.terminal.fail(plan.error());
    auto store = store::Store::open(session.common.store, store::OpenMode::readWrite);
    if (!store)
        return session.terminal.fail(store.error());
    const auto merged = shards::mergeShards(*plan, *store);
    return merged ? showMerged(*plan, *merged, *store, session) : session.terminal.fail(merged.error());
}

Action declareShardMerge(CLI::App& app)
{
    auto folder = std::make_shared<std::filesystem::path>();
    addArgument(app, "FOLDER", *folder, kShardFolderHelp);
    return [folder](Session& session) { return mergeFolder(*folder, session); };
}

} // namespace

Verb shardMergeVerb()
{
    return {
        .path = {"shard", "merge"},
        .group = Group::manage,
        .summary = "Bring the results of all shards into one study",
        .examples = R"(  apertune shard merge /shared/r50
  apertune shard merge /shared/r50 --store cluster.apertune)",
        .takes = Takes::workspace,
        .documents = {{"apertune.shard-merge/1",
                       "`folder`, `plan_hash`, `workspace`, `study`, `complete` (every configuration has a result), "
                       "`added` (results that this merge brought), `shards` (the members of a shard in "
                       "`apertune.shard-status/1`, `added`, `refused`: null, or why it was left out), `recommended` "
                       "(a trial or null), `confirmed`, `shortlist` (trials to confirm on one machine), `speeds` (of "
                       "other machine classes, by the reference that all shards measure: each `device`, `machine`, "
                       "`against`, `speed` with `lo` and `hi`; above 1 is "
                       "faster)"}},
        .declare = declareShardMerge};
}

} // namespace apertune::cli
