// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/envelope_files.h"
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/base/units.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

int listEnvelopes(Session& session)
{
    const auto envelopes = knownEnvelopes();
    if (!envelopes)
        return session.terminal.fail(envelopes.error());
    Json list = Json::array();
    text::TextTable table({{"Machine", text::Align::left, true},
                           {"Model", text::Align::left, true},
                           {"Configuration", text::Align::left, true},
                           {"Normal ms", text::Align::right},
                           {"Trials", text::Align::right, false, 3},
                           {"Engine", text::Align::left, false, 2},
                           {"Measured", text::Align::left, false, 1}});
    for (const comparison::Envelope& e : *envelopes) {
        list.push_back(comparison::envelopeJson(e));
        const double lo = e.loNs * base::kMsPerNs, hi = e.hiNs * base::kMsPerNs;
        const int decimals = text::decimalsFor(lo, (hi - lo) / 2);
        table.addRow({e.machine, e.model, model::shortName(e.config, model::typeOfDevice(e.device), true),
                      text::formatGrouped(lo, decimals) + "–" + text::formatGrouped(hi, decimals),
                      std::to_string(e.trials), e.config.backend + " " + e.engine, e.lastUtc.substr(0, 10)});
    }
    session.terminal.document({{"schema", "apertune.envelopes/1"}, {"envelopes", list}});
    session.terminal.text(list.empty() ? "No envelopes yet. Make one: apertune envelope add best"
                                       : table.render(session.terminal.width()));
    return kDone;
}

Action declareEnvelopeList(CLI::App&)
{
    return [](Session& session) { return listEnvelopes(session); };
}

} // namespace

Verb envelopeListVerb()
{
    return {
        .path = {"envelope", "list"},
        .group = Group::manage,
        .summary = "List what is normal on known classes of machines",
        .examples = R"(  apertune envelope list
  apertune envelope list --json)",
        .takes = Takes::json,
        .documents = {{"apertune.envelopes/1",
                       "`envelopes`: `machine` (class), `model` (its source), `device`, `config`, `lo_ms`, `hi_ms`, "
                       "`trials` (how many made it), `engine` and `apertune` (versions), `first`, `last` (when)"}},
        .declare = declareEnvelopeList};
}

} // namespace apertune::cli
