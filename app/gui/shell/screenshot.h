// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

namespace apertune::gui {

class AppContext;
class MainWindow;

/// Writes a picture of the window once the page has its data and no task runs. Ends with an exit code and a message:
///
/// * 0: the picture is written.
/// * 1: the workspace or the study cannot be loaded, a workspace that was named does not exist, the wait took more than
///   60 s, or the file cannot be written.
/// * 2: the trace that was named cannot be opened.
class Screenshot : public QObject
{
    Q_OBJECT
public:
    Screenshot(AppContext& context, MainWindow& window, const QString& file, QObject* parent = nullptr);

    /// Says that the user named the workspace. Then a missing one is a failure and not a picture of empty pages.
    void setWorkspaceNamed(bool named) { m_named = named; }
    /// Starts waiting. Call it when loading has begun.
    void start();

Q_SIGNALS:
    /// Emitted when the picture was written (code 0) or cannot be.
    void ended(int code, const QString& message);

private:
    void check();
    void end(int code, const QString& message);

    AppContext& m_context;
    MainWindow& m_window;
    QString m_file;
    QTimer m_timer;
    bool m_named = false;
    int m_quietRounds = 0;
    int m_turns = 0;
};

} // namespace apertune::gui
