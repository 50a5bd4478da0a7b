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

/// The actions of keys that work in the whole window; KeyBinding::action of windowKeys().
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
    back, ///< returns to the tab that led to this one
    openWorkspace,
    openTrace,
    sheet,
    manual, ///< opens the page about what is shown
    quit,
};
const controls::KeyTable& windowKeys();
const controls::KeyBinding& windowKey(WindowAction action);

/// Makes a shortcut of `owner` for the keys of an action.
QShortcut* makeShortcut(WindowAction action, QWidget* owner, Qt::ShortcutContext context = Qt::WindowShortcut);

/// All key bindings of one place, as the sheet shows them.
struct KeyGroup
{
    QString title;
    controls::KeyTable keys;
};
std::vector<KeyGroup> keyGroups(const PageTable& pages);
/// The keys that show pages: one binding for the pages at the top of the rail, one for the page at its bottom.
controls::KeyTable pageKeys(const PageTable& pages);

/// "Ctrl+K or Ctrl+Shift+P". Of more than two keys it names the first and the last.
QString keysText(const controls::KeyBinding& binding);

} // namespace apertune::gui
