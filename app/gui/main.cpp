// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/store_poller.h"
#include "app/gui/shell/main_window.h"
#include "app/gui/shell/options.h"
#include "app/gui/shell/page_table.h"
#include "app/gui/shell/pseudo_language.h"
#include "app/gui/shell/screenshot.h"
#include "app/gui/shell/stop_signals.h"
#include "app/gui/shell/trust_question.h"
#include "app/gui/workbench/workbench_gateway.h"
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/base/write_signals.h"
#include "widgets/theme/appearance.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/format.h"
#include "widgets/theme/system_scheme.h"

#include <QApplication>
#include <QFileInfo>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <optional>
#include <sstream>

using namespace apertune;

namespace {

/// Milliseconds since the kernel started this process: field 22 of /proc/self/stat, in clock ticks after boot.
double sinceProcessStart()
{
    std::ifstream file("/proc/self/stat");
    std::string stat((std::istreambuf_iterator<char>(file)), {});
    std::istringstream fields(stat.substr(stat.rfind(')') + 1));
    std::string field;
    for (int i = 3; i <= 22 && fields >> field; ++i) {
    }
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    const double start = std::stod(field) / static_cast<double>(sysconf(_SC_CLK_TCK));
    return (static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9 - start) * 1e3;
}

int runWindow(QApplication& app, const gui::Options& options)
{
    // First, because what is made below must be removed when a signal ends the program. The call comes from the event
    // loop, which runs while the window is there.
    gui::MainWindow* shown = nullptr;
    const gui::StopSignals stopSignals([&shown] { shown->stopAndClose(); });
    const bool picture = !options.screenshot.isEmpty();
    // The translator comes first, because some tables of texts are made only once.
    gui::PseudoLanguage pseudo;
    if (options.pseudoLanguage)
        QCoreApplication::installTranslator(&pseudo);
    // Neither a picture nor the safe mode depends on the settings of the user, or changes them.
    const bool forgetSettings = picture || options.safeMode;
    const auto forgotten = forgetSettings ? std::optional(base::TemporaryDir::create("settings")) : std::nullopt;
    // Without a folder for temporary files the settings live in memory.
    const QString settingsFile =
        forgotten && *forgotten ? theme::fileToQt((*forgotten)->path() / "settings.ini") : QString();
    const auto settings =
        forgetSettings ? std::make_unique<gui::Settings>(settingsFile, nullptr) : std::make_unique<gui::Settings>();
    theme::SystemScheme system(app.palette());
    theme::setTextSize(options.textSize.value_or(settings->textSize()));
    theme::applyTheme(options.theme.value_or(settings->themePreference()),
                      settings->lastSystemScheme(theme::SystemScheme::fromPalette(app.palette())));
    theme::Theme::instance().setContrast(options.contrast ? options.contrast : settings->contrast());

    const auto gateway = std::make_shared<gui::WorkbenchGateway>();
    gui::AppContext context(*settings, gateway, gui::pageTable());
    gui::StorePoller poller(context.session, context.tasks, gateway);
    gui::MainWindow window(context);
    // Nobody answers while a picture is made: what is not trusted is shown as such.
    if (!picture)
        models::setTrustQuestion(gui::trustQuestion(window));
    shown = &window;
    window.resize(options.size);
    if (!options.sizeGiven && !picture)
        window.restoreGeometry(settings->windowGeometry());
    window.showPage(options.pageGiven || options.workspace.isEmpty() ? options.page : gui::PageId::tradeoffs);
    gui::Screenshot screenshot(context, window, options.screenshot);
    screenshot.setWorkspaceNamed(!options.workspace.isEmpty());
    QObject::connect(&screenshot, &gui::Screenshot::ended, &app, [](int code, const QString& message) {
        if (!message.isEmpty())
            std::fprintf(stderr, "apertune-gui: %s\n", qPrintable(message));
        QCoreApplication::exit(code);
    });

    QObject::connect(&system, &theme::SystemScheme::schemeFound, &app, [&](theme::Scheme scheme) {
        settings->setLastSystemScheme(scheme);
        theme::Theme::instance().setSystemScheme(scheme);
    });
    QObject::connect(&system, &theme::SystemScheme::contrastFound, &app,
                     [](theme::Contrast contrast) { theme::Theme::instance().setSystemContrast(contrast); });
    QObject::connect(&window, &gui::MainWindow::firstPainted, &app, [&] {
        if (options.quitAfterFirstPaint) {
            std::printf("first paint after %.0f ms\n", sinceProcessStart());
            QCoreApplication::exit(0);
            return;
        }
        const std::filesystem::path file =
            options.workspace.isEmpty()
                ? base::defaultWorkspace()
                : std::filesystem::path(theme::toStd(QFileInfo(options.workspace).absoluteFilePath()));
        if (!options.workspace.isEmpty())
            settings->addRecentWorkspace(theme::fileToQt(file));
        context.session.setFile(file);
        if (options.study)
            context.session.selectStudy(options.study);
        if (!options.trace.isEmpty()) {
            context.traces.wantTab(options.tab);
            context.openTrace(options.trace);
        } else if (options.storedTrace) {
            context.traces.wantTab(options.tab);
            context.traces.openStored(file, options.storedTrace, QStringLiteral("tr%1").arg(options.storedTrace.value));
            context.navigate(gui::PageId::trace);
        }
        // The probe starts workers, which would delay the first picture.
        context.probeMachine();
        if (picture)
            screenshot.start();
        else
            system.start();
    });
    window.show();
    return QApplication::exec();
}

/// An installation that brings its own Qt brings fonts as well, since the system may have none.
void useInstalledFonts()
{
    const std::filesystem::path fonts = base::installPrefix() / "share" / "apertune" / "fonts" / "fonts.conf";
    std::error_code ignored;
    if (std::filesystem::exists(fonts, ignored))
        ::setenv("FONTCONFIG_FILE", fonts.c_str(), 0);
}

/// Collects Qt's messages while it looks for a display. Without one, Qt ends the program with a fatal message.
void duringStart(QtMsgType type, const QMessageLogContext& /*context*/, const QString& message)
{
    static QString first;
    if (type != QtFatalMsg) {
        if (first.isEmpty())
            first = message.simplified();
        return;
    }
    std::fprintf(stderr,
                 "apertune-gui: No display to open the window on (%s).\n"
                 "  Use `apertune report last --out report.html`, or QT_QPA_PLATFORM=offscreen for a picture "
                 "(--screenshot FILE.png).\n",
                 qPrintable(first.isEmpty() ? message.simplified() : first));
    std::_Exit(2);
}

} // namespace

int main(int argc, char** argv)
{
    base::ignoreWriteSignals();
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    if (arguments.contains(QStringLiteral("--help")) || arguments.contains(QStringLiteral("-h"))) {
        std::printf("%s", qPrintable(gui::usage()));
        return 0;
    }
    if (arguments.contains(QStringLiteral("--version"))) {
        std::printf("apertune-gui %s\n", APERTUNE_VERSION);
        return 0;
    }
    const auto options = gui::parseOptions(arguments);
    if (!options) {
        std::fprintf(stderr, "apertune-gui: %s\n", qUtf8Printable(theme::fromCore(options.error())));
        return 2;
    }
    QApplication::setApplicationName(QStringLiteral("apertune-gui"));
    QApplication::setApplicationDisplayName(QStringLiteral("Apertune"));
    QApplication::setApplicationVersion(QStringLiteral(APERTUNE_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("apertune"));
    useInstalledFonts();
    const QtMessageHandler usual = qInstallMessageHandler(duringStart);
    QApplication app(argc, argv);
    qInstallMessageHandler(usual);
    return runWindow(app, *options);
}
