// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/ceilings.h"
#include "core/model/study.h"
#include "core/store/traces.h"

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
/// Threads: calls on one Store are serialised inside, so threads may share it, one waiting for the other; a view
/// opens its own. A read-only Store sees each committed transaction of the writer. Every call is one transaction:
/// a read sees one instant; after a mutating call returns, the change survives kill -9 of this process.
///
/// Failures of all calls: busy (locked for > 5 s), io (disk full), corrupt, notFound, unsupported (a change to a
/// read-only Store); each says what to do, and none changes anything.
/// Older schemas are migrated after a copy to FILE.bak-vN, by readers too; where the file cannot be written, or another
/// process writes it, a reader gets an upgraded temporary copy. Newer ones open read-only only.
///
/// Never open a workspace by other means in a process that has a Store on it, not even to read or copy it: closing
/// any descriptor of the file drops the locks that protect it. Use saveCopy().
class Store
{
public:
    /// readWrite makes missing folders, and opens read-only what cannot be written or is damaged (see readOnlyReason;
    /// files up to 64 MiB are checked, larger ones fail where the damage is met).
    /// Failures: busy (another writer; names the process), notFound (readOnly, no file), invalidArgument (a folder,
    /// a path that is too long), corrupt (damaged, not a workspace, or with tables, views or triggers that Apertune did
    /// not make), io.
    static base::Result<Store> open(const std::filesystem::path& file, OpenMode mode);
    /// Whether some process has the workspace open for writing now. A study that the store calls running while nobody
    /// does was cut off by a crash.
    static bool isBeingWritten(const std::filesystem::path& file);
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

    /// Stores the study and all its trials (queued, or pruned where planned impossible) and fills in their ids,
    /// hashes and ordinals, and the study's uuid, name and creation time where they are empty.
    /// Failures: invalidArgument (uuid known, or one configuration planned twice on a device).
    base::Status createStudy(model::Study& study, std::vector<model::Trial>& trials);
    /// Also notes the time at which it finished or was interrupted.
    base::Status setStudyState(model::StudyId study, model::StudyState state);
    base::Result<std::vector<StudySummary>> studies() const; ///< newest first
    base::Result<model::Study> study(model::StudyId id) const;
    base::Result<std::optional<model::StudyId>> lastStudy() const;
    /// With its trials, samples and stars.
    base::Status deleteStudy(model::StudyId id);

    // Trials. `withSamples` also loads blocks and single iterations.
    base::Result<std::vector<model::Trial>> trials(model::StudyId study, bool withSamples = true) const;
    base::Result<model::Trial> trial(model::TrialId id) const;

    /// Moves a trial along its state machine in one transaction. REQUIRES: the move is legal
    /// (queued→leased→running→final, leased→failed, any non-final→pruned/cancelled, leased/running→queued); an illegal
    /// one is ErrorCode::internal. A final state stores reason and measurement (blocks, iterations, quality, applied,
    /// flags). Start and end times are noted unless the trial brings its own; going back to queued is a new attempt.
    base::Status transition(const model::Trial& trial, model::TrialState to);

    /// Puts a later measurement of the same trial (the confirmation of a winner) in place of the first.
    /// REQUIRES: the trial is ok; else ErrorCode::internal.
    base::Status replaceMeasurement(const model::Trial& trial);

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

    // What devices were measured to reach.
    base::Result<std::optional<model::DeviceCeilings>> ceilings(const model::Device& device) const;
    base::Status putCeilings(const model::DeviceCeilings& ceilings); ///< replaces those of the same device

    // Comparisons of one thing with itself.
    struct Noise
    {
        std::string machine;       ///< model::machineKey()
        std::string protocol;      ///< model::protocolOf()
        std::string configuration; ///< what was measured, of the newest
        std::vector<double> ratios;
        std::string measuredUtc{}; ///< of the newest; empty: now
    };
    base::Status addNoise(const Noise& noise);
    /// Of each protocol the newest ratios, at most `newest`.
    base::Result<std::vector<Noise>> noise(const std::string& machine, int newest = 40) const;

    /// What is kept beside a trial's measurement.
    struct Document
    {
        std::int64_t id = 0;
        std::string kind; ///< of a scenario: "server", "camera" …; of a evaluation: "accuracy", "sensitivity"
        std::string createdUtc;
        std::string document; ///< JSON
    };

    // Trials under load, in the order in which they were run.
    using Scenario = Document;
    base::Result<std::int64_t> addScenario(model::TrialId trial, const std::string& kind, const std::string& document);
    base::Result<std::vector<Scenario>> scenarios(model::TrialId trial) const;

    // Trials from image to answer, in the order in which they were run.
    struct Pipeline
    {
        std::int64_t id = 0;
        std::string createdUtc;
        std::string document; ///< JSON
    };
    base::Result<std::int64_t> addPipeline(model::TrialId trial, const std::string& document);
    base::Result<std::vector<Pipeline>> pipelines(model::TrialId trial) const;

    // What trials' answers are worth, in the order in which they were judged.
    using Evaluation = Document;
    base::Result<std::int64_t> addEvaluation(model::TrialId trial, const std::string& kind,
                                             const std::string& document);
    base::Result<std::vector<Evaluation>> evaluations(model::TrialId trial) const;

    // Traces. A trace belongs to a trial and goes with it, or stands alone (an imported one).
    /// Stores the whole trace in one transaction: killed in the middle, nothing of it is there.
    /// Failures: invalidArgument (no such trial), cancelled (task.stop).
    base::Result<TraceId> addTrace(const trace::Trace& trace, std::optional<model::TrialId> trial = {},
                                   const TraceTask& task = {});
    base::Result<std::vector<TraceSummary>> traces() const; ///< newest first
    base::Result<std::vector<TraceSummary>> traces(model::TrialId trial) const;
    base::Result<TraceSummary> traceSummary(TraceId id) const;
    /// Decodes on all cores. Strings, tracks, details, devices and losses are always complete; series without events
    /// in the selection are left out. A trace that was not finished has a Loss that says so.
    /// Failures: notFound, corrupt, unsupported (a newer chunk format), cancelled.
    base::Result<trace::TracePtr> trace(TraceId id, const TraceSelection& selection = {},
                                        const TraceTask& task = {}) const;
    base::Status renameTrace(TraceId id, const std::string& name);
    base::Status deleteTrace(TraceId id);
    /// Prepared pictures of the series; replaces those that are there.
    base::Status putTraceMips(TraceId id, const std::vector<StoredMip>& mips);
    base::Result<std::vector<StoredMip>> traceMips(TraceId id) const; ///< empty when none are kept

    /// What could be saved of a damaged workspace.
    struct Salvage
    {
        std::int64_t rows = 0;                  ///< in the new file
        std::int64_t dropped = 0;               ///< readable, but senseless without what was lost
        std::int64_t standIns = 0;              ///< made in place of lost studies, models and environments
        std::vector<std::string> damagedTables; ///< those with a damaged part; rows of them may be missing
    };
    /// Saves every row of a damaged workspace that can be read to a new one. The damaged file is not changed, and
    /// nothing that its schema defines is run: only rows of the tables of this version are taken.
    /// Failures: invalidArgument (target exists), corrupt (nothing readable), unsupported (newer schema), io.
    static base::Result<Salvage> salvage(const std::filesystem::path& damaged, const std::filesystem::path& target);

    /// A consistent copy in a new file, also while others write. Failures: invalidArgument (there is a file), io.
    base::Status saveCopy(const std::filesystem::path& target) const;

    /// SQLite's integrity_check and foreign_key_check. ok() means clean.
    base::Status checkIntegrity() const;

    /// Changes whenever any connection commits; cheap enough to poll four times a second.
    base::Result<std::int64_t> dataVersion() const;

private:
    friend base::Result<model::StudySnapshot> loadSnapshot(const Store& store, model::StudyId id);
    friend class TraceWriter;
    struct Impl;
    explicit Store(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

/// A study with its trials, ready for views and reports, without the recommendation (core/search adds it).
base::Result<model::StudySnapshot> loadSnapshot(const Store& store, model::StudyId id);

/// The workspace used when none is named: userDataDir()/default.apertune.
std::filesystem::path defaultWorkspace();

} // namespace apertune::store
