// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/study_series.h"

#include "app/cli/study_run.h"
#include "core/report/recommendation.h"
#include "core/text/format.h"

#include <algorithm>

namespace apertune::cli {

StudySeries runSeries(engine::Workbench& workbench, const Tune& options, std::size_t count, const ModelOfSeries& model,
                      Session& session)
{
    StudySeries series;
    study::StudyRequest request = options.request;
    request.commandLine = repeatLine(options, session.repeatLine);
    request.budget.count /= static_cast<std::int64_t>(count);
    for (std::size_t place = 0; place < count && !series.interrupted; ++place) {
        // A model that cannot be imported does not undo the ones before it.
        const auto found = model(place);
        if (!found) {
            series.failure = found.error();
            break;
        }
        session.terminal.note(found->name + ":");
        request.model = *found;
        auto run = runStudy(workbench, request, session);
        if (!run) {
            series.failure = run.error();
            break;
        }
        series.interrupted = run->interrupted;
        series.studies.push_back(std::move(run->snapshot));
    }
    return series;
}

int endOfSeries(const StudySeries& series, Session& session)
{
    if (series.interrupted)
        session.terminal.note("Interrupted; the results so far are stored. `apertune tune --resume" +
                              text::storeOption(session.common.store) + "` continues the last study.");
    if (series.failure)
        return session.terminal.fail(*series.failure);
    const bool better =
        std::all_of(series.studies.begin(), series.studies.end(), [](const model::StudySnapshot& snapshot) {
            return report::answerOf(snapshot) == report::Answer::better;
        });
    return series.interrupted ? kInterrupted : better ? kDone : kNoResult;
}

} // namespace apertune::cli
