// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/app_context.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace apertune::controls {
class Label;
}

namespace apertune::gui {

/// Marks the selected trial as a baseline, names it, and compares it with the other baselines of the workspace. It
/// follows the session. GUI thread.
class BaselineBar : public QWidget
{
    Q_OBJECT
public:
    BaselineBar(AppContext& context, QWidget* parent);

    /// Shows the mark of the selected trial. A name that the user is typing stays.
    void refresh();

private:
    void change(bool starred, const QString& name, bool replace);
    void compare();
    void showProblem();

    AppContext& m_context;
    model::TrialId m_trial{}; ///< the trial that the field shows the name of
    QPushButton* m_star = nullptr;
    QLineEdit* m_name = nullptr;
    QPushButton* m_setName = nullptr;
    QPushButton* m_take = nullptr; ///< takes the name from the trial that has it
    QComboBox* m_others = nullptr;
    QPushButton* m_compare = nullptr;
    controls::Label* m_problem = nullptr;
};

} // namespace apertune::gui
