// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/trend.h"

#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/base/files.h"
#include "core/engine/measured_studies.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::cli {

using base::Json;

namespace {

struct TrendOptions
{
    std::string trial; ///< empty: all configurations
    std::string model; ///< with an empty trial: those of this model alone
    std::filesystem::path out;
};

int showAll(const std::vector<comparison::Trend>& trends, Session& session)
{
    Json list = Json::array();
    for (const comparison::Trend& trend : trends)
        list.push_back(comparison::trendDocument(trend));
    session.terminal.document({{"schema", "apertune.trends/1"}, {"trends", list}});
    session.terminal.text(trends.empty()
                              ? "No configuration was measured twice yet. Sweep the model again: apertune tune"
                              : comparison::trendsText(trends, session.terminal.width()) +
                                    "\nOne of them with all its trials: `apertune trend " +
                                    text::toText(trends.front().points.back().trial) + "`.");
    return trends.empty() ? kCannotTell : kDone;
}

int showOne(const comparison::Trend& trend, const TrendOptions& options, Session& session)
{
    const Json document = comparison::trendDocument(trend);
    if (!options.out.empty()) {
        const bool csv = options.out.extension() == ".csv";
        const auto written =
            base::writeFileAtomically(options.out, csv ? comparison::trendCsv(trend) : document.dump(1) + "\n");
        if (!written)
            return session.terminal.fail(written.error());
        session.terminal.note("Written to " + options.out.string() + ".");
    }
    session.terminal.document(document);
    session.terminal.text(comparison::trendText(trend, session.terminal.width()));
    return trend.points.size() > 1 ? kDone : kCannotTell;
}

int run(const TrendOptions& options, Session& session)
{
    const bool one = !options.trial.empty();
    if (one && !options.model.empty())
        return session.terminal.fail(base::plainError(base::ErrorCode::invalidArgument,
                                                      "A trial has its model already.", "--model " + options.model,
                                                      "Leave the trial or --model out."));
    const std::string ending = options.out.extension().string();
    if (!options.out.empty() && (!one || (ending != ".csv" && ending != ".json")))
        return session.terminal.fail(base::plainError(
            base::ErrorCode::invalidArgument, "--out writes the history of one trial as .csv or .json.",
            options.out.string(), "Use for example `apertune trend best --out trend.csv`."));
    return withStore(session, [&](const store::Store& store) -> int {
        std::string model = options.model;
        model::TrialId trial{};
        if (one) {
            const auto found = findTrial(store, options.trial);
            if (!found)
                return session.terminal.fail(found.error());
            if (found->trial().state != model::TrialState::ok)
                return session.terminal.fail(
                    base::plainError(base::ErrorCode::invalidArgument,
                                     "Trial " + text::toText(found->id) + " was not measured, so it has no history.",
                                     {}, "`apertune trial list` names measured trials."));
            trial = found->id;
        }
        const auto studies = engine::measuredStudies(store, [&model](const store::StudySummary& summary) {
            return model.empty() || summary.modelName == model;
        });
        if (!studies)
            return session.terminal.fail(studies.error());
        std::vector<comparison::Trend> trends = comparison::trendsOf(*studies);
        if (!one) {
            std::erase_if(trends, [](const comparison::Trend& trend) { return trend.points.size() < 2; });
            return showAll(trends, session);
        }
        const auto own = std::find_if(trends.begin(), trends.end(),
                                      [trial](const comparison::Trend& trend) { return trend.holds(trial); });
        if (own == trends.end())
            return session.terminal.fail(base::plainError(base::ErrorCode::notFound,
                                                          "The workspace does not know the device of trial " +
                                                              text::toText(trial) + ", so it has no history.",
                                                          {}, "Use a trial of another study."));
        return showOne(*own, options, session);
    });
}

Action declareTrend(CLI::App& app)
{
    auto options = std::make_shared<TrendOptions>();
    app.add_option("TRIAL", options->trial,
                   "Trial whose configuration is followed: t12, best, s3:best, or a baseline's name (default: all "
                   "configurations that were measured twice)")
        ->type_name("");
    app.add_option("--model", options->model, "Only configurations of this model")->type_name("NAME");
    app.add_option("--out", options->out, "File for the history of one trial: .csv or .json")->type_name("FILE");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb trendVerb()
{
    return {
        .path = {"trend"},
        .group = Group::tune,
        .summary = "Follow a configuration over time and name its steps",
        .examples = R"(  apertune trend                           all configurations that were measured twice
  apertune trend best                      every trial of the winner's configuration
  apertune trend release --out trend.csv   of the trial that was starred as "release"
  apertune trend --model resnet50 --json)",
        .takes = Takes::workspace,
        .documents =
            {{"apertune.trends/1", "`trends` (each as `apertune.trend/1`): without TRIAL"},
             {"apertune.trend/1",
              "`model`, `device`, `machine` (class), `configuration`, `noise_floor` (largest of the studies, or null), "
              "`spread` (relative standard deviation of undisturbed trials around their level, or null), `points` in "
              "the order of time (`trial`, `study`, `when`, `latency_ms`: `value`, `lo`, `hi`, which are null without "
              "an interval; `samples`: blocks; `others_load`: share of the processors' time that other programs took; "
              "`busy`: other programs disturbed it; `throttled`: the clock was held down; both make no step, nor does "
              "a trial without an interval; `versions`: by name), `steps` "
              "(`before` and `after`: trials; "
              "`ratio` with `lo`, `hi`: latency after over before; `p`; `changed`: everything recorded that differs "
              "between both trials, `name`, `before`, `after`) and `newest` (null, or a step that the newest trial "
              "alone suggests)"}},
        .declare = declareTrend};
}

} // namespace apertune::cli
