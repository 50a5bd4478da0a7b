// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/measured_studies.h"

#include "core/study/study_runner.h"

namespace apertune::engine {

base::Result<std::vector<model::StudySnapshot>>
measuredStudies(const store::Store& store, const std::function<bool(const store::StudySummary&)>& wanted)
{
    const auto list = store.studies();
    if (!list)
        return list.error();
    std::vector<model::StudySnapshot> studies;
    for (const store::StudySummary& summary : *list) {
        if (summary.ok == 0 || !wanted(summary))
            continue;
        auto snapshot = study::loadStudy(store, summary.id);
        if (!snapshot)
            return snapshot.error();
        studies.push_back(std::move(*snapshot));
    }
    return studies;
}

} // namespace apertune::engine
