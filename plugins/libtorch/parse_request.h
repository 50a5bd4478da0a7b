// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/request.h"

namespace apertune::libtorch {

/// Reads a request (see apertune_plugin.h). Throws Fault BAD_INPUT when it is malformed, UNSUPPORTED when it names
/// something that this backend does not have, or a precision that the device or the switches do not allow.
/// REQUIRES: no switch is in conflict with another (core/model/switch_conflict.h).
Request parseRequest(const char* json);

/// Throws Fault as parseRequest() does.
CeilingRequest parseCeilingRequest(const char* json);

} // namespace apertune::libtorch
