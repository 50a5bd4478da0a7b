// SPDX-License-Identifier: GPL-3.0-or-later
// The program itself: its options, what it prints, and its exit codes.
#include "app/gui/shell/options.h"
#include "app/gui/shell/page_table.h"
#include "core/sentences/sentences.h"
#include "core/store/store.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <csignal>

namespace apertune::gui {
namespace {

QStringList words(const char* line)
{
    return QString::fromLatin1(line).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

TEST(Options, AreReadInEitherSpelling)
{
    const auto options = parseOptions(words("a.apertune --study s7 --page=trade-offs --theme light --size=1280x800"));
    ASSERT_TRUE(options.ok());
    EXPECT_EQ(options->workspace, QStringLiteral("a.apertune"));
    EXPECT_EQ(options->study, model::StudyId{7});
    EXPECT_EQ(options->page, PageId::tradeoffs);
    EXPECT_TRUE(options->pageGiven);
    EXPECT_EQ(options->theme, theme::Preference::light);
    EXPECT_EQ(options->size, QSize(1280, 800));
    EXPECT_TRUE(options->sizeGiven);
    EXPECT_FALSE(options->safeMode);
    EXPECT_EQ(parseOptions(words("--contrast more"))->contrast, theme::Contrast::more);
    EXPECT_EQ(parseOptions(words("--text-size 18"))->textSize, 18);
    EXPECT_EQ(parseOptions(words("--store b.apertune"))->workspace, QStringLiteral("b.apertune"));
    EXPECT_EQ(parseOptions(words("--trace tr12"))->storedTrace, store::TraceId{12});
    EXPECT_EQ(parseOptions(words("--trace track.json"))->trace, QStringLiteral("track.json"));
}

TEST(Options, AMistakeIsToldWithWhereToLook)
{
    for (const char* line :
         {"--page nowhere", "--theme blue", "--size big", "--study x", "--study 0", "--colour red", "--contrast less",
          "--text-size 99", "--text-size big", "--page", "a.apertune b.apertune"}) {
        const auto options = parseOptions(words(line));
        ASSERT_FALSE(options.ok()) << line;
        EXPECT_EQ(options.error().code, base::ErrorCode::invalidArgument) << line;
        EXPECT_EQ(sentences::sentence(options.error().hint), "See apertune-gui --help.") << line;
    }
}

TEST(Options, TheUsageNamesEveryPage)
{
    for (const PageSpec& page : pageTable())
        EXPECT_TRUE(usage().contains(page.id.text())) << page.id.name();
}

struct Ended
{
    int code = -1;
    QString out;
    QString err;
};

Ended runProgram(const QStringList& arguments,
                 const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment())
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QCoreApplication::applicationDirPath() + QStringLiteral("/../bin/apertune-gui"),
                  QStringList{QStringLiteral("--safe-mode")} + arguments);
    if (!process.waitForFinished(60000)) {
        process.kill();
        process.waitForFinished();
        return {};
    }
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}

TEST(Program, ShowsItsOptions)
{
    const Ended ended = runProgram({QStringLiteral("--help")});
    EXPECT_EQ(ended.code, 0);
    EXPECT_TRUE(ended.out.contains(QStringLiteral("--screenshot FILE.png")));
}

TEST(Program, AnUnknownOptionIsAUsageError)
{
    const Ended ended = runProgram({QStringLiteral("--no-such-option"), QStringLiteral("1")});
    EXPECT_EQ(ended.code, 2);
    EXPECT_TRUE(ended.err.contains(QStringLiteral("See apertune-gui --help.")));
}

TEST(Program, WithoutADisplayItSaysWhatToUse)
{
    for (const QString& display : {QString(), QStringLiteral(":4711")}) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.remove(QStringLiteral("WAYLAND_DISPLAY"));
        environment.remove(QStringLiteral("QT_QPA_PLATFORM"));
        environment.insert(QStringLiteral("DISPLAY"), display);
        const Ended ended = runProgram({}, environment);
        EXPECT_EQ(ended.code, 2) << display.toStdString();
        EXPECT_TRUE(ended.err.contains(QStringLiteral("No display to open the window on"))) << ended.err.toStdString();
        EXPECT_TRUE(ended.err.contains(QStringLiteral("apertune report last"))) << ended.err.toStdString();
        EXPECT_EQ(ended.err.count(QLatin1Char('\n')), 2) << ended.err.toStdString();
    }
}

TEST(Program, TellsWhenItFirstPainted)
{
    const Ended ended = runProgram({QStringLiteral("--quit-after-first-paint")});
    EXPECT_EQ(ended.code, 0);
    const auto match = QRegularExpression(QStringLiteral("^first paint after (\\d+) ms")).match(ended.out);
    ASSERT_TRUE(match.hasMatch()) << ended.out.toStdString();
    RecordProperty("first_paint_ms", match.captured(1).toInt());
}

TEST(Program, ASignalEndsItInOrder)
{
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
        const QTemporaryDir dir;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("TMPDIR"), dir.path());
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(QCoreApplication::applicationDirPath() + QStringLiteral("/../bin/apertune-gui"),
                      {QStringLiteral("--safe-mode"), QStringLiteral("--store"),
                       dir.filePath(QStringLiteral("elsewhere/w.apertune"))});
        const auto temporary = [&dir] {
            return QDir(dir.path()).entryList({QStringLiteral("apertune-*")}, QDir::AllEntries | QDir::NoDotAndDotDot);
        };
        ASSERT_TRUE(QTest::qWaitFor([&] { return !temporary().isEmpty(); }, 60000));
        ASSERT_EQ(::kill(static_cast<pid_t>(process.processId()), number), 0);
        ASSERT_TRUE(process.waitForFinished(60000)) << number;
        EXPECT_EQ(process.exitStatus(), QProcess::NormalExit) << number;
        EXPECT_EQ(process.exitCode(), 0) << number;
        EXPECT_TRUE(temporary().isEmpty()) << number << ": " << temporary().join(QLatin1Char(' ')).toStdString();
    }
}

TEST(Program, ThePictureOfATraceThatCannotBeOpenedIsAUsageError)
{
    const QTemporaryDir dir;
    const QString workspace = dir.filePath(QStringLiteral("w.apertune"));
    ASSERT_TRUE(store::Store::open(workspace.toStdString(), store::OpenMode::readWrite).ok());
    const QString file = dir.filePath(QStringLiteral("a.png"));
    for (const QString& trace : {QStringLiteral("tr99"), dir.filePath(QStringLiteral("none.json"))}) {
        const Ended ended = runProgram({QStringLiteral("--store"), workspace, QStringLiteral("--trace"), trace,
                                        QStringLiteral("--screenshot"), file});
        EXPECT_EQ(ended.code, 2) << trace.toStdString();
        EXPECT_TRUE(ended.err.contains(QStringLiteral("cannot be opened"))) << ended.err.toStdString();
        EXPECT_FALSE(QFile::exists(file));
    }
}

TEST(Program, ThePictureOfAMissingWorkspaceFailsAndIsNotWritten)
{
    const QTemporaryDir dir;
    const QString file = dir.filePath(QStringLiteral("a.png"));
    const Ended ended = runProgram(
        {QStringLiteral("--store"), dir.filePath(QStringLiteral("no.apertune")), QStringLiteral("--screenshot"), file});
    EXPECT_EQ(ended.code, 1);
    EXPECT_TRUE(ended.err.contains(QStringLiteral("There is no workspace"))) << ended.err.toStdString();
    EXPECT_FALSE(QFile::exists(file));
}

} // namespace
} // namespace apertune::gui
