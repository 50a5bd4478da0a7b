// SPDX-License-Identifier: GPL-3.0-or-later
// The main of every test program with widgets: offscreen, own settings folder, and any Qt warning fails the test in
// which it is printed.
#include "widgets/theme/appearance.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <gtest/gtest.h>

#include <cstdio>

namespace {

void onMessage(QtMsgType type, const QMessageLogContext&, const QString& text)
{
    std::fprintf(stderr, "qt: %s\n", qPrintable(text));
    const bool expected = text.startsWith(QStringLiteral("This plugin does not support")) ||
                          text.contains(QStringLiteral("XDG_RUNTIME_DIR"));
    if ((type == QtWarningMsg || type == QtCriticalMsg) && !expected)
        ADD_FAILURE() << "Qt warning: " << text.toStdString();
}

} // namespace

int main(int argc, char** argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir home;
    for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        qputenv(variable, home.path().toUtf8());
    testing::InitGoogleTest(&argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    QLocale::setDefault(QLocale::c());
    QApplication app(argc, argv);
    qInstallMessageHandler(onMessage);
    apertune::theme::applyTheme(apertune::theme::Preference::dark, apertune::theme::Scheme::dark);
    return RUN_ALL_TESTS();
}
