// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/trial_run.h"
#include "app/cli/verb.h"
#include "core/report/documents.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

struct NoiseFloor
{
    std::string trial = "best";
    std::string protocol = "normal";
    int pairs = 20;
};

int run(const NoiseFloor& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const auto trial = openTrial(session.common, options.trial);
    if (!trial)
        return terminal.fail(trial.error());
    const auto certificate = trial->workbench->measureNoiseFloor(trial->found.id, options.protocol, options.pairs,
                                                                 statusOf(terminal), session.interrupt.token());
    terminal.status({});
    if (!certificate)
        return failRun(terminal, certificate.error());
    Json document{{"schema", "apertune.noise_floor/1"}, {"trial", text::toText(trial->found.id)}};
    document.update(report::noiseDocument(*certificate));
    terminal.document(document);
    terminal.text(report::noiseSentence(*certificate));
    return kDone;
}

Action declareDeviceNoiseFloor(CLI::App& app)
{
    auto options = std::make_shared<NoiseFloor>();
    app.add_option("TRIAL", options->trial, std::string(kTrialHelp) + " (default: best)")->type_name("");
    addChoice<std::string>(app, "--protocol", options->protocol,
                           {{"quick", "quick"}, {"normal", "normal"}, {"publish", "publish"}},
                           "Protocol with 10, 20 or 40 blocks a process (default: normal)");
    addCount(app, "--pairs", options->pairs, "Pairs of fresh processes; 20 or more for a 99 % bound (default: 20)", 1,
             1000);
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb deviceNoiseFloorVerb()
{
    return {.path = {"device", "noise-floor"},
            .group = Group::manage,
            .summary = "Measure the smallest difference that this machine can show",
            .examples = R"(  apertune device noise-floor               the last study's best trial against itself
  apertune device noise-floor t12 --protocol publish --pairs 40)",
            .takes = Takes::untrustedCode,
            .declare = declareDeviceNoiseFloor};
}

} // namespace apertune::cli
