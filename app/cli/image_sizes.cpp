// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/image_sizes.h"

#include "app/cli/importing.h"
#include "app/cli/lookup.h"
#include "app/cli/study_run.h"
#include "core/report/documents.h"
#include "core/report/recommendation.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

text::TextTable sizesTable(base::RateUnit rate)
{
    return text::TextTable({{"Image size"},
                            {"Study"},
                            {"Fastest safe configuration", text::Align::left, true},
                            {"Latency ms", text::Align::right},
                            {"Throughput " + std::string(base::toString(rate)), text::Align::right},
                            {"Against O0 fp32", text::Align::right}});
}

std::vector<std::string> rowOf(int size, const model::StudySnapshot& snapshot)
{
    const std::string pixels = std::to_string(size) + " × " + std::to_string(size);
    const std::string study = text::toText(snapshot.study.id);
    const model::Trial* best = snapshot.leadingTrial();
    if (!best)
        return {pixels, study, "none"};
    const model::Measurement& m = best->measurement;
    return {pixels,
            study,
            text::toText(best->id) + "  " + text::ConfigurationNames(snapshot).shortName(*best) +
                (snapshot.recommended ? "" : ", not confirmed"),
            text::formatPlusMinus(m.latencyNs, 1e-6),
            text::formatPlusMinus(m.throughput),
            text::formatRatio(snapshot.leading()->speedup)};
}

} // namespace

int tuneSizes(engine::Workbench& workbench, const Tune& options, Session& session)
{
    Terminal& terminal = session.terminal;
    study::StudyRequest request = options.request;
    request.commandLine = session.repeatLine;
    // The budget is for all sizes together.
    request.budget.count /= static_cast<std::int64_t>(options.imageSizes.size());
    std::optional<text::TextTable> table; // The unit of rates is known with the first model.
    Json sizes = Json::array();
    bool interrupted = false;
    bool better = true;
    std::optional<base::Error> failure;
    for (const int size : options.imageSizes) {
        // A size is part of the model's name, so each size is a model of its own.
        const auto model = workbench.models().resolve(options.model + "@" + std::to_string(size),
                                                      importObserver(terminal), session.interrupt.token());
        // A size that cannot be imported does not undo the ones before it.
        if (!model) {
            failure = model.error();
            break;
        }
        terminal.note(model->name + ":");
        request.model = *model;
        const auto run = runStudy(workbench, request, session);
        if (!run) {
            failure = run.error();
            break;
        }
        if (!table)
            table = sizesTable(model->rateUnit());
        table->addRow(rowOf(size, run->snapshot));
        sizes.push_back({{"image_size", size}, {"study", report::studyDocument(run->snapshot)}});
        // Every size must have a better configuration for the exit code 0.
        better = better && report::answerOf(run->snapshot) == report::Answer::better;
        interrupted = run->interrupted;
        if (interrupted)
            break;
    }
    // The results before a failure are shown all the same.
    if (!sizes.empty()) {
        terminal.document({{"schema", "apertune.image_sizes/1"}, {"model", options.model}, {"sizes", sizes}});
        terminal.text("\n" + table->render(terminal.width()) + "\n`apertune show STUDY` has the table of each size.\n");
    }
    if (interrupted)
        terminal.note("Interrupted; the results so far are stored. `apertune tune --resume" +
                      text::storeOption(session.common.store) + "` continues the last size.");
    if (failure)
        return terminal.fail(*failure);
    return interrupted ? kInterrupted : better ? kDone : kNoResult;
}

} // namespace apertune::cli
