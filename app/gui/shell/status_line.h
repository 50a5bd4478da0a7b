// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace apertune::controls {
class Label;
}

namespace apertune::gui {

class AppContext;

/// The status line: the workspace, the running job, and the state of the machine that limits how far numbers can be
/// trusted.
class StatusLine : public QWidget
{
    Q_OBJECT
public:
    explicit StatusLine(AppContext& context, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refreshWorkspace();
    void refreshJob();
    void refreshMachine();

    AppContext& m_context;
    controls::Label* m_workspace = nullptr;
    controls::Label* m_job = nullptr;
    controls::Label* m_machine = nullptr;
};

} // namespace apertune::gui
