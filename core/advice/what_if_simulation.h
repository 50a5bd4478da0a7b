// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/what_if_plan.h"
#include "core/analysis/replay.h"

#include <cmath>
#include <cstdint>
#include <vector>

namespace apertune::advice {

/// Runs plans on the graph of a recording. Private to this folder. One thread.
/// REQUIRES: the facts have a replay where they are of a device; both references outlive the object.
class Simulator
{
public:
    Simulator(const Facts& facts, const Planner& planner)
        : m_facts(facts), m_planner(planner),
          m_unchanged(facts.onDevice ? facts.replay->simulate({}) : analysis::Replayed())
    {
    }

    analysis::Replayed simulate(const Plan& plan) const; ///< the times with the plan
    /// Sets the saved share, its band and the part on the critical path.
    void predict(const Plan& plan, ChangeEffect& effect) const;
    trace::TimeRange span() const { return m_facts.onDevice ? m_facts.replay->span() : m_facts.window; }
    /// How far the replay without a change is from the recording, as a share of it.
    double replayError() const { return m_facts.onDevice ? std::abs(m_facts.replay->unchangedRatio() - 1) : 0; }

private:
    /// Changed over recorded time of each iteration.
    std::vector<double> ratios(const Plan& plan, const analysis::Replayed& changed) const;
    std::vector<double> deviceRatios(const analysis::Replayed& changed) const;
    std::vector<std::int64_t> endsOfIterations(const analysis::Replayed& replayed) const;
    double leastRatio(const analysis::Replayed& changed) const;

    const Facts& m_facts;
    const Planner& m_planner;
    const analysis::Replayed m_unchanged; ///< the replay without a change; empty for a host
};

} // namespace apertune::advice
