// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

namespace apertune::search {

/// How much longer conversions (or compilations) of models take than expected, by the last one that was measured.
/// Expected times are those of a machine that is not busy; the last conversion shows how busy it is now, an average of
/// all would lag.
class ConversionScale
{
public:
    /// Notes a conversion. Without an expected or a measured time (0) nothing is learned from it.
    void note(base::Nanoseconds expected, base::Nanoseconds measured)
    {
        if (expected.count > 0 && measured.count > 0)
            m_scale = measured.seconds() / expected.seconds();
    }

    /// Returns the time that is now to be expected of what takes `expected` on a machine that is not busy.
    base::Nanoseconds of(base::Nanoseconds expected) const { return base::fromSeconds(expected.seconds() * m_scale); }

private:
    double m_scale = 1;
};

} // namespace apertune::search
