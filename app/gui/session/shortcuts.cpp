// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/shortcuts.h"

#include "app/gui/presenters/translate.h"
#include "widgets/tables/lean_table.h"
#include "widgets/timeline/timeline_keys.h"
#include "widgets/trace_views/flame_keys.h"

#include <QShortcut>

#include <algorithm>

namespace apertune::gui {

using controls::KeyBinding;
using controls::KeyTable;

const KeyTable& windowKeys()
{
    const auto entry = [](WindowAction action, std::vector<QKeyCombination> keys, const char* text) {
        return KeyBinding{static_cast<int>(action), std::move(keys), tr(text)};
    };
    static const KeyTable kKeys = [&entry] {
        using A = WindowAction;
        return KeyTable{
            entry(A::sheet, {Qt::Key_Question, Qt::SHIFT | Qt::Key_Question}, "This list"),
            entry(A::manual, {Qt::Key_F1}, "The manual’s page about what is shown"),
            entry(A::palette, {Qt::CTRL | Qt::Key_K, Qt::CTRL | Qt::SHIFT | Qt::Key_P},
                  "Find a page, action, study, model or trial"),
            entry(A::primary, {Qt::CTRL | Qt::Key_Return, Qt::CTRL | Qt::Key_Enter}, "The page’s main action"),
            entry(A::clear, {Qt::Key_Escape}, "Clear the filter, then the selection"),
            entry(A::find, {Qt::CTRL | Qt::Key_F}, "Find names in a part of a trace"),
            entry(A::previousMatch, {Qt::SHIFT | Qt::Key_Return}, "In a find field: the match before"),
            entry(A::nextTrial, {Qt::CTRL | Qt::Key_Tab}, "On the Trial page: the next trial"),
            entry(A::previousTrial, {Qt::CTRL | Qt::SHIFT | Qt::Key_Backtab}, "On the Trial page: the one before"),
            entry(A::nextPart, {Qt::CTRL | Qt::Key_PageDown}, "On the Trace page: the next part"),
            entry(A::previousPart, {Qt::CTRL | Qt::Key_PageUp}, "On the Trace page: the part before"),
            entry(A::back, {Qt::CTRL | Qt::Key_Backspace}, "On the Trace page: back from Show"),
            entry(A::openWorkspace, {Qt::CTRL | Qt::Key_O}, "Open a workspace"),
            entry(A::openTrace, {Qt::CTRL | Qt::SHIFT | Qt::Key_O}, "Open a trace"),
            entry(A::quit, {Qt::CTRL | Qt::Key_Q}, "Close the window"),
        };
    }();
    return kKeys;
}

const KeyBinding& windowKey(WindowAction action)
{
    return *std::find_if(windowKeys().begin(), windowKeys().end(),
                         [action](const KeyBinding& b) { return b.action == static_cast<int>(action); });
}

QShortcut* makeShortcut(WindowAction action, QWidget* owner, Qt::ShortcutContext context)
{
    QList<QKeySequence> keys;
    for (const QKeyCombination key : windowKey(action).keys)
        keys << QKeySequence(key);
    auto* shortcut = new QShortcut(owner);
    shortcut->setContext(context);
    shortcut->setKeys(keys);
    return shortcut;
}

KeyTable pageKeys(const PageTable& pages)
{
    std::vector<QKeyCombination> upper;
    for (std::size_t i = 0; i + 1 < pages.size(); ++i)
        upper.push_back(pages[i].shortcut);
    const QString from = pages.front().shownLabel();
    const QString to = pages[pages.size() - 2].shownLabel();
    // The window finds its pages by their shortcuts, so the binding has no action.
    return {{0, std::move(upper), tr("The pages, from %1 to %2").arg(from, to)},
            {0, {pages.back().shortcut}, pages.back().shownLabel()}};
}

std::vector<KeyGroup> keyGroups(const PageTable& pages)
{
    KeyTable window = windowKeys();
    const KeyTable shown = pageKeys(pages);
    // The keys of the sheet, the manual and the palette come first, because a user needs them first.
    window.insert(window.begin() + 3, shown.begin(), shown.end());
    return {{tr("Window"), std::move(window)},
            {tr("Timeline"), timeline::timelineKeys()},
            {tr("Flame graph"), trace_views::flameKeys()},
            {tr("Tables"), tables::LeanTable::keyTable()}};
}

QString keysText(const KeyBinding& binding)
{
    const QStringList names = controls::keyNames(binding);
    return names.size() > 3 ? tr("%1 … %2").arg(names.first(), names.last()) : names.join(tr(" or "));
}

} // namespace apertune::gui
