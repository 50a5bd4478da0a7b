// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/model/reason.h"

#include <QString>

#include <string>

namespace apertune::theme {

/// A sentence of core in the language of the window: the template is translated in the context "core", numbers and
/// names are put in afterwards. `english` is shown where there is no message.
QString fromCore(const base::Message& message, const std::string& english = {});

/// As above, of a trial's reason.
QString fromCore(const model::Reason& reason);

} // namespace apertune::theme
