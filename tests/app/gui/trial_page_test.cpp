// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/load_section.h"
#include "app/gui/presenters/stage_view.h"
#include "core/workload/stages/pipeline_summary.h"
#include "tests/app/gui/bench.h"
#include "tests/core/trace/support/synthetic_trace.h"
#include "widgets/controls/label.h"
#include "widgets/trace_views/share_bar.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <thread>

namespace apertune::gui {
namespace {

using testing::buttonOf;
using testing::Fixture;

QCheckBox* checkBox(const Fixture& fixture, const QString& text)
{
    for (QCheckBox* box : fixture.window.currentPage()->findChildren<QCheckBox*>())
        if (box->text() == text)
            return box;
    return nullptr;
}

TEST(TrialPage, ShowsWhatTheTrialDidUnderLoadWithItsIntervals)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(PageId::trial));
    auto* section = fixture.window.currentPage()->findChild<LoadSection*>();
    ASSERT_NE(section, nullptr);
    const auto* table = section->findChild<QAbstractItemView*>();
    ASSERT_NE(table, nullptr);
    EXPECT_FALSE(table->isVisible());
    fixture.gateway->loads = {
        {1, "server", "2026-03-14T09:30:00Z",
         R"({"scenario": {"kind": "server", "rate": 120.5, "bound_ns": 50000000, "percentile": 0.99},
             "summary": {"queries": 1200, "answered": 1200, "busy": 0.8,
                         "samples_per_s": {"value": 120.1, "lo": 119.1, "hi": 121.1, "confidence": 0.95},
                         "latency_ms": {"value": 41.5, "lo": 40, "hi": 43, "confidence": 0.95}},
             "capacity": {"predicted": 130, "holds": 120.5, "fails": 125}})"},
        {2, "camera", "2026-03-14T09:31:00Z",
         R"({"scenario": {"kind": "camera", "cameras": 4, "fps": 25},
             "summary": {"queries": 100, "answered": 98, "frames": {"late": 3, "dropped": 2, "miss_share": 0.05,
                         "stalest_ms": 120}}, "capacity": null})"},
        {3, "offline", "2026-03-14T09:32:00Z", "not JSON"},
        {4, "server", "2026-03-14T09:33:00Z",
         R"({"scenario": {"kind": "server", "rate": 0, "bound_ns": 50000000, "percentile": 0.99},
             "summary": {"queries": 0, "answered": 0, "latency_ms": {"value": 0, "lo": 0, "hi": 0, "confidence": 0}},
             "capacity": {"predicted": 1, "holds": null, "fails": 1}})"}};
    fixture.context.session.selectTrial(fixture.gateway->state.snapshot->trials[3].id);
    ASSERT_TRUE(fixture.settle());
    EXPECT_TRUE(table->isVisible());
    QStringList rows;
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < table->model()->columnCount(); ++column)
            cells << table->model()->index(row, column).data().toString();
        rows << cells.join(QLatin1Char('|'));
    }
    ASSERT_EQ(rows.size(), 3);
    EXPECT_TRUE(rows[0].startsWith(QStringLiteral("server|no rate kept p99 ≤ 50.0 ms|–|–"))) << rows[0].toStdString();
    rows.removeFirst();
    EXPECT_TRUE(rows[0].startsWith(QStringLiteral("camera|4 cameras, 25 frames/s"))) << rows[0].toStdString();
    EXPECT_TRUE(rows[0].contains(QStringLiteral("5.000 %"))) << rows[0].toStdString();
    EXPECT_TRUE(rows[1].contains(QStringLiteral("120.1 ± 1.0"))) << rows[1].toStdString();
    EXPECT_TRUE(rows[1].contains(QStringLiteral("p99 ≤ 50.0 ms"))) << rows[1].toStdString();
}

TEST(TrialPage, OfAnImportedTrialOffersNothingThatNeedsItsModel)
{
    Fixture fixture;
    auto imported = std::make_shared<model::StudySnapshot>(*fixture.gateway->state.snapshot);
    imported->study.purpose = model::StudyPurpose::imported;
    imported->recommended.reset();
    for (model::Trial& trial : imported->trials) {
        model::Measurement& m = trial.measurement;
        m.blocks.clear();
        m.iterations.clear();
        m.load = m.first = {};
        m.applied = {{"statistic", model::AppliedState::notApplicable, "median, as the tool states it", {}}};
    }
    const model::TrialId trial = imported->trials[3].id;
    fixture.gateway->state.snapshot = imported;
    ASSERT_TRUE(fixture.load(PageId::trial));
    fixture.context.session.selectTrial(trial);
    ASSERT_TRUE(fixture.settle());
    const QWidget& page = *fixture.window.currentPage();
    EXPECT_EQ(buttonOf(page, QStringLiteral("Trace it")), nullptr);
    EXPECT_EQ(buttonOf(fixture.window, QStringLiteral("Export configuration")), nullptr);
    QStringList texts;
    for (const QLabel* label : page.findChildren<QLabel*>())
        if (label->isVisibleTo(&page))
            texts << label->text();
    EXPECT_TRUE(
        texts.contains(QStringLiteral("The file states statistics alone, so there are no single passes to draw.")))
        << texts.join(QLatin1Char('\n')).toStdString();
    EXPECT_TRUE(texts.contains(QStringLiteral("What the file states")));
    EXPECT_FALSE(texts.contains(QStringLiteral("Switches: asked for and in effect")));
}

/// The Trial page with a trial that was measured, and what its section on load is made of.
struct LoadFixture : Fixture
{
    bool open()
    {
        if (!load(PageId::trial))
            return false;
        context.session.selectTrial(trial());
        return settle();
    }
    model::TrialId trial() const
    {
        for (const model::Trial& trial : gateway->state.snapshot->trials)
            if (trial.state == model::TrialState::ok)
                return trial.id;
        return {};
    }
    LoadSection* section() const { return window.currentPage()->findChild<LoadSection*>(); }
    void choose(const QString& kind) const
    {
        auto* box = section()->findChild<QComboBox*>();
        box->setCurrentIndex(box->findText(kind));
    }
    template <typename Field>
    Field* field(const QString& name) const
    {
        for (auto* found : section()->findChildren<Field*>())
            if (found->accessibleName() == name && found->isVisible())
                return found;
        return nullptr;
    }
    bool isShown(const QString& text) const
    {
        const auto labels = section()->findChildren<controls::Label*>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const auto* label) { return label->isVisible() && label->text().contains(text); });
    }
};

TEST(TrialPage, IsPutUnderLoadFromItsFieldsAndShowsTheResultWhenItIsDone)
{
    LoadFixture fixture;
    ASSERT_TRUE(fixture.open());
    fixture.choose(QStringLiteral("server"));
    EXPECT_TRUE(fixture.isShown(QStringLiteral("needs a latency bound, a rate, or both")));
    ASSERT_NE(buttonOf(*fixture.section(), QStringLiteral("Put under load")), nullptr);
    EXPECT_FALSE(buttonOf(*fixture.section(), QStringLiteral("Put under load"))->isEnabled());
    auto* bound = fixture.field<QLineEdit>(QStringLiteral("Latency at most"));
    ASSERT_NE(bound, nullptr);
    bound->setText(QStringLiteral("fast"));
    EXPECT_TRUE(fixture.isShown(QStringLiteral("Latency at most: Invalid duration \"fast\".")));
    bound->setText(QStringLiteral("50ms"));
    EXPECT_TRUE(buttonOf(*fixture.section(), QStringLiteral("Put under load"))->isEnabled());

    workload::Scenario ran;
    model::TrialId loaded{};
    fixture.gateway->loadScript = [&](model::TrialId trial, const workload::Scenario& scenario, const LoadWatch& watch,
                                      std::stop_token) {
        loaded = trial;
        ran = scenario;
        watch.phase(study::Phase::warmUp, {});
        watch.phase(study::Phase::serve, base::foreignText("120 queries/s, 45 %"));
        watch.progress(0.25, base::fromSeconds(12), base::fromSeconds(40));
        fixture.gateway->loads = {{1, "server", "2026-03-14T09:30:00Z",
                                   R"({"scenario": {"kind": "server", "rate": 120, "bound_ns": 50000000},
             "summary": {"queries": 1200, "answered": 1200}, "capacity": {"holds": 120}})"}};
        return base::Status();
    };
    QString seen;
    int most = 0;
    QObject::connect(&fixture.context.jobs, &Jobs::stateChanged, fixture.section(), [&] {
        for (auto* label : fixture.section()->findChildren<controls::Label*>())
            seen += label->isVisible() ? label->text() + QLatin1Char('\n') : QString();
        most = std::max(most, fixture.section()->findChild<QProgressBar*>()->value());
    });
    bound->setFocus();
    QTest::keyClick(bound, Qt::Key_Return);
    EXPECT_TRUE(fixture.context.jobs.state().busy());
    EXPECT_NE(buttonOf(*fixture.section(), QStringLiteral("Stop")), nullptr);
    ASSERT_TRUE(fixture.settle());
    EXPECT_EQ(loaded, fixture.trial());
    EXPECT_EQ(ran.kind, workload::ScenarioKind::server);
    EXPECT_EQ(ran.bound, base::fromMilliseconds(50));
    EXPECT_TRUE(seen.contains(QStringLiteral("120 queries/s, 45 % · 12–40 s left"))) << seen.toStdString();
    EXPECT_EQ(most, 250);
    const auto* table = fixture.section()->findChild<QAbstractItemView*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->isVisible() && table->model()->rowCount() == 1; }, 60000));
    EXPECT_FALSE(fixture.context.jobs.state().busy());
    EXPECT_NE(buttonOf(*fixture.section(), QStringLiteral("Put under load")), nullptr);
}

TEST(TrialPage, ALoadIsStoppedAndAFailedOneSaysWhy)
{
    LoadFixture fixture;
    ASSERT_TRUE(fixture.open());
    fixture.gateway->loadScript = [](model::TrialId, const workload::Scenario&, const LoadWatch&,
                                     std::stop_token stop) {
        while (!stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return base::Status(base::plainError(base::ErrorCode::cancelled, "Cancelled."));
    };
    buttonOf(*fixture.section(), QStringLiteral("Put under load"))->click();
    QPushButton* stop = buttonOf(*fixture.section(), QStringLiteral("Stop"));
    ASSERT_NE(stop, nullptr);
    stop->click();
    ASSERT_TRUE(fixture.settle());
    EXPECT_TRUE(fixture.isShown(QStringLiteral("Stopped.")));

    fixture.gateway->loadScript = [](model::TrialId, const workload::Scenario&, const LoadWatch&, std::stop_token) {
        return base::Status(base::plainError(base::ErrorCode::outOfMemory, "The device ran out of memory.", {},
                                             "Use a smaller batch."));
    };
    buttonOf(*fixture.section(), QStringLiteral("Put under load"))->click();
    EXPECT_FALSE(fixture.isShown(QStringLiteral("Stopped."))) << "that was the run before";
    ASSERT_TRUE(fixture.settle());
    EXPECT_TRUE(fixture.isShown(QStringLiteral("Use a smaller batch.")));
}

TEST(TrialPage, EachScenarioHasItsFieldsByKeyboardAndItsCommandLine)
{
    LoadFixture fixture;
    ASSERT_TRUE(fixture.open());
    const auto command = [&] {
        for (auto* line : fixture.section()->findChildren<QLineEdit*>())
            if (line->isReadOnly())
                return line->text();
        return QString();
    };
    const QString start = QStringLiteral("apertune load t%1 --scenario ").arg(fixture.trial().value);
    const std::vector<std::pair<QString, QStringList>> kinds{
        {QStringLiteral("single-stream"), {QStringLiteral("Duration"), QStringLiteral("Percentile")}},
        {QStringLiteral("offline"), {QStringLiteral("Duration")}},
        {QStringLiteral("multi-stream"),
         {QStringLiteral("Samples a query"), QStringLiteral("Duration"), QStringLiteral("Percentile")}},
        {QStringLiteral("camera"),
         {QStringLiteral("Cameras"), QStringLiteral("Frames a second"), QStringLiteral("Deadline"),
          QStringLiteral("Duration")}},
        {QStringLiteral("server"),
         {QStringLiteral("Latency at most"), QStringLiteral("Queries a second"), QStringLiteral("Duration"),
          QStringLiteral("Percentile")}}};
    for (const auto& [kind, names] : kinds) {
        fixture.choose(kind);
        if (kind != QStringLiteral("server")) {
            EXPECT_TRUE(command().startsWith(start + kind)) << command().toStdString();
        }
        QWidget* at = fixture.section()->findChild<QComboBox*>();
        for (const QString& name : names) {
            QWidget* next = at->nextInFocusChain();
            while (next != at && !(next->isVisible() && (next->focusPolicy() & Qt::TabFocus) != 0 &&
                                   !qobject_cast<QAbstractSpinBox*>(next->parentWidget()))) {
                next = next->nextInFocusChain();
            }
            EXPECT_EQ(next->accessibleName(), name) << kind.toStdString();
            at = next;
        }
    }
    fixture.field<QDoubleSpinBox>(QStringLiteral("Queries a second"))->setValue(5);
    fixture.field<QLineEdit>(QStringLiteral("Duration"))->setText(QStringLiteral("10s"));
    EXPECT_TRUE(fixture.isShown(QStringLiteral("About 50.0 queries come in 10.0 s; p99 needs 299. Give it 60 s")));
    EXPECT_TRUE(command().contains(QStringLiteral("server --rate 5"))) << command().toStdString();
    fixture.field<QLineEdit>(QStringLiteral("Duration"))->setText(QStringLiteral("1m"));
    EXPECT_FALSE(fixture.isShown(QStringLiteral("needs 299")));
    EXPECT_TRUE(command().contains(QStringLiteral("--duration 60000ms"))) << command().toStdString();
}

TEST(TrialPage, SaysWhatTheAnswersAreWorthAndWhichLayersCostIt)
{
    Fixture fixture;
    fixture.gateway->trialEvaluations = {
        {1, "accuracy", "2026-03-14T09:30:00Z",
         R"({"pictures": "/data/val", "samples": 500, "skipped": 0, "metrics": [{"name": "top1",
             "measured": {"value": 0.7, "lo": 0.66, "hi": 0.74}, "imported": {"value": 0.75, "lo": 0.71, "hi": 0.79},
             "change": {"value": -0.05, "lo": -0.07, "hi": -0.03}}]})"},
        {2, "sensitivity", "2026-03-14T09:31:00Z",
         R"({"calibration": "64 generated samples", "samples": 4, "all": 0.976, "layers": [
             {"name": "features.1", "kind": "Convolution", "only": 0.98, "without": 0.995},
             {"name": "head", "kind": "MatMul", "only": 1.0, "without": 0.976}]})"},
        {3, "sensitivity", "2026-03-14T09:32:00Z", "not JSON"}};
    ASSERT_TRUE(fixture.load(PageId::trial));
    ASSERT_TRUE(fixture.settle());
    QStringList cells;
    for (const auto* table : fixture.window.findChildren<QAbstractItemView*>())
        if (table->isVisible())
            for (int row = 0; row < table->model()->rowCount(); ++row)
                for (int column = 0; column < table->model()->columnCount(); ++column)
                    cells << table->model()->index(row, column).data().toString();
    const QString all = cells.join(QLatin1Char('|'));
    EXPECT_TRUE(all.contains(QStringLiteral("top-1|70.0 % [66.0, 74.0]|75.0 % [71.0, 79.0]|-5.00 % [-7.00, -3.00]")))
        << all.toStdString();
    EXPECT_TRUE(all.contains(QStringLiteral("features.1|Convolution|0.020|0.0050|head|MatMul|0|0.024")))
        << all.toStdString();
}

TEST(TrialPage, AStageBarIsTheHeadlineOfATrialThatRanFromImageToAnswer)
{
    workload::PipelineSummary summary;
    summary.images = 100;
    summary.passes = 100;
    summary.span = base::fromSeconds(2);
    summary.perSecond = {50, 49, 51, 0.95};
    summary.latencyNs = {40e6, 39e6, 41e6, 0.95};
    const std::array<double, workload::kStageCount> ms{4, 3, 1, 10, 1, 1};
    for (std::size_t i = 0; i < ms.size(); ++i)
        summary.stages[i] = {{ms[i] * 1e6, ms[i] * 0.9e6, ms[i] * 1.1e6, 0.95}, ms[i] * 1e6, 0.5};
    summary.busy[static_cast<std::size_t>(workload::serverOf(workload::Stage::infer))] = 0.99;
    const base::Json document{{"plan", toJson(workload::PipelinePlan())},
                              {"summary", toJson(summary)},
                              {"batch", 1},
                              {"images", 8},
                              {"source", "made, 640 x 480"},
                              {"reading", "softmax, top 5"},
                              {"model_only_ms", {{"value", 9}, {"lo", 8.9}, {"hi", 9.1}, {"confidence", 0.95}}}};
    const auto view = makeStageView({{1, "", document.dump()}, {2, "", "not JSON"}});
    ASSERT_TRUE(view);
    ASSERT_EQ(view->parts.size(), 6U);
    EXPECT_EQ(view->parts[3].name, QStringLiteral("Infer"));
    EXPECT_NEAR(view->parts[3].share, 0.5, 1e-9);
    EXPECT_TRUE(view->rate.startsWith(QStringLiteral("50"))) << view->rate.toStdString();
    EXPECT_TRUE(view->modelOnly.contains(QStringLiteral("9.00 ± 0.10 ms"))) << view->modelOnly.toStdString();
    EXPECT_FALSE(makeStageView({}));

    Fixture fixture;
    ASSERT_TRUE(fixture.load(PageId::trial));
    auto* bar = fixture.window.currentPage()->findChild<trace_views::ShareBar*>();
    ASSERT_NE(bar, nullptr);
    EXPECT_FALSE(bar->isVisible());
    fixture.gateway->stages = {{1, "2026-03-14T09:30:00Z", document.dump()}};
    fixture.context.session.selectTrial(fixture.gateway->state.snapshot->trials[3].id);
    ASSERT_TRUE(fixture.settle());
    EXPECT_TRUE(bar->isVisible());
    EXPECT_TRUE(bar->accessibleName().contains(QStringLiteral("Infer 10")));
}

TEST(TrialPage, HardwareCountersAreOfferedWhereTheyCanBeReadAndElseSayWhyNot)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(PageId::trial));
    QCheckBox* counters = checkBox(fixture, QStringLiteral("with hardware counters"));
    ASSERT_NE(counters, nullptr);
    EXPECT_FALSE(counters->isEnabled());
    EXPECT_TRUE(counters->toolTip().contains(QStringLiteral("ran on cpu"))) << counters->toolTip().toStdString();

    // The same trial on a GPU whose driver keeps its counters to administrators, and then does not.
    fixture.gateway->change([](WorkspaceState& state) {
        auto snapshot = std::make_shared<model::StudySnapshot>(*state.snapshot);
        for (model::Trial& trial : snapshot->trials)
            trial.device = "cuda:0";
        state.snapshot = std::move(snapshot);
        ++state.version;
    });
    Machine machine = fixture.gateway->machine;
    machine.capabilities = {
        {"hardware counters", false, base::foreignText("For administrators only."), base::foreignText("Run as root.")}};
    fixture.context.session.setMachine(machine);
    ASSERT_TRUE(QTest::qWaitFor([&] { return counters->toolTip().contains(QStringLiteral("administrators")); }, 60000))
        << counters->toolTip().toStdString();
    EXPECT_FALSE(counters->isEnabled());
    EXPECT_TRUE(counters->toolTip().contains(QStringLiteral("Run as root.")));
    machine.capabilities.front() = {"hardware counters", true, {}, {}};
    fixture.context.session.setMachine(machine);
    ASSERT_TRUE(fixture.settle());
    ASSERT_TRUE(counters->isEnabled());

    fixture.gateway->traceResult = testing::makeLoopTrace();
    counters->setChecked(true);
    buttonOf(*fixture.window.currentPage(), QStringLiteral("Trace it"))->click();
    ASSERT_TRUE(fixture.settle());
    EXPECT_EQ(fixture.window.currentPage()->id(), PageId::trace);
    QString shown;
    for (const QLabel* label : fixture.window.findChildren<QLabel*>())
        shown += label->isVisible() ? label->text() : QString();
    EXPECT_TRUE(shown.contains(QStringLiteral("Without hardware counters: The driver keeps them to itself.")));
}

TEST(TrialPage, GraphsAreRecordedAsWholeLaunchesWhereATrialHasThemAndElseItSaysWhyNot)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(PageId::trial));
    QCheckBox* graphs = checkBox(fixture, QStringLiteral("graphs as whole launches"));
    ASSERT_NE(graphs, nullptr);
    EXPECT_FALSE(graphs->isEnabled());
    EXPECT_TRUE(graphs->toolTip().contains(QStringLiteral("ran on cpu"))) << graphs->toolTip().toStdString();
    const auto onGpu = [&](model::AppliedState state) {
        fixture.gateway->change([state](WorkspaceState& of) {
            auto snapshot = std::make_shared<model::StudySnapshot>(*of.snapshot);
            for (model::Trial& trial : snapshot->trials) {
                trial.device = "cuda:0";
                trial.measurement.applied = {{"cuda_graph", state, "the capture met a synchronisation"}};
            }
            of.snapshot = std::move(snapshot);
            ++of.version;
        });
    };
    Machine machine = fixture.gateway->machine;
    machine.capabilities = {{"kernel trace", true, {}, {}}};
    fixture.context.session.setMachine(machine);
    onGpu(model::AppliedState::requestedNotInEffect);
    ASSERT_TRUE(QTest::qWaitFor([&] { return graphs->toolTip().contains(QStringLiteral("synchronisation")); }, 60000))
        << graphs->toolTip().toStdString();
    EXPECT_FALSE(graphs->isEnabled());
    onGpu(model::AppliedState::on);
    ASSERT_TRUE(QTest::qWaitFor([&] { return graphs->isEnabled(); }, 60000)) << graphs->toolTip().toStdString();
    machine.capabilities = {
        {"kernel trace", false, base::foreignText("CUPTI was not found."), base::foreignText("Install it.")}};
    fixture.context.session.setMachine(machine);
    EXPECT_FALSE(graphs->isEnabled());
    EXPECT_TRUE(graphs->toolTip().contains(QStringLiteral("Install it.")));
    machine.capabilities.front() = {"kernel trace", true, {}, {}};
    fixture.context.session.setMachine(machine);

    fixture.gateway->traceResult = testing::makeLoopTrace();
    graphs->setChecked(true);
    buttonOf(*fixture.window.currentPage(), QStringLiteral("Trace it"))->click();
    ASSERT_TRUE(fixture.settle());
    ASSERT_TRUE(fixture.gateway->captured);
    EXPECT_EQ(fixture.gateway->captured->graphs, trace::GraphRecords::launches);
    EXPECT_FALSE(fixture.gateway->captured->counters);
}

} // namespace
} // namespace apertune::gui
