// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/axes_editor.h"
#include "app/gui/pages/goal_editor.h"
#include "app/gui/presenters/command_lines.h"
#include "tests/app/gui/bench.h"
#include "widgets/controls/label.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>

#include <gtest/gtest.h>

namespace apertune::gui {
namespace {

using base::Outcome;
using testing::Bench;

TEST(GoalEditor, RefusesWhatTheCommandLineRefusesInTheSameSentence)
{
    GoalEditor editor;
    const auto field = [&](const QString& name) {
        for (auto* found : editor.findChildren<QLineEdit*>()) {
            if (found->accessibleName() == name) {
                return found;
            }
        }
        return static_cast<QLineEdit*>(nullptr);
    };
    ASSERT_TRUE(editor.values());
    for (const auto& [name, text, sentence] :
         {std::tuple("Latency at most", "0", "nothing keeps a bound of 0."),
          std::tuple("Latency at most", "20", "\"20\" is not a duration."),
          std::tuple("Memory at most", "0", "nothing keeps a bound of 0."),
          std::tuple("Memory at most", "4Go", "\"4Go\" is not a size."),
          std::tuple("Agreement at least", "0", "everything keeps a bound of 0."),
          std::tuple("Agreement at least", "1.5", "\"1.5\" is not a share from 0 to 1."),
          std::tuple("Agreement at least", "-0.5", "\"-0.5\" is not a share from 0 to 1."),
          std::tuple("Measuring time", "never", "\"never\" is not a duration.")}) {
        QLineEdit* const line = field(QString::fromLatin1(name));
        ASSERT_NE(line, nullptr) << name;
        const QString before = line->text();
        line->setText(QString::fromLatin1(text));
        const auto values = editor.values();
        ASSERT_FALSE(values) << name << ' ' << text;
        EXPECT_EQ(values.error().message, std::string(name) + ": " + sentence);
        EXPECT_FALSE(values.error().hint.empty());
        const auto labels = editor.findChildren<controls::Label*>();
        EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [&](const auto* label) {
            return !label->isHidden() && label->text().contains(QString::fromLatin1(sentence));
        })) << sentence;
        line->setText(before);
    }
    field(QStringLiteral("Agreement at least"))->setText(QStringLiteral("99%"));
    field(QStringLiteral("Latency at most"))->setText(QStringLiteral("20ms"));
    const auto values = editor.values();
    ASSERT_TRUE(values);
    EXPECT_DOUBLE_EQ(values->goal.minQuality, 0.99);
    EXPECT_EQ(values->goal.maxLatency, base::fromMilliseconds(20));
    field(QStringLiteral("Latency at most"))->setText(QStringLiteral("20ms, p99=25ms"));
    engine::StudyRequest request;
    request.model.name = "m";
    request.goal = editor.values()->goal;
    EXPECT_EQ(request.goal.maxPercentiles.at(99), base::fromMilliseconds(25));
    EXPECT_TRUE(tuneCommand(request, {}).contains(QStringLiteral("--max-latency 20ms,p99=25ms")));
}

TEST(AxesEditor, OffersTheSwitchesThatPlannedEnginesTellOfThemselves)
{
    AxesEditor editor;
    const auto chip = [&]() -> QAbstractButton* {
        for (auto* found : editor.findChildren<QAbstractButton*>())
            if (!found->isHidden() && found->text() == QStringLiteral("streams"))
                return found;
        return nullptr;
    };
    EXPECT_EQ(chip(), nullptr);
    const std::vector<model::SwitchInfo> told{{"streams", "openvino: parts side by side"}};
    editor.setEngineSwitches(told);
    ASSERT_NE(chip(), nullptr);
    EXPECT_EQ(chip()->toolTip(), QStringLiteral("openvino: parts side by side"));
    EXPECT_TRUE(editor.space().switches.empty());
    chip()->setChecked(true);
    editor.setEngineSwitches(told);
    const std::map<std::string, std::vector<bool>> both{{"streams", {false, true}}};
    EXPECT_EQ(editor.space().switches, both) << "another plan keeps what is chosen";
    editor.setEngineSwitches({});
    EXPECT_EQ(chip(), nullptr);
    EXPECT_TRUE(editor.space().switches.empty());
}

TEST(SweepPage, TheSearchThatIsChosenIsExplainedAndSwept)
{
    Bench bench;
    ASSERT_TRUE(bench.load(PageId::sweep));
    std::string swept = "none";
    bench.gateway->sweepScript = [&](const auto& what, const auto&, std::stop_token) {
        swept = std::get<engine::StudyRequest>(what).space.search;
        return base::Result<Outcome>(Outcome::done);
    };
    for (auto* chip : bench.window.currentPage()->findChildren<QAbstractButton*>()) {
        if (chip->text() == QStringLiteral("grid")) {
            chip->click();
            EXPECT_TRUE(chip->isChecked());
            bool told = false;
            for (const auto* label : bench.window.currentPage()->findChildren<QLabel*>()) {
                told = told || (label->isVisible() && label->text() == chip->toolTip());
            }
            EXPECT_TRUE(told);
        }
    }
    ASSERT_TRUE(bench.settle());
    QTest::keyClick(&bench.window, Qt::Key_Return, Qt::ControlModifier);
    ASSERT_TRUE(bench.settle());
    EXPECT_EQ(swept, "grid");
}

} // namespace
} // namespace apertune::gui
