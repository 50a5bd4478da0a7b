// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

namespace apertune::gui {

class AppContext;
class MainWindow;

/// Waits until the page shown has its data and no task runs, writes a picture of the window and ends the program: exit
/// code 0, or 1 with a sentence on stderr when the workspace or study cannot be loaded, the wait takes more than 60 s,
/// or the file cannot be written.
class Screenshot : public QObject
{
    Q_OBJECT
public:
    Screenshot(AppContext& context, MainWindow& window, const QString& file, QObject* parent = nullptr);

    /// Call when loading has begun.
    void start();

private:
    void check();
    void end(int code, const QString& message);

    AppContext& m_context;
    MainWindow& m_window;
    QString m_file;
    QTimer m_timer;
    int m_quietTurns = 0;
    int m_turns = 0;
};

} // namespace apertune::gui
