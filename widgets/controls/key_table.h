// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeyCombination>
#include <QKeyEvent>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace apertune::controls {

/// An action and its keys. A view looks up its actions in the same table that the sheet of shortcuts shows, so the
/// sheet cannot list keys without effect.
struct KeyBinding
{
    int action = 0; ///< number that the view chooses
    std::vector<QKeyCombination> keys;
    QString text; ///< description of the action: "Zoom in at the pointer"
};
using KeyTable = std::vector<KeyBinding>;

/// Returns the action of the pressed keys; nullopt when there is none. For signs, Shift is part of typing them and is
/// ignored.
std::optional<int> actionOf(const KeyTable& table, const QKeyEvent& event);

/// Returns the names of the keys as keyboards label them, each once: "W", "+".
QStringList keyNames(const KeyBinding& binding);

} // namespace apertune::controls
