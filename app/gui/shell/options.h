// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/app_context.h"

#include <QSize>
#include <QStringList>

namespace apertune::gui {

/// The arguments of apertune-gui.
struct Options
{
    QString workspace;            ///< empty: the default one
    QString trace;                ///< a recording to show; empty: none
    store::TraceId storedTrace{}; ///< a trace of the workspace to show
    QString tab;                  ///< tab of the trace page to show first
    model::StudyId study{};
    PageId page = PageId::start;
    bool pageGiven = false;
    std::optional<theme::Preference> theme;
    std::optional<theme::Contrast> contrast;
    std::optional<int> textSize; ///< px
    QString screenshot;          ///< a PNG to write, then exit
    QSize size{1440, 900};
    bool sizeGiven = false;
    bool quitAfterFirstPaint = false;
    bool pseudoLanguage = false; ///< show the texts of PseudoLanguage
    bool safeMode = false;       ///< do not read or write settings
};

/// Parses the arguments. The caller handles `--help` and `--version` before. Failures: invalidArgument, with a usage
/// hint.
base::Result<Options> parseOptions(const QStringList& arguments);
QString usage();

} // namespace apertune::gui
