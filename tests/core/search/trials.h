// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/trial.h"
#include "core/stats/summarize.h"

namespace apertune::search::test {

/// A measured trial with blocks whose time per pass spreads evenly by ± `spread` around `ms`.
inline model::Trial okTrial(int ordinal, model::OptLevel level, model::Precision precision, int batch, double ms,
                            double spread = 0.002, const std::string& device = "cpu")
{
    model::Trial trial;
    trial.id = {100 + ordinal};
    trial.ordinal = ordinal;
    trial.device = device;
    trial.config = model::makeConfig(level, precision, batch, device == "cpu" ? 2 : 0, model::typeOfDevice(device));
    trial.state = model::TrialState::ok;
    constexpr int kBlocks = 31;
    for (int i = 0; i < kBlocks; ++i) {
        // 7 and 31 have no common factor: every place is taken once, and neighbours do not rise together.
        const double place = static_cast<double>(i * 7 % kBlocks) / (kBlocks - 1) * 2 - 1;
        model::Block block;
        block.iterations = 10;
        block.wall = base::fromMilliseconds(10 * ms * (1 + spread * place));
        trial.measurement.blocks.push_back(block);
    }
    trial.measurement.memory.processPeak = base::Bytes{1'000'000};
    trial.measurement.quality = model::Quality{};
    trial.measurement.quality->cosine = 1;
    stats::summarize(trial.measurement, batch);
    return trial;
}

} // namespace apertune::search::test
