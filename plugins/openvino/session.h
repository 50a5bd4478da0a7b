// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/openvino/request.h"
#include "plugins/support/backend.h"

#include <exception>
#include <memory>
#include <string>
#include <string_view>

namespace apertune::openvino {

/// The version of OpenVINO and the devices that it finds.
plugins::Description describeBackend();

/// Opens a model: reads it, fixes the batch, compiles it for one configuration and makes its input sets. The switch
/// `streams` cuts the batch into as many equal parts as there are threads, or into the largest number that divides it.
/// A recording runs a second compilation with OpenVINO's counters on, so that the measured one never pays for them.
/// Throws Fault or what OpenVINO throws.
std::unique_ptr<plugins::Session> openSession(const Request& request);

/// The fault that an exception of OpenVINO stands for. Out of memory is known by its text. Any other exception gets the
/// status `otherwise`, and the message is `what` followed by OpenVINO's own line.
plugins::Fault faultOf(std::exception_ptr error, apertune_status otherwise, const std::string& what,
                       const std::string& hint);

/// The line of an OpenVINO message that says what happened. Lines about OpenVINO's own sources are skipped.
std::string essentialLine(std::string_view text);

} // namespace apertune::openvino
