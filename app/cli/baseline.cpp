// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/baseline.h"

#include "app/cli/with_store.h"
#include "core/report/format.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

int setBaseline(const std::string& text, bool starred, Session& session)
{
    return withStore(
        session,
        [&](store::Store& store) -> int {
            const auto found = findTrial(store, text);
            if (!found)
                return session.terminal.fail(found.error());
            if (const auto set = store.setBaseline(found->id, starred); !set)
                return session.terminal.fail(set.error());
            const auto baselines = store.baselines();
            if (!baselines)
                return session.terminal.fail(baselines.error());
            Json list = Json::array();
            for (const model::TrialId id : *baselines)
                list.push_back(report::toText(id));
            const std::string trial = report::toText(found->id);
            session.terminal.document(
                {{"schema", "apertune.baseline/1"}, {"trial", trial}, {"starred", starred}, {"baselines", list}});
            session.terminal.text(starred ? trial + " is a baseline now." : trial + " is not a baseline any more.");
            return kDone;
        },
        store::OpenMode::readWrite);
}

} // namespace apertune::cli
