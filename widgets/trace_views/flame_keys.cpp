// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/trace_views/flame_keys.h"

#include <QCoreApplication>

namespace apertune::trace_views {

const controls::KeyTable& flameKeys()
{
    const auto entry = [](std::vector<QKeyCombination> keys, const char* text) {
        const int action = keys.front().key();
        return controls::KeyBinding{action, std::move(keys),
                                    QCoreApplication::translate("apertune::trace_views", text)};
    };
    static const controls::KeyTable kKeys{
        entry({Qt::Key_Up}, "To the caller"),
        entry({Qt::Key_Down}, "To the widest callee"),
        entry({Qt::Key_Left}, "To the box on the left"),
        entry({Qt::Key_Right}, "To the box on the right"),
        entry({Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space}, "Zoom into the box"),
        entry({Qt::Key_Backspace}, "Zoom out to its caller"),
        entry({Qt::Key_Home}, "Show everything"),
    };
    return kKeys;
}

} // namespace apertune::trace_views
