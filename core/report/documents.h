// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/study.h"

#include <string>
#include <vector>

namespace apertune::report {

/// The documents that scripts rely on. Their member "schema" holds name and version; schema.md beside this file
/// documents them.

/// Returns "apertune.study/1", the output of `tune --json` and `show STUDY --json`.
base::Json studyDocument(const model::StudySnapshot& snapshot);

/// Returns a noise certificate as that document holds it, and as a sentence: "Differences below 1.2 % cannot be
/// detected on this machine (20 comparisons of a configuration with itself, protocol normal, 2026-11-21T14:02:11Z)."
base::Json noiseDocument(const model::NoiseCertificate& certificate);
std::string noiseSentence(const model::NoiseCertificate& certificate);

/// Returns sentences about parts of the study's trials that the workspace has lost; empty when nothing was lost.
std::vector<std::string> losses(const model::StudySnapshot& snapshot);

/// Returns one trial as that document holds it.
base::Json trialDocument(const model::Trial& trial);

/// Returns "apertune.trial/1", the output of `show TRIAL --json`.
base::Json trialDocument(const model::StudySnapshot& snapshot, const model::Trial& trial);

/// Returns the recommendation for people: "1 294 img/s ± 0.6 % (n = 42): O2 fp32 batch 4, 1.55× [1.53, 1.57] as
/// fast as O0 fp32 batch 4." A runner-up other than that baseline is named too: "No difference found from the runner-up
/// O1 fp32 batch 4 (t3): 1.01× [0.99, 1.03]."
std::string recommendationSentence(const model::StudySnapshot& snapshot);

/// Returns the shortlist for people, a line for each candidate: "t5  O2 fp32 batch 4: 1.55× [1.40, 1.70] as fast as O0
/// fp32 batch 4". Empty where a trial is recommended and where none may be.
std::vector<std::string> shortlistLines(const model::StudySnapshot& snapshot);

} // namespace apertune::report
