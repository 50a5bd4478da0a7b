// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/study.h"
#include "core/store/store.h"

#include <filesystem>
#include <string>

namespace apertune::cli {

/// A trial, with the study that it belongs to.
struct FoundTrial
{
    model::StudySnapshot snapshot;
    model::TrialId id{};
    const model::Trial& trial() const { return *snapshot.find(id); }
};

/// Finds a study by "s3", "3", "#3", "last" (store::lastStudy()) or the first four or more digits of a uuid. A number
/// is tried as an id first.
///
/// Failures: notFound with the existing studies, invalidArgument when several uuids begin with the digits.
base::Result<model::StudyId> findStudy(const store::Store& store, const std::string& text);
base::Result<model::StudySnapshot> loadStudyOf(const store::Store& store, const std::string& text);

/// Finds a trial by "t12", "12", "#12", "best" (recommended by the last study), "STUDY:best", or the name of a
/// baseline.
base::Result<FoundTrial> findTrial(const store::Store& store, const std::string& text);

/// Finds a trace by "tr3", "3", "#3" or "last". Failures: notFound with the existing traces, invalidArgument.
base::Result<store::TraceSummary> findTrace(const store::Store& store, const std::string& text);

/// The id as users type it and documents hold it: "tr3".
std::string toText(store::TraceId id);

/// Whether the text names a trial where a study may stand, too: "t12", "best", "s3:best", or the name of a baseline.
bool namesTrial(const store::Store& store, const std::string& text);
/// The same for a workspace that is not open. A workspace that cannot be opened has no baselines.
bool namesTrial(const std::filesystem::path& workspace, const std::string& text);
/// Whether the text names a trace and nothing else: "tr3".
bool looksLikeTrace(const std::string& text);

} // namespace apertune::cli
