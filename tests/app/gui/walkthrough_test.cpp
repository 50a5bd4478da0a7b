// SPDX-License-Identifier: GPL-3.0-or-later
// Somebody's first minutes with the window, over the real engine, store and workers: one click imports and tunes a
// model of the zoo, the next ones lead to an exported folder; closing in the middle, coming back and going on.
//
// Python and LibTorch are played by a script and by the scripted backend. With APERTUNE_WALK_MODEL=resnet18 the very
// same walk runs with the real ones, and APERTUNE_GRABS=FOLDER keeps pictures of it.
#include "app/gui/pages/study/zoo_card.h"
#include "app/gui/workbench/workbench_gateway.h"
#include "tests/app/gui/bench.h"
#include "tests/core/models/fake_exporter.h"
#include "widgets/controls/info_bar.h"

#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPixmap>
#include <QPushButton>
#include <QRadioButton>
#include <QTimer>

#include <gtest/gtest.h>

#include <cstdio>
#include <ctime>
#include <fstream>

namespace apertune::gui {
namespace {

/// The engine as it is, with the scripted backend where a sweep would take the default one.
class ScriptedGateway final : public WorkbenchGateway
{
public:
    base::Result<study::StudyPlan> plan(const std::filesystem::path& file, const study::StudyRequest& request) override
    {
        return WorkbenchGateway::plan(file, scripted(request));
    }
    base::Result<base::Outcome> sweep(const std::filesystem::path& file,
                                      const std::variant<study::StudyRequest, study::ResumeRequest>& what,
                                      const study::StudyObserver& observer, std::stop_token stop) override
    {
        const auto* request = std::get_if<study::StudyRequest>(&what);
        return request ? WorkbenchGateway::sweep(file, scripted(*request), observer, stop)
                       : WorkbenchGateway::sweep(file, what, observer, stop);
    }

private:
    static study::StudyRequest scripted(study::StudyRequest request)
    {
        request.space.backends = {"fake"};
        return request;
    }
};

/// Looks after the event loop: what one turn of it used of this thread's processor time at most, and how long it took,
/// less what the thread waited for a processor because others had them.
class LoopWatch : public QObject
{
public:
    LoopWatch()
    {
        m_timer.setInterval(5);
        connect(&m_timer, &QTimer::timeout, this, [this] {
            const double used = cpu() - m_cpu;
            const double took = wall() - m_wall - (queued() - m_queued);
            m_mostUsed = std::max(m_mostUsed, used);
            m_longest = std::max(m_longest, took);
            start();
        });
        start();
        m_timer.start();
    }
    /// Painting nine pages for the first time is not what a person waits for again.
    void forget() { m_mostUsed = m_longest = 0; }
    double mostUsed() const { return m_mostUsed; }
    double longest() const { return m_longest; }

private:
    static double seconds(clockid_t clock)
    {
        timespec now{};
        clock_gettime(clock, &now);
        return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
    }
    static double cpu() { return seconds(CLOCK_THREAD_CPUTIME_ID); }
    static double wall() { return seconds(CLOCK_MONOTONIC); }
    static double queued() ///< 0 where the kernel does not tell
    {
        double ran = 0, waited = 0;
        std::ifstream("/proc/thread-self/schedstat") >> ran >> waited;
        return waited * 1e-9;
    }
    void start()
    {
        m_cpu = cpu();
        m_wall = wall();
        m_queued = queued();
    }
    QTimer m_timer;
    double m_cpu = 0, m_wall = 0, m_queued = 0, m_mostUsed = 0, m_longest = 0;
};

class Walkthrough : public ::testing::Test
{
protected:
    struct Window
    {
        explicit Window(Walkthrough& walkthrough)
            : gateway(walkthrough.makeGateway()), context(walkthrough.settings, gateway, pageTable())
        {
            window.resize(1280, 800);
            window.showPage(PageId::start);
            window.show();
            context.session.setFile(walkthrough.workspace());
            context.session.setMachine(gateway->probe());
        }
        std::shared_ptr<Gateway> gateway;
        AppContext context;
        StorePoller poller{context.session, context.tasks, gateway};
        MainWindow window{context};
    };

    Walkthrough()
    {
        real = qEnvironmentVariable("APERTUNE_WALK_MODEL");
        home = qgetenv("HOME");
        qputenv("HOME", dir.path().toUtf8());
        settings.setDefaultBudget(real.isEmpty() ? 4 : 25);
        if (real.isEmpty()) {
            exporter.emplace();
            qputenv("APERTUNE_PYTHON", (exporter->path() / "python").c_str());
            exporter->script(R"(mkdir -p "$OUT.partial-$$"
echo '{"latency_ms": 2, "per_sample_ms": 0.5, "levels": {"O1": 0.8, "O2": 0.5}}' > "$OUT.partial-$$/fake.json"
echo model > "$OUT.partial-$$/model.ts.pt"
cat > "$OUT.partial-$$/manifest.json" <<END
{"schema":"apertune.model/1","name":"$NAME","source":"$SOURCE","family":"classification","weights":"random, seed 0",
 "content_hash":"30f4868b580fa326e78451cdf38e49ba762186d94b95ca58e18fa860b5a1f621","exporter":1,
 "inputs":[],"outputs":[],"files":{"torchscript":{"path":"model.ts.pt"},"exported":null}}
END
mv "$OUT.partial-$$" "$OUT"; echo '{"t":"done","artifact":"'"$OUT"'"}')");
        } else {
            qputenv("HOME", home); // the Python environment is found from there
            destination = dir.filePath(QStringLiteral("exported"));
        }
    }
    ~Walkthrough() override
    {
        qputenv("HOME", home);
        if (exporter)
            qunsetenv("APERTUNE_PYTHON");
    }

    std::shared_ptr<Gateway> makeGateway() const
    {
        return real.isEmpty() ? std::make_shared<ScriptedGateway>() : std::make_shared<WorkbenchGateway>();
    }
    std::filesystem::path workspace() const { return dir.filePath(QStringLiteral("walk.apertune")).toStdString(); }
    QString modelName() const { return real.isEmpty() ? QStringLiteral("resnet18") : real; }
    int patience() const { return 300000; }

    void click(QWidget* widget, const char* what)
    {
        ASSERT_NE(widget, nullptr) << what;
        ASSERT_TRUE(widget->isVisible() && widget->isEnabled()) << what;
        // A radio button feels clicks on its words only.
        QTest::mouseClick(widget, Qt::LeftButton, {}, QPoint(20, widget->height() / 2));
        ++clicks;
    }
    static QPushButton* button(const QWidget& in, const QString& text)
    {
        for (auto* found : in.findChildren<QPushButton*>())
            if (found->text() == text && found->isVisible())
                return found;
        return nullptr;
    }
    QWidget* zooCard(const QWidget& in) const
    {
        for (auto* card : in.findChildren<ZooCard*>())
            if (card->text() == modelName())
                return card;
        return nullptr;
    }
    void grab(QWidget& window, const char* name) const
    {
        const QString folder = qEnvironmentVariable("APERTUNE_GRABS");
        if (!folder.isEmpty()) {
            QTest::qWait(100); // lets layouts and replots end that are under way
            QDir().mkpath(folder);
            window.grab().save(QStringLiteral("%1/walk-%2.png").arg(folder, QString::fromLatin1(name)));
        }
    }
    static bool hasMeasured(const Window& w)
    {
        const auto study = w.context.session.snapshot();
        return study && std::any_of(study->trials.begin(), study->trials.end(),
                                    [](const model::Trial& trial) { return trial.state == model::TrialState::ok; });
    }
    static std::string textsOf(const QWidget& page)
    {
        QStringList texts;
        for (const auto* label : page.findChildren<QLabel*>())
            texts << (label->isVisible() ? label->text() : QString());
        return texts.join(QLatin1Char('\n')).toStdString();
    }
    /// Waits until the sweep is over and its result is offered.
    bool sweepEnds(Window& w) const
    {
        return QTest::qWaitFor([&] { return !w.context.jobs.state().busy(); }, patience()) &&
               QTest::qWaitFor([&] { return button(w.window, QStringLiteral("Show trade-offs")); }, 60000);
    }
    /// Waits until the window has the finished study and what it recommends or, where the short budget had no time for
    /// a confirmation, its shortlist.
    static bool hasResult(Window& w)
    {
        return QTest::qWaitFor(
            [&] {
                const auto study = w.context.session.snapshot();
                return study && study->study.state == model::StudyState::finished && study->leading();
            },
            60000);
    }
    static std::string failureOf(const Window& w) { return w.window.infoBar()->message().text.toStdString(); }

    QTemporaryDir dir;
    Settings settings{dir.filePath(QStringLiteral("settings.ini")), nullptr};
    QByteArray home;
    QString real;
    QString destination;
    std::optional<models::testing::FakeExporter> exporter;
    int clicks = 0;
};

TEST_F(Walkthrough, FiveClicksLeadFromTheStartToAnExportedFolder)
{
    Window w(*this);
    LoopWatch watch;
    ASSERT_TRUE(QTest::qWaitFor([&] { return w.context.session.isLoaded(); }, 60000));
    click(zooCard(w.window), "the card of the model");
    EXPECT_EQ(w.window.currentPage()->id(), PageId::live);
    watch.forget();
    ASSERT_TRUE(QTest::qWaitFor([&] { return w.context.session.snapshot() != nullptr; }, patience()));
    grab(w.window, "live");
    ASSERT_TRUE(sweepEnds(w)) << failureOf(w);
    grab(w.window, "finished");
    click(button(w.window, QStringLiteral("Show trade-offs")), "Show trade-offs");
    EXPECT_EQ(w.window.currentPage()->id(), PageId::tradeoffs);
    ASSERT_TRUE(hasResult(w));
    grab(w.window, "tradeoffs");
    click(button(w.window, QStringLiteral("Export configuration")), "Export configuration");
    EXPECT_EQ(w.window.currentPage()->id(), PageId::exportTrial);
    if (real.isEmpty()) { // the scripted backend has no program to export
        for (auto* target : w.window.findChildren<QRadioButton*>())
            if (target->text() == QStringLiteral("Configuration only"))
                click(target, "Configuration only");
    }
    ASSERT_TRUE(QTest::qWaitFor([&] { return button(w.window, QStringLiteral("Save"))->isEnabled(); }, patience()))
        << textsOf(*w.window.currentPage());
    if (!destination.isEmpty())
        w.window.findChild<QLineEdit*>(QStringLiteral("exportFolder"))->setText(destination);
    EXPECT_EQ(w.context.session.selectedTrial(), w.context.session.snapshot()->leading()->trial);
    grab(w.window, "export");
    click(button(w.window, QStringLiteral("Save")), "Save");
    const QString folder = w.window.findChild<QLineEdit*>(QStringLiteral("exportFolder"))->text();
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return QFile::exists(folder + QStringLiteral("/apertune-config.json")); }, patience()))
        << folder.toStdString();
    grab(w.window, "saved");
    EXPECT_LE(clicks, 5);
#ifdef NDEBUG
    constexpr double kBusy = 0.25;
#else
    constexpr double kBusy = 2; // the program is not optimised, or a sanitizer watches it
#endif
    EXPECT_LT(watch.mostUsed(), kBusy) << "the window's thread was busy for so many seconds on end";
    EXPECT_LT(watch.longest(), 5.0) << "the window did not react for so many seconds";
    std::printf("busiest turn of the event loop: %.0f ms, longest %.0f ms\n", watch.mostUsed() * 1e3,
                watch.longest() * 1e3);
}

TEST_F(Walkthrough, TheKeyboardAloneLeadsFromTheStartToAnExportedConfiguration)
{
    Window w(*this);
    w.window.activateWindow();
    const auto press = [&](Qt::Key key) {
        QWidget* at = QApplication::focusWidget();
        QTest::keyClick(at ? at : &w.window, key);
    };
    const auto tabTo = [&](const QString& name) {
        for (int i = 0; i < 300; ++i) {
            auto* at = qobject_cast<QAbstractButton*>(QApplication::focusWidget());
            if (at && at->text() == name && at->isEnabled())
                return true;
            press(Qt::Key_Tab);
        }
        return false;
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return w.context.session.isLoaded(); }, 60000));
    ASSERT_TRUE(tabTo(modelName()));
    press(Qt::Key_Space);
    EXPECT_EQ(w.window.currentPage()->id(), PageId::live);
    ASSERT_TRUE(QTest::qWaitFor([&] { return w.context.session.snapshot() != nullptr; }, patience()));
    ASSERT_TRUE(sweepEnds(w)) << failureOf(w);
    ASSERT_TRUE(tabTo(QStringLiteral("Show trade-offs")));
    press(Qt::Key_Space);
    EXPECT_EQ(w.window.currentPage()->id(), PageId::tradeoffs);
    ASSERT_TRUE(hasResult(w));
    ASSERT_TRUE(tabTo(QStringLiteral("Export configuration")));
    press(Qt::Key_Space);
    EXPECT_EQ(w.window.currentPage()->id(), PageId::exportTrial);
    if (real.isEmpty()) { // the scripted backend has no program to export
        for (int i = 0; i < 300 && !qobject_cast<QRadioButton*>(QApplication::focusWidget()); ++i)
            press(Qt::Key_Tab);
        for (int i = 0; i < 8; ++i) { // the keys walk around the group of targets
            auto* target = qobject_cast<QRadioButton*>(QApplication::focusWidget());
            ASSERT_NE(target, nullptr);
            if (target->text() == QStringLiteral("Configuration only"))
                break;
            press(Qt::Key_Down);
        }
        EXPECT_TRUE(qobject_cast<QRadioButton*>(QApplication::focusWidget())->isChecked());
    }
    ASSERT_TRUE(QTest::qWaitFor([&] { return button(w.window, QStringLiteral("Save"))->isEnabled(); }, patience()))
        << textsOf(*w.window.currentPage());
    ASSERT_TRUE(tabTo(QStringLiteral("Save")));
    const QString folder = w.window.findChild<QLineEdit*>(QStringLiteral("exportFolder"))->text();
    press(Qt::Key_Space);
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return QFile::exists(folder + QStringLiteral("/apertune-config.json")); }, patience()))
        << folder.toStdString();
}

TEST_F(Walkthrough, ClosedMidSweepItOffersToGoOnAndFinishes)
{
    settings.setDefaultBudget(25); // the sweep is under way when the window closes
    {
        Window w(*this);
        ASSERT_TRUE(QTest::qWaitFor([&] { return w.context.session.isLoaded(); }, 60000));
        click(zooCard(w.window), "the card of the model");
        ASSERT_TRUE(QTest::qWaitFor([&] { return hasMeasured(w); }, patience())) << failureOf(w);
        EXPECT_FALSE(w.window.close());
        auto* question = w.window.findChild<QMessageBox*>();
        ASSERT_NE(question, nullptr);
        grab(*question, "closing");
        click(button(*question, QStringLiteral("Stop and close")), "Stop and close");
        ASSERT_TRUE(QTest::qWaitFor([&] { return !w.window.isVisible(); }, 60000));
    }
    Window w(*this);
    ASSERT_TRUE(QTest::qWaitFor([&] { return button(*w.window.infoBar(), QStringLiteral("Resume")); }, 60000));
    const auto before = w.context.session.snapshot();
    ASSERT_NE(before, nullptr);
    EXPECT_EQ(before->study.state, model::StudyState::interrupted);
    grab(w.window, "resume");
    click(button(*w.window.infoBar(), QStringLiteral("Resume")), "Resume");
    ASSERT_TRUE(QTest::qWaitFor([&] { return w.context.jobs.state().busy(); }, 60000));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !w.context.jobs.state().busy(); }, patience()));
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return w.context.session.snapshot()->study.state == model::StudyState::finished; }, 60000));
    for (const model::Trial& trial : before->trials) {
        if (trial.state == model::TrialState::ok) {
            const model::Trial* after = w.context.session.snapshot()->find(trial.id);
            ASSERT_NE(after, nullptr);
            EXPECT_EQ(after->finishedUtc, trial.finishedUtc) << "what was measured is kept";
        }
    }
}

TEST_F(Walkthrough, AStudyWhoseProgramWasKilledIsInterruptedAndNotRunning)
{
    settings.setDefaultBudget(120); // the sweep is under way when the workspace is copied
    Window w(*this);
    ASSERT_TRUE(QTest::qWaitFor([&] { return w.context.session.isLoaded(); }, 60000));
    click(zooCard(w.window), "the card of the model");
    ASSERT_TRUE(QTest::qWaitFor([&] { return hasMeasured(w); }, patience())) << failureOf(w);
    // What a killed program leaves: the study still says running, and nobody holds the workspace.
    const auto copy = dir.filePath(QStringLiteral("left.apertune")).toStdString();
    auto reader = store::Store::open(workspace(), store::OpenMode::readOnly);
    ASSERT_TRUE(reader.ok());
    ASSERT_TRUE(reader->saveCopy(copy).ok());
    w.context.jobs.requestStop(JobState::Stop::now);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !w.context.jobs.state().busy(); }, 60000));
    w.context.session.setFile(copy);
    ASSERT_TRUE(QTest::qWaitFor([&] { return w.context.session.snapshot() != nullptr; }, 60000));
    EXPECT_EQ(w.context.session.snapshot()->study.state, model::StudyState::interrupted);
    EXPECT_NE(button(*w.window.infoBar(), QStringLiteral("Resume")), nullptr);
}

} // namespace
} // namespace apertune::gui
