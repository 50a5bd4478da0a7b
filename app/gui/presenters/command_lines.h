// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"
#include "core/store/store.h"
#include "core/study/study_request.h"
#include "core/workload/load/scenario.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace apertune::gui {

// The command lines that do what the window shows, ready to paste into a shell. They name the workspace only when it is
// not the default one.

/// Measures one configuration again.
QString measureCommand(const model::Study& study, const model::Trial& trial, const std::filesystem::path& file);
QString showStudyCommand(model::StudyId study, const std::filesystem::path& file);
/// What rules find in a study.
QString studyFindingsCommand(model::StudyId study, const std::filesystem::path& file);
/// The history of a trial's configuration.
QString trendCommand(model::TrialId trial, const std::filesystem::path& file);
QString effectsCommand(model::StudyId study, const std::filesystem::path& file);
/// Options of `apertune claims`.
struct ClaimsCommand
{
    std::string claim{}; ///< id; empty: all
    std::string topic{};
    std::string state{}; ///< empty: all
    bool measure = false;
    std::optional<base::Nanoseconds> budget{};
};
QString claimsCommand(const ClaimsCommand& options, const std::filesystem::path& file);
/// Compares the others with the first of `sides`.
QString compareCommand(const QStringList& sides, const std::filesystem::path& file);
/// Predicts what changes would do to a stored trace; with `verify`, it measures them.
QString whatIfCommand(std::int64_t trace, const QStringList& changes, bool verify, const std::filesystem::path& file);
QString exportCommand(model::TrialId trial, const QString& target, const QString& dir, bool allBatches,
                      const std::filesystem::path& file);
QString scenarioCommand(model::TrialId trial, const workload::Scenario& scenario, const std::filesystem::path& file);
/// Runs a query on the workspace.
QString queryCommand(const std::string& sql, const std::filesystem::path& file);
QString tuneCommand(const study::StudyRequest& request, const std::filesystem::path& file);

/// The sweep of `apertune tune MODEL`, which every Auto-tune button runs.
study::StudyRequest autoTuneRequest(const model::ModelRef& model, base::Nanoseconds budget,
                                    const std::filesystem::path& file);

/// A word quoted for a POSIX shell. Plain words are not changed.
QString shellQuoted(const QString& word);

} // namespace apertune::gui
