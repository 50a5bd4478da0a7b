// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/importing.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/trial_run.h"
#include "app/cli/verb.h"
#include "core/base/text.h"
#include "core/claims/claims_report.h"
#include "core/runs/claim_evidence.h"
#include "core/runs/claim_measuring.h"
#include "core/sentences/sentences.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace apertune::cli {

using base::Json;
using claims::ClaimCheck;
using claims::ClaimState;

namespace {

struct Claims
{
    std::vector<std::string> models; ///< only with `measure`; empty: the example of each claim
    std::string claim;               ///< id; empty: all
    std::string topic;
    std::optional<ClaimState> state{};
    bool measure = false;
    bool dryRun = false;
    std::optional<base::Nanoseconds> budget{};
};

base::Result<std::vector<ClaimCheck>> checksOf(const engine::Workbench& workbench, store::Store& store,
                                               claims::ClaimEvidence& evidence)
{
    auto found = runs::claimEvidence(store, workbench.devices());
    if (!found)
        return found.error();
    evidence = std::move(*found);
    return claims::checkClaims(evidence);
}

/// The claims that the options ask for.
std::vector<ClaimCheck> chosen(std::vector<ClaimCheck> checks, const Claims& options, bool withState)
{
    std::erase_if(checks, [&](const ClaimCheck& check) {
        return (!options.claim.empty() && check.claim->id != options.claim) ||
               (!options.topic.empty() && check.claim->topic != options.topic) ||
               (withState && options.state && check.state != *options.state);
    });
    return checks;
}

std::string valuesText(const model::SearchSpace& space)
{
    // An axis without a value keeps its default, so it is not shown.
    std::vector<std::string> parts{base::join(space.backends, ",")};
    const auto add = [&parts](const auto& values, auto text) {
        std::vector<std::string> words;
        for (const auto& value : values)
            words.push_back(text(value));
        if (!words.empty())
            parts.push_back(base::join(words, ","));
    };
    add(space.levels, [](model::OptLevel level) { return std::string(model::toString(level)); });
    add(space.precisions, [](model::Precision precision) { return std::string(model::toString(precision)); });
    add(space.batches, [](int batch) { return "b" + std::to_string(batch); });
    add(space.threads, [](int threads) { return "t" + std::to_string(threads); });
    for (const auto& [name, values] : space.switches)
        parts.push_back(name + " off,on");
    return base::join(parts, " ");
}

base::Nanoseconds budgetOf(const claims::ClaimPlan& plan, const Claims& options)
{
    return options.budget.value_or(
        base::Nanoseconds{runs::kClaimStudyBudget.count * static_cast<std::int64_t>(plan.studies.size())});
}

std::string planText(const claims::ClaimPlan& plan, base::Nanoseconds budget, int width)
{
    text::TextTable table({{"Model"},
                           {"Device"},
                           {"Measured", text::Align::left, true},
                           {"Configurations", text::Align::right},
                           {"For the claims", text::Align::left, true}});
    std::size_t configurations = 0;
    for (const std::string& source : plan.imports)
        table.addRow({source, "", "its layers", "", ""});
    for (const claims::ClaimStudy& study : plan.studies) {
        configurations += study.configurations();
        table.addRow({study.model, base::join(study.space.devices), valuesText(study.space),
                      std::to_string(study.configurations()), base::join(study.claims)});
    }
    for (const claims::ClaimPipeline& pipeline : plan.pipelines)
        table.addRow({pipeline.model, pipeline.device, "from image to answer", "", base::join(pipeline.claims)});
    for (const std::string& device : plan.ceilings)
        table.addRow({"", device, "copy rates", "", ""});
    const auto count = [](std::size_t number) { return static_cast<std::int64_t>(number); };
    // Importing and converting depend on what the caches hold, so no time is given for them.
    return table.render(width) +
           text::wrap(base::counted(count(plan.studies.size()), "study", "studies") + " with " +
                          base::counted(count(configurations), "configuration") + ": up to " +
                          base::formatDuration(budget) + " of measuring" +
                          (plan.pipelines.empty()
                               ? std::string()
                               : ", 10 s for each of " + base::counted(count(plan.pipelines.size()), "run") +
                                     " from image to answer") +
                          ", and the time for importing and converting models.",
                      width, 0) +
           "\n";
}

Json planDocument(const claims::ClaimPlan& plan, base::Nanoseconds budget)
{
    Json studies = Json::array();
    for (const claims::ClaimStudy& study : plan.studies)
        studies.push_back({{"model", study.model},
                           {"devices", study.space.devices},
                           {"configurations", study.configurations()},
                           {"claims", study.claims}});
    Json pipelines = Json::array();
    for (const claims::ClaimPipeline& pipeline : plan.pipelines)
        pipelines.push_back({{"model", pipeline.model}, {"device", pipeline.device}, {"claims", pipeline.claims}});
    return {{"schema", "apertune.claim_plan/1"}, {"imports", plan.imports},   {"studies", std::move(studies)},
            {"pipelines", std::move(pipelines)}, {"ceilings", plan.ceilings}, {"budget_s", budget.seconds()}};
}

int show(const std::vector<ClaimCheck>& checks, const Claims& options, Session& session)
{
    session.terminal.document(claims::claimsDocument(checks));
    if (options.claim.empty())
        session.terminal.text(claims::claimsText(checks, session.terminal.width()));
    else
        session.terminal.text(claims::claimSheet(checks.front(), session.terminal.width()));
    return kDone;
}

/// The models that were named, imported where they are not known.
base::Result<std::vector<model::ModelRef>> namedModels(engine::Workbench& workbench, const Claims& options,
                                                       Session& session)
{
    std::vector<model::ModelRef> models;
    for (const std::string& name : options.models) {
        auto model = workbench.models().resolve(name, importObserver(session.terminal), session.interrupt.token());
        if (!model)
            return model.error();
        models.push_back(std::move(*model));
    }
    return models;
}

runs::MeasuredClaims measure(engine::Workbench& workbench, const claims::ClaimPlan& plan, base::Nanoseconds budget,
                             Session& session)
{
    std::optional<Progress> progress;
    runs::ClaimWatch watch;
    watch.step = [&](std::size_t number, std::size_t total, const std::string& subject) {
        // The line of progress of the step before must end before the note is written.
        session.terminal.note(std::to_string(number) + " of " + std::to_string(total) + ": " + subject);
        progress.emplace(session.terminal);
    };
    watch.import = importObserver(session.terminal);
    watch.study = [&progress](const study::StudyEvent& event) { (*progress)(event); };
    watch.phase = statusOf(session.terminal);
    return workbench.measureClaims(plan, budget, watch, session.interrupt.token());
}

int measureAndShow(const Claims& options, Session& session)
{
    Terminal& terminal = session.terminal;
    auto opened = engine::Workbench::open(session.common.store);
    if (!opened)
        return terminal.fail(opened.error());
    engine::Workbench& workbench = **opened;
    const auto models = namedModels(workbench, options, session);
    if (!models)
        return terminal.fail(models.error());
    claims::ClaimEvidence evidence;
    // The claims are checked before and after: what is missing decides what is measured.
    const auto before = checksOf(workbench, workbench.store(), evidence);
    if (!before)
        return terminal.fail(before.error());
    const claims::ClaimPlan plan = claims::planClaims(chosen(*before, options, true), workbench.devices(), *models);
    const base::Nanoseconds budget = budgetOf(plan, options);
    if (options.dryRun) {
        terminal.document(planDocument(plan, budget));
        terminal.text(plan.empty() ? "Nothing that this machine can measure is missing.\n"
                                   : planText(plan, budget, terminal.width()));
        return kDone;
    }
    runs::MeasuredClaims measured;
    // The remarks go to the terminal's notes, so that --json prints one document.
    if (plan.empty()) {
        terminal.note("Nothing that this machine can measure is missing.");
    } else {
        terminal.note(planText(plan, budget, terminal.width()));
        measured = measure(workbench, plan, budget, session);
    }
    const auto after = checksOf(workbench, workbench.store(), evidence);
    if (!after)
        return terminal.fail(after.error());
    show(chosen(*after, options, false), options, session);
    for (const auto& [subject, error] : measured.failures)
        terminal.note(subject + ": " + sentences::sentence(error.message));
    if (measured.interrupted) {
        terminal.note("Interrupted; what was measured is stored. The same call measures the rest.");
        return kInterrupted;
    }
    // A step that failed leaves its claim open, which the exit code shows.
    return measured.failures.empty() ? kDone : kNoResult;
}

int run(const Claims& options, Session& session)
{
    if (options.measure || options.dryRun)
        return measureAndShow(options, session);
    auto opened = engine::Workbench::open(session.common.store, store::OpenMode::readOnly);
    // Opening for writing makes the workspace.
    if (!opened) // The claims are there before the first workspace is.
        opened = engine::Workbench::open(session.common.store);
    claims::ClaimEvidence evidence;
    if (!opened)
        return session.terminal.fail(opened.error());
    const auto checks = checksOf(**opened, (*opened)->store(), evidence);
    return checks ? show(chosen(*checks, options, true), options, session) : session.terminal.fail(checks.error());
}

void requireKnown(const std::string& option, const std::string& text, const std::vector<std::string>& known)
{
    if (std::find(known.begin(), known.end(), text) == known.end())
        throw UsageError(invalidValue(option, text, known));
}

Action declareClaims(CLI::App& app)
{
    auto options = std::make_shared<Claims>();
    app.add_option("MODEL", options->models,
                   "With --measure: models to measure with (default: the one that each claim names)")
        ->type_name("");
    app.add_option_function<std::string>(
           "--claim",
           [options](const std::string& text) {
               std::vector<std::string> ids;
               for (const claims::Claim& claim : claims::publishedClaims())
                   ids.push_back(claim.id);
               requireKnown("--claim", text, ids);
               options->claim = text;
           },
           "Show one claim with the measurements behind it: channels-last")
        ->type_name("ID");
    Choices<std::string> topics;
    for (const std::string& topic : claims::claimTopics())
        topics.emplace_back(topic, topic);
    addChoice<std::string>(app, "--topic", options->topic, topics, "Show only the claims about one topic");
    Choices<ClaimState> states;
    for (const ClaimState state : claims::kAllClaimStates)
        states.emplace_back(toString(state), state);
    addChoice<ClaimState>(app, "--state", options->state, states, "Show only the claims in one state");
    app.add_flag("--measure", options->measure, "Plan the missing trials, and measure them");
    app.add_flag("--dry-run", options->dryRun, "Show what --measure would measure");
    addTime(app, "--budget", options->budget, "Measuring time of all studies (default: 30s for each)");
    app.final_callback([options] {
        // A model without --measure would be ignored in silence.
        if (!options->models.empty() && !options->measure && !options->dryRun)
            throw UsageError(base::plainError(base::ErrorCode::invalidArgument, "MODEL goes with --measure.", {},
                                              "`apertune claims --measure " + options->models.front() + "`"));
    });
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb claimsVerb()
{
    return {.path = {"claims"},
            .group = Group::explain,
            .summary = "Compare claims of optimization guides with what is measured here",
            .examples = R"(  apertune claims                              all claims, and what the workspace measured
  apertune claims --measure --budget 5m        measure what is missing
  apertune claims --measure mobilenet_v2 --topic layout
  apertune claims --claim channels-last        one claim with the trials behind it)",
            .takes = Takes::untrustedCode,
            .documents =
                {{"apertune.claims/1",
                  "`counts` (by state), `claims`: `id`, `topic`, `guide`, `section`, `says`, `state` (`agrees`, "
                  "`disagrees`, `cannot_tell`, `partly_measured`, `not_measured`, `cannot_measure`; figures have no "
                  "`partly_measured`), `figures`: `quantity` and `unit` "
                  "(null where nothing can measure it), `claimed` (`lo`, `hi`; null: open), `state`, `measured` "
                  "(`value`, null while `state` is `cannot_tell`; `lo`, `hi`, null where it has no interval; or null), "
                  "`exact` (a count or a computed "
                  "agreement), `device`, `reason` (text or null), `evidence`: `model`, `study`, `from`, `to` (trials, "
                  "or null), `measured`"},
                 {"apertune.claim_plan/1",
                  "`imports`, `studies` (`model`, `devices`, `configurations`, `claims`), `pipelines` (`model`, "
                  "`device`, `claims`), `ceilings` (devices), `budget_s`",
                  "--dry-run"}},
            .declare = declareClaims};
}

} // namespace apertune::cli
