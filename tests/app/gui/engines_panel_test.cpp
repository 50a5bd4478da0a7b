// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/engines_panel.h"
#include "tests/app/gui/bench.h"
#include "widgets/controls/info_bar.h"
#include "widgets/controls/label.h"

#include <QMessageBox>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace apertune::gui {
namespace {

using testing::buttonOf;

/// The Start page on a machine that has LibTorch and could have OpenVINO.
struct Engines : ::testing::Test
{
    Engines() { EXPECT_TRUE(fixture.load(PageId::start)); }

    EnginesPanel& panel() { return *fixture.window.findChild<EnginesPanel*>(); }

    bool shows(const QString& text)
    {
        const auto labels = fixture.window.findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
            return label->isVisibleTo(&fixture.window) && label->text().contains(text);
        });
    }

    /// Presses a button of the panel, and then that of the question.
    void press(const QString& name, const QString& answer)
    {
        QPushButton* button = buttonOf(panel(), name);
        ASSERT_NE(button, nullptr) << name.toStdString();
        ASSERT_TRUE(button->isEnabled());
        button->click();
        auto* question = panel().findChild<QMessageBox*>();
        ASSERT_NE(question, nullptr);
        asked = question->text() + QLatin1Char(' ') + question->informativeText();
        for (QAbstractButton* choice : question->buttons())
            if (choice->text() == answer)
                choice->click();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    worker::EngineState& openvino() { return fixture.gateway->machine.engineStates.back(); }

    testing::Fixture fixture;
    QString asked;
};

TEST_F(Engines, AreAddedByAButtonWithProgress)
{
    std::atomic<bool> goOn = false;
    fixture.gateway->addScript = [&](const worker::EngineState& engine, const worker::AddObserver& observer,
                                     const std::stop_token&) -> base::Result<worker::AddedEngine> {
        EXPECT_EQ(engine.backend, "openvino");
        observer({61 * 1024 * 1024});
        while (!goOn)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        openvino().missing.reset();
        openvino().version = "2026.2.0";
        openvino().folder = "/somewhere";
        openvino().added = true;
        openvino().size = {200 * 1024 * 1024};
        return worker::AddedEngine{"/somewhere", openvino().size, {}};
    };
    EXPECT_TRUE(shows(QStringLiteral("not installed")));
    EXPECT_EQ(buttonOf(panel(), QStringLiteral("Remove LibTorch")), nullptr) << "Apertune did not install it";
    press(QStringLiteral("Add OpenVINO"), QStringLiteral("Add"));
    EXPECT_TRUE(asked.contains(QStringLiteral("openvino==2026.2.0"))) << asked.toStdString();
    EXPECT_TRUE(QTest::qWaitFor([&] { return shows(QStringLiteral("Adding OpenVINO: 61.0 MiB so far")); }));
    EXPECT_FALSE(buttonOf(panel(), QStringLiteral("Add OpenVINO"))->isEnabled());
    goOn = true;
    EXPECT_TRUE(QTest::qWaitFor([&] { return buttonOf(panel(), QStringLiteral("Remove OpenVINO")) != nullptr; }));
    EXPECT_TRUE(shows(QStringLiteral("2026.2.0 · 200 MiB, added here")));
    EXPECT_TRUE(shows(QStringLiteral("OpenVINO was added")));
    EXPECT_FALSE(shows(QStringLiteral("so far")));
}

TEST_F(Engines, CanBeCancelledWhileTheyAreAdded)
{
    fixture.gateway->addScript = [](const worker::EngineState&, const worker::AddObserver&,
                                    const std::stop_token& stop) -> base::Result<worker::AddedEngine> {
        while (!stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return base::plainError(base::ErrorCode::cancelled, "Cancelled.");
    };
    press(QStringLiteral("Add OpenVINO"), QStringLiteral("Add"));
    QPushButton* cancel = buttonOf(panel(), QStringLiteral("Cancel adding the engine"));
    ASSERT_NE(cancel, nullptr);
    cancel->click();
    EXPECT_TRUE(QTest::qWaitFor([&] { return shows(QStringLiteral("Adding OpenVINO was cancelled")); }));
    EXPECT_TRUE(buttonOf(panel(), QStringLiteral("Add OpenVINO"))->isEnabled());
}

TEST_F(Engines, TellWhyTheyWereNotAdded)
{
    fixture.gateway->addScript = [](const worker::EngineState&, const worker::AddObserver&,
                                    const std::stop_token&) -> base::Result<worker::AddedEngine> {
        return base::plainError(base::ErrorCode::io, "pip failed.", "no such index", "Check the index.");
    };
    press(QStringLiteral("Add OpenVINO"), QStringLiteral("Add"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return shows(QStringLiteral("pip failed.")); }));
    EXPECT_TRUE(buttonOf(panel(), QStringLiteral("Add OpenVINO"))->isEnabled());
}

TEST_F(Engines, AreRemovedAfterAQuestion)
{
    openvino().missing.reset();
    openvino().added = true;
    openvino().version = "2026.2.0";
    fixture.context.session.setMachine(fixture.gateway->machine);
    int removed = 0;
    fixture.gateway->removeScript = [&](const std::string& backend) -> base::Result<base::Bytes> {
        EXPECT_EQ(backend, "openvino");
        ++removed;
        openvino().added = false;
        openvino().missing = base::plainError(base::ErrorCode::notFound, "OpenVINO is not installed.");
        return base::Bytes{200 * 1024 * 1024};
    };
    press(QStringLiteral("Remove OpenVINO"), QStringLiteral("Keep"));
    EXPECT_EQ(removed, 0);
    press(QStringLiteral("Remove OpenVINO"), QStringLiteral("Remove"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return shows(QStringLiteral("OpenVINO was removed: 200 MiB are free.")); }));
    EXPECT_TRUE(QTest::qWaitFor([&] { return buttonOf(panel(), QStringLiteral("Add OpenVINO")) != nullptr; }));
}

TEST_F(Engines, AMachineWithoutAnyIsToldToAddOne)
{
    EXPECT_FALSE(shows(QStringLiteral("No engine is installed")));
    fixture.gateway->machine.engineStates.front().missing =
        base::plainError(base::ErrorCode::unsupported, "LibTorch is not part of this build.");
    fixture.context.session.setMachine(fixture.gateway->machine);
    EXPECT_TRUE(shows(QStringLiteral("No engine is installed")));
    EXPECT_EQ(buttonOf(panel(), QStringLiteral("Add LibTorch")), nullptr) << "its packages would not help";
}

} // namespace
} // namespace apertune::gui
