// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/comparison/compare.h"
#include "core/model/study.h"
#include "core/stats/change_points.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apertune::comparison {

/// A trial in the history of its configuration. A busy or throttled trial, and one without an
/// interval, make no step.
struct TrendPoint
{
    model::TrialId trial{};
    model::StudyId study{};
    std::string when;          ///< the trial's end, UTC
    model::Interval latencyNs; ///< time of a pass
    std::size_t samples = 0;   ///< blocks
    double othersLoad = 0;     ///< share of the processors' time that other programs took, 0..1
    bool busy = false;         ///< other programs disturbed it
    bool throttled = false;    ///< the clock was below the fastest one in more than a fifth of its blocks
    /// The versions of what the trial ran on: its engine, driver, kernel, operating system, Apertune.
    std::vector<std::pair<std::string, std::string>> versions;
};

/// A place where the latency of the configuration changed.
struct TrendStep
{
    model::TrialId before{}; ///< last undisturbed trial before it
    model::TrialId after{};  ///< first undisturbed trial after it
    model::Interval ratio;   ///< latency after over before; > 1: slower
    double p = 1;            ///< stats::HistoryStep::p
    /// Everything recorded that differs between `before` and `after`, except the versions of other engines and
    /// devices. One entry: it is the only change. Empty: nothing that is recorded changed.
    std::vector<Difference> changed;
};

/// The history of one configuration of one model on machines of one class, oldest first.
struct Trend
{
    std::string model;
    std::string device;
    std::string machine; ///< model::machineClass()
    std::string label;   ///< short name of the configuration
    std::vector<TrendPoint> points;
    std::vector<TrendStep> steps;
    /// The newest trial alone differs from the ones before it. It is no step until another trial confirms it.
    std::optional<TrendStep> newest{};
    double noiseFloor = 0; ///< largest noise floor of the trials' machines; 0: unknown
    double spread = 0;     ///< stats::ChangePoints::spread
    bool holds(model::TrialId trial) const;
    /// Returns the step that `newest` is, else the last one; null without any.
    const TrendStep* newestStep() const;
};

/// Returns the histories of all configurations that at least one study measured, those with the newest trials first.
/// Trials are of one configuration when content of the model, settings, device and class of the machine are equal.
std::vector<Trend> trendsOf(std::span<const model::StudySnapshot> studies);

/// Returns "apertune.trend/1" (schema.md).
base::Json trendDocument(const Trend& trend);

/// Returns one row a trial. The header has the units.
std::string trendCsv(const Trend& trend);

/// Returns a table of the trials with a small plot, then what the steps are and what changed at them.
std::string trendText(const Trend& trend, int width = 0);

/// Returns one row a history, with its newest step.
std::string trendsText(std::span<const Trend> trends, int width = 0);

} // namespace apertune::comparison
