// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/api/apertune_plugin.h"
#include "plugins/support/fault.h"

#include <exception>
#include <string>

namespace apertune::openvino {

/// Converts an exception of OpenVINO to a fault. Out of memory is recognized by its text. Any other exception gets the
/// status `otherwise`, and the message is `what` followed by OpenVINO's own line.
plugins::Fault faultOf(std::exception_ptr error, apertune_status otherwise, const std::string& what,
                       const std::string& hint);

} // namespace apertune::openvino
