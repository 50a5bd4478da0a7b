// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/findings_section.h"

#include "widgets/controls/command_line.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/label.h"
#include "widgets/controls/scroll_page.h"
#include "widgets/theme/style.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace apertune::gui {

using controls::Label;
using controls::Tone;

namespace {

constexpr std::size_t kMostTrials = 12; ///< buttons of a card; a rule about a whole study may name hundreds

void addText(QVBoxLayout* layout, const QString& text, theme::Type type, Tone tone, QWidget* parent)
{
    auto* label = new Label(text, type, tone, parent);
    label->setWordWrap(true);
    layout->addWidget(label);
}

} // namespace

FindingsSection::FindingsSection(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto* scroll = new controls::ScrollPage(this);
    scroll->body()->setContentsMargins(12, 0, 12, 0);
    m_layout = scroll->body();
    layout->addWidget(scroll, 1);
    m_command = new controls::CommandLine(tr("Command line of these findings"), this);
    m_command->setContentsMargins(12, 0, 12, 4);
    layout->addWidget(m_command);
    setView(nullptr);
}

void FindingsSection::setView(std::shared_ptr<const StudyFindingsView> view)
{
    m_view = std::move(view);
    while (QLayoutItem* item = m_layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_command->setVisible(m_view != nullptr);
    if (!m_view)
        return;
    for (const StudyFindingCard& finding : m_view->cards)
        m_layout->addWidget(makeCard(finding, this));
    if (m_view->cards.empty())
        addText(m_layout, tr("No rule over a study applies: of what this study measured, nothing is known not to pay."),
                theme::Type::body, Tone::secondary, this);
    m_layout->addStretch(1);
    m_command->setCommand(m_view->command);
}

QWidget* FindingsSection::makeCard(const StudyFindingCard& finding, QWidget* parent)
{
    auto* card = new QWidget(parent);
    card->setAccessibleName(finding.title);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(0, 0, 0, 8);
    layout->setSpacing(4);
    addText(layout, finding.device.isEmpty() ? finding.title : tr("%1 (%2)").arg(finding.title, finding.device),
            theme::Type::bodyStrong, Tone::text, card);
    addText(layout, finding.text, theme::Type::body, Tone::text, card);
    for (const QString& why : finding.why)
        addText(layout, tr("Why: %1").arg(why), theme::Type::body, Tone::secondary, card);
    if (!finding.change.isEmpty())
        addText(layout, finding.change, theme::Type::body, Tone::accent, card);
    auto* evidence = new QWidget(card);
    auto* flow = new controls::FlowLayout(evidence, 6);
    for (std::size_t i = 0; i < std::min(finding.trials.size(), kMostTrials); ++i) {
        const auto& [trial, name] = finding.trials[i];
        auto* button = new QPushButton(name, evidence);
        theme::setButtonKind(button, theme::ButtonKind::quiet);
        button->setToolTip(tr("Show the trial with all its samples"));
        button->setAccessibleName(tr("Show trial %1").arg(name));
        connect(button, &QPushButton::clicked, this, [this, id = trial] { Q_EMIT trialChosen(id); });
        flow->addWidget(button);
    }
    if (finding.trials.size() > kMostTrials)
        flow->addWidget(new Label(tr("and %1 more").arg(finding.trials.size() - kMostTrials), theme::Type::caption,
                                  Tone::secondary, evidence));
    flow->addWidget(new Label(finding.rule, theme::Type::caption, Tone::secondary, evidence));
    layout->addWidget(evidence);
    return card;
}

} // namespace apertune::gui
