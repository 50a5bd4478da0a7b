// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/request.h"

#include <string>
#include <vector>

namespace apertune::libtorch {

/// Blocks of one measurement: of several sizes the one with the best median.
struct CeilingSamples
{
    std::string quantity;
    std::string how;
    std::vector<double> rates; ///< FLOP/s or bytes/s, a block each
};

struct MeasuredCeilings
{
    std::vector<CeilingSamples> samples;
    std::vector<std::string> notes;
};

/// Takes about `request.most`, longer only where six blocks of a single call each do. REQUIRES: no session is open.
MeasuredCeilings measureCeilings(const CeilingRequest& request);

} // namespace apertune::libtorch
