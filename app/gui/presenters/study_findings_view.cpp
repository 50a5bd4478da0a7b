// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/study_findings_view.h"

#include "app/gui/presenters/command_lines.h"
#include "core/advice/rule_info.h"
#include "core/comparison/study_findings.h"
#include "core/text/format.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

namespace apertune::gui {

std::shared_ptr<const StudyFindingsView> makeStudyFindingsView(std::shared_ptr<const model::StudySnapshot> snapshot,
                                                               const std::filesystem::path& file)
{
    auto view = std::make_shared<StudyFindingsView>();
    const text::ConfigurationNames names(*snapshot);
    for (const comparison::StudyFinding& finding : comparison::studyFindings(*snapshot)) {
        StudyFindingCard card;
        card.rule = theme::toQt(finding.rule);
        card.title = theme::fromCore(base::Message{std::string(advice::findRule(finding.rule)->title->id)});
        if (names.severalDevices())
            card.device = theme::toQt(finding.device);
        card.text = theme::fromCore(finding.text);
        for (const base::Message& reason : finding.why)
            card.why << theme::fromCore(reason);
        card.change = theme::fromCore(finding.change);
        for (const model::TrialId id : finding.trials)
            card.trials.emplace_back(
                id, QStringLiteral("t%1  %2").arg(id.value).arg(theme::toQt(names.shortName(*snapshot->find(id)))));
        view->cards.push_back(std::move(card));
    }
    view->command = studyFindingsCommand(snapshot->study.id, file);
    view->snapshot = std::move(snapshot);
    return view;
}

} // namespace apertune::gui
