// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/base/message.h"
#include "core/model/reason.h"

#include <QString>

#include <string>

namespace apertune::theme {

/// Returns a message of core in the language of the window. The template is translated in the context "core"; numbers
/// and names are inserted afterwards. An empty message gives `english`.
QString fromCore(const base::Message& message);

/// Returns the text of an error: "message (context) hint".
QString fromCore(const base::Error& error);

/// Returns the text of a trial's reason.
QString fromCore(const model::Reason& reason);

} // namespace apertune::theme
