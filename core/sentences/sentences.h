// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/base/message.h"
#include "core/model/reason.h"

#include <functional>
#include <string>

namespace apertune::sentences {

// The texts of the messages that core makes. Documents, the terminal and SQL get English. The window translates the
// templates (templates.h) first:
//
//     sentences::sentence(message, [](const char* english) {
//         return QCoreApplication::translate("core", english).toStdString();
//     });
//
// A translation keeps the placeholders, in any order.
// Thread rule: all functions may be called from any thread.

/// Maps an English template to a template in another language.
using Translate = std::function<std::string(const char* english)>;

/// Returns the sentence of a message; empty for an empty message and for an id that only a newer version knows.
std::string sentence(const base::Message& message, const Translate& translate = {});

/// "message (context) hint" on one line, for logs and windows.
std::string describe(const base::Error& error, const Translate& translate = {});

} // namespace apertune::sentences
