// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/openvino/request.h"
#include "plugins/support/backend.h"

#include <memory>

namespace apertune::openvino {

/// The version of OpenVINO and the devices that it finds.
plugins::Description describeBackend();

/// Opens a model: reads it, fixes the batch, compiles it for one configuration and makes its input sets. The switch
/// `streams` cuts the batch into as many equal parts as there are threads, or into the largest number that divides it.
/// A recording runs a second compilation with OpenVINO's counters on, so that the measured one never pays for them.
/// Throws Fault or what OpenVINO throws.
std::unique_ptr<plugins::Session> openSession(const Request& request);

} // namespace apertune::openvino
