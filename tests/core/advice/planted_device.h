// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "planted_traces.h"

namespace apertune::advice::testing {

class Dice;

// Fill in `trace` and, where a plant needs it, `context`.
void recordDevice(Plant plant, Dice& dice, Planted& out);
void recordCpu(Plant plant, Dice& dice, Planted& out);

} // namespace apertune::advice::testing
