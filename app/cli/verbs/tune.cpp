// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/image_sizes.h"
#include "app/cli/imported.h"
#include "app/cli/importing.h"
#include "app/cli/lookup.h"
#include "app/cli/memory_sheet.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/shortlist_text.h"
#include "app/cli/study_run.h"
#include "app/cli/tune_options.h"
#include "app/cli/under_load.h"
#include "app/cli/variants.h"
#include "app/cli/verb.h"
#include "core/base/escape.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/engine/workbench.h"
#include "core/exports/exporter.h"
#include "core/model/json_codec.h"
#include "core/models/model_name.h"
#include "core/report/documents.h"
#include "core/report/recommendation.h"
#include "core/report/study_table.h"
#include "core/search/algorithm.h"
#include "core/sentences/sentences.h"
#include "core/sweeps/sweep_file.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace apertune::cli {

using base::Json;

namespace {

/// The fastest int8 configuration among those that violate the quality bound.
const model::Trial* fastestLossyInt8(const model::StudySnapshot& snapshot)
{
    const model::Trial* found = nullptr;
    for (const model::Trial& trial : snapshot.trials)
        if (const auto& flags = trial.measurement.flags;
            trial.config.quantization &&
            std::count(flags.begin(), flags.end(), model::TrialFlag::belowQualityBound) > 0 &&
            (!found || trial.measurement.latencyNs.value < found->measurement.latencyNs.value))
            found = &trial;
    return found;
}

std::string nextSteps(const model::StudySnapshot& snapshot)
{
    const std::string study = text::toText(snapshot.study.id);
    const std::string store = text::storeOption(snapshot.workspace);
    std::string text = "Next:\n";
    if (snapshot.recommended) {
        const std::string trial = text::toText(snapshot.recommended->trial);
        // The recommended trial is looked up for its configuration: an engine without a template has no program.
        const auto best = std::find_if(snapshot.trials.begin(), snapshot.trials.end(),
                                       [&](const model::Trial& t) { return t.id == snapshot.recommended->trial; });
        const bool program =
            best != snapshot.trials.end() && exports::hasProgram(best->config, exports::ExportTarget::python);
        text += "  apertune show " + trial + store + "\n";
        text += "  apertune export " + trial + (program ? " --target python" : " --target json") + " --out " +
                base::shellQuoted(snapshot.study.model.name + "-" + trial) + store + "\n";
    }
    if (const std::string confirm = report::confirmCommand(snapshot); !confirm.empty())
        text += "  " + confirm + "\n  apertune show " + text::toText(snapshot.shortlist.front().trial) + store + "\n";
    // The fastest int8 trial may have lost too much, which a mix of precisions can mend.
    if (const model::Trial* lossy = fastestLossyInt8(snapshot))
        text += "  apertune quality mix " + text::toText(lossy->id) + store +
                "   # int8 lost too much; which layers, and how few?\n";
    text += "  apertune report " + study + " --out report.html" + store + "\n";
    text += "  apertune gui" + store + "\n";
    return text;
}

/// Shows a study. If it has finished, the best trials first run the requested load scenarios.
int show(engine::Workbench& workbench, const model::StudySnapshot& snapshot, const Tune& options, Session& session,
         bool interrupted)
{
    Terminal& terminal = session.terminal;
    Json document = report::studyDocument(snapshot);
    UnderLoad load;
    // Loads and robustness are measured after the study, since they need its winner.
    if (!interrupted && !options.scenarios.empty()) {
        Json documents;
        load = putUnderLoad(workbench, snapshot, options, session, documents);
        document["scenarios"] = std::move(documents);
    }
    std::string robust;
    if (!interrupted && !load.interrupted && options.robust) {
        Json result;
        robust = measureRobustness(workbench, snapshot, session, result);
        document["robustness"] = std::move(result);
    }
    terminal.document(document);
    const std::string study = text::toText(snapshot.study.id);
    terminal.text("\n" + report::studyTable(snapshot, terminal.width()) + "\n" +
                  (load.table.empty() ? std::string() : "Under load\n" + load.table + "\n") +
                  (robust.empty() ? std::string() : "Beside a competing program\n" + robust + "\n") +
                  (interrupted            ? "So far: "
                   : snapshot.recommended ? "✔ "
                                          : "") +
                  report::recommendationSentence(snapshot) + "\n" + shortlistText(snapshot) + "\n" +
                  (interrupted ? std::string() : nextSteps(snapshot)));
    if (load.interrupted) {
        terminal.note("Interrupted; the study is finished, and the results under load so far are stored.");
        return kInterrupted;
    }
    if (interrupted) {
        terminal.note("Interrupted; the results so far are stored. Resume with: apertune tune --resume " + study +
                      text::storeOption(snapshot.workspace));
        return kInterrupted;
    }
    const bool measured = std::any_of(snapshot.trials.begin(), snapshot.trials.end(),
                                      [](const model::Trial& t) { return t.state == model::TrialState::ok; });
    // Even then the document and the table were printed, because they have the reasons.
    if (!measured)
        terminal.note("Nothing could be measured; the reasons are above and in `apertune show " + study +
                      text::storeOption(snapshot.workspace) + "`.");
    if (const std::string confirm = report::confirmCommand(snapshot); measured && !confirm.empty())
        terminal.note("Nothing is recommended, because nothing was confirmed. Confirm the shortlist with: " + confirm);
    // An interrupted study and one that recommends nothing have exit codes of their own.
    return report::answerOf(snapshot) == report::Answer::better ? kDone : kNoResult;
}

int showPlan(const study::StudyPlan& plan, const model::ModelRef& model, Session& session)
{
    Json configurations = Json::array();
    const std::string algorithm(plan.search ? toString(*plan.search) : "");
    std::string possible;
    std::string impossible;
    // Names are unique within the plan, so all configurations must be known first.
    std::vector<model::Trial> planned;
    for (const search::PlannedConfiguration& configuration : plan.configurations) {
        model::Trial& trial = planned.emplace_back();
        trial.device = configuration.device;
        trial.config = configuration.config;
    }
    const model::ConfigurationNames names(planned);
    for (std::size_t i = 0; i < planned.size(); ++i) {
        const search::PlannedConfiguration& configuration = plan.configurations[i];
        const bool runs = configuration.impossible.empty();
        configurations.push_back(
            {{"device", configuration.device},
             {"config", model::toJson(configuration.config)},
             {"impossible", runs ? Json(nullptr) : Json(sentences::sentence(configuration.impossible.message))}});
        const std::string line = "  " + configuration.device + "  " + names.of(planned[i]);
        runs ? possible += line + "\n"
             : impossible += line + "  " + sentences::sentence(configuration.impossible.message) + "\n";
    }
    session.terminal.document(
        {{"schema", "apertune.plan/1"},
         {"model", model.name},
         {"cells", configurations},
         {"runnable", plan.runnable},
         {"compiles", plan.compiles},
         {"search", algorithm},
         {"largest_batch", plan.largestBatch > 0 ? Json(plan.largestBatch) : Json(nullptr)},
         {"memory", memoryDocument(plan.memory)},
         {"estimate_s", {{"lo", plan.estimateLow.seconds()}, {"hi", plan.estimateHigh.seconds()}}}});
    // A resumed study may have nothing left.
    if (plan.runnable == 0 && impossible.empty()) {
        session.terminal.text("Nothing is left to measure.");
        return kDone;
    }
    const bool all = plan.search == search::Algorithm::grid;
    const std::string batches =
        plan.largestBatch > 0 ? "Batches go up from 1 by doubling, until memory is full or throughput no longer grows; "
                                "then the largest batch that fits is found by bisection.\n"
                              : std::string();
    const std::string least = base::formatDuration(plan.estimateLow);
    const std::string most = base::formatDuration(plan.estimateHigh);
    session.terminal.text(
        (all ? "Would measure " : "Would search by " + algorithm + " among ") +
        base::counted(static_cast<std::int64_t>(plan.runnable), "configuration") + " of " + model.name +
        " and compile " + base::counted(static_cast<std::int64_t>(plan.compiles), "package") + ": about " +
        (least == most ? most : least + " – " + most) + ".\n" + batches + "\n" + possible +
        (impossible.empty() ? std::string() : "\nImpossible here\n" + impossible) +
        (plan.memory.empty() ? std::string()
                             : "\nEstimated memory\n" + memorySheet(plan.memory, session.terminal.width())));
    return kDone;
}

/// The study for --resume: the named one, else the newest unfinished one (of `model`, when given).
base::Result<std::optional<model::StudyId>> unfinishedStudy(const store::Store& store, const std::string& named,
                                                            const std::string& modelName)
{
    // A study that is named is resumed even when a newer one was interrupted.
    if (!named.empty()) {
        const auto id = findStudy(store, named);
        if (!id)
            return id.error();
        return std::optional(*id);
    }
    const auto studies = store.studies();
    if (!studies)
        return studies.error();
    for (const store::StudySummary& study : *studies)
        // Studies of verifications and estimates are resumed by their own verbs.
        if (study.state != model::StudyState::finished && study.purpose == model::StudyPurpose::tuning &&
            (modelName.empty() || study.modelName == modelName))
            return std::optional(study.id);
    return std::optional<model::StudyId>();
}

int show(engine::Workbench& workbench, const base::Result<StudyRun>& run, const Tune& options, Session& session)
{
    return run ? show(workbench, run->snapshot, options, session, run->interrupted)
               : session.terminal.fail(run.error());
}

std::string valueText(const std::string& member, const Json& value)
{
    if (value.is_array() || value.is_object()) {
        std::vector<std::string> words;
        for (const auto& [name, entry] : value.items()) {
            std::string text = entry.is_string() ? entry.get<std::string>() : entry.dump();
            if (member == "max_percentiles_ns") {
                text = name + "=" + base::formatDuration({entry.get<std::int64_t>()});
            } else if (value.is_object()) {
                text = name + "=";
                for (const auto& on : entry)
                    text += on.get<bool>() ? "on," : "off,";
                text.pop_back();
            }
            // 0 is the value for automatic batches in the document.
            words.push_back(member == "batches" && text == "0" ? "auto" : text);
        }
        return !words.empty()               ? base::join(words)
               : member.starts_with("max_") ? std::string("no bound")
                                            : std::string("the default");
    }
    if (value.is_null())
        return member.starts_with("max_") ? "no bound" : "the default";
    if (member == "max_energy_j")
        return base::formatSignificant(value.get<double>() * text::kMillijoulesPerJoule) + "mJ";
    if (member == "max_latency_ns" || member == "max_first_ns")
        return base::formatDuration({value.get<std::int64_t>()});
    if (member == "max_memory_bytes")
        return base::formatBytes({value.get<std::int64_t>()});
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// The requested values that the study does not have: "--levels O2 (it has O0, O1)"; empty when it has all of them.
std::vector<std::string> differences(const Tune& options, const model::Study& study)
{
    static constexpr auto kMembers =
        std::to_array<std::pair<const char*, const char*>>({{"--levels", "levels"},
                                                            {"--precisions", "precisions"},
                                                            {"--batches", "batches"},
                                                            {"--devices", "devices"},
                                                            {"--threads", "threads"},
                                                            {"--switch", "switches"},
                                                            {"--backends", "backends"},
                                                            {"--calibration", "calibration"},
                                                            {"--calibration-samples", "calibration_samples"},
                                                            {"--emulated", "emulated"},
                                                            {"--spread", "spread"},
                                                            {"--memory-share", "memory_share"},
                                                            {"--search", "search"},
                                                            {"--goal", "objective"},
                                                            {"--goal", "also"},
                                                            {"--max-latency", "max_latency_ns"},
                                                            {"--max-latency", "max_percentiles_ns"},
                                                            {"--max-memory", "max_memory_bytes"},
                                                            {"--max-energy", "max_energy_j"},
                                                            {"--max-first", "max_first_ns"},
                                                            {"--min-quality", "min_quality"},
                                                            {"--max-rel-error", "max_rel_error"},
                                                            {"--max-abs-error", "max_abs_error"},
                                                            {"--target", "target"}});
    const auto members = [](const model::SearchSpace& space, const model::Goal& goal, double target) {
        // JSON is compared, so that a new member is compared as soon as it has a row above.
        Json all = model::toJson(space);
        all.update(model::toJson(goal));
        all["target"] = target;
        // The order of lists has no meaning on the command line.
        for (Json& value : all)
            if (value.is_array())
                std::sort(value.begin(), value.end());
        return all;
    };
    const Json asked = members(options.request.space, options.request.goal, options.request.target);
    const Json has = members(study.space, study.goal, study.target);
    std::vector<std::string> found;
    for (const auto& [option, member] : kMembers) {
        const Json wanted = asked.value(member, Json());
        const Json there = has.value(member, Json());
        // Only options on the command line are compared. The others keep the study's values.
        if (options.given.contains(option) && wanted != there)
            found.push_back(std::string(option) + " " + valueText(member, wanted) + " (it has " +
                            valueText(member, there) + ")");
    }
    return found;
}

/// Resumes a study. Returns nothing when there is none to resume.
std::optional<int> resume(engine::Workbench& workbench, const Tune& options, Session& session)
{
    // The name of the model is what its studies are stored under.
    const std::string wanted = options.model.empty() ? std::string() : models::defaultName(options.model);
    const auto id = unfinishedStudy(workbench.store(), options.resumeStudy, wanted);
    if (!id)
        return session.terminal.fail(id.error());
    if (!*id && options.model.empty())
        return session.terminal.fail(
            base::plainError(base::ErrorCode::notFound, "There is no interrupted study to resume.",
                             workbench.store().file().string(), "Start one: `apertune tune MODEL`."));
    if (!*id) {
        session.terminal.note("Nothing to resume for " + wanted + ": starting a new study.");
        return std::nullopt;
    }
    const auto snapshot = study::loadStudy(workbench.store(), **id);
    if (!snapshot)
        return session.terminal.fail(snapshot.error());
    if (const auto refusal = whyNotRun(snapshot->study, text::toText(**id)))
        return session.terminal.fail(*refusal);
    // Other options would make a study of two kinds of trials.
    if (const auto other = differences(options, snapshot->study); !other.empty())
        return session.terminal.fail(base::plainError(
            base::ErrorCode::invalidArgument,
            "Study " + text::toText(**id) + " was begun with other options: " + base::join(other, "; ") + ".", {},
            "Leave them out to resume it, or leave out --resume to start a new study."));
    // A finished study goes on only when a budget can add what was left out.
    const bool mayGoOn = options.given.contains("--budget") && report::lacksTime(*snapshot);
    if (snapshot->study.state == model::StudyState::finished && !mayGoOn && !report::canBeSurer(*snapshot)) {
        session.terminal.note("Study " + text::toText(**id) + " is finished already.");
        return show(workbench, *snapshot, options, session, false);
    }
    const auto runner = workbench.makeRunner();
    const auto budget =
        options.given.contains("--budget") ? std::optional(options.request.budget) : std::optional<base::Nanoseconds>();
    const study::ResumeRequest request{**id, budget, options.whenQuiet};
    if (options.dryRun) {
        const auto plan = runner->plan(request);
        if (plan && plan->runnable == 0)
            session.terminal.note("Every configuration of study " + text::toText(**id) +
                                  " is measured or left out; --budget TIME measures what was left out for lack of "
                                  "time.");
        return plan ? showPlan(*plan, snapshot->study.model, session) : session.terminal.fail(plan.error());
    }
    Progress progress(session.terminal);
    const auto outcome = runner->resume(request, std::ref(progress), session.interrupt.token());
    return show(workbench, studyRunOf(outcome, *runner, workbench), options, session);
}

int dryRun(engine::Workbench& workbench, const model::ModelRef& model, const Tune& options, Session& session)
{
    study::StudyRequest request = options.request;
    request.model = model;
    const auto plan = workbench.makeRunner()->plan(request);
    return plan ? showPlan(*plan, model, session) : session.terminal.fail(plan.error());
}

/// Writes the sweep file of --write-config.
base::Status writeSweep(const Tune& options, Session& session)
{
    const bool json = base::lower(options.writeConfig.extension().string()) == ".json";
    if (auto written = base::writeFileAtomically(options.writeConfig, json ? sweeps::sweepJson(options.sweep)
                                                                           : sweeps::sweepYaml(options.sweep));
        !written)
        return written;
    session.terminal.note("Wrote " + options.writeConfig.string() + "; apertune tune --config " +
                          base::shellQuoted(options.writeConfig.string()) + " measures the same sweep.");
    return {};
}

int run(const Tune& options, Session& session)
{
    auto opened = openToAsk(session.common.store);
    if (!opened)
        return session.terminal.fail(opened.error());
    engine::Workbench& workbench = **opened;
    // A mistake in the options is reported before a model is imported, which may take minutes.
    if (!options.resume)
        if (const auto possible = workbench.checkSpace(options.request.space); !possible)
            return session.terminal.fail(possible.error());
    if (!options.writeConfig.empty())
        if (const auto written = writeSweep(options, session); !written)
            return session.terminal.fail(written.error());
    if (options.dryRun && options.resume) {
        // A dry run never starts a study, so it ends here when it could show one.
        if (const auto code = resume(workbench, options, session))
            return *code;
    }
    if (options.dryRun && !options.model.empty()) {
        const auto known = workbench.models().resolveKnown(options.model);
        if (!known)
            return session.terminal.fail(known.error());
        if (*known)
            return dryRun(workbench, **known, options, session);
    }
    // A dry run of a known model has returned by now, so that it never needs a workspace to write to.
    if (const auto writable = workbench.openForWriting(); !writable)
        return session.terminal.fail(writable.error());
    workbench.models().setLimits(options.importLimits);
    // --retry-failed counts for this run only.
    if (options.retryFailed)
        workbench.compileCache().retryFailed();
    // Resuming comes before an import: the study has its model.
    if (options.resume && !options.dryRun)
        if (const auto code = resume(workbench, options, session))
            return *code;
    if (!options.imageSizes.empty())
        return tuneSizes(workbench, options, session);
    if (!options.variants.empty())
        return tuneVariants(workbench, options, session);

    const auto model =
        workbench.models().resolve(options.model, importObserver(session.terminal), session.interrupt.token());
    if (!model)
        return session.terminal.fail(model.error());
    if (options.dryRun)
        return dryRun(workbench, *model, options, session);
    study::StudyRequest request = options.request;
    request.model = *model;
    request.commandLine = repeatLine(options, session.repeatLine);
    return show(workbench, runStudy(workbench, request, session), options, session);
}

Action declareTune(CLI::App& app)
{
    return [options = declareTuneOptions(app)](Session& session) { return run(*options, session); };
}

} // namespace

Verb tuneVerb()
{
    return {.path = {"tune"},
            .group = Group::tune,
            .summary = "Sweep a model on this machine and recommend a configuration",
            .examples = R"(  apertune tune resnet50
  apertune tune torchvision:vit_b_16 --devices cuda:0 --precisions fp16,bf16 --batches 1,8,32
  apertune tune resnet50 --goal latency --max-latency 20ms --switch channels_last=on,off
  apertune tune resnet50 --image-sizes 160,224,288
  apertune tune vit_b_16 --variant slice=2,4   attention in slices, beside the model as it is
  apertune tune resnet50 --backends all --precisions fp32,bf16,int8
  apertune tune resnet50 --scenario server --max-latency 50ms   and what rate the best ones hold
  apertune tune resnet50 --robust           and what is fastest while another program computes
  apertune tune resnet50 --devices all --spread   equal GPUs share the work
  apertune tune resnet50 --dry-run          what would run, and about how long
  apertune tune resnet50 --batches 1,8 --dry-run --write-config sweep.yaml   keep these options
  apertune tune --config sweep.yaml         measure what the file says
  apertune tune --resume                    continue the newest interrupted study)",
            .takes = Takes::untrustedCode,
            .documents = {{"apertune.plan/1",
                           "`model`, `cells` (`device`, `config`, `impossible`: text or null), `runnable`, "
                           "`compiles`, `search` (`grid`, `racing` or `random`), `largest_batch` (that `--batches "
                           "auto` plans; null where batches are named), `memory` (list as `estimates` of "
                           "`apertune.memory-estimate/1`), `estimate_s` (`lo`, `hi`)",
                           "--dry-run"},
                          {"apertune.image_sizes/1",
                           "`model` as typed, `sizes`: each `image_size` (pixels of a side) and `study` "
                           "(`apertune.study/1`)",
                           "--image-sizes"},
                          {"apertune.variants/1",
                           "`model` as typed, `variants`, the model itself first: each `variant` (`slice=4`; null: the "
                           "model itself), `source`, `base` (`source` and `content_hash` of the model whose outputs "
                           "quality is measured against; null: its own) and `study` (`apertune.study/1`); "
                           "`same_configuration`: a trial of each study, all of one configuration, or empty",
                           "--variant"}},
            .declare = declareTune};
}

} // namespace apertune::cli
