// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/baseline.h"

#include "app/cli/with_store.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

int changeBaseline(const std::string& text, const std::function<base::Status(store::Store&, model::TrialId)>& change,
                   const std::string& said, Session& session)
{
    return withStore(
        session,
        [&](store::Store& store) -> int {
            const auto found = findTrial(store, text);
            if (!found)
                return session.terminal.fail(found.error());
            if (const auto changed = change(store, found->id); !changed)
                return session.terminal.fail(changed.error());
            const auto baselines = store.baselines();
            if (!baselines)
                return session.terminal.fail(baselines.error());
            const std::string trial = text::toText(found->id);
            Json document{{"schema", "apertune.baseline/1"}, {"trial", trial}, {"starred", false}, {"name", nullptr}};
            Json list = Json::array();
            for (const model::Baseline& baseline : *baselines) {
                list.push_back(text::toText(baseline.trial));
                if (baseline.trial != found->id)
                    continue;
                document["starred"] = true;
                if (!baseline.name.empty())
                    document["name"] = baseline.name;
            }
            document["baselines"] = list;
            session.terminal.document(document);
            session.terminal.text(trial + " " + said);
            return kDone;
        },
        store::OpenMode::readWrite);
}

} // namespace apertune::cli
