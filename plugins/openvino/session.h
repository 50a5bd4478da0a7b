// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/openvino/request.h"
#include "plugins/support/backend.h"

#include <exception>
#include <memory>
#include <string>
#include <string_view>

namespace apertune::openvino {

/// What OpenVINO says of itself and of the devices it finds.
plugins::Description describeBackend();

/// A model compiled by OpenVINO for one configuration, with its input sets: read, reshaped to the static batch and
/// compiled. The switch `streams` cuts the batch into as many equal parts as there are threads, or the most that divide
/// it. While it records, the model runs in a second compilation with OpenVINO's counters on, so that what is measured
/// never pays for them. Throws Fault or what OpenVINO throws.
std::unique_ptr<plugins::Session> openSession(const Request& request);

/// What an exception of OpenVINO means: memory that ran out is known by its text, anything else is `otherwise` with
/// OpenVINO's own line behind `what`.
plugins::Fault faultOf(std::exception_ptr error, apertune_status otherwise, const std::string& what,
                       const std::string& hint);

/// The line of an OpenVINO message that says what happened: the lines about its own sources are passed over.
std::string essentialLine(std::string_view text);

} // namespace apertune::openvino
