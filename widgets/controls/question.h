// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMessageBox>
#include <QString>

#include <functional>

namespace apertune::controls {

/// A question with two answers.
struct Question
{
    QString text;
    QString consequence; ///< a sentence or two below the text: what the answers lead to
    QString yes;         ///< text of the button that does it
    QString no;          ///< text of the button that changes nothing; Escape presses it
    QMessageBox::ButtonRole role = QMessageBox::AcceptRole; ///< role of `yes`
    bool enterSaysNo = true;                                ///< for what cannot be taken back
};

/// Asks over the window of `parent`, without blocking, and calls `onYes` when the user agrees. The box deletes itself.
/// GUI thread.
QMessageBox* ask(QWidget* parent, const Question& question, const std::function<void()>& onYes);

} // namespace apertune::controls
