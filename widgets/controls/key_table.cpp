// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/key_table.h"

#include <QKeySequence>

#include <algorithm>
#include <array>

namespace apertune::controls {
namespace {

/// The label of a key cap for which Qt has a word.
struct Sign
{
    Qt::Key key;
    const char* word;
    const char* sign;
};
constexpr std::array<Sign, 5> kSigns{{{Qt::Key_Left, "Left", "←"},
                                      {Qt::Key_Right, "Right", "→"},
                                      {Qt::Key_Up, "Up", "↑"},
                                      {Qt::Key_Down, "Down", "↓"},
                                      {Qt::Key_Backtab, "Backtab", "Tab"}}};

/// Returns whether a key types a sign. Letters and digits are no signs, because Shift changes their meaning.
bool isSign(int key)
{
    return key > Qt::Key_Space && key <= Qt::Key_AsciiTilde && !(key >= Qt::Key_A && key <= Qt::Key_Z) &&
           !(key >= Qt::Key_0 && key <= Qt::Key_9);
}

QKeyCombination plain(Qt::KeyboardModifiers modifiers, int key)
{
    // The keypad and AltGr are ways to type a key, not parts of a shortcut.
    modifiers &= ~(Qt::KeypadModifier | Qt::GroupSwitchModifier);
    if (isSign(key))
        modifiers &= ~Qt::KeyboardModifiers(Qt::ShiftModifier);
    return QKeyCombination(modifiers, static_cast<Qt::Key>(key));
}

} // namespace

std::optional<int> actionOf(const KeyTable& table, const QKeyEvent& event)
{
    const QKeyCombination pressed = plain(event.modifiers(), event.key());
    for (const KeyBinding& binding : table)
        if (std::any_of(binding.keys.begin(), binding.keys.end(), [pressed](QKeyCombination keys) {
                return plain(keys.keyboardModifiers(), keys.key()) == pressed;
            }))
            return binding.action;
    return std::nullopt;
}

QStringList keyNames(const KeyBinding& binding)
{
    QStringList names;
    for (const QKeyCombination keys : binding.keys) {
        QString name = QKeySequence(plain(keys.keyboardModifiers(), keys.key())).toString(QKeySequence::NativeText);
        for (const auto& [key, word, sign] : kSigns)
            if (keys.key() == key)
                name.replace(QLatin1String(word), QString::fromUtf8(sign));
        if (!names.contains(name))
            names << name;
    }
    return names;
}

} // namespace apertune::controls
