// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/phase_word.h"

#include "widgets/theme/format.h"

#include <QCoreApplication>

#include <array>

namespace apertune::gui {

QString phaseWord(const std::string& phase)
{
    static constexpr const char* kContext = "apertune::gui";
    static constexpr std::array kPhases{
        QT_TRANSLATE_NOOP("apertune::gui", "bare"),    QT_TRANSLATE_NOOP("apertune::gui", "ceilings"),
        QT_TRANSLATE_NOOP("apertune::gui", "compile"), QT_TRANSLATE_NOOP("apertune::gui", "images"),
        QT_TRANSLATE_NOOP("apertune::gui", "judge"),   QT_TRANSLATE_NOOP("apertune::gui", "load"),
        QT_TRANSLATE_NOOP("apertune::gui", "measure"), QT_TRANSLATE_NOOP("apertune::gui", "pair"),
        QT_TRANSLATE_NOOP("apertune::gui", "quality"), QT_TRANSLATE_NOOP("apertune::gui", "serve"),
        QT_TRANSLATE_NOOP("apertune::gui", "stages"),  QT_TRANSLATE_NOOP("apertune::gui", "store"),
        QT_TRANSLATE_NOOP("apertune::gui", "trace"),   QT_TRANSLATE_NOOP("apertune::gui", "warm-up"),
        QT_TRANSLATE_NOOP("apertune::gui", "write"),
    };
    for (const char* known : kPhases)
        if (phase == known)
            return QCoreApplication::translate(kContext, known);
    return theme::toQt(phase);
}

} // namespace apertune::gui
