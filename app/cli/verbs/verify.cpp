// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lookup.h"
#include "app/cli/options.h"
#include "app/cli/trial_run.h"
#include "app/cli/verb.h"
#include "core/base/files.h"
#include "core/base/json_optional.h"
#include "core/base/text.h"
#include "core/exports/export_manifest.h"
#include "core/exports/exporter.h"
#include "core/model/interval_json.h"
#include "core/model/json_codec.h"
#include "core/models/export_verdict.h"
#include "core/models/exported_program.h"
#include "core/models/trust.h"
#include "core/sentences/sentences.h"
#include "core/stats/block_stats.h"
#include "core/stats/summarize.h"
#include "core/text/format.h"
#include "core/worker/installation.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>

namespace apertune::cli {

namespace fs = std::filesystem;

using base::ErrorCode;
using base::Json;
using base::Result;
using models::ProgramVerdict;

namespace {

struct Verify
{
    fs::path dir; ///< an exported folder; if no folder has that name, a trial
};

base::Status checkFolder(const fs::path& dir)
{
    const std::string hint = "Use a folder that `apertune export` wrote.";
    // The configuration is what every kind of export has.
    const auto text = base::readFile(dir / "apertune-config.json");
    if (!text)
        return base::plainError(ErrorCode::notFound, dir.string() + " is not an exported folder.",
                                "no apertune-config.json", hint);
    const auto json = model::parseJson(*text);
    if (!json)
        return base::plainError(ErrorCode::corrupt, "The configuration in " + dir.string() + " is damaged.",
                                sentences::sentence(json.error().message), "Export the trial again.");
    if (!json->is_object() || json->value("schema", "") != "apertune.config/1")
        return base::plainError(ErrorCode::unsupported, "The configuration in " + dir.string() + " has another schema.",
                                {}, "This version reads apertune.config/1; export the trial again.");
    return {};
}

/// The record of the check at the export; null without one.
Json checkOf(const fs::path& dir)
{
    const auto text = base::readFile(dir / models::kCheckFile);
    const auto json = text ? model::parseJson(*text) : Result<Json>(text.error());
    return json ? *json : Json();
}

/// The backend of the program in a folder that checkFolder() accepted.
std::string backendOf(const fs::path& dir)
{
    const auto text = base::readFile(dir / "apertune-config.json");
    const auto json = text ? model::parseJson(*text) : Result<Json>(text.error());
    if (!json || !json->contains("config") || !(*json)["config"].is_object())
        return "libtorch";
    const Json& config = (*json)["config"];
    return config.contains("backend") && config["backend"].is_string() ? config["backend"].get<std::string>()
                                                                       : "libtorch";
}

/// Names the side of the interval that was left, and by how much.
std::string verdictSentence(const Json& document)
{
    const ProgramVerdict verdict = models::verdictOf(document);
    // The last note is the reason; earlier ones are remarks.
    if (const Json notes = document.value("notes", Json::array());
        verdict == ProgramVerdict::cannotTell && !notes.empty())
        return "cannot tell: " + notes.back().get<std::string>();
    if (verdict == ProgramVerdict::cannotTell)
        return "cannot tell: the interval includes the limit; measure the trial for longer and export it again";
    const std::string word(toString(verdict));
    if (verdict != ProgramVerdict::outside)
        return word;
    const auto median = [&](const char* group) { return document.at(group).at("median").get<double>(); };
    const double ratio = median("measured_ms") / median("expected_ms");
    const double tolerance = document.at("tolerance").get<double>();
    // A NaN in the times must count as another time.
    const bool otherTime = !(ratio >= 1 - tolerance && ratio <= 1 + tolerance);
    std::vector<std::string> reasons;
    if (otherTime)
        reasons.push_back(text::formatSlowdown(ratio, "expected"));
    if (models::hasOtherOutputs(document))
        reasons.emplace_back("other outputs than expected");
    return reasons.empty() ? word : word + ": " + base::join(reasons);
}

std::string verdictText(const Json& document, std::size_t files)
{
    const auto number = [&](const char* group, const char* name) {
        // Four digits are enough for times; cosines below have six.
        return base::formatSignificant(document.at(group).at(name).get<double>());
    };
    const auto interval = [&](const char* group) {
        return number(group, "median") + " ms [" + number(group, "lo") + ", " + number(group, "hi") + "]";
    };
    const Json driftReading = document.value("sentinel_ms", Json());
    const std::string machine =
        // Exports of trials without a drift reading have no such line.
        driftReading.is_object()
            ? "\ndrift     " + number("sentinel_ms", "median") + " ms, the model without optimization in turns" +
                  (document.at("machine").is_number()
                       ? ": " + text::formatSlowdown(document.at("machine").get<double>(), "at the export")
                       : std::string())
            : std::string();
    return (files > 0 ? "files     " + std::to_string(files) + ", as they were exported\n"
                      : "files     not compared: the folder is of a version that listed no hashes\n") +
           "latency   " + interval("measured_ms") + "\nexpected  " + interval("expected_ms") + ", tolerance " +
           base::formatSignificant(document.at("tolerance").get<double>() * 100, 2) + " %" + machine +
           "\noutputs   cosine " + base::formatSignificant(document.at("quality").at("cosine").get<double>(), 6) +
           " (at least " + base::formatSignificant(document.at("quality").at("at_least").get<double>(), 6) + ")\n" +
           verdictSentence(document);
}

int codeOf(ProgramVerdict verdict)
{
    return verdict == ProgramVerdict::inside ? kDone : verdict == ProgramVerdict::outside ? kGateFailed : kCannotTell;
}

constexpr double kClockMoved = 1 - stats::kLeastClock; ///< smallest change of the clock that is reported

int codeOf(stats::Verdict verdict)
{
    switch (verdict) {
    case stats::Verdict::slower:
        // Slower than then fails the gate, as in `apertune compare`.
        return kGateFailed;
    case stats::Verdict::cannotTell:
        return kCannotTell;
    case stats::Verdict::faster:
    case stats::Verdict::same:
        break;
    }
    return kDone;
}

std::string verdictText(stats::Verdict verdict)
{
    switch (verdict) {
    case stats::Verdict::slower:
        return "slower than then";
    case stats::Verdict::faster:
        return "faster than then";
    case stats::Verdict::same:
        return "the same as then";
    case stats::Verdict::cannotTell:
        break;
    }
    return "too uncertain to say; verify it again while no other program runs";
}

int remeasure(const Verify& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const auto trial = openTrial(session.common, options.dir.string(), store::OpenMode::readOnly);
    if (!trial)
        return terminal.fail(trial.error());
    const auto again = trial->workbench->remeasure(trial->found.id, statusOf(terminal), session.interrupt.token());
    terminal.status({});
    if (!again)
        return failRun(terminal, again.error());
    const stats::Effect& effect = again->effect;
    const model::Measurement& then = trial->found.trial().measurement;
    terminal.document(
        {{"schema", "apertune.remeasured/1"},
         {"trial", text::toText(trial->found.id)},
         {"verdict", stats::toString(effect.verdict)},
         {"ratio", model::fullIntervalJson(effect.ratio, 1)},
         {"machine", effect.machine},
         {"zone", effect.zone},
         {"then_ms", model::fullIntervalJson(then.latencyNs, 1e-6)},
         {"now_ms", model::fullIntervalJson(again->now.latencyNs, 1e-6)},
         {"blocks", again->now.blocks.size()},
         {"sentinel", again->reference ? Json(text::toText(*again->reference)) : Json(nullptr)},
         {"to_sentinel", again->toReference ? model::fullIntervalJson(*again->toReference, 1) : Json(nullptr)},
         {"by_processor_time", again->byProcessorTime},
         {"clock", base::orNull(again->clock)},
         {"flags", model::toStrings(again->now.flags)}});
    std::string text = trial->name() + "\n\nthen      " + text::formatPlusMinus(then.latencyNs, 1e-6) +
                       " ms\nnow       " + text::formatPlusMinus(again->now.latencyNs, 1e-6) + " ms, " +
                       base::counted(static_cast<std::int64_t>(again->now.blocks.size()), "block");
    if (!again->now.flags.empty())
        text += " (" + base::join(model::toStrings(again->now.flags)) + ")";
    if (again->toReference)
        text += "\ndrift     " + base::formatSignificant(again->toReference->value) + " times the " +
                (again->byProcessorTime ? "processor time of " : "time of ") + text::toText(*again->reference) +
                ", measured in turns";
    // Small movements of the clock are normal.
    if (again->clock && std::abs(*again->clock - 1) > kClockMoved)
        text += "\nclock     " + base::formatSignificant(std::abs(*again->clock - 1) * 100, 2) + " % " +
                (*again->clock < 1 ? "lower" : "higher") + " than then";
    // The drift of the machine is named when it was taken out of the comparison.
    if (effect.machine != 1)
        text += "\nmachine   " + text::formatSlowdown(effect.machine, "then") + ", taken out";
    terminal.text(text + "\nthen/now  " + text::formatRatio(effect.ratio) + ": " + verdictText(effect.verdict));
    return codeOf(effect.verdict);
}

int run(const Verify& options, Session& session)
{
    Terminal& terminal = session.terminal;
    std::error_code ignored;
    // A folder has priority, because a trial can also be named by its number.
    if (!fs::exists(options.dir, ignored) && namesTrial(session.common.store, options.dir.string()))
        return remeasure(options, session);
    const fs::path dir = fs::absolute(options.dir).lexically_normal();
    if (const auto usable = checkFolder(dir); !usable)
        return terminal.fail(usable.error());
    // Before the question of trust, which would only say that something in the folder is unknown.
    const auto files = exports::checkManifest(dir);
    if (!files)
        return terminal.fail(files.error());
    // The folder may come from elsewhere, and its program is about to run.
    if (const auto allowed = models::requireTrustedFolder(dir); !allowed)
        return terminal.fail(allowed.error());
    const std::string backend = backendOf(dir);
    auto program = models::exportedProgram(
        {dir, backend, exports::rootOption(backend).first, exports::verifierProgram(backend)},
        worker::Installation::locate(), [&](const base::Message& step) { terminal.status(sentences::sentence(step)); },
        session.interrupt.token());
    if (!program)
        return terminal.fail(program.error());
    terminal.status("Measuring " + dir.string() + " …");
    auto document = models::measureExported(*program, checkOf(dir), session.interrupt.token());
    if (!document)
        return terminal.fail(document.error());
    (*document)["dir"] = dir.string();
    (*document)["files"] = *files;
    terminal.document(*document);
    terminal.text(verdictText(*document, *files));
    return codeOf(models::verdictOf(*document));
}

Action declareVerify(CLI::App& app)
{
    auto options = std::make_shared<Verify>();
    addArgument(app, "WHAT", options->dir,
                "Folder that `apertune export` wrote, or a trial: t12, best, s3:best, or a baseline's name");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb verifyVerb()
{
    return {
        .path = {"verify"},
        .group = Group::tune,
        .summary = "Measure an exported folder or a trial again and compare",
        .examples =
            R"(  apertune verify r50                       exit code 0 inside its envelope, 1 outside, 3 cannot tell
  apertune verify t12                       exit code 0 as fast as then, 1 slower, 3 cannot tell)",
        .takes = Takes::untrustedCode,
        .documents = {{"apertune.verification/1",
                       "`dir`, `verdict` (`inside`, `outside`, `cannot_tell`), `expected_ms`, `measured_ms` "
                       "(`median`, `lo`, `hi`), `tolerance`, `noise_floor` (of the machine that measured the trial), "
                       "`quality`, `files` (how many are as their hashes say; 0: not compared), `sentinel_ms` (the "
                       "model without optimization, measured in turns; null: a GPU, or it is the model itself), "
                       "`to_sentinel` (the model's time over it), `machine` (its time now over that at the "
                       "export, or null), `notes`, `load` while it was measured "
                       "(`others`, `stolen`: shares of all processors; `waited`: share of the time for which a "
                       "thread was ready and had no processor; `windows` of a second that were watched, "
                       "`contended` of them; with more than a fifth of these a slower time is `cannot_tell`)"}},
        .declare = declareVerify};
}

} // namespace apertune::cli
