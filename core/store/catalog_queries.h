// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/ceilings.h"
#include "core/model/model_ref.h"
#include "core/store/records.h"
#include "core/store/sqlite_database.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apertune::store {

/// The queries about models, artifacts, ceilings and noise certificates. Private to core/store. Each throws
/// store::Failure.
///
/// REQUIRES: the caller has begun a transaction.

/// Finds the model or stores it, and returns its id. This does not list it: see listModel().
std::int64_t insertModel(const Database& db, const model::ModelRef& model);
void listModel(const Database& db, const model::ModelRef& model);
std::vector<model::ModelRef> listedModels(const Database& db);
std::optional<model::ModelRef> listedModel(const Database& db, const std::string& name);
model::ModelRef modelById(const Database& db, std::int64_t id);
void unlistModel(const Database& db, const std::string& name);
void removeUnusedModels(const Database& db);
std::optional<Artifact> findArtifact(const Database& db, const std::string& key);
void replaceArtifact(const Database& db, const Artifact& artifact);
std::optional<model::DeviceCeilings> findCeilings(const Database& db, const std::string& device);
void replaceCeilings(const Database& db, const model::DeviceCeilings& ceilings);
void insertNoise(const Database& db, const Noise& noise);
std::vector<Noise> noiseOf(const Database& db, const std::string& machine, int newest);

} // namespace apertune::store
