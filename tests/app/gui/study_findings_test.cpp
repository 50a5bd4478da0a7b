// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/findings_section.h"
#include "core/comparison/study_findings.h"
#include "tests/app/gui/bench.h"
#include "widgets/controls/chip.h"
#include "widgets/controls/command_line.h"
#include "widgets/theme/core_text.h"

#include <QLabel>

#include <gtest/gtest.h>

namespace apertune::gui {
namespace {

using testing::Fixture;

controls::Chip* chipOf(Fixture& fixture, const QString& text)
{
    for (auto* chip : fixture.window.currentPage()->findChildren<controls::Chip*>())
        if (chip->text().startsWith(text))
            return chip;
    return nullptr;
}

TEST(StudyFindings, StandBehindTheTableOfTrialsWithTheirEvidence)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(PageId::tradeoffs));
    const std::vector<comparison::StudyFinding> findings =
        comparison::studyFindings(*fixture.context.session.snapshot());
    ASSERT_FALSE(findings.empty()) << "the synthetic study has something to find";
    controls::Chip* chip = chipOf(fixture, QStringLiteral("Findings"));
    ASSERT_TRUE(chip);
    EXPECT_EQ(chip->text(), QStringLiteral("Findings %1").arg(findings.size()));
    auto* section = fixture.window.currentPage()->findChild<FindingsSection*>();
    EXPECT_FALSE(section->isVisible());
    chip->setChecked(true);
    ASSERT_TRUE(fixture.settle());
    ASSERT_TRUE(section->isVisible());
    QString shown;
    for (const QLabel* label : section->findChildren<QLabel*>())
        shown += label->text() + QLatin1Char('\n');
    for (const comparison::StudyFinding& finding : findings)
        EXPECT_TRUE(shown.contains(theme::fromCore(finding.text))) << finding.rule;
    EXPECT_TRUE(section->findChild<controls::CommandLine*>()->command().startsWith(
        QStringLiteral("apertune study findings s")));
    const model::TrialId evidence = findings.front().trials.front();
    QPushButton* button = nullptr;
    for (auto* candidate : section->findChildren<QPushButton*>())
        if (!button && candidate->text().startsWith(QStringLiteral("t%1 ").arg(evidence.value)))
            button = candidate;
    ASSERT_TRUE(button);
    button->click();
    EXPECT_EQ(fixture.window.currentPage()->id(), PageId::trial);
    EXPECT_EQ(fixture.context.session.selectedTrial(), evidence);
}

} // namespace
} // namespace apertune::gui
