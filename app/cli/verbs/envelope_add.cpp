// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/envelope_files.h"
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/base/files.h"
#include "core/engine/measured_studies.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::cli {

namespace {

struct EnvelopeAdd
{
    std::string trial;
    std::filesystem::path out; ///< empty: the user's own file
};

/// The history of a trial's configuration, from the studies that were measured here.
base::Result<std::optional<comparison::Trend>> historyOf(const store::Store& store, const FoundTrial& found)
{
    const auto studies = engine::measuredStudies(
        store, [](const store::StudySummary& summary) { return summary.purpose != model::StudyPurpose::imported; });
    if (!studies)
        return studies.error();
    for (comparison::Trend& trend : comparison::trendsOf(*studies))
        if (trend.holds(found.id))
            return std::optional(std::move(trend));
    return std::optional<comparison::Trend>();
}

int run(const EnvelopeAdd& options, Session& session)
{
    return withStore(session, [&](const store::Store& store) -> int {
        const auto found = findTrial(store, options.trial);
        if (!found)
            return session.terminal.fail(found.error());
        const auto trend = historyOf(store, *found);
        if (!trend)
            return session.terminal.fail(trend.error());
        const auto envelope = *trend ? comparison::envelopeOf(**trend, found->snapshot, found->trial())
                                     : std::optional<comparison::Envelope>();
        if (!envelope)
            return session.terminal.fail(
                base::plainError(base::ErrorCode::invalidArgument,
                                 "An envelope needs " + std::to_string(comparison::kEnvelopeTrials) +
                                     " undisturbed trials of the configuration, each with an interval.",
                                 text::toText(found->id),
                                 "Sweep the model again while no other program runs; `apertune trend " +
                                     text::toText(found->id) + "` lists the trials that there are."));
        const std::filesystem::path file = options.out.empty() ? ownEnvelopesFile() : options.out;
        auto envelopes = readEnvelopes(file);
        if (!envelopes)
            return session.terminal.fail(envelopes.error());
        comparison::putEnvelope(*envelopes, *envelope);
        if (const auto written = base::writeFileAtomically(file, comparison::envelopesText(*envelopes)); !written)
            return session.terminal.fail(written.error());
        base::Json document{{"schema", "apertune.envelope/1"}, {"file", file.string()}};
        document["envelope"] = comparison::envelopeJson(*envelope);
        session.terminal.document(document);
        session.terminal.text(comparison::envelopeSentence(*envelope, found->trial().measurement.latencyNs) +
                              "\nWritten to " + file.string() + ".");
        return kDone;
    });
}

Action declareEnvelopeAdd(CLI::App& app)
{
    auto options = std::make_shared<EnvelopeAdd>();
    addArgument(app, "TRIAL", options->trial, kTrialHelp);
    app.add_option("--out", options->out, "File that gets the row (default: your own, which `apertune show` reads)")
        ->type_name("FILE");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb envelopeAddVerb()
{
    return {.path = {"envelope", "add"},
            .group = Group::manage,
            .summary = "Record what is normal for a configuration on this class of machine",
            .examples = R"(  apertune envelope add best
  apertune envelope add t12 --out fleet.json)",
            .takes = Takes::workspace,
            .documents = {{"apertune.envelope/1", "`file`, `envelope` as in `apertune.envelopes/1`"}},
            .declare = declareEnvelopeAdd};
}

} // namespace apertune::cli
