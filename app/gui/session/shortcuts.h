// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/page_spec.h"
#include "widgets/controls/key_table.h"

#include <QObject>
#include <QString>

#include <vector>

class QShortcut;
class QWidget;

namespace apertune::gui {

/// What keys do all over the window; KeyBinding::action of windowKeys().
enum class WindowAction {
    palette,
    primary,
    clear,
    find,
    previousMatch,
    nextTrial,
    previousTrial,
    nextPart,
    previousPart,
    back, ///< to the part that led to this one
    openWorkspace,
    openTrace,
    sheet,
    quit,
};
const controls::KeyTable& windowKeys();
const controls::KeyBinding& windowKey(WindowAction action);

/// The keys of an action as a shortcut of `owner`.
QShortcut* makeShortcut(WindowAction action, QWidget* owner, Qt::ShortcutContext context = Qt::WindowShortcut);

/// Everything that is bound, as the sheet shows it.
struct KeyGroup
{
    QString title;
    controls::KeyTable keys;
};
std::vector<KeyGroup> keyGroups(const PageTable& pages);
/// The keys that show the pages: one binding for those at the top of the rail, one for the page at its bottom.
controls::KeyTable pageKeys(const PageTable& pages);

/// "Ctrl+K or Ctrl+Shift+P"; of many the first and the last.
QString keysText(const controls::KeyBinding& binding);

} // namespace apertune::gui
