// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeyCombination>
#include <QKeyEvent>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace apertune::controls {

/// What some keys do. A view looks its actions up in the very table that the sheet of shortcuts shows, so that the
/// sheet cannot tell of keys that do nothing.
struct KeyBinding
{
    int action = 0; ///< the view's own
    std::vector<QKeyCombination> keys;
    QString text; ///< what happens: "Zoom in at the pointer"
};
using KeyTable = std::vector<KeyBinding>;

/// The action of the keys that were pressed; nullopt: none. Of signs, Shift is part of typing them and does not count.
std::optional<int> actionOf(const KeyTable& table, const QKeyEvent& event);

/// The keys as keyboards label them, each once: "W", "+".
QStringList keyNames(const KeyBinding& binding);

} // namespace apertune::controls
