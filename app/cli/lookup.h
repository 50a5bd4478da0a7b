// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/study.h"
#include "core/store/store.h"

#include <string>

namespace apertune::cli {

/// A trial with the study it stands in.
struct FoundTrial
{
    model::StudySnapshot snapshot;
    model::TrialId id{};
    const model::Trial& trial() const { return *snapshot.find(id); }
};

/// "s3", "3", "#3", "last" or the first four or more digits of a uuid. A number is an id first. Failures: notFound with
/// what there is, invalidArgument when a uuid's beginning fits several.
base::Result<model::StudyId> findStudy(const store::Store& store, const std::string& text);
base::Result<model::StudySnapshot> loadStudyOf(const store::Store& store, const std::string& text);

/// "t12", "12", "#12", "best" (recommended by the last study) or "STUDY:best".
base::Result<FoundTrial> findTrial(const store::Store& store, const std::string& text);

/// "tr3", "3", "#3" or "last". Failures: notFound with what there is, invalidArgument.
base::Result<store::TraceSummary> findTrace(const store::Store& store, const std::string& text);

/// "tr3": what people type and documents hold.
std::string toText(store::TraceId id);

/// Does the text name a trial rather than a study, where both may stand? "t12", "best", "s3:best".
bool looksLikeTrial(const std::string& text);

} // namespace apertune::cli
