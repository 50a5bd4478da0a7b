// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/tune_options.h"
#include "app/gui/pages/study/axes_editor.h"
#include "app/gui/pages/study/goal_editor.h"
#include "app/gui/pages/study/zoo_card.h"
#include "app/gui/presenters/command_lines.h"
#include "core/base/text.h"
#include "core/model/json_codec.h"
#include "core/sentences/sentences.h"
#include "tests/app/gui/bench.h"
#include "tests/widgets/synthetic_study.h"
#include "widgets/controls/chip.h"
#include "widgets/controls/label.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::gui {
namespace {

using base::Outcome;
using testing::buttonOf;
using testing::Fixture;

TEST(GoalEditor, RefusesWhatTheCommandLineRefusesInTheSameSentence)
{
    GoalEditor editor;
    const auto field = [&](const QString& name) {
        for (auto* found : editor.findChildren<QLineEdit*>())
            if (found->accessibleName() == name)
                return found;
        return static_cast<QLineEdit*>(nullptr);
    };
    ASSERT_TRUE(editor.values());
    for (const auto& [name, text, sentence] :
         {std::tuple("Latency at most", "0", "Latency at most: the bound must be greater than 0."),
          std::tuple("Latency at most", "20", "Latency at most: Invalid duration \"20\"."),
          std::tuple("Memory at most", "0", "Memory at most: the bound must be greater than 0."),
          std::tuple("Memory at most", "4Go", "Memory at most: Invalid size \"4Go\"."),
          std::tuple("Agreement at least", "0", "Agreement at least: the bound must be greater than 0."),
          std::tuple("Agreement at least", "1.5",
                     "Invalid value \"1.5\" for Agreement at least: it must be from 0 to 1."),
          std::tuple("Agreement at least", "-0.5",
                     "Invalid value \"-0.5\" for Agreement at least: it must be from 0 to 1."),
          std::tuple("Budget", "never", "Budget: Invalid duration \"never\".")}) {
        QLineEdit* const line = field(QString::fromLatin1(name));
        ASSERT_NE(line, nullptr) << name;
        const QString before = line->text();
        line->setText(QString::fromLatin1(text));
        const auto values = editor.values();
        ASSERT_FALSE(values) << name << ' ' << text;
        EXPECT_EQ(sentences::sentence(values.error().message), sentence);
        EXPECT_FALSE(values.error().hint.empty());
        const auto labels = editor.findChildren<controls::Label*>();
        EXPECT_TRUE(std::any_of(labels.begin(), labels.end(),
                                [wanted = QString::fromLatin1(sentence)](const auto* label) {
                                    return !label->isHidden() && label->text().contains(wanted);
                                }))
            << sentence;
        line->setText(before);
    }
    field(QStringLiteral("Agreement at least"))->setText(QStringLiteral("99%"));
    field(QStringLiteral("Latency at most"))->setText(QStringLiteral("20ms"));
    const auto values = editor.values();
    ASSERT_TRUE(values);
    EXPECT_DOUBLE_EQ(values->goal.minQuality, 0.99);
    EXPECT_EQ(values->goal.maxLatency, base::fromMilliseconds(20));
    field(QStringLiteral("Latency at most"))->setText(QStringLiteral("20ms, p99=25ms"));
    study::StudyRequest request;
    request.model.name = "m";
    request.goal = editor.values()->goal;
    EXPECT_EQ(request.goal.maxPercentiles.at(99), base::fromMilliseconds(25));
    EXPECT_TRUE(tuneCommand(request, {}).contains(QStringLiteral("--max-latency 20ms,p99=25ms")));
}

/// What a request asks for, in full.
std::string contentOf(const study::StudyRequest& request)
{
    base::Json content = model::toJson(request.space);
    content.update(model::toJson(request.goal));
    content["budget"] = request.budget.count;
    content["target"] = request.target;
    return content.dump(1);
}

/// What the command line makes of a line that begins with "apertune tune".
std::string contentOf(const std::string& line)
{
    CLI::App app;
    const auto read = cli::declareTuneOptions(app);
    std::string store;
    app.add_option("--store", store);
    std::vector<std::string> words = base::splitList(line, ' ');
    words.erase(words.begin(), words.begin() + 2);
    std::reverse(words.begin(), words.end()); // CLI11 takes the last word first
    EXPECT_NO_THROW(app.parse(words)) << line;
    return contentOf(read->request);
}

/// A machine with three engines, whose sweeps are noted and end at once.
struct ThreeEngines
{
    ThreeEngines()
    {
        fixture.gateway->machine.engines = {"onnxruntime", "openvino"};
        fixture.gateway->importResult = fixture.gateway->state.models.front();
        fixture.gateway->sweepScript = [this](const auto& what, const auto&, std::stop_token) {
            swept = std::get<study::StudyRequest>(what);
            return base::Result<Outcome>(Outcome::done);
        };
    }

    Fixture fixture;
    study::StudyRequest swept;

    QAbstractButton* chip(const QString& text)
    {
        for (auto* found : fixture.window.currentPage()->findChildren<controls::Chip*>())
            if (found->text() == text)
                return found;
        return nullptr;
    }
};

TEST(AutoTune, OfTheWindowAsksTheEnginesThatTheCommandLineAsks)
{
    ThreeEngines here;
    ASSERT_TRUE(here.fixture.load(PageId::start));
    const std::string asked = contentOf("apertune tune resnet50 --budget 120s");
    EXPECT_NE(asked.find("\"all\""), std::string::npos);
    for (auto* card : here.fixture.window.currentPage()->findChildren<ZooCard*>())
        if (card->text() == QStringLiteral("resnet50"))
            card->click();
    ASSERT_TRUE(here.fixture.settle());
    EXPECT_EQ(contentOf(here.swept), asked) << "the card on Start";
    EXPECT_EQ(contentOf(here.swept.commandLine), asked) << here.swept.commandLine;
    for (const PageId page : {PageId::model, PageId::sweep}) {
        here.swept = {};
        here.fixture.window.showPage(page);
        ASSERT_TRUE(here.fixture.settle());
        here.fixture.window.currentPage()->triggerPrimary();
        ASSERT_TRUE(here.fixture.settle());
        EXPECT_EQ(here.swept.model.name, "resnet50");
        EXPECT_EQ(contentOf(here.swept), asked) << "page " << page.name();
        EXPECT_EQ(contentOf(here.swept.commandLine), asked) << here.swept.commandLine;
    }
}

TEST(SweepPage, TheSweepThatAButtonStartsIsThePlanThatStandsBesideIt)
{
    ThreeEngines here;
    ASSERT_TRUE(here.fixture.load(PageId::sweep));
    const auto planned = [&] { return contentOf(here.fixture.gateway->planned); };
    const std::string byDefault = planned();
    EXPECT_EQ(byDefault, contentOf("apertune tune resnet50 --budget 120s"));
    const auto reset = [&] { return buttonOf(here.fixture.window, QStringLiteral("Default axes")); };
    ASSERT_NE(reset(), nullptr);
    EXPECT_FALSE(reset()->isEnabled());

    for (const char* text : {"openvino", "O3", "bf16", "16", "freeze"}) {
        QAbstractButton* chip = here.chip(QString::fromLatin1(text));
        ASSERT_NE(chip, nullptr) << text;
        chip->click();
    }
    ASSERT_TRUE(here.fixture.settle());
    const model::SearchSpace& space = here.fixture.gateway->planned.space;
    EXPECT_EQ(space.backends, (std::vector<std::string>{"libtorch", "onnxruntime"}));
    EXPECT_EQ(space.levels, (std::vector{model::OptLevel::o0, model::OptLevel::o1, model::OptLevel::o2}));
    EXPECT_EQ(space.precisions, std::vector{model::Precision::bf16});
    EXPECT_EQ(space.batches, (std::vector{1, 2, 4, 8, 16}));
    EXPECT_TRUE(space.devices.empty()) << "an axis that nobody touched keeps its default";
    const std::string changed = planned();
    EXPECT_NE(changed, byDefault);
    here.fixture.window.currentPage()->triggerPrimary();
    ASSERT_TRUE(here.fixture.settle());
    EXPECT_EQ(contentOf(here.swept), changed);
    EXPECT_EQ(contentOf(here.swept.commandLine), changed) << here.swept.commandLine;

    here.fixture.window.showPage(PageId::sweep);
    ASSERT_TRUE(here.fixture.settle());
    ASSERT_TRUE(reset()->isEnabled());
    reset()->click();
    ASSERT_TRUE(here.fixture.settle());
    EXPECT_EQ(planned(), byDefault);
    EXPECT_FALSE(reset()->isEnabled());
    here.fixture.window.currentPage()->triggerPrimary();
    ASSERT_TRUE(here.fixture.settle());
    EXPECT_EQ(contentOf(here.swept), byDefault);
}

TEST(AxesEditor, SinglePrecisionsStandInForEachLevelsOwnAndBack)
{
    AxesEditor editor;
    editor.setMachine({testing::makeSyntheticCpu()}, {});
    const auto chip = [&](const char* text) {
        for (auto* found : editor.findChildren<controls::Chip*>())
            if (found->text() == QString::fromLatin1(text))
                return found;
        return static_cast<controls::Chip*>(nullptr);
    };
    EXPECT_TRUE(editor.isDefault());
    EXPECT_TRUE(chip("fp32 and each level's own")->isChecked());
    chip("fp32")->click();
    chip("int8")->click();
    EXPECT_FALSE(chip("fp32 and each level's own")->isChecked());
    EXPECT_EQ(editor.space().precisions, (std::vector{model::Precision::fp32, model::Precision::int8}));
    chip("int8")->click();
    chip("fp32")->click();
    EXPECT_TRUE(chip("fp32 and each level's own")->isChecked());
    EXPECT_TRUE(editor.isDefault());
    chip("fp32")->click();
    chip("fp32 and each level's own")->click();
    EXPECT_FALSE(chip("fp32")->isChecked());
    EXPECT_TRUE(editor.space().precisions.empty());
}

TEST(AxesEditor, ChecksOneOfTwoEqualGpusAndTheThreadsOfTheCpu)
{
    AxesEditor editor;
    model::Device gpu;
    gpu.id = "cuda:0";
    gpu.type = model::DeviceType::nvidiaGpu();
    gpu.name = "NVIDIA H200";
    model::Device second = gpu;
    second.id = "cuda:1";
    editor.setMachine({testing::makeSyntheticCpu(), gpu, second}, {"onnxruntime"});
    std::vector<QString> checked;
    for (auto* chip : editor.findChildren<controls::Chip*>())
        if (chip->isChecked())
            checked.push_back(chip->text());
    const auto isChecked = [&](const QString& text) { return std::count(checked.begin(), checked.end(), text) > 0; };
    EXPECT_TRUE(isChecked(QStringLiteral("cuda:0")));
    EXPECT_FALSE(isChecked(QStringLiteral("cuda:1")));
    EXPECT_FALSE(isChecked(QStringLiteral("cpu")));
    EXPECT_TRUE(std::any_of(checked.begin(), checked.end(),
                            [](const QString& text) { return text.endsWith(QStringLiteral("all cores")); }));
    EXPECT_EQ(model::toJson(editor.space()), model::toJson(model::SearchSpace{}));
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
    const std::vector<model::SwitchInfo> engineSwitches{{"streams", "openvino: parts side by side"}};
    editor.setEngineSwitches(engineSwitches);
    ASSERT_NE(chip(), nullptr);
    EXPECT_EQ(chip()->toolTip(), QStringLiteral("openvino: parts side by side"));
    EXPECT_TRUE(editor.space().switches.empty());
    chip()->setChecked(true);
    editor.setEngineSwitches(engineSwitches);
    const std::map<std::string, std::vector<bool>> both{{"streams", {false, true}}};
    EXPECT_EQ(editor.space().switches, both) << "another plan keeps what is chosen";
    editor.setEngineSwitches({});
    EXPECT_EQ(chip(), nullptr);
    EXPECT_TRUE(editor.space().switches.empty());
}

TEST(SweepPage, TheSearchThatIsChosenIsExplainedAndSwept)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(PageId::sweep));
    std::optional<model::SearchAlgorithm> swept;
    fixture.gateway->sweepScript = [&](const auto& what, const auto&, std::stop_token) {
        swept = std::get<study::StudyRequest>(what).space.search;
        return base::Result<Outcome>(Outcome::done);
    };
    for (auto* chip : fixture.window.currentPage()->findChildren<QAbstractButton*>()) {
        if (chip->text() == QStringLiteral("grid")) {
            chip->click();
            EXPECT_TRUE(chip->isChecked());
            bool shown = false;
            for (const auto* label : fixture.window.currentPage()->findChildren<QLabel*>())
                shown = shown || (label->isVisible() && label->text() == chip->toolTip());
            EXPECT_TRUE(shown);
        }
    }
    ASSERT_TRUE(fixture.settle());
    QTest::keyClick(&fixture.window, Qt::Key_Return, Qt::ControlModifier);
    ASSERT_TRUE(fixture.settle());
    EXPECT_EQ(swept, model::SearchAlgorithm::grid);
}

} // namespace
} // namespace apertune::gui
