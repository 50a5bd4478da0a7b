// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/image_sizes.h"

#include "app/cli/importing.h"
#include "app/cli/study_series.h"
#include "core/report/documents.h"
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
    const StudySeries series = runSeries(
        workbench, options, options.imageSizes.size(),
        [&](std::size_t place) {
            // A size is part of the model's name, so each size is a model of its own.
            return workbench.models().resolve(options.model + "@" + std::to_string(options.imageSizes[place]),
                                              importObserver(terminal), session.interrupt.token());
        },
        session);
    // The results before a failure are shown all the same.
    if (!series.studies.empty()) {
        text::TextTable table = sizesTable(series.studies.front().study.model.rateUnit());
        Json sizes = Json::array();
        for (std::size_t place = 0; place < series.studies.size(); ++place) {
            const int size = options.imageSizes[place];
            table.addRow(rowOf(size, series.studies[place]));
            sizes.push_back({{"image_size", size}, {"study", report::studyDocument(series.studies[place])}});
        }
        terminal.document({{"schema", "apertune.image_sizes/1"}, {"model", options.model}, {"sizes", sizes}});
        terminal.text("\n" + table.render(terminal.width()) + "\n`apertune show STUDY` has the table of each size.\n");
    }
    return endOfSeries(series, session);
}

} // namespace apertune::cli
