// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/noise_run.h"

#include "core/base/clock.h"
#include "core/stats/compare.h"
#include "core/study/reasons.h"

#include <array>

namespace apertune::study {

using base::Nanoseconds;
using worker::WorkerError;

NoisePlan noisePlan(const std::string& protocol)
{
    NoisePlan plan;
    // More blocks for stricter protocols, because the noise floor has to be below the effects that they report.
    plan.blocks = protocol == "publish" ? 40 : protocol == "quick" ? 10 : 20;
    return plan;
}

worker::WorkerReply<std::vector<double>> measureNoise(worker::Launcher& launcher,
                                                      const ConfigurationRequest& configuration, const NoisePlan& plan,
                                                      const worker::RunLimits& limits, std::stop_token stop,
                                                      const PhaseSink& phase)
{
    std::vector<double> ratios;
    std::optional<WorkerError> failure;
    const auto open = [&](LoadedConfiguration& into) {
        auto opened = openConfiguration(launcher, configuration, limits, stop);
        if (!opened)
            failure = opened.error();
        else
            into = std::move(*opened);
    };
    const Nanoseconds begin = base::monotonicNow();
    // Every process but the first and the last serves two pairs, which saves half of the openings.
    LoadedConfiguration first;
    open(first);
    while (!failure && static_cast<int>(ratios.size()) < plan.pairs) {
        if (!ratios.empty() && base::monotonicNow() - begin >= plan.most)
            break;
        if (phase)
            phase(Phase::pair, base::message<reasons::kPairOf>(ratios.size() + 1, plan.pairs));
        LoadedConfiguration second;
        open(second);
        // The process was kept open from the previous pair.
        first.taken = {}; // Blocks of the previous pair must not be paired with those of this one.
        const std::array pair{&first, &second};
        for (int block = 0; !failure && block < plan.blocks; ++block)
            if (auto status = measureRound(pair, static_cast<std::size_t>(block), limits, stop); !status)
                failure = status.error();
        if (failure)
            break;
        const std::vector<double> a = first.nsPerPass();
        const std::vector<double> b = second.nsPerPass();
        const std::span<const double> before(a);
        const std::span<const double> after(b);
        stats::CompareOptions options;
        options.pairing = stats::Pairing::paired;
        ratios.push_back(stats::compare({before}, {after}, options).ratio.value);
        first = std::move(second);
    }
    // Some pairs before a failure still make a certificate.
    if (failure && (ratios.empty() || failure->cancelled))
        return *failure;
    return ratios;
}

base::Result<std::optional<model::NoiseCertificate>>
noiseCertificate(const store::Store& store, const std::string& machine, const std::string& protocol)
{
    const auto kept = store.noise(machine);
    if (!kept)
        return kept.error();
    std::optional<model::NoiseCertificate> best;
    for (const store::Noise& noise : *kept) {
        const stats::NoiseFloor floor = stats::noiseFloor(noise.ratios);
        const model::NoiseCertificate one{machine, noise.protocol, floor.effect,
                                          static_cast<std::int64_t>(floor.comparisons), noise.measuredUtc};
        if (noise.protocol == protocol)
            // A certificate of the same protocol is exact. Of others, the least favourable one is taken.
            return std::optional(one);
        if (!best || one.effect > best->effect)
            best = one;
    }
    return best;
}

} // namespace apertune::study
