// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/request.h"

namespace apertune::libtorch {

/// Reads a request (see apertune_plugin.h). Throws Fault BAD_INPUT when it is malformed, UNSUPPORTED when it names
/// something that this backend does not have or a combination that is not possible.
Request parseRequest(const char* json);

/// Throws Fault as parseRequest() does.
CeilingRequest parseCeilingRequest(const char* json);

} // namespace apertune::libtorch
