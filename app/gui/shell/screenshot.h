// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

namespace apertune::gui {

class AppContext;
class MainWindow;

/// Waits until the page shown has its data and no task runs, and writes a picture of the window. Ends with code 0, or
/// with a sentence: 2 when the trace that was named cannot be opened, 1 when the workspace or study cannot be loaded, a
/// workspace that was named does not exist, the wait takes more than 60 s, or the file cannot be written.
class Screenshot : public QObject
{
    Q_OBJECT
public:
    Screenshot(AppContext& context, MainWindow& window, const QString& file, QObject* parent = nullptr);

    /// Whoever names a workspace wants a picture of its contents: an absent one is then a failure and not empty pages.
    void setWorkspaceNamed(bool named) { m_named = named; }
    /// Call when loading has begun.
    void start();

Q_SIGNALS:
    /// The picture is written (code 0), or will not be.
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
