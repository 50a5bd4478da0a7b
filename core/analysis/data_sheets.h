// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/number_format.h"
#include "core/analysis/roofline.h"
#include "core/trace/trace.h"

namespace apertune::analysis {

/// Returns the ceilings that a vendor's data sheet states for a device, for traces of machines that nobody measured.
/// - The rate is that of dense matrix products in `format`, on tensor cores where the device has them for it.
/// - Ceilings::fromDataSheet is set. Programs reach some 70 to 90 % of such rates.
/// - The result is empty (not complete()) for a device that is not known beyond doubt by its name and size, and for a
///   format that is unknown or that it does not compute in.
///
/// Sources: the vendors' data sheets of the products (dense rates, boost clock). One device is one die where a card has
/// two (MI250, MI250X).
Ceilings dataSheetCeilings(const trace::DeviceProperties& device, NumberFormat format);

} // namespace apertune::analysis
