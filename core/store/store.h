// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/baseline.h"
#include "core/model/ceilings.h"
#include "core/model/evaluation.h"
#include "core/model/experiment.h"
#include "core/model/study.h"
#include "core/store/open_mode.h"
#include "core/store/records.h"
#include "core/store/traces.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apertune::store {

struct StoreState;

/// Returns what "the last study" means: the newest in which a user tuned a model, else the newest experiment; null
/// where there is none. `studies` are newest first.
const StudySummary* lastStudy(const std::vector<StudySummary>& studies);

/// A workspace: one SQLite file "*.apertune" (WAL, 16 KiB pages, application_id "APTN", user_version = schema
/// version). schema.md beside this file documents the tables.
///
/// Threads: any. Calls on one Store are serialised, so a view opens a Store of its own and does not wait for others.
///
/// Transactions:
///  - Every call is one transaction. A read sees one instant.
///  - A change survives kill -9 of this process once its call has returned.
///  - A read-only Store sees each transaction that the writer has committed.
///
/// Schema versions:
///  - An older schema is migrated after a copy to FILE.bak-vN. Readers migrate it too.
///  - A reader gets an upgraded temporary copy when the file cannot be written or another process writes it.
///  - A newer schema opens read-only.
///
/// Failures of all calls: busy (locked for more than 5 s), io (disk full), corrupt, notFound, unsupported (a change to
/// a read-only Store). Each error says what to do. A call that fails changes nothing.
///
/// REQUIRES: a process with a Store on a workspace does not open the file by other means, not even to read or copy it,
/// because closing any descriptor of the file drops the locks that protect it. saveCopy() copies it safely.
class Store
{
public:
    /// Opens a workspace. With readWrite:
    ///  - Missing folders are created.
    ///  - A file that cannot be written, or is damaged, is opened read-only; see readOnlyReason().
    ///  - Files of up to 64 MiB are checked for damage. In larger ones, the call that meets the damage fails.
    ///
    /// Failures: busy (another writer; the message names the process), notFound (readOnly and no file),
    /// invalidArgument (a folder, or a path that is too long), corrupt (damaged, not a workspace, or with tables, views
    /// or triggers that Apertune did not create), io.
    static base::Result<Store> open(const std::filesystem::path& file, OpenMode mode);
    /// Returns whether a process has the workspace open for writing now. When none has, a study whose stored state is
    /// running was interrupted by a crash.
    static bool isBeingWritten(const std::filesystem::path& file);
    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;
    ~Store();

    const std::filesystem::path& file() const;
    /// Returns true when the workspace can only be read. readOnlyReason() says why: the caller asked for it, the schema
    /// is newer, or the medium is read-only.
    bool readOnly() const;
    base::Message readOnlyReason() const;

    // Models that this workspace knows by name.
    base::Status putModel(const model::ModelRef& model); ///< replaces the model of the same name
    base::Result<std::vector<model::ModelRef>> models() const;
    base::Result<std::optional<model::ModelRef>> findModel(const std::string& name) const;
    base::Status deleteModel(const std::string& name);

    /// Stores the study and all its trials. A trial is queued, or pruned when the plan calls it impossible.
    /// Fills in the trials' ids, hashes and ordinals, and the study's uuid, name and creation time where they are
    /// empty.
    /// Failures: invalidArgument (the uuid exists already, or a configuration is planned twice on a device).
    base::Status createStudy(model::Study& study, std::vector<model::Trial>& trials);
    /// Adds a queued trial to a study, after its other trials. Fills in the trial's id, hash, study and ordinal.
    /// Failures: invalidArgument (the study has the configuration on that device already), notFound (no such study).
    base::Status addTrial(model::StudyId study, model::Trial& trial);
    /// Replaces the check of interference of a study.
    base::Status setInterference(model::StudyId study, const model::Interference& interference);
    /// Sets the state of a study, and the time at which it finished or was interrupted.
    base::Status setStudyState(model::StudyId study, model::StudyState state);
    base::Result<std::vector<StudySummary>> studies() const; ///< newest first
    base::Result<model::Study> study(model::StudyId id) const;
    base::Result<std::optional<model::StudyId>> lastStudy() const;
    /// Deletes a study with its trials, samples and stars.
    base::Status deleteStudy(model::StudyId id);

    // Trials. `withSamples` also loads the times of blocks and of single iterations.
    base::Result<std::vector<model::Trial>> trials(model::StudyId study, bool withSamples = true) const;
    base::Result<model::Trial> trial(model::TrialId id) const;

    /// Moves a trial to another state.
    ///
    ///  - A final state stores the reason and the measurement (blocks, iterations, quality, applied, flags).
    ///  - Start and end are stored as now, unless the trial has times of its own.
    ///  - A return to queued begins a new attempt.
    ///
    /// REQUIRES: the move is one of queued→leased→running→final, leased→failed, any non-final→pruned/cancelled,
    /// leased/running/pruned→queued.
    /// Failures: internal (another move).
    base::Status transition(const model::Trial& trial, model::TrialState to);

    /// Replaces the trial's measurement by a later one, such as the confirmation of a winner.
    /// REQUIRES: the trial's state is ok.
    /// Failures: internal (another state).
    base::Status replaceMeasurement(const model::Trial& trial);

    /// Takes over results that another workspace has of the study's configurations: of `trials`, those in a final
    /// state.
    ///  - A configuration that has no final state here gets state, reason, measurement, attempt and times. So does one
    ///    that was left out here and not there.
    ///  - One that the study does not have is added after its other trials.
    ///  - Any other one stays as it is, so that a second call changes nothing.
    /// Returns the number of trials that were taken over. Failures: notFound (no such study).
    base::Result<int> adoptTrials(model::StudyId study, const std::vector<model::Trial>& trials);

    /// Queues the trials that a dead supervisor left leased or running, each as a new attempt, and sets the study's
    /// state to running. Returns the number of these trials.
    base::Result<int> requeueInterrupted(model::StudyId study);

    // Baselines: starred trials.
    base::Status setBaseline(model::TrialId trial, bool starred);
    /// Stars a trial and gives it a name. An empty name takes the name away and leaves the star.
    /// Failures: notFound (no such trial), invalidArgument (model::checkBaselineName() refuses the name, or another
    /// trial has it; with `replace` that one loses it and stays starred).
    base::Status nameBaseline(model::TrialId trial, const std::string& name, bool replace = false);
    base::Result<std::vector<model::Baseline>> baselines() const; ///< sorted by trial

    // Compiled packages and other artifacts.
    base::Result<std::optional<Artifact>> artifact(const std::string& key) const;
    base::Status putArtifact(const Artifact& artifact);

    // Measured ceilings of devices.
    base::Result<std::optional<model::DeviceCeilings>> ceilings(const model::Device& device) const;
    base::Status putCeilings(const model::DeviceCeilings& ceilings); ///< replaces the ceilings of the same device

    base::Status addNoise(const Noise& noise);
    /// Returns the newest ratios of each protocol, at most `newest` a protocol.
    base::Result<std::vector<Noise>> noise(const std::string& machine, int newest = 40) const;

    /// Stores an experiment. It replaces the one of the same study.
    base::Status putExperiment(const model::Experiment& experiment);
    base::Result<std::vector<model::Experiment>> experiments() const; ///< oldest first

    // Runs of trials under load, oldest first.
    base::Result<std::int64_t> addScenario(model::TrialId trial, const std::string& kind, const std::string& document);
    base::Result<std::vector<Scenario>> scenarios(model::TrialId trial) const;

    // Runs of trials from image to answer, oldest first.
    base::Result<std::int64_t> addPipeline(model::TrialId trial, const std::string& document);
    base::Result<std::vector<Pipeline>> pipelines(model::TrialId trial) const;

    // Evaluations of trials' answers, oldest first.
    base::Result<std::int64_t> addEvaluation(model::TrialId trial, model::EvaluationKind kind,
                                             const std::string& document);
    base::Result<std::vector<Evaluation>> evaluations(model::TrialId trial) const;

    // Traces. A trace belongs to a trial and is deleted with it, or has no trial (an imported trace).
    /// Stores the whole trace in one transaction: a process that is killed meanwhile leaves nothing of it behind.
    /// Failures: invalidArgument (no such trial), cancelled (task.stop).
    base::Result<TraceId> addTrace(const trace::Trace& trace, std::optional<model::TrialId> trial = {},
                                   const TraceTask& task = {});
    base::Result<std::vector<TraceSummary>> traces() const; ///< newest first
    base::Result<std::vector<TraceSummary>> traces(model::TrialId trial) const;
    base::Result<TraceSummary> traceSummary(TraceId id) const;
    /// Loads a trace and decodes it on all cores.
    ///  - Strings, tracks, details, devices and losses are always complete.
    ///  - Series without events in the selection are left out.
    ///  - A trace whose recording did not finish has a Loss that says so.
    /// Failures: notFound, corrupt, unsupported (a newer chunk format), cancelled.
    base::Result<trace::TracePtr> trace(TraceId id, const TraceSelection& selection = {},
                                        const TraceTask& task = {}) const;
    base::Status renameTrace(TraceId id, const std::string& name);
    base::Status deleteTrace(TraceId id);
    /// Stores the prepared pictures of the trace's series in place of earlier ones.
    base::Status putTraceMips(TraceId id, const std::vector<StoredMip>& mips);
    base::Result<std::vector<StoredMip>> traceMips(TraceId id) const; ///< empty when none are kept

    /// Copies every readable row of a damaged workspace to a new one.
    ///  - The damaged file is not changed. It may be missing or empty where its -wal file holds the rows.
    ///  - Nothing that its schema defines is run: only rows of the tables of this version are copied.
    /// Failures: invalidArgument (target exists), corrupt (nothing readable), unsupported (newer schema), io.
    static base::Result<Salvage> salvage(const std::filesystem::path& damaged, const std::filesystem::path& target);

    /// Writes a consistent copy to a new file, even while other processes write.
    /// Failures: invalidArgument (`target` exists), io.
    base::Status saveCopy(const std::filesystem::path& target) const;

    /// Returns the space of deleted rows to the file system. The result is the number of bytes.
    /// Failures: unsupported (the workspace can only be read), io.
    base::Result<base::Bytes> compact();

    /// Runs SQLite's integrity_check and foreign_key_check.
    /// Failures: corrupt (either found a problem).
    base::Status checkIntegrity() const;

    /// Returns a number that changes whenever any connection commits. It is cheap enough to poll four times a second.
    base::Result<std::int64_t> dataVersion() const;

private:
    friend base::Result<model::StudySnapshot> loadSnapshot(const Store& store, model::StudyId id);
    explicit Store(std::unique_ptr<StoreState> state);
    std::unique_ptr<StoreState> m_state;
};

/// Loads a study with its trials for views and reports, without the recommendation, which core/search adds.
base::Result<model::StudySnapshot> loadSnapshot(const Store& store, model::StudyId id);

} // namespace apertune::store
