// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/number_format.h"
#include "core/analysis/roofline.h"
#include "core/trace/trace.h"

namespace apertune::analysis {

/// Returns the ceilings in a vendor's data sheet of a device, for traces of machines whose ceilings were not measured.
/// - The rate is that of dense matrix products in `format`, on tensor cores where the device has them for it.
/// - Ceilings::fromDataSheet is set. Programs reach some 70 to 90 % of such rates.
/// - The result is empty (not complete()) for a device whose name and size do not identify it, and for a format that is
///   unknown or that the device does not support.
///
/// Sources: the vendors' data sheets of the products (dense rates, boost clock). One device is one die where a card has
/// two (MI250, MI250X).
Ceilings dataSheetCeilings(const trace::DeviceProperties& device, NumberFormat format);

} // namespace apertune::analysis
