// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/study.h"
#include "core/stats/block_stats.h"

#include <string>
#include <vector>

namespace apertune::report {

/// A line of "what differs": a setting with its value on both sides ("" = absent).
struct Difference
{
    std::string name;
    std::string a;
    std::string b;
};

/// The same cell on both sides.
struct MatchedCell
{
    const model::Trial* a = nullptr;
    const model::Trial* b = nullptr;
    std::string label;
    model::Interval ratio; ///< a / b of time per sample; > 1: b is faster
    stats::Verdict verdict = stats::Verdict::cannotTell;
};

struct Comparison
{
    std::vector<Difference> environment;
    std::vector<Difference> configuration; ///< only for two single trials
    std::vector<MatchedCell> cells;        ///< cells measured on both sides, matched by configuration and device kind
    std::vector<std::string> onlyInA;
    std::vector<std::string> onlyInB;
};

/// Two studies, cell by cell. The result points into the snapshots: keep them alive.
Comparison compareStudies(const model::StudySnapshot& a, const model::StudySnapshot& b);

/// Two trials, whatever their configurations.
Comparison compareTrials(const model::StudySnapshot& studyA, const model::Trial& a, const model::StudySnapshot& studyB,
                         const model::Trial& b);

/// "apertune.comparison/1".
base::Json comparisonDocument(const Comparison& comparison);
std::string comparisonTable(const Comparison& comparison);

} // namespace apertune::report
