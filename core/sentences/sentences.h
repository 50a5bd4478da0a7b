// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/model/reason.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace apertune::sentences {

/// The words of the messages that core makes. Documents, the terminal and SQL get English; the window translates the
/// templates first:
///
///     sentences::sentence(message, [](const char* english) {
///         return QCoreApplication::translate("core", english).toStdString();
///     });
///
/// A translation keeps the placeholders, in any order. Thread-safe.
struct Template
{
    std::string_view id;
    const char* english; ///< placeholders are the parameters of the message: "of {memory}"
};

/// All of them, each id once.
std::span<const Template> templates();

/// English template -> template in another language.
using Translate = std::function<std::string(const char* english)>;

/// The sentence of a message. Empty for an empty message and for an id that only a newer version knows.
std::string sentence(const base::Message& message, const Translate& translate = {});

/// The sentence of a reason. A reason without a message, or with one that only a newer version knows, is shown by its
/// stored text.
std::string sentence(const model::Reason& reason, const Translate& translate = {});

} // namespace apertune::sentences
