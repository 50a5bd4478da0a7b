// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/base/message.h"
#include "core/model/reason.h"

#include <QString>

#include <string>

namespace apertune::theme {

/// A message of core in the language of the window. The template is translated in the context "core"; numbers and names
/// are inserted afterwards. An empty message gives `english`.
QString fromCore(const base::Message& message, const std::string& english = {});

/// As above, of an error: "message (context) hint".
QString fromCore(const base::Error& error);

/// The same for a trial's reason.
QString fromCore(const model::Reason& reason);

} // namespace apertune::theme
