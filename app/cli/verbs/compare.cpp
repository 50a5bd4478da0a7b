// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/compare.h"

#include "app/cli/lookup.h"
#include "app/cli/options.h"
#include "app/cli/trace_comparison.h"
#include "app/cli/verb.h"
#include "core/base/text.h"
#include "core/report/format.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>

namespace apertune::cli {

namespace {

struct Compare
{
    std::string a;
    std::string b;
    std::optional<double> gate{};
    std::optional<double> noiseFloor{}; ///< none: it is taken from the runs themselves
    TraceComparison traces{};
};

/// One side of a comparison: a study, or one of its trials.
struct Side
{
    model::StudySnapshot snapshot;
    std::optional<model::TrialId> trial{};
    std::string name;
};

/// Finds a side. A workspace file means its last study; any other text is looked up in the open workspace.
base::Result<Side> openSide(const std::string& text, const Common& common)
{
    std::error_code ignored;
    const bool isFile = std::filesystem::is_regular_file(text, ignored) || text.ends_with(".apertune");
    const auto store =
        store::Store::open(isFile ? std::filesystem::path(text) : common.store, store::OpenMode::readOnly);
    if (!store)
        return store.error();
    if (!isFile && looksLikeTrial(text)) {
        auto found = findTrial(*store, text);
        if (!found)
            return found.error();
        const model::TrialId id = found->id;
        return Side{std::move(found->snapshot), id, report::toText(id)};
    }
    auto snapshot = loadStudyOf(*store, isFile ? "last" : text);
    if (!snapshot)
        return snapshot.error();
    std::string name = (isFile ? text + " " : std::string()) + report::toText(snapshot->study.id);
    return Side{std::move(*snapshot), std::nullopt, std::move(name)};
}

int codeOf(const report::Comparison& comparison, const std::optional<report::Gate>& gate)
{
    if (!gate)
        return comparison.configurations.empty() ? kCannotTell : kDone;
    switch (gate->result) {
    case report::GateResult::passed:
        return kDone;
    case report::GateResult::failed:
        return kGateFailed;
    case report::GateResult::refused:
    case report::GateResult::cannotTell:
        break;
    }
    return kCannotTell;
}

std::string gateText(const report::Gate& gate, const report::Comparison& comparison)
{
    const stats::NoiseFloor& noise = comparison.noise;
    const std::string limit = base::formatSignificant(gate.tolerance * 100, 3) + " %";
    switch (gate.result) {
    case report::GateResult::passed:
        return "\nGate passed: no configuration of B is more than " + limit + " slower.\n";
    case report::GateResult::failed:
        if (!comparison.lost.empty())
            return "\nGate failed: " + comparison.lost.front().label + " was measured in A and failed in B" +
                   (comparison.lost.size() > 1 ? ", as did " + std::to_string(comparison.lost.size() - 1) + " more"
                                               : std::string()) +
                   ": " + comparison.lost.front().reason + "\n";
        return "\nGate failed: a configuration of B is surely more than " + limit + " slower.\n";
    case report::GateResult::refused:
        return "\nGate: cannot tell. " + limit + " is below the noise floor of these runs (" +
               base::formatSignificant(noise.effect * 100, 2) +
               " %), and no configuration is surely slower than that. Quiet the machine, measure longer (--budget, "
               "--target) or raise the gate.\n";
    case report::GateResult::cannotTell:
        break;
    }
    return "\nGate: cannot tell whether a configuration of B is more than " + limit +
           " slower; measure longer (--budget, --target).\n";
}

std::string noiseText(const stats::NoiseFloor& noise)
{
    return noise.effect > 0 ? "Differences below " + base::formatSignificant(noise.effect * 100, 2) +
                                  " % cannot be told between these runs.\n"
                            : std::string();
}

/// Whether the text can only be the name of a file, and there is none.
bool namesMissingFile(const std::string& text)
{
    std::error_code ignored;
    return (text.find('/') != std::string::npos || text.find('.') != std::string::npos) &&
           !std::filesystem::exists(text, ignored);
}

/// Names the command that shows where the difference of two trials comes from, or the ones that record them first.
std::string whyText(const Side& a, const Side& b, const Common& common)
{
    const auto store = store::Store::open(common.store, store::OpenMode::readOnly);
    if (!store)
        return {};
    std::string missing;
    std::string traces;
    for (const Side* side : {&a, &b}) {
        const auto recorded = store->traces(*side->trial);
        if (recorded && !recorded->empty())
            traces += " " + toText(recorded->front().id);
        else
            missing += (missing.empty() ? "" : ", ") + std::string("`apertune trace record ") + side->name + "`";
    }
    return missing.empty()
               ? "Where the difference comes from: `apertune compare" + traces + "`.\n"
               : "To see where the difference comes from, record it (" + missing + ") and compare the traces.\n";
}

int run(const Compare& options, Session& session)
{
    for (const std::string& text : {options.a, options.b})
        if (namesMissingFile(text))
            return session.terminal.fail(base::plainError(base::ErrorCode::notFound, "There is no file " + text + ".",
                                                          {},
                                                          "Name a study, a trial, a trace (`apertune trace list`), a "
                                                          "workspace file or the file of a recording."));
    const bool traceA = namesTrace(options.a);
    const bool traceB = namesTrace(options.b);
    if (traceA != traceB)
        return session.terminal.fail(
            base::plainError(base::ErrorCode::invalidArgument, "A trace can only be compared with another trace.",
                             options.a + ", " + options.b, "`apertune trace list` names the traces of each trial."));
    if (traceA && (options.gate || options.noiseFloor))
        return session.terminal.fail(base::plainError(
            base::ErrorCode::invalidArgument, "Traces decide no gate: recording costs time, and nothing ran in turns.",
            {}, "Compare the trials or studies with --gate; a trace then says where the difference comes from."));
    if (traceA)
        return compareTraces(options.a, options.b, options.traces, session);
    if (!options.traces.out.empty())
        return session.terminal.fail(base::plainError(base::ErrorCode::invalidArgument,
                                                      "--out writes the comparison of two traces only.", {},
                                                      "`apertune report STUDY --out FILE` writes a study."));
    const auto a = openSide(options.a, session.common);
    if (!a)
        return session.terminal.fail(a.error());
    const auto b = openSide(options.b, session.common);
    if (!b)
        return session.terminal.fail(b.error());
    if (a->trial.has_value() != b->trial.has_value())
        return session.terminal.fail(base::plainError(base::ErrorCode::invalidArgument,
                                                      "A trial cannot be compared with a study.",
                                                      a->name + ", " + b->name, "Name two trials or two studies."));
    const report::Comparison comparison =
        a->trial ? report::compareTrials(a->snapshot, *a->snapshot.find(*a->trial), b->snapshot,
                                         *b->snapshot.find(*b->trial), options.noiseFloor)
                 : report::compareStudies(a->snapshot, b->snapshot, options.noiseFloor);
    std::optional<report::Gate> gate;
    if (options.gate)
        gate = report::checkGate(comparison, *options.gate);
    session.terminal.document(report::comparisonDocument(comparison, a->name, b->name, gate));
    session.terminal.text("A: " + a->name + "  " + a->snapshot.study.model.name + ", " +
                          a->snapshot.study.environment.host + ", " + a->snapshot.study.createdUtc + "\nB: " + b->name +
                          "  " + b->snapshot.study.model.name + ", " + b->snapshot.study.environment.host + ", " +
                          b->snapshot.study.createdUtc + "\n\n" +
                          report::comparisonTable(comparison, session.terminal.width()) + noiseText(comparison.noise) +
                          (gate ? gateText(*gate, comparison) : std::string()) +
                          (a->trial ? whyText(*a, *b, session.common) : std::string()));
    return codeOf(comparison, gate);
}

Action declareCompare(CLI::App& app)
{
    auto options = std::make_shared<Compare>();
    addArgument(app, "A", options->a,
                "Baseline: t12, s3, last, a workspace file (its last study), a trace (tr3) or a recording's file");
    addArgument(app, "B", options->b, "Candidate, in the same form as the baseline");
    addShare(app, "--gate", options->gate,
             "Largest slowdown to accept: exit code 1 when B is slower than that, 3 when it may be");
    addShare(app, "--noise-floor", options->noiseFloor,
             "Smallest difference that counts; a smaller gate ends with exit code 3 (default: that of `apertune "
             "device noise-floor` or of the runs themselves, whichever is larger)");
    app.add_option("--out", options->traces.out, "File for the comparison of two traces: .html, .csv or .json")
        ->type_name("FILE");
    addCount(app, "--rows", options->traces.rows,
             "Largest number of rows for two traces, without --json (default: 20)");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb compareVerb()
{
    return {.path = {"compare"},
            .group = Group::tune,
            .summary = "Compare two studies, trials or traces, with intervals",
            .examples = R"(  apertune compare t12 t14
  apertune compare s3 s7 --gate 3%          exit code 1 when a configuration got slower
  apertune compare before.apertune after.apertune
  apertune compare tr3 tr5                  where the difference of two traces comes from
  apertune compare old.json.gz new.json.gz --out difference.html)",
            .takes = Takes::workspace,
            .documents =
                {{"apertune.trace-comparison/1",
                  "Of two traces: `a` and `b` (`trace`, `title`, `device` or null for a host, `iterations_by`, "
                  "`iterations`, `works`: pieces of work in an iteration, `unrecorded_ms` of an iteration that a host "
                  "spends inside wrappers of operators: fused or compiled work, `time_ms` of an iteration), "
                  "`per_sample` (true: all times are of a sample, because the batches differ), `change_ms` "
                  "(B − A), `rest_ms` (the part of it that no part explains: 0 but for rounding), "
                  "`matched_share` (of the time of A's work: what B has, too, in the same "
                  "place), `same_work_ratio` (B over A) or null, `steps` (`name`, `change_ms`), `parts` (`kind`: "
                  "`same_work`, `replaced`, `removed`, `added` or `idle`; `class`, `cause`, `operator`, `unrecorded`, "
                  "`places`, `a` and `b`: `name`, `class`, `count` in an iteration, `recorded` names; `a_ms`, "
                  "`b_ms`, `change_ms`, `query_a`, `query_b` or null), `sentences` (the difference, then how far to "
                  "trust it). Times are `value` with `lo` "
                  "and `hi`, which are null for a single iteration"}},
            .declare = declareCompare};
}

} // namespace apertune::cli
