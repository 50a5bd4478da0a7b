// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/study.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apertune::store {

/// A row of the list of studies.
struct StudySummary
{
    model::StudyId id{};
    std::string uuid;
    std::string name;
    std::string modelName;
    model::StudyState state = model::StudyState::finished;
    std::string createdUtc;
    int trials = 0;
    int ok = 0;
    int failed = 0;
    int remaining = 0; ///< not in a final state
};

enum class OpenMode {
    readWrite, ///< creates the file when missing; takes the workspace's writer lock (one writer process)
    readOnly,  ///< for views: an own connection, never blocks the writer
};

/// A workspace: one SQLite file "*.apertune" (WAL, 16 KiB pages, application_id "APTN", user_version = schema
/// version). The only SQL of the project is behind this class; schema.md beside it documents the tables.
///
/// Threads: one Store belongs to one thread at a time; open one per thread. A read-only Store sees each
/// committed transaction of the writer. Every mutating call is one transaction: after it returns, the
/// change survives kill -9 of this process.
///
/// Failures of all calls: busy (locked for > 5 s), io (disk full), corrupt, notFound; each says what to do.
/// Older schemas are migrated after a backup beside the file; newer ones open read-only only.
class Store
{
public:
    static base::Result<Store> open(const std::filesystem::path& file, OpenMode mode);
    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;
    ~Store();

    const std::filesystem::path& file() const;
    /// True when only reading is possible; `reason` says why (asked for, newer schema, read-only medium).
    bool readOnly() const;
    std::string readOnlyReason() const;

    // Models known by name in this workspace.
    base::Status putModel(const model::ModelRef& model); ///< replaces one of the same name
    base::Result<std::vector<model::ModelRef>> models() const;
    base::Result<std::optional<model::ModelRef>> findModel(const std::string& name) const;
    base::Status deleteModel(const std::string& name);

    // Studies. createStudy stores the study and all its trials (queued, or pruned where planned impossible) and
    // fills in their ids and ordinals.
    base::Status createStudy(model::Study& study, std::vector<model::Trial>& trials);
    base::Status setStudyState(model::StudyId study, model::StudyState state);
    base::Result<std::vector<StudySummary>> studies() const; ///< newest first
    base::Result<model::Study> study(model::StudyId id) const;
    base::Result<std::optional<model::StudyId>> lastStudy() const;
    base::Status deleteStudy(model::StudyId id);

    // Trials. `withSamples` also loads blocks and single iterations.
    base::Result<std::vector<model::Trial>> trials(model::StudyId study, bool withSamples = true) const;
    base::Result<model::Trial> trial(model::TrialId id) const;

    /// Moves a trial along its state machine in one transaction. REQUIRES: the move is legal
    /// (queued→leased→running→final, any non-final→pruned/cancelled, leased/running→queued); an illegal one is
    /// ErrorCode::internal. A final state stores reason and measurement (blocks, iterations, quality, applied, flags).
    base::Status transition(const model::Trial& trial, model::TrialState to);

    /// Puts what a dead supervisor left leased or running back to queued with attempt + 1, and marks the
    /// study running again. Returns how many.
    base::Result<int> requeueInterrupted(model::StudyId study);

    // Baselines: starred trials.
    base::Status setBaseline(model::TrialId trial, bool starred);
    base::Result<std::vector<model::TrialId>> baselines() const;

    // Compiled packages and other artifacts kept by content hash.
    struct Artifact
    {
        std::string key;  ///< content hash of everything that went into it
        std::string kind; ///< "aoti"
        std::filesystem::path path;
        base::Nanoseconds compile{};
        base::Bytes size{};
        std::string error; ///< a compile that failed for good, with the reason; path is empty then
    };
    base::Result<std::optional<Artifact>> artifact(const std::string& key) const;
    base::Status putArtifact(const Artifact& artifact);

    /// SQLite's integrity_check and foreign_key_check. ok() means clean.
    base::Status checkIntegrity() const;

    /// Changes whenever any connection commits; cheap enough to poll four times a second.
    base::Result<std::int64_t> dataVersion() const;

private:
    struct Impl;
    explicit Store(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

/// A study with its trials, ready for views and reports, without the recommendation (core/search adds it).
base::Result<model::StudySnapshot> loadSnapshot(const Store& store, model::StudyId id);

/// The workspace used when none is named: userDataDir()/default.apertune.
std::filesystem::path defaultWorkspace();

} // namespace apertune::store
