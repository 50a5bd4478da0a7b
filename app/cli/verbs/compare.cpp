// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/compare.h"

#include "app/cli/lookup.h"
#include "app/cli/options.h"
#include "app/cli/trace_comparison.h"
#include "app/cli/verb.h"
#include "core/base/text.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace apertune::cli {

namespace {

struct Compare
{
    std::string a;
    std::vector<std::string> others;
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
    // A name with the ending of a workspace is meant as a file, also when it does not exist.
    const bool isFile = std::filesystem::is_regular_file(text, ignored) || text.ends_with(".apertune");
    const auto store =
        store::Store::open(isFile ? std::filesystem::path(text) : common.store, store::OpenMode::readOnly);
    if (!store)
        return store.error();
    if (!isFile && namesTrial(*store, text)) {
        auto found = findTrial(*store, text);
        if (!found)
            return found.error();
        const model::TrialId id = found->id;
        return Side{std::move(found->snapshot), id, text::toText(id)};
    }
    auto snapshot = loadStudyOf(*store, isFile ? "last" : text);
    if (!snapshot)
        return snapshot.error();
    std::string name = (isFile ? text + " " : std::string()) + text::toText(snapshot->study.id);
    return Side{std::move(*snapshot), std::nullopt, std::move(name)};
}

int codeOf(const comparison::Comparison& comparison, const std::optional<comparison::Gate>& gate)
{
    if (!gate)
        // Without a gate, the only failure is that no configuration is in both.
        return comparison.configurations.empty() ? kCannotTell : kDone;
    switch (gate->result) {
    case comparison::GateResult::passed:
        return kDone;
    case comparison::GateResult::failed:
        return kGateFailed;
    case comparison::GateResult::refused:
    case comparison::GateResult::cannotTell:
        break;
    }
    return kCannotTell;
}

std::string gateText(const comparison::Gate& gate, const comparison::Comparison& comparison)
{
    const stats::NoiseFloor& noise = comparison.noise;
    const std::string limit = base::formatSignificant(gate.tolerance * 100, 3) + " %";
    switch (gate.result) {
    case comparison::GateResult::passed:
        return "\nGate passed: no configuration of B is more than " + limit + " slower.\n";
    case comparison::GateResult::failed:
        // A configuration that no longer runs fails the gate, whatever the times of the others.
        if (!comparison.lost.empty())
            return "\nGate failed: " + comparison.lost.front().label + " was measured in A and failed in B" +
                   (comparison.lost.size() > 1 ? ", as did " + std::to_string(comparison.lost.size() - 1) + " more"
                                               : std::string()) +
                   ": " + sentences::sentence(comparison.lost.front().reason) + "\n";
        return "\nGate failed: a configuration of B is surely more than " + limit + " slower.\n";
    case comparison::GateResult::refused:
        return "\nGate: cannot tell. " + limit + " is below the noise floor of these runs (" +
               base::formatSignificant(noise.effect * 100, 2) +
               " %), and no configuration is surely slower than that. Quiet the machine, measure longer (--budget, "
               "--target) or raise the gate.\n";
    case comparison::GateResult::cannotTell:
        break;
    }
    return "\nGate: cannot tell whether a configuration of B is more than " + limit +
           " slower; measure longer (--budget, --target).\n";
}

std::string noiseText(const stats::NoiseFloor& noise)
{
    return noise.effect > 0 ? "Differences below " + base::formatSignificant(noise.effect * 100, 2) +
                                  " % cannot be detected between these runs.\n"
                            : std::string();
}

/// Whether the text can only be the name of a file, and there is none.
bool namesMissingFile(const std::string& text, const Common& common)
{
    std::error_code ignored;
    return (text.find('/') != std::string::npos || text.find('.') != std::string::npos) &&
           !std::filesystem::exists(text, ignored) && !namesTrial(common.store, text);
}

/// Names the command that shows where the difference of two trials comes from, or the ones that record them first.
std::string whyText(const Side& a, const Side& b, const Common& common)
{
    const auto store = store::Store::open(common.store, store::OpenMode::readOnly);
    if (!store)
        return {};
    std::string missing;
    std::string traces;
    // Traces explain a difference only when both sides have one.
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

/// The error in the names of the sides, before any of them is opened; nullopt when there is none.
std::optional<base::Error> wrongSides(const Compare& options, const Common& common)
{
    std::vector<std::string> sides{options.a};
    sides.insert(sides.end(), options.others.begin(), options.others.end());
    constexpr std::size_t kMostSides = 26; // they are named by letters
    if (sides.size() > kMostSides)
        return base::plainError(base::ErrorCode::invalidArgument,
                                "At most " + std::to_string(kMostSides) + " sides can be compared at once.", {},
                                "Compare them in several commands with the same baseline.");
    for (const std::string& text : sides)
        if (namesMissingFile(text, common))
            return base::plainError(base::ErrorCode::notFound, "There is no file " + text + ".", {},
                                    "Use a study, a trial, a trace (`apertune trace list`), a workspace file or the "
                                    "file of a recording.");
    for (const std::string& text : options.others)
        if (namesTrace(text) != namesTrace(options.a))
            // Times of trials and events of traces have no common unit.
            return base::plainError(base::ErrorCode::invalidArgument,
                                    "A trace can only be compared with another trace.", options.a + ", " + text,
                                    "`apertune trace list` names the traces of each trial.");
    if (namesTrace(options.a) && (options.gate || options.noiseFloor))
        return base::plainError(
            base::ErrorCode::invalidArgument, "Traces decide no gate: recording costs time, and nothing ran in turns.",
            {}, "Compare the trials or studies with --gate; a trace then says where the difference comes from.");
    if (!namesTrace(options.a) && !options.traces.out.empty())
        return base::plainError(base::ErrorCode::invalidArgument, "--out writes the comparison of traces only.", {},
                                "`apertune report STUDY --out FILE` writes a study.");
    return std::nullopt;
}

std::string lineOf(const std::string& letter, const Side& side)
{
    const model::Study& study = side.snapshot.study;
    const std::string origin = text::originText(study);
    return letter + ": " + side.name + "  " + study.model.name + ", " +
           (origin.empty() ? study.environment.host + ", " + study.createdUtc : origin) + "\n";
}

/// A candidate against the baseline: what is printed of them.
struct Compared
{
    base::Json document;
    std::string text;
    int code = kDone;
};

Compared comparedWith(const Side& a, const Side& b, const Compare& options, const Session& session)
{
    const comparison::Comparison comparison =
        // Trials of different batches are compared by the sample; see compareTrials().
        a.trial ? comparison::compareTrials(a.snapshot, *a.snapshot.find(*a.trial), b.snapshot,
                                            *b.snapshot.find(*b.trial), options.noiseFloor)
                : comparison::compareStudies(a.snapshot, b.snapshot, options.noiseFloor);
    std::optional<comparison::Gate> gate;
    if (options.gate)
        gate = comparison::checkGate(comparison, *options.gate);
    return {comparison::comparisonDocument(comparison, a.name, b.name, gate),
            comparison::comparisonTable(comparison, session.terminal.width()) +
                (comparison.imported ? std::string() : noiseText(comparison.noise)) +
                (gate ? gateText(*gate, comparison) : std::string()) +
                (a.trial && !comparison.imported ? whyText(a, b, session.common) : std::string()),
            codeOf(comparison, gate)};
}

/// The code of several comparisons: a gate that failed comes before one that cannot tell.
int worstOf(int x, int y)
{
    return x == kGateFailed || y == kGateFailed ? kGateFailed : std::max(x, y);
}

int run(const Compare& options, Session& session)
{
    if (const auto wrong = wrongSides(options, session.common))
        return session.terminal.fail(*wrong);
    if (namesTrace(options.a))
        return compareTraces(options.a, options.others, options.traces, session);
    const auto a = openSide(options.a, session.common);
    if (!a)
        return session.terminal.fail(a.error());
    base::Json documents = base::Json::array();
    std::string text = lineOf("A", *a);
    int code = kDone;
    for (const std::string& other : options.others) {
        const auto b = openSide(other, session.common);
        if (!b)
            return session.terminal.fail(b.error());
        // The kinds are checked here, because a name says only what it might be.
        if (a->trial.has_value() != b->trial.has_value())
            return session.terminal.fail(base::plainError(base::ErrorCode::invalidArgument,
                                                          "A trial cannot be compared with a study.",
                                                          a->name + ", " + b->name, "Name two trials or two studies."));
        Compared compared = comparedWith(*a, *b, options, session);
        text += (documents.empty() ? "" : "\n") + lineOf("B", *b) + "\n" + compared.text;
        // The exit code is the worst of all comparisons.
        code = worstOf(code, compared.code);
        documents.push_back(std::move(compared.document));
    }
    session.terminal.document(
        documents.size() == 1
            // One comparison keeps the document that it had before several were possible.
            ? documents.front()
            : base::Json{{"schema", "apertune.comparisons/1"}, {"baseline", a->name}, {"comparisons", documents}});
    session.terminal.text(text);
    return code;
}

Action declareCompare(CLI::App& app)
{
    auto options = std::make_shared<Compare>();
    addArgument(app, "A", options->a,
                "Baseline: t12, a starred trial's name, s3, last, a workspace file (its last study), a trace (tr3) or "
                "a recording's file");
    addArgument(app, "B", options->others, "Candidate, or several, in the same form as the baseline");
    addShare(app, "--gate", options->gate,
             "Largest slowdown to accept: exit code 1 when B is slower than that, 3 when it may be");
    addShare(app, "--noise-floor", options->noiseFloor,
             "Smallest difference that counts; a smaller gate ends with exit code 3 (default: that of `apertune "
             "device noise-floor` or of the runs themselves, whichever is larger)");
    app.add_option("--out", options->traces.out, "File for the comparison of traces: .html, .csv or .json")
        ->type_name("FILE");
    addCount(app, "--rows", options->traces.rows,
             "Largest number of rows of each table for traces, without --json (default: 20)");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb compareVerb()
{
    return {
        .path = {"compare"},
        .group = Group::tune,
        .summary = "Compare studies, trials or traces with a baseline, with intervals",
        .examples = R"(  apertune compare t12 t14
  apertune compare release best --gate 5%   against the trial that was starred as "release"
  apertune compare s3 s7 --gate 3%          exit code 1 when a configuration got slower
  apertune compare before.apertune after.apertune
  apertune compare t12 t14 t15              each of them with t12
  apertune compare tr3 tr5                  where the difference of two traces comes from
  apertune compare tr3 tr5 tr6              the steps from tr3 to each of the others
  apertune compare old.json.gz new.json.gz --out difference.html)",
        .takes = Takes::workspace,
        .documents =
            {{"apertune.comparisons/1", "Of several studies or trials: `baseline`, `comparisons` (each as "
                                        "`apertune.comparison/1`)"},
             {"apertune.trace-comparisons/1", "Of several traces: `baseline`, `comparisons` (each as "
                                              "`apertune.trace-comparison/1`)"},
             {"apertune.trace-comparison/1",
              "Of two traces: `a` and `b` (`trace`, `title`, `device` or null for a host, `iterations_by`, "
              "`iterations`, `works`: pieces of work in an iteration, `unrecorded_ms` of an iteration that a host "
              "spends inside wrappers of operators (fused or compiled work) and outside of operators, `time_ms` of "
              "an iteration), "
              "`per_sample` (true: all times are of a sample, because the batches differ), `change_ms` "
              "(B − A), `rest_ms` (the part of it that no part explains: 0 but for rounding), `residual_ms` (the "
              "parts that have no recorded cause: unrecorded work, idle time of unknown cause) and "
              "`residual_share` (its size over that of the change), `without_recording` (`a_ms`, `b_ms`, "
              "`change_ms` as Apertune measured them without recording, `recording_ms`: the rest of the change) or "
              "null, `matched_share` (of the time of A's work: what B has, too, in the same "
              "place), `same_work_ratio` (B over A) or null, `steps` (`name`, `change_ms`), `parts` (`kind`: "
              "`same_work`, `replaced`, `removed`, `added` or `idle`; `class`, `cause`: of idle time, or "
              "`before_operators`, `between_operators`, `after_operators` of a host; `operator`, `unrecorded`, "
              "`places`, `a` and `b`: `name`, `class`, `count` in an iteration, `recorded` names; `a_ms`, "
              "`b_ms`, `change_ms`, `query_a`, `query_b` or null), `layers` in the order of an iteration "
              "(`position` of the product that begins it, 0 before the first; `module`, `shapes` or null; `a`, "
              "`b`, `a_ms`, `b_ms`, `change_ms`, `query_a`, `query_b` as in `parts`), `allocations` (`a` and `b`: "
              "`peak_bytes`, `peak_partial`: without memory from before the recording, `count` and `bytes` of an "
              "iteration; `operators`: `operator` or null, `a_count`, `b_count`, `a_bytes`, `b_bytes`) or null, "
              "`flame` (paths of operators that take 0.5 % of the time or more, depth first: `depth`, `name`, `a_ms`, "
              "`b_ms`) or null, "
              "`sentences` (the difference, then how far to "
              "trust it). Times are `value` with `lo` "
              "and `hi`, which are null for a single iteration"}},
        .declare = declareCompare};
}

} // namespace apertune::cli
