// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/shard_sheet.h"
#include "app/cli/verb.h"
#include "core/base/escape.h"
#include "core/base/files.h"
#include "core/base/run_child.h"
#include "core/base/text.h"
#include "core/shards/submission.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>

namespace apertune::cli {

using base::Json;

namespace {

struct Submit
{
    std::filesystem::path folder;
    bool slurm = false;
    bool dryRun = false;
    std::vector<std::string> hosts{};
    std::vector<std::string> sbatch{};
    std::string program;
};

/// The shards that nobody measures and that have something left.
std::vector<int> openShards(const shards::ShardPlan& plan)
{
    std::vector<int> open;
    for (const shards::ShardStatus& status : statesOf(plan))
        if (status.state != shards::ShardState::finished && status.state != shards::ShardState::running)
            open.push_back(status.shard);
    return open;
}

std::string lineOf(const std::vector<std::string>& command)
{
    std::vector<std::string> words;
    for (const std::string& word : command)
        words.push_back(base::shellQuoted(word));
    return base::join(words, " ");
}

Json submitDocument(const shards::ShardPlan& plan, const Submit& options, const std::vector<int>& open)
{
    return {{"schema", "apertune.shard-submit/1"},
            {"folder", plan.folder.string()},
            {"through", options.slurm ? "slurm" : "ssh"},
            {"dry_run", options.dryRun},
            {"shards", open}};
}

int submitToSlurm(const shards::ShardPlan& plan, const std::vector<int>& open, const shards::Start& start,
                  const Submit& options, Session& session)
{
    const shards::SlurmJob job = shards::slurmJob(plan, open, start, options.sbatch);
    Json document = submitDocument(plan, options, open);
    document["script"] = job.script;
    document["commands"] = Json::array({lineOf(job.command)});
    if (options.dryRun) {
        session.terminal.document(document);
        session.terminal.text("# " + job.file.string() + "\n" + job.script + "\n# which this submits:\n" +
                              lineOf(job.command) + "\n");
        return kDone;
    }
    if (const auto written = base::writeFileAtomically(job.file, job.script); !written)
        return session.terminal.fail(written.error());
    const auto ran = base::runChild(job.command, base::fromSeconds(120), session.interrupt.token());
    if (!ran)
        return session.terminal.fail(ran.error());
    if (!ran->exit.clean())
        return session.terminal.fail(base::plainError(
            base::ErrorCode::io, "sbatch did not take the job: " + base::lastLine(ran->err + "\n" + ran->out),
            lineOf(job.command), "Give options of your cluster with --sbatch, or see the script with --dry-run."));
    document["answer"] = base::lastLine(ran->out);
    session.terminal.document(document);
    session.terminal.text(base::lastLine(ran->out) + "\n\nNext:\n  apertune shard status " +
                          base::shellQuoted(plan.folder.string()) + "\n");
    return kDone;
}

/// Tells what happens to the shards, and remembers it for the document.
class SshRunNotes
{
public:
    explicit SshRunNotes(Session& session) : m_session(session) {}

    void operator()(const shards::SshRun& event)
    {
        const std::string what = event.host + ": shard " + std::to_string(event.shard);
        if (!event.result) {
            m_session.terminal.note(what + " begins");
            return;
        }
        std::string end = "ended";
        if (!*event.result) {
            end = sentences::sentence(event.result->error().message);
        } else if (const base::ChildResult& ran = **event.result; !ran.exit.clean()) {
            end = base::describe(ran.exit);
            if (const std::string why = base::lastLine(ran.err); !why.empty())
                end += ": " + why;
        }
        m_session.terminal.note(what + " " + end);
        m_runs.push_back({{"shard", event.shard}, {"host", event.host}, {"end", end}});
    }
    const Json& runs() const { return m_runs; }

private:
    Session& m_session;
    Json m_runs = Json::array();
};

int submitOverSsh(const shards::ShardPlan& plan, const std::vector<int>& open, const shards::Start& start,
                  const Submit& options, Session& session)
{
    if (const auto valid = shards::requireHosts(options.hosts); !valid)
        return session.terminal.fail(valid.error());
    Json document = submitDocument(plan, options, open);
    if (options.dryRun) {
        std::string lines;
        Json commands = Json::array();
        // Which host takes which shard depends on their speed; the first ones are certain.
        for (std::size_t i = 0; i < open.size(); ++i) {
            const std::string line =
                lineOf(shards::sshCommand(plan, open[i], options.hosts[i % options.hosts.size()], start));
            commands.push_back(line);
            lines += line + "\n";
        }
        document["commands"] = std::move(commands);
        session.terminal.document(document);
        session.terminal.text(lines);
        return kDone;
    }
    SshRunNotes notes(session);
    session.terminal.status("Measuring " + base::counted(static_cast<std::int64_t>(open.size()), "shard") + " on " +
                            base::join(options.hosts) + " …");
    shards::runOverSsh(plan, open, options.hosts, start, std::ref(notes), session.interrupt.token());
    session.terminal.status({});
    const std::vector<shards::ShardStatus> states = statesOf(plan);
    document["runs"] = notes.runs();
    session.terminal.document(document);
    session.terminal.text(shardTable(states, session.terminal.width()) + "\nNext:\n  apertune shard merge " +
                          base::shellQuoted(plan.folder.string()) + "\n");
    if (session.interrupt.requested())
        return kInterrupted;
    // A shard whose connection was cut may still run.
    const bool isDone = std::all_of(states.begin(), states.end(), [](const shards::ShardStatus& status) {
        return status.state == shards::ShardState::finished;
    });
    return isDone ? kDone : kNoResult;
}

int run(const Submit& options, Session& session)
{
    const auto plan = shards::readShardPlan(options.folder);
    if (!plan)
        return session.terminal.fail(plan.error());
    const std::vector<int> open = openShards(*plan);
    if (open.empty()) {
        session.terminal.document(submitDocument(*plan, options, open));
        session.terminal.text("Nothing is left to submit: every shard is finished or runs. Merge them: apertune shard "
                              "merge " +
                              base::shellQuoted(plan->folder.string()));
        return kDone;
    }
    const shards::Start start{options.program, session.common.trust, session.common.noSandbox};
    return options.slurm ? submitToSlurm(*plan, open, start, options, session)
                         : submitOverSsh(*plan, open, start, options, session);
}

Action declareShardSubmit(CLI::App& app)
{
    auto options = std::make_shared<Submit>();
    options->program = (base::installPrefix() / "bin" / "apertune").string();
    addArgument(app, "FOLDER", options->folder, kShardFolderHelp);
    CLI::Option* const slurm =
        app.add_flag("--slurm", options->slurm, "Write a job array with one task a shard, and give it to sbatch");
    CLI::Option* const ssh =
        app.add_option("--ssh", options->hosts, "Hosts that measure, as ssh takes them, each one shard at a time")
            ->type_name("HOST,HOST")
            ->delimiter(',')
            ->allow_extra_args(false)
            ->excludes(slurm);
    app.add_option("--sbatch", options->sbatch, "Option for sbatch, such as --partition=gpu; repeatable")
        ->type_name("OPTION")
        ->allow_extra_args(false)
        ->needs(slurm);
    app.add_option("--program", options->program, "Program to start there (default: the path of this one)")
        ->type_name("PATH");
    app.add_flag("--dry-run", options->dryRun, "Print the script or the commands, and start nothing");
    app.final_callback([slurm, ssh] {
        if (slurm->count() == 0 && ssh->count() == 0)
            throw UsageError(base::plainError(base::ErrorCode::invalidArgument, "It is not said where the shards run.",
                                              {}, "Add --slurm, or --ssh HOST,HOST."));
    });
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb shardSubmitVerb()
{
    return {
        .path = {"shard", "submit"},
        .group = Group::manage,
        .summary = "Start the open shards through Slurm or ssh",
        .examples = R"(  apertune shard submit /shared/r50 --slurm --sbatch=--partition=gpu --sbatch=--gres=gpu:1
  apertune shard submit /shared/r50 --ssh node1,node2
  apertune shard submit /shared/r50 --ssh node1,node2 --dry-run   only print the commands)",
        .takes = Takes::shard,
        .documents = {{"apertune.shard-submit/1",
                       "`folder`, `through` (`slurm` or `ssh`), `dry_run`, `shards` (numbers of those that are "
                       "neither finished nor running), `script` and `answer` (of sbatch), `commands` (what is run), "
                       "`runs` (over ssh: each `shard`, `host`, `end`)"}},
        .declare = declareShardSubmit};
}

} // namespace apertune::cli
