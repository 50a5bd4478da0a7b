// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/app_context.h"

#include <QString>

#include <string>

class QPushButton;
class QWidget;

namespace apertune::gui {

/// A predicted change that can be measured: a finding, or a change of a what-if.
struct VerifiableChange
{
    std::string key; ///< name of its run in the session
    advice::Finding finding;
    std::string commandLine; ///< repeats the verification; empty: that of `apertune trace verify`
    QString title;           ///< for screen readers
};

/// The button that starts a verification, and cancels it while it runs. It is made again after each change of the
/// session's verifications. Its object name is "verify " and the key.
QPushButton* makeVerifyButton(AppContext& context, const VerifiableChange& change, QWidget* parent);

/// The result of a verification, what it means, and the ways to go on.
QWidget* makeVerdict(AppContext& context, const VerificationRun& run, QWidget* parent);

} // namespace apertune::gui
