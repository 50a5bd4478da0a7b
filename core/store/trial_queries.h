// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/baseline.h"
#include "core/model/trial.h"
#include "core/store/sqlite_database.h"

#include <vector>

namespace apertune::store {

/// The queries about trials. Private to core/store. Each throws store::Failure.
/// REQUIRES: the caller has begun a transaction.

void insertTrials(const Database& db, model::StudyId study, std::vector<model::Trial>& trials);
/// Adds a trial after the others of its study, see Store::addTrial().
void appendTrial(const Database& db, model::StudyId study, model::Trial& trial);
std::vector<model::Trial> trialsOfStudy(const Database& db, model::StudyId study, bool withSamples);
model::Trial trialById(const Database& db, model::TrialId id);
void moveTrial(const Database& db, const model::Trial& trial, model::TrialState to);
void replaceTrialMeasurement(const Database& db, const model::Trial& trial);
/// See Store::adoptTrials().
int adoptTrials(const Database& db, model::StudyId study, const std::vector<model::Trial>& trials);
int requeueTrials(const Database& db, model::StudyId study);
void starTrial(const Database& db, model::TrialId trial, bool starred);
/// See Store::nameBaseline().
void nameStarredTrial(const Database& db, model::TrialId trial, const std::string& name, bool replace);
std::vector<model::Baseline> starredTrials(const Database& db);

} // namespace apertune::store
