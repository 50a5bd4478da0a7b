// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/study_findings_report.h"

#include "core/advice/documents.h"
#include "core/advice/rule_info.h"
#include "core/base/text.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

namespace apertune::report {

using base::Json;
using sentences::sentence;

namespace {

base::Message titleOf(std::string_view rule)
{
    return {std::string(advice::findRule(rule)->title->id)};
}

} // namespace

Json studyFindingsDocument(const model::StudySnapshot& snapshot, const std::vector<comparison::StudyFinding>& findings,
                           const advice::Thresholds& thresholds)
{
    Json list = Json::array();
    for (const comparison::StudyFinding& finding : findings) {
        Json why = Json::array();
        for (const base::Message& reason : finding.why)
            why.push_back(sentence(reason));
        Json trials = Json::array();
        for (const model::TrialId trial : finding.trials)
            trials.push_back(text::toText(trial));
        list.push_back({{"rule", finding.rule},
                        {"title", sentence(titleOf(finding.rule))},
                        {"device", finding.device},
                        {"text", sentence(finding.text)},
                        {"why", why},
                        {"change", sentence(finding.change)},
                        {"trials", trials}});
    }
    return {{"schema", "apertune.study-findings/1"},
            {"study", text::toText(snapshot.study.id)},
            {"findings", list},
            {"thresholds", advice::changedThresholdsDocument(thresholds)}};
}

std::string studyFindingsText(const model::StudySnapshot& snapshot,
                              const std::vector<comparison::StudyFinding>& findings,
                              const advice::Thresholds& thresholds, int width)
{
    const text::ConfigurationNames names(snapshot);
    constexpr int kIndent = 5;
    const int inner = width > kIndent ? width - kIndent : width;
    std::string text;
    const auto line = [&](const std::string& what) {
        text += std::string(kIndent, ' ') + text::wrap(what, inner, kIndent) + "\n";
    };
    for (const comparison::StudyFinding& finding : findings) {
        const std::string where = names.severalDevices() ? " (" + finding.device + ")" : std::string();
        text += (text.empty() ? "" : "\n") +
                text::wrap(std::string(finding.rule) + where + "  " + sentence(titleOf(finding.rule)) + ": " +
                               sentence(finding.text),
                           width, kIndent) +
                "\n";
        for (const base::Message& reason : finding.why)
            line("Why: " + sentence(reason));
        line(sentence(finding.change));
        constexpr std::size_t kMostNamed = 6;
        const std::size_t named = finding.trials.size() <= kMostNamed ? finding.trials.size() : kMostNamed - 1;
        std::vector<std::string> trials;
        for (std::size_t i = 0; i < named; ++i)
            trials.push_back(text::toText(finding.trials[i]) + " (" +
                             names.shortName(*snapshot.find(finding.trials[i])) + ")");
        if (named < finding.trials.size())
            trials.push_back(std::to_string(finding.trials.size() - named) + " more");
        line("Trials: " + base::join(trials));
    }
    if (findings.empty())
        text = "No rule over a study applies.\n";
    if (const std::string changed = advice::changedThresholdsText(thresholds); !changed.empty())
        text += "\n" + text::wrap(changed, width, 0) + "\n";
    return text;
}

} // namespace apertune::report
